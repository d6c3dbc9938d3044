"""Rows: visits that one worker makes in answer to one request. Pure.

Asking a worker and waiting for it costs more than many a call, so visits are handed out several at a time.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator

from .track import Track

MOST_VISITS = 16
"""Most visits in a row: how far the order of a round may be changed, for each worker."""
ROW_NS = 50_000_000
"""What a row may last, unless a single visit lasts longer: what else is due waits for its end."""


def rows(
    tracks: Iterable[Track], worker_of: Callable[[Track], Hashable], cost_ns: Callable[[Track], float]
) -> Iterator[list[Track]]:
    """Cut the visits of a round into rows, each of one worker; nearly in the order given.

    A whole network is a row of its own, and those before it are visited before it: its place in the round matters.

    Args:
        tracks: in the order in which they are to be visited.
        worker_of: whoever holds a benchmark.
        cost_ns: what a visit is expected to last.
    """
    begun: dict[Hashable, list[Track]] = {}
    costs: dict[Hashable, float] = {}
    for track in tracks:
        if track.role == "whole":
            yield from begun.values()
            begun.clear()
            yield [track]
            continue
        worker, cost = worker_of(track), cost_ns(track)
        row = begun.get(worker, [])
        if row and (len(row) == MOST_VISITS or costs[worker] + cost > ROW_NS):
            yield begun.pop(worker)
            row = []
        if not row:
            begun[worker], costs[worker] = row, 0.0
        row.append(track)
        costs[worker] += cost
    yield from begun.values()
