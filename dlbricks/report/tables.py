"""Tables of analyses as text, CSV, JSON, Markdown and Parquet, with sorting and truncation.

CSV and JSON are written with the standard library, text with ``rich``, Parquet with ``pyarrow``. polars, pandas and
``tabulate`` were considered: they format numbers by their own rules, and each form takes 10 to 20 lines without them.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from dlbricks.analysis.table import Cell, Column, Table, select_rows
from dlbricks.errors import InputError, missing_extra
from dlbricks.files import write_text, writing
from dlbricks.report.console import table as rich_table
from dlbricks.report.jsonable import SCHEMA_VERSION
from dlbricks.report.page.sheets import headings
from dlbricks.units import counted, format_bytes, format_ns, plain, shortened

SUFFIXES: Mapping[str, str] = {
    "text": ".txt",
    "csv": ".csv",
    "json": ".json",
    "markdown": ".md",
    "parquet": ".parquet",
}
"""File suffix of each format."""

WIDEST = 72
"""Most characters of a cell shown as text."""

MOST_KEYS = 3
"""Most key columns at the start of each part of a wide table."""

_HEAD = f'{{"format": "dlbricks-analyse", "schema_version": {SCHEMA_VERSION}'

_UNITS: Mapping[str, Callable[[float], str]] = {
    "ns": format_ns,
    "B": format_bytes,
    "%": lambda share: f"{share:.1f} %",
}
_PLACES = frozenset({"index", "batch"})
"""Numeric key columns."""
_LARGE = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def text_tables(tables: Sequence[Table], most: int | None = None) -> list[RenderableType]:
    """Show tables with readable units, without empty columns, with notes; notes of many tables come last.

    Args:
        tables: tables to show.
        most: number of rows shown of each; None for all.
    """
    items: list[RenderableType] = []
    common = _common(tables)
    for one in tables:
        if one.unavailable:
            continue
        items.append(_text_table(one, most))
        if most is not None and len(one) > most:
            items.append(f"  {counted(len(one) - most, 'more row')}; --rows 0 shows all")
        items += [f"  {note}" for note in one.notes if note not in common]
        items.append("")
    return [*items, *common, *_unavailable(tables)]


def csv_text(table: Table) -> str:
    """Serialise a table as CSV (RFC 4180, lines end in LF): None is empty, booleans are ``true`` and ``false``."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_plain(cell) for cell in row] for row in table.rows())
    return made.getvalue()


