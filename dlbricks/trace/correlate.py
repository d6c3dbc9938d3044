"""Finds the parents of spans (by containment or correlation numbers), and errors in recordings.

The parent of an execution is the launch with the same correlation number (XSP, IPDPS 2020, section III-B). The parent
of a host span is the innermost span of its lane that contains it; equal times count as containment. Without such a span
in the lane, the parent is in another lane of the process, if only a single other lane has a containing span.

XSP searches all threads for a span exactly one level above (III-A), which is ambiguous with several busy threads. The
libraries ``ncls`` and ``intervaltree`` find all overlaps, not the innermost interval.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dlbricks.trace.build import with_columns
from dlbricks.trace.intervals import Flags, ancestors, cyclic_rows, descends, split_by
from dlbricks.trace.kinds import PYTHON
from dlbricks.trace.types import NONE, Ints, Level, Longs, Role, Trace


class Nesting(NamedTuple):
    """Containing spans and partial overlaps in a trace."""

    parent: Longs
    """Row of the innermost span of its lane that contains each span; ``NONE`` for executions, and if there is none."""
    overlapping: Longs
    """Rows of spans that start inside another span of their lane, and end later by more than the clock's resolution."""


def nested(trace: Trace) -> Nesting:
    """Find for each span of the host the innermost span of its lane that contains it.

    * Operators, calls, steps, ranges and Python frames can contain spans of any level. Library calls and counters can
      contain only spans of their own or a deeper level. Executions are ignored.
    * A span may end after its parent by up to the clock's resolution, since recorders truncate times.
    * Of two spans with equal times, the span at the shallower level is the parent; at equal levels, the earlier row.
    * A span of length zero contains nothing. At the edge of another span, it is inside only if that span is shallower.
    * If two partly overlapping spans contain a third, the later of the two is the parent of the third.
    """
    ends = np.maximum(trace.end_ns, trace.start_ns)
    rows = np.flatnonzero(trace.role != Role.EXECUTION)
    rows = rows[np.lexsort((trace.level[rows], -ends[rows], trace.start_ns[rows], trace.lane[rows]))]
    level = trace.level[rows].astype(np.int64)
    python = [number for number, kind in enumerate(trace.kinds) if kind == PYTHON]
    frame = (level <= Level.LAYER) | np.isin(trace.kind[rows], python)
    sweep = _Sweep(trace.lane[rows], trace.start_ns[rows], ends[rows], level, trace.clock.resolution_ns)
    place, overlapping = sweep.innermost(np.arange(len(rows)), frame)
    for deep in range(Level.LIBRARY, Level.HARDWARE + 1):
        kind_of = ~frame & (level == deep)
        if kind_of.any():
            chosen = np.flatnonzero(~frame & (level >= deep))
            places, more = sweep.innermost(chosen, kind_of)
            place = np.maximum(place, places)
            overlapping = np.concatenate((overlapping, more))
    parent = np.full(len(trace), NONE, np.int64)
    parent[rows] = np.where(place == NONE, NONE, rows[place]) if len(rows) else NONE
    return Nesting(parent=parent, overlapping=np.unique(rows[overlapping]))


