"""Answers to what-if questions (times before and after, gain, interval, explanation), and advice, which ranks answers.

Kernels and host get separate answers, since the errors of their predictions differ. Advice tries each transform without
required parameters. Those that were back-tested on the graph's kind of trace come first, by lower bound of the gain.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.units import format_ns
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.evidence import (
    GPU,
    HOST,
    KERNELS,
    STEP,
    Interval,
    Questions,
    check_evidence,
    device_of,
    errors_by_kind,
    errors_of,
    evidence_on,
    interval_of,
    kind_of,
    other_kinds_note,
    refuted,
)
from dlbricks.whatif.explain import (
    WORDS,
    PhaseTime,
    busy_times,
    explain,
    kernel_time,
    phase_times,
    sentence,
    shares_of_steps,
    step_times,
)
from dlbricks.whatif.graph import DependencyGraph, Schedule, TaskKind
from dlbricks.whatif.select import has_steps, on_device
from dlbricks.whatif.simulate import Policy, replay, run
from dlbricks.whatif.transform import Applied, Transform, Values, apply_all, naming, read_step, resolved
from dlbricks.whatif.work import UnknownKernel, unknown_kernels

# End of the note on work that leaves the critical path and gains little.
OTHER_PATH = "another path or another step is nearly as long"
# End of the note on a device that is busy for longer than the host's step.
DEVICE_COUNTS = "the device time counts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time that a dependency graph of tasks takes, and the breakdown of this time."""

    time_ns: int
    """Time per step, ns: the median time on the host or the median busy time of the busiest device, whichever is
    longer. For a graph without steps, it is the makespan."""
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
class PartTime:
    """Time of a part of the work, such as the kernels of a step, before and after some changes."""

    before_ns: int
    after_ns: int
    gain: float
    """Share of the part's time that is saved, per input if the batch size changes. Unknown bounds are None."""
    gain_low: float | None
    gain_high: float | None
    interval: Interval | None
    """Interval of the time after the changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer to a what-if question: the time of a run before and after some changes, and the gain."""

    name: str
    """Name of the traced run or network."""
    kind: str
    """Kind of the trace and the changes, for example ``training on NVIDIA GPUs``; of several changes the most special.
    It decides which back-tests count as evidence."""
    applied: tuple[str, ...]
    """Changes (transforms) with their parameters, in order."""
    assumed: str = ""
    """What was assumed about the run, with the remedy; then there are no intervals."""
    threads: int | None = None
    """Number of threads that ran the layers of a network; None if unknown, and for a device."""
    measured: "Advice | None" = None
    """The same change as the system's own results compose it; None without results of that number of threads."""
    unit: str
    """What ``time_ns`` measures: ``step``, ``call`` or ``whole``."""
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
    """Interval of the time after the changes; None if the error of a prediction or estimate is unknown."""
    kernels: PartTime | None
    """Summed time of a step's kernels; None without a device, or if the changes leave it as it is."""
    host: PartTime | None
    """How long a step would take if its work on the device took no time; None without a device."""
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
    *,
    earlier: DetailedAnswer | None = None,
) -> DetailedAnswer:
    """Return how a sequence of changes (transforms) would change the time of a run, given as a dependency graph.

    Args:
        earlier: another answer about the same graph; its replay before the transforms is reused.

    Raises:
        InputError: the graph takes no time, or ``apply_all`` or ``check_evidence`` refuses a transform.
    """
    steps, assumed = resolved(graph, steps)
    questions = [(transform.name, kind_of(graph, values)) for transform, values in steps]
    before = replay(graph) if earlier is None else earlier.schedules[0]
    applied = apply_all(graph, steps)
    for name, kind in questions:
        check_evidence(name, kind)
    own = [transform for transform, _ in steps if transform.file]
    with naming(own[-1]) if own else nullcontext():
        after = run(applied.graph, applied.policy)
    first = timing(graph, before) if earlier is None else earlier.answer.before
    if not first.time_ns:
        raise InputError(f"{graph.name} takes no time, so nothing can be gained: record a trace with work")
    second, uneven = bounded_loss(first, timing(applied.graph, after), _more_device_ns(graph, applied.graph))
    # only a transform with the parameters `batch` and `from`, which sets the batch size, changes the inputs of a step
    sized = {"batch", "from"}
    inputs = math.prod(values["batch"] / values["from"] if sized <= set(values) else 1.0 for _, values in steps)
    checked = [] if assumed else questions  # nothing tells how far an assumption is off
    kernels, host = _parts(graph, applied, checked, inputs, None if earlier is None else earlier.answer.host)
    waits = host is not None and (not host.before_ns or (host.interval and host.interval.high_ns < second.busy_ns))
    step = _part(first.time_ns, second.time_ns, inputs, errors_of(checked, STEP, device_alone=bool(waits)))
    answer = Answer(
        name=graph.name,
        kind=max((kind for _, kind in questions), key=len, default=kind_of(graph)),
        applied=tuple(describe(transform, values) for transform, values in steps),
        assumed=assumed,
        threads=graph.threads,
        # a profile's calls are named like its network
        unit="whole" if not first.steps_ns else "call" if {*graph.step_names} == {graph.name} else "step",
        before=first,
        after=second,
        gain=step.gain,
        gain_low=step.gain_low,
        gain_high=step.gain_high,
        inputs=inputs,
        interval=step.interval,
        kernels=kernels,
        host=host,
        unknown=unknown_kernels(graph),
        phases=phase_times((graph, before), (applied.graph, after), inputs),
        notes=(
            *replay_error_note(graph, before),
            *_device_bound_note(first, second),
            *uneven,
            *_other_path_note(first, second),
            *filter(None, itertools.starmap(other_kinds_note, questions)),
            *applied.graph.notes,
        ),
    )
    return DetailedAnswer(answer=answer, graphs=(graph, applied.graph), schedules=(before, after))


