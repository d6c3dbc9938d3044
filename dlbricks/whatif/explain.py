"""Explanations of a schedule: times of its steps, and the critical path of the whole schedule or of each step.

Steps of inference servers are grouped by phase, since a change may affect prefill and decode differently. ``trace_of``
converts a schedule to a trace for viewers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.intervals import covered_ns, split_by, uncovered, union_by, union_ns
from dlbricks.trace.types import NONE, Bytes, Level, Longs, Role, Trace, TraceClock
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
from dlbricks.whatif.select import (
    devices,
    has_steps,
    marked_steps,
    of_pytorch,
    on_device,
    server_steps,
    step_numbers,
    unrecorded_launches,
)

# Category of time on the critical path by task kind, for graphs with a device.
WORDS: Mapping[TaskKind, str] = {
    TaskKind.CPU: "host calls",
    TaskKind.KERNEL: "kernels",
    TaskKind.COPY: "copies",
    TaskKind.COLLECTIVE: "communication",
    TaskKind.DATA: "loading",
    TaskKind.SYNCHRONISATION: "waiting",
}
# Category of layers without an operator, in graphs without a device. There, the category of other layers is their
# operator, and that of calls outside of layers is their name.
PROCESSOR = "layers of unknown operators"
# Time in which no layer runs, for graphs without a device.
BETWEEN_LAYERS = "between layers"
# Time from the start of a launch to the start of the launched task.
LAUNCH_LATENCY = "launch latency"
# Time of unrecorded work of a host thread, also before its first call, and between two threads.
BETWEEN_CALLS = "between calls"
# The same in traces of PyTorch: Python and the framework.
PYTHON = "Python"
# Categories of the host's time, which a sentence sums up as one.
HOST = (PYTHON, BETWEEN_CALLS, WORDS[TaskKind.CPU], WORDS[TaskKind.DATA])
# Time in which no task of the path runs because of gaps, lags and late releases of a device.
WAITING = "waiting"
# Time in which a device runs tasks of several kinds at once.
TOGETHER = "several kinds at once"
_OF_HOSTS = (LANE, EdgeKind.THREAD)
# Prefix of an operator name, for example ``aten::`` or ``com.microsoft.``.
_OWNER = re.compile(r"\A.*(?:::|: |\.)")
# Most categories that a sentence names.
_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPath:
    """The critical path of tasks through a step, or through a whole schedule, between two times."""

    start_ns: int
    end_ns: int
    path: tuple[int, ...]
    """Numbers of the path's tasks, in order."""
    shares_ns: Mapping[str, int]
    """Time of the path by category; the sum is the time from start to end."""
    segments: tuple[tuple[str, int, int], ...] = ()
    """Category, start and end of each part of the path, latest first."""


