"""Traces of PyTorch's profiler (Kineto) of any year, and other traces in Chrome's JSON, as spans.

Events never lie in memory all at once. Times stay exact to the ns that the file gives, however large they are. HTA's
parser (``traceinsight``) was looked at: it keeps times as doubles, rounds them to microseconds, and expects the
categories of today.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.read.chrome_json import ChromeEvent, read_document
from dlbricks.trace.read.chrome_stream import UncuttableError, stream_document
from dlbricks.trace.read.kineto_events import COLUMNS, Reading, with_memory
from dlbricks.trace.read.kineto_fields import launches, with_records
from dlbricks.trace.types import NONE, Attribute, Bytes, Level, Longs, Role, Trace, TraceClock

_EPOCH_NS = 10**18
"""2001 in ns since 1970: times beyond are of a calendar, times below count from a start."""


def read_kineto(path: Path) -> Trace:
    """Read a trace in Chrome's JSON (``.json``, ``.json.gz``), with parents and launches found.

    What the file gets wrong and what was done about it stands in the notes: cut off or damaged files give the events
    before that, executions whose launch was not recorded have no parent, spans that end before they start no length.

    Raises:
        InputError: the file cannot be read, or it is no trace, or it holds no span, or too many events or lanes.
    """
    reading, base, device, notes = _read(path)
    if not reading.spans:
        raise InputError(f"{path} holds no spans, only other events; record the trace again")
    if (count := len(reading.lanes())) > limits.TRACE_LANES:
        most = f"at most {limits.TRACE_LANES:,} are read: leave some out"
        raise InputError(f"{path} has {count:,} threads and streams, {most}")
    trace = replace(_trace(reading, base, notes), device=device)
    memory, lanes = reading.memory, reading.lane_of_thread()
    del reading
    return with_memory(correlated(trace), memory, lanes)


def _read(path: Path) -> tuple[Reading, int | None, str, tuple[str, ...]]:
    """Read all events, batch by batch if the file can be cut up, else as a whole; and what its head and notes say."""
    reading = Reading()

    def take(events: list[ChromeEvent]) -> None:
        reading.take(events)
        if reading.events > limits.TRACE_EVENTS:
            raise InputError(f"{path} has more than {limits.TRACE_EVENTS:,} events: record fewer steps")

    try:
        document = stream_document(path, take)
    except UncuttableError:
        reading, document = Reading(), read_document(path)
    reading.rank, reading.kineto = document.rank, reading.kineto or document.kineto
    take(document.events)
    reading.finish()
    return reading, document.base_ns, document.device, document.notes


def _trace(reading: Reading, base: int | None, notes: tuple[str, ...]) -> Trace:
    meaning, name, lane, start, end, correlation = np.array(reading.spans).reshape(-1, len(COLUMNS)).T
    backwards = end < start
    wrong = dict(reading.wrong)
    if backwards.any():
        wrong["spans end before they start; they are read as of no length"] = int(backwards.sum())
        end = np.maximum(start, end)
    names = tuple(reading.names)
    level = np.array([one.level for one in reading.meanings()], np.int8)[meaning]
    kind_of: dict[str, int] = {}
    kind = np.array([kind_of.setdefault(one.kind, len(kind_of)) for one in reading.meanings()], np.int64)[meaning]
    copies = np.flatnonzero((level == Level.KERNEL) & (kind == kind_of.get(kinds.COPY, NONE)))
    attributes, more = reading.fields.attributes(level, copies, name, names, correlation)
    calls = np.flatnonzero((level == Level.LIBRARY) & (correlation != NONE))
    attributes = with_records(attributes, reading.records, calls, correlation)
    flow = _flow(reading, attributes, lane, start)
    earliest = int(start.min())
    return from_columns(
        TraceClock(
            name="kineto" if reading.kineto else "chrome",
            unix_offset_ns=0 if earliest >= _EPOCH_NS else base,
            resolution_ns=_resolution_ns(start, end),
        ),
        names=names,
        kinds=tuple(kind_of),
        lanes=reading.lanes(),
        columns={
            "level": level,
            "role": _roles(reading, meaning, name, correlation),
            "kind": kind,
            "name": name,
            "lane": lane,
            "start_ns": start,
            "end_ns": end,
            "correlation": correlation,
        },
        attributes={**attributes, **({"flow": flow} if flow else {})},
        notes=(*notes, *reading.notes, *(f"{count:,} {what}" for what, count in wrong.items()), *more),
    )


def _roles(reading: Reading, meaning: Longs, name: Longs, correlation: Longs) -> Bytes:
    """Calls launch if something on a device has their correlation number, or if their name says so."""
    known = reading.meanings()
    role = np.array([one.role for one in known], np.int8)[meaning]
    on_device = np.array([one.level == Level.KERNEL for one in known], bool)[meaning]
    calls = np.array([one.level == Level.LIBRARY and one.place == "thread" for one in known], bool)[meaning]
    launching = np.array([launches(text) for text in reading.names], bool)[name]
    role[calls & (launching | np.isin(correlation, correlation[on_device & (correlation != NONE)]))] = Role.LAUNCH
    return role


def _resolution_ns(start: Longs, end: Longs) -> int:
    """Give 1, 10, 100 or 1000: the unit that all times are whole numbers of."""
    common = int(np.gcd.reduce(np.concatenate((start, end))))
    return next(unit for unit in (1000, 100, 10, 1) if common % unit == 0)


def _flow(reading: Reading, attributes: dict[str, Attribute], lane: Longs, start: Longs) -> Attribute | None:
    """Give the number of the arrow from a forward to its backward operator, to both: those that begin where it does."""
    if "sequence" not in attributes or not reading.arrows:
        return None
    at: dict[tuple[int, int], int] = {}
    rows = attributes["sequence"].rows
    for row, key in zip(rows.tolist(), zip(lane[rows].tolist(), start[rows].tolist(), strict=True), strict=True):
        at.setdefault(key, row)
    lanes = reading.lane_of_thread()
    found: dict[int, int] = {}
    for arrow, thread, time in reading.arrows:
        at_arrow = at.get((lanes.get(thread, NONE), time))
        if at_arrow is not None:
            found[at_arrow] = arrow
    return attribute_of(list(found), list(found.values())) if found else None
