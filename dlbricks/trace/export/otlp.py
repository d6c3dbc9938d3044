"""Writes OTLP JSON lines, the file format of OpenTelemetry's spans; Jaeger opens them.

Format: the OpenTelemetry protocol's JSON encoding and its file exporter (one ``TracesData`` a line; ids in hexadecimal,
64-bit numbers as texts). OpenTelemetry's own exporter is not used: it takes 0.1 ms a span. Each part is a trace; every
process and every device is a service. Times are since 1970 if the clock's offset is known, else since the first start.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from dlbricks.trace.export.layout import (
    ExportPart,
    Quoted,
    TrackLayout,
    arrows,
    chunks,
    complete,
    group_name,
    groups,
    layout,
    of_rows,
    open_for_writing,
)
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace, Value

# ``SPAN_KIND_INTERNAL``.
_INTERNAL = 1
# Integers from here on do not fit ``intValue``.
_LARGEST = 2**63


def write(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces into one file, each under an id of its own.

    Raises:
        InputError: the place cannot be written.
    """
    with open_for_writing(path) as out:
        for number, part in enumerate(parts):
            for line in _lines(trace_id(number, part), part):
                out.write(line.encode())


def trace_id(number: int, part: ExportPart) -> str:
    """Return the id of a part, which follows from its spans and its number in the file."""
    digest = hashlib.sha256(f"{number} {part.name}".encode())
    for column in (part.trace.start_ns, part.trace.end_ns, part.trace.name):
        digest.update(column.tobytes())
    return digest.hexdigest()[:32]


def _lines(identity: str, part: ExportPart) -> Iterator[str]:
    """Return lines of some thousand spans of a process or device each."""
    where = layout(part.trace)
    trace = complete(part.trace, where)
    pairs, group_of = groups(trace)
    group = np.array(group_of, np.int64)[trace.lane] if len(trace) else trace.start_ns
    base = -1 if trace.clock.unix_offset_ns is None else trace.clock.unix_offset_ns + where.first_ns
    links = _links(trace)
    for number, (process, device) in enumerate(pairs):
        resource = {"service.name": group_name(part.name, process, device), "process": process, "device": device}
        about = ",".join(_attribute(json.dumps(key), value) for key, value in resource.items() if value)
        scope = json.dumps({"name": "dlbricks", "attributes": [
            {"key": "clock", "value": {"stringValue": trace.clock.name}},
            {"key": "since_1970", "value": {"boolValue": base >= 0}},
        ]})  # fmt: skip
        for rows in chunks(np.flatnonzero(group == number)):
            spans = ",".join(_spans(trace, where, rows, (identity, max(base, 0)), links))
            yield (
                f'{{"resourceSpans":[{{"resource":{{"attributes":[{about}]}},'
                f'"scopeSpans":[{{"scope":{scope},"spans":[{spans}]}}]}}]}}\n'
            )


def _links(trace: Trace) -> dict[int, list[int]]:
    """Return for each row the rows where its flow arrows start, except its parent."""
    links: dict[int, list[int]] = {}
    sources, targets = arrows(trace)
    others = trace.parent[targets] != sources
    for source, target in zip(sources[others].tolist(), targets[others].tolist(), strict=True):
        links.setdefault(target, []).append(source)
    return links


def _spans(
    trace: Trace, where: TrackLayout, rows: Longs, origin: tuple[str, int], links: dict[int, list[int]]
) -> Iterator[str]:
    """Return each row as a span of the protocol."""
    identity, base = origin
    quoted = Quoted()
    names = {name: json.dumps(trace.names[name]) for name in np.unique(trace.name[rows]).tolist()}
    lanes = [_attribute('"lane"', lane.name) for lane in trace.lanes]
    levels = [_attribute('"level"', level.name.lower()) for level in Level]
    roles = ["" if role == Role.PLAIN else "," + _attribute('"role"', role.name.lower()) for role in Role]
    kinds = [_attribute('"kind"', kind) for kind in trace.kinds]
    chosen = (trace.name, trace.level, trace.role, trace.kind, trace.lane, where.start_ns, where.end_ns, trace.parent)
    columns = [rows.tolist(), *(column[rows].tolist() for column in chosen)]
    attributes = of_rows(trace, rows, lambda key, value: _attribute(quoted[key], value))
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
    """Return an attribute as JSON; the key is JSON already."""
    if isinstance(value, bool):
        return f'{{"key":{key},"value":{{"boolValue":{json.dumps(value)}}}}}'
    if isinstance(value, int) and -_LARGEST <= value < _LARGEST:
        return f'{{"key":{key},"value":{{"intValue":"{value}"}}}}'
    if isinstance(value, float):
        number = json.dumps(value) if math.isfinite(value) else f'"{_NOT_FINITE[str(value)]}"'
        return f'{{"key":{key},"value":{{"doubleValue":{number}}}}}'
    return f'{{"key":{key},"value":{{"stringValue":{json.dumps(str(value))}}}}}'


_NOT_FINITE = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
