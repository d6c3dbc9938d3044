"""Who called what: parents from intervals, executions from their launches.

A launch gives the parent, its execution gives the time, a correlation number joins them (XSP, IPDPS 2020, III-B).
"""

from dataclasses import dataclass, field

import numpy as np

from dlbricks.trace.ancestry import ancestors, circular, descends, matched
from dlbricks.trace.build import with_columns
from dlbricks.trace.elsewhere import on_other_lanes
from dlbricks.trace.joining import joined_traces
from dlbricks.trace.nesting import nested
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace

__all__ = ["ancestors", "contained", "correlated", "joined", "joined_traces", "matched"]


def contained(trace: Trace) -> Trace:
    """Give spans without a parent the innermost span around them on their lane (see ``trace.nesting``).

    Executions and spans that have a parent stay as they are.
    """
    return with_columns(trace, parent=_filled(trace, nested(trace).parent))


def joined(trace: Trace) -> Trace:
    """Give executions without a parent their launch.

    That is the launch with their correlation number (the outermost, where calls of the runtime and the driver share
    it; one launch of a graph has many executions), else any call of a library with it, else the last layer that began
    before them with their ``external_id``.
    """
    return with_columns(trace, parent=_launched(trace).parent)


def correlated(trace: Trace) -> Trace:
    """Give all spans their parents: by numbers where there are any, else by intervals; what stays unclear is noted.

    A call of a library whose ``external_id`` names a span that is not around it belongs to the named one. A span
    with nothing around it on its own lane is looked for on the other lanes of its process (see ``trace.elsewhere``).
    """
    nesting = nested(trace)
    parent = _filled(trace, nesting.parent)
    named, renamed = _named(trace, parent)
    trace = with_columns(trace, parent=named)
    around = on_other_lanes(trace)
    trace = with_columns(trace, parent=around.parent)
    launches = _launched(trace)
    notes = [
        _note(
            len(nesting.overlapping),
            "began inside another of their lane and ended after it: of two around a span the later begun is its parent",
        ),
        _note(renamed, "got the parent that their external id names, not the one around them"),
        _note(around.adopted, "had nothing around them on their own lane: their parent is on another lane"),
        _note(
            around.ambiguous,
            "ran while several lanes could have called them: their parent is what is around all of these, if anything; "
            "a serialised run tells them apart",
        ),
        _note(
            launches.shared, "shared a correlation number with another launch: the first begun of them is the parent"
        ),
        _note(launches.by_name, "had no launch in this trace: their parent is the layer that their external id names"),
        _note(launches.missing, "ran on a device without a launch in this trace: they have times and no parent"),
    ]
    return with_columns(trace, *(note for note in notes if note), parent=launches.parent)


def _note(count: int, what: str) -> str:
    return f"{count:,} span{'s' if count > 1 else ''} {what}" if count else ""


def _filled(trace: Trace, found: Longs) -> Longs:
    """Put found parents where there are none; one that would close a circle with given parents is left out."""
    missing = trace.parent == NONE
    parent = np.where(missing, found, trace.parent)
    if not missing.all():
        turning = circular(parent)
        parent[turning] = trace.parent[turning]
    return parent


@dataclass(frozen=True, slots=True, kw_only=True)
class _Launched:
    parent: Longs
    shared: int
    """Launches that share their number with one that began before."""
    by_name: int
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """Rows by a number that they carry, in order of number and start."""

    numbers: Longs
    rows: Longs = field(default_factory=lambda: np.zeros(0, np.int64))

    def first(self, wanted: Longs) -> Longs:
        """Give the first row of each wanted number, ``NONE`` where there is none."""
        return self._at(np.searchsorted(self.numbers, wanted), wanted)

    def _at(self, place: Longs, wanted: Longs) -> Longs:
        if not len(self.rows):
            return np.full(len(wanted), NONE, np.int64)
        near = np.minimum(place, len(self.rows) - 1)
        return np.where((self.numbers[near] == wanted) & (wanted != NONE), self.rows[near], NONE)


