"""The answer to a what-if question: before, after, gain, how sure it is, and why."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from dlbricks.errors import InputError
from dlbricks.units import format_ns
from dlbricks.whatif.explain import (
    LaneUse,
    PhaseTime,
    busy_times,
    explain,
    phase_times,
    sentence,
    shares_of_steps,
    step_times,
)
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, Schedule
from dlbricks.whatif.ranks import Meeting, RankWait, meetings
from dlbricks.whatif.simulate import replay, run
from dlbricks.whatif.transform import EVIDENCE, Transform, Values, apply_all
from dlbricks.whatif.work import unknown_names

GPU, PROCESSOR = "GPU", "processor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long a graph takes, and where the time goes."""

    time_ns: int
    """Of a step that repeats: the median of the steps of the host, or how long the busiest device works on one where
    that is longer; of a graph without steps its makespan."""
    steps_ns: tuple[int, ...]
    """From mark to mark on the host."""
    busy_ns: int
    """How long the busiest device works on a step, median; 0 without steps."""
    makespan_ns: int
    explanation: str
    """Of the steps, or of the makespan without steps, as in ``kernel-bound 61 %, launch latency 27 %, waiting 12 %``,
    or by operator where there is no device, as in ``Conv 88 %, Gemm 4 %``."""
    shares_ns: Mapping[str, int]
    """By what critical paths pass in; the sum is that of the steps, or the makespan."""
    lanes: tuple[LaneUse, ...]
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownKernel:
    """Kernels of one name that no pattern of ``whatif.work`` fits."""

    name: str
    count: int
    time_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Between which times the truth is expected."""

    low_ns: int
    high_ns: int
    source: str
    """What it is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a question gave."""

    name: str
    """Of the graph."""
    applied: tuple[str, ...]
    """Transforms with their parameters, in order."""
    unit: str
    """What ``time_ns`` is of: ``step`` or ``whole``."""
    before: Timing
    after: Timing
    gain: float
    """Share of the time that is saved, negative where it takes longer; of the time per input if the batch changes."""
    gain_low: float | None
    """The least gain if the transforms err as far as they are known to; None where nothing is known of that."""
    gain_high: float | None
    """The most."""
    inputs: float
    """How many times as many inputs the time after is for: 8 after batch 1 became 8."""
    interval: Interval | None
    """Of the time after; None where nothing is known of the errors."""
    unknown: tuple[UnknownKernel, ...]
    """Of the graph before; longest first."""
    ranks: tuple[RankWait, ...]
    """Of several ranks before: who waits for whom in collectives; who waits longest first."""
    collectives: tuple[Meeting, ...]
    """Of several ranks before, by what they do; those that transfer longest first."""
    phases: tuple[PhaseTime, ...]
    """Of a server of language models: what its kinds of steps take, longest in all first; empty for all else."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer with the graphs and schedules that it is from, for timelines."""

    answer: Answer
    graphs: tuple[DependencyGraph, DependencyGraph]
    """Before and after."""
    schedules: tuple[Schedule, Schedule]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownError:
    """How far predictions of a transform are off: in back-tests of ours, else as its authors say."""

    error: float
    """Of the time after, relative to the truth; at least 0."""
    source: str
    """What it is from."""
    device: str = GPU
    """Kind of device that it was found on, ``GPU`` or ``PROCESSOR``; nobody knows it on the other."""


_REPLAYED_WITHIN = 0.005
"""A replay that differs from the record by more, relative to the whole, is told; so is a bounded loss."""
_DAYDREAM = "as reported of Daydream (USENIX ATC 2020)"
PUBLISHED: Mapping[str, KnownError] = {
    "fused-optimizer": KnownError(error=0.13, source=f"at most 13 %, {_DAYDREAM}"),
    "reconstruct-bn": KnownError(error=0.061, source=f"12.7 % gain predicted and 7 % measured, {_DAYDREAM}"),
    "data-parallel": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "bandwidth": KnownError(error=0.10, source=f"mostly within 10 %, {_DAYDREAM}"),
    "p3": KnownError(error=0.162, source=f"at most 16.2 %, {_DAYDREAM}"),
}
"""By transform: the largest error that its authors, or others who modelled it so, report."""


