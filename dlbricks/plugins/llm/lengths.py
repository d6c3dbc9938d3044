"""Predicts a decoder's calls at lengths that were not measured.

A call processes new tokens after those in the cache (past); a point is a pair of these lengths. The latency of a layer
sequence is predicted from its latencies at the two nearest measured points, by a line over the number of operations, or
over the bytes if operations are constant. The line never falls. It extends to twice the measured lengths, and further
only on request.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.construct.interpolate import Prediction
from dlbricks.construct.types import Composition, CompositionStep
from dlbricks.errors import InputError
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.records import relative_half_width
from dlbricks.store.types import QueueTimes, SystemResults

# Relative half-width of a prediction from two points, where no third point can check it: a convention.
UNPROVEN = 0.05
# The lengths of a call, past tokens and new tokens, by the name of the dimension.
Point = Mapping[str, int]
_SomePoint = TypeVar("_SomePoint", bound=Point)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """A network that is split at one point (numbers of past and new tokens)."""

    at: Point
    composition: Composition


class LengthInterpolator:
    """Predicts latencies of layer sequences of a decoder at other lengths."""

    def __init__(
        self, target: MeasuredPoint, measured: Sequence[MeasuredPoint], results: SystemResults, *, far: bool = False
    ) -> None:
        """Fit a line to the latencies of each layer sequence.

        Raises ``InputError`` if the target is beyond twice the measured lengths, unless ``far`` is set.
        """
        self._predictions: dict[SequenceFeatures, Prediction] = {}
        for index, step in enumerate(target.composition.steps):
            if step.free or step.features is None or step.fingerprint in results.measurements:
                continue
            for name in target.at:
                rows = _along(name, index, target, measured, results)
                if len(rows) > 1:
                    if not far:
                        _refuse_far(name, target.at[name], [row.length for row in rows])
                    self._predictions[step.features] = _predicted(step, rows)
                    break

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Predict the latencies of a layer sequence; None if it was measured at fewer than two lengths."""
        return self._predictions.get(features)


def refuse_unreachable(target: Point, measured: Sequence[Point]) -> None:
    """Raise ``InputError`` unless the target can be predicted from ``measured`` points.

    Two near points must differ from the target in a single length (past or new tokens), the same for both.
    """
    if target in measured:
        return
    beside = _beside(target, measured)
    if beside is not None:
        _refuse_far(beside[0], target[beside[0]], beside[1])
        return
    at = ", ".join(f"{name}={value}" for name, value in target.items())
    raise InputError(
        f"an estimate at {at} needs two measured points that differ from it in one length only: add extents to "
        "--dim, as in --dim past=0,512,2048 --dim sequence=1,256"
    )


def check_comparable_first_step(target: MeasuredPoint, measured: Sequence[MeasuredPoint]) -> None:
    """Raise ``InputError`` if a step can be predicted only from a step with an empty cache.

    Such a step has other sequences, since the runtime omits the work on a mask of one element.
    """
    alike = [point.at for point in measured if len(point.composition.steps) == len(target.composition.steps)]
    empty = [point for point in measured if not point.at[PAST] and point.at[SEQUENCE] == 1]
    if all(point.at in alike for point in empty) or target.at in alike or target.at[SEQUENCE] > 1:
        return
    if _beside(target.at, alike) is None:
        raise InputError(
            f"{target.composition.model}: a decode step with an empty cache runs other kernels: measure past=1 instead "
            "of past=0"
        )


def _beside(target: Point, measured: Sequence[Point]) -> tuple[str, list[int]] | None:
    # Return a length and its values in the points that differ from the target in this length alone; None if there are
    # none.
    for name, wanted in target.items():
        values = [point[name] for point in measured if {**point, name: wanted} == target]
        if len(values) > 1:
            return name, values
    return None


