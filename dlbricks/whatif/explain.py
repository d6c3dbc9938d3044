"""Explains a schedule: critical path, duration of each step, use of each lane, and a summary sentence.

``trace_of`` converts a schedule to a trace for viewers. Steps of inference servers are grouped by phase, since one
change may affect prefill and decode differently.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.intervals import union_by, union_ns
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace, TraceClock
from dlbricks.whatif.graph import (
    LANE,
    ON_DEVICE,
    ON_HOST,
    DependencyGraph,
    EdgeKind,
    Phase,
    Schedule,
    TaskKind,
    launches,
)
from dlbricks.whatif.select import devices, server_steps, step_numbers

WORDS: Mapping[TaskKind, str] = {
    TaskKind.CPU: "host-bound",
    TaskKind.KERNEL: "kernel-bound",
    TaskKind.COPY: "copy-bound",
    TaskKind.COLLECTIVE: "communication-bound",
    TaskKind.DATA: "data-bound",
    TaskKind.SYNCHRONISATION: "waiting",
}
"""Category of time on the critical path by task kind, for graphs with a device."""
PROCESSOR = "layers of unknown operators"
"""Category of tasks without an operator, for graphs without a device; other tasks count for their operator."""
BETWEEN_LAYERS = "between layers"
"""Time in which no layer runs, for graphs without a device."""
LAUNCH_LATENCY = "launch latency"
"""Time from the start of a launch to the start of the launched task."""
BETWEEN_CALLS = "between host calls"
"""Unrecorded work of a host thread (Python, framework), and hand-over between threads."""
WAITING = "waiting"
"""Time in which no task of the path runs: device gaps, lags and late releases."""
_OF_HOSTS = (LANE, EdgeKind.THREAD)
_OWNER = re.compile(r".*(?:::|: |\.)")
"""Prefix of an operator name, for example ``aten::`` or ``com.microsoft.``."""
_NAMED = 6
"""Number of categories in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneUse:
    """Busy and idle time of one lane."""

    lane: str
    busy_ns: int
    idle_ns: int
    """Makespan minus busy time."""
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Breakdown of the time of a schedule."""

    makespan_ns: int
    shares_ns: Mapping[str, int]
    """Time on the critical path by category; the sum is the makespan."""
    path: tuple[int, ...]
    """Tasks of the critical path, in order."""
    lanes: tuple[LaneUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPath:
    """Critical path of one step."""

    start_ns: int
    end_ns: int
    path: tuple[int, ...]
    """Tasks, in order."""
    shares_ns: Mapping[str, int]
    """Time by category; the sum is the duration of the step."""


def sentence(shares_ns: Mapping[str, int]) -> str:
    """Format shares, for example ``kernel-bound 61 %, launch latency 27 %, waiting 12 %``; small ones are summed up."""
    total = max(1, sum(shares_ns.values()))
    parts = sorted(shares_ns.items(), key=lambda item: (-item[1], item[0]))
    shown, rest = parts[:_NAMED], sum(share for _, share in parts[_NAMED:])
    shown += [("others", rest)] if rest else []
    return ", ".join(f"{word} {100 * share / total:.0f} %" for word, share in shown if 200 * share >= total)


def shares_of_steps(graph: DependencyGraph, schedule: Schedule) -> dict[str, int]:
    """Return the time of all steps by category: of their critical paths, or of a device that is busy for longer."""
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    if np.median(busy) > np.median(steps):
        rows = np.isin(graph.kind, ON_DEVICE) & (step_numbers(graph) > 0)
        kinds = graph.kind[rows].tolist()
        return _summed(
            (WORDS[TaskKind(kind)], time) for kind, time in zip(kinds, graph.duration_ns[rows].tolist(), strict=True)
        )
    return _summed(item for one in step_paths(graph, schedule) for item in one.shares_ns.items())


def _summed(items: Iterable[tuple[str, int]]) -> dict[str, int]:
    made: dict[str, int] = {}
    for word, time_ns in items:
        made[word] = made.get(word, 0) + time_ns
    return made


def explain(graph: DependencyGraph, schedule: Schedule) -> Explanation:
    """Trace the critical path back from the last end, and sum its time by category."""
    path: tuple[int, ...] = ()
    shares: dict[str, int] = {}
    if len(graph):
        last = int(schedule.end_ns.argmax())
        path, shares = _PathTracer(graph, schedule).back_from(
            last, int(schedule.start_ns.min()), int(schedule.end_ns[last])
        )
    uses = []
    for number, lane in enumerate(graph.lanes):
        tasks = np.flatnonzero(graph.lane == number)
        busy = union_ns(schedule.start_ns[tasks], schedule.end_ns[tasks])
        name = " ".join(part for part in (lane.process, lane.device, lane.name) if part)
        uses.append(LaneUse(lane=name, busy_ns=busy, idle_ns=schedule.makespan_ns - busy, tasks=len(tasks)))
    return Explanation(makespan_ns=schedule.makespan_ns, shares_ns=shares, path=path, lanes=tuple(uses))


def step_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the duration of every step in a schedule, ns; see ``step_spans``."""
    spans = step_spans(graph, schedule)
    made: Longs = spans[:, 1] - spans[:, 0]
    return made


