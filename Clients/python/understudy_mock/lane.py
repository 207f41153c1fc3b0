"""A lane: a mock of its own for one test."""
from __future__ import annotations

import time
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from .admin import Admin, segment
from .arrivals import Returned, arrivals
from .errors import LaneFailed, MockRefused, NoRequest
from .replies import UNSET, Reply, reply_body
from .sweep import Sweep, run_sweep
from .values import Duration, Finding, Operation as MockOperation, ReplyState, Request, Verdict, duration, seconds

Operation = Union[str, "tuple[str, str]"]
_NAMES = {"stop_clock": "stopClock"}
_FEATURES = {"dynamic": "dynamic", "limit": "limit", "port": "port", "state": "states"}
#: The seconds that a client which has given up may need until its connection is closed.
_LEAVING = 5.0


def _settings(values: Mapping[str, Any]) -> "dict[str, Any]":
    """Settings as the admin API names them."""
    body: "dict[str, Any]" = {}
    for name, value in values.items():
        if name in ("advance", "limit") and value is not None:
            value = duration(value)
        elif name in ("fault", "delay", "checks") and not isinstance(value, str):
            value = list(value)
        elif name == "checks":
            value = [value]
        body[_NAMES.get(name, name)] = value
    return body


class Lane:
    """An open lane. As a context manager it ends as a test does: findings and unused replies are an error."""

    def __init__(self, admin: Admin, name: str, url: str) -> None:
        self._admin, self.name, self.url = admin, name, url
        self._allowed: "set[str]" = set()
        self._returned: "dict[str, Returned]" = {}
        self._path = f"/lanes/{segment(name)}"

    @classmethod
    def open(cls, admin: Admin, name: Optional[str], settings: Mapping[str, Any]) -> "Lane":
        for setting in settings.keys() & _FEATURES.keys():
            admin.require(_FEATURES[setting])
        body = _settings(settings)
        if name is not None:
            body["name"] = name
        answer = admin.call("POST", "/lanes", body)
        return cls(admin, answer["name"], answer["url"])

    def change(self, **settings: Any) -> None:
        """Changes what is given: `scenario`, `state`, `force`, `fault`, `delay`, `checks`, `advance`, `stop_clock`, `seed`, `dynamic`, `limit`."""
        for setting in settings.keys() & _FEATURES.keys():
            self._admin.require(_FEATURES[setting])
        self._admin.call("PATCH", self._path, _settings(settings))

    def force(self, answers: Optional[Mapping[str, Union[int, str]]] = None, **named: Union[int, str]) -> None:
        """Answers operations with cells: `force(readUser=401)`, `force({"readUser": "401*2"})` for two requests."""
        self.change(force={**(answers or {}), **named})

    def release(self) -> None:
        """Forgets forced answers."""
        self._admin.call("DELETE", f"{self._path}/forced")

    def fault(self, operation: str, fault: str) -> None:
        """Breaks the answers of an operation: `fault("readChat", "reset:body")`."""
        self.change(fault=[f"{operation}={fault}"])

    def delay(self, operation: str, time: Duration) -> None:
        """Delays the answers of an operation."""
        self.change(delay=[f"{operation}={duration(time)}"])

    def mend(self) -> None:
        """Forgets faults and delays."""
        self._admin.call("DELETE", f"{self._path}/faults")

    def play(self, scenario: Optional[str], state: Union[str, Mapping[str, str], None] = None) -> None:
        """Plays a scenario from its beginning, or from a `state` of its machine; None plays none."""
        self.change(scenario=scenario, **({} if state is None else {"state": state}))

    def advance(self, time: Duration) -> None:
        """Moves the clock of the lane forward."""
        self.change(advance=time)

    def stop_clock(self) -> None:
        """Lets only `advance` move the clock."""
        self.change(stop_clock=True)

    def checks(self, *checks: Union[str, Mapping[str, Any]]) -> None:
        """Adds client checks: `checks("retry-storm", {"burst": {"operations": ["sendChat"]}})`."""
        self.change(checks=checks)

    def limit(self, time: Duration) -> None:
        """Ends requests that wait longer for their answer, and names them in the verdict."""
        self.change(limit=time)

    def reply(
        self, operation: Operation, *steps: Union[Reply, int, str], when: Optional[Mapping[str, Any]] = None,
        times: Optional[int] = None, status: Optional[int] = None, meaning: Optional[str] = None, fixture: Optional[str] = None,
        variant: Optional[str] = None, json: Any = UNSET, text: Optional[str] = None, body: Optional[bytes] = None,
        headers: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        events: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None, delay: Optional[Duration] = None,
        fault: Optional[str] = None, template: bool = False,
    ) -> ReplyState:
        """Answers an operation, or a method and a path, with the steps in turn; the last one stays, or ends after `times`."""
        self._admin.require("replies")
        own = Reply(
            status=status, meaning=meaning, fixture=fixture, variant=variant, json=json, text=text, body=body, headers=headers,
            events=events, delay=delay, fault=fault, template=template)
        return ReplyState.of(self._admin.call("POST", f"{self._path}/replies", reply_body(operation, steps, when, times, own)))

    def replies(self) -> "list[ReplyState]":
        """The replies of the lane, with how often each has answered."""
        self._admin.require("replies")
        return [ReplyState.of(reply) for reply in self._admin.call("GET", f"{self._path}/replies")["replies"]]

    def forget_replies(self) -> None:
        """Forgets the replies."""
        self._admin.require("replies")
        self._admin.call("DELETE", f"{self._path}/replies")

    def next(self, operation: Optional[str] = None, within: Duration = 2) -> Request:
        """The next request of an operation: each is returned once, at its arrival, those that have arrived first.

        Its response may be late: then it has no status yet. Raises `NoRequest` where none arrives in time, with those that did.
        """
        self._admin.require("arrivals")
        returned = self._returned.setdefault(operation or "", Returned())
        limit = min(seconds(within), 60)
        end = time.monotonic() + limit
        while True:
            rest = max(0.0, end - time.monotonic())
            found = returned.take(arrivals(self._list(operation, returned.last, rest, opened=returned.last_open, path="/requests/details")))
            if found:
                return Request.of(found.request)
            if not rest:
                raise NoRequest(self._silence(operation, limit))

    def _list(
        self, operation: Optional[str], after: int = 0, wait: float = 0, limit: int = 10_000, opened: Optional[int] = None,
        path: str = "/requests",
    ) -> "dict[str, Any]":
        query = {
            "lane": self.name, "operation": operation, "after": after or None, "limit": limit,
            "wait": duration(wait) if wait >= 0.001 else None, "open": opened}
        return dict(self._admin.call("GET", path, query=query, wait=wait))

    def _read(self, number: int) -> Request:
        return Request.of(self._admin.call("GET", f"/requests/{number}"))

    def _silence(self, operation: Optional[str], limit: float) -> str:
        arrived = [
            f"  {request['method']} {request['target']} -> {request.get('status', 'no answer')}"
            for _, _, request in arrivals(self._list(None, opened=0))]
        what = f"to `{operation}` " if operation else ""
        seen = "these did:\n" + "\n".join(arrived[-20:]) if arrived else (
            f"the lane got none at all: is {self.url} the base URL of the client, and is it awaited?")
        return f"no request {what}arrived within {limit:g} s; {seen}"

    def requests(self, operation: Optional[str] = None) -> "list[Request]":
        """The requests of the lane so far, in the order of their arrival."""
        self._admin.require("arrivals")
        return [Request.of(arrival.request) for arrival in arrivals(self._list(operation, opened=0, path="/requests/details"))]

    def operations(self) -> "list[MockOperation]":
        """The operations of all contracts, with their documented statuses."""
        return [MockOperation.of(value) for value in self._admin.call("GET", "/operations")["operations"]]

    def expect(
        self, operation: str, times: Optional[int] = None, at_least: Optional[int] = None, at_most: Optional[int] = None
    ) -> None:
        """Requires the number of requests to an operation so far."""
        self._admin.require("arrivals")
        answer = self._admin.call("GET", "/requests/count", query={"lane": self.name, "operation": operation, "open": 0})
        count = int(answer["count"]) + int(answer["open"])
        for wanted, name, holds in (
            (times, "", count == times), (at_least, "at least ", at_least is None or count >= at_least),
            (at_most, "at most ", at_most is None or count <= at_most),
        ):
            if wanted is not None and not holds:
                raise LaneFailed(f"expected {name}{wanted} requests to `{operation}`, but there were {count}")

    def verdict(self) -> Verdict:
        """What the client broke so far."""
        return Verdict.of(self._admin.call("GET", self._path)["verdict"])

    def pushes(self) -> "list[dict[str, Any]]":
        """The push messages that the scenario has sent so far, the oldest first: `name`, `content`, perhaps `recipient`."""
        return list(self._admin.call("GET", self._path).get("pushes", []))

    def allow(self, *rules: str) -> None:
        """Accepts findings of these rules.

        `test.reply-unused` accepts replies that no request has met, `test.request-pending` requests that wait for their answer.
        """
        self._allowed.update(rules)

    def reset(self) -> None:
        """Begins anew, as the lane was opened."""
        self._admin.call("POST", f"{self._path}/reset")

    def close(self) -> Verdict:
        """Closes the lane, with its verdict."""
        return Verdict.of(self._admin.call("DELETE", self._path))

    def finish(self, allow: Iterable[str] = ()) -> Verdict:
        """Closes the lane as the end of a test does.

        Findings of the client, requests that wait for their answer and unused replies raise `LaneFailed`.
        """
        self.allow(*allow)
        pending = self._pending()
        verdict = self.close()
        findings = [
            finding for finding in verdict.findings if finding.severity == "error" and finding.rule not in self._allowed]
        lines = [str(finding) for finding in findings]
        rules = {finding.rule for finding in findings}
        for request in pending:
            what = f"{request['method']} {_path(request['target'])} ({request.get('operation', 'no operation')})"
            lines.append(
                f"error[test.request-pending]: {what}: the test ended before the response, which is {request['late']}\n"
                "  help: await the client, or cancel it, before the test ends")
            rules.add("test.request-pending")
        for reason in verdict.unknown:
            lines.append(f"error[test.verdict-unknown]: the verdict is unknown: {reason}\n  help: run the test again")
            rules.add("test.verdict-unknown")
        if "test.reply-unused" not in self._allowed:
            for unused in verdict.unused:
                lines.append(f"error[test.reply-unused]: {unused.message}")
                rules.add("test.reply-unused")
        if lines:
            # The journal has the requests of a lane that is closed.
            exchanges = [text for text, broken in self._broken_requests() if broken & rules]
            raise LaneFailed("\n".join(lines + exchanges), tuple(sorted(rules)), verdict)
        return verdict

    def _pending(self) -> "list[Any]":
        """The requests that wait for their answer; those that are about to end are waited for.

        A request whose answer never comes is not one of them: a test gives that answer to a client that gives up.
        """
        if "test.request-pending" in self._allowed or "arrivals" not in self._admin.version().features:
            return []
        end, pause = time.monotonic() + _LEAVING, 0.002
        while True:
            late = [request for request in self._list(None, limit=1, opened=0)["open"] if request.get("late", "hang") != "hang"]
            if not late or time.monotonic() >= end:
                return late[::-1]
            time.sleep(pause)
            pause = min(2 * pause, 0.1)

    def _broken_requests(self) -> "list[tuple[str, set[str]]]":
        """The first requests with findings, as text."""
        try:
            listed = self._admin.call("GET", "/requests", query={"lane": self.name, "findings": "true", "limit": 10_000})["requests"]
            return [(_shown(request), {finding.rule for finding in request.findings}) for request in
                    (self._read(item["id"]) for item in reversed(listed[-3:]))]
        except MockRefused:
            return []

    def sweep(
        self, client: "Callable[[Lane], Any]", within: Duration = 10, operations: Optional[Sequence[str]] = None, seed: str = "0",
    ) -> Sweep:
        """Runs a client once for each documented status of every operation that it calls, then for each hostile variant.

        Each run has a lane of its own, which begins as this one stands; the client gets it, with its `url`.
        """
        self._admin.require("variants")
        return run_sweep(self._admin, self, client, seconds(within), operations, seed)

    def __enter__(self) -> "Lane":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.close()


def _path(target: str) -> str:
    """The path of a target without its lane and without the query."""
    path = target.split("?", 1)[0]
    return "/" + path.split("/", 2)[2] if path.startswith("/~") and path.count("/") > 1 else path


def _shown(request: Request) -> str:
    """A request with its answer, as text."""
    lines = [f"\n{request.method} {request.target}"]
    lines += [f"{name}: {value}" for name, value in request.headers]
    if request.body:
        lines += ["", request.text[:2000]]
    lines.append(f"-> {request.status or 'no answer'}")
    if request.response_body:
        lines.append(request.response_body.decode("utf-8", "replace")[:2000])
    return "\n  ".join("\n".join(lines).split("\n"))
