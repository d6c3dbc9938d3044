"""Computes the time of a prompt and its answer from estimates of some calls.

A step is a call after the prompt, with one new token. Some steps are estimated; the trapezoid rule gives the times of
the steps between them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dlbricks.construct.intervals import NO_TRAITS, PROMPT, STEP, choose_band, interval
from dlbricks.construct.types import Estimate
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point
from dlbricks.store.types import SystemConfiguration

# How much faster and slower a loop's calls were than estimates from sequences of another hour, relative: bounds of 95 %
# of 96 calls (``docs/language-models.md``), rounded up.
OTHER_HOUR = (0.1, 0.2)
# How much slower a call may be than its sequences after other work of the host, ns; at most by its own time. The host's
# work evicts data from the caches; synthetic decoders took 9 to 21 % longer, on a busy machine a third to a half
# (``docs/decisions.md``).
HOST_NS = 200_000
# Least share of undisturbed calls in the hours from which the intervals of decoders were fitted.
CALM = 0.9
# How much faster and slower prompts and steps were than estimated in busier hours: bounds of 90 % of 126 prompts and
# 378 steps of one thread in six hours (``docs/decisions.md``).
PROMPT_BUSY, STEP_BUSY = (0.03, 0.06), (0.1, 0.12)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime:
    """A time with its 95 % interval, in ns."""

    low_ns: int
    middle_ns: int
    high_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStep:
    """A call with one new token."""

    past: int
    """Number of tokens in the cache before the step."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceTime:
    """Time of choosing a token on the host between two calls."""

    how: str
    """Method of choosing, as in ``the likeliest``."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Estimated times of a prompt and its answer, without work between calls."""

    network: str
    configuration: SystemConfiguration
    prompt: int
    generate: int
    batch: int
    first_token: CallTime
    """Time of all calls of the prompt."""
    steps: tuple[TokenStep, ...]
    """Estimated steps: the first, the middle, the last, and steps at measured lengths."""
    whole: CallTime
    """Time of the prompt and all later tokens."""
    tokens_per_s: float
    """Tokens generated per second, for all inputs of the batch together."""
    weight_bytes: int
    cache_bytes: int
    """Bytes of keys and values after the last token."""
    guessed: float
    """Share of layers that are interpolated between measured lengths, 0 to 1, in the call with the largest share."""
    chunk: int
    """Tokens of the prompt per call."""
    choices: tuple[ChoiceTime, ...] = ()
    """Time of choosing a token, by method; empty if it was not measured."""


def call_time(estimate: Estimate, least: tuple[float, float] = OTHER_HOUR) -> CallTime:
    """Return the estimated time of a call, with an interval that covers the errors of validations.

    ``least`` is the least distance of each end of the interval from the time, as a share of the time.
    """
    total, (faster, slower) = estimate.total_ns, least
    return CallTime(
        low_ns=min(estimate.low_ns, round(total * (1 - faster))),
        middle_ns=total,
        high_ns=max(estimate.high_ns, round(total * (1 + slower)), total + min(total, HOST_NS)),
    )


def beside(estimate: Estimate, call: MeasuredPoint, *, busy: bool = False) -> CallTime:
    """Return the estimated time of a call in a loop that alternates with measurements of its layer sequences.

    The interval is fitted to errors of such calls; bounds, if the estimate has only these, are the interval. ``busy``
    means that the machine was busier than during the fit.
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
    """Return the time of a prompt and all steps, by the trapezoid rule.

    The ends of intervals are summed, since errors at different lengths are correlated.
    """
    # a step counts once, and for half of the steps up to each neighbour
    weights = [0.0] * len(steps)
    for index, (step, after) in enumerate(pairwise(steps)):
        weights[index] += (after.past - step.past + 1) / 2
        weights[index + 1] += (after.past - step.past - 1) / 2
    if steps:
        weights[-1] += 1
    return weighted([(1.0, first), *zip(weights, (step.time for step in steps), strict=True)])


def weighted(times: Iterable[tuple[float, CallTime]]) -> CallTime:
    """Return a weighted sum of times; both ends of the interval are summed, since errors are correlated."""
    listed = list(times)
    low, middle, high = (
        round(sum(weight * getattr(time, name) for weight, time in listed))
        for name in ("low_ns", "middle_ns", "high_ns")
    )
    return CallTime(low_ns=low, middle_ns=middle, high_ns=high)


def chunks_of(prompt: int, chunk: int | None, measured: Sequence[int] = ()) -> tuple[Point, ...]:
    """Return the calls of a prompt: a call per ``chunk`` tokens, or a single call if ``chunk`` is None.

    With a chunk of one token, only calls at a few lengths (``step_lengths``) are returned.
    """
    if chunk == 1:
        return tuple({PAST: past, SEQUENCE: 1} for past in step_lengths(1, prompt, measured) or (1,))
    size = min(chunk or prompt, prompt)
    return tuple({PAST: past, SEQUENCE: size} for past in range(0, prompt, size))


def read_time(prompt: int, chunk: int | None, read: Sequence[Point], times: Sequence[CallTime]) -> CallTime:
    """Return the time of a prompt; ``times`` are those of its calls ``read`` (from ``chunks_of``).

    With a chunk of one token, the trapezoid rule gives the times of the calls between them.
    """
    if chunk != 1:
        return weighted((1.0, time) for time in times)
    steps = [TokenStep(past=call[PAST], time=time) for call, time in zip(read, times, strict=True)]
    return summed(times[0], steps if prompt > 1 else ())


def step_lengths(prompt: int, generate: int, measured: Sequence[int]) -> tuple[int, ...]:
    """Return the cached tokens before each step to estimate: first, middle, last, and measured steps between them.

    The call of the prompt gives the first token, so there is one step less than generated tokens.
    """
    if generate < 2:
        return ()
    last = prompt + generate - 2
    return tuple(sorted({prompt, (prompt + last) // 2, last, *(past for past in measured if prompt < past < last)}))
