#!/usr/bin/env python3
"""Archives with the same bytes for the same files: archive.py FILE.tar.gz FOLDER NAME

Writes FOLDER/NAME, sorted, owned by root, with the time in SOURCE_DATE_EPOCH. Used as a module for wheels and npm packages.
"""
import gzip, io, os, pathlib, subprocess, sys, tarfile, time, zipfile

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def repository():
    """The repository that packages name, as OWNER/NAME."""
    script = pathlib.Path(__file__).resolve().parent.parent / "repository"
    return subprocess.check_output([script], text=True).strip()


def files_below(folder):
    """The files of a folder, sorted by their bytes, with their names relative to it."""
    found = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return sorted(((path.relative_to(folder).as_posix(), path) for path in found), key=lambda file: file[0].encode())


def program_files(program):
    """The program in a package, and the library that a program for macOS has beside it."""
    library = program.resolve().parent.parent / "lib/understudy"
    return [("bin/understudy", program), *((f"lib/understudy/{name}", path) for name, path in files_below(library))]


def mode_of(path):
    """Only whether a file can be executed is kept: the rest depends on who built it."""
    return 0o755 if os.access(path, os.X_OK) else 0o644


def tar_gz(target, files):
    """Writes (name, path or bytes) pairs as they are ordered."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files:
            data = content if isinstance(content, bytes) else pathlib.Path(content).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), EPOCH
            entry.mode = 0o644 if isinstance(content, bytes) else mode_of(content)
            archive.addfile(entry, io.BytesIO(data))
    # `gzip.compress` writes the kind of system, which depends on the version of Python.
    with open(target, "wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=9, mtime=0) as zipped:
        zipped.write(buffer.getvalue())


def wheel_zip(target, files):
    """Writes (name, bytes, mode) triples as they are ordered."""
    # The format has no times before 1980.
    date = time.gmtime(max(EPOCH, 315532800))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    target, folder, name = sys.argv[1:]
    tar_gz(target, [(f"{name}/{path}", file) for path, file in files_below(pathlib.Path(folder) / name)])
