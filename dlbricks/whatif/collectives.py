"""Collectives of a graph: bytes, members, waiting of ranks, late ranks, and bus bandwidth of the transfers."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import bus_factors, bus_share, element_bytes
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind
from dlbricks.whatif.select import of_name, of_operator

_SUMS = re.compile(r"all_?-?reduce", re.IGNORECASE)


def collective_rows(graph: DependencyGraph) -> Longs:
    """Return all collectives, in table order."""
    return np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)


def all_reduces(graph: DependencyGraph) -> Longs:
    """Return all all-reduces."""
    called = of_name(graph, _SUMS.search) | of_operator(graph, _SUMS.search)
    return np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & called)


def operation(graph: DependencyGraph, row: int) -> str:
    """Return the recorded operation of a collective, or its kernel name."""
    number = int(graph.operator[row])
    return graph.named(row) if number == NONE else graph.operators[number]


def payload_bytes(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the bytes that each collective sums or exchanges, NaN if bytes and elements are unknown."""
    stated = graph.figures("bytes")[rows]
    sizes = np.array([element_bytes(name) for name in graph.names] or [4], np.float64)[graph.task_name[rows]]
    sizes_bytes: Floats = np.where(np.isnan(stated), graph.figures("elements")[rows] * sizes, stated)
    return sizes_bytes


def member_counts(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the group size of each collective, NaN if unknown."""
    return graph.figures("group_size")[rows]


def is_transfer(graph: DependencyGraph, rows: Longs) -> Mask:
    """Return a mask of the collectives whose time is pure transfer: modelled ones, and those with all ranks traced.

    A collective recorded on one rank is mostly waiting for the others.
    """
    meets = np.isnan(graph.figures("measured_start_ns"))
    meets[graph.edge_to[graph.edge_kind == EdgeKind.RENDEZVOUS]] = True
    return meets[rows]


# Arrivals within this time count as simultaneous: ends of one collective differ as much between ranks of a host.
_TOGETHER_NS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RankWait:
    """Waiting of one rank in collectives."""

    rank: str
    """Process name."""
    collectives: int
    """Number of collectives shared with other ranks of the traces."""
    waited_ns: int
    """Sum of the times from its arrival to the last arrival."""
    longest_ns: int
    last: int
    """Number of collectives to which it arrives last, by more than 10 us."""
    caused_ns: int
    """Waiting time that all other ranks would save if it arrived with the second to last rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveTiming:
    """Times of the collectives of one kind."""

    collective: str
    count: int
    skew_ns: int
    """Median time from the first arrival to the last."""
    longest_skew_ns: int
    transfer_ns: int
    """Median time from the last arrival to the end."""
    bus_bytes_per_s: float | None
    """Median bus bandwidth of the transfers; None if bytes or group size are unknown."""


def collective_timings(graph: DependencyGraph) -> tuple[tuple[RankWait, ...], tuple[CollectiveTiming, ...]]:
    """Return the waits of ranks and the times of collectives, longest first; empty for a single rank."""
    tied = (graph.edge_kind == EdgeKind.RENDEZVOUS) & (graph.kind[graph.edge_to] == TaskKind.COLLECTIVE)
    groups: dict[int, list[int]] = defaultdict(list)
    for hub, member in zip(graph.edge_from[tied].tolist(), graph.edge_to[tied].tolist(), strict=True):
        groups[hub].append(member)
    members = [np.array(rows, np.int64) for rows in groups.values()]
    arrivals = [graph.figures("measured_start_ns")[rows] for rows in members]
    return _waits(graph, members, arrivals), _kinds(graph, members, arrivals)


def _waits(graph: DependencyGraph, members: Sequence[Longs], arrivals: Sequence[Floats]) -> tuple[RankWait, ...]:
    waited: dict[str, list[float]] = defaultdict(list)
    caused: dict[str, list[float]] = defaultdict(list)
    for rows, times in zip(members, arrivals, strict=True):
        ranks = [graph.lanes[graph.lane[row]].process for row in rows.tolist()]
        for rank, time in zip(ranks, times.tolist(), strict=True):
            waited[rank].append(times.max() - time)
        before, last = np.sort(times)[-2:].tolist()
        if last - before > _TOGETHER_NS:
            caused[ranks[int(times.argmax())]].append((last - before) * (len(rows) - 1))
    waits = [
        RankWait(
            rank=rank,
            collectives=len(times),
            waited_ns=round(sum(times)),
            longest_ns=round(max(times)),
            last=len(caused[rank]),
            caused_ns=round(sum(caused[rank])),
        )
        for rank, times in waited.items()
    ]
    return tuple(sorted(waits, key=lambda wait: (-wait.waited_ns, wait.rank)))


def _called(graph: DependencyGraph, row: int) -> str:
    """Return the operation of a collective, or its kernel name if the operation only tells what launched it."""
    recorded = operation(graph, row)
    return recorded if np.isfinite(bus_factors([recorded])).any() else graph.named(row)


def _kinds(
    graph: DependencyGraph, members: Sequence[Longs], arrivals: Sequence[Floats]
) -> tuple[CollectiveTiming, ...]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, rows in enumerate(members):
        places[_called(graph, int(rows[0]))].append(place)
    timings = []
    for name, mine in places.items():
        skews = np.array([np.ptp(arrivals[place]) for place in mine])
        firsts = np.array([members[place][0] for place in mine], np.int64)
        times = np.maximum(np.array([np.median(graph.duration_ns[members[place]]) for place in mine]), 1.0)
        share = bus_share([name] * len(mine), member_counts(graph, firsts))
        rates = payload_bytes(graph, firsts) * share / times * 1e9
        finite = rates[~np.isnan(rates)]
        timings.append(
            CollectiveTiming(
                collective=name,
                count=len(mine),
                skew_ns=round(float(np.median(skews))),
                longest_skew_ns=round(float(skews.max())),
                transfer_ns=round(float(np.median(times))),
                bus_bytes_per_s=float(np.median(finite)) if len(finite) else None,
            )
        )
    return tuple(sorted(timings, key=lambda timing: (-timing.count * timing.transfer_ns, timing.collective)))
