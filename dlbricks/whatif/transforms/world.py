"""Another number of ranks (``world-size``): what collectives of a larger or smaller group take."""

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import DependencyGraph, with_attributes
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.transforms.links import (
    LATENCY,
    NOT_ALL_RANKS,
    collective_rows,
    is_transfer,
    member_counts,
    operation,
    ring_halves,
)


def _rows(graph: DependencyGraph) -> Longs:
    """Give the collectives of the largest group."""
    rows = collective_rows(graph)
    members = member_counts(graph, rows)
    made: Longs = rows[members == np.nanmax(members, initial=0)]
    return made


def _resized(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, later = _rows(graph), values["ranks"]
    now = float(member_counts(graph, rows)[0])
    halves = np.array([ring_halves(operation(graph, row)) for row in rows.tolist()], np.float64)
    times = graph.duration_ns[rows]
    rounds_ns = np.minimum(times, halves * (now - 1) * values["latency"])
    bytes_ratio = ((later - 1) / later) / ((now - 1) / now)
    made = (times - rounds_ns) * bytes_ratio + rounds_ns * (later - 1) / (now - 1)
    sizes = np.array(graph.attributes["group_size"])
    sizes[rows] = later
    resized = with_durations(graph, rows, np.where(halves > 0, made, times))
    return with_attributes(resized, group_size=sizes)


def _no_group(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: ask data-parallel first, or give the traces of all ranks"
    if not is_transfer(graph, rows).all():
        return f"its collectives {NOT_ALL_RANKS}: give the traces of all ranks"
    if np.isnan(member_counts(graph, rows)).any():
        return "it does not tell the groups of all its collectives"
    if np.nanmax(member_counts(graph, rows)) < 2:
        return "its groups have one rank each"
    return "" if values["ranks"] >= 2 else "one rank has nobody to exchange with"


WORLD_SIZE = Transform(
    name="world-size",
    title="More or fewer ranks, each with the batch of the trace; the largest group of collectives changes.",
    evidence="modelled",
    source="Thakur, Rabenseifner and Gropp (IJHPCA 19, 2005): rings",
    apply=_resized,
    parameters=(Parameter("ranks", "count", "of the largest group afterwards"), LATENCY),
    requires=_no_group,
    ensures=counting(0, "tasks are gone"),
)
"""On a ring each of n ranks sends (n - 1) / n of the bytes, in n - 1 rounds; an all-reduce does so twice. What was
transferred is scaled by that, rounds of the given latency apart. Broadcasts, reductions to one rank and sends stay as
they are. Not modelled: links of another kind beyond a node, and further ranks that come late.
"""
