"""Functions that select tasks of a dependency graph: by layer, phase, kind, name, lane, process or step.

If a trace marks no steps, training phases determine them (``step_numbers``). The names of an inference server's steps
tell their phases (``in_phases``).
"""

import fnmatch
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.process_pool import read_apart
from dlbricks.profile.open import ServingStep, serving_step
from dlbricks.trace.intervals import split_by
from dlbricks.trace.kinds import is_launch
from dlbricks.trace.types import NONE, Ints, Longs
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Floats, Mask, Phase, TaskKind, launches

# Steps count as one step of several ranks if their starts differ by less than this share of the shortest step.
_TOGETHER = 0.5


def select(
    graph: DependencyGraph,
    *,
    kinds: Sequence[TaskKind] = (),
    phases: Sequence[Phase] = (),
    layer: str | None = None,
    name: str | None = None,
    where: Callable[[DependencyGraph], Mask] | None = None,
) -> Longs:
    """Return the numbers of a graph's tasks that meet all conditions; an omitted or empty condition restricts nothing.

    Args:
        layer: case-sensitive glob for layer names, for example ``layer4.*``.
        name: case-insensitive regular expression, searched in task names.

    Raises:
        InputError: ``name`` is not a regular expression, or its search takes too long.
    """
    chosen = np.ones(len(graph), bool)
    if kinds:
        chosen &= np.isin(graph.kind, kinds)
    if phases:
        chosen &= np.isin(graph.phase, phases)
    if layer is not None:
        chosen &= of_layer(graph, lambda text: fnmatch.fnmatchcase(text, layer))
    if name is not None:
        chosen &= of_name(graph, _found_in(name, graph.names).__contains__)
    if where is not None:
        chosen &= where(graph)
    return np.flatnonzero(chosen)


@functools.lru_cache(maxsize=8)
def _found_in(pattern: str, names: tuple[str, ...]) -> frozenset[str]:
    # Return the names in which a regular expression is found. The search may backtrack for hours, so it runs in a
    # separate process with a time limit.
    return read_apart(_search, (pattern, names), f"the regular expression '{pattern}'")


def _search(item: tuple[str, tuple[str, ...]]) -> frozenset[str]:
    pattern, names = item
    try:
        return frozenset(filter(re.compile(pattern, re.IGNORECASE).search, names))
    except re.error as error:
        raise InputError(f"invalid regular expression '{pattern}': {error}") from error


