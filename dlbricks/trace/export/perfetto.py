"""Writes Perfetto's protobuf, for traces too large for JSON: a third to a half of its size, times in nanoseconds.

Format: ``TrackEvent`` packets of perfetto.dev with interned names and keys, written with the package ``perfetto``
(extra ``dlbricks[perfetto]``). Tracks, arrows, counters and times are those of the Chrome JSON.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import MissingDependencyError
from dlbricks.trace.devices import name_and_unit
from dlbricks.trace.export.layout import (
    ExportPart,
    TrackLayout,
    arrows,
    chunks,
    complete,
    drawn,
    group_name,
    groups,
    layout,
    of_rows,
    open_for_writing,
    track_name,
)
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace, Value

_About: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, Value], ...]]
"""Name and categories of a span, and its annotations."""
_SEQUENCE = 1
_BEGIN, _END, _COUNTER = 1, 2, 4
"""``TrackEvent.Type``."""
_CLEARED, _NEEDED = 1, 2
"""``TracePacket.SequenceFlags``: interned texts are cleared; this packet needs interned texts of earlier ones."""
_FITS = 2**63
"""Integers from here on are written as text."""


def write(parts: Sequence[ExportPart], path: Path) -> None:
    """Write several traces side by side into one file, each with processes of its own.

    Raises:
        InputError: the place cannot be written.
        MissingDependencyError: the package perfetto is not installed.
    """
    try:
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protobuf
    except ImportError as error:
        raise MissingDependencyError(
            "Perfetto's protobuf is written with the package perfetto: pip install 'dlbricks[perfetto]', or export JSON"
        ) from error
    writer = _Writer(protobuf=protobuf)
    with open_for_writing(path) as out:
        for part in parts:
            for message in writer.messages(part):
                out.write(message.SerializeToString())


@dataclass(slots=True, kw_only=True)
class _Writer:
    """Numbers tracks and arrows, and interns texts, over all packets of a file."""

    protobuf: Any
    uuid: int = 0
    arrow: int = 0
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    patterns: dict[tuple[str, ...], Any] = field(default_factory=dict)

    def messages(self, part: ExportPart) -> Iterator[Any]:
        """Return a part as messages, each of some thousand packets."""
        where = layout(part.trace)
        trace = complete(part.trace, where)
        message, uuids, processes = self._tracks(part, where)
        yield message
        slices, points = drawn(trace)
        yield self._counters(trace, where, points, processes)
        flows = self._arrows(trace)
        stack: list[tuple[int, int]] = []
        last = NONE
        for rows in chunks(where.order[np.isin(where.order, slices)]):
            message = self.protobuf.Trace()
            columns = (rows, where.track[rows], where.start_ns[rows], where.end_ns[rows])
            for (row, track, start, end), about in zip(
                zip(*(column.tolist() for column in columns), strict=True), _abouts(trace, rows), strict=True
            ):
                while stack and (track != last or stack[-1][0] <= start):
                    _finish(message, *stack.pop())
                event = self._begin(message, start, about)
                event.track_uuid = uuids[track]
                if row in flows[0]:
                    event.flow_ids.extend(flows[0][row])
                if row in flows[1]:
                    event.terminating_flow_ids.extend(flows[1][row])
                stack.append((end, uuids[track]))
                last = track
            yield message
        message = self.protobuf.Trace()
        while stack:
            _finish(message, *stack.pop())
        yield message

    def _tracks(self, part: ExportPart, where: TrackLayout) -> tuple[Any, list[int], list[int]]:
        """Return the packets that describe processes and tracks, the id of each track, and of each lane's process.

        A track that holds counters only is not described.
        """
        message = self.protobuf.Trace()
        known, group_of = groups(part.trace)
        pids = []
        for process, device in known:
            self.uuid += 1
            pids.append(self.uuid)
            descriptor = _packet(message).track_descriptor
            descriptor.uuid = self.uuid
            descriptor.process.pid = self.uuid
            descriptor.process.process_name = group_name(part.name, process, device)
        uuids = []
        used = set(where.track[drawn(part.trace)[0]].tolist())
        for number, (lane, copy) in enumerate(where.tracks):
            self.uuid += 1
            uuids.append(self.uuid)
            if number not in used:
                continue
            descriptor = _packet(message).track_descriptor
            descriptor.uuid = self.uuid
            descriptor.parent_uuid = descriptor.thread.pid = pids[group_of[lane]]
            descriptor.thread.tid = self.uuid
            descriptor.thread.thread_name = track_name(part.trace.lanes[lane], copy)
        return message, uuids, [pids[group] for group in group_of]

    def _counters(self, trace: Trace, where: TrackLayout, rows: Longs, processes: list[int]) -> Any:
        """Return the samples as counter events; each quantity of each device has a track."""
        message = self.protobuf.Trace()
        known: dict[tuple[int, int], int] = {}
        columns = (trace.lane[rows], trace.name[rows], where.start_ns[rows], trace.column("value", rows))
        for lane, name, start, value in zip(*(column.tolist() for column in columns), strict=True):
            if (lane, name) not in known:
                self.uuid += 1
                known[lane, name] = self.uuid
                descriptor = _packet(message).track_descriptor
                descriptor.uuid, descriptor.parent_uuid = self.uuid, processes[lane]
                descriptor.name, descriptor.counter.unit_name = name_and_unit(trace.names[name])
            event = _packet(message, start).track_event
            event.type, event.track_uuid, event.double_counter_value = _COUNTER, known[lane, name], value
        return message

    def _arrows(self, trace: Trace) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Return the numbers of the arrows that start and that end at each row."""
        leaving: dict[int, list[int]] = {}
        arriving: dict[int, list[int]] = {}
        for source, target in zip(*(rows.tolist() for rows in arrows(trace)), strict=True):
            self.arrow += 1
            leaving.setdefault(source, []).append(self.arrow)
            arriving.setdefault(target, []).append(self.arrow)
        return leaving, arriving

    def _begin(self, message: Any, start: int, about: _About) -> Any:
        """Begin a slice and return its event; the part that spans of one name and category share is cached."""
        packet = _packet(message, start)
        packet.sequence_flags = _NEEDED if self.numbers else _CLEARED | _NEEDED
        event = packet.track_event
        named, values = about
        pattern = self.patterns.get(named)
        if pattern is None:
            name, *categories = named
            self.patterns[named] = pattern = self.protobuf.TrackEvent(
                type=_BEGIN,
                name_iid=self._number(packet, "event_names", name),
                category_iids=[self._number(packet, "event_categories", text) for text in categories],
            )
        event.CopyFrom(pattern)
        for key, value in values:
            note = event.debug_annotations.add()
            note.name_iid = self._number(packet, "debug_annotation_names", key)
            if isinstance(value, str):
                note.string_value = value
            elif isinstance(value, bool):
                note.bool_value = value
            elif isinstance(value, float):
                note.double_value = value
            elif -_FITS <= value < _FITS:
                note.int_value = value
            else:
                note.string_value = str(value)
        return event

    def _number(self, packet: Any, table: str, text: str) -> int:
        """Return the interned id of a text; the first packet that uses it carries the text."""
        key = (table, text)
        number = self.numbers.get(key)
        if number is None:
            self.numbers[key] = number = len(self.numbers) + 1
            entry = getattr(packet.interned_data, table).add()
            entry.iid = number
            entry.name = text
        return number


def _packet(message: Any, timestamp: int | None = None) -> Any:
    packet = message.packet.add()
    packet.trusted_packet_sequence_id = _SEQUENCE
    if timestamp is not None:
        packet.timestamp = timestamp
    return packet


def _finish(message: Any, end: int, uuid: int) -> None:
    event = _packet(message, end).track_event
    event.type, event.track_uuid = _END, uuid


def _abouts(trace: Trace, rows: Longs) -> Iterator[_About]:
    """Return name, categories and annotations of each row."""
    levels = [level.name.lower() for level in Level]
    roles = [() if role == Role.PLAIN else (role.name.lower(),) for role in Role]
    chosen = (trace.name, trace.level, trace.role, trace.kind, trace.parent)
    columns = (rows.tolist(), *(column[rows].tolist() for column in chosen))
    attributes = of_rows(trace, rows, lambda key, value: (key, value))
    for row, name, level, role, kind, parent, more in zip(*columns, attributes, strict=True):
        up: tuple[tuple[str, Value], ...] = () if parent == NONE else (("parent", parent),)
        yield (trace.names[name], levels[level], trace.kinds[kind], *roles[role]), (("row", row), *up, *more)
