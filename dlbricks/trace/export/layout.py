"""Common parts of all exporters: tracks on which spans nest, arrows, attributes as text, files written atomically.

A lane is one track as long as its spans follow or contain each other. What cuts across another span goes to a further
track of the lane, so that every span is shown with the times it was recorded with.
"""

import contextlib
import gzip
import heapq
import io
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from dlbricks.files import writing
from dlbricks.trace.build import with_attribute
from dlbricks.trace.devices import sampled
from dlbricks.trace.types import NONE, Lane, Longs, Role, Trace, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """One trace among those that go into one file: a run of a leveled experiment, say."""

    trace: Trace
    name: str = ""
    """Shown with each process of it; may be empty where there is but one part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLayout:
    """Where the spans of a trace are written."""

    tracks: tuple[tuple[int, int], ...]
    """Of each track its lane and its number within the lane, from 0; in the order of the lanes."""
    track: Longs
    """Of each span."""
    order: Longs
    """Rows track by track in order of time, parents before children."""
    start_ns: Longs
    """Of each span, from the first start of the trace on."""
    end_ns: Longs
    """Of each span, never before its start; cut to that of the span around it where the clock cannot tell the two."""
    clipped: Longs
    """Rows whose end is written otherwise than recorded; viewers get the difference as attribute ``clipped_ns``."""
    first_ns: int
    """First start of the trace on its clock, 0 without spans."""


def layout(trace: Trace) -> TrackLayout:
    """Put every span on a track of its lane: the first on which it nests."""
    first = int(trace.start_ns.min(initial=np.iinfo(np.int64).max)) if len(trace) else 0
    starts, ends = trace.start_ns - first, np.maximum(trace.end_ns, trace.start_ns) - first
    order = np.lexsort((trace.level, -ends, starts, trace.lane))
    number, written = np.zeros(len(trace), np.int64), ends.copy()
    for rows in np.split(order, np.flatnonzero(np.diff(trace.lane[order])) + 1):
        numbers, cut = first_fit(starts[rows].tolist(), ends[rows].tolist(), trace.clock.resolution_ns)
        number[rows], written[rows] = numbers, cut
    pairs = trace.lane * (int(number.max(initial=0)) + 1) + number
    values, track = np.unique(pairs, return_inverse=True)
    width = int(number.max(initial=0)) + 1
    return TrackLayout(
        tracks=tuple((int(value) // width, int(value) % width) for value in values),
        track=track.reshape(-1),
        order=order[np.argsort(track.reshape(-1)[order], kind="stable")],
        start_ns=starts,
        end_ns=written,
        clipped=np.flatnonzero(written + first != trace.end_ns),
        first_ns=first,
    )


def first_fit(starts: Sequence[int], ends: Sequence[int], tolerance: int) -> tuple[list[int], list[int]]:
    """Give for spans in order of start the track of each, and the end that it is written with.

    Of a million spans each may cut across all others: the track is found in a tree of what ends next on each.
    """
    stacks: defaultdict[int, list[int]] = defaultdict(list)
    open_: list[tuple[int, int]] = []
    leaves, tree = 1, [_FREE, _FREE]  # of node i the larger of 2i and 2i + 1; tracks that are not there yet are free

    def settle(number: int) -> None:
        node = leaves + number
        tree[node] = stacks[number][-1] if stacks[number] else _FREE
        while node > 1:
            node //= 2
            tree[node] = max(tree[2 * node], tree[2 * node + 1])

    numbers, written = [], []
    for start, end in zip(starts, ends, strict=True):
        while open_ and open_[0][0] <= start:
            number = heapq.heappop(open_)[1]
            stacks[number].pop()
            settle(number)
        if tree[1] < end - tolerance:
            tree = _grown(tree, leaves)
            leaves *= 2
        node = 1
        while node < leaves:
            node = 2 * node if tree[2 * node] >= end - tolerance else 2 * node + 1
        number = node - leaves
        kept = int(min(end, tree[node]))
        stacks[number].append(kept)
        heapq.heappush(open_, (kept, number))
        settle(number)
        numbers.append(number)
        written.append(kept)
    return numbers, written


_FREE = math.inf


def _grown(tree: list[float], leaves: int) -> list[float]:
    """Give a tree with twice as many leaves, of which the new ones are free."""
    made = [_FREE] * 2 * leaves + tree[leaves:] + [_FREE] * leaves
    for node in range(2 * leaves - 1, 0, -1):
        made[node] = max(made[2 * node], made[2 * node + 1])
    return made


def drawn(trace: Trace) -> tuple[Longs, Longs]:
    """Give the rows that are drawn as slices, and those that are points of a counter's line: states of a device."""
    points = sampled(trace)
    return np.flatnonzero(~points), np.flatnonzero(points)


