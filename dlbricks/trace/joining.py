"""Several traces as one: ranks of a distributed run, or the parts of one process that different recorders saw."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.nouns import NONE, Attribute, Clock, Lane, Longs, Trace, Value

NUMBERS = ("external_id", "flow", "sequence")
"""Attributes that mean something only within the process that gave them."""
BEGUN_ANEW = frozenset({"onnxruntime", "call", "simulated"})
"""Clocks that begin with each recording, so that two of one name are two clocks."""


def joined_traces(*traces: Trace) -> Trace:
    """Put traces side by side on the clock of the first; lanes that are equal become one.

    Correlation numbers and those of ``NUMBERS`` stay as they are between traces that share a process, and are moved out
    of each other's way where they share none.

    Raises:
        InputError: no trace, or clocks that cannot be compared.
    """
    if not traces:
        raise InputError("there is no trace to join: name at least one")
    clock, shifts = _common_clock([trace.clock for trace in traces])
    names = {name: number for number, name in enumerate(dict.fromkeys(n for trace in traces for n in trace.names))}
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(k for trace in traces for k in trace.kinds))}
    lanes = {lane: number for number, lane in enumerate(dict.fromkeys(one for trace in traces for one in trace.lanes))}
    offsets = _number_offsets(traces)
    rows = np.concatenate(([0], np.cumsum([len(trace) for trace in traces])))[:-1].tolist()
    columns: dict[str, list[Any]] = {
        "level": [trace.level for trace in traces],
        "role": [trace.role for trace in traces],
        "kind": [_renumbered(trace.kind, trace.kinds, kinds) for trace in traces],
        "name": [_renumbered(trace.name, trace.names, names) for trace in traces],
        "lane": [_renumbered(trace.lane, trace.lanes, lanes) for trace in traces],
        "start_ns": [trace.start_ns + shift for trace, shift in zip(traces, shifts, strict=True)],
        "end_ns": [trace.end_ns + shift for trace, shift in zip(traces, shifts, strict=True)],
        "parent": [_moved(trace.parent, row) for trace, row in zip(traces, rows, strict=True)],
        "correlation": [_moved(trace.correlation, offset) for trace, offset in zip(traces, offsets, strict=True)],
    }
    return from_columns(
        clock,
        names=tuple(names),
        kinds=tuple(kinds),
        lanes=tuple(lanes),
        columns={key: np.concatenate(parts) for key, parts in columns.items()},
        attributes=_attributes(traces, rows, offsets),
        notes=tuple(dict.fromkeys(note for trace in traces for note in trace.notes)),
    )


def _common_clock(clocks: Sequence[Clock]) -> tuple[Clock, list[int]]:
    """Give the clock of the joined trace, and what has to be added to the times of each part.

    Raises:
        InputError: clocks that cannot be compared.
    """
    first = clocks[0]
    shifts = [0]
    for clock in clocks[1:]:
        if clock.unix_offset_ns is not None and first.unix_offset_ns is not None:
            shifts.append(clock.unix_offset_ns - first.unix_offset_ns)
        elif clock.name not in BEGUN_ANEW and (clock.name, clock.unix_offset_ns) == (first.name, first.unix_offset_ns):
            shifts.append(0)
        else:
            raise InputError(
                f"times of the clocks '{clock.name}' and '{first.name}' cannot be put on one line, as it is not known "
                "how far they are apart: record both with their offset from 1970, or look at each trace alone"
            )
    return replace(first, resolution_ns=max(clock.resolution_ns for clock in clocks)), shifts


def _number_offsets(traces: Sequence[Trace]) -> list[int]:
    """Give what is added to the numbers of each trace: the same for those that share a process with each other."""
    offsets: list[int] = []
    seen: dict[str, int] = {}
    free = 0
    for trace in traces:
        processes = {lane.process for lane in trace.lanes}
        offset = next((seen[process] for process in sorted(processes) if process in seen), free)
        offsets.append(offset)
        seen.update(dict.fromkeys(processes, offset))
        free = max(free, offset + _largest_number(trace) + 1)
    return offsets


def _largest_number(trace: Trace) -> int:
    values = [int(trace.correlation.max(initial=0))]
    values += [int(max(trace.attributes[name].values)) for name in NUMBERS if name in trace.attributes]
    return max(values)


def _renumbered(
    column: np.ndarray[tuple[int], np.dtype[np.int32]], old: Sequence[str | Lane], new: dict[str, int] | dict[Lane, int]
) -> Longs:
    table = np.array([new[entry] for entry in old], np.int64)  # type: ignore[index]
    return table[column] if len(column) else np.zeros(0, np.int64)


def _moved(column: Longs, by: int) -> Longs:
    return np.where(column == NONE, NONE, column + by)


def _attributes(traces: Sequence[Trace], rows: Sequence[int], offsets: Sequence[int]) -> dict[str, Attribute]:
    made = {}
    for name in dict.fromkeys(name for trace in traces for name in trace.attributes):
        places: list[Longs] = []
        values: list[Value] = []
        for trace, row, offset in zip(traces, rows, offsets, strict=True):
            if name in trace.attributes:
                attribute = trace.attributes[name]
                places.append(attribute.rows + row)
                values += [int(v) + offset for v in attribute.values] if name in NUMBERS else attribute.values
        made[name] = attribute_of(np.concatenate(places), values)
    return made
