"""Makes traces from spans or columns, changes them and joins them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Attribute, Ints, Lane, Level, Longs, Role, Trace, TraceClock, Value

Entry = TypeVar("Entry", str, Lane)
# Fields of ``Trace`` that hold one value per span.
COLUMNS = ("level", "role", "kind", "name", "lane", "start_ns", "end_ns", "parent", "correlation")


@dataclass(slots=True)
class TraceBuilder:
    """Collects spans one by one; ``from_columns`` is faster for arrays."""

    clock: TraceClock
    notes: list[str] = field(default_factory=list)
    _spans: list[tuple[int, ...]] = field(default_factory=list)
    _names: dict[str, int] = field(default_factory=dict)
    _kinds: dict[str, int] = field(default_factory=dict)
    _lanes: dict[Lane, int] = field(default_factory=dict)
    _attributes: dict[str, tuple[list[int], list[Value]]] = field(default_factory=dict)

    def add(  # noqa: PLR0913 - the fields of a span
        self,
        level: Level,
        kind: str,
        name: str,
        lane: Lane,
        start_ns: int,
        end_ns: int,
        *,
        role: Role = Role.PLAIN,
        parent: int | None = None,
        correlation: int | None = None,
        **attributes: Value,
    ) -> int:
        """Add a span and return its row."""
        row = len(self._spans)
        self._spans.append((
            level,
            role,
            self._kinds.setdefault(kind, len(self._kinds)),
            self._names.setdefault(name, len(self._names)),
            self._lanes.setdefault(lane, len(self._lanes)),
            start_ns,
            end_ns,
            NONE if parent is None else parent,
            NONE if correlation is None else correlation,
        ))  # fmt: skip
        for key, value in attributes.items():
            rows, values = self._attributes.setdefault(key, ([], []))
            rows.append(row)
            values.append(value)
        return row

    def __len__(self) -> int:
        """Return the number of spans added so far."""
        return len(self._spans)

    def built(self) -> Trace:
        """Return the trace of all spans; raises ``InputError`` if a time or a number exceeds 64 bits."""
        try:
            columns = np.array(self._spans, np.int64).reshape(-1, len(COLUMNS)).T
        except OverflowError as error:
            raise InputError("a time or number of the trace exceeds 64 bits: record the trace again") from error
        return from_columns(
            self.clock,
            names=tuple(self._names),
            kinds=tuple(self._kinds),
            lanes=tuple(self._lanes),
            columns=dict(zip(COLUMNS, columns, strict=True)),
            attributes={key: attribute_of(rows, values) for key, (rows, values) in self._attributes.items()},
            notes=tuple(self.notes),
        )


_TYPES = {"level": np.int8, "role": np.int8, "kind": np.int32, "name": np.int32, "lane": np.int32}


def from_columns(
    clock: TraceClock,
    *,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    lanes: tuple[Lane, ...],
    columns: Mapping[str, Any],
    attributes: Mapping[str, Attribute] | None = None,
    notes: tuple[str, ...] = (),
) -> Trace:
    """Make a trace; ``columns`` maps the fields of ``Trace`` to arrays of equal length.

    The columns ``role``, ``parent`` and ``correlation`` may be omitted.
    """
    length = len(columns["start_ns"])
    values = {
        "role": np.zeros(length, np.int8),
        "parent": np.full(length, NONE, np.int64),
        "correlation": np.full(length, NONE, np.int64),
        **columns,
    }
    arrays: dict[str, Any] = {key: frozen(value, _TYPES.get(key, np.int64)) for key, value in values.items()}
    return Trace(
        clock=clock, names=names, kinds=kinds, lanes=lanes, attributes=dict(attributes or {}), notes=notes, **arrays
    )


def attribute_of(rows: Sequence[int] | Longs, values: Sequence[Value]) -> Attribute:
    """Return an attribute with a value for each row in ``rows``; the rows are distinct, in any order."""
    listed = np.asarray(rows, np.int64)
    if len(listed) > 1 and (np.diff(listed) <= 0).any():
        order = np.argsort(listed, kind="stable")
        return Attribute(rows=frozen(listed[order], np.int64), values=tuple(map(values.__getitem__, order.tolist())))
    return Attribute(rows=frozen(listed, np.int64), values=tuple(values))


def with_attribute(trace: Trace, name: str, rows: Sequence[int] | Longs, values: Sequence[Value]) -> Trace:
    """Return a copy of the trace in which only ``rows`` have the attribute ``name``."""
    return replace(trace, attributes={**trace.attributes, name: attribute_of(rows, values)})


def with_values(trace: Trace, name: str, values: Mapping[int, Value]) -> Trace:
    """Return a copy of the trace with new values of an attribute for the rows in ``values``; other rows keep theirs."""
    attributes = dict(trace.attributes)
    set_values(attributes, name, list(values), list(values.values()))
    return replace(trace, attributes=attributes)


def set_values(
    attributes: dict[str, Attribute], name: str, rows: Sequence[int] | Longs, values: Sequence[Value]
) -> None:
    """Set an attribute for some rows, in place; other rows keep their values."""
    if len(rows):
        if name in attributes:
            value_of = dict(zip(attributes[name].rows.tolist(), attributes[name].values, strict=True))
            value_of.update(zip(rows, values, strict=True))
            rows, values = list(value_of), list(value_of.values())
        attributes[name] = attribute_of(rows, values)


def with_columns(trace: Trace, *notes: str, **columns: Any) -> Trace:
    """Return a copy of the trace with other ``columns`` and with ``notes`` appended."""
    arrays: dict[str, Any] = {key: frozen(value, _TYPES.get(key, np.int64)) for key, value in columns.items()}
    return replace(trace, notes=(*trace.notes, *notes), **arrays)


def part_of(trace: Trace, rows: Longs) -> Trace:
    """Return a trace of the spans in ``rows`` (ascending); spans lose parents that are not among these."""
    place = np.full(len(trace) + 1, NONE, np.int64)
    place[rows] = np.arange(len(rows))
    attributes = {}
    for name, attribute in trace.attributes.items():
        at = place[attribute.rows]
        values = [value for row, value in zip(at.tolist(), attribute.values, strict=True) if row != NONE]
        attributes[name] = attribute_of(at[at != NONE], values)
    columns = {key: getattr(trace, key)[rows] for key in COLUMNS}
    columns["parent"] = place[columns["parent"]]
    return replace(with_columns(trace, **columns), attributes=attributes)


def frozen(values: Any, dtype: Any) -> Any:
    """Return a read-only copy of values as an array."""
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


# Attributes whose numbers are unique within a process, but not between processes.
NUMBERS = ("external_id", "flow", "sequence")
# Clocks that restart with each recording, so times of two recordings cannot be compared.
RESTARTED = frozenset({"onnxruntime", "call", "simulated"})


def joined_traces(*traces: Trace) -> Trace:
    """Join traces on the clock of the first one; equal lanes become one lane.

    Correlation numbers and the attributes in ``NUMBERS`` stay unique: all processes but the first get new numbers.
    Raises ``InputError`` if ``traces`` is empty, or if two clocks cannot be compared.
    """
    if not traces:
        raise InputError("no trace to join: name at least one file")
    clock, shifts = _common_clock([trace.clock for trace in traces])
    names, name = _renumbered([(trace.names, trace.name) for trace in traces])
    kinds, kind = _renumbered([(trace.kinds, trace.kind) for trace in traces])
    lanes, lane = _renumbered([(trace.lanes, trace.lane) for trace in traces])
    offsets = _number_offsets(traces)
    rows = np.concatenate(([0], np.cumsum([len(trace) for trace in traces])))[:-1].tolist()
    columns: dict[str, list[Any]] = {"kind": kind, "name": name, "lane": lane}
    for trace, shift, row, offset in zip(traces, shifts, rows, offsets, strict=True):
        moved = {
            "level": trace.level,
            "role": trace.role,
            "start_ns": trace.start_ns + shift,
            "end_ns": trace.end_ns + shift,
            "parent": np.where(trace.parent == NONE, NONE, trace.parent + row),
            "correlation": np.where(trace.correlation == NONE, NONE, trace.correlation + offset),
        }
        for key, column in moved.items():
            columns.setdefault(key, []).append(column)
    joined = from_columns(
        clock,
        names=names,
        kinds=kinds,
        lanes=lanes,
        columns={key: np.concatenate(parts) for key, parts in columns.items()},
        attributes=_attributes(traces, rows, offsets),
        notes=tuple(dict.fromkeys(note for trace in traces for note in trace.notes)),
    )
    return replace(
        joined,
        device=next((trace.device for trace in traces if trace.device), ""),
        diagnostics=tuple(dict.fromkeys(text for trace in traces for text in trace.diagnostics)),
    )


def _common_clock(clocks: Sequence[TraceClock]) -> tuple[TraceClock, list[int]]:
    # Return the clock of the joined trace, and for each part what its times are shifted by, ns.
    # Raises:
    #     InputError: two clocks cannot be compared.
    first = clocks[0]
    shifts = [0]
    for clock in clocks[1:]:
        if clock.unix_offset_ns is not None and first.unix_offset_ns is not None:
            shifts.append(clock.unix_offset_ns - first.unix_offset_ns)
        elif clock.name not in RESTARTED and (clock.name, clock.unix_offset_ns) == (first.name, first.unix_offset_ns):
            shifts.append(0)
        else:
            raise InputError(
                f"the traces cannot be joined, since times of their clocks '{clock.name}' and '{first.name}' cannot be "
                "compared: record both traces with the offset of the clock from 1970, or use each trace alone"
            )
    return replace(first, resolution_ns=max(clock.resolution_ns for clock in clocks)), shifts


def _number_offsets(traces: Sequence[Trace]) -> list[int]:
    # Return what the numbers of each trace are shifted by; traces that share a process have equal offsets.
    offsets: list[int] = []
    seen: dict[str, int] = {}
    free = 0
    for trace in traces:
        processes = {lane.process for lane in trace.lanes}
        offset = next((seen[process] for process in sorted(processes) if process in seen), free)
        offsets.append(offset)
        seen.update(dict.fromkeys(processes, offset))
        used = [int(max(trace.attributes[name].values)) for name in NUMBERS if name in trace.attributes]
        free = max(free, offset + max(int(trace.correlation.max(initial=0)), *used, 0) + 1)
    return offsets


def _renumbered(parts: Sequence[tuple[tuple[Entry, ...], Ints]]) -> tuple[tuple[Entry, ...], list[Longs]]:
    # Return the distinct entries of all parts, and the column of each part as indices into them.
    numbers = {entry: number for number, entry in enumerate(dict.fromkeys(each for own, _ in parts for each in own))}
    return tuple(numbers), [np.array([numbers[entry] for entry in own], np.int64)[column] for own, column in parts]


def _attributes(traces: Sequence[Trace], rows: Sequence[int], offsets: Sequence[int]) -> dict[str, Attribute]:
    attributes = {}
    for name in dict.fromkeys(name for trace in traces for name in trace.attributes):
        places: list[Longs] = []
        values: list[Value] = []
        for trace, row, offset in zip(traces, rows, offsets, strict=True):
            if name in trace.attributes:
                attribute = trace.attributes[name]
                places.append(attribute.rows + row)
                values += [int(v) + offset for v in attribute.values] if name in NUMBERS else attribute.values
        attributes[name] = attribute_of(np.concatenate(places), values)
    return attributes