class _Sweep(NamedTuple):
    # Columns of spans in the order of a sweep: by lane, then by start, then longest first, then shallowest first.

    lane: Ints
    start: Longs
    end: Longs
    level: Longs
    tolerance: int

    def innermost(self, chosen: Longs, candidate: Flags) -> tuple[Longs, Longs]:
        # Return for each chosen span the innermost candidate that contains it; also the spans that a candidate cuts.
        innermost = np.full(len(self.start), NONE, np.int64)
        answers: list[int] = []
        overlapping: list[int] = []
        for part in split_by(self.lane[chosen], chosen):
            self._sweep_lane(part, candidate[part].tolist(), answers, overlapping)
        innermost[chosen] = answers
        return innermost, np.array(overlapping, np.int64)

    def _in_a_row(self, places: Longs) -> bool:
        # Return whether all spans have one level and none overlaps another.
        level = self.level[places]
        ended = np.maximum.accumulate(self.end[places])[:-1]
        return bool((level == level[:1]).all() and (self.start[places][1:] >= ended).all())

    def _sweep_lane(self, places: Longs, candidate: list[bool], answers: list[int], overlapping: list[int]) -> None:
        # Sweep one lane. ``limits`` has the ends of the spans on the stack, negated so that they ascend for ``bisect``.
        if self._in_a_row(places):
            answers += [NONE] * len(places)
            return
        stack: list[int] = []
        limits: list[int] = []
        tolerance, starts, levels = self.tolerance, self.start[places].tolist(), self.level[places].tolist()
        names, same, inside = places.tolist(), (0, -1), NONE
        ends = self.end[places].tolist()
        cut: list[int] = []  # spans that started before ``cut_at`` and end at it or inside the span that starts there
        cut_at = NONE
        for at, (start, end, pushed) in enumerate(zip(starts, ends, candidate, strict=True)):
            if end == start:
                if same != (start, levels[at]):  # only the first of many spans at one time searches the stack
                    same, depth = (start, levels[at]), bisect_right(limits, -end)
                    while depth and levels[stack[depth - 1]] >= levels[at]:
                        if starts[stack[depth - 1]] < start < -limits[depth - 1]:
                            break
                        depth -= 1
                    inside = stack[depth - 1] if depth else NONE
                    if cut_at == start:
                        around = (
                            place for place in cut if levels[place] < levels[at] or starts[place] < start < ends[place]
                        )
                        inside = max(inside, *around, NONE)
                answers.append(names[inside] if inside != NONE else NONE)
                continue
            depth = bisect_right(limits, min(tolerance - end, -start - 1))
            answers.append(names[stack[depth - 1]] if depth else NONE)
            if pushed:
                if depth < len(stack):
                    if -limits[depth] > start:
                        overlapping.append(names[at])
                    if -limits[depth] >= start:
                        cut = [*(cut if cut_at == start else ()), *stack[depth : bisect_right(limits, -start)]]
                        cut_at = start
                    del stack[depth:], limits[depth:]
                stack.append(at)
                limits.append(max(-end, limits[-1]) if limits else -end)


_SEVERAL_CALLERS = (
    "ran inside spans of several lanes, so their parent is ambiguous: it is a span of a level that only one lane has, "
    "if any; record with CUDA_LAUNCH_BLOCKING=1 and one thread"
)


def _with_parents_of_other_lanes(trace: Trace) -> Trace:
    # Give host spans without a parent one on another lane of their process.
    # The levels above the span's own are tried, the deepest first. The parent is the outermost containing span of the
    # first level at which exactly one lane has one. A level at which several lanes have one makes the span ambiguous.
    parent = trace.parent.copy()
    wanted = np.flatnonzero((parent == NONE) & (trace.role != Role.EXECUTION) & (trace.level <= Level.LIBRARY))
    wanted = wanted[trace.level[wanted] > Level.APPLICATION]
    ambiguous = np.zeros(len(wanted), bool)
    adopted = np.full(len(wanted), NONE, np.int64)
    for level in (Level.LAYER, Level.MODEL, Level.APPLICATION):
        asking = np.flatnonzero((adopted == NONE) & (trace.level[wanted] > level))
        if not len(asking):
            continue
        owner, count = _containing(trace, level, wanted[asking])
        adopted[asking] = np.where(count == 1, owner, NONE)
        ambiguous[asking] |= count > 1
    parent[wanted] = adopted
    notes = _notes(
        ((adopted != NONE).sum(), "had no containing span on their own lane: the parent is on another lane"),
        (ambiguous.sum(), _SEVERAL_CALLERS),
    )
    return replace(with_columns(trace, parent=parent), diagnostics=(*trace.diagnostics, *notes))


