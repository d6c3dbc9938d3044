"""Printing tables: coloured and fitted to a terminal, plain and unabridged elsewhere.

A table too wide for a terminal is printed in parts below each other, each with the first columns, which say what a row
is of; pandas shows wide frames so. ``rich`` alone would cut figures and drop columns.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Column, Table

PLAIN_WIDTH = 100_000
"""Columns where nobody looks: files and pipes get every table whole."""
LEAST_TEXT = 16
"""To how many columns a text may be folded before a table is printed in parts; in wide terminals to a fifth of them."""

_BETWEEN = 3
_EDGES = 2


class KeyedTable(Table):
    """A table whose first columns say what a row is of."""

    keys: int = 1


class _Plain(Console):
    """A console that leaves a closed pipe to the program, which ends quietly then."""

    def on_broken_pipe(self) -> None:
        """Raise, where rich would end the process with exit code 1."""
        raise BrokenPipeError


def show(*items: RenderableType, file: TextIO | None = None) -> None:
    """Print texts and tables to ``file``, which is stdout unless said otherwise."""
    stream = file or sys.stdout
    console = _Plain(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False, emoji=False)
    for item in items:
        if isinstance(item, str):
            console.print(item, markup=False, soft_wrap=True)
        elif isinstance(item, KeyedTable):
            for part in parts(item, console):
                console.print(part)
        else:
            console.print(item)


def table(*columns: str, title: str | None = None, keys: int = 1) -> KeyedTable:
    """Begin a table; a column whose name starts with ``>`` holds figures and is set flush right.

    Args:
        columns: names.
        title: above the table.
        keys: how many of the first columns say what a row is of; they begin each part of a table that is too wide.
    """
    made = KeyedTable(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    made.keys = keys
    for column in columns:
        if column.startswith(">"):
            made.add_column(column[1:], justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold")
    return made


def parts(whole: KeyedTable, console: Console) -> Sequence[KeyedTable]:
    """Split a table that a console cannot show without cutting; the table itself where it can."""
    least = [_least(column, console) for column in whole.columns]
    columns = range(len(least))
    if _width(least) <= console.width:
        return [whole]
    keys = list(columns[: whole.keys])
    while len(keys) > 1 and _width([least[place] for place in keys]) > console.width // 2:
        keys.pop()
    made = [_part(whole, chosen) for chosen in _chosen(least, keys, console.width)]
    made[0].title = whole.title
    return made


def _chosen(least: Sequence[int], keys: Sequence[int], width: int) -> Iterator[list[int]]:
    """Give the columns of each part: the keys, and as many others as find room, at least one."""
    chosen = list(keys)
    for place in range(len(keys), len(least)):
        if len(chosen) > len(keys) and _width([least[one] for one in (*chosen, place)]) > width:
            yield chosen
            chosen = list(keys)
        chosen.append(place)
    yield chosen


def _part(whole: KeyedTable, places: Sequence[int]) -> KeyedTable:
    names = [f"{'>' if whole.columns[place].no_wrap else ''}{whole.columns[place].header}" for place in places]
    made = table(*names)
    for row in zip(*(whole.columns[place].cells for place in places), strict=True):
        made.add_row(*row)
    return made


def _least(column: Column, console: Console) -> int:
    """Give the columns of a terminal that a column of a table needs at least."""
    widest = max(console.measure(cell).maximum for cell in (column.header, *column.cells))
    return widest if column.no_wrap else min(widest, max(LEAST_TEXT, console.width // 5))


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1) + _EDGES
