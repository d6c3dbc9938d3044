"""Finds the lengths at which a decoder was measured among the results of a system. Pure.

A suite has shapes, not the prompts that its lengths were chosen for. But the bytes of most sequences grow linearly with
a length, so two calls tell at which length a sequence has the bytes of one that was measured.
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

_TRIED = 6
"""Maximum number of lengths that are tried along one dimension, those nearest to the wanted ones."""
_Lengths = Mapping[str, int]


def measured_points(
    at: Callable[[_Lengths], MeasuredPoint],
    wanted: Sequence[MeasuredPoint],
    results: SystemResults,
) -> list[MeasuredPoint]:
    """Return calls of a decoder all of whose sequences were measured.

    Args:
        at: splits the decoder at given lengths.
        wanted: the calls to estimate from, had they been measured.
        results: all measurements of the system.
    """
    asked: dict[int, list[int]] = {}
    for one in wanted:
        if one.at[PAST]:
            asked.setdefault(one.at[SEQUENCE], []).append(one.at[PAST])
    found = [point for new, pasts in asked.items() for point in _along(PAST, pasts, {SEQUENCE: new}, at, results)]
    prompts = [one.at[SEQUENCE] for one in wanted if not one.at[PAST]]
    found += _along(SEQUENCE, prompts, {PAST: 0}, at, results) if prompts else []
    told = [one.at for one in found]
    return found + [one for one in wanted if one.at not in told and is_measured(one, results)]


def left_to_measure(
    wanted: Sequence[MeasuredPoint], calls: Sequence[Point], found: Sequence[MeasuredPoint]
) -> list[Point]:
    """Return the lengths that are needed beside the measured ones to predict calls, as few as suffice.

    Args:
        wanted: points that suffice.
        calls: lengths of the outermost calls to predict.
        found: measured points.
    """
    made = [
        lengths_of(one.at)
        for one in found
        if any(
            len(one.composition.steps) == len(each.composition.steps) and _differs(one.at, each.at) < _BOTH
            for each in wanted
        )
    ]
    left: list[Point] = [lengths_of(one.at) for one in wanted]
    for point in list(left) if made else ():
        rest = [one for one in left if one != point]
        if all(_is_predictable(call, [*made, *rest]) for call in calls):
            left = rest
    return left


_BOTH = len((PAST, SEQUENCE))


def _is_predictable(call: Point, known: Sequence[Point]) -> bool:
    try:
        refuse_unreachable(lengths_of(call), known)
    except InputError:
        return False
    return True


def lengths_of(point: Point) -> dict[str, int]:
    """Return the past and the new tokens of a point, without its other extents."""
    return {name: point[name] for name in (PAST, SEQUENCE)}


def _differs(point: Point, other: Point) -> int:
    """Return in how many lengths two points differ."""
    return sum(point[name] != other[name] for name in (PAST, SEQUENCE))


def is_measured(point: MeasuredPoint, results: SystemResults) -> bool:
    """Return whether all sequences of a call that can be measured were measured."""
    return all(step.fingerprint in results.measurements for step in point.composition.steps if _counts(step))


def _along(
    name: str,
    wanted: Sequence[int],
    others: _Lengths,
    at: Callable[[_Lengths], MeasuredPoint],
    results: SystemResults,
) -> list[MeasuredPoint]:
    """Return the measured calls that differ in one length."""
    most = max(*wanted, _LEAST)
    try:
        low, high = (at({**others, name: length}).composition.steps for length in (most - 1, most))
    except InputError:  # beyond its context
        return []
    lengths = sorted(
        _likely(low, high, most, results), key=lambda one: min(abs(math.log(one / each)) for each in wanted)
    )
    made = [at({**others, name: length}) for length in sorted(lengths[:_TRIED])]
    return [one for one in made if is_measured(one, results)]


def _likely(
    low: Sequence[CompositionStep], high: Sequence[CompositionStep], most: int, results: SystemResults
) -> list[int]:
    """Return the lengths that most of the sequences which depend on it have in common.

    Args:
        low: the decoder at a length one below ``most``.
        high: the decoder at the length ``most``.
        most: a length.
        results: all measurements of the system.
    """
    if len(low) != len(high):
        return []
    known: dict[tuple[object, ...], set[int]] = {}
    for one in results.features.values():
        known.setdefault(_kind(one), set()).add(_bytes(one))
    votes = Counter[int]()
    for first, last in {(a.fingerprint, b.fingerprint): (a, b) for a, b in zip(low, high, strict=True)}.values():
        before, after = first.features, last.features
        if before is None or after is None or _bytes(after) <= _bytes(before):
            continue
        slope = _bytes(after) - _bytes(before)
        steps = [divmod(some - _bytes(after), slope) for some in known.get(_kind(after), ())]
        votes.update(most + step for step, rest in steps if not rest and most + step > 0)
    enough = max(votes.values(), default=0) / 2
    return sorted(length for length, count in votes.items() if count > enough)


_LEAST = 4
"""Of the lengths whose sequences are compared: with one token a decoder is made of others."""


def _counts(step: CompositionStep) -> bool:
    return not step.free and step.features is not None


def _kind(features: SequenceFeatures) -> tuple[object, ...]:
    return features.operators, features.kinds, features.weight_bytes


def _bytes(features: SequenceFeatures) -> int:
    return features.input_bytes + features.output_bytes
