"""Which tasks of a graph are convolutions, and which of those have one filter for each channel."""

from typing import Any

import numpy as np

from dlbricks.trace.nouns import Longs
from dlbricks.whatif.inference.operators import plain_name
from dlbricks.whatif.inference.shares import figures
from dlbricks.whatif.nouns import DependencyGraph, TaskKind

_NAMES = frozenset({"conv", "convinteger"})
_DEPTHWISE = frozenset(count + more for count in (9, 25, 49) for more in (0, 1))
"""Products for each result, a bias perhaps counted as one."""
_FLOAT_BYTES = 4


def convolutions(graph: DependencyGraph) -> Longs:
    """Give the layers of the host that are convolutions."""
    fitting = [number for number, name in enumerate(graph.operators) if plain_name(name) in _NAMES]
    return np.flatnonzero(np.isin(graph.operator, fitting) & (graph.kind == TaskKind.CPU))


def depthwise(graph: DependencyGraph) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which tasks are convolutions with one filter for each channel: few products, as much read as written."""
    flops, read, written = (figures(graph, key) for key in ("flops", "read_bytes", "written_bytes"))
    with np.errstate(divide="ignore", invalid="ignore"):
        products = np.floor(flops / (2 * written / _FLOAT_BYTES))
    inputs = read - np.nan_to_num(figures(graph, "parameter_bytes"))
    few: np.ndarray[Any, np.dtype[np.bool_]] = np.isin(products, list(_DEPTHWISE)) & (inputs >= written)
    few &= np.isin(np.arange(len(graph)), convolutions(graph))
    return few
