"""What goes wrong, each with the next step in its message."""
from __future__ import annotations

from typing import Optional


class UnderstudyError(Exception):
    """An error of the mock or of its client."""


class MockNotStarted(UnderstudyError):
    """The program is missing, or has ended before the mock listened: its message is the text of this error."""


class MockUnreachable(UnderstudyError):
    """No mock answers at the address, or it has ended in the middle of a test."""


class MockUnsupported(UnderstudyError):
    """The mock is of another version, or lacks a feature that a call needs."""


class MockRefused(UnderstudyError):
    """The mock refuses a request, with the status and the detail of its problem document (RFC 9457)."""

    def __init__(self, message: str, status: int, detail: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail


class LaneLimit(MockRefused):
    """The mock has as many lanes as it allows."""


class NoRequest(UnderstudyError, AssertionError):
    """A request that a test waits for has not arrived."""


class LaneFailed(UnderstudyError, AssertionError):
    """The client broke the contract or a check, or a reply was not used.

    `rules` has the name of each rule that was broken; unused replies are `test.reply-unused`.
    """

    def __init__(self, message: str, rules: "tuple[str, ...]" = (), verdict: Optional[object] = None) -> None:
        super().__init__(message)
        self.rules = rules
        self.verdict = verdict
