"""A sweep: what a client does with every answer that it can get."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence

from .errors import LaneFailed, UnderstudyError

if TYPE_CHECKING:
    from .admin import Admin
    from .lane import Lane


@dataclass(frozen=True)
class Row:
    """One response or event, and what the client did with it."""

    #: `readUser`, and for events of sockets `EVENT chat`
    operation: str
    #: `status 401 firebaseTokenError`, `required-null /nick`, `html`
    variant: str
    #: `status`, `required-null`, `html`
    kind: str
    status: Optional[int]
    #: `returned`, `threw` or `hung`
    outcome: str
    #: What it returned, or the error.
    value: Any
    #: The operations that it called next: `refreshToken`, `readUser x3`
    next: "tuple[str, ...]"
    #: The number of requests that it sent next.
    requests_after: int
    #: What its requests break: `sendChat: the property ... [req.body.schema]`
    violations: "tuple[str, ...]"
    is_unusable: bool

    def __str__(self) -> str:
        shown = "" if self.outcome == "hung" or self.value is None else f" {self.value!r}"
        then = f", then sent {', '.join(self.next)}" if self.next else ""
        broken = f"; {'; '.join(self.violations)}" if self.violations else ""
        return f"{self.operation} {self.variant}: {self.outcome}{shown}{then}{broken}"


class Sweep:
    """The rows of a sweep, in the order of the runs."""

    def __init__(self, rows: Sequence[Row], kinds: Sequence[str]) -> None:
        self.rows = tuple(rows)
        #: The kinds of variants that a sweep can have.
        self.kinds = tuple(kinds)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    def __getitem__(self, key: "tuple[str, str]") -> Row:
        """The row of an operation and a variant, by its whole name."""
        name = " ".join(key)
        for row in self.rows:
            if f"{row.operation} {row.variant}" == name:
                return row
        known = [f"{row.operation} {row.variant}" for row in self.rows]
        near = [one for one in known if one.startswith(f"{name} ")] or get_close_matches(name, known, 1)
        raise KeyError(f"the sweep has no row `{name}`: " + (f"did you mean `{near[0]}`?" if near else f"it has {', '.join(known)}"))

    def expect(
        self, *, no_hang: bool = True, nothing_swallowed: bool = False, requests_obey_the_contract: bool = False,
        throws_for: Iterable[Any] = (), returns_for: Iterable[str] = (), calls_at_most: Optional[int] = None,
    ) -> None:
        """Raises `LaneFailed` with each row that an expectation refuses.

        `throws_for` has kinds of variants, statuses and ranges of statuses: `["html", 401, range(500, 600)]`.
        """
        kinds = [kind for kind in throws_for if isinstance(kind, str)]
        codes = [code if isinstance(code, range) else range(code, code + 1) for code in throws_for if not isinstance(code, str)]
        values, lines, rules = list(returns_for), [], set()
        for kind in [*kinds, *values]:
            if kind not in self.kinds:
                near = get_close_matches(kind, self.kinds, 1)
                lines.append(f"a sweep has no variant `{kind}`: " + (f"did you mean `{near[0]}`?" if near else ", ".join(self.kinds)))
        for row in self.rows:
            throws = row.kind in kinds or (row.status is not None and any(row.status in some for some in codes))
            broken = [
                (no_hang and row.outcome == "hung", "sweep.hang", "expected an end within the limit"),
                (nothing_swallowed and row.is_unusable and row.outcome == "returned", "sweep.swallowed", "expected an error"),
                (requests_obey_the_contract and bool(row.violations), "sweep.unexpected", "expected valid requests"),
                (throws and row.outcome != "threw", "sweep.unexpected", "expected an error"),
                (row.kind in values and row.outcome != "returned", "sweep.unexpected", "expected a value"),
                (calls_at_most is not None and row.requests_after > calls_at_most, "sweep.unexpected",
                 f"expected at most {calls_at_most} further requests"),
            ]
            for fails, rule, what in broken:
                if fails:
                    lines.append(f"error[{rule}]: {row.operation} {row.variant}: {what}, but it {str(row).split(': ', 1)[1]}")
                    rules.add(rule)
                    break
        if lines:
            raise LaneFailed("\n".join([f"{len(lines)} rows of the sweep fail:", *lines]), tuple(sorted(rules)), self)


def run_sweep(
    admin: "Admin", lane: "Lane", client: "Callable[[Lane], Any]", within: float, operations: Optional[Sequence[str]], seed: str,
) -> Sweep:
    """Runs a client with default responses to see what it calls, then once for each variant that the mock makes of that."""
    usual = _open(admin, lane._path)
    try:
        outcome, value = _run(client, usual, max(within, 30))
        if outcome != "returned":
            raise UnderstudyError(f"the client must return with default responses before it is swept, but it {outcome} {value!r}")
        query = {"seed": seed, "operation": list(operations or ())}
        plan = admin.call("GET", f"{usual._path}/variants", query=query)
        if not plan["variants"]:
            raise UnderstudyError("the client calls no operation: is the `url` of the lane that it gets its base URL?")
        rows = [_row(admin, usual._path, variant, client, within, lane._allowed) for variant in plan["variants"]]
        for position, row in enumerate(rows):
            # Another thread may have slowed it down.
            if row.outcome == "hung":
                rows[position] = _row(admin, usual._path, plan["variants"][position], client, within, lane._allowed)
    finally:
        usual.close()
    return Sweep(rows, plan["kinds"])


def _open(admin: "Admin", path: str, variant: Optional[str] = None) -> "Lane":
    from .lane import Lane

    answer = admin.call("POST", f"{path}/runs", {} if variant is None else {"variant": variant})
    return Lane(admin, answer["name"], answer["url"])


def _row(
    admin: "Admin", usual: str, variant: "dict[str, Any]", client: "Callable[[Lane], Any]", within: float, allowed: "set[str]",
) -> Row:
    lane = _open(admin, usual, f"{variant['operation']} {variant['name']}")
    outcome, value = "hung", None
    try:
        outcome, value = _run(client, lane, within)
    finally:
        report = admin.call("DELETE", lane._path)["run"]
    return Row(
        variant["operation"], variant["name"], variant["kind"], variant.get("status"), outcome, value, tuple(report["next"]),
        report["requestsAfter"], tuple(one["message"] for one in report["violations"] if one["rule"] not in allowed),
        variant["isUnusable"])


def _run(client: "Callable[[Lane], Any]", lane: "Lane", within: float) -> "tuple[str, Any]":
    """How a client ends; one that hangs is left behind in its thread."""
    result: "list[tuple[str, Any]]" = []

    def run() -> None:
        try:
            result.append(("returned", client(lane)))
        except BaseException as error:  # A client may raise anything, SystemExit included.
            result.append(("threw", error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(within)
    return result[0] if result else ("hung", None)
