"""Understudy: a mock server and a contract tester for HTTP APIs.

The wheel carries the program. `understudy` and `python -m understudy_mock` run it; `program()` is its path.
"""
from pathlib import Path

__all__ = ["program"]


def program() -> Path:
    """The path of the program `understudy` in this wheel."""
    return Path(__file__).parent / "bin" / "understudy"
