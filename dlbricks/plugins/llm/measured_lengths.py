"""Finds the lengths at which a decoder was measured, from the results of a system.

A suite has shapes, but no lengths. The bytes of most sequences are linear in a length. So two splits suffice to compute
the length at which a sequence has as many bytes as a measured sequence.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dlbricks.construct.types import CompositionStep
from dlbricks.errors import InputError
from dlbricks.model.read.decoders import PAST, SEQUENCE
from dlbricks.model.types import SequenceFeatures
from dlbricks.plugins.llm.lengths import MeasuredPoint, Point, refuse_unreachable
from dlbricks.store.types import SystemResults

# Most lengths that are tried along one dimension; those nearest to the wanted ones come first.
_TRIED = 6
# Least length that is compared: with one token a decoder consists of other sequences.
_LEAST = 4
_Lengths = Mapping[str, int]


def measured_points(
    at: Callable[[_Lengths], MeasuredPoint],
    wanted: Sequence[MeasuredPoint],
    results: SystemResults,
) -> list[MeasuredPoint]:
    """Return the points at which a system has measured all layer sequences of a decoder.

    ``at`` splits the decoder at given lengths; ``wanted`` has the points that an estimate needs by default.
    """
    pasts: dict[int, list[int]] = {}
    for point in wanted:
        if point.at[PAST]:
            pasts.setdefault(point.at[SEQUENCE], []).append(point.at[PAST])
    points = [point for new, same in pasts.items() for point in _along(PAST, same, {SEQUENCE: new}, at, results)]
    prompts = [point.at[SEQUENCE] for point in wanted if not point.at[PAST]]
    points += _along(SEQUENCE, prompts, {PAST: 0}, at, results) if prompts else []
    present = [point.at for point in points]
    return points + [point for point in wanted if point.at not in present and is_measured(point, results)]


def left_to_measure(
    wanted: Sequence[MeasuredPoint], calls: Sequence[Point], measured: Sequence[MeasuredPoint]
) -> list[Point]:
    """Return the fewest further points to measure so that all ``calls`` can be predicted.

    ``wanted`` suffices without ``measured`` points; ``calls`` have the smallest and largest lengths to predict.
    """
    comparable = [
        lengths_of(point.at)
        for point in measured
        if any(
            len(point.composition.steps) == len(each.composition.steps)
            # points that differ in both lengths cannot lie on a line with the call
            and (point.at[PAST] == each.at[PAST] or point.at[SEQUENCE] == each.at[SEQUENCE])
            for each in wanted
        )
    ]
    left: list[Point] = [lengths_of(point.at) for point in wanted]
    for point in list(left) if comparable else ():
        rest = [other for other in left if other != point]
        if all(_is_predictable(call, [*comparable, *rest]) for call in calls):
            left = rest
    return left


def _is_predictable(call: Point, measured: Sequence[Point]) -> bool:
    try:
        refuse_unreachable(lengths_of(call), measured)
    except InputError:
        return False
    return True


def lengths_of(point: Point) -> dict[str, int]:
    """Return the past and new tokens of a point, without other dimensions."""
    return {name: point[name] for name in (PAST, SEQUENCE)}


def is_measured(point: MeasuredPoint, results: SystemResults) -> bool:
    """Return whether a system has measured all measurable sequences of a call."""
    counted = (step for step in point.composition.steps if not step.free and step.features is not None)
    return all(step.fingerprint in results.measurements for step in counted)


def _along(
    name: str,
    wanted: Sequence[int],
    others: _Lengths,
    at: Callable[[_Lengths], MeasuredPoint],
    results: SystemResults,
) -> list[MeasuredPoint]:
    # Return the measured calls that differ in one length.
    most = max(*wanted, _LEAST)
    try:
        low, high = (at({**others, name: length}).composition.steps for length in (most - 1, most))
    except InputError:  # the length exceeds the decoder's context
        return []
    lengths = sorted(
        _likely(low, high, most, results), key=lambda length: min(abs(math.log(length / each)) for each in wanted)
    )
    points = [at({**others, name: length}) for length in sorted(lengths[:_TRIED])]
    return [point for point in points if is_measured(point, results)]


def _likely(
    low: Sequence[CompositionStep], high: Sequence[CompositionStep], most: int, results: SystemResults
) -> list[int]:
    # Return the lengths at which most of the sequences that depend on the length were measured. ``low`` and ``high``
    # are the decoder at the lengths ``most - 1`` and ``most``.
    if len(low) != len(high):
        return []
    measured: dict[tuple[object, ...], set[int]] = {}
    for features in results.features.values():
        measured.setdefault(_kind(features), set()).add(_bytes(features))
    votes = Counter[int]()
    for first, last in {(a.fingerprint, b.fingerprint): (a, b) for a, b in zip(low, high, strict=True)}.values():
        before, after = first.features, last.features
        if before is None or after is None or _bytes(after) <= _bytes(before):
            continue
        slope = _bytes(after) - _bytes(before)
        steps = [divmod(some - _bytes(after), slope) for some in measured.get(_kind(after), ())]
        votes.update(most + step for step, rest in steps if not rest and most + step > 0)
    # sequences whose bytes do not depend on the length, or on its square, give wrong lengths, but not the same one
    enough = max(votes.values(), default=0) / 2
    return sorted(length for length, count in votes.items() if count > enough)


def _kind(features: SequenceFeatures) -> tuple[object, ...]:
    return features.operators, features.kinds, features.weight_bytes


def _bytes(features: SequenceFeatures) -> int:
    return features.input_bytes + features.output_bytes
