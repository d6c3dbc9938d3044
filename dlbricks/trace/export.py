"""Writes traces for viewers: Chrome's JSON (for ui.perfetto.dev) and OTLP's JSON lines (for Jaeger).

Viewers require that two spans of a track are disjoint or nested. If spans of a lane overlap partly, the lane gets
several tracks, so that every span keeps its times.

Chrome ("Trace Event Format" of Chromium): each lane has a track, and flow arrows lead from launches to executions.
Times are microseconds with three decimals. Each part starts at time 0, since a double cannot hold nanoseconds since
1970; the key ``baseTimeNanoseconds`` (as in Kineto) holds the start since 1970. No library writes this format.

OTLP (JSON encoding of the OpenTelemetry protocol, and its file exporter): each line is a ``TracesData`` object, ids are
hexadecimal, and 64-bit numbers are texts. OpenTelemetry's own exporter takes 0.1 ms per span, so it is not used. Each
part is a trace; each process and each device is a service. Times count from 1970 if the clock's offset is available,
otherwise from the first start.
"""

import contextlib
import functools
import gzip
import hashlib
import heapq
import io
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

from dlbricks.files import writing
from dlbricks.trace.build import with_attribute
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, Value

# Number of spans that are formatted at once: it bounds the memory for texts.
_CHUNK = 20_000
# At this level of gzip, files are a tenth larger than at level 9 and are written five times as fast.
_COMPRESSION = 5
# ``SPAN_KIND_INTERNAL`` of OTLP.
_INTERNAL = 1
# The smallest positive integer that does not fit ``intValue`` of OTLP.
_LARGEST = 2**63
_NOT_FINITE = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
_FREE = math.inf
# Decimals become numbers, so that times in microseconds keep their nanoseconds.
_ENCODER = msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """One trace of an exported file."""

    trace: Trace
    name: str = ""
    """Prefix of process names; empty only for the single part of a file."""
    prediction: Mapping[str, Any] | None = None
    """Results of ``whatif`` that the trace illustrates, by name; None for a recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLayout:
    """Tracks of the spans of a trace, and the times to write."""

    tracks: tuple[tuple[int, int], ...]
    """Pairs of a lane and the number of a track within this lane, sorted."""
    track: Longs
    """Index of each span's track in ``tracks``."""
    start_ns: Longs
    """Start of each span, relative to the first start of the trace."""
    end_ns: Longs
    """End of each span, relative to the first start. If it is slightly after the end of the container, it is moved
    there."""
    clipped: Longs
    """Rows of spans whose end was changed; the attribute ``clipped_ns`` has the difference."""
    first_ns: int
    """First start of the trace on its own clock; 0 for a trace without spans."""


def layout(trace: Trace) -> TrackLayout:
    """Assign each span to the first track of its lane on which all spans stay disjoint or nested."""
    first = int(trace.start_ns.min()) if len(trace) else 0
    starts, ends = trace.start_ns - first, np.maximum(trace.end_ns, trace.start_ns) - first
    # Of equal starts the longer span goes first, of equal spans the outer level: parents precede their children.
    order = np.lexsort((trace.level, -ends, starts, trace.lane))
    number, written = np.zeros(len(trace), np.int64), ends.copy()
    for rows in np.split(order, np.flatnonzero(np.diff(trace.lane[order])) + 1):
        number[rows], written[rows] = first_fit(starts[rows].tolist(), ends[rows].tolist(), trace.clock.resolution_ns)
    width = int(number.max(initial=0)) + 1
    values, track = np.unique(trace.lane * width + number, return_inverse=True)
    track = track.reshape(-1)
    return TrackLayout(
        tracks=tuple(divmod(value, width) for value in values.tolist()),
        track=track,
        start_ns=starts,
        end_ns=written,
        clipped=np.flatnonzero(written + first != trace.end_ns),
        first_ns=first,
    )


