"""From steps of a decoder at a few lengths to any prompt and any number of tokens. Pure.

Only attention depends on what is past, and each piece grows with a prompt in its own way. So what was not measured at a
length is guessed piece by piece from the same piece at the measured lengths, along a line through the two nearest: in
its operations where they differ, else in its bytes. It never falls as work grows. Outside of the measured lengths the
line goes on for one doubling, no further unless that is allowed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.construct.interpolate import Prediction
from dlbricks.construct.types import Composition, CompositionStep, Estimate
from dlbricks.errors import InputError
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import SystemConfiguration, SystemResults

UNPROVEN = 0.05
"""Half-width of a guess between two points, with no third to try it on; of its latency."""
PROMPT_OFF = 0.15
"""A prompt's call was off by so much at most in a loop over real calls (``docs/decoders.md``), rounded up."""
STEP_SLOWER = 0.5
"""Steps took so much longer there than estimated at most, rounded up: hours differ by that on a shared machine."""
Point = Mapping[str, int]
"""Lengths of a step, by name: what is past, what is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime:
    """A time with its 95 % interval, ns."""

    low_ns: int
    middle_ns: int
    high_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStep:
    """One step of a generation."""

    past: int
    """Tokens in the cache before it."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceTime:
    """Choosing a token on the host, between two calls."""

    how: str
    """As in ``the likeliest``."""
    time: CallTime


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """How a decoder answers a prompt on a system; what is computed between the calls is in none of its times."""

    network: str
    configuration: SystemConfiguration
    prompt: int
    generate: int
    batch: int
    first_token: CallTime
    """The prompt in all of its calls."""
    steps: tuple[TokenStep, ...]
    """One for each further token: at the beginning, in the middle, at the end, and at what was measured between."""
    whole: CallTime
    """The prompt and all steps."""
    tokens_per_s: float
    """Of the whole, all inputs of the batch together."""
    weight_bytes: int
    cache_bytes: int
    """Keys and values when all is generated."""
    guessed: float
    """Share of the layers that lie in guessed pieces, 0 to 1; of the call that has most."""
    chunk: int
    """Tokens of the prompt in one call: all of them where it is read in one."""
    choices: tuple[ChoiceTime, ...] = ()
    """What choosing a token adds to each call, by how it is chosen; none where that was not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """A network cut as it was at some lengths."""

    at: Point
    composition: Composition


class BetweenPoints:
    """Guesses pieces of a network at other lengths (``construct.estimate``)."""

    def __init__(
        self, target: MeasuredPoint, known: Sequence[MeasuredPoint], results: SystemResults, *, far: bool = False
    ) -> None:
        """Learn from the same steps at measured lengths.

        Args:
            target: where guesses are wanted.
            known: what was measured, of the same network.
            results: of those.
            far: whether lengths may lie further out than one doubling.

        Raises:
            InputError: they do, and may not.
        """
        self._guesses: dict[SequenceFeatures, Prediction] = {}
        for index, step in enumerate(target.composition.steps):
            if step.free or step.features is None or step.fingerprint in results.measurements:
                continue
            for name in target.at:
                found = _along(name, index, target, known, results)
                if len(found) > 1:
                    if not far:
                        _refuse_far(name, target.at[name], [one for one, _, _ in found])
                    self._guesses[step.features] = _predicted(step, [(one, net) for _, one, net in found])
                    break

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Give a guess; None where fewer than two lengths were measured."""
        return self._guesses.get(features)


def refuse_unreachable(target: Point, known: Sequence[Point]) -> None:
    """Find out before a run whether a call at some lengths can be told from those that are to be measured.

    Raises:
        InputError: no two points differ from it in one length alone, or it lies too far from those that do.
    """
    if target in known:
        return
    for name, wanted in target.items():
        found = [one[name] for one in known if {**one, name: wanted} == target]
        if len(found) > 1:
            _refuse_far(name, wanted, found)
            return
    at = ", ".join(f"{name}={value}" for name, value in target.items())
    raise InputError(
        f"a call at {at} needs two measured points that differ from it in one length alone: give --dim more extents, "
        "as in --dim past=0,512,2048 --dim sequence=1,256"
    )


def alone(point: Point, *several: int | None) -> bool:
    """Whether a point is a prompt with nothing before it, a step, or of ``several``: others help to guess none."""
    return not point.get(PAST) or point.get(SEQUENCE, 1) in {1, *several}


