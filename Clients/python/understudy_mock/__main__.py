"""Runs the program in place of the interpreter, so that signals and the exit code are its own."""
import os
import sys

from understudy_mock.errors import MockNotStarted
from understudy_mock.program import program


def main() -> None:
    try:
        path = str(program())
    except MockNotStarted as error:
        sys.exit(f"error: {error}")
    try:
        os.execv(path, ["understudy", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {path} cannot be run: {error.strerror}")


if __name__ == "__main__":
    main()
