"""Answers to what-if questions (times before and after, gain, interval, explanation), and advice, which ranks answers.

Advice tries each transform that needs no further input, and ranks the transforms by the lower bound of their gain. A
transform that was never validated on the graph's kind of device gets the largest error of the validated ones.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.units import format_ns
from dlbricks.whatif.explain import (
    WORDS,
    PhaseTime,
    busy_times,
    explain,
    phase_times,
    sentence,
    shares_of_steps,
    step_times,
)
from dlbricks.whatif.graph import DependencyGraph, Schedule, TaskKind
from dlbricks.whatif.select import has_steps, of_pytorch, on_device
from dlbricks.whatif.simulate import replay, run
from dlbricks.whatif.transform import (
    Interval,
    Transform,
    Values,
    all_errors,
    apply_all,
    backtested,
    device_of,
    errors_on,
    interval_of,
    naming,
    other_device_notes,
    range_of,
    read_step,
)
from dlbricks.whatif.work import UnknownKernel, unknown_kernels

# End of the note on work that leaves the critical path and gains little.
OTHER_PATH = "another path or another step is nearly as long"
# End of the note on a device that is busy for longer than the host's step.
DEVICE_COUNTS = "the device time counts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time that a dependency graph of tasks takes, and the breakdown of this time."""

    time_ns: int
    """Time per step, ns: the median time on the host, or if longer the median busy time of the busiest device. For a
    graph without steps, the makespan."""
    steps_ns: tuple[int, ...]
    """Host time of each step."""
    busy_ns: int
    """Median busy time of the busiest device per step, ns, including gaps between its tasks; 0 without steps."""
    makespan_ns: int
    explanation: str
    """Where the time goes, for example ``host 97 %: Python 60, loading 37; kernels 3 %``; without a device, by
    operator: ``Conv 88 %, Gemm 4 %``."""
    shares_ns: Mapping[str, int]
    """Time by category, ns, on the critical path of the median step; without steps, of the whole graph. If a device is
    busy for longer than the step on the host, the busy time of the device counts instead."""
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer to a what-if question: the time of a run before and after some changes, and the gain."""

    name: str
    """Name of the traced run or network."""
    applied: tuple[str, ...]
    """Changes (transforms) with their parameters, in order."""
    unit: str
    """What ``time_ns`` measures: ``step`` or ``whole``."""
    before: Timing
    after: Timing
    gain: float
    """Share of the time that is saved, negative for a slowdown; per input if the batch size changes."""
    gain_low: float | None
    """Lower bound of the gain, from the errors of predicted times; None if an error is unknown."""
    gain_high: float | None
    """Upper bound of the gain; None if an error is unknown."""
    inputs: float
    """Ratio of inputs per step after and before the changes: 8 if batch size 1 became 8."""
    interval: Interval | None
    """Interval of the time after the changes; None if the error of a prediction is unknown."""
    unknown: tuple[UnknownKernel, ...]
    """Kernels of the measured run whose names tell no class of work, longest first."""
    phases: tuple[PhaseTime, ...]
    """Times by phase (prefill, decode) of an inference server, longest total first; empty for other traces."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailedAnswer:
    """An answer with the graphs and schedules that it was computed from."""

    answer: Answer
    graphs: tuple[DependencyGraph, DependencyGraph]
    """The dependency graphs before and after the changes."""
    schedules: tuple[Schedule, Schedule]


# A note reports a larger relative difference, between the replay and the recording, or by which a loss was bounded.
_REPLAYED_WITHIN = 0.005
# A note reports work that leaves the critical path with little gain, if it is more than this share of the time
_NOTED = 0.02
# and more than this many times the gain.
_MOSTLY = 2


