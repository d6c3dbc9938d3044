"""Writes traces for viewers: Chrome's JSON, which ui.perfetto.dev opens, and OTLP's JSON lines, which Jaeger opens.

Viewers require that the spans of a track follow or contain each other. Spans of a lane that overlap partly go to
further tracks of the lane, so that every span keeps its recorded times.

Chrome ("Trace Event Format" of Chromium): one track per lane, flow arrows from launches to executions. Times are
microseconds with three decimals; each part starts at 0, since a double cannot hold nanoseconds since 1970, and
``baseTimeNanoseconds`` (as in Kineto) holds that time. No library writes this format.

OTLP (JSON encoding of the OpenTelemetry protocol, and its file exporter): one ``TracesData`` a line, ids in
hexadecimal, 64-bit numbers as texts. OpenTelemetry's own exporter is not used: it takes 0.1 ms a span. Each part is a
trace; every process and every device is a service. Times are since 1970 if the clock's offset is known, else since the
first start.
"""

import contextlib
import gzip
import hashlib
import heapq
import io
import itertools
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
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, Value

# Spans that are formatted at a time.
_CHUNK = 20_000
# Files are a tenth larger than at level 9, and written five times as fast.
_COMPRESSION = 5
# ``SPAN_KIND_INTERNAL`` of OTLP.
_INTERNAL = 1
# Integers from here on do not fit ``intValue`` of OTLP.
_LARGEST = 2**63
_NOT_FINITE = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
_FREE = math.inf


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
    """Return the name of a track: that of its lane, with a number from the second track on."""
    return f"{lane.name} ({number + 1})" if number else lane.name


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


def _groups(trace: Trace) -> tuple[list[tuple[str, str]], Longs]:
    # Return the distinct pairs of process and device of a trace, and the index of each span's pair.
    numbers: dict[tuple[str, str], int] = {}
    of_lane = [numbers.setdefault((lane.process, lane.device), len(numbers)) for lane in trace.lanes]
    return list(numbers), np.array(of_lane, np.int64)[trace.lane]


def _group_name(part: str, process: str, device: str) -> str:
    # Return the displayed name of a process, or of its device.
    return " ".join(text for text in (f"{part}:" if part else "", device, process and f"process {process}") if text)


def _complete(trace: Trace, where: TrackLayout) -> Trace:
    # Add attributes for what viewers have no field for: ``correlation``, and ``clipped_ns`` of clipped ends.
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


def _attributes(trace: Trace, rows: Longs, encode: Callable[[str, Value], str]) -> list[list[str]]:
    # Return the encoded attributes of each row.
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


def _json_text(text: str) -> str:
    # Return a text as JSON without escaping non-ASCII characters: Perfetto's page does not decode escapes in names.
    # Texts with lone surrogates, which cannot be encoded as UTF-8, are escaped.
    quoted = json.dumps(text, ensure_ascii=False)
    try:
        quoted.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return quoted


class _Quoted(dict[Any, str]):
    # A cache of texts as JSON.

    def __missing__(self, text: Any) -> str:
        self[text] = quoted = _json_text(text)
        return quoted


@contextlib.contextmanager
def _open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    # Open a file that is written atomically; compressed reproducibly (without a date) if its name ends in ``.gz``.
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
    """Write several traces side by side into one file, each with processes of its own.

    Raises:
        InputError: the file cannot be written.
    """
    layouts = [layout(part.trace) for part in parts]
    head: dict[str, Any] = {"displayTimeUnit": "ns"}
    if len(parts) == 1 and parts[0].trace.clock.unix_offset_ns is not None:
        head["baseTimeNanoseconds"] = parts[0].trace.clock.unix_offset_ns + layouts[0].first_ns
    about = [_about(part, where) for part, where in zip(parts, layouts, strict=True)]
    head["otherData"] = {"producer": "dlbricks", "parts": about}
    with _open_for_writing(path) as out:
        out.write(f'{json.dumps(head)[:-1]},"traceEvents":[\n'.encode())
        separator = b""
        first_group, first_arrow = 1, 1
        for part, where in zip(parts, layouts, strict=True):
            for text in _events(part, where, first_group, first_arrow):
                out.write(separator + text.encode())
                separator = b",\n"
            first_group += len(_groups(part.trace)[0])
            first_arrow += len(arrows(part.trace)[0])
        out.write(b"\n]}\n")