def step_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return the duration of every training or inference step in a schedule, ns."""
    spans = step_spans(graph, schedule)
    return spans[:, 1] - spans[:, 0]


def step_spans(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return start and end of every training or inference step in a schedule, ns; shape (steps, 2), ends exclusive.

    A boundary of a step moves with the last host task that started before the boundary in the recording. A boundary
    after this task keeps its distance to the task's end. A boundary within this task divides it in the same ratio.

    Args:
        graph: a graph with ``steps`` and measured times; inserted tasks are ignored.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    moved = []
    for boundary, task in zip(np.ravel(graph.steps).tolist(), step_anchors(graph).ravel().tolist(), strict=True):
        if task == NONE:
            moved.append(boundary)
        elif boundary >= ends[task]:
            moved.append(schedule.end_ns[task] + boundary - ends[task])
        else:
            share = (boundary - starts[task]) / (ends[task] - starts[task])
            moved.append(schedule.start_ns[task] + share * (schedule.end_ns[task] - schedule.start_ns[task]))
    return np.rint(np.array(moved, np.float64)).astype(np.int64).reshape(-1, 2)


def step_anchors(graph: DependencyGraph) -> Longs:
    """Return the last task before each step's start and before its end, or ``NONE``; shape (steps, 2).

    Without host tasks, device tasks are returned.
    """
    starts = graph.attributes["measured_start_ns"]
    on_host = np.isin(graph.kind, ON_HOST)
    rows = np.flatnonzero((on_host if on_host.any() else ~on_host) & ~np.isnan(starts))
    rows = rows[np.argsort(starts[rows], kind="stable")]
    at = np.searchsorted(starts[rows], np.ravel(graph.steps), side="right")
    return np.concatenate([[NONE], rows])[at].reshape(-1, 2)


def recorded_step_times(graph: DependencyGraph) -> Longs:
    """Return the recorded duration of every step, ns: its host time or, if the median of these is longer, busy time."""
    starts, ends = (graph.attributes[f"measured_{of}_ns"].astype(np.int64) for of in ("start", "end"))
    causes = np.full(len(graph), NONE, np.int64)
    record = Schedule(start_ns=starts, end_ns=ends, cause=causes, cause_kind=causes.astype(np.int8))
    steps, busy = step_times(graph, record), busy_times(graph, record)
    return busy if len(busy) and np.median(busy) > np.median(steps) else steps


def busy_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Return for each step how long the busiest device is busy, ns, including gaps between tasks.

    Repeated steps take this time if the host runs ahead of the device.

    Returns:
        One time per step of ``select.step_numbers``; empty if no task is in a step.
    """
    steps, on_device, device = step_numbers(graph, within=True), np.isin(graph.kind, ON_DEVICE), devices(graph)
    count, each = marked_steps(graph) or int(steps.max(initial=0)), int(device.max(initial=0)) + 1
    groups = np.where(on_device & (steps > 0) & (steps <= count), (steps - 1) * each + device, NONE)
    busy = union_by(groups, schedule.start_ns, schedule.end_ns + graph.gap_ns, count * each)
    return busy.reshape(count, each).max(axis=1, initial=0)


def kernel_time(graph: DependencyGraph) -> int:
    """Return the summed time of a step's kernels, ns: the median over steps. Without steps all kernels count."""
    rows, launch = np.flatnonzero(graph.kind == TaskKind.KERNEL), launches(graph)
    rows = rows[launch[rows] != NONE] if (launch[rows] != NONE).any() else rows
    if not graph.steps:
        return int(graph.duration_ns[rows].sum())
    sums = np.bincount(step_numbers(graph)[rows], graph.duration_ns[rows])[1 : marked_steps(graph) + 1]
    return round(float(np.median(sums[sums > 0]))) if (sums > 0).any() else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseTime:
    """Step times in one phase (such as prefill) of an inference server, before and after some changes."""

    phase: str
    """``prefill``, ``decode``, ``mixed``, or a mode of the server."""
    steps: int
    tokens: int | None
    """Median number of tokens per step; None if unknown."""
    before_ns: int
    """Median step time, on the host or on the busiest device, whichever is longer, ns; ``after_ns`` likewise."""
    after_ns: int
    gain: float
    """Share of the time that is saved; per input if the number of inputs changes."""


def phase_times(
    before: tuple[DependencyGraph, Schedule], after: tuple[DependencyGraph, Schedule], inputs: float = 1.0
) -> tuple[PhaseTime, ...]:
    """Return step times before and after a change for each phase (such as prefill) of an inference server.

    The longest total comes first. The result is empty if steps lack the names of vLLM or SGLang, or belong to several
    ranks. ``inputs`` is the ratio of inputs per step after and before the change.
    """
    serving = server_steps(before[0])
    first, second = _lasting(*before), _lasting(*after)
    if not serving or not len(serving) == len(first) == len(second):
        return ()
    totals = []
    for phase in dict.fromkeys(step.phase for step in serving if step is not None):
        same = {place: step for place, step in enumerate(serving) if step is not None and step.phase == phase}
        tokens = [step.tokens for step in same.values() if step.tokens is not None]
        before_ns, after_ns = (round(float(np.median(times[[*same]]))) for times in (first, second))
        phase_time = PhaseTime(
            phase=phase,
            steps=len(same),
            tokens=round(float(np.median(tokens))) if tokens else None,
            before_ns=before_ns,
            after_ns=after_ns,
            gain=1 - after_ns / inputs / before_ns if before_ns else 0.0,
        )
        totals.append((int(first[[*same]].sum()), phase_time))
    return tuple(phase_time for _, phase_time in sorted(totals, key=lambda item: (-item[0], item[1].phase)))


