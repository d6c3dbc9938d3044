"""Which event of a runtime's profile lies in which, from stamps of whole microseconds. Pure.

A call (``RUN``) holds its executor (``EXECUTION``), which holds nodes (``NODE``); a node with a body holds executors.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NODE, EXECUTION, RUN = "node", "SequentialExecutor::Execute", "model_run"
_RANKS = {RUN: 0, NODE: 1, EXECUTION: 2}
_HELD = {RUN: (EXECUTION, NODE), EXECUTION: (NODE,), NODE: (EXECUTION,)}
"""What lies in an event of each kind directly."""


@dataclass(slots=True, kw_only=True)
class Event:
    """One event of a profile, and where it lies once ``nest`` has found that out."""

    kind: str
    """``RUN``, ``EXECUTION`` or ``NODE``."""
    place: int
    """In the file."""
    thread: int
    start: int
    """us."""
    duration: int
    """us."""
    raw: Mapping[str, Any] = field(repr=False)
    within: "Event | None" = None

    @property
    def end(self) -> int:
        """When it ended, us."""
        return self.start + self.duration

    def above(self, kind: str) -> "Event | None":
        """Give the nearest event of a kind that this one lies in."""
        found = self.within
        while found is not None and found.kind != kind:
            found = found.within
        return found


def inner_first(known: Sequence[Event]) -> bool:
    """Whether events stand in the file by their end, so that what is inside comes before what it is in."""
    first = next((event for event in known if event.kind == RUN), None)
    return first is not None and any(
        event.place < first.place and event.start >= first.start and event.thread == first.thread for event in known
    )


def nest(events: list[Event], *, inner_first: bool) -> int:
    """Find out in which event each event of one thread lies; sorts them; give how many overlap another one in part.

    Stamps are cut to whole microseconds: what is inside may begin with, and seem to end 1 us after, what it is in.
    """
    events.sort(key=lambda one: (one.start, -one.duration, -one.place if inner_first else _RANKS[one.kind]))
    crossing = 0
    stack: list[Event] = []
    for event in events:
        while stack and not _holds(stack[-1], event):
            crossing += event.start < stack[-1].end and event.end > stack[-1].end + 1
            stack.pop()
        event.within = stack[-1] if stack else None
        stack.append(event)
    return crossing


def _holds(outer: Event, inner: Event) -> bool:
    """Whether one event lies in another that does not begin later; nodes hold no nodes but through an executor.

    Both ends are cut, so that what is inside may begin at the very end of what holds it; what follows does not, since
    writing down an event takes the runtime more than a microsecond.
    """
    return inner.kind in _HELD[outer.kind] and inner.start <= outer.end and inner.end <= outer.end + 1


def by_run(runs: Sequence[Event], events: Iterable[Event]) -> tuple[dict[int, list[Event]], int, int]:
    """Give the nodes of each call by ``id``, how many belong to none, and how many to one of several.

    Nodes of a parallel executor lie on threads that make no calls; they belong to the call that goes on meanwhile.
    """
    nodes_of: dict[int, list[Event]] = {id(run): [] for run in runs}
    callers = {run.thread for run in runs}
    lost = several = 0
    for event in events:
        if event.kind != NODE:
            continue
        run = event.above(RUN)
        if run is None and event.thread not in callers:
            around = [one for one in runs if one.start <= event.start and event.end <= one.end + 1]
            several += len(around) > 1
            run = around[0] if around else None
        if run is None:
            lost += 1
        else:
            nodes_of[id(run)].append(event)
    return nodes_of, lost, several
