"""Predicts calls of a decoder at lengths that were not measured from calls at a few that were. Pure.

Only attention depends on the past, and each step of the composition grows with the prompt in its own way. So each step
is predicted at other lengths from the same step at the measured ones, on a line through the two nearest: over its
operations if they differ, else over its bytes. The line never falls as work grows. It extends by one doubling beyond
the measured lengths, further only on request.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.construct.interpolate import Prediction
from dlbricks.construct.intervals import noise_factor
from dlbricks.construct.types import Composition, CompositionStep
from dlbricks.errors import InputError
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import QueueTimes, SystemResults

UNPROVEN = 0.05
"""Relative half-width of a prediction from two points, without a third to check it."""
Point = Mapping[str, int]
"""Lengths of a call by dimension: past tokens, new tokens."""
_SomePoint = TypeVar("_SomePoint", bound=Point)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """A network split at some lengths."""

    at: Point
    composition: Composition


class LengthInterpolator:
    """Predicts steps of a network at lengths that were not measured (for ``construct.estimate``)."""

    def __init__(
        self, target: MeasuredPoint, known: Sequence[MeasuredPoint], results: SystemResults, *, far: bool = False
    ) -> None:
        """Fit to the same steps at measured lengths.

        Args:
            target: the network at the wanted lengths.
            known: the network at measured lengths.
            results: measurements of ``known``.
            far: whether to extrapolate beyond one doubling.

        Raises:
            InputError: the target lies further out and ``far`` is not set.
        """
        self._predictions: dict[SequenceFeatures, Prediction] = {}
        for index, step in enumerate(target.composition.steps):
            if step.free or step.features is None or step.fingerprint in results.measurements:
                continue
            for name in target.at:
                found = _along(name, index, target, known, results)
                if len(found) > 1:
                    if not far:
                        _refuse_far(name, target.at[name], [one.length for one in found])
                    self._predictions[step.features] = _predicted(step, found)
                    break

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Predict the latencies of a step; None if fewer than two lengths were measured."""
        return self._predictions.get(features)


def refuse_unreachable(target: Point, known: Sequence[Point]) -> None:
    """Check before a run that a call can be predicted from the points to be measured.

    Raises:
        InputError: no two points differ from it in one length only, or those that do are too far away.
    """
    if target in known:
        return
    found = _beside(target, known)
    if found is not None:
        _refuse_far(found[0], target[found[0]], found[1])
        return
    at = ", ".join(f"{name}={value}" for name, value in target.items())
    raise InputError(
        f"a call at {at} needs two measured points that differ from it in one length alone: give --dim more extents, "
        "as in --dim past=0,512,2048 --dim sequence=1,256"
    )


def check_comparable_first_step(target: MeasuredPoint, known: Sequence[MeasuredPoint]) -> None:
    """Refuse a step behind no token among two points, if steps behind some consist of other sequences.

    Behind none the runtime leaves out what a mask of one element does.

    Raises:
        InputError: it is needed to predict the target.
    """
    alike = [one.at for one in known if len(one.composition.steps) == len(target.composition.steps)]
    odd = [one for one in known if one.at not in alike and not one.at[PAST] and one.at[SEQUENCE] == 1]
    if not odd or target.at in alike or target.at[SEQUENCE] > 1 or _beside(target.at, alike) is not None:
        return
    raise InputError(
        f"a step of {target.composition.model} behind no token is made of other sequences than one behind some, so it "
        "tells nothing of these: measure --dim past=1 in place of past=0"
    )


def _beside(target: Point, known: Sequence[Point]) -> tuple[str, list[int]] | None:
    """Return a length, and its values in several points that differ from the target in it alone; None without them."""
    for name, wanted in target.items():
        found = [one[name] for one in known if {**one, name: wanted} == target]
        if len(found) > 1:
            return name, found
    return None


