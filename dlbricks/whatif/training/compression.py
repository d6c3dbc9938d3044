"""Deep gradient compression: only the largest gradients are sent, the others are kept for later steps.

Lin et al., ICLR 2018; modelled by Daydream (USENIX ATC 2020, section 5.3).
"""

import numpy as np

from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import lasting
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind
from dlbricks.whatif.select import on_device
from dlbricks.whatif.training.amp import least_kernel_ns
from dlbricks.whatif.training.buckets import sums
from dlbricks.whatif.training.launching import NewKernel, with_kernels
from dlbricks.whatif.training.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    is_transfer,
    link_of,
    member_counts,
    payload_bytes,
    poor_link,
)
from dlbricks.whatif.transform import Parameter, Transform, Values

COMPRESS, RESTORE = "compression of gradients", "restoring of gradients"
_PASSES = 8
"""Times that compression reads or writes each gradient: momentum (3), what is kept (3), threshold and mask (2)."""
_WITH_INDEX = 2
"""Bytes sent for each byte of a gradient: its place goes with it."""


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, share, memory = sums(graph), float(values["share"]), float(values["memory"])
    sizes, members = payload_bytes(graph, rows), member_counts(graph, rows)
    link, least = link_of(values), least_kernel_ns(graph)
    sent = _WITH_INDEX * share * sizes
    times = [link.half_ns(part * count, count) for part, count in zip(sent.tolist(), members.tolist(), strict=True)]
    quicker = lasting(graph, rows, np.array(times, np.int64))
    kernels = []
    for row, size, part, count in zip(rows.tolist(), sizes.tolist(), sent.tolist(), members.tolist(), strict=True):
        source, targets = _source(graph, row), _targets(graph, row)
        kernels.append(
            NewKernel(
                name=COMPRESS,
                duration_ns=max(least, round(1e9 * _PASSES * size / memory)),
                beside=source,
                ahead_of=(row,),
            )
        )
        if targets:
            kernels.append(
                NewKernel(
                    name=RESTORE,
                    duration_ns=max(least, round(1e9 * (size + part * count) / memory)),
                    beside=targets[0],
                    before=True,
                    after=(row,),
                    ahead_of=targets,
                )
            )
    return with_kernels(quicker, kernels).graph


def _source(graph: DependencyGraph, row: int) -> int:
    """Give the last device task that an all-reduce waits for; ``NONE`` where there is none."""
    sources = graph.edge_from[(graph.edge_to == row) & (graph.edge_kind != EdgeKind.LAUNCH)]
    found = sources[np.isin(sources, on_device(graph))]
    return int(found.max()) if len(found) else NONE


def _targets(graph: DependencyGraph, row: int) -> list[int]:
    """Give the device tasks that wait for an all-reduce."""
    targets = graph.edge_to[graph.edge_from == row]
    return sorted(int(target) for target in targets[np.isin(targets, on_device(graph))])


def _why_not(graph: DependencyGraph, values: Values) -> str:
    rows = sums(graph)
    if not len(rows):
        return "it has no all-reduces: ask data-parallel first"
    if not is_transfer(graph, rows).all():
        return "its all-reduces were recorded on one rank, where most of their time may be waiting for the others"
    if np.isnan(member_counts(graph, rows)).any() or np.isnan(payload_bytes(graph, rows)).any():
        return "it does not tell the sizes and the groups of all its all-reduces"
    if any(_source(graph, row) == NONE for row in rows.tolist()):
        return "it does not tell which kernel makes the gradients of an all-reduce"
    return poor_link(values) if float(values["share"]) else "a share of 0 sends nothing"


COMPRESSION = Transform(
    name="deep-gradient-compression",
    title="Only the largest gradients are sent.",
    evidence="modelled",
    source="Deep gradient compression (ICLR 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_apply,
    parameters=(
        Parameter(name="share", kind="share", meaning="of the gradients that is sent", default="0.1%"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter(name="memory", kind="rate", meaning="bandwidth of the device's memory", default="600GB/s"),
    ),
    requires=_why_not,
    ensures=lambda before, after, _values: "" if len(sums(after)) == len(sums(before)) else "all-reduces are gone",
)
"""Daydream inserts kernels that compress and restore, and shrinks communication by the ratio. Ours: what is sparse
cannot be summed on the way, so each rank's part, values and places, goes to all others (an all-gather). That grows with
the number of ranks where an all-reduce does not: with many ranks and a large share it is slower. Compression reads and
writes each gradient 8 times, restoring writes it once. Accuracy is out of scope.
"""
