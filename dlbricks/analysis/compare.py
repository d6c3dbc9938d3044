"""Two profiles against each other: two machines, two runtimes, before and after a change. Pure.

Layers are matched by name and occurrence, kernels summed up by name. What only one side has is kept, so that sums
agree. A difference is called certain where the 95 % intervals of both sides, in quadrature, do not reach it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from dlbricks.analysis.columns import flag, real, text, whole
from dlbricks.analysis.device import Kernels
from dlbricks.analysis.kernel_level import launches
from dlbricks.analysis.layer_level import grouped
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.nouns import Column, Table
from dlbricks.analysis.sources import Answer, kernels_in, layers_in, model_times, table_of
from dlbricks.analysis.statistics import Floats, Summaries, numbered, summaries, sums
from dlbricks.profile.nouns import Profile
from dlbricks.trace.nouns import Longs

FEW = 0.5
"""Below this share of matching layers a comparison says so."""

_Key = TypeVar("_Key")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Times of one side, row by row; NaN where it has no such row."""

    median: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What is taken together on one side: a name, what it sums up to in a call, and how often it comes."""

    places: Mapping[str, int]
    times: Summaries
    counts: Sequence[float]


def compare(a: Profile, b: Profile) -> tuple[Table, ...]:
    """Compare two profiles: calls, layers, layer types, kernels; columns of the first begin with ``a``."""
    names = a.network if a.network == b.network else f"{a.network} and {b.network}"
    layers = _both(a, b, layers_in)
    kernels = _both(a, b, kernels_in)
    return (
        table_of("compare-model", f"Calls of {names}", _calls(a, b)),
        table_of("compare-layers", f"Layers of {names}", layers if isinstance(layers, str) else _layers(*layers)),
        table_of("compare-types", f"Layer types of {names}", layers if isinstance(layers, str) else _types(*layers)),
        table_of("compare-kernels", f"Kernels of {names}", kernels if isinstance(kernels, str) else _kernels(*kernels)),
    )


def _both(
    a: Profile, b: Profile, of: Callable[[Profile, int | None], tuple[_Found, tuple[str, ...]] | str]
) -> tuple[_Found, _Found, list[str]] | str:
    """Give what both profiles have of one batch, the smallest that both have, with its notes; or why there is none.

    Where a batch is not known, as in traces of others, the smallest of each side is taken.
    """
    batch = next((one for one in a.batches if one in b.batches), None)
    if batch is None and 0 not in {*a.batches, *b.batches}:
        return _no_common_batch(a, b)
    first, second = of(a, batch), of(b, batch)
    if isinstance(first, str):
        return f"the first {first}"
    if isinstance(second, str):
        return f"the second {second}"
    said = [f"of batch {batch}"] if batch and len({*a.batches, *b.batches}) > 1 else []
    return first[0], second[0], [*first[1], *second[1], *said]


def _calls(a: Profile, b: Profile) -> Answer:
    known = []
    for batch in a.batches:
        one, other = model_times(a, batch), model_times(b, batch) if batch in b.batches else None
        if one is not None and other is not None:
            known.append((one, other))
    if not known:
        return _no_common_batch(a, b)
    sides = [_stacked([pair[at].summary for pair in known]) for at in (0, 1)]
    notes = [note for pair in known for times in pair for note in times.notes]
    return (
        whole("batch", [one.batch or np.nan for one, _ in known], "", "Inputs per call."),
        *_differences(*sides),
    ), notes


def _layers(first: Layers, second: Layers, notes: Sequence[str]) -> Answer:
    ours, theirs = first.keys(), second.keys()
    keys = list(dict.fromkeys((*ours, *theirs)))
    types = dict(zip((*theirs, *ours), (*second.types, *first.types), strict=True))
    matching = sum(key in ours and key in theirs for key in keys)
    said = [f"{matching} of {len(keys)} layers are in both; the others are on one side only"]
    if matching < FEW * len(keys):
        said.append("most layers have no partner of the same name: the networks or their lowering differ")
    columns = (
        whole("index", _figures(first.index, ours, keys), "", "In the first; empty for what only the second has."),
        text("layer", [name for name, _ in keys]),
        text("type", [types[key] for key in keys], "Operator."),
        *_differences(_side(first.latencies(), ours, keys), _side(second.latencies(), theirs, keys)),
    )
    return columns, [*notes, *said]


def _types(first: Layers, second: Layers, notes: Sequence[str]) -> Answer:
    return _groups("type", "Layers of the type", _by_type(first), _by_type(second)), notes


def _kernels(first: Kernels, second: Kernels, notes: Sequence[str]) -> Answer:
    return _groups("kernel", "Executions in one call", _by_name(first), _by_name(second)), notes


def _groups(what: str, counted: str, first: Group, second: Group) -> tuple[Column, ...]:
    """Set groups side by side, largest time first."""
    names = list(dict.fromkeys((*first.places, *second.places)))
    sides = [_side(one.times, one.places, names) for one in (first, second)]
    counts = [np.nan_to_num(_figures(one.counts, one.places, names)) for one in (first, second)]
    order = np.argsort(-np.nan_to_num(sides[0].median) - np.nan_to_num(sides[1].median), kind="stable")
    sides = [Side(median=one.median[order], low=one.low[order], high=one.high[order]) for one in sides]
    return (
        text(what, [names[at] for at in order.tolist()]),
        whole("a_count", counts[0][order], "", f"{counted}, in the first."),
        whole("b_count", counts[1][order], "", f"{counted}, in the second."),
        *_differences(*sides),
    )


def _by_type(layers: Layers) -> Group:
    names, group = grouped(layers.types)
    times = _over_calls(group[layers.layer], layers.call, layers.durations_ns, len(names))
    counts = np.bincount(group, minlength=len(names)).tolist()
    return Group(places={name: at for at, name in enumerate(names)}, times=times, counts=counts)


def _by_name(kernels: Kernels) -> Group:
    names, group = grouped(kernels.names)
    times = _over_calls(group[kernels.kernel], kernels.call, kernels.durations_ns, len(names))
    counts = launches(kernels, group, len(names)).tolist()
    return Group(places={name: at for at, name in enumerate(names)}, times=times, counts=counts)


def _over_calls(group: Longs, call: Longs, values: Longs, groups: int) -> Summaries:
    """Sum up each call by itself, then summarise over calls."""
    cell, first = numbered(group, call)
    return summaries(group[first], sums(cell, values, len(first)), groups)


def _stacked(found: Sequence[Summaries]) -> Side:
    return Side(
        median=np.array([one.median[0] for one in found]),
        low=np.array([one.low[0] for one in found]),
        high=np.array([one.high[0] for one in found]),
    )


def _side(found: Summaries, places: Mapping[_Key, int], keys: Sequence[_Key]) -> Side:
    median, low, high = (_figures(values, places, keys) for values in (found.median, found.low, found.high))
    return Side(median=median, low=low, high=high)


def _figures(values: Sequence[float] | Floats | Longs, places: Mapping[_Key, int], keys: Sequence[_Key]) -> Floats:
    """Give the figure of each key, NaN where it has none."""
    known = np.append(np.asarray(values, np.float64), np.nan)
    return known[[places.get(key, -1) for key in keys]]


def _differences(a: Side, b: Side) -> tuple[Column, ...]:
    """Make the columns that set two sides beside each other."""
    difference = b.median - a.median
    half = np.hypot(a.high - a.low, b.high - b.low) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(a.median > 0, b.median / a.median, np.nan)
    certain = [
        None if unsure else bool(far)
        for unsure, far in zip(np.isnan(half).tolist(), (np.abs(difference) > half).tolist(), strict=True)
    ]
    return (
        whole("a_ns", a.median, "ns", "In the first, median over calls."),
        whole("b_ns", b.median, "ns", "In the second, median over calls."),
        whole("difference_ns", difference, "ns", "Second less first."),
        real("ratio", ratio, "", "Second over first."),
        flag("certain", certain, "Whether the 95 % intervals rule out that there is none; empty for single calls."),
    )


def _no_common_batch(a: Profile, b: Profile) -> str:
    return f"no batch was measured in both: the first has {_listed(a.batches)}, the second {_listed(b.batches)}"


def _listed(batches: Sequence[int]) -> str:
    return ", ".join(str(one) for one in batches) or "none"
