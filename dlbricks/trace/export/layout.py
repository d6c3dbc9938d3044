"""Common parts of all exporters: tracks, flow arrows, attributes as text, files written atomically.

Viewers require that the spans of a track follow or contain each other. Spans of a lane that overlap partly go to
further tracks of the lane, so that every span keeps its recorded times.
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
from typing import IO, Any

import numpy as np

from dlbricks.files import writing
from dlbricks.trace.build import with_attribute
from dlbricks.trace.types import NONE, Lane, Longs, Role, Trace, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """One of the traces in a file, such as a run of a leveled experiment."""

    trace: Trace
    name: str = ""
    """Prefix of the names of its processes; may be empty for a single part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLayout:
    """Tracks and written times of a trace's spans."""

    tracks: tuple[tuple[int, int], ...]
    """Lane, and number within the lane, of each track; in the order of the lanes."""
    track: Longs
    """Track of each span."""
    order: Longs
    """Rows sorted by track and time, parents before children."""
    start_ns: Longs
    """Start of each span, relative to the first start of the trace."""
    end_ns: Longs
    """End of each span, at least its start; clipped to the end of the containing span within the clock's resolution."""
    clipped: Longs
    """Rows whose written end differs from the recorded one; viewers get the difference as attribute ``clipped_ns``."""
    first_ns: int
    """First start of the trace on its clock; 0 without spans."""


def layout(trace: Trace) -> TrackLayout:
    """Assign every span to the first track of its lane on which it nests."""
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
    """Return the track and the written end of each span; spans come in the order of their starts.

    A segment tree over the innermost open end of each track finds the first fitting one in logarithmic time.
    """
    stacks: defaultdict[int, list[int]] = defaultdict(list)
    open_: list[tuple[int, int]] = []
    leaves, tree = 1, [_FREE, _FREE]  # node i is the maximum of nodes 2i and 2i + 1; unused tracks are free

    def update(number: int) -> None:
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
            update(number)
        if tree[1] < end - tolerance:
            tree = _grown(tree, leaves)
            leaves *= 2
        node = 1
        while node < leaves:
            node = 2 * node if tree[2 * node] >= end - tolerance else 2 * node + 1
        number = node - leaves
        clipped = int(min(end, tree[node]))
        stacks[number].append(clipped)
        heapq.heappush(open_, (clipped, number))
        update(number)
        numbers.append(number)
        written.append(clipped)
    return numbers, written


_FREE = math.inf


def _grown(tree: list[float], leaves: int) -> list[float]:
    """Return the tree with twice as many leaves; the new ones are free."""
    grown = [_FREE] * 2 * leaves + tree[leaves:] + [_FREE] * leaves
    for node in range(2 * leaves - 1, 0, -1):
        grown[node] = max(grown[2 * node], grown[2 * node + 1])
    return grown


def track_name(lane: Lane, number: int) -> str:
    """Return the name of a track: that of its lane, with a number from the second track on."""
    return f"{lane.name} ({number + 1})" if number else lane.name


def groups(trace: Trace) -> tuple[list[tuple[str, str]], list[int]]:
    """Return the distinct pairs of process and device of a trace, and the index of each lane's pair."""
    numbers: dict[tuple[str, str], int] = {}
    return_of = [numbers.setdefault((lane.process, lane.device), len(numbers)) for lane in trace.lanes]
    return list(numbers), return_of


def group_name(part: str, process: str, device: str) -> str:
    """Return the displayed name of a process, or of its device."""
    return " ".join(text for text in (f"{part}:" if part else "", device, process and f"process {process}") if text)


def arrows(trace: Trace) -> tuple[Longs, Longs]:
    """Return the flow arrows: from launches to executions, and between spans with the same ``flow`` number.

    Returns:
        Rows where arrows start, and rows where they end.
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


CHUNK = 20_000
"""Number of spans that are formatted at a time."""


def complete(trace: Trace, layout: TrackLayout) -> Trace:
    """Add attributes for what viewers have no field for: ``correlation``, and ``clipped_ns`` of clipped ends."""
    joined = np.flatnonzero(trace.correlation != NONE)
    if len(joined):
        trace = with_attribute(trace, "correlation", joined, trace.correlation[joined].tolist())
    if len(layout.clipped):
        lost = trace.end_ns[layout.clipped] - layout.first_ns - layout.end_ns[layout.clipped]
        trace = with_attribute(trace, "clipped_ns", layout.clipped, lost.tolist())
    return trace


def chunks(rows: Longs) -> Iterator[Longs]:
    """Split rows into pieces of ``CHUNK``."""
    for low in range(0, len(rows), CHUNK):
        yield rows[low : low + CHUNK]


def of_rows(trace: Trace, rows: Longs, encode: Callable[[str, Value], str]) -> list[list[str]]:
    """Return the encoded attributes of each row."""
    encoded: list[list[str]] = [[] for _ in range(len(rows))]
    for name, attribute in trace.attributes.items():
        if not len(attribute.rows):
            continue
        place = np.minimum(np.searchsorted(attribute.rows, rows), len(attribute.rows) - 1)
        has = np.flatnonzero(attribute.rows[place] == rows)
        values = attribute.values
        for at, source in zip(has.tolist(), place[has].tolist(), strict=True):
            encoded[at].append(encode(name, values[source]))
    return encoded


def json_text(text: str) -> str:
    """Return a text as JSON without escaping non-ASCII characters: Perfetto's page does not decode escapes in names.

    Texts with lone surrogates, which cannot be encoded as UTF-8, are escaped.
    """
    quoted = json.dumps(text, ensure_ascii=False)
    try:
        quoted.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return quoted


class Quoted(dict[Any, str]):
    """A cache of texts as JSON."""

    def __missing__(self, text: Any) -> str:
        """Convert a text that is not cached."""
        self[text] = quoted = json_text(text)
        return quoted


# Files are a tenth larger than at level 9, and written five times as fast.
_COMPRESSION = 5


@contextlib.contextmanager
def open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that is written atomically; compressed reproducibly (without a date) if its name ends in ``.gz``.

    Raises:
        InputError: the file cannot be written.
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