def _containing(trace: Trace, level: Level, rows: Longs) -> tuple[Longs, Longs]:
    # Return for each row a span of a level, on another lane of its process, that contains it; and how many lanes have
    # one.
    top = np.flatnonzero((trace.level == level) & (trace.role != Role.EXECUTION) & (trace.end_ns > trace.start_ns))
    top = top[ancestors(trace, level, outermost=True)[top] == top]
    processes = {lane.process: number for number, lane in enumerate(trace.lanes)}
    process = [processes[lane.process] for lane in trace.lanes]
    process_of = np.array(process, np.int64)[trace.lane[rows]]
    owner, count = np.full(len(rows), NONE, np.int64), np.zeros(len(rows), np.int64)
    for lane in np.unique(trace.lane[top]).tolist():
        spans = top[trace.lane[top] == lane]
        spans = spans[np.argsort(trace.start_ns[spans], kind="stable")]
        asking = np.flatnonzero((trace.lane[rows] != lane) & (process_of == process[lane]))
        place = np.searchsorted(trace.start_ns[spans], trace.start_ns[rows[asking]], side="right") - 1
        inside = (place >= 0) & (trace.end_ns[spans[place]] >= trace.end_ns[rows[asking]])
        owner[asking[inside]] = spans[place[inside]]
        count[asking[inside]] += 1
    return owner, count


def correlated(trace: Trace) -> Trace:
    """Find the parents of all spans, by correlation numbers or by containment in time.

    The parent of an execution is the launch with the same correlation number. The parent of a library call is the layer
    with the same ``external_id``, even if the layer does not contain the call. Notes and diagnostics list ambiguities.
    """
    nesting = nested(trace)
    parent = _filled(trace, nesting.parent)
    named, renamed = _named(trace, parent)
    notes = _notes(
        (
            len(nesting.overlapping),
            "started inside another span of their lane and ended after it: the span that started last is the parent",
        ),
        (renamed, "lie outside the span that their external id names: the named span is the parent"),
    )
    ordered = replace(with_columns(trace, parent=named), diagnostics=(*trace.diagnostics, *notes))
    return _with_launches(_with_parents_of_other_lanes(ordered))


def _notes(*counted: tuple[int, str]) -> tuple[str, ...]:
    # Return one sentence per pair of a number of spans and what is said of them; none for the number 0.
    return tuple(f"{count:,} span{'s' if count > 1 else ''} {what}" for count, what in counted if count)


def _filled(trace: Trace, containing: Longs) -> Longs:
    # Fill in missing parents by containment, except where that would close a cycle with recorded parents.
    missing = trace.parent == NONE
    parent = np.where(missing, containing, trace.parent)
    if not missing.all():
        turning = cyclic_rows(parent)
        parent[turning] = trace.parent[turning]
    return parent


def _with_launches(trace: Trace) -> Trace:
    # Find the parents of executions: the launch or call with their correlation number, else the layer that their
    # external id names.
    wanted = np.flatnonzero((trace.role == Role.EXECUTION) & (trace.parent == NONE))
    carrying = (trace.correlation != NONE) & (trace.role != Role.EXECUTION)
    launches = np.flatnonzero(carrying & (trace.role == Role.LAUNCH))
    parent = trace.parent.copy()
    launch = _first_correlated(trace, launches, wanted)
    # Some recorders give the correlation number to a call that is not a launch by its name.
    others = np.flatnonzero(carrying & (trace.level == Level.LIBRARY))
    launch = np.where(launch == NONE, _first_correlated(trace, others, wanted), launch)
    by_number = (launch != NONE).sum()
    launch = np.where(launch == NONE, _named_before(trace, wanted), launch)
    parent[wanted] = launch
    outer = launches[~np.isin(trace.parent[launches], launches)]
    notes = _notes(
        (
            len(outer) - len(np.unique(trace.correlation[outer])),
            "shared a correlation number with another launch: the launch that started first is the parent",
        ),
        (
            (launch != NONE).sum() - by_number,
            "had no launch in this trace: the parent is the layer that their external id names",
        ),
        ((launch == NONE).sum(), "ran on a device without a launch in this trace: they have no parent"),
    )
    return with_columns(trace, *notes, parent=parent)