def _about(part: ExportPart, where: TrackLayout) -> dict[str, object]:
    clock = part.trace.clock
    return {
        "name": part.name,
        "spans": len(part.trace),
        "clock": clock.name,
        "resolution_ns": clock.resolution_ns,
        "first_start_ns": where.first_ns,
        "unix_offset_ns": clock.unix_offset_ns,
        "notes": list(part.trace.notes),
    }


def _events(part: ExportPart, where: TrackLayout, first_group: int, first_arrow: int) -> Iterator[str]:
    # Return the events of a part as texts of some thousand events each.
    trace = _complete(part.trace, where)
    pid, tid = _groups(trace)[1] + first_group, where.track + 1
    names = list(_names(part, where, first_group))
    if names:
        yield ",\n".join(names)
    for rows in _chunks(np.arange(len(trace))):
        yield ",\n".join(_slices(trace, where, rows, pid, tid))
    sources, targets = arrows(trace)
    for chosen in _chunks(np.arange(len(sources))):
        yield ",\n".join(_arrows(where, (sources[chosen], targets[chosen]), pid, tid, int(chosen[0]) + first_arrow))


def _json_value(value: Value) -> str:
    # Return a value as JSON; NaN and infinities become texts.
    return f'"{value}"' if isinstance(value, float) and not math.isfinite(value) else json.dumps(value)


def _names(part: ExportPart, where: TrackLayout, first_group: int) -> Iterator[str]:
    # Return the metadata events with names and order of processes and tracks.
    pairs, group = _groups(part.trace)

    def named(what: str, pid: int, tid: int, name: str) -> Iterator[str]:
        place, index = f'"pid":{pid},"tid":{tid}', tid or pid
        yield f'{{"ph":"M","name":"{what}_name",{place},"args":{{"name":{_json_text(name)}}}}}'
        yield f'{{"ph":"M","name":"{what}_sort_index",{place},"args":{{"sort_index":{index}}}}}'

    for pid, (process, device) in enumerate(pairs, first_group):
        yield from named("process", pid, 0, _group_name(part.name, process, device))
    group_of = dict(zip(where.track.tolist(), group.tolist(), strict=True))
    for number, (lane, copy) in enumerate(where.tracks):
        yield from named("thread", first_group + group_of[number], number + 1, track_name(part.trace.lanes[lane], copy))


def _slices(trace: Trace, where: TrackLayout, rows: Longs, pid: Longs, tid: Longs) -> Iterator[str]:
    # Return a complete event for each row; its category, by which viewers filter, is level, kind and role.
    quoted = _Quoted()

    def encode(name: str, value: Value) -> str:
        return f"{quoted[name]}:{quoted[value] if isinstance(value, str) else _json_value(value)}"

    categories = [
        json.dumps(f"{level.name.lower()},{kind}{'' if role == Role.PLAIN else f',{role.name.lower()}'}")
        for level in Level
        for role in Role
        for kind in trace.kinds
    ]
    category = (trace.level.astype(np.int64) * len(Role) + trace.role) * len(trace.kinds) + trace.kind
    columns = (trace.name, category, where.start_ns, where.end_ns, trace.parent, pid, tid)
    listed = [rows.tolist(), *(column[rows].tolist() for column in columns)]
    for row, name, sort, start, end, parent, process, thread, args in zip(
        *listed, _attributes(trace, rows, encode), strict=True
    ):
        up = f',"parent":{parent}' if parent >= 0 else ""
        more = "".join(f",{text}" for text in args)
        yield (
            f'{{"ph":"X","name":{quoted[trace.names[name]]},"cat":{categories[sort]},{_time("ts", start)},'
            f'{_time("dur", end - start)},"pid":{process},"tid":{thread},"args":{{"row":{row}{up}{more}}}}}'
        )


def _time(key: str, ns: int) -> str:
    return f'"{key}":{ns // 1000}.{ns % 1000:03d}'


def _arrows(where: TrackLayout, ends: tuple[Longs, Longs], pid: Longs, tid: Longs, first: int) -> Iterator[str]:
    sides = []
    for rows, phase in zip(ends, ('"s"', '"f","bp":"e"'), strict=True):
        columns = (where.start_ns[rows].tolist(), pid[rows].tolist(), tid[rows].tolist())
        sides.append(
            [
                f'{{"ph":{phase},"id":{number},"name":"leads to","cat":"flow",{_time("ts", start)},'
                f'"pid":{process},"tid":{thread}}}'
                for number, (start, process, thread) in enumerate(zip(*columns, strict=True), start=first)
            ]
        )
    return itertools.chain.from_iterable(zip(*sides, strict=True))