def usable_points(points: Sequence[_SomePoint], chunk: int | None = None) -> list[_SomePoint]:
    """Return the points that help to predict others: prompts without past, steps, and chunks of a prompt.

    A call with one token behind none is not among them if there are steps behind one token, and longer prompts
    (``llm.prompts.points_for``).
    """
    behind_one = any(point.get(PAST) == 1 and point.get(SEQUENCE, 1) == 1 for point in points)
    behind_one = behind_one and any(not point.get(PAST) and point.get(SEQUENCE, 1) > 1 for point in points)
    return [
        point
        for point in points
        if (point.get(SEQUENCE, 1) in {1, chunk} or not point.get(PAST))
        and not (behind_one and not point.get(PAST) and point.get(SEQUENCE, 1) == 1)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A measured step that tells of another."""

    length: int
    """At which it was measured."""
    step: CompositionStep
    net: Latencies
    relative: float
    """Half-width of the interval of its latency, relative to it."""
    queue: QueueTimes | None
    """Of host and device, if it was measured on a device."""


def _along(
    name: str, index: int, target: MeasuredPoint, known: Sequence[MeasuredPoint], results: SystemResults
) -> list[_Known]:
    """Return the measured steps at the same place in points that differ from the target in one length only."""
    found = {}
    wanted = target.composition.steps[index]
    for one in known:
        steps = one.composition.steps
        differing = [key for key, value in target.at.items() if one.at.get(key) != value]
        if differing != [name] or len(steps) != len(target.composition.steps):
            continue
        step = steps[index]
        measured = results.measurements.get(step.fingerprint)
        if measured is not None and step.features is not None and step.name == wanted.name:
            half_ns = noise_factor(measured.verdict) * (measured.high_ns - measured.low_ns) / 2
            found[step.fingerprint] = _Known(
                length=one.at[name],
                step=step,
                net=net_latencies(measured, results),
                relative=half_ns / max(1, measured.latency_ns),
                queue=measured.queue,
            )
    return sorted(found.values(), key=lambda row: row.length)


def _refuse_far(name: str, wanted: int, points: Sequence[int]) -> None:
    if not (min(points) - 1) / 2 <= wanted <= 2 * max(points):  # nothing is as near to one as two are
        there = ", ".join(map(str, points))
        raise InputError(
            f"{name}={wanted} is more than a doubling away from what was measured ({there}): measure a point near it, "
            "or give --extrapolate"
        )


def _predicted(step: CompositionStep, rows: Sequence[_Known]) -> Prediction:
    """Predict a step on the line of its latencies over its work; it is known no better than what it is told from."""
    amount = _work if len({_work(one) for one in (step, *(row.step for row in rows))}) > 1 else _bytes
    known = sorted(((amount(row.step), row) for row in rows), key=lambda point: point[0])
    net, measured = _line(amount(step), known)
    off = [
        abs(_line(place, [*known[:index], *known[index + 1 :]])[0].near_ns / max(1.0, one.net.near_ns) - 1)
        for index, (place, one) in enumerate(known)
        if 0 < index < len(known) - 1
    ]
    told = max(off, default=UNPROVEN)
    return Prediction(net=net, relative=math.hypot(told, measured), queue=_queue(amount(step), known, told))


def _nearest(place: float, known: Sequence[tuple[float, _Known]]) -> tuple[_Known, _Known, float]:
    """Return the two nearest of ascending points, and where between them a place is: 0 at the first, 1 at the other."""
    at = min(max(1, sum(one <= place for one, _ in known)), len(known) - 1)
    (begin, low), (end, high) = known[at - 1], known[at]
    return low, high, (place - begin) / (end - begin) if end > begin else 0.0


def _between(first: float, second: float, share: float) -> float:
    """Return the value on the line through two, which does not fall."""
    return max(0.0, first + share * max(0.0, second - first))


def _line(place: float, known: Sequence[tuple[float, _Known]]) -> tuple[Latencies, float]:
    """Interpolate on the line through the two nearest of ascending points; never falling.

    Returns:
        The latencies, and the half-width of their interval from those of the two points, relative to them.
    """
    low, high, share = _nearest(place, known)

    def between(first: float, second: float) -> float:
        return _between(first, second, share)

    near = between(low.net.near_ns, high.net.near_ns)
    again = (low.net.repeated_ns, high.net.repeated_ns)
    net = Latencies(
        near_ns=near,
        constants_ns=between(low.net.constants_ns, high.net.constants_ns),
        repeated_ns=None if again[0] is None or again[1] is None else min(near, between(again[0], again[1])),
    )
    parts = ((1 - share) * low.relative * low.net.near_ns, share * high.relative * high.net.near_ns)
    return net, math.hypot(*parts) / near if near else 0.0


def _queue(place: float, known: Sequence[tuple[float, _Known]], relative: float) -> QueueTimes | None:
    """Predict times on host and device on the lines through the two nearest of ascending points; never falling.

    Args:
        place: work of the step.
        known: work of measured steps, and these.
        relative: half-width of a prediction, relative to it, beside what the two points leave open.

    Returns:
        None if a point has no such times.
    """
    low, high, share = _nearest(place, known)
    first, last = low.queue, high.queue
    if first is None or last is None:
        return None

    def between(name: str) -> int:
        return round(_between(getattr(first, name), getattr(last, name), share))

    made: dict[str, int] = {}
    for name in ("host", "device"):
        middle = between(f"{name}_ns")
        sides = [between(f"{name}_low_ns"), between(f"{name}_high_ns")]
        reach = math.hypot(relative * middle, *(abs(side - middle) for side in sides))
        made |= {f"{name}_ns": middle, f"{name}_low_ns": round(middle - min(middle, reach))}
        made[f"{name}_high_ns"] = round(middle + reach)
    for name in ("device_cold_ns", "alone_ns"):
        if getattr(first, name) is not None and getattr(last, name) is not None:
            made[name] = between(name)
    nearest = first if share < 1 / 2 else last
    return QueueTimes(kernels=nearest.kernels, synchronises=nearest.synchronises, **made)


def _work(step: CompositionStep) -> float:
    return float(step.features.flops) if step.features else 0.0


def _bytes(step: CompositionStep) -> float:
    return float(step.features.input_bytes + step.features.output_bytes) if step.features else 0.0
