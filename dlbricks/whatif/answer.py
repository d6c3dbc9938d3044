"""The answer to a what-if question: before, after, gain, how sure it is, and why."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.units import format_ns
from dlbricks.whatif.explain import LaneUse, explain
from dlbricks.whatif.kernels import unknown_names
from dlbricks.whatif.nouns import DependencyGraph, Schedule
from dlbricks.whatif.scheduling import Policy, schedule
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.steps import step_times
from dlbricks.whatif.transform import Transform, Values, apply_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long a graph takes, and where the time goes."""

    time_ns: int
    """Median of the steps; of a graph without steps its makespan."""
    steps_ns: tuple[int, ...]
    makespan_ns: int
    explanation: str
    """Of the makespan, as in ``kernel-bound 61 %, launch-bound 27 %, waiting 12 %``."""
    shares_ns: Mapping[str, int]
    """By what the critical path passes in; the sum is the makespan."""
    lanes: tuple[LaneUse, ...]
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Kernels of one name that no pattern of ``whatif.kernels`` fits."""

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
    inputs: float
    """How many times as many inputs the time after is for: 8 after batch 1 became 8."""
    interval: Interval | None
    """Of the time after; None where nothing is known of the errors."""
    unknown: tuple[Unknown, ...]
    """Of the graph before; longest first."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer with the graphs and schedules that it is from, for timelines."""

    answer: Answer
    graphs: tuple[DependencyGraph, DependencyGraph]
    """Before and after."""
    schedules: tuple[Schedule, Schedule]


def ask(
    graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]], known_error: "tuple[float, str] | None" = None
) -> Asked:
    """Answer what some transforms, one after the other, would do.

    Args:
        graph: as it is.
        steps: transforms and their parameters.
        known_error: relative error of times after such transforms, and where it is from; None where it is not known.

    Raises:
        InputError: the graph takes no time, or see ``transform.apply_all``.
    """
    before = replay(graph)
    applied = apply_all(graph, steps)
    after = run(applied.graph, applied.policy)
    first, second = timing(graph, before), timing(applied.graph, after)
    if not first.time_ns:
        raise InputError(f"{graph.name} takes no time: there is nothing to gain")
    inputs = math.prod(_inputs(values) for _, values in steps)
    answer = Answer(
        name=graph.name,
        applied=tuple(described(transform, values) for transform, values in steps),
        unit="step" if first.steps_ns else "whole",
        before=first,
        after=second,
        gain=1 - second.time_ns / inputs / first.time_ns,
        inputs=inputs,
        interval=None if known_error is None else around(second.time_ns, *known_error),
        unknown=tuple(Unknown(name=name, count=count, time_ns=time) for name, count, time in unknown_names(graph)),
        notes=applied.graph.notes,
    )
    return Asked(answer=answer, graphs=(graph, applied.graph), schedules=(before, after))


def _inputs(values: Values) -> float:
    """Give how many times as many inputs there are after a transform with parameters ``batch`` and ``from``."""
    return float(values["batch"]) / float(values["from"]) if {"batch", "from"} <= set(values) else 1.0


def run(graph: DependencyGraph, policy: Policy | None) -> Schedule:
    """Say when every task runs: in the order of the lanes unless a policy lets them choose."""
    return replay(graph) if policy is None else schedule(graph, policy)


def timing(graph: DependencyGraph, made: Schedule) -> Timing:
    """Sum up a schedule of a graph."""
    found = explain(graph, made)
    steps = step_times(graph, made).tolist() if graph.steps and "measured_start_ns" in graph.attributes else []
    return Timing(
        time_ns=round(float(np.median(steps))) if steps else made.makespan_ns,
        steps_ns=tuple(steps),
        makespan_ns=made.makespan_ns,
        explanation=found.sentence(),
        shares_ns=found.shares_ns,
        lanes=found.lanes,
        tasks=len(graph),
    )


def around(time_ns: int, error: float, source: str) -> Interval:
    """Give the times whose prediction may have been this one, given by how much predictions err.

    Args:
        time_ns: predicted.
        error: relative to the truth, at least 0.
        source: of the error.
    """
    low = round(time_ns / (1 + error))
    high = round(time_ns / (1 - error)) if error < 1 else 2 * time_ns
    return Interval(low_ns=low, high_ns=high, source=source)


def described(transform: Transform, values: Values) -> str:
    """Write a transform with all its parameters, as in ``set-time:time=1.4 ms,kind=data``."""
    kinds = {parameter.name: parameter.kind for parameter in transform.parameters}
    told = ",".join(f"{key}={_shown(value, kinds.get(key, ''))}" for key, value in values.items() if value != "")
    return f"{transform.name}:{told}" if told else transform.name


def _shown(value: float | str, kind: str) -> str:
    if isinstance(value, str):
        return value
    if kind == "time":
        return format_ns(value)
    if kind == "rate":
        return f"{value / 1e9:.4g} GB/s"
    return f"{value / 1e6:.4g} MB" if kind == "size" else f"{value:.6g}"