def first_fit(starts: Sequence[int], ends: Sequence[int], tolerance: int) -> tuple[list[int], list[int]]:
    """Assign the spans of a lane, sorted by start, to tracks; return track and end of each span.

    If a span ends up to ``tolerance`` ns after its container, it gets the end of the container. A segment tree over the
    ends of the innermost open spans finds the first track in logarithmic time.
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
        if tree[1] < end - tolerance:  # no track fits: twice as many leaves, the new ones free
            tree = [_FREE] * 2 * leaves + tree[leaves:] + [_FREE] * leaves
            leaves *= 2
            for node in range(leaves - 1, 0, -1):
                tree[node] = max(tree[2 * node], tree[2 * node + 1])
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


def track_name(lane: Lane, number: int) -> str:
    """Return the name of a lane's track, with a number from the second track on."""
    return f"{lane.name} ({number + 1})" if number else lane.name


def arrows(trace: Trace) -> tuple[Longs, Longs]:
    """Return the arrows that a viewer draws: from launches to executions, and between spans with equal ``flow``.

    Returns:
        The row at which each arrow starts, and the row at which it ends.
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


def _groups(trace: Trace) -> tuple[list[tuple[str, str]], Longs]:
    # Return the distinct pairs of process and device of a trace, and the index of each span's pair.
    numbers: dict[tuple[str, str], int] = {}
    of_lane = [numbers.setdefault((lane.process, lane.device), len(numbers)) for lane in trace.lanes]
    return list(numbers), np.array(of_lane, np.int64)[trace.lane]


def _group_name(part: str, process: str, device: str) -> str:
    # Return the displayed name of a process, or of its device.
    return " ".join(text for text in (f"{part}:" if part else "", device, process and f"process {process}") if text)


def _complete(trace: Trace, where: TrackLayout) -> Trace:
    # Add as attributes what viewers have no field for: ``correlation``, and ``clipped_ns`` for clipped ends.
    joined = np.flatnonzero(trace.correlation != NONE)
    if len(joined):
        trace = with_attribute(trace, "correlation", joined, trace.correlation[joined].tolist())
    if len(where.clipped):
        lost = trace.end_ns[where.clipped] - where.first_ns - where.end_ns[where.clipped]
        trace = with_attribute(trace, "clipped_ns", where.clipped, lost.tolist())
    return trace


def _chunks(rows: Longs) -> Iterator[Longs]:
    for low in range(0, len(rows), _CHUNK):
        yield rows[low : low + _CHUNK]


def _attributes(trace: Trace, rows: Longs) -> list[dict[str, Value]]:
    # Return the attributes of each row.
    own: list[dict[str, Value]] = [{} for _ in range(len(rows))]
    for name, attribute in trace.attributes.items():
        if not len(attribute.rows):
            continue
        place = np.minimum(np.searchsorted(attribute.rows, rows), len(attribute.rows) - 1)
        has = np.flatnonzero(attribute.rows[place] == rows)
        for at, source in zip(has.tolist(), place[has].tolist(), strict=True):
            own[at][name] = attribute.values[source]
    return own


def _json(value: Any) -> bytes:
    # Return JSON with unescaped letters, since Perfetto's page does not decode escapes in names.
    # A text with lone surrogates cannot be encoded as UTF-8, so it is escaped.
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, builtin_types=[Decimal]), default=float).encode()


@contextlib.contextmanager
def _open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    # Open a file for atomic writing. If its name ends in ``.gz``, compress it, without a date so that bytes repeat.
    # Raises:
    #     InputError: the file cannot be written.
    with writing(path) as scratch, scratch.open("wb") as raw:
        if not path.name.endswith(".gz"):
            yield raw
            return
        with (
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=_COMPRESSION, mtime=0) as packed,
            io.BufferedWriter(packed, 1 << 20) as buffered,
        ):
            yield buffered


def write_chrome(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces into one file of Chrome's format; each part has its own processes.

    Raises ``InputError`` if the file cannot be written.
    """
    layouts = [layout(part.trace) for part in parts]
    head: dict[str, Any] = {"displayTimeUnit": "ns"}
    if len(parts) == 1 and parts[0].trace.clock.unix_offset_ns is not None:
        head["baseTimeNanoseconds"] = parts[0].trace.clock.unix_offset_ns + layouts[0].first_ns
    head["otherData"] = {
        "producer": "dlbricks",
        **({"prediction": parts[0].prediction} if parts and parts[0].prediction is not None else {}),
        "parts": [
            {
                "name": part.name,
                "spans": len(part.trace),
                "clock": part.trace.clock.name,
                "resolution_ns": part.trace.clock.resolution_ns,
                "first_start_ns": where.first_ns,
                "unix_offset_ns": part.trace.clock.unix_offset_ns,
                "notes": part.trace.notes,
            }
            for part, where in zip(parts, layouts, strict=True)
        ],
    }
    with _open_for_writing(path) as out:
        out.write(_json(head)[:-1] + b',"traceEvents":[\n')
        separator = b""
        first_group, first_arrow = 1, 1
        for part, where in zip(parts, layouts, strict=True):
            for event in _events(part, where, first_group, first_arrow):
                out.write(separator + _json(event))
                separator = b",\n"
            first_group += len(_groups(part.trace)[0])
            first_arrow += len(arrows(part.trace)[0])
        out.write(b"\n]}\n")


