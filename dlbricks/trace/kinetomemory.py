"""What operators allocate, from the profiler's records of its allocator. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dlbricks.trace.build import with_attribute
from dlbricks.trace.nouns import Level, Trace


class Memory(NamedTuple):
    """One allocation, or one release of negative size."""

    thread: int
    """Number of its lane."""
    at_ns: int
    bytes: int
    total: int | None
    """In use afterwards, of the allocator; None where the profiler did not say."""
    on_device: bool


def with_memory(trace: Trace, records: Sequence[Memory], lanes: Mapping[int, int]) -> Trace:
    """Add to layers what their thread allocated and did not free while they ran, and what was in use at their end.

    Memory of devices counts; memory of the host only where no device's was recorded. A record at the very ns at which
    a layer ends is not its own, so that of two layers in a row it is one's only.

    Args:
        trace: with layers.
        records: in any order.
        lanes: lane of the trace by the number that records name; records of other threads belong to no layer.
    """
    on_device = any(record.on_device for record in records)
    by_lane: dict[int, list[Memory]] = defaultdict(list)
    for record in records:
        if record.on_device == on_device and record.thread in lanes:
            by_lane[lanes[record.thread]].append(record)
    rows: list[int] = []
    allocated: list[int] = []
    used_rows: list[int] = []
    used: list[int] = []
    layers = trace.rows(Level.LAYER)
    for lane, mine in by_lane.items():
        mine.sort(key=lambda record: record.at_ns)
        at = np.array([record.at_ns for record in mine], np.int64)
        sums = np.concatenate(([0], np.cumsum([record.bytes for record in mine]))).astype(np.int64)
        here = layers[trace.lane[layers] == lane]
        first = np.searchsorted(at, trace.start_ns[here], "left")
        last = np.searchsorted(at, trace.end_ns[here], "left")
        rows += here.tolist()
        allocated += (sums[last] - sums[first]).tolist()
        for row, before in zip(here[last > 0].tolist(), (last[last > 0] - 1).tolist(), strict=True):
            total = mine[before].total
            if total is not None:
                used_rows.append(row)
                used.append(total)
    if rows:
        trace = with_attribute(trace, "allocated_bytes", rows, allocated)
    return with_attribute(trace, "memory_bytes", used_rows, used) if used_rows else trace
