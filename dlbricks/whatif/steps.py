"""Times of the steps of a schedule, and where steps begin and end.

Steps of inference servers are grouped by phase, since one change may affect prefill and decode differently.
"""

from dataclasses import dataclass

import numpy as np

from dlbricks.trace.intervals import union_by
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Floats, Schedule
from dlbricks.whatif.select import devices, marked_steps, server_steps, step_numbers


def step_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the duration of every step in a schedule, ns; see ``step_spans``."""
    spans = step_spans(graph, schedule)
    times: Longs = spans[:, 1] - spans[:, 0]
    return times


def step_spans(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the start and end of every step in a schedule, ns; shape (steps, 2), ends exclusive.

    A boundary moves with the last host task that was recorded to start before it. Behind the task it keeps its measured
    distance to the end; within, it divides the task as measured.

    Args:
        graph: with ``steps`` and measured times; inserted tasks are ignored.
        schedule: of that graph.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    moved = []
    for boundary, task in zip(_boundaries(graph).tolist(), step_anchors(graph).ravel().tolist(), strict=True):
        if task == NONE:
            moved.append(boundary)
        elif boundary >= ends[task]:
            moved.append(schedule.end_ns[task] + boundary - ends[task])
        else:
            share = (boundary - starts[task]) / (ends[task] - starts[task])
            moved.append(schedule.start_ns[task] + share * (schedule.end_ns[task] - schedule.start_ns[task]))
    spans: Longs = np.rint(np.array(moved, np.float64)).astype(np.int64).reshape(-1, 2)
    return spans


def step_anchors(graph: DependencyGraph) -> Longs:
    """Return the tasks that start and end of every step move with: of the host, if any; ``NONE`` before the first."""
    starts = graph.attributes["measured_start_ns"]
    on_host = np.isin(graph.kind, ON_HOST)
    rows = np.flatnonzero((on_host if on_host.any() else ~on_host) & ~np.isnan(starts))
    rows = rows[np.argsort(starts[rows], kind="stable")]
    at = np.searchsorted(starts[rows], _boundaries(graph), side="right")
    anchors: Longs = np.concatenate([[NONE], rows])[at].reshape(-1, 2)
    return anchors


def _boundaries(graph: DependencyGraph) -> Floats:
    times: Floats = np.array(graph.steps, np.float64).ravel()
    return times


def busy_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the busy time of the busiest device per step, ns, with the gaps between its tasks.

    Without those gaps it is a lower bound on the time of steps that repeat; with them it is that time, if the host runs
    ahead of the device.

    Returns:
        One time per step of ``select.step_numbers``; empty without tasks in steps.
    """
    steps, on_device, device = step_numbers(graph), np.isin(graph.kind, ON_DEVICE), devices(graph)
    count, each = marked_steps(graph) or int(steps.max(initial=0)), int(device.max(initial=0)) + 1
    groups = np.where(on_device & (steps > 0) & (steps <= count), (steps - 1) * each + device, NONE)
    busy = union_by(groups, schedule.start_ns, schedule.end_ns + graph.gap_ns, count * each)
    longest: Longs = busy.reshape(count, each).max(axis=1, initial=0)
    return longest


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseTime:
    """Step times of one phase of an inference server, before and after."""

    phase: str
    """``prefill``, ``decode``, ``mixed``, or a mode of the server."""
    steps: int
    tokens: int | None
    """Median tokens per step; None if unknown."""
    before_ns: int
    """Median step time, of the host or the busiest device, whichever is longer."""
    after_ns: int
    gain: float
    """Share of the time that is saved, per input if their number changes."""


def phase_times(
    before: tuple[DependencyGraph, Schedule], after: tuple[DependencyGraph, Schedule], inputs: float = 1.0
) -> tuple[PhaseTime, ...]:
    """Return the step times of each phase, longest total first.

    Empty if steps are not named like those of vLLM or SGLang, or belong to several ranks.

    Args:
        before: graph and schedule before.
        after: graph and schedule after.
        inputs: ratio of inputs per step after to before.
    """
    serving_steps = server_steps(before[0])
    first, second = _lasting(*before), _lasting(*after)
    if not serving_steps or not len(serving_steps) == len(first) == len(second):
        return ()
    totals = []
    for phase in dict.fromkeys(serving_step.phase for serving_step in serving_steps if serving_step is not None):
        mine = [
            place
            for place, serving_step in enumerate(serving_steps)
            if serving_step is not None and serving_step.phase == phase
        ]
        tokens = [
            serving_step.tokens
            for serving_step in serving_steps
            if serving_step is not None and serving_step.phase == phase and serving_step.tokens is not None
        ]
        before_ns, after_ns = (round(float(np.median(times[mine]))) for times in (first, second))
        phase_time = PhaseTime(
            phase=phase,
            steps=len(mine),
            tokens=round(float(np.median(tokens))) if tokens else None,
            before_ns=before_ns,
            after_ns=after_ns,
            gain=1 - after_ns / inputs / before_ns if before_ns else 0.0,
        )
        totals.append((int(first[mine].sum()), phase_time))
    return tuple(phase_time for _, phase_time in sorted(totals, key=lambda item: (-item[0], item[1].phase)))


def _lasting(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the time of each step, of host or busiest device, whichever is longer; empty for several ranks."""
    if not graph.steps or "measured_start_ns" not in graph.attributes:
        return np.zeros(0, np.int64)
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    return np.maximum(steps, busy) if len(steps) == len(busy) else np.zeros(0, np.int64)