def _events(part: ExportPart, where: TrackLayout, first_group: int, first_arrow: int) -> Iterator[dict[str, Any]]:
    trace = _complete(part.trace, where)
    pid, tid = _groups(trace)[1] + first_group, where.track + 1
    yield from _names(part, where, first_group)
    for rows in _chunks(np.arange(len(trace))):
        yield from _slices(trace, where, rows, pid, tid)
    ends = arrows(trace)
    for chosen in _chunks(np.arange(len(ends[0]))):
        sides = [
            zip(*(column[rows[chosen]].tolist() for column in (where.start_ns, pid, tid)), strict=True) for rows in ends
        ]
        for number, (source, target) in enumerate(zip(*sides, strict=True), first_arrow + int(chosen[0])):
            for (start, process, thread), side in ((source, {"ph": "s"}), (target, {"ph": "f", "bp": "e"})):
                place = {"ts": _us(start), "pid": process, "tid": thread}
                yield {**side, "id": number, "name": "leads to", "cat": "flow", **place}


def _us(ns: int) -> Decimal:
    return Decimal(ns).scaleb(-3)


def _names(part: ExportPart, where: TrackLayout, first_group: int) -> Iterator[dict[str, Any]]:
    # Yield the metadata events that name and order processes and tracks.
    pairs, group = _groups(part.trace)

    def named(what: str, pid: int, tid: int, name: str) -> Iterator[dict[str, Any]]:
        for field, value in (("name", name), ("sort_index", tid or pid)):
            yield {"ph": "M", "name": f"{what}_{field}", "pid": pid, "tid": tid, "args": {field: value}}

    for pid, (process, device) in enumerate(pairs, first_group):
        yield from named("process", pid, 0, _group_name(part.name, process, device))
    group_of = dict(zip(where.track.tolist(), group.tolist(), strict=True))
    for number, (lane, copy) in enumerate(where.tracks):
        yield from named("thread", first_group + group_of[number], number + 1, track_name(part.trace.lanes[lane], copy))


def _slices(trace: Trace, where: TrackLayout, rows: Longs, pid: Longs, tid: Longs) -> Iterator[dict[str, Any]]:
    # Yield one complete event per row. Viewers filter by its category, which joins level, kind and role.
    levels = [level.name.lower() for level in Level]
    roles = ["" if role == Role.PLAIN else f",{role.name.lower()}" for role in Role]
    columns = (
        trace.name, trace.level, trace.kind, trace.role, where.start_ns, where.end_ns, trace.parent, pid, tid,
    )  # fmt: skip
    listed = [rows.tolist(), *(column[rows].tolist() for column in columns)]
    for row, name, level, kind, role, start, end, parent, process, thread, own in zip(
        *listed, _attributes(trace, rows), strict=True
    ):
        up = {"parent": parent} if parent != NONE else {}
        yield {
            "ph": "X",
            "name": trace.names[name],
            "cat": f"{levels[level]},{trace.kinds[kind]}{roles[role]}",
            "ts": _us(start),
            "dur": _us(end - start),
            "pid": process,
            "tid": thread,
            "args": {"row": row, **up, **{key: _finite(value) for key, value in own.items()}},
        }


