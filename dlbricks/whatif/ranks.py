"""Waiting of ranks in collectives, late ranks, and bus bandwidth of the transfers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, TaskKind
from dlbricks.whatif.transforms.links import member_counts, operation, payload_bytes

_MOVED = {"allreduce": 2.0, "allgather": 1.0, "reducescatter": 1.0, "alltoall": 1.0}
"""Bus bytes per byte of the collective, before the factor (n - 1) / n for n ranks (nccl-tests, PERFORMANCE.md). Other
collectives move their bytes once."""
_TOGETHER_NS = 10_000
"""Arrivals within this time count as simultaneous: ends of one collective differ as much between ranks of a host."""


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


def bus_share(names: Sequence[str], ranks: Floats) -> Floats:
    """Return the bus bytes per byte of each collective."""
    factors = _factors(names)
    return np.where(np.isnan(factors), 1.0, factors * (ranks - 1) / ranks)


def _factors(names: Sequence[str]) -> Floats:
    """Return the factors in ``_MOVED`` by collective name, NaN for others."""
    plain = [name.lower().replace("_", "") for name in names]
    return np.array([next((value for key, value in _MOVED.items() if key in name), np.nan) for name in plain])


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
    made = [
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
    return tuple(sorted(made, key=lambda one: (-one.waited_ns, one.rank)))


def _called(graph: DependencyGraph, row: int) -> str:
    """Return the operation of a collective, or its kernel name if the operation only tells what launched it."""
    recorded = operation(graph, row)
    return recorded if np.isfinite(_factors([recorded])).any() else graph.named(row)


def _kinds(
    graph: DependencyGraph, members: Sequence[Longs], arrivals: Sequence[Floats]
) -> tuple[CollectiveTiming, ...]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, rows in enumerate(members):
        places[_called(graph, int(rows[0]))].append(place)
    made = []
    for name, mine in places.items():
        skews = np.array([np.ptp(arrivals[place]) for place in mine])
        firsts = np.array([members[place][0] for place in mine], np.int64)
        times = np.maximum(np.array([np.median(graph.duration_ns[members[place]]) for place in mine]), 1.0)
        share = bus_share([name] * len(mine), member_counts(graph, firsts))
        rates = payload_bytes(graph, firsts) * share / times * 1e9
        known = rates[~np.isnan(rates)]
        made.append(
            CollectiveTiming(
                collective=name,
                count=len(mine),
                skew_ns=round(float(np.median(skews))),
                longest_skew_ns=round(float(skews.max())),
                transfer_ns=round(float(np.median(times))),
                bus_bytes_per_s=float(np.median(known)) if len(known) else None,
            )
        )
    return tuple(sorted(made, key=lambda one: (-one.count * one.transfer_ns, one.collective)))