def step_spans(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the start and end of every step in a schedule, ns; shape (steps, 2), ends exclusive.

    A boundary keeps its measured distance to the previous host task: to its end or, if it lies within the task, to its
    start.

    Args:
        graph: with ``steps`` and measured times; inserted tasks are ignored.
        schedule: of that graph.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    rows = np.flatnonzero(np.isin(graph.kind, ON_HOST) & ~np.isnan(starts))
    rows = rows[np.argsort(starts[rows], kind="stable")]
    moved = []
    for boundary in np.array(graph.steps, np.float64).ravel():
        at = int(np.searchsorted(starts[rows], boundary, side="right")) - 1
        task = rows[at] if at >= 0 else NONE
        if task == NONE:
            moved.append(boundary)
        elif boundary >= ends[task]:
            moved.append(schedule.end_ns[task] + boundary - ends[task])
        else:
            moved.append(schedule.start_ns[task] + boundary - starts[task])
    made: Longs = np.rint(np.array(moved, np.float64)).astype(np.int64).reshape(-1, 2)
    return made


def busy_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the busy time of the busiest device per step, ns.

    This is a lower bound on the time of steps that repeat.

    Returns:
        One time per step of ``select.step_numbers``; empty without device tasks.
    """
    steps, on_device, device = step_numbers(graph), np.isin(graph.kind, ON_DEVICE), devices(graph)
    count, each = int(steps.max(initial=0)), int(device.max(initial=0)) + 1
    groups = np.where(on_device & (steps > 0), (steps - 1) * each + device, NONE)
    busy = union_by(groups, schedule.start_ns, schedule.end_ns, count * each)
    made: Longs = busy.reshape(count, each).max(axis=1, initial=0)
    return made


def step_paths(graph: DependencyGraph, schedule: Schedule) -> tuple[StepPath, ...]:
    """Return the critical path of every step, from the last task that ends in it back to its start."""
    by_end = np.argsort(schedule.end_ns, kind="stable")
    ends = schedule.end_ns[by_end]
    walk = _PathTracer(graph, schedule)
    made = []
    for start, end in step_spans(graph, schedule).tolist():
        at = int(np.searchsorted(ends, end, side="right")) - 1
        path, shares = walk.back_from(int(by_end[at]), start, end) if at >= 0 else ((), {})
        made.append(StepPath(start_ns=start, end_ns=end, path=path, shares_ns=shares))
    return tuple(made)


class _PathTracer:
    """Traces critical paths back through a schedule."""

    def __init__(self, graph: DependencyGraph, schedule: Schedule) -> None:
        self._start, self._end = schedule.start_ns.tolist(), schedule.end_ns.tolist()
        self._cause, self._cause_kind = schedule.cause.tolist(), schedule.cause_kind.tolist()
        words = {int(kind): word for kind, word in WORDS.items()}
        self._word = [words[kind] for kind in graph.kind.tolist()]
        self._between = BETWEEN_CALLS
        if not np.isin(graph.kind, ON_DEVICE).any():
            self._between = BETWEEN_LAYERS
            named = (*(_OWNER.sub("", name) for name in graph.operators), PROCESSOR)  # NONE is the last
            for task in np.flatnonzero(graph.kind == TaskKind.CPU).tolist():
                self._word[task] = named[graph.operator[task]]
        on_host = np.array([not lane.device for lane in graph.lanes] or [True], bool)
        self._on_host: list[bool] = on_host[graph.lane].tolist()

    def back_from(self, task: int, begin: int, end: int) -> tuple[tuple[int, ...], dict[str, int]]:
        """Trace the critical path that ends with a task, and sum its time between two times.

        Args:
            task: last task of the path; it ends no later than ``end``.
            begin: start of the interval, ns.
            end: end of the interval, ns.
        """
        shares: dict[str, int] = {}

        def count(word: str, since: int, until: int) -> None:
            time_ns = until - max(since, begin)
            if time_ns > 0:
                shares[word] = shares.get(word, 0) + time_ns

        until = self._end[task]
        count(self._between if self._on_host[task] else WAITING, until, end)
        path = []
        while task != NONE and until >= begin:
            path.append(task)
            start, cause, kind = self._start[task], self._cause[task], self._cause_kind[task]
            count(self._word[task], start, until)
            if cause == NONE:
                count(WAITING, begin, start)
            elif kind == EdgeKind.LAUNCH:
                until = self._start[cause]
                count(LAUNCH_LATENCY, until, start)
            else:
                until = self._end[cause]
                count(self._between if self._on_host[cause] and kind in _OF_HOSTS else WAITING, until, start)
            task = cause
        return tuple(reversed(path)), shares


_SHOWN = {
    TaskKind.CPU: (kinds.RUNTIME, Level.LIBRARY),
    TaskKind.KERNEL: (kinds.KERNEL, Level.KERNEL),
    TaskKind.COPY: (kinds.COPY, Level.KERNEL),
    TaskKind.COLLECTIVE: (kinds.COLLECTIVE, Level.KERNEL),
    TaskKind.DATA: (kinds.RANGE, Level.APPLICATION),
    TaskKind.SYNCHRONISATION: (kinds.SYNCHRONISATION, Level.LIBRARY),
}
"""Span kind and level by task kind."""


def trace_of(graph: DependencyGraph, schedule: Schedule) -> Trace:
    """Convert a schedule to a trace: one span per task, with launches linked and graph data as attributes."""
    levels = np.array([int(_SHOWN[kind][1]) for kind in TaskKind])
    is_layer = (graph.kind == TaskKind.CPU) & (graph.operator != NONE)
    launch = launches(graph)
    roles = np.full(len(graph), int(Role.PLAIN))
    roles[launch[launch != NONE]] = int(Role.LAUNCH)
    roles[launch != NONE] = int(Role.EXECUTION)
    labelled = np.flatnonzero(graph.layer != NONE)
    phased = np.flatnonzero(graph.phase != Phase.NONE)
    typed = np.flatnonzero(graph.operator != NONE)
    path = np.sort(np.array(explain(graph, schedule).path, np.int64))
    attributes = {
        "layer": (labelled, [graph.layers[number] for number in graph.layer[labelled].tolist()]),
        "phase": (phased, [Phase(number).name.lower() for number in graph.phase[phased].tolist()]),
        "type": (typed, [graph.operators[number] for number in graph.operator[typed].tolist()]),
        "critical": (path, [True] * len(path)),
        "task": (np.arange(len(graph)), list(range(len(graph)))),
    }
    return from_columns(
        TraceClock(name="simulated"),
        names=graph.names,
        kinds=(*(_SHOWN[kind][0] for kind in TaskKind), kinds.OPERATOR),
        lanes=graph.lanes,
        columns={
            "level": np.where(is_layer, int(Level.LAYER), levels[graph.kind]),
            "role": roles,
            "kind": np.where(is_layer, len(TaskKind), graph.kind),
            "name": graph.task_name,
            "lane": graph.lane,
            "start_ns": schedule.start_ns,
            "end_ns": schedule.end_ns,
            "parent": launch,
        },
        attributes={name: attribute_of(rows, values) for name, (rows, values) in attributes.items() if len(rows)},
    )


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
    """Share of the time that is saved."""


def phase_times(
    before: tuple[DependencyGraph, Schedule], after: tuple[DependencyGraph, Schedule]
) -> tuple[PhaseTime, ...]:
    """Return the step times of each phase, longest total first.

    Empty if steps are not named like those of vLLM or SGLang, or belong to several ranks.
    """
    serving_steps = server_steps(before[0])
    first, second = _lasting(*before), _lasting(*after)
    if not serving_steps or not len(serving_steps) == len(first) == len(second):
        return ()
    made = []
    for phase in dict.fromkeys(one.phase for one in serving_steps if one is not None):
        mine = [place for place, one in enumerate(serving_steps) if one is not None and one.phase == phase]
        tokens = [
            one.tokens for one in serving_steps if one is not None and one.phase == phase and one.tokens is not None
        ]
        one, other = (round(float(np.median(times[mine]))) for times in (first, second))
        found = PhaseTime(
            phase=phase,
            steps=len(mine),
            tokens=round(float(np.median(tokens))) if tokens else None,
            before_ns=one,
            after_ns=other,
            gain=1 - other / one if one else 0.0,
        )
        made.append((int(first[mine].sum()), found))
    return tuple(found for _, found in sorted(made, key=lambda item: (-item[0], item[1].phase)))


def _lasting(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the time of each step, of host or busiest device, whichever is longer; empty for several ranks."""
    if not graph.steps or "measured_start_ns" not in graph.attributes:
        return np.zeros(0, np.int64)
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    return np.maximum(steps, busy) if len(steps) == len(busy) else np.zeros(0, np.int64)
