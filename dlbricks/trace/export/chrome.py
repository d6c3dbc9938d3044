"""Writes Chrome trace JSON: one track per lane, flow arrows from launches to executions, clocks and power as counters.

Opens in ui.perfetto.dev. Format: "Trace Event Format" of Chromium; Perfetto requires that events of a track nest. Times
are microseconds with three decimals; each part starts at 0, since a double cannot hold nanoseconds since 1970, and
``baseTimeNanoseconds`` (as in Kineto) holds that time. No library writes this format.
"""

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from dlbricks.trace.devices import name_and_unit, sampled
from dlbricks.trace.export.layout import (
    ExportPart,
    Quoted,
    TrackLayout,
    arrows,
    chunks,
    complete,
    group_name,
    groups,
    json_text,
    layout,
    of_rows,
    open_for_writing,
    track_name,
)
from dlbricks.trace.types import Level, Longs, Role, Trace, Value


def write(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces side by side into one file, each with processes of its own.

    Raises:
        InputError: the place cannot be written.
    """
    layouts = [layout(part.trace) for part in parts]
    head = {
        "displayTimeUnit": "ns",
        **_base(parts, layouts),
        "otherData": {
            "producer": "dlbricks",
            "parts": [_about(part, where) for part, where in zip(parts, layouts, strict=True)],
        },
    }
    with open_for_writing(path) as out:
        out.write(f'{json.dumps(head)[:-1]},"traceEvents":[\n'.encode())
        separator = b""
        first_group, first_arrow = 1, 1
        for part, where in zip(parts, layouts, strict=True):
            for text in _events(part, where, first_group, first_arrow):
                out.write(separator + text.encode())
                separator = b",\n"
            first_group += len(groups(part.trace)[0])
            first_arrow += len(arrows(part.trace)[0])
        out.write(b"\n]}\n")


def _base(parts: Sequence[ExportPart], layouts: Sequence[TrackLayout]) -> dict[str, int]:
    """Return the time of the file's 0 since 1970, if there is one part and it is known."""
    if len(parts) != 1 or parts[0].trace.clock.unix_offset_ns is None:
        return {}
    return {"baseTimeNanoseconds": parts[0].trace.clock.unix_offset_ns + layouts[0].first_ns}


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
    """Return the events of a part as texts of some thousand events each."""
    trace = complete(part.trace, where)
    tid = np.arange(1, len(where.tracks) + 1)[where.track] if len(trace) else where.track
    _, group_of = groups(trace)
    pid = np.array(group_of, np.int64)[trace.lane] + first_group if len(trace) else where.track
    names = _names(part, where, first_group)
    if names:
        yield ",\n".join(names)
    texts = (
        [json_text(name) for name in trace.names],
        [json.dumps(_category(level, role, kind)) for level in Level for role in Role for kind in trace.kinds],
    )
    slices, points = _drawn(trace)
    for rows in chunks(slices):
        yield ",\n".join(_spans(trace, where, rows, (pid, tid), texts))
    for rows in chunks(points):
        yield ",\n".join(_counters(trace, where, rows, pid))
    sources, targets = arrows(trace)
    for chosen in chunks(np.arange(len(sources))):
        yield ",\n".join(_arrows(where, (sources[chosen], targets[chosen]), pid, tid, int(chosen[0]) + first_arrow))


def _drawn(trace: Trace) -> tuple[Longs, Longs]:
    """Return the rows drawn as slices, and those drawn as points of counters (states of devices)."""
    points = sampled(trace)
    return np.flatnonzero(~points), np.flatnonzero(points)


def _json_value(value: Value) -> str:
    """Return a value as JSON; NaN and infinities become texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'"{value}"'
    return json.dumps(value)


def _category(level: Level, role: Role, kind: str) -> str:
    """Return the category, by which viewers filter."""
    return ",".join((level.name.lower(), kind, *(() if role == Role.PLAIN else (role.name.lower(),))))


def _names(part: ExportPart, where: TrackLayout, first_group: int) -> list[str]:
    """Return the metadata events with names and order of processes and tracks."""
    pairs, group_of = groups(part.trace)
    events = []

    def add(name: str, pid: int, tid: int, args: dict[str, object]) -> None:
        arguments = ",".join(
            f'"{key}":{json_text(value) if isinstance(value, str) else json.dumps(value)}'
            for key, value in args.items()
        )
        events.append(f'{{"ph":"M","name":"{name}","pid":{pid},"tid":{tid},"args":{{{arguments}}}}}')

    for number, (process, device) in enumerate(pairs):
        pid = first_group + number
        add("process_name", pid, 0, {"name": group_name(part.name, process, device)})
        add("process_sort_index", pid, 0, {"sort_index": pid})
    used = set(where.track[_drawn(part.trace)[0]].tolist())
    for number, (lane, copy) in enumerate(where.tracks):
        if number not in used:
            continue
        pid, tid = first_group + group_of[lane], number + 1
        add("thread_name", pid, tid, {"name": track_name(part.trace.lanes[lane], copy)})
        add("thread_sort_index", pid, tid, {"sort_index": tid})
    return events


def _spans(
    trace: Trace, where: TrackLayout, rows: Longs, places: tuple[Longs, Longs], texts: tuple[list[str], list[str]]
) -> Iterator[str]:
    """Return a complete event for each row."""
    names, kinds = texts
    quoted = Quoted()

    def encode(name: str, value: Value) -> str:
        return f"{quoted[name]}:{quoted[value] if isinstance(value, str) else _json_value(value)}"

    columns = (
        rows,
        trace.name[rows],
        (trace.level[rows].astype(np.int64) * len(Role) + trace.role[rows]) * len(trace.kinds) + trace.kind[rows],
        where.start_ns[rows],
        (where.end_ns - where.start_ns)[rows],
        trace.parent[rows],
        places[0][rows],
        places[1][rows],
    )
    listed = (column.tolist() for column in columns)
    for row, name, kind, start, duration, parent, process, thread, args in zip(
        *listed, of_rows(trace, rows, encode), strict=True
    ):
        up = f',"parent":{parent}' if parent >= 0 else ""
        more = "".join(f",{text}" for text in args)
        yield (
            f'{{"ph":"X","name":{names[name]},"cat":{kinds[kind]},"ts":{start // 1000}.{start % 1000:03d},'
            f'"dur":{duration // 1000}.{duration % 1000:03d},"pid":{process},"tid":{thread},'
            f'"args":{{"row":{row}{up}{more}}}}}'
        )


def _counters(trace: Trace, where: TrackLayout, rows: Longs, pid: Longs) -> Iterator[str]:
    """Return a counter event for each sample; each quantity of each device is a counter."""
    titles = [name_and_unit(name) for name in trace.names]
    quoted = Quoted()
    columns = (trace.name[rows], where.start_ns[rows], pid[rows], trace.column("value", rows))
    for index, start, process, value in zip(*(column.tolist() for column in columns), strict=True):
        name, unit = titles[index]
        yield (
            f'{{"ph":"C","name":{quoted[name]},"ts":{start // 1000}.{start % 1000:03d},"pid":{process},'
            f'"args":{{{quoted[unit or "value"]}:{_json_value(value)}}}}}'
        )


def _arrows(where: TrackLayout, ends: tuple[Longs, Longs], pid: Longs, tid: Longs, first: int) -> Iterator[str]:
    sides = []
    for rows, phase in zip(ends, ('"s"', '"f","bp":"e"'), strict=True):
        columns = (where.start_ns[rows].tolist(), pid[rows].tolist(), tid[rows].tolist())
        sides.append(
            [
                f'{{"ph":{phase},"id":{number},"name":"leads to","cat":"flow","ts":{start // 1000}.{start % 1000:03d},'
                f'"pid":{process},"tid":{thread}}}'
                for number, (start, process, thread) in enumerate(zip(*columns, strict=True), start=first)
            ]
        )
    return itertools.chain.from_iterable(zip(*sides, strict=True))
