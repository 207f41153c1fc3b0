"""What the mock answers, as values."""
from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Mapping, Optional, Union
from urllib.parse import parse_qsl, urlsplit

Duration = Union[str, int, float, timedelta]


def duration(value: Duration) -> str:
    """A time as the admin API takes it: `2s`, 2, 0.5 and timedelta(seconds=2) are such times."""
    if isinstance(value, str):
        return value
    seconds = value.total_seconds() if isinstance(value, timedelta) else float(value)
    return f"{round(seconds * 1000)}ms"


def seconds(value: Duration) -> float:
    """The same in seconds."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if not isinstance(value, str):
        return float(value)
    for unit, factor in (("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400)):
        if value.endswith(unit) and value[: -len(unit)].isdigit():
            return int(value[: -len(unit)]) * factor
    raise ValueError(f"`{value}` is not a time: expected one such as 500ms, 2s, 5m or 1h")


@dataclass(frozen=True)
class Finding:
    """What a client broke: a rule, and where."""

    rule: str
    severity: str
    message: str
    operation: str = ""
    help: str = ""
    requests: "tuple[str, ...]" = ()

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Finding":
        return cls(
            value["rule"], value["severity"], value["message"], value.get("operation", ""), value.get("help", ""),
            tuple(value.get("requests", ())))

    def __str__(self) -> str:
        lines = [f"{self.severity}[{self.rule}]: {self.message}"]
        lines += [f"  {request}" for request in self.requests]
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


@dataclass(frozen=True)
class UnusedReply:
    """A reply that no request has met."""

    operation: str
    message: str


@dataclass(frozen=True)
class Verdict:
    """What the client of a lane broke so far."""

    passed: bool
    requests: int
    findings: "tuple[Finding, ...]"
    unused: "tuple[UnusedReply, ...]"
    unknown: "tuple[str, ...]" = ()
    """The reasons that requests may be missing, so that the verdict is unknown."""

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Verdict":
        reasons = tuple(value.get("reasons", ()))
        if value["verdict"] == "unknown" and not reasons:
            reasons = ("the mock gives no reason",)
        return cls(
            value["verdict"] == "passed", value.get("requests", 0), tuple(map(Finding.of, value.get("findings", ()))),
            tuple(UnusedReply(unused["operation"], unused["message"]) for unused in value.get("unused", ())), reasons)

    @property
    def rules(self) -> "list[str]":
        """The name of each rule that was broken, in the order of the alphabet."""
        return sorted({finding.rule for finding in self.findings})


@dataclass(frozen=True)
class ReplyState:
    """A reply of a lane: how often it has answered."""

    number: int
    operation: str
    steps: "tuple[str, ...]"
    answered: int
    is_over: bool

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "ReplyState":
        return cls(value["number"], value["operation"], tuple(value["steps"]), value["answered"], value["isOver"])


@dataclass(frozen=True)
class Operation:
    """An operation of a contract with its documented statuses."""

    id: str
    contract: str
    method: str
    path: str
    cells: "tuple[tuple[str, Optional[str]], ...]" = field(repr=False)

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Operation":
        cells = tuple((cell["status"], cell.get("meaning")) for cell in value["cells"])
        return cls(value["id"], value["contract"], value["method"], value["path"], cells)


@dataclass(frozen=True)
class Request:
    """A request that reached the mock, with its answer. Secrets are removed, as in the journal."""

    #: Its number in the journal; 0 for one that has not ended.
    number: int
    method: str
    target: str
    #: None where the client has no response, or not yet.
    status: Optional[int]
    operation: Optional[str]
    lane: Optional[str]
    findings: "tuple[Finding, ...]"
    headers: "tuple[tuple[str, str], ...]"
    body: bytes
    response_headers: "tuple[tuple[str, str], ...]"
    response_body: bytes

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Request":
        sent, answer = value["exchange"]["request"], value["exchange"].get("response", {})
        target = value["target"]
        prefix = f"/~{value.get('lane', '')}/"
        return cls(
            value["id"], value["method"], target[len(prefix) - 1 :] if target.startswith(prefix) else target, value.get("status"),
            value.get("operation"), value.get("lane"), tuple(map(Finding.of, value["findings"])), _fields(sent),
            _content(sent.get("postData", {})), _fields(answer), _content(answer.get("content", {})))

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """The body as JSON; ValueError where it is none."""
        return json.loads(self.body)

    def header(self, name: str) -> Optional[str]:
        """The first value of a header field."""
        return next((value for other, value in self.headers if other.lower() == name.lower()), None)

    def query(self, name: str) -> Optional[str]:
        """The first value of a parameter of the query."""
        return dict(reversed(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))).get(name)

    @property
    def fields(self) -> "dict[str, Any]":
        """The members of a body that is a JSON object or a form; a repeated field of a form has a list."""
        if "json" in (self.header("content-type") or ""):
            try:
                value = self.json
            except ValueError:
                return {}
            return value if isinstance(value, dict) else {}
        values: "dict[str, Any]" = {}
        for name, value in parse_qsl(self.text, keep_blank_values=True):
            if name in values:
                values[name] = [*(values[name] if isinstance(values[name], list) else [values[name]]), value]
            else:
                values[name] = value
        return values

    def field(self, name: str) -> Any:
        """One member of the body, None where it is missing."""
        return self.fields.get(name)

    def __str__(self) -> str:
        number = f" {self.number}" if self.number else ""
        return f"request{number}: {self.method} {self.target} -> {self.status or 'no answer'}"


def _fields(message: Mapping[str, Any]) -> "tuple[tuple[str, str], ...]":
    return tuple((header["name"], header["value"]) for header in message.get("headers", ()))


def _content(content: Mapping[str, Any]) -> bytes:
    text = content.get("text", "")
    return base64.b64decode(text) if content.get("encoding") == "base64" else text.encode()
