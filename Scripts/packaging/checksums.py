#!/usr/bin/env python3
"""Prints SHA-256 checksums as `sha256sum` does, which macOS lacks: checksums.py FILE..."""
import hashlib, pathlib, sys

for name in sys.argv[1:]:
    print(f"{hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()}  {name}")
