"""Another number of ranks (``world-size``): what collectives of a larger or smaller group take."""

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import DependencyGraph, Floats, with_attributes
from dlbricks.whatif.transform import Parameter, Transform, Values, counting, read_value
from dlbricks.whatif.transforms.links import (
    LATENCY,
    NOT_ALL_RANKS,
    collective_rows,
    is_transfer,
    member_counts,
    operation,
    ring_halves,
)

_AS_TRACED = "trace"
RANKS = Parameter("ranks", "count", "of the largest group afterwards")


def _members(graph: DependencyGraph, values: Values) -> Floats:
    """Give the ranks of each collective, NaN where neither the trace nor the question tells."""
    recorded = member_counts(graph, collective_rows(graph))
    said = float("nan") if values["now"] == _AS_TRACED else float(read_value(RANKS, values["now"]))
    made: Floats = np.where(np.isnan(recorded), said, recorded)
    return made


def _rows(graph: DependencyGraph, values: Values) -> tuple[Longs, float]:
    """Give the collectives of the largest group, and how many ranks it has."""
    members = _members(graph, values)
    return collective_rows(graph)[members == members.max()], float(members.max())


def _resized(graph: DependencyGraph, values: Values) -> DependencyGraph:
    (rows, now), later = _rows(graph, values), values["ranks"]
    halves = np.array([ring_halves(operation(graph, row)) for row in rows.tolist()], np.float64)
    times = graph.duration_ns[rows]
    rounds_ns = np.minimum(times, halves * (now - 1) * values["latency"])
    bytes_ratio = ((later - 1) / later) / ((now - 1) / now)
    made = (times - rounds_ns) * bytes_ratio + rounds_ns * (later - 1) / (now - 1)
    sizes = np.array(graph.figures("group_size"))
    sizes[rows] = later
    resized = with_durations(graph, rows, np.where(halves > 0, made, times))
    return with_attributes(resized, group_size=sizes)


def _no_group(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: ask data-parallel first, or give the traces of all ranks"
    if not is_transfer(graph, rows).all():
        return f"its collectives {NOT_ALL_RANKS}: give the traces of all ranks"
    try:
        members = _members(graph, values)
    except InputError as error:
        return f"now: {error}"
    if np.isnan(members).any():
        return "it does not tell the groups of all its collectives: give now=RANKS"
    if members.max() < 2:
        return "its groups have one rank each"
    return "" if values["ranks"] >= 2 else "one rank has nobody to exchange with"


WORLD_SIZE = Transform(
    name="world-size",
    title="More or fewer ranks, each with the batch of the trace; the largest group of collectives changes.",
    evidence="modelled",
    source="Thakur, Rabenseifner and Gropp (IJHPCA 19, 2005): rings",
    apply=_resized,
    parameters=(
        RANKS,
        Parameter("now", "text", "ranks of groups of which the trace does not tell it", _AS_TRACED),
        LATENCY,
    ),
    requires=_no_group,
    ensures=counting(0, "tasks are gone"),
)
"""On a ring each of n ranks sends (n - 1) / n of the bytes, in n - 1 rounds; an all-reduce does so twice. What was
transferred is scaled by that, rounds of the given latency apart. Broadcasts, reductions to one rank and sends stay as
they are. Not modelled: links of another kind beyond a node, and further ranks that come late.
"""