def _first_correlated(trace: Trace, rows: Longs, wanted: Longs) -> Longs:
    # Return for each wanted row the first to start of ``rows`` with its correlation number, or ``NONE``.
    if not len(rows):
        return np.full(len(wanted), NONE, np.int64)
    rows = rows[np.lexsort((rows, -trace.end_ns[rows], trace.start_ns[rows], trace.correlation[rows]))]
    numbers, number = trace.correlation[rows], trace.correlation[wanted]
    place = np.minimum(np.searchsorted(numbers, number), len(rows) - 1)
    return np.where((numbers[place] == number) & (number != NONE), rows[place], NONE)


def _external(trace: Trace) -> Longs:
    # Return the external id of every span, ``NONE`` without one.
    numbers = np.full(len(trace), NONE, np.int64)
    attribute = trace.attributes.get("external_id")
    if attribute is not None:
        numbers[attribute.rows] = np.array(attribute.values, np.int64)
    return numbers


def _named_before(trace: Trace, wanted: Longs) -> Longs:
    # Return for each row the last span of level LAYER or above that has its external id and started before it.
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
    named = np.full(len(trace), NONE, np.int64)
    named[both[order]] = np.where(fits, owner, NONE)
    return named[wanted]


def _named(trace: Trace, parent: Longs) -> tuple[Longs, int]:
    # Replace parents of library calls, found by containment, by those that external ids name; return their number, too.
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
    # Undo a replacement that closes a cycle: the named span may lie inside the span that names it.
    while len(turning := cyclic_rows(changed)):
        changed[turning] = parent[turning]
    return changed, int((changed != parent).sum())


# Longer names are shortened in messages: names of template kernels have several hundred characters.
_LONGEST_NAME = 60


# Readers refuse files that they cannot read; these checks find errors in what was recorded. A finding says what is
# wrong, how many spans it concerns, an example, and the consequence for figures.
def findings(trace: Trace) -> tuple[str, ...]:
    """Return a sentence for each error in a recording; ``trace`` comes from ``correlated``."""
    if not len(trace):
        return ("the trace holds no spans: check that the profiler was on while the network ran",)
    turning = cyclic_rows(trace.parent)
    if len(turning):
        return (f"the parents of {_spans(trace, turning)} form a cycle: times cannot be assigned to layers or calls",)
    texts = (check(trace) for check in _CHECKS)
    return tuple(finding for finding in texts if finding)


def _spans(trace: Trace, rows: Longs) -> str:
    # Count spans and name the first, as in ``3 spans (first: 'conv1' on thread 1)``.
    span = trace.span(int(rows[0]))
    count = "1 span" if len(rows) == 1 else f"{len(rows):,} spans"
    name = " ".join(span.name.split())
    shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return f"{count} (first: '{shown}' on {span.lane.name})"


def _counted(trace: Trace, rows: Longs, what: str) -> str:
    # Return a sentence on what is wrong with some spans; empty without spans.
    return f"{_spans(trace, rows)} {what}" if len(rows) else ""


def _negative(trace: Trace) -> str:
    rows = np.flatnonzero(trace.end_ns < trace.start_ns)
    return _counted(trace, rows, "end before they start: they count as empty")


def _empty(trace: Trace) -> str:
    timed = np.isin(trace.level, (Level.MODEL, Level.LAYER, Level.KERNEL))
    what = (
        f"have length 0, since they took less than the resolution of the clock '{trace.clock.name}', "
        f"{trace.clock.resolution_ns:,} ns: they count as spans, but add no time"
    )
    return _counted(trace, np.flatnonzero(timed & (trace.end_ns == trace.start_ns)), what)


