"""Tables of analyses as JSON for a page: one unit per column, deduplicated texts, visible truncation."""

from collections.abc import Sequence
from typing import Any

from dlbricks.analysis.table import Column, Table

MOST_ROWS = 20_000
"""Most rows of a table in a page; ``dlbricks analyse`` gives all."""

_STEPS: dict[str, tuple[tuple[float, str], ...]] = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
    "B": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")),
    "flop": ((1e12, "Tflop"), (1e9, "Gflop"), (1e6, "Mflop"), (1e3, "kflop"), (1, "flop")),
    "flop/s": ((1e12, "Tflop/s"), (1e9, "Gflop/s"), (1e6, "Mflop/s"), (1, "flop/s")),
    "B/s": ((2**30, "GiB/s"), (2**20, "MiB/s"), (1, "B/s")),
}
"""Readable units of each base unit, largest first."""
_ENDINGS = ("_ns", "_bytes", "_flops", "_percent", "_per_s", "_flops_per_s", "_bytes_per_s")


def step_of(unit: str, values: Sequence[float]) -> tuple[float, str]:
    """Choose the unit in which the median of the non-zero values is readable.

    Args:
        unit: base unit of the values.
        values: the values.

    Returns:
        The divisor and the unit; (1, ``unit``) if the unit has no multiples.
    """
    sizes = sorted(abs(value) for value in values if value)
    middle = sizes[len(sizes) // 2] if sizes else 0
    steps = _STEPS.get(unit, ((1, unit),))
    return next((step for step in steps if middle >= step[0]), steps[-1])


def heading(column: Column) -> str:
    """Return the heading of a column: its name without the unit suffix."""
    name = column.name
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if column.unit and name.endswith(ending) and name != ending:
            name = name.removesuffix(ending)
            break
    return name.replace("_", " ")


def headings(columns: Sequence[Column]) -> list[str]:
    """Return the headings of columns; duplicates get their unit."""
    names: list[str] = []
    for one in columns:
        name = heading(one)
        if name in names:
            name = f"{name} %" if one.unit == "%" else one.name.replace("_", " ")
        names.append(name)
    return names


def sheet(table: Table, *, shown: bool = False) -> dict[str, Any]:
    """Convert a table to plain JSON for the page.

    Args:
        table: the table.
        shown: whether it is initially open.

    Returns:
        ``id``, ``title``, ``notes``, ``unavailable``, ``rows`` (number), ``cut`` (note on omitted rows, or ``""``),
        ``shown`` and ``columns``: each with ``heading``, ``name``, ``unit``, ``meaning``, ``type`` and ``cells``.
        Numbers have a divisor ``scale``; text cells are indices into ``texts``.
    """
    rows = len(table)
    cut = f"the first {MOST_ROWS:,} of {rows:,} rows; 'dlbricks analyse' gives all" if rows > MOST_ROWS else ""
    return {
        "id": table.id,
        "title": table.title,
        "notes": list(table.notes),
        "unavailable": table.unavailable,
        "rows": rows,
        "cut": cut,
        "shown": shown,
        "columns": [_column(column, _same_unit(column, table)) for column in table.columns],
    }


def _same_unit(column: Column, table: Table) -> Column:
    """Return the column that determines the unit: the latency for the ends of its interval."""
    middle = next((one for one in table.columns if one.name == "latency_ns"), column)
    return middle if column.name in {"low_ns", "high_ns"} else column


def _column(column: Column, like: Column) -> dict[str, Any]:
    cells = column.cells[:MOST_ROWS]
    made: dict[str, Any] = {
        "heading": heading(column),
        "name": column.name,
        "meaning": column.meaning,
        "type": column.type,
    }
    if column.type in {"int", "float"}:
        scale, unit = step_of(column.unit, [cell for cell in like.cells[:MOST_ROWS] if isinstance(cell, int | float)])
        return {**made, "unit": unit, "scale": scale, "cells": list(cells)}
    if column.type == "str":
        texts = list(dict.fromkeys(str(cell) for cell in cells if cell is not None))
        places = {text: place for place, text in enumerate(texts)}
        found = [None if cell is None else places[str(cell)] for cell in cells]
        return {**made, "unit": "", "texts": texts, "cells": found}
    return {**made, "unit": "", "cells": list(cells)}