def _along(
    name: str, index: int, target: MeasuredPoint, known: Sequence[MeasuredPoint], results: SystemResults
) -> list[tuple[int, CompositionStep, Latencies]]:
    """Give the measured steps at the same place of points that differ from the target in one length."""
    found = {}
    wanted = target.composition.steps[index]
    for one in known:
        steps = one.composition.steps
        apart = [key for key, value in target.at.items() if one.at.get(key) != value]
        if apart != [name] or len(steps) != len(target.composition.steps):
            continue
        step = steps[index]
        measured = results.measurements.get(step.fingerprint)
        if measured is not None and step.features is not None and step.name == wanted.name:
            found[step.fingerprint] = (one.at[name], step, net_latencies(measured, results))
    return sorted(found.values(), key=lambda row: row[0])


def _refuse_far(name: str, wanted: int, points: Sequence[int]) -> None:
    if not min(points) / 2 <= wanted <= 2 * max(points):
        there = ", ".join(map(str, points))
        raise InputError(
            f"{name}={wanted} is more than a doubling away from what was measured ({there}): measure a point near it, "
            "or give --extrapolate"
        )


def _predicted(step: CompositionStep, rows: Sequence[tuple[CompositionStep, Latencies]]) -> Prediction:
    """Draw the line of a step's latencies over its work."""
    amount = _work if len({_work(one) for one in (step, *(row for row, _ in rows))}) > 1 else _bytes
    known = sorted(((amount(one), net) for one, net in rows), key=lambda point: point[0])
    net = _line(amount(step), known)
    off = [
        abs(_line(place, [*known[:index], *known[index + 1 :]]).near_ns / max(1.0, own.near_ns) - 1)
        for index, (place, own) in enumerate(known)
        if 0 < index < len(known) - 1
    ]
    return Prediction(net=net, relative=max(off, default=UNPROVEN))


def _line(place: float, known: Sequence[tuple[float, Latencies]]) -> Latencies:
    """Follow the line through the two points nearest to a place, of ascending ones; it never falls."""
    at = min(max(1, sum(one <= place for one, _ in known)), len(known) - 1)
    (begin, low), (end, high) = known[at - 1], known[at]
    share = (place - begin) / (end - begin) if end > begin else 0.0
    near, constants = (
        max(0.0, first + share * max(0.0, second - first))
        for first, second in ((low.near_ns, high.near_ns), (low.constants_ns, high.constants_ns))
    )
    return Latencies(near_ns=near, constants_ns=constants)


def _work(step: CompositionStep) -> float:
    return float(step.features.flops) if step.features else 0.0


def _bytes(step: CompositionStep) -> float:
    return float(step.features.input_bytes + step.features.output_bytes) if step.features else 0.0


def call_time(estimate: Estimate, *, new: int) -> CallTime:
    """Give the time of a call for so many new tokens, with an interval that is no narrower than errors seen so far."""
    total = estimate.total_ns
    low, high = (0.0, STEP_SLOWER) if new == 1 else (PROMPT_OFF, PROMPT_OFF)
    return CallTime(
        low_ns=min(estimate.low_ns, round(total * (1 - low))),
        middle_ns=total,
        high_ns=max(estimate.high_ns, round(total * (1 + high))),
    )


def summed(first: CallTime, steps: Sequence[TokenStep]) -> CallTime:
    """Give the time of a prompt and all steps between the first and the last of some, by the trapezoid rule.

    Their ends add up, too: what one call's figure is off by, those of the other lengths are off by as well.
    """
    made = []
    for name in ("low_ns", "middle_ns", "high_ns"):
        total = getattr(first, name)
        if steps:
            total += getattr(steps[-1].time, name)
        for one, after in pairwise(steps):
            total += (after.past - one.past) * (getattr(one.time, name) + getattr(after.time, name)) / 2
            total -= (getattr(after.time, name) - getattr(one.time, name)) / 2
        made.append(round(total))
    return CallTime(low_ns=made[0], middle_ns=made[1], high_ns=made[2])


def chunks_of(prompt: int, chunk: int | None) -> tuple[Point, ...]:
    """Give the calls that read a prompt, of so many tokens each, which divide it; None: all in one."""
    return tuple({PAST: past, SEQUENCE: chunk or prompt} for past in range(0, prompt, chunk or prompt))


def together(calls: Sequence[CallTime]) -> CallTime:
    """Add calls up, and their intervals: what one is off by, the others are, too."""
    low, middle, high = (sum(getattr(one, name) for one in calls) for name in ("low_ns", "middle_ns", "high_ns"))
    return CallTime(low_ns=low, middle_ns=middle, high_ns=high)


def lengths(prompt: int, generate: int, measured: Sequence[int]) -> tuple[int, ...]:
    """Give what is past at the steps that decide: begin, middle and end, and what was measured between them.

    The prompt gives the first token, so there is one step fewer than tokens.
    """
    if generate < 2:
        return ()
    last = prompt + generate - 2
    return tuple(sorted({prompt, (prompt + last) // 2, last, *(one for one in measured if prompt < one < last)}))
