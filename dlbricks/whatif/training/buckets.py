"""Fewer and larger all-reduces: gradients that were summed one by one, summed in buckets."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.nouns import DependencyGraph, TaskKind
from dlbricks.whatif.stepping import by_step
from dlbricks.whatif.training.data_parallel import in_buckets
from dlbricks.whatif.training.launching import Merge, merged
from dlbricks.whatif.training.links import collective_rows, is_transfer, member_counts, payload_bytes
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches

_SUMS = re.compile(r"all_?-?reduce", re.IGNORECASE)
_SERVES = re.compile(
    r"(cuda|hip|cu)(Event(Record|Query|Create)|StreamWaitEvent|StreamIsCapturing)|INVALID", re.IGNORECASE
)
"""Calls around the launch of a collective that tie its stream to that of the gradients."""
_BY_SIZE = "size"


def sums(graph: DependencyGraph) -> Longs:
    """Give all all-reduces."""
    fitting = [number for number, name in enumerate(graph.names) if _SUMS.search(name)]
    rows = collective_rows(graph)
    return rows[np.isin(graph.task_name[rows], fitting)]


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    launch = launches(graph)
    around = _Around(graph)
    merges = []
    for step in by_step(graph, sums(graph)):
        for lane in np.unique(graph.lane[step]):
            rows = step[graph.lane[step] == lane]
            merges += [
                _merge(graph, rows[bucket], launch, around)
                for bucket in _split(graph, rows, values)
                if bucket.stop - bucket.start > 1
            ]
    made = merged(graph, merges)[0]
    if is_transfer(graph, sums(graph)).all():
        return made
    return with_columns(made, "all-reduces were recorded on one rank: what of their time is waiting stays in their sum")


def _split(graph: DependencyGraph, rows: Longs, values: Values) -> tuple[slice, ...]:
    if str(values["buckets"]) == _BY_SIZE:
        size = float(values["size"])
        return in_buckets(payload_bytes(graph, rows), size, size)
    count = min(int(str(values["buckets"])), len(rows))
    bounds = np.linspace(0, len(rows), count + 1).astype(int).tolist()
    return tuple(slice(first, last) for first, last in pairwise(bounds))


def _merge(graph: DependencyGraph, rows: Longs, launch: Longs, around: "_Around") -> Merge:
    durations = graph.duration_ns[rows]
    calls: list[int] = []
    for row in rows[:-1].tolist():
        if launch[row] != NONE:
            calls += around.calls(int(launch[row]))
    size, members = payload_bytes(graph, rows).sum(), member_counts(graph, rows)[-1]
    # each of them paid for its start once, which is at most what the quickest one took
    time = int(durations.sum()) - (len(rows) - 1) * int(durations.min())
    figures = {key: float(value) for key, value in (("bytes", size), ("group_size", members)) if not np.isnan(value)}
    return Merge(
        rows=rows,
        name=graph.names[graph.task_name[rows[-1]]],
        durations_ns=[time],
        with_calls=calls,
        attributes=figures,
    )


class _Around:
    """Calls next to a launch that serve nothing but its collective."""

    def __init__(self, graph: DependencyGraph) -> None:
        fitting = [number for number, name in enumerate(graph.names) if _SERVES.match(name)]
        serves = np.isin(graph.task_name, fitting) & (graph.kind == TaskKind.CPU)
        serves[np.concatenate([graph.edge_from, graph.edge_to, graph.wait_task])] = False
        self._serves = serves
        self._lane_of = graph.lane
        self._by_lane: dict[int, Longs] = {}

    def calls(self, call: int) -> Sequence[int]:
        """Give those right before and right behind a launch on its lane."""
        lane = int(self._lane_of[call])
        if lane not in self._by_lane:
            self._by_lane[lane] = np.flatnonzero(self._lane_of == lane)
        rows = self._by_lane[lane]
        place = int(np.searchsorted(rows, call))
        found = []
        for step in (-1, 1):
            at = place + step
            while 0 <= at < len(rows) and self._serves[rows[at]]:
                found.append(int(rows[at]))
                at += step
        return found


def _why_not(graph: DependencyGraph, values: Values) -> str:
    rows = sums(graph)
    if len(rows) < 2:
        return "it has no all-reduces to put together"
    buckets = str(values["buckets"])
    if buckets != _BY_SIZE:
        whole = buckets.isdigit() and int(buckets) > 0
        return "" if whole else f"buckets '{buckets}' is no number: write how many in a step, or {_BY_SIZE}"
    if np.isnan(payload_bytes(graph, rows)).any():
        return "it does not tell the sizes of its all-reduces: give buckets=NUMBER, how many in a step"
    return "" if float(values["size"]) else "buckets of 0 bytes hold nothing"


def _broken(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    if len(sums(after)) > len(sums(before)):
        return "there are more all-reduces than before"
    known = [payload_bytes(one, sums(one)) for one in (before, after)]
    if np.isnan(known[0]).any():
        return ""
    return "" if abs(known[1].sum() - known[0].sum()) <= 1e-6 * known[0].sum() else "bytes are gone"


BUCKETS = Transform(
    name="bucket",
    title="Gradients are summed in buckets instead of one by one.",
    evidence="modelled",
    source="PyTorch Distributed (VLDB 2020, section 3.2.1); durations as Daydream's fusion, less what a start takes",
    apply=_apply,
    parameters=(
        Parameter(name="size", kind="size", meaning="of a bucket", default="25MiB"),
        Parameter(
            name="buckets", kind="text", default=_BY_SIZE, meaning="how many in a step, where sizes are not known"
        ),
    ),
    requires=_why_not,
    ensures=_broken,
)
"""Neighbouring all-reduces of a step become one, behind the last of their gradients. It takes their sum less what all
but one of them paid for starting, at most the shortest of them. The launches that go take the calls with them that tied
their stream to the gradients'. What waited for one of them waits for the whole, from where the last of them stood on.
Copies into and out of buckets stay as they were measured for each gradient.
"""