def _without_launch(trace: Trace) -> str:
    executions = np.flatnonzero(trace.role == Role.EXECUTION)
    rows = executions[trace.parent[executions] == NONE]
    what = "ran on a device, but no launch has their correlation number: they count for no layer"
    if len(rows) == len(executions) and not (trace.role == Role.LAUNCH).any():
        what = (
            "ran on a device, but no launch was recorded: times of kernels are known, but kernels cannot be assigned "
            "to layers"
        )
    return _counted(trace, rows, what)


def _without_execution(trace: Trace) -> str:
    launches = np.flatnonzero((trace.role == Role.LAUNCH) & (trace.correlation != NONE))
    executed = trace.correlation[trace.role == Role.EXECUTION]
    what = "launch work, but no execution was recorded: device times are unknown"
    if len(executed):
        what = (
            "launch work whose execution is not in the trace: the recording was truncated or lost records, so device "
            "times of these layers are too small"
        )
    return _counted(trace, launches[~np.isin(trace.correlation[launches], executed)], what)


def _before_launch(trace: Trace) -> str:
    executions = np.flatnonzero((trace.role == Role.EXECUTION) & (trace.parent != NONE))
    early = trace.start_ns[trace.parent[executions]] - trace.start_ns[executions]
    what = (
        f"run before they are launched, by up to {int(early.max(initial=0)):,} ns: the clocks of host and device "
        "differ by at least that much, so delays between host and device are not reliable"
    )
    return _counted(trace, executions[early > trace.clock.resolution_ns], what)


def _apart(trace: Trace) -> str:
    # Find host and device times that lie far apart: they must come from two unrelated clocks.
    on_device = np.array([bool(lane.device) for lane in trace.lanes])[trace.lane]
    if on_device.all() or not on_device.any():
        return ""
    ranges = [(int(trace.start_ns[side].min()), int(trace.end_ns[side].max())) for side in (on_device, ~on_device)]
    (device_start, device_end), (host_start, host_end) = ranges
    gap = max(device_start - host_end, host_start - device_end)
    if gap <= max(device_end - device_start, host_end - host_start):
        return ""
    return (
        f"times of host and device lie {gap:,} ns apart, so they come from two unrelated clocks: durations can be "
        "compared, delays and overlap between host and device cannot"
    )


def _cut_calls(trace: Trace) -> str:
    calls = trace.rows(Level.MODEL)
    owner = ancestors(trace, Level.MODEL)[trace.rows(Level.LAYER)]
    if len(calls) < 2 or not (owner != NONE).any():
        return ""
    held = np.bincount(owner[owner != NONE], minlength=len(trace))[calls]
    usual = int(np.median(held))
    short = np.flatnonzero(held < usual)
    if not len(short) or int(held.max()) != usual:
        return ""
    return (
        f"{len(short)} of {len(calls)} calls have fewer layers than the {usual:,} of the others (call {int(short[0])}: "
        f"{int(held[short[0]]):,}): the recording was truncated, perhaps by an event limit; ignore these calls"
    )


def _outside_parent(trace: Trace) -> str:
    rows = np.flatnonzero((trace.role != Role.EXECUTION) & (trace.parent != NONE))
    parent, slack = trace.parent[rows], trace.clock.resolution_ns
    outside = (trace.start_ns[rows] < trace.start_ns[parent] - slack) | (
        trace.end_ns[rows] > trace.end_ns[parent] + slack
    )
    what = (
        "do not lie within their parent: correlation numbers or clocks are wrong, so times of spans without those of "
        "their children are not reliable"
    )
    return _counted(trace, rows[outside], what)


_CHECKS: tuple[Callable[[Trace], str], ...] = (
    _negative,
    _empty,
    _without_launch,
    _without_execution,
    _before_launch,
    _apart,
    _cut_calls,
    _outside_parent,
)
