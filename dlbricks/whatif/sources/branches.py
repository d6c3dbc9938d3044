"""Tasks of a stream that ran beside each other, as the branches of a CUDA graph do, on lanes of their own."""

import heapq

import numpy as np

from dlbricks.errors import InputError
from dlbricks.limits import TRACE_BRANCHES
from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import Longs

_BESIDE_NS = 1_000
"""Tasks of one stream that overlap by more than this run beside each other."""
_NEVER = np.iinfo(np.int64).min


def branched(streams: Longs, starts: Longs, ends: Longs, lanes: int) -> tuple[Longs, tuple[int, ...]]:
    """Move what overlaps on a stream to branches of it, each to the first that is free, so that every lane is a row.

    Args:
        streams: of each task.
        starts: of each task, ascending.
        ends: of each task.
        lanes: how many there are; branches get numbers from there on.

    Returns:
        The lane of each task, and the stream of each branch.

    Raises:
        InputError: there are more branches than any device has.
    """
    rows = split_by(streams, np.arange(len(streams)))
    if all((starts[same][1:] >= np.maximum.accumulate(ends[same])[:-1] - _BESIDE_NS).all() for same in rows):
        return streams, ()
    made = streams.tolist()
    branches: list[int] = []
    known = {stream: [stream] for stream in made}
    idle: dict[int, list[tuple[int, int]]] = {stream: [(0, _NEVER)] for stream in known}
    busy: dict[int, list[tuple[int, int]]] = {stream: [] for stream in known}
    for task, (stream, start, end) in enumerate(zip(streams.tolist(), starts.tolist(), ends.tolist(), strict=True)):
        while busy[stream] and busy[stream][0][0] <= start + _BESIDE_NS:
            ended, place = heapq.heappop(busy[stream])
            heapq.heappush(idle[stream], (place, ended))
        if not idle[stream]:
            idle[stream].append((len(known[stream]), _NEVER))
            known[stream].append(lanes + len(branches))
            branches.append(stream)
        place, ended = heapq.heappop(idle[stream])
        heapq.heappush(busy[stream], (max(ended, end), place))
        made[task] = known[stream][place]
    if len(branches) > TRACE_BRANCHES:
        raise InputError(
            f"{len(branches):,} tasks run beside others of their stream, and {TRACE_BRANCHES:,} are read at most: "
            "no device does that"
        )
    return np.array(made, np.int64), tuple(branches)
