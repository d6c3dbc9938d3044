"""Checks traces for errors of the recording.

Readers refuse files that they cannot read; these checks find errors in what was recorded. A finding is a sentence: what
is wrong, how many spans, an example, and the consequence for figures.
"""

from collections.abc import Callable

import numpy as np

from dlbricks.trace.correlate import nested
from dlbricks.trace.intervals import ancestors, cyclic_rows
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace

# Longer names are shortened: those of template kernels have several hundred characters.
_LONGEST_NAME = 60


def findings(trace: Trace) -> tuple[str, ...]:
    """Return all findings about a trace; empty if there are none.

    Args:
        trace: with the parents that ``trace.correlate`` found.
    """
    if not len(trace):
        return ("the trace holds no spans: nothing was recorded, or the profiler was off",)
    turning = cyclic_rows(trace.parent)
    if len(turning):
        return (f"the parents of {_spans(trace, turning)} form a cycle: levels cannot be distinguished",)
    texts = (check(trace) for check in _CHECKS)
    return tuple(finding for finding in texts if finding)


def _spans(trace: Trace, rows: Longs) -> str:
    """Count spans and name the first, as in ``3 spans (first: 'conv1' on thread 1)``."""
    span = trace.span(int(rows[0]))
    count = "1 span" if len(rows) == 1 else f"{len(rows):,} spans"
    name = " ".join(span.name.split())
    shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return f"{count} (first: '{shown}' on {span.lane.name})"


def _counted(trace: Trace, rows: Longs, what: str) -> str:
    """Return what is wrong with spans; empty without spans."""
    return f"{_spans(trace, rows)} {what}" if len(rows) else ""


def _negative(trace: Trace) -> str:
    rows = np.flatnonzero(trace.end_ns < trace.start_ns)
    return _counted(trace, rows, "end before they start: they count as empty")


def _empty(trace: Trace) -> str:
    timed = np.isin(trace.level, (Level.MODEL, Level.LAYER, Level.KERNEL))
    what = (
        f"have length 0: they took less than the resolution of the clock '{trace.clock.name}', "
        f"{trace.clock.resolution_ns:,} ns; they are counted and add no time"
    )
    return _counted(trace, np.flatnonzero(timed & (trace.end_ns == trace.start_ns)), what)


def _without_launch(trace: Trace) -> str:
    executions = np.flatnonzero(trace.role == Role.EXECUTION)
    rows = executions[trace.parent[executions] == NONE]
    what = "ran on a device without a launch of their correlation number: they have no layer"
    if len(rows) == len(executions) and not (trace.role == Role.LAUNCH).any():
        what = (
            "ran on a device and no launch was recorded: kernels cannot be assigned to layers; "
            "their times, and the time that the device was busy, are known"
        )
    return _counted(trace, rows, what)


def _without_execution(trace: Trace) -> str:
    launches = np.flatnonzero((trace.role == Role.LAUNCH) & (trace.correlation != NONE))
    executed = trace.correlation[trace.role == Role.EXECUTION]
    what = "launch work and no execution was recorded: device times are unknown"
    if len(executed):
        what = (
            "launch work whose execution is not in the trace: the trace was truncated or records were dropped, and "
            "device times of these layers are too small"
        )
    return _counted(trace, launches[~np.isin(trace.correlation[launches], executed)], what)


def _before_launch(trace: Trace) -> str:
    executions = np.flatnonzero((trace.role == Role.EXECUTION) & (trace.parent != NONE))
    early = trace.start_ns[trace.parent[executions]] - trace.start_ns[executions]
    what = (
        f"run before they are launched, by up to {int(early.max(initial=0)):,} ns: the clocks of host and device "
        "differ by at least that, so delays between the two are not reliable"
    )
    return _counted(trace, executions[early > trace.clock.resolution_ns], what)


def _apart(trace: Trace) -> str:
    """Find host and device times that do not overlap: they were read from two clocks."""
    on_device = np.array([bool(lane.device) for lane in trace.lanes])[trace.lane]
    if on_device.all() or not on_device.any():
        return ""
    ranges = [(int(trace.start_ns[side].min()), int(trace.end_ns[side].max())) for side in (on_device, ~on_device)]
    (device_start, device_end), (host_start, host_end) = ranges
    gap = max(device_start - host_end, host_start - device_end)
    if gap <= max(device_end - device_start, host_end - host_start):
        return ""
    return (
        f"times of host and device lie {gap:,} ns apart: they are of two clocks, so durations can be compared, but not "
        "delays or overlap"
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
        f"{len(short)} of {len(calls)} calls hold fewer layers than the {usual:,} of the others (call {int(short[0])}: "
        f"{int(held[short[0]]):,}): the recording was truncated, perhaps by an event limit; leave these calls out"
    )


def _outside_parent(trace: Trace) -> str:
    rows = np.flatnonzero((trace.role != Role.EXECUTION) & (trace.parent != NONE))
    parent, slack = trace.parent[rows], trace.clock.resolution_ns
    outside = (trace.start_ns[rows] < trace.start_ns[parent] - slack) | (
        trace.end_ns[rows] > trace.end_ns[parent] + slack
    )
    what = (
        "do not lie within their parent: the numbers that join them, or the clocks, are wrong, and times without "
        "children are not reliable"
    )
    return _counted(trace, rows[outside], what)


def _crossing(trace: Trace) -> str:
    what = (
        "begin inside another span of their lane and end after it: the lane holds work of several threads, and a "
        "recording with CUDA_LAUNCH_BLOCKING=1 and one thread is needed to know their parents for certain"
    )
    return _counted(trace, nested(trace).overlapping, what)


_CHECKS: tuple[Callable[[Trace], str], ...] = (
    _negative,
    _empty,
    _without_launch,
    _without_execution,
    _before_launch,
    _apart,
    _cut_calls,
    _outside_parent,
    _crossing,
)
