"""Understudy: a mock server and a contract tester for HTTP APIs.

`Mock` starts a mock or finds one, `Lane` is a mock of its own for one test. `understudy` and `python -m understudy_mock` run the
program; `program()` is its path.
"""
from .admin import Exchange, Version
from .errors import (
    LaneFailed, LaneLimit, MockNotStarted, MockRefused, MockUnreachable, MockUnsupported, NoRequest, UnderstudyError)
from .lane import Lane
from .mock import Mock
from .program import program
from .replies import Reply
from .sweep import Row, Sweep
from .values import Finding, Operation, ReplyState, Request, UnusedReply, Verdict

__all__ = [
    "Exchange", "Finding", "Lane", "LaneFailed", "LaneLimit", "Mock", "MockNotStarted", "MockRefused", "MockUnreachable",
    "MockUnsupported", "NoRequest", "Operation", "Reply", "ReplyState", "Request", "Row", "Sweep", "UnderstudyError",
    "UnusedReply", "Verdict", "Version", "program",
]