def write_otlp(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces into one file, each under an id of its own.

    Raises:
        InputError: the file cannot be written.
    """
    with _open_for_writing(path) as out:
        for number, part in enumerate(parts):
            digest = hashlib.sha256(f"{number} {part.name}".encode())
            for column in (part.trace.start_ns, part.trace.end_ns, part.trace.name):
                digest.update(column.tobytes())
            for line in _lines(digest.hexdigest()[:32], part):
                out.write(line.encode())


def _lines(identity: str, part: ExportPart) -> Iterator[str]:
    # Return lines of some thousand spans of a process or device each.
    where = layout(part.trace)
    trace = _complete(part.trace, where)
    pairs, group = _groups(trace)
    base = -1 if trace.clock.unix_offset_ns is None else trace.clock.unix_offset_ns + where.first_ns
    links: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in zip(*(ends.tolist() for ends in arrows(trace)), strict=True):
        if trace.parent[target] != source:
            links[target].append(source)
    for number, (process, device) in enumerate(pairs):
        resource = {"service.name": _group_name(part.name, process, device), "process": process, "device": device}
        about = ",".join(_attribute(json.dumps(key), value) for key, value in resource.items() if value)
        scope = json.dumps({"name": "dlbricks", "attributes": [
            {"key": "clock", "value": {"stringValue": trace.clock.name}},
            {"key": "since_1970", "value": {"boolValue": base >= 0}},
        ]})  # fmt: skip
        for rows in _chunks(np.flatnonzero(group == number)):
            spans = ",".join(_spans(trace, where, rows, (identity, max(base, 0)), links))
            yield (
                f'{{"resourceSpans":[{{"resource":{{"attributes":[{about}]}},'
                f'"scopeSpans":[{{"scope":{scope},"spans":[{spans}]}}]}}]}}\n'
            )


def _spans(
    trace: Trace, where: TrackLayout, rows: Longs, origin: tuple[str, int], links: dict[int, list[int]]
) -> Iterator[str]:
    # Return each row as a span of the protocol; ``links`` are rows where flow arrows start, but for parents.
    identity, base = origin
    quoted = _Quoted()
    names = {name: json.dumps(trace.names[name]) for name in np.unique(trace.name[rows]).tolist()}
    lanes = [_attribute('"lane"', lane.name) for lane in trace.lanes]
    levels = [_attribute('"level"', level.name.lower()) for level in Level]
    roles = ["" if role == Role.PLAIN else "," + _attribute('"role"', role.name.lower()) for role in Role]
    kinds = [_attribute('"kind"', kind) for kind in trace.kinds]
    chosen = (trace.name, trace.level, trace.role, trace.kind, trace.lane, where.start_ns, where.end_ns, trace.parent)
    columns = [rows.tolist(), *(column[rows].tolist() for column in chosen)]
    attributes = _attributes(trace, rows, lambda key, value: _attribute(quoted[key], value))
    for row, name, level, role, kind, lane, start, end, parent, more in zip(*columns, attributes, strict=True):
        up = f'"parentSpanId":"{parent + 1:016x}",' if parent != NONE else ""
        texts = "".join(f",{text}" for text in more)
        before = ",".join(f'{{"traceId":"{identity}","spanId":"{source + 1:016x}"}}' for source in links.get(row, ()))
        linked = f',"links":[{before}]' if before else ""
        yield (
            f'{{"traceId":"{identity}","spanId":"{row + 1:016x}",{up}"name":{names[name]},"kind":{_INTERNAL},'
            f'"startTimeUnixNano":"{start + base}","endTimeUnixNano":"{end + base}",'
            f'"attributes":[{levels[level]},{kinds[kind]}{roles[role]},{lanes[lane]}{texts}]{linked}}}'
        )


def _attribute(key: str, value: Value) -> str:
    # Return an attribute as JSON; the key is JSON already.
    kind, text = "stringValue", json.dumps(str(value))
    if isinstance(value, bool):
        kind, text = "boolValue", json.dumps(value)
    elif isinstance(value, int) and -_LARGEST <= value < _LARGEST:
        kind, text = "intValue", f'"{value}"'
    elif isinstance(value, float):
        kind, text = "doubleValue", json.dumps(value) if math.isfinite(value) else f'"{_NOT_FINITE[str(value)]}"'
    return f'{{"key":{key},"value":{{"{kind}":{text}}}}}'