def _part(before_ns: int, after_ns: int, inputs: float, known_errors: tuple[tuple[float, ...], str] | None) -> PartTime:
    interval = None if known_errors is None else interval_of(after_ns, *known_errors)
    low, high = (None, None) if interval is None else (interval.high_ns, interval.low_ns)
    gain, gain_low, gain_high = (
        None if time_ns is None or not before_ns else 1 - time_ns / inputs / before_ns
        for time_ns in (after_ns, low, high)
    )
    return PartTime(
        before_ns=before_ns,
        after_ns=after_ns,
        gain=gain or 0.0,
        gain_low=gain_low,
        gain_high=gain_high,
        interval=interval,
    )


def _parts(
    graph: DependencyGraph, applied: Applied, questions: Questions, inputs: float, earlier: PartTime | None
) -> tuple[PartTime | None, PartTime | None]:
    # Return the parts of a step on the device and on its host; None for kernels that stay as they are. ``earlier`` is
    # the part of the host in another answer about the same graph.
    if device_of(graph) != GPU:
        return None, None
    kernels = _part(kernel_time(graph), kernel_time(applied.graph), inputs, errors_of(questions, KERNELS))
    before_ns = host_time(graph) if earlier is None else earlier.before_ns
    after_ns = before_ns if applied.graph is graph else host_time(applied.graph, applied.policy)
    host = _part(before_ns, after_ns, inputs, errors_of([("", kind_of(graph))], HOST) if questions else None)
    return kernels if abs(kernels.gain) >= _REPLAYED_WITHIN else None, host


def host_time(graph: DependencyGraph, policy: Policy | None = None) -> int:
    """Return how long a step would take, ns, if its work on the device took no time; 0 without host tasks."""
    rows = on_device(graph)
    if len(rows) == len(graph):
        return 0
    idle = scaled(graph, rows, 0.0, gaps=True)
    return timing(idle, run(idle, policy)).time_ns


def timing(graph: DependencyGraph, schedule: Schedule) -> Timing:
    """Return the time that a dependency graph takes under a schedule, and the breakdown of this time."""
    steps, busy_ns, time_ns = tuple[int, ...](), 0, schedule.makespan_ns
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
    text = f"a device with its gaps takes longer than the host ({' and '.join(late)}): {DEVICE_COUNTS}"
    return (text,) if late else ()


def _other_path_note(before: Timing, after: Timing) -> tuple[str, ...]:
    # Return a note if the critical path loses much more work than the step loses time, and the step gets no longer.
    words = [word for kind, word in WORDS.items() if kind != TaskKind.SYNCHRONISATION]
    less = {word: before.shares_ns.get(word, 0) - after.shares_ns.get(word, 0) for word in words}
    word, saved_ns = max(less.items(), key=lambda item: item[1])
    slower = after.time_ns > (1 + _REPLAYED_WITHIN) * before.time_ns
    if slower or saved_ns <= _NOTED * before.time_ns or saved_ns <= _MOSTLY * (before.time_ns - after.time_ns):
        return ()
    return (f"{word}: time on the critical path falls by {format_ns(saved_ns)}, but {OTHER_PATH}",)


