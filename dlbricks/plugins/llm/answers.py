"""Compares measured times of a generation loop with estimates of its calls."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.construct.types import Estimate
from dlbricks.harness.stats import median_interval
from dlbricks.plugins.llm.decoder_loop import NEAR, TimedAnswer
from dlbricks.plugins.llm.generation import CALM, CallTime, TokenStep, beside, read_time, summed
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point
from dlbricks.plugins.llm.loops import LEAST_ANSWERS


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCheck:
    """Estimated and measured time of one part of a generation."""

    what: str
    """``first token``, ``next token`` or ``in all``."""
    past: int | None
    """Tokens in the cache before a step; None for other parts."""
    estimated: CallTime
    measured: CallTime
    """Median over generations, with its 95 % interval."""
    disturbed: bool = False
    """Whether fewer than three calls were undisturbed, so that disturbed calls count as well."""

    @property
    def error(self) -> float:
        """Estimated time / measured time - 1."""
        return self.estimated.middle_ns / self.measured.middle_ns - 1

    @property
    def inside(self) -> bool:
        """Whether the measured time lies in the interval of the estimate."""
        return self.estimated.low_ns <= self.measured.middle_ns <= self.estimated.high_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopCheck:
    """Estimated and measured times of one generation loop."""

    loop: str
    """``plain loop``; in older results also ``onnxruntime-genai``."""
    answers: int
    disturbed: int
    """Number of generations with a disturbed call."""
    calm: float = 1.0
    """Share of undisturbed calls, 0 to 1."""
    calls: tuple[CallCheck, ...]
    between_ns: int
    """Median time between two calls, ns, which is not estimated; 0 if calls include this time."""
    answer_ns: int
    """Median time of a generation, ns, including the time between calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatedCalls:
    """Calls of a generation whose times are estimated."""

    prompt: int
    """Number of tokens in the prompt."""
    chunk: int | None
    """Tokens of the prompt per call; None for the whole prompt."""
    read: Sequence[Point]
    """Calls of the prompt: for each its past and new tokens."""
    pasts: Sequence[int]
    """Number of tokens in the cache before each step."""
    targets: Sequence[MeasuredPoint]
    """The network, split for the lengths of each call."""


def check(loop: str, answers: Sequence[TimedAnswer], calls: EstimatedCalls, estimates: Sequence[Estimate]) -> LoopCheck:
    """Compare the measured times of a generation loop with estimates of its calls.

    Args:
        answers: one or more generations with the same lengths.
        estimates: estimates of the calls of the prompt, then of the steps.
    """
    reads = len(calls.read)
    calm = 1 - statistics.fmean(statistics.fmean(answer.waited) for answer in answers)
    pairs = zip(estimates, calls.targets, strict=True)
    times = [beside(estimate, call, busy=calm < CALM) for estimate, call in pairs]
    first = read_time(calls.prompt, calls.chunk, calls.read, times[:reads])
    steps = [TokenStep(past=past, time=time_) for past, time_ in zip(calls.pasts, times[reads:], strict=True)]
    rows = [_checked("first token", None, first, _near(answers, 0))]
    rows += [
        _checked("next token", step.past, step.time, _near(answers, step.past - calls.prompt + 1)) for step in steps
    ]
    wholes = _median([*map(sum, _without_waits(answers))])
    rows.append(CallCheck(what="in all", past=None, estimated=summed(first, steps), measured=wholes))
    return LoopCheck(
        loop=loop,
        answers=len(answers),
        disturbed=sum(answer.disturbed for answer in answers),
        calm=calm,
        calls=tuple(rows),
        between_ns=round(statistics.median(answer.between_ns / len(answer.calls_ns) for answer in answers)),
        answer_ns=round(statistics.median(sum(answer.calls_ns) + answer.between_ns for answer in answers)),
    )


def _checked(what: str, past: int | None, estimated: CallTime, times: Sequence[tuple[int, bool]]) -> CallCheck:
    calm = _calm(times)
    busy = len(calm) == len(times) and any(waited for _, waited in times)
    return CallCheck(what=what, past=past, estimated=estimated, measured=_median(calm), disturbed=busy)


def _near(answers: Sequence[TimedAnswer], index: int) -> list[tuple[int, bool]]:
    # Return the times of a call and of neighbouring steps in all generations, and whether each was disturbed.
    near = slice(max(1, index - NEAR), index + NEAR + 1) if index else slice(0, 1)
    return [pair for answer in answers for pair in zip(answer.calls_ns[near], answer.waited[near], strict=True)]


def _calm(times: Sequence[tuple[int, bool]]) -> list[int]:
    # Return the times of undisturbed calls, or of all calls if fewer than three were undisturbed.
    calm = [ns for ns, waited in times if not waited]
    return calm if len(calm) >= LEAST_ANSWERS else [ns for ns, _ in times]


def _without_waits(answers: Sequence[TimedAnswer]) -> list[list[float]]:
    # Return the times of each generation's calls; a disturbed call gets the median of its neighbours. # If too many
    # neighbours are disturbed, too, nothing is replaced: all generations would seem to take the same time.
    usual: list[float | None] = []
    for index, _ in enumerate(answers[0].calls_ns):
        near = _near(answers, index)
        calm = sum(not waited for _, waited in near) >= LEAST_ANSWERS
        usual.append(statistics.median(_calm(near)) if calm else None)
    return [
        [
            ns if median is None or not waited else median
            for ns, waited, median in zip(answer.calls_ns, answer.waited, usual, strict=True)
        ]
        for answer in answers
    ]


def _median(figures: Sequence[float]) -> CallTime:
    # Return the median over several generations with its interval.
    middle, low, high = median_interval(figures)
    return CallTime(low_ns=round(low), middle_ns=round(middle), high_ns=round(high))