def ask(
    graph: DependencyGraph,
    steps: Sequence[tuple[Transform, Values]],
    known_error: tuple[float, str] | None = None,
    *,
    before_error: float = 0.0,
) -> Asked:
    """Answer what some transforms, one after the other, would do.

    Args:
        graph: as it is.
        steps: transforms and their parameters.
        known_error: relative error of times after such transforms, and where it is from; None where it is not known.
        before_error: relative error of the time before, which was estimated; the time after has it, too, so it widens
            the interval of that and leaves the gain as it is.

    Raises:
        InputError: the graph takes no time, or see ``transform.apply_all``.
    """
    before = replay(graph)
    applied = apply_all(graph, steps)
    after = run(applied.graph, applied.policy)
    first, second = timing(graph, before), timing(applied.graph, after)
    if not first.time_ns:
        raise InputError(f"{graph.name} takes no time: there is nothing to gain")
    second, uneven = _no_phantom_loss(first, second)
    inputs = math.prod(_inputs(values) for _, values in steps)
    gains, interval = None, None
    waits, collectives = meetings(graph)
    if known_error is not None:
        error, source = known_error
        alone = interval_of(second.time_ns, error, source)
        gains = tuple(1 - time_ns / inputs / first.time_ns for time_ns in (alone.high_ns, alone.low_ns))
        source = f"the estimate and {source}" if before_error else source
        interval = interval_of(second.time_ns, before_error + error, source)
    answer = Answer(
        name=graph.name,
        applied=tuple(described(transform, values) for transform, values in steps),
        unit="step" if first.steps_ns else "whole",
        before=first,
        after=second,
        gain=1 - second.time_ns / inputs / first.time_ns,
        gain_low=gains[0] if gains else None,
        gain_high=gains[1] if gains else None,
        inputs=inputs,
        interval=interval,
        unknown=tuple(
            UnknownKernel(name=name, count=count, time_ns=time) for name, count, time in unknown_names(graph)
        ),
        ranks=waits,
        collectives=collectives,
        phases=phase_times((graph, before), (applied.graph, after)),
        notes=(
            *_off_the_record(graph, before),
            *_piling_up(first, second),
            *uneven,
            *_known_elsewhere([one for one, _ in steps], device_of(graph)),
            *applied.graph.notes,
        ),
    )
    return Asked(answer=answer, graphs=(graph, applied.graph), schedules=(before, after))


def _inputs(values: Values) -> float:
    """Give how many times as many inputs there are after a transform with parameters ``batch`` and ``from``."""
    return values["batch"] / values["from"] if {"batch", "from"} <= set(values) else 1.0


def timing(graph: DependencyGraph, made: Schedule) -> Timing:
    """Sum up a schedule of a graph."""
    found = explain(graph, made)
    marked = bool(graph.steps) and "measured_start_ns" in graph.attributes
    steps = step_times(graph, made).tolist() if marked else []
    busy_ns = round(float(np.median(busy_times(graph, made)))) if marked else 0
    shares = shares_of_steps(graph, made) if marked else found.shares_ns
    return Timing(
        time_ns=max(round(float(np.median(steps))), busy_ns) if steps else made.makespan_ns,
        steps_ns=tuple(steps),
        busy_ns=busy_ns,
        makespan_ns=made.makespan_ns,
        explanation=sentence(shares),
        shares_ns=shares,
        lanes=found.lanes,
        tasks=len(graph),
    )


def _no_phantom_loss(before: Timing, after: Timing) -> tuple[Timing, tuple[str, ...]]:
    """Bound what the median step loses by what the mean step loses, and say so.

    Threads that the trace does not tie to others keep their pace. Where the host gets quicker it waits for them in
    other steps than before, and the median step may be longer though nothing takes longer.
    """
    if not before.steps_ns or after.time_ns <= before.time_ns:
        return after, ()
    lost_ns = float(np.mean(after.steps_ns) - np.mean(before.steps_ns))
    most_ns = max(before.time_ns + round(max(0.0, lost_ns)), after.busy_ns)
    if after.time_ns <= most_ns:
        return after, ()
    if after.time_ns <= (1 + _REPLAYED_WITHIN) * most_ns:
        return replace(after, time_ns=most_ns), ()
    text = (
        f"steps are uneven: the median would become {format_ns(after.time_ns)}, but the mean loses no more than shown"
    )
    return replace(after, time_ns=most_ns), (text,)


def _piling_up(before: Timing, after: Timing) -> tuple[str, ...]:
    """Say where a device works longer on a step than the host."""
    graphs = (("now", before), ("afterwards", after))
    late = [when for when, one in graphs if one.steps_ns and one.busy_ns > np.median(one.steps_ns)]
    which = " and ".join(late)
    return (f"a device is busy for longer than the host's step {which}: its time counts",) if late else ()