def replay_error_note(graph: DependencyGraph, replayed: Schedule) -> tuple[str, ...]:
    """Return a note if the replay of the unchanged graph differs from the recording."""
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
    "mem-reuse:off", "data-loader:4", "pinned-memory", "fuse", "reconstruct-bn", "attention", "layout",
    "amp:dtype=bfloat16", "amp", "bf16", "fp16", "fp8", "int8", "fused-adam", "fused-optimizer", THREADS,
    "cuda-graphs",
)  # fmt: skip
# Transforms that are tried only if another one cannot be applied: float16 and bfloat16 take the same time.
_INSTEAD = {"amp": "amp:dtype=bfloat16", "fp16": "bf16"}
# Smaller gains are not reported, since they lie within the error of a replay.
_LEAST = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A recommended change (transform) with its predicted gain."""

    apply: tuple[str, ...]
    """Arguments of the option ``--apply``; empty if the advice is another measured configuration of the system."""
    titles: tuple[str, ...]
    """Descriptions of the changes."""
    gain: float
    """Share of the time that is saved."""
    gain_low: float | None
    """Lower bound of the gain; None if the change was not back-tested on this kind of trace. ``gain_high`` likewise."""
    gain_high: float | None
    time_ns: int
    """Time after the change, ns."""
    option: bool
    """Whether an option or another release of the runtime makes the change."""
    checked: bool
    """Whether predictions of this change were back-tested on this kind of trace."""
    rests_on: str
    """Evidence for the prediction's error; without back-tests on this kind of trace, what other evidence exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceReport:
    """Changes that would speed up a run, in the order that ``advice`` describes, and changes that would not."""

    name: str
    device: str
    """Kind of device: ``GPU``, ``processor`` (with onnxruntime), or ``processor with NAME`` for another runtime."""
    kind: str
    """Kind of the trace, for example ``training on NVIDIA GPUs``. It decides which back-tests count as evidence."""
    time_ns: int
    """Time before the changes, ns."""
    advice: tuple[Advice, ...]
    """Changes with a gain. Options of the runtime come first, then the others. In both groups, changes that were
    back-tested on this kind of trace come first, by the lower bound of the gain (or by the gain if that is below 0).
    The rest follows by gain, with the group ``paper`` last."""
    without_gain: tuple[str, ...]
    """Changes without a gain."""
    refused: Mapping[str, str]
    """Why a change cannot be applied, by the name of the change."""
    notes: tuple[str, ...]
    """Notes on assumptions about the run."""


def advise(
    graph: DependencyGraph, transforms: Mapping[str, Transform], measured: Sequence[Advice] = ()
) -> tuple[AdviceReport, DetailedAnswer | None]:
    """Predict the gain of all changes that need no parameter from the user, and rank the changes.

    Args:
        transforms: all changes by name; those of users' files are tried if they require no parameter.
        measured: other configurations of the same system, with or without a gain.

    Returns:
        The ranking, and the answer for the best change, or None if no change saves time.

    Raises:
        InputError: the graph takes no time.
    """
    before = ask(graph, [])
    own = [name for name, each in transforms.items() if each.file and all(item.default for item in each.parameters)]
    refused: dict[str, str] = {}
    answers: dict[str, DetailedAnswer] = {}
    advice: dict[str, Advice] = {}
    group: dict[str, str] = {}
    open_steps: list[str] = []
    for text in (*CANDIDATES, *own):
        if _INSTEAD.get(text) not in answers:
            try:
                step = read_step(text, transforms)
                answers[text] = ask(graph, [step], earlier=before)
            except InputError as error:
                refused[text] = str(error).rpartition(f"{graph.name}: ")[2]
            else:
                answer, errors = answers[text].answer, refuted(step[0].name, before.answer.kind)
                if answer.assumed:
                    refused[text] = answer.assumed
                    del answers[text]
                elif errors and answer.interval is None and answer.gain >= _LEAST:
                    refused[text] = f"it predicts the step no better than no change ({errors})"
                    open_steps.append(text)
                    del answers[text]
                elif answer.gain >= _LEAST:
                    advice[text], group[text] = _advice(answer, text, step[0]), step[0].group
    advice |= {each.titles[0]: each for each in measured if each.gain > 0}
    ranked = sorted(advice, key=lambda text: (*_place(advice[text], group.get(text, "")), text))
    notes, host = list(before.answer.notes), before.answer.host
    idle = [text for text in answers if text not in advice and answers[text].answer.kernels is not None]
    if idle and host and host.before_ns >= (1 - _REPLAYED_WITHIN) * before.answer.before.time_ns:
        notes.append(f"{', '.join(idle)}: only kernels change, and the step waits for the host")
    if open_steps:
        notes.append(f"{', '.join(open_steps)}: no answer for steps; --apply says what the kernels gain")
    report = AdviceReport(
        name=graph.name,
        device=device_of(graph),
        kind=kind_of(graph),
        time_ns=before.answer.before.time_ns,
        advice=tuple(advice[text] for text in ranked),
        without_gain=tuple(text for text in (*answers, *(each.titles[0] for each in measured)) if text not in advice),
        refused=refused,
        notes=tuple(notes),
    )
    return report, next((answers[text] for text in ranked if text in answers), None)


def _place(advice: Advice, group: str) -> tuple[bool, bool, bool, float, float]:
    # Return the sort key of advice: what users can switch on comes first, what only a paper describes last. A lower
    # bound below 0 says only that the change may lose, so the predicted gain decides among such changes.
    return not advice.option, not advice.checked, group == "paper", -max(advice.gain_low or 0.0, 0.0), -advice.gain


def _advice(answer: Answer, text: str, transform: Transform) -> Advice:
    interval = answer.interval if evidence_on(transform.name, answer.kind) else None
    kinds = [row.kind for row in errors_by_kind(transform.name) if row.of == STEP]
    instead = f", but for {', '.join(kinds)}" if kinds else f"; model: {transform.source}"
    return Advice(
        apply=(text,),
        titles=(transform.title,),
        gain=answer.gain,
        gain_low=answer.gain_low if interval else None,
        gain_high=answer.gain_high if interval else None,
        time_ns=answer.after.time_ns,
        option=transform.option,
        checked=interval is not None,
        rests_on=interval.source if interval else f"{transform.name} was not validated for {answer.kind}{instead}",
    )
