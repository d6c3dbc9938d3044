"""Reads traces of PyTorch's profiler (Kineto) and other traces in Chrome's JSON.

Events are read in batches; times are exact to the ns. HTA's parser (``traceinsight``) is not used: it rounds times to
microseconds, and lacks older categories.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.plugins.training.chrome_json import (
    EARLY,
    ChromeEvent,
    NotStreamableError,
    read_chrome_json,
    stream_chrome_json,
)
from dlbricks.plugins.training.kineto_events import COLUMNS, SpanCollector, with_memory
from dlbricks.plugins.training.shape_work import with_work
from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import NONE, Attribute, Bytes, Level, Longs, Role, Trace, TraceClock, TraceReader

# The year 2001 in ns since 1970: larger times are calendar times, smaller ones count from the start of a recording.
_EPOCH_NS = 10**18


def read_kineto(path: Path) -> Trace:
    """Read a trace in Chrome's JSON (``.json``, ``.json.gz``) and find the parents of its spans.

    Errors in the file become notes; a truncated file is read up to its last complete event. Raises ``InputError`` if
    the file cannot be read, lost work of a device, is not a trace, has no span, or has too many events or lanes.
    """
    reading, base, device, notes = _read(path)
    if not reading.spans:
        raise InputError(f"{path} holds no spans, only other events; record the trace again")
    if (count := len(reading.lanes())) > limits.TRACE_LANES:
        most = f"at most {limits.TRACE_LANES:,} are read: leave some out"
        raise InputError(f"{path} has {count:,} threads and streams, {most}")
    trace = replace(_trace(reading, base, notes), device=device)
    first = np.append(np.flatnonzero(trace.role != Role.PLAIN), len(trace))[0]
    if EARLY in notes and (device or first < len(trace)) and (trace.level[first:] != Level.LAYER).all():
        # work of devices stands behind all operators, not in order of time: what is lost is spread over the run
        raise InputError(f"{path} ends early, and work of its {device or 'devices'} is lost: copy or record it again")
    memory, lanes = reading.memory, reading.lane_of_thread()
    del reading
    return with_memory(correlated(trace), memory, lanes)


def _read(path: Path) -> tuple[SpanCollector, int | None, str, tuple[str, ...]]:
    """Read all events; return them with the time base, the device, and notes."""
    reading = SpanCollector()

    def take(events: list[ChromeEvent]) -> None:
        reading.take(events)
        if reading.events > limits.TRACE_EVENTS:
            raise InputError(f"{path} has more than {limits.TRACE_EVENTS:,} events: record fewer steps")

    notes: tuple[str, ...] = ()
    try:
        document = stream_chrome_json(path, take)
    except NotStreamableError:
        reading = SpanCollector()
        document, notes = read_chrome_json(path)
    reading.rank, reading.kineto = document.rank, reading.kineto or document.kineto
    take(document.events)
    reading.finish()
    return reading, document.base_ns, document.device, (*document.notes, *notes)


def _trace(reading: SpanCollector, base: int | None, notes: tuple[str, ...]) -> Trace:
    meaning, name, lane, start, end, correlation = np.array(reading.spans).reshape(-1, len(COLUMNS)).T
    backwards = end < start
    wrong = dict(reading.wrong)
    if backwards.any():
        wrong["spans end before they start; their length is taken as 0"] = int(backwards.sum())
        end = np.maximum(start, end)
    names = tuple(reading.names)
    meanings = reading.meanings()
    level = np.array([each.level for each in meanings], np.int8)[meaning]
    kind_of: dict[str, int] = {}
    kind = np.array([kind_of.setdefault(each.kind, len(kind_of)) for each in meanings], np.int64)[meaning]
    copies = np.flatnonzero((level == Level.KERNEL) & (kind == kind_of.get(kinds.COPY, NONE)))
    attributes, more = reading.fields.attributes(level, copies, name, names, correlation)
    if (flow := _flow(reading, attributes, lane, start)) is not None:
        attributes["flow"] = flow
    earliest, common_ns = int(start.min()), int(np.gcd.reduce(np.concatenate((start, end))))
    return from_columns(
        TraceClock(
            name="kineto" if reading.kineto else "chrome",
            unix_offset_ns=0 if earliest >= _EPOCH_NS else base,
            resolution_ns=next(unit for unit in (1000, 100, 10, 1) if common_ns % unit == 0),
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
        attributes=attributes,
        notes=(*notes, *reading.notes, *(f"{count:,} {what}" for what, count in wrong.items()), *more),
    )


def _roles(reading: SpanCollector, meaning: Longs, name: Longs, correlation: Longs) -> Bytes:
    """Return the role of each span. A launch has the name of a launch, or the correlation number of device work."""
    meanings = reading.meanings()
    role = np.array([each.role for each in meanings], np.int8)[meaning]
    on_device = np.array([each.level == Level.KERNEL for each in meanings], bool)[meaning]
    calls = np.array([each.level == Level.LIBRARY and each.place == "thread" for each in meanings], bool)[meaning]
    launching = np.array([kinds.is_launch(text) for text in reading.names], bool)[name]
    role[calls & (launching | np.isin(correlation, correlation[on_device & (correlation != NONE)]))] = Role.LAUNCH
    return role


def _flow(reading: SpanCollector, attributes: dict[str, Attribute], lane: Longs, start: Longs) -> Attribute | None:
    """Return the number of the arrow from forward to backward pass at each operator where an arrow starts or ends."""
    if "sequence" not in attributes or not reading.arrows:
        return None
    rows, lanes = attributes["sequence"].rows[::-1], reading.lane_of_thread()
    # of operators that start at once, the first in the file
    at = dict(zip(zip(lane[rows].tolist(), start[rows].tolist(), strict=True), rows.tolist(), strict=True))
    ends = ((at.get((lanes.get(thread, NONE), time)), arrow) for arrow, thread, time in reading.arrows)
    arrow_of = {row: arrow for row, arrow in ends if row is not None}
    return attribute_of(list(arrow_of), list(arrow_of.values())) if arrow_of else None


KINETO = TraceReader(
    recognises=lambda beginning: beginning[:1] in {"{", "["}, read=lambda path: with_work(read_kineto(path))
)