def _off_the_record(graph: DependencyGraph, replayed: Schedule) -> tuple[str, ...]:
    """Say where the replay of what was recorded takes another time than the record."""
    known = np.flatnonzero(~np.isnan(graph.figures("measured_end_ns")))
    if not len(known):
        return ()
    starts, ends = graph.figures("measured_start_ns")[known], graph.figures("measured_end_ns")[known]
    made = replayed.end_ns[known]
    recorded, took = ends.max() - starts.min(), made.max() - replayed.start_ns[known].min()
    if abs(took - recorded) <= _REPLAYED_WITHIN * recorded:
        return ()
    first = int(known[np.argmax(np.abs(made - ends) > _REPLAYED_WITHIN * recorded)])
    off = f"the replay takes {took / recorded - 1:+.1%} longer than the record"
    return (f"{off}: from task {first} ({graph.named(first)}) on the trace does not say what was waited for",)


def interval_of(time_ns: int, error: float, source: str) -> Interval:
    """Give the true times for which a prediction with this relative error (at least 0) could be this one."""
    low = round(time_ns / (1 + error))
    high = round(time_ns / (1 - error)) if error < 1 else 2 * time_ns
    return Interval(low_ns=low, high_ns=high, source=source)


@cache
def backtested() -> Mapping[str, tuple[KnownError, ...]]:
    """Give the errors of the transforms that were back-tested, of which nine of ten further cases stay below.

    One for each kind of device that a transform was tested on.
    """
    rows = json.loads((files("dlbricks.whatif") / "backtest_errors.json").read_text(encoding="utf-8"))
    return {name: msgspec.convert(some, tuple[KnownError, ...]) for name, some in rows.items()}


def errors_of(transforms: Sequence[Transform], device: str = "") -> dict[str, KnownError]:
    """Give the known errors of some transforms, by name; transforms that nobody has checked have none.

    Args:
        transforms: any.
        device: kind of device whose errors count where there are some; the first kind's unless given.
    """
    made = {}
    for one in transforms:
        some = backtested().get(one.name, (PUBLISHED[one.name],) if one.name in PUBLISHED else ())
        if some:
            made[one.name] = next((error for error in some if error.device == device), some[0])
    return made


def evidence_of(transform: Transform) -> str:
    """Give the evidence class of a transform: ``back-tested`` where there are back-tests, else as it states."""
    return EVIDENCE[0] if transform.name in backtested() else transform.evidence


def device_of(graph: DependencyGraph) -> str:
    """Say what kind of device a graph is of: ``GPU`` where it has kernels or copies, else ``PROCESSOR``."""
    return GPU if np.isin(graph.kind, ON_DEVICE).any() else PROCESSOR


def error_together(transforms: Sequence[Transform], device: str) -> tuple[float, str] | None:
    """Give the error of several transforms one after the other: the sum, as each may err the same way.

    Args:
        transforms: in order.
        device: kind of device that is asked about; what was found on another says nothing of it.

    Returns:
        The error and what it is from; None if nothing is known of one of them there, or there is none.
    """
    errors = errors_of(transforms, device)
    if not transforms or any(one.name not in errors or errors[one.name].device != device for one in transforms):
        return None
    named = dict.fromkeys(one.name for one in transforms)
    sources = "; ".join(f"{name}: {errors[name].source}" if len(named) > 1 else errors[name].source for name in named)
    return sum(errors[one.name].error for one in transforms), sources


def _known_elsewhere(transforms: Sequence[Transform], device: str) -> tuple[str, ...]:
    """Say which transforms were checked on another kind of device only."""
    known = ((name, one) for name, one in errors_of(transforms, device).items() if one.device != device)
    return tuple(f"nobody has checked {name} on a {device} ({one.source}): it has no interval" for name, one in known)


def described(transform: Transform, values: Values) -> str:
    """Write a transform with all its parameters, as in ``set-time:time=1.4 ms,kind=data``."""
    kinds = {parameter.name: parameter.kind for parameter in transform.parameters}
    given = ",".join(f"{key}={_shown(value, kinds.get(key, ''))}" for key, value in values.items() if value != "")
    return f"{transform.name}:{given}" if given else transform.name


def _shown(value: float | str, kind: str) -> str:
    if isinstance(value, str):
        return value
    if kind == "time":
        return format_ns(value)
    if kind == "rate":
        return f"{value / 1e9:.4g} GB/s"
    return f"{value / 1e6:.4g} MB" if kind == "size" else f"{value:.6g}"
