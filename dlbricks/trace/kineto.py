"""Traces of PyTorch's profiler (Kineto) of any year, and other traces in Chrome's JSON, as spans.

Steps and ranges become spans of the application, operators layers, calls of runtime and driver the library, what runs
on a device kernels. Times stay exact to the ns that the file gives, however large they are.

HTA's parser (``traceinsight``) was looked at: it keeps times as doubles, rounds them to microseconds, and expects the
categories of today.
"""

from pathlib import Path

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.build import from_columns
from dlbricks.trace.categories import launches
from dlbricks.trace.chromejson import read_document
from dlbricks.trace.correlate import correlated
from dlbricks.trace.kinetoevents import Reading
from dlbricks.trace.kinetofields import Columns, attributes_of, number, with_records
from dlbricks.trace.kinetomemory import with_memory
from dlbricks.trace.nouns import NONE, Attribute, Bytes, Clock, Level, Longs, Role, Trace

_EPOCH_NS = 10**18
"""2001 in ns since 1970: times beyond are of a calendar, times below count from a start."""


def read_kineto(path: Path) -> Trace:
    """Read a trace in Chrome's JSON (``.json``, ``.json.gz``), with parents and launches found.

    What the file gets wrong and what was done about it stands in the notes: cut off or damaged files give the events
    before that, executions whose launch was not recorded have no parent, spans that end before they start no length.

    Raises:
        InputError: the file cannot be read, or it is no trace, or it holds no span.
    """
    document = read_document(path)
    reading = Reading(rank=document.rank, kineto=document.kineto)
    for event in document.events:
        reading.take(event)
    reading.finish()
    if not reading.start_ns:
        raise InputError(f"{path} holds no spans, only other events; record the trace again")
    base, notes = document.base_ns, document.notes
    del document
    trace = _trace(reading, base, notes)
    return with_memory(correlated(trace), reading.memory, reading.lane_of_thread())


def _trace(reading: Reading, base: int | None, notes: tuple[str, ...]) -> Trace:
    start, end = np.array(reading.start_ns, np.int64), np.array(reading.end_ns, np.int64)
    backwards = end < start
    wrong = dict(reading.wrong)
    if backwards.any():
        wrong["spans end before they start; they are read as of no length"] = int(backwards.sum())
        end = np.maximum(start, end)
    names = tuple(reading.names)
    level = np.array([meaning.level for meaning in reading.meanings], np.int8)
    correlation = np.array(
        [NONE if (got := number(given.correlation)) is None else got for given in reading.arguments], np.int64
    )
    kind_of: dict[str, int] = {}
    kind = [kind_of.setdefault(meaning.kind, len(kind_of)) for meaning in reading.meanings]
    attributes, more = attributes_of(
        Columns(
            level=level.astype(np.int64),
            kind=tuple(meaning.kind for meaning in reading.meanings),
            name=tuple(names[index] for index in reading.name),
            correlation=correlation,
            arguments=tuple(reading.arguments),
        )
    )
    calls = np.flatnonzero((level == Level.LIBRARY) & (correlation != NONE))
    attributes = with_records(attributes, reading.records, calls, correlation)
    flow = _flow(reading, attributes)
    earliest = int(start.min())
    return from_columns(
        Clock(
            name="kineto" if reading.kineto else "chrome",
            unix_offset_ns=0 if earliest >= _EPOCH_NS else base,
            resolution_ns=_resolution_ns(start, end),
        ),
        names=names,
        kinds=tuple(kind_of),
        lanes=reading.lanes(),
        columns={
            "level": level,
            "role": _roles(reading, level, correlation),
            "kind": kind,
            "name": reading.name,
            "lane": reading.lane,
            "start_ns": start,
            "end_ns": end,
            "correlation": correlation,
        },
        attributes={**attributes, **({"flow": flow} if flow else {})},
        notes=(*notes, *reading.notes, *(f"{count:,} {what}" for what, count in wrong.items()), *more),
    )


def _roles(reading: Reading, level: Bytes, correlation: Longs) -> Bytes:
    """Calls launch if something on a device has their correlation number, or if their name says so."""
    role = np.array([meaning.role for meaning in reading.meanings], np.int8)
    executed = correlation[(level == Level.KERNEL) & (correlation != NONE)]
    launching = np.array([launches(name) for name in reading.names], bool)[reading.name]
    calls = (level == Level.LIBRARY) & (np.array([meaning.place == "thread" for meaning in reading.meanings], bool))
    role[calls & (launching | np.isin(correlation, executed))] = Role.LAUNCH
    return role


def _resolution_ns(start: Longs, end: Longs) -> int:
    """Give 1, 10, 100 or 1000: the unit that all times are whole numbers of."""
    common = int(np.gcd.reduce(np.concatenate((start, end))))
    return next(unit for unit in (1000, 100, 10, 1) if common % unit == 0)


def _flow(reading: Reading, attributes: dict[str, Attribute]) -> Attribute | None:
    """Give the number of the arrow from a forward to its backward operator, to both: those that begin where it does."""
    if "sequence" not in attributes:
        return None
    at: dict[tuple[int, int], int] = {}
    for row in attributes["sequence"].rows.tolist():
        at.setdefault((reading.lane[row], reading.start_ns[row]), row)
    lanes = reading.lane_of_thread()
    found: dict[int, int] = {}
    for arrow, thread, time in reading.arrows:
        row = at.get((lanes.get(thread, NONE), time))
        if row is not None:
            found[row] = arrow
    rows = sorted(found)
    return Attribute(rows=np.array(rows, np.int64), values=tuple(found[row] for row in rows)) if rows else None