def write_otlp(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces into one file of OTLP's format; each part has its own trace id.

    Raises ``InputError`` if the file cannot be written.
    """
    with _open_for_writing(path) as out:
        for number, part in enumerate(parts):
            digest = hashlib.sha256(f"{number} {part.name}".encode())
            for column in (part.trace.start_ns, part.trace.end_ns, part.trace.name):
                digest.update(column.tobytes())
            for line in _lines(digest.hexdigest()[:32], part):
                out.write(_json(line) + b"\n")


def _lines(identity: str, part: ExportPart) -> Iterator[dict[str, Any]]:
    # Yield the lines of a part; each holds up to ``_CHUNK`` spans of one process or device.
    where = layout(part.trace)
    trace = _complete(part.trace, where)
    pairs, group = _groups(trace)
    base = -1 if trace.clock.unix_offset_ns is None else trace.clock.unix_offset_ns + where.first_ns
    links: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in zip(*(ends.tolist() for ends in arrows(trace)), strict=True):
        if trace.parent[target] != source:
            links[target].append(source)
    scope = {"name": "dlbricks", "attributes": _pairs({"clock": trace.clock.name, "since_1970": base >= 0})}
    for number, (process, device) in enumerate(pairs):
        about = {"service.name": _group_name(part.name, process, device), "process": process, "device": device}
        resource = {"attributes": _pairs({key: value for key, value in about.items() if value})}
        for rows in _chunks(np.flatnonzero(group == number)):
            spans = [*_spans(trace, where, rows, (identity, max(base, 0)), links)]
            yield {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}


class _Span(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    # A span of the protocol. A struct, because a million dictionaries take 1.5 times as long to encode.
    trace_id: str
    span_id: str
    name: str
    kind: int
    start_time_unix_nano: str
    end_time_unix_nano: str
    attributes: "list[_Pair]"
    parent_span_id: str = ""
    links: Sequence[dict[str, str]] = ()


class _Pair(msgspec.Struct, gc=False):
    key: str
    value: dict[str, Value]


def _spans(
    trace: Trace, where: TrackLayout, rows: Longs, origin: tuple[str, int], links: dict[int, list[int]]
) -> Iterator[_Span]:
    # Yield each row as a span of the protocol. ``links``: the rows at which its flow arrows start, without its parent.
    identity, base = origin

    @functools.cache
    def common(level: int, kind: int, role: int, lane: int) -> list[_Pair]:
        words = {"level": Level(level).name.lower(), "kind": trace.kinds[kind]}
        words |= {} if role == Role.PLAIN else {"role": Role(role).name.lower()}
        return _pairs({**words, "lane": trace.lanes[lane].name})

    chosen = (trace.name, trace.level, trace.role, trace.kind, trace.lane, where.start_ns, where.end_ns, trace.parent)
    columns = [rows.tolist(), *(column[rows].tolist() for column in chosen)]
    for row, name, level, role, kind, lane, start, end, parent, own in zip(
        *columns, _attributes(trace, rows), strict=True
    ):
        yield _Span(
            trace_id=identity,
            span_id=f"{row + 1:016x}",
            parent_span_id=f"{parent + 1:016x}" if parent != NONE else "",
            name=trace.names[name],
            kind=_INTERNAL,
            start_time_unix_nano=str(start + base),
            end_time_unix_nano=str(end + base),
            attributes=common(level, kind, role, lane) + _pairs(own) if own else common(level, kind, role, lane),
            links=[{"traceId": identity, "spanId": f"{source + 1:016x}"} for source in links[row]]
            if row in links
            else (),
        )


def _pairs(attributes: Mapping[str, Value]) -> list[_Pair]:
    # Return attributes in the protocol's form.
    return [_Pair(key, _typed(value)) for key, value in attributes.items()]


def _typed(value: Value) -> dict[str, Value]:
    if type(value) is int and -_LARGEST <= value < _LARGEST:
        return {"intValue": str(value)}
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"doubleValue": _finite(value)} if isinstance(value, float) else {"stringValue": str(value)}


def _finite(value: Value) -> Value:
    # Return a value for JSON, which knows neither NaN nor infinities: these become texts.
    return _NOT_FINITE.get(str(value), value) if isinstance(value, float) else value
