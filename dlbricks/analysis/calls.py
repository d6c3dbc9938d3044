"""The calls of a trace and the spans that belong to each: what statistics over calls are of. Pure."""

from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Stretches of time that are alike: calls of the network, else training steps, else the whole trace."""

    unit: str
    """``call``, ``step`` or ``trace``: what a stretch is."""
    starts: Longs
    """ns, ascending."""
    ends: Longs
    of: Longs
    """Call of every span of the trace, ``NONE`` for what lies outside all calls."""
    began: Longs
    """When a span was asked for, ns: start of its launch if it is an execution, else its own."""

    def __len__(self) -> int:
        """Give the number of calls."""
        return len(self.starts)

    @property
    def durations_ns(self) -> Longs:
        """Time from start to end of every call."""
        return np.asarray(np.maximum(self.ends - self.starts, 0), np.int64)


def calls_of(trace: Trace) -> Calls:
    """Find the calls of a trace and the call of each of its spans.

    A span belongs to the call that contains it as an ancestor; else to the call of its own process during which it
    began. What runs on a device began when it was launched, so work that outlasts its call stays with it.
    """
    unit, rows = _units(trace)
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    asked = np.where(launched, trace.parent, np.arange(len(trace)))
    began = trace.start_ns[asked]
    if unit == "trace":
        ends = np.maximum(trace.end_ns, trace.start_ns)
        some = len(trace) > 0
        return Calls(
            unit=unit,
            starts=trace.start_ns.min(keepdims=True) if some else np.zeros(0, np.int64),
            ends=ends.max(keepdims=True) if some else np.zeros(0, np.int64),
            of=np.zeros(len(trace), np.int64),
            began=began,
        )
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    of = _by_time(trace, rows, asked)
    number = np.full(len(trace) + 1, NONE, np.int64)
    number[rows] = np.arange(len(rows))
    if unit == "call":
        above = number[ancestors(trace, Level.MODEL, outermost=True)]
        of = np.where(above != NONE, above, of)
    of[rows] = np.arange(len(rows))
    return Calls(unit=unit, starts=trace.start_ns[rows], ends=trace.end_ns[rows], of=of, began=began)


def _units(trace: Trace) -> tuple[str, Longs]:
    calls = trace.rows(Level.MODEL, kinds.CALL)
    if len(calls):
        return "call", calls
    steps = trace.rows(Level.APPLICATION, kinds.STEP)
    if len(steps):
        return "step", steps
    return "trace", calls


def _by_time(trace: Trace, rows: Longs, asked: Longs) -> Longs:
    """Give the call of each span by the time at which it was asked for, among the calls of its process."""
    processes = {name: index for index, name in enumerate(dict.fromkeys(lane.process for lane in trace.lanes))}
    process_of = np.array([processes[lane.process] for lane in trace.lanes], np.int64)
    process = process_of[trace.lane[asked]]
    began, callers = trace.start_ns[asked], process[rows]
    made = np.full(len(trace), NONE, np.int64)
    with_calls = np.unique(callers)
    for one in with_calls.tolist():
        numbers = np.flatnonzero(callers == one)
        mine = np.ones(len(trace), bool) if len(with_calls) == 1 else process == one
        made[mine] = _containing(trace, rows, numbers, began[mine])
    if len(with_calls) > 1:
        others = ~np.isin(process, with_calls)
        made[others] = _containing(trace, rows, np.arange(len(rows)), began[others])
    return made


def _containing(trace: Trace, rows: Longs, numbers: Longs, times: Longs) -> Longs:
    """Give the call of each time, of some calls only, ``NONE`` between them."""
    mine = rows[numbers]
    at = np.searchsorted(trace.start_ns[mine], times, "right") - 1
    inside = (at >= 0) & (times <= trace.end_ns[mine][at])
    return np.where(inside, numbers[at], NONE)
