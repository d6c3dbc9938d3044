"""Another network: collectives at another bandwidth."""

import numpy as np

from dlbricks.errors import InputError
from dlbricks.units import counted
from dlbricks.whatif.edit import lasting
from dlbricks.whatif.nouns import DependencyGraph
from dlbricks.whatif.training.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    collective_rows,
    is_transfer,
    link_of,
    member_counts,
    payload_bytes,
    poor_link,
)
from dlbricks.whatif.transform import Parameter, Transform, Values, read_value

_UNKNOWN = "unknown"


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = collective_rows(graph)
    rows = rows[is_transfer(graph, rows)]
    link, now = link_of(values), _present(values)
    durations = []
    sizes, members = payload_bytes(graph, rows).tolist(), member_counts(graph, rows).tolist()
    for row, size, count in zip(rows.tolist(), sizes, members, strict=True):
        before = int(graph.duration_ns[row])
        if now is not None:
            sent = max(0.0, before - link.latency_ns)
            durations.append(round(before - sent + sent * now / float(values["bandwidth"])))
        else:
            durations.append(link.collective_ns(graph.names[graph.task_name[row]], size, count))
    return lasting(graph, rows, np.array(durations, np.int64))


def _present(values: Values) -> float | None:
    """Give the bandwidth that was measured with; None where it was not said."""
    if str(values["now"]) == _UNKNOWN:
        return None
    return float(read_value(BANDWIDTH, str(values["now"])))


def _why_not(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: ask data-parallel first, or give the traces of all ranks"
    known = rows[is_transfer(graph, rows)]
    if not len(known):
        return (
            "its collectives were recorded on one rank, where most of their time may be waiting for the others: give "
            "the traces of all ranks"
        )
    try:
        now = _present(values)
    except InputError as error:
        return f"now: {error}"
    unknown = np.isnan(payload_bytes(graph, known)) | np.isnan(member_counts(graph, known))
    if now is None and unknown.any():
        number = counted(int(unknown.sum()), "collective")
        return f"the size or the group of {number} is not in it: give now=RATE, the bandwidth that it was measured with"
    return poor_link(values)


NETWORK = Transform(
    name="bandwidth",
    title="A network of another bandwidth.",
    evidence="published",
    source="Daydream (USENIX ATC 2020, section 5.3); alpha-beta model of collectives",
    apply=_apply,
    parameters=(
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter(
            name="now", kind="text", default=_UNKNOWN,
            meaning="bandwidth that was measured with, as in 10Gbps: scales instead of computing from sizes",
        ),
    ),
    requires=_why_not,
    ensures=lambda before, after, _values: "" if len(before) == len(after) else "tasks are gone",
)  # fmt: skip
"""Daydream scales communication. Only what is known to be transfer may be scaled: of a collective that one rank
recorded most is waiting for partners (one all-to-all takes 10 us on the last rank that comes, 7.6 ms on the first), so
such a trace is refused. With all ranks at hand, or with modelled collectives, sizes give the time: latency and bytes
over the links of a ring. Where sizes are unknown and the present bandwidth is given, all but the latency scales with
it.
"""