def of_name(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a boolean array over all tasks of a graph: whether ``fits`` holds for the task's name."""
    return _fitting(graph.task_name, graph.names, fits)


def of_layer(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a boolean array over all tasks of a graph: whether ``fits`` holds for the name of the task's layer."""
    return _fitting(graph.layer, graph.layers, fits)


def of_operator(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a boolean array over all tasks of a graph: whether ``fits`` holds for the task's operator."""
    return _fitting(graph.operator, graph.operators, fits)


def _fitting(column: Ints, texts: Sequence[str], fits: Callable[[str], Any]) -> Mask:
    return np.isin(column, [number for number, text in enumerate(texts) if fits(text)])


def unrecorded_launches(graph: DependencyGraph) -> Longs:
    """Return the host calls that launch work on a device whose tasks were not recorded; empty if device tasks exist."""
    return np.empty(0, np.int64) if len(on_device(graph)) else np.flatnonzero(of_name(graph, is_launch))


def on_device(graph: DependencyGraph) -> Longs:
    """Return the numbers of all tasks that run on a device."""
    return select(graph, kinds=ON_DEVICE)


def by_lane(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split the tasks ``rows`` into a group for each thread or stream (lane) that has some of these tasks."""
    return split_by(graph.lane[rows], rows)


def by_step(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split the tasks ``rows`` into a group for each process and step, in which tasks keep their order."""
    return split_by(step_keys(graph)[rows], rows)


def step_keys(graph: DependencyGraph) -> Longs:
    """Return for each task a number that identifies its process and step."""
    steps = step_numbers(graph)
    return processes(graph) * (int(steps.max(initial=0)) + 1) + steps


def processes(graph: DependencyGraph) -> Longs:
    """Return for each task the number of its process."""
    return _numbers(graph, [lane.process for lane in graph.lanes])


def devices(graph: DependencyGraph) -> Longs:
    """Return for each task a number that identifies its process and device; the host counts as a device."""
    return _numbers(graph, [(lane.process, lane.device) for lane in graph.lanes])


def _numbers(graph: DependencyGraph, keys: Sequence[object]) -> Longs:
    # Number the distinct keys of lanes, and return the number of each task's lane.
    number = {key: index for index, key in enumerate(dict.fromkeys(keys))}
    return np.array([number[key] for key in keys] or [0], np.int64)[graph.lane]


def step_numbers(graph: DependencyGraph, *, within: bool = False) -> Longs:
    """Return the number of each task's step, from 1; 0 before the first step, ``marked_steps`` + 1 after the last.

    A device task belongs to the step of its launch; without a recorded launch, ``launched_like`` decides. A task
    without measured time belongs to the step of the previous task. Without marked steps, a step begins at the first
    forward task after a backward pass (and after the parameter update, if there is one).

    Args:
        within: True puts a task between two marked steps after the last step; False puts it into the earlier one.
    """
    times, launch = _times(graph), launches(graph)
    times = np.where(launch != NONE, times[launch], times)
    begins = _begins(graph, times)
    recorded = np.flatnonzero(np.isin(graph.kind, ON_DEVICE) & ~np.isnan(graph.figures("measured_start_ns")))
    launched, lane = launch[recorded] != NONE, graph.lane[recorded]
    like = launched_like(times[recorded], launched, devices(graph)[recorded], lane, begins)
    times[recorded] = np.where(like == NONE, -np.inf, times[recorded[like]])
    numbers: Longs = np.searchsorted(begins, times, side="right").astype(np.int64)
    if marked_steps(graph):
        starts, ends = np.array(sorted(graph.steps)).T
        numbers[times >= ends.max()] = len(begins) + 1
        last = np.concatenate([[np.inf], np.maximum.accumulate(ends)])
        if within:
            numbers[times > last[np.searchsorted(starts, times, side="right")]] = len(begins) + 1
    return numbers


def has_steps(graph: DependencyGraph) -> bool:
    """Return whether tasks can be assigned to steps: the graph marks steps, and tasks have measured times."""
    return bool(graph.steps) and "measured_start_ns" in graph.attributes


def marked_steps(graph: DependencyGraph) -> int:
    """Return how many steps the graph's trace marks; a step that several ranks mark counts once."""
    return len(_marked(graph))


def launched_like(times: Any, launched: Mask, device: Longs, lane: Ints, begins: Any) -> Longs:
    """Return for each device task the task whose launch time decides its step: mostly itself.

    A task without a recorded launch takes the last task before it on its stream that has one, since streams work in the
    order of launches. If there is none, the first recorded launch of the stream counts: if it is before the second
    step, the host ran ahead when recording began, and the result is ``NONE`` (before all steps). Otherwise the result
    is the last task on the device with a recorded launch, or else the task itself.

    Args:
        times: time of the launch of each task; tasks are sorted by their own starts.
        launched: whether the launch of each task was recorded.
        device: number of each task's device.
        lane: number of each task's stream.
        begins: starts of the steps, ascending.
    """
    rows = np.arange(len(times))
    like = rows.copy()
    for same in split_by(device, rows):
        if launched[same].any():
            like[same] = _last(same, launched[same])
    for same in split_by(lane, rows):
        if launched[same].any():
            if np.searchsorted(begins, times[same[launched[same].argmax()]], side="right") <= 1:
                like[same] = NONE
            before = _last(same, launched[same])
            like[same] = np.where(before == NONE, like[same], before)
    return np.where(launched, rows, like)


def _last(rows: Longs, chosen: Mask) -> Longs:
    # Return for each row the last chosen row up to it, itself included, or ``NONE``.
    return np.maximum.accumulate(np.where(chosen, rows, NONE))


def _times(graph: DependencyGraph) -> Floats:
    # Return the measured start of each task, or that of the previous task in the table if it has none.
    starts = graph.figures("measured_start_ns")
    rows = np.arange(len(graph))
    if np.isnan(starts).all():
        return rows.astype(np.float64)
    measured = ~np.isnan(starts)
    before = _last(rows, measured)
    return starts[np.where(before == NONE, measured.argmax(), before)]


def _marked(graph: DependencyGraph) -> Floats:
    # Return the start times of the marked steps, ascending; empty if no steps are marked.
    if not has_steps(graph):
        return np.empty(0, np.float64)
    starts = np.unique([start for start, _ in graph.steps]).astype(np.float64)
    near = _TOGETHER * min(end - start for start, end in graph.steps)
    return starts[np.concatenate([[True], np.diff(starts) > near])]


def _begins(graph: DependencyGraph, times: Floats) -> Floats:
    # Return the start times of the steps, ascending.
    marked = _marked(graph)
    if len(marked):
        return marked
    rows = np.flatnonzero(graph.phase != Phase.NONE)
    host = rows[np.isin(graph.kind[rows], ON_HOST)]
    if np.isin(graph.phase[host], (Phase.BACKWARD, Phase.UPDATE)).any():
        rows = host
    rows = rows[np.argsort(times[rows], kind="stable")]
    starts: list[float] = []
    backward, before = False, int(Phase.NONE)
    last = Phase.UPDATE if (graph.phase == Phase.UPDATE).any() else Phase.BACKWARD
    for row, phase in zip(rows.tolist(), graph.phase[rows].tolist(), strict=True):
        if phase == Phase.FORWARD and before == last and backward:
            starts.append(float(times[row]))
            backward = False
        backward |= phase == Phase.BACKWARD
        before = phase
    return np.array(starts, np.float64)


def before_on_lane(graph: DependencyGraph) -> Longs:
    """Return for each task the previous task on its thread or stream, or ``NONE``."""
    previous = np.full(len(graph), NONE, np.int64)
    for rows in by_lane(graph, np.arange(len(graph))):
        previous[rows[1:]] = rows[:-1]
    return previous


def server_steps(graph: DependencyGraph) -> list[ServingStep | None]:
    """Return phase and tokens of each step of an inference server, parsed from step names; None for other names."""
    return [serving_step(name) for name in graph.step_names] if len(graph.step_names) == len(graph.steps) else []


def in_phases(graph: DependencyGraph, *phases: str) -> Mask:
    """Return a boolean array over all tasks: whether a task is in a server's step of a phase such as ``decode``."""
    steps = server_steps(graph)
    return _by_step(graph, [step is not None and step.phase in phases for step in steps]) == 1


def tokens_of(graph: DependencyGraph) -> Floats:
    """Return for each task how many tokens the server processes in the task's step; NaN if unknown."""
    steps = server_steps(graph)
    return _by_step(graph, [np.nan if step is None or step.tokens is None else step.tokens for step in steps])


def _by_step(graph: DependencyGraph, values: Sequence[float]) -> Floats:
    # Return for each task the value of its step; NaN outside of the marked steps.
    if not values:
        return np.full(len(graph), np.nan)
    numbers = step_numbers(graph)
    return np.array([np.nan, *values], np.float64)[np.where(numbers <= len(values), numbers, 0)]


def one_of_each_layer(graph: DependencyGraph, rows: Longs) -> Longs:
    """Return the kernels ``rows`` without those that directly follow a kernel of another name in the same layer."""
    previous = before_on_lane(graph)[rows]
    helps = np.isin(previous, rows) & (graph.layer[previous] == graph.layer[rows]) & (graph.layer[rows] != NONE)
    return rows[~(helps & (graph.task_name[previous] != graph.task_name[rows]))]


def of_pytorch(graph: DependencyGraph) -> bool:
    """Return whether the operators in a dependency graph are those of PyTorch, such as ``aten::mm``."""
    return any("::" in name for name in graph.operators)


def other_runtime(graph: DependencyGraph) -> str:
    """Return the name of the runtime that executed a graph's layers; empty if it is onnxruntime or unknown."""
    name = "PyTorch" if of_pytorch(graph) else graph.runtime
    return "" if name == ONNXRUNTIME else name
