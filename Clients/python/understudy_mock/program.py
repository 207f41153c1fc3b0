"""Finds the program `understudy`."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

from .errors import MockNotStarted

WHEEL_PROGRAM = Path(__file__).parent / "bin" / "understudy"


def program() -> Path:
    """The path of the program: that of the environment variable UNDERSTUDY, else the one in this wheel, else on PATH."""
    named = os.environ.get("UNDERSTUDY")
    if named:
        if not os.access(named, os.X_OK):
            raise MockNotStarted(f"UNDERSTUDY names {named}, which is not a program: set it to the path of `understudy`")
        return Path(named).resolve()
    if WHEEL_PROGRAM.exists():
        return WHEEL_PROGRAM
    found = _on_path()
    if found is None:
        raise MockNotStarted(
            "the program `understudy` is neither in this package nor on PATH: install a wheel of understudy-mock for this"
            " platform, or set UNDERSTUDY to the path of the program"
        )
    return found


def _on_path() -> Optional[Path]:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = Path(folder or ".") / "understudy"
        if path.is_file() and os.access(path, os.X_OK) and not _is_own_script(path):
            return path.resolve()
    return None


def _is_own_script(path: Path) -> bool:
    """Whether it is the script of this package, which would start itself."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and b"understudy_mock" in head
