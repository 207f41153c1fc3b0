"""Packs `scaling` with the programs and the libraries that it needs, for a machine that cannot install them."""
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

WRAPPER = """#!/bin/sh
files=${0%%/*}/..
exec "$files/lib/%s" --library-path "$files/lib" "$files/libexec/%s" "$@"
"""
RUN = """#!/bin/sh
# Unpacks the programs beside this script and measures; options are those of Benchmarks/scaling.
cd "$(dirname "$0")" && tar xzf files.tar.gz || exit
PATH=$PWD/files/bin:$PATH
export PATH
exec python3 files/Benchmarks/scaling %s "$@"
"""


def pack(programs, scripts, folder):
    """Writes an archive and a script to a folder. The programs are started by the packed loader, with the packed libraries."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        files = pathlib.Path(temporary) / "files"
        for name in "lib", "libexec", "bin", "Benchmarks":
            (files / name).mkdir(parents=True)
        for file in scripts:
            shutil.copy(file, files / "Benchmarks")
        for name, path in programs.items():
            add(name, path, files)
        with tarfile.open(folder / "files.tar.gz", "w:gz") as archive:
            archive.add(files, "files")
    run = folder / "run"
    run.write_text(RUN % ("files/bin/after" + (" --before files/bin/before" if "before" in programs else "")))
    run.chmod(0o755)
    size = sum(file.stat().st_size for file in folder.iterdir()) / 2**20
    print(f"{folder}: {', '.join(programs)}; {size:.1f} MiB")
    if size > 64:
        sys.exit("the folder has more than 64 MiB")


def add(name, path, files):
    """Copies a program without its symbols, its libraries, and a script that starts it."""
    target = files / "libexec" / name
    shutil.copy(path, target)
    if shutil.which("strip"):
        subprocess.run(["strip", target], check=True)
    libraries = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    for library in re.findall(r"(/\S+) \(0x", libraries):
        shutil.copy(library, files / "lib")
    loader = re.search(r"^\s+/\S*/(\S+) \(0x", libraries, re.MULTILINE)[1]
    script = files / "bin" / name
    script.write_text(WRAPPER % (loader, name))
    script.chmod(0o755)
