"""The requests of a lane from their arrival."""
from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional


class Arrival(NamedTuple):
    """A request as the mock lists it."""

    #: The number of the request; 0 for one that has not ended.
    number: int
    #: Its number among the open requests; 0 for one whose response was sent at once.
    open_number: int
    request: "dict[str, Any]"


def arrivals(listed: Mapping[str, Any]) -> "list[Arrival]":
    """The requests of a list, ended and open, in the order of their arrival."""
    ended = [Arrival(request["id"], request.get("open", 0), request) for request in reversed(listed["requests"])]
    opened = [Arrival(0, request["id"], {**request, "id": 0}) for request in reversed(listed["open"])]
    # The sort is stable, and times are of one format.
    return sorted(ended + opened, key=lambda arrival: str(arrival.request["time"]))


class Returned:
    """The requests that `next` has returned."""

    def __init__(self) -> None:
        self._numbers: "set[int]" = set()
        self._open: "set[int]" = set()
        #: The mock need not list requests up to this number.
        self.last = 0
        #: The mock need not list open requests up to this number.
        self.last_open = 0

    def _has(self, arrival: Arrival) -> bool:
        return arrival.number in self._numbers or 0 < arrival.number <= self.last or arrival.open_number in self._open

    def take(self, listed: "list[Arrival]") -> Optional[Arrival]:
        """Takes the first request that was not returned."""
        found = next((arrival for arrival in listed if not self._has(arrival)), None)
        if found:
            self._numbers.update({found.number} - {0})
            self._open.update({found.open_number} - {0})
        if all(map(self._has, listed)):
            self.last = max([self.last, *(arrival.number for arrival in listed)])
            self.last_open = max([self.last_open, *(arrival.open_number for arrival in listed if not arrival.number)])
            self._numbers.clear()
        return found
