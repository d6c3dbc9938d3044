"""Making traces: from rows, from columns, and by changing one that exists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dlbricks.trace.nouns import NONE, Attribute, Clock, Lane, Level, Longs, Role, Trace, Value


@dataclass(slots=True)
class TraceBuilder:
    """Takes spans one by one; ``built`` gives the trace. For spans that are columns already: ``from_columns``."""

    clock: Clock
    notes: list[str] = field(default_factory=list)
    _columns: tuple[list[int], ...] = field(default_factory=lambda: tuple([] for _ in range(9)))
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
        """Add a span and give its row."""
        row = len(self._columns[0])
        fields: tuple[int, ...] = (
            level,
            role,
            self._kinds.setdefault(kind, len(self._kinds)),
            self._names.setdefault(name, len(self._names)),
            self._lanes.setdefault(lane, len(self._lanes)),
            start_ns,
            end_ns,
            NONE if parent is None else parent,
            NONE if correlation is None else correlation,
        )
        for column, number in zip(self._columns, fields, strict=True):
            column.append(int(number))
        for key, value in attributes.items():
            rows, values = self._attributes.setdefault(key, ([], []))
            rows.append(row)
            values.append(value)
        return row

    def built(self) -> Trace:
        """Give the trace of all spans so far."""
        level, role, kind, name, lane, start, end, parent, correlation = self._columns
        return from_columns(
            self.clock,
            names=tuple(self._names),
            kinds=tuple(self._kinds),
            lanes=tuple(self._lanes),
            columns={
                "level": level,
                "role": role,
                "kind": kind,
                "name": name,
                "lane": lane,
                "start_ns": start,
                "end_ns": end,
                "parent": parent,
                "correlation": correlation,
            },
            attributes={key: attribute_of(rows, values) for key, (rows, values) in self._attributes.items()},
            notes=tuple(self.notes),
        )


_TYPES = {"level": np.int8, "role": np.int8, "kind": np.int32, "name": np.int32, "lane": np.int32}


def from_columns(
    clock: Clock,
    *,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    lanes: tuple[Lane, ...],
    columns: Mapping[str, Any],
    attributes: Mapping[str, Attribute] | None = None,
    notes: tuple[str, ...] = (),
) -> Trace:
    """Make a trace of columns; ``role``, ``parent`` and ``correlation`` may be left out.

    Args:
        clock: of the times.
        names: every name once.
        kinds: every kind once.
        lanes: every lane once.
        columns: of equal length, by the names of ``Trace``'s fields.
        attributes: by name.
        notes: see ``Trace``.
    """
    length = len(columns["start_ns"])
    given = {
        "role": np.zeros(length, np.int8),
        "parent": np.full(length, NONE, np.int64),
        "correlation": np.full(length, NONE, np.int64),
        **columns,
    }
    made: dict[str, Any] = {key: _frozen(value, _TYPES.get(key, np.int64)) for key, value in given.items()}
    return Trace(
        clock=clock, names=names, kinds=kinds, lanes=lanes, attributes=dict(attributes or {}), notes=notes, **made
    )


def attribute_of(rows: Sequence[int] | Longs, values: Sequence[Value]) -> Attribute:
    """Make an attribute; rows may come in any order, each at most once."""
    listed = np.asarray(rows, np.int64)
    if len(listed) > 1 and (np.diff(listed) <= 0).any():
        order = np.argsort(listed, kind="stable")
        return Attribute(rows=_frozen(listed[order], np.int64), values=tuple(values[index] for index in order.tolist()))
    return Attribute(rows=_frozen(listed, np.int64), values=tuple(values))


def with_attribute(trace: Trace, name: str, rows: Sequence[int] | Longs, values: Sequence[Value]) -> Trace:
    """Give a trace with an attribute more, or with another one in its place."""
    return replace(trace, attributes={**trace.attributes, name: attribute_of(rows, values)})


def with_columns(trace: Trace, *notes: str, **columns: Any) -> Trace:
    """Give a trace with some of its columns replaced, and with notes added to its own."""
    made: dict[str, Any] = {key: _frozen(value, _TYPES.get(key, np.int64)) for key, value in columns.items()}
    return replace(trace, notes=(*trace.notes, *notes), **made)


def selected(trace: Trace, rows: Longs) -> Trace:
    """Give some rows of a trace as a trace, in the order given; parents that are left out become ``NONE``."""
    place = np.full(len(trace) + 1, NONE, np.int64)
    place[rows] = np.arange(len(rows))
    attributes = {}
    for name, attribute in trace.attributes.items():
        at = place[attribute.rows]
        kept = np.flatnonzero(at != NONE)
        if len(kept):
            attributes[name] = attribute_of(at[kept], [attribute.values[index] for index in kept.tolist()])
    return from_columns(
        trace.clock,
        names=trace.names,
        kinds=trace.kinds,
        lanes=trace.lanes,
        columns={
            **{key: getattr(trace, key)[rows] for key in (*_TYPES, "start_ns", "end_ns", "correlation")},
            "parent": place[trace.parent[rows]],
        },
        attributes=attributes,
        notes=trace.notes,
    )


def _frozen(values: Any, dtype: Any) -> Any:
    made = np.array(values, dtype)
    made.setflags(write=False)
    return made
