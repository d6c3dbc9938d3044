"""Which tasks of a graph are convolutions, and what their figures say of filters, channels and maps."""

import itertools
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.inference.operators import plain_name
from dlbricks.whatif.inference.shares import figures
from dlbricks.whatif.nouns import DependencyGraph, Floats, TaskKind

_NAMES = frozenset({"conv", "convinteger"})
_SQUARES = (9, 25, 49, 81, 121)
"""Products for each result of a convolution with one filter of 3x3, 5x5 ... 11x11 for each channel."""
_FLOAT_BYTES = 4
_MORE = 3
"""So many products for each result may be those of a bias and of a fused activation."""
_FEW_MORE = (0, 1)
"""The same as a rule."""
_FILTERS = (3, 5)
"""Sides of the filters that convolutions in groups have."""
_STRIDES = (1, 2)
_FEWEST_GROUPS = 4
_SUMMED_FILTERS = (1, 3)
"""Sides of the filters of convolutions that take in a sum."""
_BIAS = 0.25
"""So much of a product beyond a whole number of them: a bias is counted, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Convolutions:
    """Some convolutions, one entry for each in every column; what their figures do not say is NaN."""

    rows: Longs
    """The tasks."""
    products: Floats
    """Multiplications for each result."""
    channels: Floats
    """Of the result."""
    maps: Floats
    """Results of each channel, all images together."""
    depthwise: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    """Whether each channel is for itself: few products, as much read as written."""
    group_channels: Floats
    """Of each group, where there are at least four of more than one channel each; NaN elsewhere."""
    summed: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    """Whether a second tensor of the size of the result is read: a sum that was fused into it."""


def convolutions(graph: DependencyGraph) -> Convolutions:
    """Describe the layers of the host that are convolutions."""
    fitting = [number for number, name in enumerate(graph.operators) if plain_name(name) in _NAMES]
    rows = np.flatnonzero(np.isin(graph.operator, fitting) & (graph.kind == TaskKind.CPU))
    flops, read, written, held = (
        figures(graph, key)[rows] for key in ("flops", "read_bytes", "written_bytes", "parameter_bytes")
    )
    results = written / _FLOAT_BYTES
    with np.errstate(divide="ignore", invalid="ignore"):
        each = flops / (2 * results)
    products = np.floor(each)
    channels = np.full(len(rows), np.nan)
    # a filter and perhaps a bias for each channel: whichever divides both the constants and the results
    for more in (0, 1, -1, -2, -3):
        with np.errstate(divide="ignore", invalid="ignore"):
            said = held / _FLOAT_BYTES / (products + np.where(each - products > _BIAS, 1 - abs(more), more))
            whole = (said > 0) & (said == np.floor(said)) & (results % said == 0)
        channels = np.where(np.isnan(channels) & whole, said, channels)
    maps = results / channels
    inputs = (read - np.nan_to_num(held)) / _FLOAT_BYTES / maps
    few = np.isin(products[:, None] - np.arange(_MORE + 1), _SQUARES).any(axis=1)
    return Convolutions(
        rows=rows,
        products=products,
        channels=channels,
        maps=maps,
        depthwise=few & (read - np.nan_to_num(held) >= written),
        group_channels=np.where(few, np.nan, _group_channels(products, channels, inputs)),
        summed=_summed(products, channels, inputs),
    )


def _group_channels(products: Floats, channels: Floats, inputs: Floats) -> Floats:
    """Give the channels of a group where as many channels are read as written, in more groups than one.

    As many groups as a filter has places are left out: so many would a filter of 1x1 seem to have.

    Args:
        products: for each result.
        channels: of the result.
        inputs: values read for each place of the map of the result; of stride 2, four times the channels.
    """
    made = np.full(len(products), np.nan)
    for side, more in itertools.product(_FILTERS, _FEW_MORE):
        of_group = (products - more) / side**2
        with np.errstate(divide="ignore", invalid="ignore"):
            groups = channels / of_group
            whole = (of_group == np.floor(of_group)) & (groups == np.floor(groups)) & (of_group > 1)
        as_many = np.isin(inputs[:, None] / channels[:, None], [stride**2 for stride in _STRIDES]).any(axis=1)
        fits = whole & as_many & (groups >= _FEWEST_GROUPS) & (groups != side**2)
        made = np.where(np.isnan(made) & fits, of_group, made)
    return made


def _summed(products: Floats, channels: Floats, inputs: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which read as many values besides their own inputs as they write; of stride 1, in one group."""
    made = np.zeros(len(products), bool)
    for side, more in itertools.product(_SUMMED_FILTERS, _FEW_MORE):
        made |= inputs == (products - more) / side**2 + channels
    return made


def depthwise(graph: DependencyGraph) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which tasks are convolutions with one filter for each channel."""
    found = convolutions(graph)
    made = np.zeros(len(graph), bool)
    made[found.rows] = found.depthwise
    return made
