"""Selects tasks of a dependency graph by layer, phase, kind, name, lane, process or step, and pairs related tasks.

If a trace has no step marks, steps are found from the training phases (``step_numbers``). Steps of inference servers
are classified by their names (``in_phases``).
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

# Steps whose starts differ by less than this share of the shortest step are one step, recorded on several ranks.
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
    """Return the tasks that meet all conditions, in table order; what is left out, or empty, restricts nothing.

    Args:
        layer: case-sensitive glob for layer names, for example ``layer4.*``.
        name: case-insensitive regular expression, searched in task names.

    Raises:
        InputError: ``name`` is not a regular expression, or takes too long.
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
    # the names in which a regular expression is found, in a process of its own: it may backtrack for hours
    return read_apart(_search, (pattern, names), f"the regular expression '{pattern}'")


def _search(item: tuple[str, tuple[str, ...]]) -> frozenset[str]:
    pattern, names = item
    try:
        return frozenset(filter(re.compile(pattern, re.IGNORECASE).search, names))
    except re.error as error:
        raise InputError(f"invalid regular expression '{pattern}': {error}") from error


def of_name(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a mask of the tasks whose name satisfies ``fits``."""
    return _fitting(graph.task_name, graph.names, fits)


def of_layer(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a mask of the tasks whose layer name satisfies ``fits``."""
    return _fitting(graph.layer, graph.layers, fits)


def of_operator(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Return a mask of the tasks whose operator satisfies ``fits``."""
    return _fitting(graph.operator, graph.operators, fits)


def _fitting(column: Ints, texts: Sequence[str], fits: Callable[[str], Any]) -> Mask:
    return np.isin(column, [number for number, text in enumerate(texts) if fits(text)])


def unrecorded_launches(graph: DependencyGraph) -> Longs:
    """Return the calls that launch work on a device, if none of that work was recorded; else none."""
    return np.empty(0, np.int64) if len(on_device(graph)) else np.flatnonzero(of_name(graph, is_launch))


def on_device(graph: DependencyGraph) -> Longs:
    """Return all tasks that run on a device."""
    return select(graph, kinds=ON_DEVICE)


def by_lane(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split tasks by lane, in lane order, without empty groups."""
    return split_by(graph.lane[rows], rows)


def by_step(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split tasks by process and step, in table order, without empty groups."""
    return split_by(step_keys(graph)[rows], rows)


def step_keys(graph: DependencyGraph) -> Longs:
    """Return a number of process and step for each task."""
    steps = step_numbers(graph)
    return processes(graph) * (int(steps.max(initial=0)) + 1) + steps


def processes(graph: DependencyGraph) -> Longs:
    """Return the process number of each task."""
    return _numbers(graph, [lane.process for lane in graph.lanes])


def devices(graph: DependencyGraph) -> Longs:
    """Return a number of process and device of each task; the host counts as a device."""
    return _numbers(graph, [(lane.process, lane.device) for lane in graph.lanes])


def _numbers(graph: DependencyGraph, keys: Sequence[object]) -> Longs:
    """Number the distinct keys of lanes, and return the number of each task's lane."""
    number = {key: index for index, key in enumerate(dict.fromkeys(keys))}
    return np.array([number[key] for key in keys] or [0], np.int64)[graph.lane]


def step_numbers(graph: DependencyGraph, *, within: bool = False) -> Longs:
    """Return the step number of each task; 0 is before the first step, a number above ``marked_steps`` after the last.

    A device task belongs to the step of its launch. One whose launch was not recorded was launched between its
    neighbours on the stream: work ahead of the first recorded launch belongs to no step. A task without measured time
    belongs to the step of the previous task. Without marked steps, a step begins at the first forward task after a
    backward pass and its parameter update, if any.

    Args:
        within: whether what follows the end of a marked step counts as after the last one, not to that step.
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
    """Return whether steps are marked, and tasks have measured times that tell theirs."""
    return bool(graph.steps) and "measured_start_ns" in graph.attributes


def marked_steps(graph: DependencyGraph) -> int:
    """Return the number of marked steps, those of several ranks counted once; 0 if steps have to be found."""
    return len(_marked(graph))


def launched_like(times: Any, launched: Mask, device: Longs, lane: Ints, begins: Any) -> Longs:
    """Return the device task with whose launch each counts: its own, if recorded or none was, else of one before it.

    A stream works in the order of launches, so that is the task before it on its stream. Ahead of the first one it is
    ``NONE``, before all steps, if that was launched before the second step, since a host that runs ahead leaves work
    behind when recording begins. Otherwise the last launched task of the device that started before counts, on any
    stream.

    Args:
        times: of the launches, of tasks in the order of their starts.
        launched: whether the launch of each was recorded.
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
    """Return the last chosen row up to each row, ``NONE`` without one."""
    return np.maximum.accumulate(np.where(chosen, rows, NONE))


def _times(graph: DependencyGraph) -> Floats:
    """Return the measured start of each task, or that of the previous task in the table if it has none."""
    starts = graph.figures("measured_start_ns")
    rows = np.arange(len(graph))
    if np.isnan(starts).all():
        return rows.astype(np.float64)
    measured = ~np.isnan(starts)
    before = _last(rows, measured)
    return starts[np.where(before == NONE, measured.argmax(), before)]


def _marked(graph: DependencyGraph) -> Floats:
    """Return the start times of the marked steps, ascending; empty without any."""
    if not has_steps(graph):
        return np.empty(0, np.float64)
    starts = np.unique([start for start, _ in graph.steps]).astype(np.float64)
    near = _TOGETHER * min(end - start for start, end in graph.steps)
    return starts[np.concatenate([[True], np.diff(starts) > near])]


def _begins(graph: DependencyGraph, times: Floats) -> Floats:
    """Return the start times of the steps, ascending."""
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
    """Return the previous task on the lane of each task, or ``NONE``."""
    previous = np.full(len(graph), NONE, np.int64)
    for rows in by_lane(graph, np.arange(len(graph))):
        previous[rows[1:]] = rows[:-1]
    return previous


def server_steps(graph: DependencyGraph) -> list[ServingStep | None]:
    """Return what each step's name tells of an inference server's step; an empty list if steps have no names."""
    return [serving_step(name) for name in graph.step_names] if len(graph.step_names) == len(graph.steps) else []


def in_phases(graph: DependencyGraph, *phases: str) -> Mask:
    """Return a mask of the tasks in steps of these phases of an inference server, for example ``decode``."""
    steps = server_steps(graph)
    return _by_step(graph, [step is not None and step.phase in phases for step in steps]) == 1


def tokens_of(graph: DependencyGraph) -> Floats:
    """Return the number of tokens that the step of each task processes, NaN if unknown."""
    steps = server_steps(graph)
    return _by_step(graph, [np.nan if step is None or step.tokens is None else step.tokens for step in steps])


def _by_step(graph: DependencyGraph, values: Sequence[float]) -> Floats:
    """Return the value of each task's step, NaN outside of the marked steps."""
    if not values:
        return np.full(len(graph), np.nan)
    numbers = step_numbers(graph)
    return np.array([np.nan, *values], np.float64)[np.where(numbers <= len(values), numbers, 0)]


def one_of_each_layer(graph: DependencyGraph, rows: Longs) -> Longs:
    """Drop auxiliary kernels: same layer as the previous kernel on the lane, but another name."""
    previous = before_on_lane(graph)[rows]
    helps = np.isin(previous, rows) & (graph.layer[previous] == graph.layer[rows]) & (graph.layer[rows] != NONE)
    return rows[~(helps & (graph.task_name[previous] != graph.task_name[rows]))]


def of_pytorch(graph: DependencyGraph) -> bool:
    """Return whether the operators are PyTorch's, as in ``aten::mm``; its traces do not tell the number of threads."""
    return any("::" in name for name in graph.operators)


def other_runtime(graph: DependencyGraph) -> str:
    """Return the name of the runtime that executed the layers if it is known not to be onnxruntime, else nothing."""
    name = "PyTorch" if of_pytorch(graph) else graph.runtime
    return "" if name == ONNXRUNTIME else name