def usable_points(points: Sequence[_SomePoint], chunk: int | None = None) -> list[_SomePoint]:
    """Return the points from which calls can be predicted: prompts, steps, chunks of a prompt.

    A call of one token with an empty cache is left out if ``points`` have both a step after one token and a prompt of
    several tokens (``llm.options.points_for``).
    """
    after_one = any(point.get(PAST) == 1 and point.get(SEQUENCE, 1) == 1 for point in points)
    after_one = after_one and any(not point.get(PAST) and point.get(SEQUENCE, 1) > 1 for point in points)
    return [
        point
        for point in points
        if (point.get(SEQUENCE, 1) in {1, chunk} or not point.get(PAST))
        and not (after_one and not point.get(PAST) and point.get(SEQUENCE, 1) == 1)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _MeasuredStep:
    # A measured sequence from which the same sequence is predicted at another length.
    length: int
    """Length of the step."""
    step: CompositionStep
    net: Latencies
    relative: float
    """Half-width of the latency's interval, relative to the latency."""
    queue: QueueTimes | None
    """Times of host and device, or None."""


def _along(
    name: str, index: int, target: MeasuredPoint, measured: Sequence[MeasuredPoint], results: SystemResults
) -> list[_MeasuredStep]:
    # Return the measured sequences at the same place in points that differ from the target in one length only.
    rows = {}
    wanted = target.composition.steps
    for point in measured:
        steps = point.composition.steps
        differing = [key for key, value in target.at.items() if point.at.get(key) != value]
        if differing != [name] or len(steps) != len(wanted):
            continue
        step = steps[index]
        measurement = results.measurements.get(step.fingerprint)
        if measurement is not None and step.features is not None and step.name == wanted[index].name:
            rows[step.fingerprint] = _MeasuredStep(
                length=point.at[name],
                step=step,
                net=net_latencies(measurement, results),
                relative=relative_half_width(measurement),
                queue=measurement.queue,
            )
    return sorted(rows.values(), key=lambda row: row.length)


def _refuse_far(name: str, wanted: int, points: Sequence[int]) -> None:
    if not (min(points) - 1) / 2 <= wanted <= 2 * max(points):  # a length of 1 counts as near to 3
        there = ", ".join(map(str, points))
        raise InputError(
            f"{name}={wanted} is more than twice or less than half a measured length ({there}): measure a point "
            "near it, or use --extrapolate"
        )


def _predicted(step: CompositionStep, rows: Sequence[_MeasuredStep]) -> Prediction:
    # Predict a sequence on the line of its latencies over its work; the interval is at least as wide as those of its
    # sources.
    amount = _work if len({_work(each) for each in (step, *(row.step for row in rows))}) > 1 else _bytes
    points = sorted(((amount(row.step), row) for row in rows), key=lambda point: point[0])
    net, sampling = _line(amount(step), points)
    # the error of the line is the largest error of an inner point that is predicted from the other points
    misses = [
        abs(_line(place, [*points[:index], *points[index + 1 :]])[0].llc_warm_ns / max(1.0, row.net.llc_warm_ns) - 1)
        for index, (place, row) in enumerate(points)
        if 0 < index < len(points) - 1
    ]
    miss = max(misses, default=UNPROVEN)
    return Prediction(net=net, relative=math.hypot(miss, sampling), queue=_queue(amount(step), points, miss))


# Measured sequences by ascending work.
_Points = Sequence[tuple[float, _MeasuredStep]]


def _nearest(place: float, points: _Points) -> tuple[_MeasuredStep, _MeasuredStep, float]:
    # Return the two nearest points, and the position between them: 0 at the first, 1 at the second.
    at = min(max(1, sum(other <= place for other, _ in points)), len(points) - 1)
    (begin, low), (end, high) = points[at - 1], points[at]
    return low, high, (place - begin) / (end - begin) if end > begin else 0.0


def _between(first: float, second: float, share: float) -> float:
    # Return the value on the line through two values; the line does not fall.
    return max(0.0, first + share * max(0.0, second - first))


def _line(place: float, points: _Points) -> tuple[Latencies, float]:
    # Return the latencies on the line through the two nearest points, and the relative half-width of their interval
    # that follows from the intervals of the two points.
    low, high, share = _nearest(place, points)
    near = _between(low.net.llc_warm_ns, high.net.llc_warm_ns, share)
    again, written = (
        None if first is None or second is None else _between(first, second, share)
        for first, second in (
            (low.net.hot_loop_ns, high.net.hot_loop_ns),
            (low.net.outputs_cold_ns, high.net.outputs_cold_ns),
        )
    )
    net = Latencies(
        llc_warm_ns=near,
        weights_cold_ns=_between(low.net.weights_cold_ns, high.net.weights_cold_ns, share),
        hot_loop_ns=None if again is None else min(near, again),
        outputs_cold_ns=None if written is None else max(near, written),
    )
    parts = ((1 - share) * low.relative * low.net.llc_warm_ns, share * high.relative * high.net.llc_warm_ns)
    return net, math.hypot(*parts) / near if near else 0.0


def _queue(place: float, points: _Points, relative: float) -> QueueTimes | None:
    # Predict the times of host and device on the lines through the two nearest points; None if a point has no such
    # times. ``relative`` is the half-width that the prediction adds to the intervals of the two points.
    low, high, share = _nearest(place, points)
    first, last = low.queue, high.queue
    if first is None or last is None:
        return None

    def between(name: str) -> int:
        return round(_between(getattr(first, name), getattr(last, name), share))

    times: dict[str, int] = {}
    for name in ("host", "device"):
        middle = between(f"{name}_ns")
        sides = [between(f"{name}_low_ns"), between(f"{name}_high_ns")]
        reach = math.hypot(relative * middle, *(abs(side - middle) for side in sides))
        times |= {f"{name}_ns": middle, f"{name}_low_ns": round(middle - min(middle, reach))}
        times[f"{name}_high_ns"] = round(middle + reach)
    for name in ("device_cold_ns", "alone_ns"):
        if getattr(first, name) is not None and getattr(last, name) is not None:
            times[name] = between(name)
    nearest = first if share < 1 / 2 else last
    traced = min(first.traced, last.traced)
    return QueueTimes(kernels=nearest.kernels, synchronises=nearest.synchronises, traced=traced, **times)


def _work(step: CompositionStep) -> float:
    return float(step.features.flops or 0) if step.features else 0.0


def _bytes(step: CompositionStep) -> float:
    return float(step.features.input_bytes + step.features.output_bytes) if step.features else 0.0
