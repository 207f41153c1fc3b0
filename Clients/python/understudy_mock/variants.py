"""The variants of the answers of an operation, by the names of docs/sweep.md."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional

from .replies import Reply
from .values import Operation, Request

#: The most members that one kind of variant changes.
MEMBER_LIMIT = 12
#: The most bytes of a long list: the admin API takes a mebibyte, of which base64 needs a third.
LIST_BYTES = 700_000
_HTML = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
_BODY_FAULTS = [
    ("cut", "truncate"), ("reset", "reset"), ("reset head", "reset:head"), ("close", "close"), ("close head", "close:head"),
    ("garbage", "garbage"), ("reset after-head", "reset:after-head"), ("reset body", "reset:body"),
    ("close after-head", "close:after-head"), ("wrong-length 1", "wrong-length:1"), ("bad-chunk", "bad-chunk"),
]
#: Those that an answer without a body can have.
_HEAD_FAULTS = _BODY_FAULTS[1:6]


@dataclass(frozen=True)
class Variant:
    """One answer: a documented status, or the success with one thing wrong."""

    operation: str
    name: str
    reply: Reply
    status: Optional[int] = None
    is_unusable: bool = False

    @property
    def kind(self) -> str:
        return self.name.split(" ")[0]


def code(status: str, documented: "set[str]") -> int:
    """The code that a documented status is sent with: for `4XX` and `default` the first that no other one is for."""
    if status.isdigit():
        return int(status)
    first = 500 if status == "default" else int(status[0]) * 100
    return next(number for number in range(first, first + 100) if str(number) not in documented)


def variants(operation: Operation, usual: Request) -> "list[Variant]":
    """Documented statuses, then hostile variants of the default response, in a fixed order."""
    documented = {status for status, _ in operation.cells}
    found = []
    for status, meaning in operation.cells:
        number = code(status, documented)
        if number >= 200:
            found.append(Variant(
                operation.id, f"status {status}" + (f" {meaning}" if meaning else ""), Reply(status=number), number))
    return found + list(_hostile(operation.id, usual, documented))


def _hostile(operation: str, usual: Request, documented: "set[str]") -> Iterator[Variant]:
    body, kind = usual.response_body, ""
    headers: "dict[str, str]" = {}
    for name, value in usual.response_headers:
        if name.lower() == "content-type":
            kind = value
        if name.lower() not in ("content-length", "date", "connection", "understudy-reply", "sl-violations"):
            headers[name] = value
    status = usual.status or 200

    def answer(name: str, content: bytes, unusable: bool = False, **changed: str) -> Variant:
        fields = {**headers, **{key.replace("_", "-"): value for key, value in changed.items()}}
        return Variant(operation, name, Reply(status=status, body=content, headers=fields), is_unusable=unusable)

    is_data = "json" in kind
    if is_data:
        try:
            root = json.loads(body)
        except ValueError:
            root = None
        for name, value in _bodies(root):
            yield answer(name, json.dumps(value, ensure_ascii=False).encode())
    if body:
        yield answer("html", _HTML, is_data)
        if len(body) > 1:
            yield answer("truncated-body", body[: len(body) // 2], is_data)
        yield answer("empty-body", b"", is_data)
        yield answer("byte-order-mark", b"\xef\xbb\xbf" + body)
        base = kind.split(";")[0] or "text/plain"
        yield answer("utf-16", b"\xfe\xff" + body.decode("utf-8", "replace").encode("utf-16-be"),
                     Content_Type=f"{base}; charset=utf-16")
    undocumented = next((number for number in (299, 418, 599) if not documented & {str(number), f"{number // 100}XX"}), 299)
    yield Variant(operation, f"undocumented-status {undocumented}", Reply(status=undocumented, text=f"{undocumented}\n"))
    yield Variant(operation, "redirect 302", Reply(status=302, text="302\n", headers={"Location": "/understudy-redirect"}))
    yield Variant(operation, "slow", Reply(delay="1s"))
    names = ["drip"] + (["stall", "invalid-utf8"] if body else []) + ["duplicate-headers", "conflicting-headers"]
    for name in names:
        yield Variant(operation, name, Reply(fault="stall:1s" if name == "stall" else name))
    for name, fault in _BODY_FAULTS if body else _HEAD_FAULTS:
        yield Variant(operation, name, Reply(fault=fault), is_unusable=True)


def _bodies(root: Any) -> "Iterator[tuple[str, Any]]":
    """Bodies that differ in one place. Without the schema a member is taken for a required one."""
    places = list(_places(root, ()))
    members = [place for place in places if place[0] and isinstance(place[0][-1], str)]

    def changes(kind: str, among: "list[tuple[tuple[Any, ...], Any]]", change: "Callable[[Any], Any]") -> "Iterator[tuple[str, Any]]":
        for path, value in among[:MEMBER_LIMIT]:
            yield f"{kind} {_pointer(path)}".rstrip(), _replaced(root, path, change(value))

    yield from changes("required-null", [place for place in members if place[1] is not None], lambda _: None)
    yield from changes("required-missing", members, lambda _: _REMOVED)
    objects = [place for place in places if isinstance(place[1], dict)]
    if objects:
        path, value = objects[0]
        yield "additional-member", _replaced(root, path, {**value, "understudyExtra": {"nested": [1, 2]}})
    yield from changes("wrong-type", places, _other_type)
    numbers = [place for place in places if isinstance(place[1], (int, float)) and not isinstance(place[1], bool)]
    yield from changes("huge-number", numbers, lambda _: 123456789012345678901234)
    lists = [place for place in places if isinstance(place[1], list) and place[1]]
    yield from changes("empty-list", lists, lambda _: [])
    yield from changes("duplicate-items", lists, lambda value: [*value, value[0]])
    yield from changes("long-list", lists, lambda value: [value[0]] * min(10_000, max(2, LIST_BYTES // len(json.dumps(value[0])))))
    texts = [place for place in places if isinstance(place[1], str)]
    free = [place for place in texts if not _is_date(place[1])]
    yield from changes("long-text", free[:1], lambda value: (value or "x") * (1 + 100_000 // max(1, len(value))))
    yield from changes("other-date", [place for place in texts if _is_date(place[1])], _other_date)


_REMOVED = object()


def _places(value: Any, path: "tuple[Any, ...]") -> "Iterator[tuple[tuple[Any, ...], Any]]":
    if len(path) >= 8:
        return
    yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _places(member, (*path, name))
    elif isinstance(value, list) and value:
        yield from _places(value[0], (*path, 0))


def _pointer(path: "tuple[Any, ...]") -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _replaced(value: Any, path: "tuple[Any, ...]", new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if new is _REMOVED and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _replaced(value[path[0]], path[1:], new)
    return copy


def _other_type(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return 12345
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return {}
    return "null" if value is None else []


def _is_date(text: str) -> bool:
    return len(text) >= 20 and (text[4], text[7], text[10], text[13]) == ("-", "-", "T", ":")


def _other_date(text: str) -> str:
    """The same moment in another form of RFC 3339."""
    if not text.endswith("Z"):
        return text[:19] + "Z"
    return text[:19] + ("" if len(text) > 20 else ".123456") + "+00:00"