def json_report(over: Sequence[Table], profiles: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """Serialise the tables of several profiles as one JSON object.

    Args:
        over: tables over all profiles.
        profiles: name and tables of each profile.
    """
    listed = [f'{{"network": {_dumped(name)}, "tables": [\n{_json_tables(tables)}\n]}}' for name, tables in profiles]
    joined = ",\n".join(listed)
    return f'{_HEAD}, "tables": [\n{_json_tables(over)}\n], "profiles": [\n{joined}\n]}}\n'


def markdown_text(tables: Sequence[Table], most: int | None = None) -> str:
    """Serialise tables as Markdown, formatted like ``text_tables``.

    Args:
        tables: tables to write.
        most: number of rows written of each; None for all.
    """
    parts: list[str] = []
    for one in tables:
        parts.append(f"## {one.id} {one.title}\n")
        if one.unavailable:
            parts.append(f"Not available: {_escaped(one.unavailable)}\n")
            continue
        columns = _filled(one)
        parts.append(_markdown_row(headings(columns)))
        parts.append(_markdown_row(["---:" if _is_number(column) else "---" for column in columns]))
        parts += [_markdown_row(map(_escaped, row)) for row in _readable(columns, most)]
        if most is not None and len(one) > most:
            parts.append(f"\n{counted(len(one) - most, 'more row')}.")
        parts += [f"\n{_escaped(note)}" for note in one.notes]
        parts.append("")
    return "\n".join(parts)


def write_parquet(table: Table, path: Path) -> None:
    """Write a table as Parquet; units and meanings are column metadata, notes file metadata.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        InputError: the file cannot be written.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing_extra("Parquet needs pyarrow", "parquet") from error
    types = {"int": pa.int64(), "float": pa.float64(), "str": pa.string(), "bool": pa.bool_()}
    fields = [
        pa.field(one.name, types[one.type], metadata={"unit": one.unit, "meaning": one.meaning})
        for one in table.columns
    ]
    about = {"id": table.id, "title": table.title, "notes": json.dumps(table.notes)}
    arrays = [pa.array(one.cells, types[one.type]) for one in table.columns]
    made = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata=about))
    with writing(path) as scratch:
        pq.write_table(made, scratch)


def write_tables(tables: Sequence[Table], folder: Path, form: str) -> list[Path]:
    """Write every available table into a folder, one file each, named by its id.

    Args:
        tables: tables to write; unavailable ones have no CSV and Parquet files, and a reason in the other formats.
        folder: created if necessary.
        form: one of ``SUFFIXES``.

    Returns:
        The files.

    Raises:
        MissingDependencyError: the format needs a package that is not installed.
        InputError: a file cannot be written.
    """
    files = []
    for one in tables:
        if one.unavailable and form in {"csv", "parquet"}:
            continue
        path = folder / f"{one.id}{SUFFIXES[form]}"
        if form == "parquet":
            write_parquet(one, path)
        else:
            write_text(path, _TEXTS[form](one))
        files.append(path)
    return files


def shown(cell: Cell, unit: str = "") -> str:
    """Format a cell with a readable unit; empty for None."""
    if cell is None or isinstance(cell, bool | str):
        return cell if isinstance(cell, str) else {None: "", True: "yes", False: "no"}[cell]
    if unit in _UNITS:
        return _UNITS[unit](cell)
    for size, prefix in _LARGE if unit.startswith("flop") else ():
        if abs(cell) >= size:
            return f"{cell / size:.4g} {prefix}{unit}"
    figure = str(cell) if isinstance(cell, int) else f"{cell:.4g}"
    return f"{figure}/s" if unit == "1/s" else f"{figure} {unit}".rstrip()


def _common(tables: Sequence[Table]) -> list[str]:
    """Return the notes that more than two tables have."""
    counts: dict[str, int] = {}
    for note in (note for one in tables for note in one.notes):
        counts[note] = counts.get(note, 0) + 1
    return [note for note, count in counts.items() if count > 2]


def _unavailable(tables: Sequence[Table]) -> list[str]:
    """List unavailable tables, grouped by reason."""
    reasons: dict[str, list[str]] = {}
    for one in tables:
        if one.unavailable:
            reasons.setdefault(one.unavailable, []).append(one.id)
    return [f"{', '.join(ids)} not available: {reason}" for reason, ids in reasons.items()]


def _text_table(table: Table, most: int | None) -> RenderableType:
    columns = _filled(table)
    names = [f">{name}" if _is_number(one) else name for name, one in zip(headings(columns), columns, strict=True)]
    made = rich_table(*names, title=f"{table.id}  {table.title}", keys=_keys(columns))
    for row in _readable(columns, most):
        made.add_row(*(shortened(cell, WIDEST) for cell in row))
    return made


def _keys(columns: Sequence[Column]) -> int:
    """Count the leading key columns."""
    kinds = [one.type == "str" or one.name in _PLACES for one in columns[:MOST_KEYS]]
    return max(1, kinds.index(False) if False in kinds else len(kinds))


def _readable(columns: Sequence[Column], most: int | None) -> Iterator[tuple[str, ...]]:
    """Yield the first rows, or all, as texts with readable units."""
    return zip(*([shown(cell, one.unit) for cell in one.cells[:most]] for one in columns), strict=True)


def _filled(table: Table) -> list[Column]:
    """Return the columns that are not empty."""
    return [one for one in table.columns if any(cell is not None for cell in one.cells)] or list(table.columns)


def _is_number(column: Column) -> bool:
    return column.type in {"int", "float"}


def _plain(cell: Cell) -> Any:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell


def _json_tables(tables: Sequence[Table]) -> str:
    return ",\n".join(_json_table(one) for one in tables)


def _json_table(table: Table) -> str:
    about = {"id": table.id, "title": table.title, "notes": table.notes, "unavailable": table.unavailable}
    lines = ",\n  ".join(_dumped(_json_column(one)) for one in table.columns)
    return _dumped(about)[:-1] + f', "columns": [\n  {lines}\n]}}'


def _json_column(column: Column) -> dict[str, Any]:
    cells = [None if isinstance(cell, float) and not math.isfinite(cell) else cell for cell in column.cells]
    return {
        "name": column.name,
        "type": column.type,
        "unit": column.unit,
        "meaning": column.meaning,
        "cells": cells,
    }


def _dumped(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Escape a text for a Markdown table cell."""
    flat = plain(" ".join(text.split()))
    return flat.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _whole_text(table: Table) -> str:
    from dlbricks.report.console import show

    made = io.StringIO()
    show(*text_tables([table]), file=made)
    return made.getvalue()


_TEXTS: Mapping[str, Callable[[Table], str]] = {
    "text": _whole_text,
    "csv": csv_text,
    "json": lambda table: json_report([table], ()),
    "markdown": lambda table: markdown_text([table]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Sort order of tables."""

    column: str
    """Column name or heading: ``latency_ns`` or ``latency``."""
    descending: bool = False


def order_of(text: str) -> Order:
    """Parse ``latency_ns``, or ``-latency_ns`` for descending order.

    Raises:
        InputError: the column is missing.
    """
    name = text.removeprefix("-").strip()
    if not name:
        raise InputError("--sort names no column: write it as in latency, or -latency for the largest first")
    return Order(column=name, descending=text.startswith("-"))


def check_order(tables: Sequence[Table], order: Order) -> None:
    """Check that at least one table has the column to sort by.

    Raises:
        InputError: no table has it; the message lists the columns.
    """
    there = [one for one in tables if not one.unavailable]
    if not there or any(_found(one, order.column) for one in there):
        return
    names = dict.fromkeys(column.name for one in there for column in one.columns)
    raise InputError(f"no table has a column '{order.column}' to sort by; columns are {', '.join(names)}")


def ordered(table: Table, order: Order) -> Table:
    """Sort the rows of a table, stable, with empty cells last; unchanged if it lacks the column."""
    column = _found(table, order.column)
    if column is None:
        return table
    rows = sorted(range(len(table)), key=lambda row: _key(column.cells[row]), reverse=order.descending)
    empty = [row for row in range(len(table)) if column.cells[row] is None]
    filled = [row for row in rows if column.cells[row] is not None]
    return replace(table, columns=select_rows(table.columns, [*filled, *empty]))


def first_rows(table: Table, most: int) -> Table:
    """Keep the first rows of a table, with a note on the omitted ones."""
    left = len(table) - most
    if left <= 0:
        return table
    kept = select_rows(table.columns, range(most))
    return replace(table, columns=kept, notes=(*table.notes, f"the first {most:,} of {len(table):,} rows"))


def _found(table: Table, name: str) -> Column | None:
    """Return the column with a name, else the first with that heading."""
    wanted = name.lower().replace(" ", "_")
    exact = next((one for one in table.columns if one.name == wanted), None)
    shown = zip(headings(table.columns), table.columns, strict=True)
    return exact or next((one for heading, one in shown if heading.replace(" ", "_") == wanted), None)


def _key(cell: Cell) -> tuple[bool, str, float]:
    """Return a sort key: texts case-insensitive, numbers by value."""
    return (True, cell.lower(), 0.0) if isinstance(cell, str) else (False, "", float(cell or 0))
