"""How ranks wait for each other in collectives, who comes last, and what the bus does once all have arrived."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, TaskKind
from dlbricks.whatif.transforms.links import member_counts, operation, payload_bytes

_MOVED = {"allreduce": 2.0, "allgather": 1.0, "reducescatter": 1.0, "alltoall": 1.0}
"""What the bus of each rank moves, by the bytes of the collective and (n - 1) / n of n ranks (nccl-tests,
PERFORMANCE.md); the bytes themselves for all others."""
_TOGETHER_NS = 10_000
"""Ranks that arrive within this arrive together: ends of one collective differ by as much on ranks of one host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankWait:
    """How long one rank waits in collectives for others."""

    rank: str
    """Its process."""
    collectives: int
    """That it shares with other ranks at hand."""
    waited_ns: int
    """From its arrival to the last one, in all of them."""
    longest_ns: int
    last: int
    """How often it alone arrives last, by more than 10 us."""
    caused_ns: int
    """What all other ranks would have waited less had it come with the one before it, where it is the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """How collectives of one kind go."""

    collective: str
    count: int
    skew_ns: int
    """From the first arrival to the last, median."""
    longest_skew_ns: int
    transfer_ns: int
    """From the last arrival to the end, median."""
    bus_bytes_per_s: float | None
    """Of the transfer, median; None where bytes or the size of the group are not known."""


def meetings(graph: DependencyGraph) -> tuple[tuple[RankWait, ...], tuple[Meeting, ...]]:
    """Give what ranks wait for each other, longest first, and what collectives do; nothing of one rank alone."""
    tied = (graph.edge_kind == EdgeKind.RENDEZVOUS) & (graph.kind[graph.edge_to] == TaskKind.COLLECTIVE)
    groups: dict[int, list[int]] = defaultdict(list)
    for hub, member in zip(graph.edge_from[tied].tolist(), graph.edge_to[tied].tolist(), strict=True):
        groups[hub].append(member)
    members = [np.array(rows, np.int64) for rows in groups.values()]
    arrivals = [graph.figures("measured_start_ns")[rows] for rows in members]
    return _waits(graph, members, arrivals), _kinds(graph, members, arrivals)


def bus_share(names: Sequence[str], ranks: Floats) -> Floats:
    """Give how many times its bytes each collective moves over the bus of a rank."""
    factors = _factors(names)
    return np.where(np.isnan(factors), 1.0, factors * (ranks - 1) / ranks)


def _factors(names: Sequence[str]) -> Floats:
    """Give the factors of collectives by name, NaN for others."""
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
    """Name a collective: its operation, or its kernel where the operation is only what launched it."""
    recorded = operation(graph, row)
    return recorded if np.isfinite(_factors([recorded])).any() else graph.named(row)


def _kinds(graph: DependencyGraph, members: Sequence[Longs], arrivals: Sequence[Floats]) -> tuple[Meeting, ...]:
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
            Meeting(
                collective=name,
                count=len(mine),
                skew_ns=round(float(np.median(skews))),
                longest_skew_ns=round(float(skews.max())),
                transfer_ns=round(float(np.median(times))),
                bus_bytes_per_s=float(np.median(known)) if len(known) else None,
            )
        )
    return tuple(sorted(made, key=lambda one: (-one.count * one.transfer_ns, one.collective)))