def ask(
    graph: DependencyGraph,
    steps: Sequence[tuple[Transform, Values]],
    known_errors: tuple[tuple[float, ...], str] | None = None,
    *,
    before_error: float = 0.0,
    earlier: DetailedAnswer | None = None,
) -> DetailedAnswer:
    """Return how a sequence of changes (transforms) would change the time of a run, given as a dependency graph.

    Args:
        known_errors: relative error of each transform's prediction, and their source; None if any is unknown.
        before_error: relative error of the time before the transforms, if that time is an estimate. This error widens
            the interval of the time after the transforms, but not the interval of the gain.
        earlier: another answer about the same graph; its replay before the transforms is reused.

    Raises:
        InputError: the graph takes no time, or ``transform.apply_all`` refuses a transform.
    """
    transforms, device = [transform for transform, _ in steps], device_of(graph)
    before = replay(graph) if earlier is None else earlier.schedules[0]
    applied = apply_all(graph, steps)
    own = [transform for transform in transforms if transform.file]
    with naming(own[-1]) if own else nullcontext():
        after = run(applied.graph, applied.policy)
    first = timing(graph, before) if earlier is None else earlier.answer.before
    if not first.time_ns:
        raise InputError(f"{graph.name} takes no time, so nothing can be gained: record a trace with work")
    second, uneven = bounded_loss(first, timing(applied.graph, after), _more_device_ns(graph, applied.graph))
    # only a transform with the parameters `batch` and `from`, which sets the batch size, changes the inputs of a step
    sized = {"batch", "from"}
    inputs = math.prod(values["batch"] / values["from"] if sized <= set(values) else 1.0 for _, values in steps)
    low = high = interval = None
    if known_errors is not None:
        errors, source = known_errors
        alone = interval_of(second.time_ns, errors, source)
        low, high = (1 - time_ns / inputs / first.time_ns for time_ns in (alone.high_ns, alone.low_ns))
        source = f"the estimate and {source}" if before_error else source
        interval = interval_of(second.time_ns, (before_error, *errors), source)
    answer = Answer(
        name=graph.name,
        applied=tuple(describe(transform, values) for transform, values in steps),
        unit="step" if first.steps_ns else "whole",
        before=first,
        after=second,
        gain=1 - second.time_ns / inputs / first.time_ns,
        gain_low=low,
        gain_high=high,
        inputs=inputs,
        interval=interval,
        unknown=unknown_kernels(graph),
        phases=phase_times((graph, before), (applied.graph, after), inputs),
        notes=(
            *_replay_error_note(graph, before),
            *_device_bound_note(first, second),
            *uneven,
            *_other_path_note(first, second),
            *other_device_notes(transforms, device),
            *applied.graph.notes,
        ),
    )
    return DetailedAnswer(answer=answer, graphs=(graph, applied.graph), schedules=(before, after))


def timing(graph: DependencyGraph, schedule: Schedule) -> Timing:
    """Return the time that a dependency graph takes under a schedule, and the breakdown of this time."""
    steps: tuple[int, ...] = ()
    busy_ns, time_ns = 0, schedule.makespan_ns
    if has_steps(graph):
        host, busy = step_times(graph, schedule), busy_times(graph, schedule)
        steps, busy_ns = tuple(host.tolist()), round(float(np.median(busy))) if len(busy) else 0
        time_ns = max(round(float(np.median(host))), busy_ns)
    shares = shares_of_steps(graph, schedule) if steps else explain(graph, schedule).shares_ns
    return Timing(
        time_ns=time_ns,
        steps_ns=steps,
        busy_ns=busy_ns,
        makespan_ns=schedule.makespan_ns,
        explanation=sentence(shares),
        shares_ns=shares,
        tasks=len(graph),
    )


def _more_device_ns(before: DependencyGraph, after: DependencyGraph) -> int:
    # Return the device time per step that the transforms add, ns, summed over the streams that get longer.
    sums: list[Counter[Lane]] = []
    for graph in (before, after):
        rows = on_device(graph)
        each = np.bincount(graph.lane[rows], weights=graph.duration_ns[rows], minlength=len(graph.lanes))
        sums.append(Counter(dict(zip(graph.lanes, each.round().astype(np.int64).tolist(), strict=True))))
    return int((sums[1] - sums[0]).total() / max(1, len(before.steps)))