def _lasting(graph: DependencyGraph, schedule: Schedule) -> Longs:
    # Return the time of each step, on the host or the busiest device, whichever is longer; empty for several ranks.
    if not has_steps(graph):
        return np.zeros(0, np.int64)
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    return np.maximum(steps, busy) if len(steps) == len(busy) else np.zeros(0, np.int64)


def sentence(shares_ns: Mapping[str, int]) -> str:
    """Return times by category as text, for example ``host 97 %: Python 60, loading 37; kernels 3 %``.

    The categories of the host form a group. The smallest categories are summed up as ``others``.
    """
    total = max(1, sum(shares_ns.values()))
    host = {word: shares_ns[word] for word in HOST if word in shares_ns}
    grouped = len(host) > 1
    sums = {word: time_ns for word, time_ns in shares_ns.items() if not grouped or word not in host}
    sums |= {"host": sum(host.values())} if grouped else {}
    parts = _largest_first(sums)
    parts = [*parts[:_NAMED], ("others", sum(share for _, share in parts[_NAMED:]))]
    named = [(word, f"{word} {100 * share / total:.0f} %") for word, share in parts if 200 * share >= total]
    if not grouped:
        return ", ".join(text for _, text in named)
    split = ", ".join(f"{word} {100 * ns / total:.0f}" for word, ns in _largest_first(host) if 200 * ns >= total)
    return "; ".join(f"{text}: {split}" if word == "host" else text for word, text in named)


