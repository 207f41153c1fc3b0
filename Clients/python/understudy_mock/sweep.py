"""A sweep: what a client does with every answer that it can get."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence

from .errors import LaneFailed, UnderstudyError
from .variants import Variant, variants

if TYPE_CHECKING:
    from .lane import Lane


@dataclass(frozen=True)
class Row:
    """One answer and what the client did with it."""

    operation: str
    #: `status 401 firebaseTokenError`, `required-null /nick`, `html`
    variant: str
    status: Optional[int]
    #: `returned`, `threw` or `hung`
    outcome: str
    #: What it returned, or the error.
    value: Any
    #: The operations that it called next.
    next: "tuple[str, ...]"
    #: What its requests break: `sendChat: the property ... [req.body.schema]`
    violations: "tuple[str, ...]"
    is_unusable: bool

    @property
    def kind(self) -> str:
        return self.variant.split(" ")[0]

    def __str__(self) -> str:
        shown = "" if self.outcome == "hung" or self.value is None else f" {self.value!r}"
        then = f", then sent {', '.join(self.next)}" if self.next else ""
        broken = f"; {'; '.join(self.violations)}" if self.violations else ""
        return f"{self.operation} {self.variant}: {self.outcome}{shown}{then}{broken}"


class Sweep:
    """The rows of a sweep, in the order of the runs."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    def __getitem__(self, key: "tuple[str, str]") -> Row:
        """The row of an operation and a variant; a shorter name is enough if it names one."""
        operation, name = key
        own = [row for row in self.rows if row.operation == operation]
        found = [row for row in own if row.variant == name] or [row for row in own if row.variant.startswith(f"{name} ")]
        if len(found) != 1:
            raise KeyError(f"{operation} {name}: {len(found)} rows; known: {', '.join(row.variant for row in own) or 'none'}")
        return found[0]

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
        known = {row.kind for row in self.rows}
        for kind in [*kinds, *values]:
            if kind not in known:
                lines.append(f"the sweep has no variant `{kind}`; it has {', '.join(sorted(known))}")
        for row in self.rows:
            throws = row.kind in kinds or (row.status is not None and any(row.status in some for some in codes))
            broken = [
                (no_hang and row.outcome == "hung", "sweep.hang", "expected an end within the limit"),
                (nothing_swallowed and row.is_unusable and row.outcome == "returned", "sweep.swallowed", "expected an error"),
                (requests_obey_the_contract and bool(row.violations), "sweep.unexpected", "expected valid requests"),
                (throws and row.outcome != "threw", "sweep.unexpected", "expected an error"),
                (row.kind in values and row.outcome != "returned", "sweep.unexpected", "expected a value"),
                (calls_at_most is not None and len(row.next) > calls_at_most, "sweep.unexpected",
                 f"expected at most {calls_at_most} further requests"),
            ]
            for fails, rule, what in broken:
                if fails:
                    lines.append(f"error[{rule}]: {row.operation} {row.variant}: {what}, but it {str(row).split(': ', 1)[1]}")
                    rules.add(rule)
                    break
        if lines:
            raise LaneFailed("\n".join([f"{len(lines)} rows of the sweep fail:", *lines]), tuple(sorted(rules)), self)


def run_sweep(lane: "Lane", client: Callable[[], Any], within: float, operations: Optional[Sequence[str]]) -> Sweep:
    """Runs a client with default responses to see what it calls, then once for each variant of each of these operations."""
    outcome, value = _run(client, within)
    if outcome != "returned":
        raise UnderstudyError(f"the client must return with default responses before it is swept, but it {outcome} {value!r}")
    usual: "dict[str, Any]" = {}
    for request in lane.requests():
        if request.operation and request.status:
            usual[request.operation] = request
    if not usual:
        raise UnderstudyError(f"the client calls no operation: is {lane.url} its base URL?")
    known = {operation.id: operation for operation in lane.operations()}
    given = list(lane.given_replies)
    rows = []
    for name, request in usual.items():
        if operations is not None and name not in operations:
            continue
        others = [reply for reply in given if reply.get("operation") != name]
        for variant in variants(known[name], request):
            lane.answer_only([*others, {"operation": name, **variant.reply.members()}])
            rows.append(_row(lane, variant, client, within))
    lane.answer_only([])
    return Sweep(rows)


def _row(lane: "Lane", variant: Variant, client: Callable[[], Any], within: float) -> Row:
    latest = lane.latest_number()
    outcome, value = _run(client, within)
    # A request that hangs is in the journal once it has ended, mostly within the second of `slow` and `stall`.
    sent = lane.sent_after(latest, wait=1.5 if outcome == "hung" else 0)
    names = [name for name, _ in sent]
    swept = names.index(variant.operation) + 1 if variant.operation in names else len(names)
    violations = [
        f"{name}: {finding.message} [{finding.rule}]" for name, findings in sent for finding in findings if finding.severity == "error"]
    return Row(
        variant.operation, variant.name, variant.status, outcome, value, tuple(names[swept:]), tuple(dict.fromkeys(violations)),
        variant.is_unusable)


def _run(client: Callable[[], Any], within: float) -> "tuple[str, Any]":
    """How a client ends; one that hangs is left behind in its thread."""
    result: "list[tuple[str, Any]]" = []

    def run() -> None:
        try:
            result.append(("returned", client()))
        except BaseException as error:  # A client may raise anything, SystemExit included.
            result.append(("threw", error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(within)
    return result[0] if result else ("hung", None)
