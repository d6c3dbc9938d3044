"""Adds up the calls with which a decoder answers a prompt. Pure.

The times of calls are estimates at the lengths of ``llm.lengths``; those of steps between them follow by the
trapezoid rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dlbricks.construct.intervals import NO_TRAITS, PROMPT, STEP, choose_band, interval
from dlbricks.construct.types import Estimate
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point
from dlbricks.store.types import SystemConfiguration

# By how much calls of loops were faster and slower than their estimates from pieces of another hour, relative: of 96
# all but a twentieth (``docs/decoders.md``), rounded up.
OTHER_HOUR = (0.1, 0.2)
# By how much a call behind work of the host may be slower than its pieces, which follow each other: no more than it
# takes itself. What the host does takes caches from it; synthetic decoders were 5 to 60 % slower
# (``docs/decoders-tried.md``).
HOST_NS = 200_000
# Share of calls that waited for nothing, at least, in the hours that bands of decoders are learned from.
CALM = 0.9
# By how much prompts and steps were faster and slower than estimated in busier ones: nine of ten of 126 prompts and
# 378 steps of one thread, in six hours (``docs/decoders-tried.md``).
PROMPT_BUSY, STEP_BUSY = (0.03, 0.06), (0.1, 0.12)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime:
    """A time with its 95 % interval, ns."""

    low_ns: int
    middle_ns: int
    high_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStep:
    """One step of a generation: a call with one new token."""

    past: int
    """Tokens in the cache before it."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceTime:
    """Time of choosing a token on the host between two calls."""

    how: str
    """As in ``the likeliest``."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """How a decoder answers a prompt on a system; work between calls is in none of its times."""

    network: str
    configuration: SystemConfiguration
    prompt: int
    generate: int
    batch: int
    first_token: CallTime
    """The prompt, all of its calls."""
    steps: tuple[TokenStep, ...]
    """Steps for further tokens at the first, the middle and the last length, and at measured lengths between."""
    whole: CallTime
    """The prompt and all steps."""
    tokens_per_s: float
    """Over the whole answer, all inputs of the batch together."""
    weight_bytes: int
    cache_bytes: int
    """Keys and values after the last token."""
    guessed: float
    """Share of the layers in predicted steps, 0 to 1; of the call with the largest share."""
    chunk: int
    """Tokens of the prompt per call."""
    choices: tuple[ChoiceTime, ...] = ()
    """Time that choosing a token adds to each call, by the way of choosing; empty if not measured."""


def call_time(estimate: Estimate, least: tuple[float, float] = OTHER_HOUR) -> CallTime:
    """Return the time of a call; its interval is at least as wide as the errors seen so far.

    Args:
        least: by how much it may be faster and slower at least, relative; 0 if the loop that calls it is
            interleaved with the pieces (``beside``).
    """
    total, (faster, slower) = estimate.total_ns, least
    return CallTime(
        low_ns=min(estimate.low_ns, round(total * (1 - faster))),
        middle_ns=total,
        high_ns=max(estimate.high_ns, round(total * (1 + slower)), total + min(total, HOST_NS)),
    )


def beside(estimate: Estimate, call: MeasuredPoint, *, busy: bool = False) -> CallTime:
    """Return the time of a call of a loop that is interleaved with measurements of the pieces.

    Its interval is learned from errors of such calls of decoders instead of networks (``construct.intervals``). If
    only bounds are known, the interval is between these.

    Args:
        busy: whether the machine was busier than in the hours that the band was learned from.
    """
    if estimate.bounds_only:
        return call_time(estimate)
    step = call.at[SEQUENCE] == 1
    of = STEP if step else PROMPT
    band = choose_band(call.composition, estimate.configuration, estimate.rule, interleaved=True, of=of).band
    low, high = band.around(NO_TRAITS)
    low_ns, high_ns = interval(estimate.total_ns, replace(estimate.parts, composition_low=low, composition_high=high))
    least = (STEP_BUSY if step else PROMPT_BUSY) if busy else (0.0, 0.0)
    return call_time(replace(estimate, low_ns=low_ns, high_ns=high_ns), least)


def summed(first: CallTime, steps: Sequence[TokenStep]) -> CallTime:
    """Return the time of a prompt and all steps from the first to the last of ``steps``, by the trapezoid rule.

    Ends of intervals add up: errors at different lengths are correlated.
    """
    # a step counts for itself and half of those up to its neighbours
    weights = [0.0] * len(steps)
    for index, (step, after) in enumerate(pairwise(steps)):
        weights[index] += (after.past - step.past + 1) / 2
        weights[index + 1] += (after.past - step.past - 1) / 2
    if steps:
        weights[-1] += 1
    return weighted([(1.0, first), *zip(weights, (step.time for step in steps), strict=True)])


def weighted(times: Iterable[tuple[float, CallTime]]) -> CallTime:
    """Add up times multiplied by weights, and the ends of their intervals, whose errors are correlated."""
    listed = list(times)
    low, middle, high = (
        round(sum(weight * getattr(time, name) for weight, time in listed))
        for name in ("low_ns", "middle_ns", "high_ns")
    )
    return CallTime(low_ns=low, middle_ns=middle, high_ns=high)


def chunks_of(prompt: int, chunk: int | None, measured: Sequence[int] = ()) -> tuple[Point, ...]:
    """Return the calls to evaluate for a prompt: in chunks of equal size, which divide it; None: in one call.

    Token by token there are as many as steps (``step_lengths``), the first of them after one token instead of none.
    """
    if chunk == 1:
        return tuple({PAST: past, SEQUENCE: 1} for past in step_lengths(1, prompt, measured) or (1,))
    size = min(chunk or prompt, prompt)
    return tuple({PAST: past, SEQUENCE: size} for past in range(0, prompt, size))


def read_time(prompt: int, chunk: int | None, read: Sequence[Point], times: Sequence[CallTime]) -> CallTime:
    """Return the time of a prompt from those of its calls (``chunks_of``).

    Token by token the calls between them follow by the trapezoid rule.
    """
    if chunk != 1:
        return weighted((1.0, time) for time in times)
    steps = [TokenStep(past=call[PAST], time=time) for call, time in zip(read, times, strict=True)]
    return summed(times[0], steps if prompt > 1 else ())


def step_lengths(prompt: int, generate: int, measured: Sequence[int]) -> tuple[int, ...]:
    """Return the past lengths to evaluate: of the first, the middle and the last step, and measured ones between.

    The prompt gives the first token, so there is one step fewer than tokens.
    """
    if generate < 2:
        return ()
    last = prompt + generate - 2
    return tuple(sorted({prompt, (prompt + last) // 2, last, *(past for past in measured if prompt < past < last)}))