def _largest_first(shares_ns: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(shares_ns.items(), key=lambda item: (-item[1], item[0]))


def shares_of_steps(graph: DependencyGraph, schedule: Schedule) -> dict[str, int]:
    """Return the time of a schedule's median step by category, ns, on the critical path or on the busiest device.

    The categories add up to the time per step, apart from rounding. With an even number of steps, the two steps around
    the median count half each.
    """
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    if len(busy) and np.median(busy) > np.median(steps):
        shares = [_busy_shares(graph, schedule, step) for step in _median_places(busy)]
    else:
        shares = [dict(step_path.shares_ns) for step_path in step_paths(graph, schedule, _median_places(steps))]
    return _mean(shares)


def _median_places(times: Longs) -> list[int]:
    # Return the position of the median, or the positions of the two values around it.
    order = np.argsort(times, kind="stable")
    return order[(len(order) - 1) // 2 : len(order) // 2 + 1].tolist()


def _busy_shares(graph: DependencyGraph, schedule: Schedule, step: int) -> dict[str, int]:
    # Return how long the busiest device of a step runs tasks of one kind only, of several kinds at once, or waits, ns.
    rows = np.flatnonzero(np.isin(graph.kind, ON_DEVICE) & (step_numbers(graph, within=True) == step + 1))
    device = devices(graph)[rows]

    def taken(chosen: Longs) -> int:
        return union_ns(schedule.start_ns[chosen], schedule.end_ns[chosen] + graph.gap_ns[chosen])

    rows = max(split_by(device, rows), key=taken, default=rows)
    shares = _by_kind(graph.kind[rows], schedule.start_ns[rows], schedule.end_ns[rows])
    waiting = taken(rows) - sum(shares.values())
    return shares | ({WAITING: waiting} if waiting else {})


def _by_kind(kind: Bytes, starts: Longs, ends: Longs) -> dict[str, int]:
    # Return how long tasks of one kind only run, and tasks of several kinds at once, ns.
    total = union_ns(starts, ends)
    numbers = np.unique(kind).tolist()
    alone = {WORDS[TaskKind(n)]: total - union_ns(starts[kind != n], ends[kind != n]) for n in numbers}
    shares = alone | {TOGETHER: total - sum(alone.values())}
    return {word: time_ns for word, time_ns in shares.items() if time_ns}


def device_shares(graph: DependencyGraph, schedule: Schedule) -> tuple[dict[str, int], dict[str, int]]:
    """Return what the busiest device does in the median step, and what the host does while that device is idle, ns.

    Without steps, the whole schedule counts as one. If a device is busy for longer than the step on the host, its busy
    time counts as the step, as in ``shares_of_steps``, and the device waits for nothing on the host.

    Returns:
        First the time of the device by category, for the work that the step launches: ``WORDS``, ``TOGETHER`` and
        ``WAITING`` (idle). Second the time of the critical path by category, while the device is idle within the step
        on the host. Both are empty without a device. Where two steps surround the median, each counts half.
    """
    if not len(on_device(graph)):
        return {}, {}
    if not has_steps(graph):
        return _while_idle(graph, schedule, explain(graph, schedule))
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    if len(busy) and np.median(busy) > np.median(steps):
        return shares_of_steps(graph, schedule), {}
    places = _median_places(steps)
    shares = _mean([_busy_shares(graph, schedule, place) for place in places])
    shares[WAITING] = max(0, round(float(np.median(steps))) - sum(shares.values()) + shares.get(WAITING, 0))
    return shares, _mean([_while_idle(graph, schedule, path)[1] for path in step_paths(graph, schedule, places)])


def _while_idle(graph: DependencyGraph, schedule: Schedule, path: TaskPath) -> tuple[dict[str, int], dict[str, int]]:
    # Return what the busiest device does between two times, and the critical path while this device is idle, ns.
    starts, ends = (np.clip(times, path.start_ns, path.end_ns) for times in (schedule.start_ns, schedule.end_ns))
    rows = np.flatnonzero(np.isin(graph.kind, ON_DEVICE) & (ends > starts))
    rows = max(split_by(devices(graph)[rows], rows), key=lambda some: union_ns(starts[some], ends[some]), default=rows)
    shares = _by_kind(graph.kind[rows], starts[rows], ends[rows])
    idle = uncovered(path.start_ns, path.end_ns, starts[rows], ends[rows])
    begins, finishes = (np.array([segment[place] for segment in path.segments], np.int64) for place in (1, 2))
    waits: dict[str, int] = {}
    for (word, _, _), time_ns in zip(path.segments, covered_ns(begins, finishes, *idle).tolist(), strict=True):
        waits[word] = waits.get(word, 0) + time_ns
    return shares | {WAITING: path.end_ns - path.start_ns - sum(shares.values())}, waits


def _mean(shares: Sequence[Mapping[str, int]]) -> dict[str, int]:
    # Return the mean of several times by category, ns.
    words = dict.fromkeys(word for share in shares for word in share)
    return {word: round(sum(share.get(word, 0) for share in shares) / len(shares)) for word in words}


def explain(graph: DependencyGraph, schedule: Schedule) -> TaskPath:
    """Return the critical path of tasks through a whole schedule; the path ends with the task that ends last."""
    if not len(graph):
        return TaskPath(start_ns=0, end_ns=0, path=(), shares_ns={})
    last = int(schedule.end_ns.argmax())
    return _PathTracer(graph, schedule).back_from(last, int(schedule.start_ns.min()), int(schedule.end_ns[last]))


def step_paths(graph: DependencyGraph, schedule: Schedule, wanted: Sequence[int] | None = None) -> tuple[TaskPath, ...]:
    """Return the critical path of tasks through every step of a schedule, or through the steps ``wanted``."""
    tracer = _PathTracer(graph, schedule)
    spans, anchors = step_spans(graph, schedule).tolist(), step_anchors(graph).tolist()
    places = range(len(spans)) if wanted is None else wanted
    return tuple(tracer.back_from(anchors[place][1], *spans[place]) for place in places)


class _PathTracer:
    """Tracer of critical paths, which follows the causes in a schedule backwards."""

    def __init__(self, graph: DependencyGraph, schedule: Schedule) -> None:
        self._start, self._end = schedule.start_ns.tolist(), schedule.end_ns.tolist()
        self._cause, self._cause_kind = schedule.cause.tolist(), schedule.cause_kind.tolist()
        words = {int(kind): word for kind, word in WORDS.items()}
        self._word = [words[kind] for kind in graph.kind.tolist()]
        self._between = PYTHON if of_pytorch(graph) else BETWEEN_CALLS
        if not len(on_device(graph)) and not len(unrecorded_launches(graph)):
            self._between = BETWEEN_LAYERS
            named = (*(_OWNER.sub("", name) for name in graph.operators), PROCESSOR)  # NONE is the last
            for task in np.flatnonzero(graph.kind == TaskKind.CPU).tolist():
                is_call = graph.layer[task] == NONE and graph.operator[task] == NONE
                self._word[task] = graph.named(task) if is_call else named[graph.operator[task]]
        on_host = np.array([not lane.device for lane in graph.lanes] or [True], bool)
        self._on_host: list[bool] = on_host[graph.lane].tolist()

    def back_from(self, task: int, begin: int, end: int) -> TaskPath:
        """Return the critical path that ends with a task, and its time by category between two times.

        Args:
            task: last task of the path, which starts no later than ``end``; ``NONE`` for an empty path.
            begin: start of the interval, ns.
            end: end of the interval, ns.
        """
        if task == NONE:
            return TaskPath(start_ns=begin, end_ns=end, path=(), shares_ns={})
        segments: list[tuple[str, int, int]] = []

        def count(word: str, since: int, until: int) -> None:
            if until > max(since, begin):
                segments.append((word, max(since, begin), until))

        until = min(end, self._end[task])
        count(self._between if self._on_host[task] else WAITING, until, end)
        path = []
        while task != NONE and until >= begin:
            path.append(task)
            start, cause, kind = self._start[task], self._cause[task], self._cause_kind[task]
            count(self._word[task], start, until)
            if cause == NONE:
                count(self._between if self._on_host[task] else WAITING, begin, start)
            elif kind == EdgeKind.LAUNCH:
                until = self._start[cause]
                count(LAUNCH_LATENCY, until, start)
            elif (until := self._end[cause]) < start:
                count(self._between if self._on_host[cause] and kind in _OF_HOSTS else WAITING, until, start)
            task = cause
        shares: dict[str, int] = {}
        for word, since, until in segments:
            shares[word] = shares.get(word, 0) + until - since
        return TaskPath(
            start_ns=begin, end_ns=end, path=tuple(reversed(path)), shares_ns=shares, segments=tuple(segments)
        )


# Span kind and level by task kind.
_SHOWN = {
    TaskKind.CPU: (kinds.RUNTIME, Level.LIBRARY),
    TaskKind.KERNEL: (kinds.KERNEL, Level.KERNEL),
    TaskKind.COPY: (kinds.COPY, Level.KERNEL),
    TaskKind.COLLECTIVE: (kinds.COLLECTIVE, Level.KERNEL),
    TaskKind.DATA: (kinds.RANGE, Level.APPLICATION),
    TaskKind.SYNCHRONISATION: (kinds.SYNCHRONISATION, Level.LIBRARY),
}


def trace_of(graph: DependencyGraph, schedule: Schedule) -> Trace:
    """Return a schedule as a trace for viewers: tasks become spans, and launching calls become parents of kernels."""
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
