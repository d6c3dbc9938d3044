"""Attributes of spans from the arguments of a profiler's events. Pure."""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of
from dlbricks.trace.categories import DTYPES, direction
from dlbricks.trace.chromejson import Arguments
from dlbricks.trace.nouns import NONE, Attribute, Level, Longs, Value

_NONE_AS_UNSIGNED = 0xFFFFFFFF
"""-1 as CUPTI writes it into fields of 32 bits."""

Given: TypeAlias = Callable[[Arguments], Value | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What attributes are made from: one entry for each span."""

    level: Longs
    kind: tuple[str, ...]
    name: tuple[str, ...]
    correlation: Longs
    """``NONE`` where there is none."""
    arguments: tuple[Arguments, ...]


def number(value: Any) -> int | None:
    """Give a whole number that is 0 or more, written as a number or as text; None for anything else."""
    if value is None:
        return None
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if value >= 0 and value != _NONE_AS_UNSIGNED else None


def attributes_of(columns: Columns) -> tuple[dict[str, Attribute], tuple[str, ...]]:
    """Make all attributes that arguments give, by the names of ``trace.kinds``; and notes on what was not believed."""
    level, notes = columns.level, []
    kind = np.array(columns.kind)
    host = np.flatnonzero((level <= Level.LAYER) | ((level == Level.LIBRARY) & (kind != kinds.PYTHON)))
    waits = np.flatnonzero(kind == kinds.SYNCHRONISATION)
    device = np.flatnonzero(level == Level.KERNEL)
    made: dict[str, Attribute] = {}

    def give(rows: Longs, table: Mapping[str, Given]) -> None:
        for key, get in table.items():
            pairs = [(row, got) for row in rows.tolist() if (got := get(columns.arguments[row])) is not None]
            _add(made, key, pairs)

    layers = np.flatnonzero(level == Level.LAYER)
    _add(made, "type", [(row, columns.name[row]) for row in layers.tolist()])
    give(layers, _LAYER)
    give(waits, _WAIT)
    give(device, _DEVICE)
    copies = device[kind[device] == kinds.COPY].tolist()
    _add(made, "copy", [(row, way) for row in copies if (way := direction(columns.name[row])) is not None])
    give(device[kind[device] == kinds.COLLECTIVE], _COLLECTIVE)
    outer = np.union1d(host, device).tolist()
    external = [(row, got) for row in outer if (got := _external(columns.arguments[row])) is not None]
    below, correlation = (level > Level.LAYER).tolist(), columns.correlation.tolist()
    carrying = [(row, got) for row, got in external if below[row]]
    if carrying and 2 * sum(got == correlation[row] for row, got in carrying) > len(carrying):
        external = [(row, got) for row, got in external if not below[row]]
        notes.append(
            f"{len(carrying):,} calls and executions repeat their correlation number as their external id, which then"
            " names no operator; it was left out"
        )
    _add(made, "external_id", external)
    return made, tuple(notes)


def with_records(
    attributes: dict[str, Attribute], records: Iterable[Arguments], calls: Longs, correlation: Longs
) -> dict[str, Attribute]:
    """Add to calls which event they recorded on which stream.

    Args:
        attributes: so far.
        records: of events of streams, joined to calls by their correlation number.
        calls: rows of calls of libraries.
        correlation: of every span.
    """
    row_of = dict(zip(correlation[calls].tolist(), calls.tolist(), strict=True))
    made = dict(attributes)
    pairs: dict[str, dict[int, Value]] = {"stream": {}, "event": {}}
    for record in records:
        row = row_of.get(NONE if (got := number(record.correlation)) is None else got)
        for key, value in (("stream", number(record.stream)), ("event", number(record.event))):
            if row is not None and value is not None:
                pairs[key][row] = value
    for key, found in pairs.items():
        _add(made, key, list(found.items()))
    return made


def _add(made: dict[str, Attribute], key: str, pairs: list[tuple[int, Any]]) -> None:
    if not pairs:
        return
    known = dict(zip(made[key].rows.tolist(), made[key].values, strict=True)) if key in made else {}
    known.update(pairs)
    made[key] = attribute_of(list(known), list(known.values()))


def _external(given: Arguments) -> int | None:
    return number(given.external_id if given.external_id is not None else given.external_id_2021)


def _triple(raw: Any) -> str | None:
    """Give ``[80, 1, 1]`` as ``80,1,1``."""
    return _compact(raw).strip("[]") or None


def _compact(raw: Any) -> str:
    """Give JSON without white space; the lists read here hold no texts."""
    return _without_spaces(bytes(raw))


@functools.lru_cache(maxsize=4096)
def _without_spaces(text: bytes) -> str:
    """Do so once for each of the few shapes that most layers and kernels share."""
    return "".join(text.decode().split())


def _share(value: Any) -> float | None:
    """Give per cent as a share; Kineto writes negative ones where it cannot tell."""
    return value / 100 if isinstance(value, int | float) and value >= 0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _dtype(given: Arguments) -> str | None:
    known = DTYPES.get(given.dtype.lower()) if isinstance(given.dtype, str) else None
    return known[0] if known else None


def _first_dtype(given: Arguments) -> str | None:
    """Give the element type of the first input that has one."""
    for one in given.types if isinstance(given.types, list) else ():
        if isinstance(one, str) and one.lower() in DTYPES:
            return DTYPES[one.lower()][0]
    return None


def _collective_bytes(given: Arguments) -> int | None:
    """Give the bytes of what a collective takes or gives on this rank, whichever is more."""
    counts = [count for count in (number(given.elements), number(given.elements_out)) if count is not None]
    known = DTYPES.get(given.dtype.lower()) if isinstance(given.dtype, str) else None
    return max(counts) * known[1] if counts and known else None


def _shapes(given: Arguments) -> str | None:
    return _compact(given.shapes) or None


_LAYER: Mapping[str, Given] = {
    "sequence": lambda given: number(given.sequence),
    "forward_thread": lambda given: number(given.forward_thread),
    "input_shapes": _shapes,
    "dtype": _first_dtype,
}
_WAIT: Mapping[str, Given] = {
    "stream": lambda given: number(given.stream),
    "event": lambda given: number(given.wait_event),
    "wait_stream": lambda given: number(given.wait_stream),
    "wait_correlation": lambda given: number(given.wait_record),
}
_DEVICE: Mapping[str, Given] = {
    "stream": lambda given: number(given.stream),
    "grid": lambda given: _triple(given.grid),
    "block": lambda given: _triple(given.block),
    "registers": lambda given: number(given.registers),
    "shared_bytes": lambda given: number(given.shared),
    "theoretical_occupancy": lambda given: _share(given.occupancy),
    "graph_node": lambda given: number(given.graph_node) or None,
    "bytes": lambda given: number(given.bytes),
}
_COLLECTIVE: Mapping[str, Given] = {
    "collective": lambda given: _text(given.collective),
    "group": lambda given: _text(given.group),
    "ranks": lambda given: _text(given.ranks),
    "group_size": lambda given: number(given.group_size),
    "elements": lambda given: number(given.elements),
    "dtype": _dtype,
    "bytes": _collective_bytes,
}
