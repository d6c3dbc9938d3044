"""Tables of analyses as a page shows them: one unit for each column, texts kept once, long tables cut visibly."""

from collections.abc import Sequence
from typing import Any

from dlbricks.analysis.table import Column, Table

MOST_ROWS = 20_000
"""More are not put into a page; ``dlbricks analyse`` gives them all."""

_STEPS: dict[str, tuple[tuple[float, str], ...]] = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
    "B": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")),
    "flop": ((1e12, "Tflop"), (1e9, "Gflop"), (1e6, "Mflop"), (1e3, "kflop"), (1, "flop")),
    "flop/s": ((1e12, "Tflop/s"), (1e9, "Gflop/s"), (1e6, "Mflop/s"), (1, "flop/s")),
    "B/s": ((2**30, "GiB/s"), (2**20, "MiB/s"), (1, "B/s")),
}
"""Units of analyses and what people read, largest first."""
_ENDINGS = ("_ns", "_bytes", "_flops", "_percent", "_per_s", "_flops_per_s", "_bytes_per_s")


def step_of(unit: str, values: Sequence[float]) -> tuple[float, str]:
    """Choose the unit in which most of some values read well: by the median of what is not 0.

    Args:
        unit: of the values, as analyses have it.
        values: any number.

    Returns:
        By what to divide, and what to write; (1, ``unit``) for units that have no others.
    """
    sizes = sorted(abs(value) for value in values if value)
    middle = sizes[len(sizes) // 2] if sizes else 0
    steps = _STEPS.get(unit, ((1, unit),))
    return next((step for step in steps if middle >= step[0]), steps[-1])


def heading(column: Column) -> str:
    """Write a column's name for people: without the unit at its end, which is written beside it."""
    name = column.name
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if column.unit and name.endswith(ending) and name != ending:
            name = name.removesuffix(ending)
            break
    return name.replace("_", " ")


def headings(columns: Sequence[Column]) -> list[str]:
    """Name columns for people; of those that differ in their units alone, all but the first say theirs."""
    names: list[str] = []
    for one in columns:
        name = heading(one)
        if name in names:
            name = f"{name} %" if one.unit == "%" else one.name.replace("_", " ")
        names.append(name)
    return names


def sheet(table: Table, *, shown: bool = False) -> dict[str, Any]:
    """Give a table as plain JSON for the page.

    Args:
        table: any.
        shown: whether it is open from the beginning.

    Returns:
        ``id``, ``title``, ``notes``, ``unavailable``, ``rows`` (their number), ``cut`` (what was left out; ``""`` for
        nothing), ``shown`` and ``columns``: each with ``heading``, ``name``, ``unit``, ``meaning``, ``type`` and
        ``cells``; numbers come with ``scale``, by which the page divides, texts as places in ``texts``.
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
    """Give the column whose unit a column takes: ends of an interval are written in the unit of their middle."""
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