def bounded_loss(before: Timing, after: Timing, more_device_ns: int = 0) -> tuple[Timing, tuple[str, ...]]:
    """Return the predicted time ``after`` a change, limited to a plausible slowdown; and notes on the limit.

    Args:
        before: timing of the measured graph.
        after: timing of the edited graph.
        more_device_ns: device time per step that the transforms added.
    """
    # Threads without recorded dependencies keep their measured pace, so a faster host waits for them in other steps
    # than before. The median step may then get longer although no task does. So may the busy time of a device, as its
    # streams overlap less.
    if not before.steps_ns:
        return after, ()
    lost_ns = float(np.mean(after.steps_ns) - np.mean(before.steps_ns))
    most_ns = before.time_ns + round(max(0.0, lost_ns, more_device_ns))
    if after.time_ns <= most_ns:
        return after, ()
    text = f"steps are uneven: the mean step's loss limits the time; the median step takes {format_ns(after.time_ns)}"
    notes = (text,) if after.time_ns > (1 + _REPLAYED_WITHIN) * most_ns else ()
    return replace(after, time_ns=most_ns), notes


def _device_bound_note(before: Timing, after: Timing) -> tuple[str, ...]:
    # Return a note if a device is busy for longer per step than the host.
    late = [
        f"{format_ns(round(float(np.median(timing.steps_ns))))} {when}"
        for when, timing in (("before", before), ("after", after))
        if timing.steps_ns and timing.busy_ns > np.median(timing.steps_ns)
    ]
    host = " and ".join(late)
    return (f"a device is busy for longer than the host's step ({host}): {DEVICE_COUNTS}",) if late else ()


def _other_path_note(before: Timing, after: Timing) -> tuple[str, ...]:
    # Return a note if the critical path loses much more work than the step loses time.
    words = [word for kind, word in WORDS.items() if kind != TaskKind.SYNCHRONISATION]
    less = {word: before.shares_ns.get(word, 0) - after.shares_ns.get(word, 0) for word in words}
    word, saved_ns = max(less.items(), key=lambda item: item[1])
    if saved_ns <= _NOTED * before.time_ns or saved_ns <= _MOSTLY * (before.time_ns - after.time_ns):
        return ()
    return (f"{word}: time on the critical path falls by {format_ns(saved_ns)}, but {OTHER_PATH}",)


def _replay_error_note(graph: DependencyGraph, replayed: Schedule) -> tuple[str, ...]:
    # Return a note if the replay of the unchanged graph differs from the recording.
    starts, ends = graph.figures("measured_start_ns"), graph.figures("measured_end_ns")
    measured = np.flatnonzero(~np.isnan(ends))
    if not len(measured):
        return ()
    recorded = ends[measured].max() - starts[measured].min()
    took = replayed.end_ns[measured].max() - replayed.start_ns[measured].min()
    if abs(took - recorded) <= _REPLAYED_WITHIN * recorded:
        return ()
    off = np.abs(replayed.end_ns[measured] - ends[measured]) > _REPLAYED_WITHIN * recorded
    first = int(measured[off.argmax()])
    differs = f"the replay differs from the recording by {took / recorded - 1:+.1%}"
    return (f"{differs}: the trace lacks dependencies from task {first} ({graph.named(first)}) on",)


def describe(transform: Transform, values: Values) -> str:
    """Return a change with its parameters as text, for example ``set-time:time=1.4 ms,kind=data``."""
    kinds = {parameter.name: parameter.kind for parameter in transform.parameters}
    parameters = ",".join(
        f"{key}={value if isinstance(value, str) else _FORMATS.get(kinds.get(key, ''), '{:.6g}'.format)(value)}"
        for key, value in values.items()
        if value != ""
    )
    return f"{transform.name}:{parameters}" if parameters else transform.name


_FORMATS: Mapping[str, Callable[[float], str]] = {
    "time": format_ns,
    "rate": lambda value: f"{value / 1e9:.4g} GB/s",
    "size": lambda value: f"{value / 1e6:.4g} MB",
}