def _index(trace: Trace, rows: Longs, numbers: Longs) -> _Index:
    order = np.lexsort((rows, -trace.end_ns[rows], trace.start_ns[rows], numbers))
    return _Index(numbers=numbers[order], rows=rows[order])


def _launched(trace: Trace) -> _Launched:
    wanted = np.flatnonzero((trace.role == Role.EXECUTION) & (trace.parent == NONE))
    carrying = (trace.correlation != NONE) & (trace.role != Role.EXECUTION)
    launches = np.flatnonzero(carrying & (trace.role == Role.LAUNCH))
    calls = np.flatnonzero(carrying & (trace.level == Level.LIBRARY))
    parent = trace.parent.copy()
    found = _index(trace, launches, trace.correlation[launches]).first(trace.correlation[wanted])
    found = _else(found, _index(trace, calls, trace.correlation[calls]).first(trace.correlation[wanted]))
    by_number = int((found != NONE).sum())
    found = _else(found, _named_before(trace, wanted))
    parent[wanted] = found
    outer = launches[~np.isin(trace.parent[launches], launches)]
    return _Launched(
        parent=parent,
        shared=len(outer) - len(np.unique(trace.correlation[outer])),
        by_name=int((found != NONE).sum()) - by_number,
        missing=int((found == NONE).sum()),
    )


def _else(found: Longs, other: Longs) -> Longs:
    return np.where(found == NONE, other, found)


def _external(trace: Trace) -> Longs:
    """Give the external id of every span."""
    numbers = np.full(len(trace), NONE, np.int64)
    attribute = trace.attributes.get("external_id")
    if attribute is not None:
        numbers[attribute.rows] = np.array(attribute.values, np.int64)
    return numbers


def _named_before(trace: Trace, wanted: Longs) -> Longs:
    """Give for each row the last layer (or span above) that shares its external id and began before it."""
    external = _external(trace)
    owners = np.flatnonzero((external > 0) & (trace.level <= Level.LAYER) & (trace.role != Role.EXECUTION))
    if not len(owners):
        return np.full(len(wanted), NONE, np.int64)
    both = np.concatenate((owners, wanted))
    asks = np.repeat(np.array([0, 1]), (len(owners), len(wanted)))
    order = np.lexsort((asks, trace.start_ns[both], external[both]))
    last = np.maximum.accumulate(np.where(asks[order] == 0, np.arange(len(order)), 0))
    owner = both[order][last]
    fits = (asks[order][last] == 0) & (external[owner] == external[both[order]])
    found = np.full(len(trace), NONE, np.int64)
    found[both[order]] = np.where(fits, owner, NONE)
    return found[wanted]


def _named(trace: Trace, parent: Longs) -> tuple[Longs, int]:
    """Let external ids of library calls overrule intervals; give the parents, and how many were overruled."""
    external = _external(trace)
    calls = np.flatnonzero(
        (external > 0) & (trace.level == Level.LIBRARY) & (trace.role != Role.EXECUTION) & (trace.parent == NONE)
    )
    holder = parent[calls]
    outer = (holder == NONE) | (trace.level[holder] < Level.LIBRARY) | (external[holder] != external[calls])
    calls, holder = calls[outer], holder[outer]
    owner = _named_before(trace, calls)
    wrong = (owner != NONE) & ~descends(parent, holder, owner)
    changed = parent.copy()
    changed[calls[wrong]] = owner[wrong]
    changed = _uncircled(changed, parent)
    return changed, int((changed != parent).sum())


def _uncircled(changed: Longs, before: Longs) -> Longs:
    """Take those changes of parents back that close a circle, as where what a number names lies inside its bearer."""
    changed = changed.copy()
    while len(turning := circular(changed)):
        changed[turning] = before[turning]
    return changed
