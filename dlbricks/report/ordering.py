"""Tables in another order, and their first rows. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dlbricks.analysis.kernel_level import taken
from dlbricks.analysis.nouns import Cell, Column, Table
from dlbricks.errors import InputError
from dlbricks.report.sheets import headings


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the rows of tables are sorted by."""

    column: str
    """Its name, or how people are shown it: ``latency_ns`` or ``latency``."""
    descending: bool = False


def order_of(text: str) -> Order:
    """Read ``latency_ns``, or ``-latency_ns`` for the largest first.

    Raises:
        InputError: no column is named.
    """
    name = text.removeprefix("-").strip()
    if not name:
        raise InputError("--sort names no column: write it as in latency, or -latency for the largest first")
    return Order(column=name, descending=text.startswith("-"))


def check_order(tables: Sequence[Table], order: Order) -> None:
    """Make sure that a column can be sorted by.

    Raises:
        InputError: no table has it; the columns that there are are named.
    """
    there = [one for one in tables if not one.unavailable]
    if not there or any(_found(one, order.column) for one in there):
        return
    names = dict.fromkeys(column.name for one in there for column in one.columns)
    raise InputError(f"no table has a column '{order.column}' to sort by; columns are {', '.join(names)}")


def ordered(table: Table, order: Order) -> Table:
    """Sort the rows of a table; equal ones keep their order, empty cells come last. Without the column it stays."""
    column = _found(table, order.column)
    if column is None:
        return table
    rows = sorted(range(len(table)), key=lambda row: _key(column.cells[row]), reverse=order.descending)
    empty = [row for row in range(len(table)) if column.cells[row] is None]
    filled = [row for row in rows if column.cells[row] is not None]
    return replace(table, columns=taken(table.columns, [*filled, *empty]))


def first_rows(table: Table, most: int) -> Table:
    """Keep the first rows of a table; a note says how many were left out."""
    left = len(table) - most
    if left <= 0:
        return table
    kept = taken(table.columns, range(most))
    return replace(table, columns=kept, notes=(*table.notes, f"the first {most:,} of {len(table):,} rows"))


def _found(table: Table, name: str) -> Column | None:
    """Give the column of a name, else the first that people are shown under it."""
    wanted = name.lower().replace(" ", "_")
    exact = next((one for one in table.columns if one.name == wanted), None)
    shown = zip(headings(table.columns), table.columns, strict=True)
    return exact or next((one for heading, one in shown if heading.replace(" ", "_") == wanted), None)


def _key(cell: Cell) -> tuple[bool, str, float]:
    """Compare texts as people order them, and numbers as they are; a column holds one of both."""
    return (True, cell.lower(), 0.0) if isinstance(cell, str) else (False, "", float(cell or 0))
