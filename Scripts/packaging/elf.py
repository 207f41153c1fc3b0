#!/usr/bin/env python3
"""Programs for Linux.

    elf.py finish PROGRAM      removes what depends on the folder of the build, after `strip`
    elf.py wheel-tag PROGRAM   prints the tag of a wheel with it, by the newest symbol of glibc (PEP 600)
"""
import hashlib, pathlib, re, struct, subprocess, sys

RPATH, RUNPATH = 15, 29


def sections(data):
    """The offsets and sizes of the sections, by name."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit("error: the program is not a 64-bit little-endian ELF file")
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + index * size) for index in range(count)]
    strings = headers[names][4]
    return {bytes(data[strings + name:data.index(0, strings + name)]).decode(): (offset, length)
            for name, _, _, _, offset, length in headers}


def finish(path):
    data = bytearray(path.read_bytes())
    found = sections(data)
    # SwiftPM lets a program look for libraries in its own folder first. One that is installed must not. The loader stops at the
    # first entry of zeros, so that more of them change nothing.
    start, length = found[".dynamic"]
    entries = [bytes(data[place:place + 16]) for place in range(start, start + length, 16)]
    kept = [entry for entry in entries if struct.unpack_from("<Q", entry)[0] not in (RPATH, RUNPATH)]
    data[start:start + length] = b"".join(kept).ljust(length, b"\0")
    # By these hashes swiftc knows the options of an object, and its folder is one of them.
    if ".swift_modhash" in found:
        start, length = found[".swift_modhash"]
        data[start:start + length] = bytes(length)
    # The linker computed the id from the hashes as well. It is the last part of its note.
    if ".note.gnu.build-id" in found:
        start, length = found[".note.gnu.build-id"]
        data[start + length - 20:start + length] = bytes(20)
        data[start + length - 20:start + length] = hashlib.sha1(data).digest()
    path.write_bytes(data)


def wheel_tag(path):
    symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
    major, minor = max(tuple(map(int, version)) for version in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))
    machine, = struct.unpack_from("<H", path.read_bytes(), 18)
    return f"manylinux_{major}_{minor}_{ {62: 'x86_64', 183: 'aarch64'}[machine]}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["finish", path]:
            finish(pathlib.Path(path))
        case ["wheel-tag", path]:
            print(wheel_tag(pathlib.Path(path)))
        case _:
            sys.exit(__doc__)