def track_name(lane: Lane, number: int) -> str:
    """Give the name of a track: that of its lane, with a number where the lane has several."""
    return f"{lane.name} ({number + 1})" if number else lane.name


def groups(trace: Trace) -> tuple[list[tuple[str, str]], list[int]]:
    """Give the processes and devices of a trace, and which of them each lane belongs to."""
    known: dict[tuple[str, str], int] = {}
    return_of = [known.setdefault((lane.process, lane.device), len(known)) for lane in trace.lanes]
    return list(known), return_of


def group_name(part: str, process: str, device: str) -> str:
    """Give the name under which the lanes of a process, or of its device, are shown."""
    return " ".join(text for text in (f"{part}:" if part else "", device, process and f"process {process}") if text)


def arrows(trace: Trace) -> tuple[Longs, Longs]:
    """Give which span leads to which, beyond being around it: launches to executions, and numbered flows.

    Returns:
        Rows that arrows leave, and the rows they point to.
    """
    executed = np.flatnonzero((trace.role == Role.EXECUTION) & (trace.parent != NONE))
    executed = executed[trace.role[trace.parent[executed]] != Role.EXECUTION]
    sources, targets = [trace.parent[executed]], [executed]
    flow = trace.attributes.get("flow")
    if flow is not None:
        numbers = np.array(flow.values, np.int64)
        order = np.lexsort((trace.start_ns[flow.rows], numbers))
        rows, numbers = flow.rows[order], numbers[order]
        begins = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
        firsts = np.repeat(rows[begins], np.diff(np.append(begins, len(rows))))
        later = (firsts != rows) & (trace.parent[rows] != firsts)
        sources.append(firsts[later])
        targets.append(rows[later])
    return np.concatenate(sources), np.concatenate(targets)


T = TypeVar("T")
CHUNK = 20_000
"""Spans that are turned into text at a time."""


def complete(trace: Trace, layout: TrackLayout) -> Trace:
    """Give columns that viewers do not know as attributes: ``correlation``, and ``clipped_ns`` where ends were cut."""
    joined = np.flatnonzero(trace.correlation != NONE)
    if len(joined):
        trace = with_attribute(trace, "correlation", joined, trace.correlation[joined].tolist())
    if len(layout.clipped):
        lost = trace.end_ns[layout.clipped] - layout.first_ns - layout.end_ns[layout.clipped]
        trace = with_attribute(trace, "clipped_ns", layout.clipped, lost.tolist())
    return trace


def chunks(rows: Longs) -> Iterator[Longs]:
    """Give rows in pieces that fit into memory as text."""
    for low in range(0, len(rows), CHUNK):
        yield rows[low : low + CHUNK]


def of_rows(trace: Trace, rows: Longs, encode: Callable[[str, Value], T]) -> list[list[T]]:
    """Give the encoded attributes of each row."""
    found: list[list[T]] = [[] for _ in range(len(rows))]
    for name, attribute in trace.attributes.items():
        if not len(attribute.rows):
            continue
        place = np.minimum(np.searchsorted(attribute.rows, rows), len(attribute.rows) - 1)
        has = np.flatnonzero(attribute.rows[place] == rows)
        values = attribute.values
        for at, source in zip(has.tolist(), place[has].tolist(), strict=True):
            found[at].append(encode(name, values[source]))
    return found


def json_value(value: Value) -> str:
    """Give a value as JSON; what is no finite number becomes a text, since JSON knows no other."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'"{value}"'
    return json.dumps(value)


def json_text(text: str) -> str:
    """Give a text as JSON with its letters as they are: Perfetto's page does not decode escapes in names.

    What cannot be written as UTF-8 (half of a surrogate pair) stays escaped.
    """
    made = json.dumps(text, ensure_ascii=False)
    try:
        made.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return made


class Quoted(dict[Any, str]):
    """Texts as JSON, each turned once."""

    def __missing__(self, text: Any) -> str:
        """Turn a text that was not seen before."""
        self[text] = made = json_text(text)
        return made


_COMPRESSION = 5
"""A tenth larger than at 9, five times as fast."""


@contextlib.contextmanager
def streaming(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its place at the end; compressed, without a date, where the name ends in ``.gz``.

    Raises:
        InputError: the place cannot be written.
    """
    with writing(path) as scratch, scratch.open("wb") as raw:
        if not path.name.endswith(".gz"):
            yield raw
            return
        with (
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=_COMPRESSION, mtime=0) as packed,
            io.BufferedWriter(packed, 1 << 20) as buffered,
        ):
            yield buffered