# The other number of threads that advice tries.
THREADS = "threads:2"
# Transforms that advice tries, in this order.
CANDIDATES = (
    "data-loader:4", "pinned-memory", "fuse", "reconstruct-bn", "attention", "layout", "amp:dtype=bfloat16", "amp",
    "bf16", "fp16", "fp8", "int8", "fused-adam", "fused-optimizer", THREADS, "mem-reuse:off", "cuda-graphs",
)  # fmt: skip
# Transforms that are tried only if another one cannot be applied: float16 and bfloat16 take the same time.
_INSTEAD = {"amp": "amp:dtype=bfloat16", "fp16": "bf16"}
# Smaller gains are not reported, since they lie within the error of a replay.
_LEAST = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A recommended change (transform) with its predicted gain."""

    apply: tuple[str, ...]
    """Arguments of the option ``--apply``."""
    titles: tuple[str, ...]
    """Descriptions of the changes."""
    gain: float
    """Share of the time that is saved."""
    gain_low: float
    """Lower bound of the gain; a change that was never validated gets the largest error of all validated ones."""
    gain_high: float
    time_ns: int
    """Time after the change, ns."""
    checked: bool
    """Whether predictions of this change were validated by measurements on this kind of device."""
    rests_on: str
    """Source of the prediction's error, from which the bounds follow; if never validated, a sentence that says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceReport:
    """Changes that would speed up a run, ranked by the lower bound of their gain."""

    name: str
    device: str
    """Kind of device: ``GPU``, ``processor`` (with onnxruntime), or ``processor with NAME`` for another runtime."""
    time_ns: int
    """Time before the changes, ns."""
    advice: tuple[Advice, ...]
    """Changes with a gain, the largest lower bound first."""
    without_gain: tuple[str, ...]
    """Changes without a gain."""
    refused: Mapping[str, str]
    """Why a change cannot be applied, by the name of the change."""
    notes: tuple[str, ...]
    """Notes on assumptions about the run."""


def advise(graph: DependencyGraph, transforms: Mapping[str, Transform]) -> tuple[AdviceReport, DetailedAnswer | None]:
    """Predict the gain of all changes that need no further input, and rank the changes.

    Args:
        transforms: all changes by name; those of users' files are tried if they require no parameter.

    Returns:
        The ranking, and the answer for the best change, or None if no change saves time.

    Raises:
        InputError: the graph takes no time.
    """
    before = ask(graph, [])
    own = [
        transform.name
        for transform in transforms.values()
        if transform.file and all(parameter.default for parameter in transform.parameters)
    ]
    refused: dict[str, str] = {}
    answers: dict[str, DetailedAnswer] = {}
    advice: dict[str, Advice] = {}
    for text in (*CANDIDATES, *own):
        if text == THREADS and of_pytorch(graph):
            refused[text] = "traces of PyTorch do not record the number of threads: set both, as in threads:N,from=M"
        elif _INSTEAD.get(text) not in answers:
            try:
                step = read_step(text, transforms)
                answers[text] = ask(graph, [step], all_errors([step[0]], device_of(graph)), earlier=before)
            except InputError as error:
                refused[text] = str(error).rpartition(f"{graph.name}: ")[2]
            else:
                if answers[text].answer.gain >= _LEAST:
                    advice[text] = _advice(graph, answers[text].answer, text, step[0])
    ranked = sorted(advice, key=lambda text: (-advice[text].gain_low, -advice[text].gain, text))
    report = AdviceReport(
        name=graph.name,
        device=device_of(graph),
        time_ns=before.answer.before.time_ns,
        advice=tuple(advice[text] for text in ranked),
        without_gain=tuple(text for text in answers if text not in advice),
        refused=refused,
        notes=before.answer.notes,
    )
    return report, answers[ranked[0]] if ranked else None


def _advice(graph: DependencyGraph, answer: Answer, text: str, transform: Transform) -> Advice:
    # Return an answer as advice; an unvalidated transform gets the largest error of the validated ones.
    device, low, high = device_of(graph), answer.gain_low, answer.gain_high
    if low is None or high is None:
        every = [error for some in backtested().values() for error in some]
        worst = max(error.error for error in [error for error in every if error.device == device] or every)
        shortest, longest = range_of([worst])
        low, high = (1 - (1 - answer.gain) * bound for bound in (longest, shortest))
    known_error = errors_on([transform], device).get(transform.name)
    return Advice(
        apply=(text,),
        titles=(transform.title,),
        gain=answer.gain,
        gain_low=low,
        gain_high=high,
        time_ns=answer.after.time_ns,
        checked=known_error is not None,
        rests_on=known_error.source if known_error else f"{transform.name} was not validated on a {device}",
    )
