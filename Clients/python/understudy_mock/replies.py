"""What a lane is to answer."""
from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

from .values import Duration, duration


class _Unset:
    def __repr__(self) -> str:
        return "UNSET"


#: In place of a JSON value: `json=None` is the body `null`.
UNSET: Any = _Unset()


@dataclass(frozen=True)
class Reply:
    """One answer: a documented cell (`status`, `meaning`, `fixture`, or `status` and `variant`), a response of its own
    (`json`, `text` or `body`, with `headers`), a stream (`events`), or with none of these the usual one, perhaps with a
    delay or a fault."""

    status: Optional[int] = None
    meaning: Optional[str] = None
    fixture: Optional[str] = None
    variant: Optional[str] = None
    json: Any = UNSET
    text: Optional[str] = None
    body: Optional[bytes] = None
    headers: Optional[Mapping[str, Union[str, Sequence[str]]]] = None
    events: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None
    delay: Optional[Duration] = None
    fault: Optional[str] = None
    times: Optional[int] = None
    #: Whether placeholders such as `{{request.path.id}}` in the body and in headers are filled for each request.
    template: bool = False

    @classmethod
    def of(cls, value: "Union[Reply, int, str]") -> "Reply":
        """A status as a number, a fixture such as `200.empty`, or a meaning such as `notRegistered`."""
        if isinstance(value, Reply):
            return value
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise TypeError(f"{value!r} is not a reply: expected a status, a fixture, a meaning or Reply(...)")
        if isinstance(value, int):
            return cls(status=value)
        if value[:1].isdigit() or value.startswith("default."):
            return cls(status=int(value)) if value.isdigit() else cls(fixture=value)
        return cls(meaning=value)

    def members(self) -> "dict[str, Any]":
        """As the admin API takes it."""
        values: "dict[str, Any]" = {
            name: getattr(self, name) for name in ("status", "meaning", "fixture", "variant", "text", "fault", "times")
        }
        values["delay"] = None if self.delay is None else duration(self.delay)
        values["base64"] = None if self.body is None else base64.b64encode(self.body).decode()
        if self.headers is not None:
            values["headers"] = {
                name: value if isinstance(value, str) else list(value) for name, value in self.headers.items()
            }
        values["events"] = None if self.events is None else list(self.events)
        values["template"] = self.template or None
        members = {name: value for name, value in values.items() if value is not None}
        if self.json is not UNSET:
            members["json"] = self.json
        return members


def reply_body(
    operation: "Union[str, tuple[str, str]]", steps: "Sequence[Union[Reply, int, str]]", when: Optional[Mapping[str, Any]],
    times: Optional[int], own: Reply,
) -> "dict[str, Any]":
    """The body of a request for a reply; an operation without a name is a method and a path."""
    body: "dict[str, Any]" = (
        {"operation": operation} if isinstance(operation, str) else {"method": operation[0], "path": operation[1]})
    members = own.members()
    if steps and members:
        raise TypeError(f"a reply has either steps or {', '.join(members)}: use Reply(...) for each step")
    if len(steps) == 1 and Reply.of(steps[0]).times is None:
        members = Reply.of(steps[0]).members()
    elif steps:
        members = {"steps": [Reply.of(step).members() for step in steps]}
    body.update(members)
    if when is not None:
        body["when"] = when
    if times is not None:
        body["times"] = times
    return body
