"""Prints tables and progress.

Output is coloured on a terminal, plain elsewhere, and at most as wide as the terminal or ``PLAIN_WIDTH``. A table that
is too wide is printed in parts, each starting with the key columns (as pandas does); ``rich`` alone would truncate
cells and drop columns.

Progress goes to stderr: a progress bar on a terminal, occasional lines elsewhere.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO, TypeVar

from rich import box
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Column, Table
from rich.text import Text

from dlbricks.harness.run.progress import Progress, describe, time_left
from dlbricks.units import counted, plain

PLAIN_WIDTH = 80
"""Width in files and pipes, unless the environment variable ``COLUMNS`` is set."""
LEAST_TEXT = 16
"""Least width of a folded text column before a table is split; on wide terminals a fifth of the width."""

Row = TypeVar("Row")
_BETWEEN = 3
_EDGES = 2


class KeyedTable(Table):
    """Table whose first columns identify a row; cells are plain text without control characters."""

    keys: int = 1

    def add_row(self, *cells: RenderableType | None, **how: Any) -> None:
        """Add a row; texts are not interpreted as ``rich`` markup."""
        super().add_row(*(Text(plain(cell)) if isinstance(cell, str) else cell for cell in cells), **how)


class _Plain(Console):
    """Console that passes a closed pipe on to the program, which then exits silently."""

    def on_broken_pipe(self) -> None:
        """Raise instead of exiting with code 1 as ``rich`` does."""
        raise BrokenPipeError


def show(*items: RenderableType, file: TextIO | None = None, width: int | None = None) -> None:
    """Print texts and tables.

    Args:
        items: texts are printed as lines without control characters and without wrapping; tables fit the width.
        file: stdout by default.
        width: in columns; None for the width of the terminal, else ``COLUMNS``, else ``PLAIN_WIDTH``.
    """
    stream = file or sys.stdout
    live = stream.isatty()
    if width is None and not live:
        columns = os.environ.get("COLUMNS", "")
        width = int(columns) if columns.isdecimal() and int(columns) else PLAIN_WIDTH
    console = _Plain(file=stream, width=width, highlight=False, emoji=False)
    for item in items:
        text = isinstance(item, str)
        pieces: Sequence[RenderableType] = parts(item, console) if isinstance(item, KeyedTable) else [item]
        for piece in [plain(item)] if isinstance(item, str) else pieces:
            if live:
                console.print(piece, markup=not text, soft_wrap=text)
                continue
            with console.capture() as written:
                console.print(piece, markup=not text, soft_wrap=text)
            stream.writelines(f"{line.rstrip()}\n" for line in written.get().splitlines())


def table(*columns: str, title: str | None = None, keys: int = 1) -> KeyedTable:
    """Create a table; columns whose name starts with ``>`` are right-aligned numbers.

    Args:
        columns: column names.
        title: title above the table.
        keys: number of first columns that identify a row; they start each part of a table that is too wide.
    """
    name = None if title is None else Text(plain(title))
    keyed = KeyedTable(box=box.SIMPLE_HEAD, title=name, title_justify="left", title_style="bold", pad_edge=False)
    keyed.keys = keys
    for column in columns:
        if column.startswith(">"):
            keyed.add_column(Text(column[1:]), justify="right", no_wrap=True)
        else:
            keyed.add_column(Text(column), overflow="fold")
    return keyed


def rows_table(
    rows: Iterable[Row], columns: Mapping[str, Callable[[Row], str]], *, title: str | None = None, keys: int = 1
) -> KeyedTable:
    """Create a table with a row per item, from the name and the cell function of each column; see ``table``."""
    keyed = table(*columns, title=title, keys=keys)
    for row in rows:
        keyed.add_row(*(cell(row) for cell in columns.values()))
    return keyed


def parts(whole: KeyedTable, console: Console) -> Sequence[KeyedTable]:
    """Split a table that does not fit the console without truncation."""
    least = [_least(column, console) for column in whole.columns]
    columns = range(len(least))
    if _width(least) <= console.width:
        return [whole]
    keys = list(columns[: whole.keys])
    while len(keys) > 1 and _width([least[place] for place in keys]) > console.width // 2:
        keys.pop()
    tables = [_part(whole, chosen) for chosen in _chosen(least, keys, console.width)]
    tables[0].title = whole.title
    return tables


def _chosen(least: Sequence[int], keys: Sequence[int], width: int) -> Iterator[list[int]]:
    """Return the columns of each part: the keys, and as many others as fit, at least one."""
    chosen = list(keys)
    for place in range(len(keys), len(least)):
        if len(chosen) > len(keys) and _width([least[column] for column in (*chosen, place)]) > width:
            yield chosen
            chosen = list(keys)
        chosen.append(place)
    yield chosen


def _part(whole: KeyedTable, places: Sequence[int]) -> KeyedTable:
    names = [f"{'>' if whole.columns[place].no_wrap else ''}{whole.columns[place].header}" for place in places]
    keyed = table(*names)
    for row in zip(*(whole.columns[place].cells for place in places), strict=True):
        keyed.add_row(*row)
    return keyed


def _least(column: Column, console: Console) -> int:
    """Return the least width of a table column."""
    options = console.options
    widest = max(Measurement.get(console, options, cell).maximum for cell in (column.header, *column.cells))
    return widest if column.no_wrap else min(widest, max(LEAST_TEXT, console.width // 5))


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1) + _EDGES


PLAIN_EVERY_S = 10.0
"""Least time between two progress lines without a terminal."""

OnProgress = Callable[[str, int, int], None]
"""Called with the phase, the number of finished items and their total."""


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show phases with counts while the block runs."""
    with _tasks() as update:
        yield lambda phase, done, total: update(phase, f"{phase} {done} of {total}", done, total, done == total)


@contextmanager
def measuring() -> Iterator[Callable[[Progress], None]]:
    """Show the progress of a suite run, with the time left, while the block runs."""
    with measuring_many() as advance:
        yield lambda message: advance("", message)


@contextmanager
def measuring_many(worded: Callable[[Progress], str] = describe) -> Iterator[Callable[[str, Progress], None]]:
    """Show the progress of several suite runs; each message comes with a prefix.

    Args:
        worded: formats a message.
    """
    with _tasks() as update:
        yield lambda before, message: update(
            "", plain(before + worded(message)), message.done, message.total, message.is_last
        )


_Update = Callable[[str, str, int, int, bool], None]
"""Called with the name of a task or an empty one, a line, finished items, their total, and whether it is the last."""


@contextmanager
def _tasks() -> Iterator[_Update]:
    """Show a bar per task on a terminal, named by its line if it has no name; elsewhere occasional lines."""
    if not sys.stderr.isatty():
        yield _lines(time.monotonic)
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Bars(*columns, console=Console(stderr=True)) as bars:

        def update(name: str, line: str, done: int, total: int, _last: bool) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name or line, total=total)
            bars.update(tasks[name], description=name or line, completed=done, total=total)

        yield update


def _lines(clock: Callable[[], float]) -> _Update:
    """Print a line if the one before is ``PLAIN_EVERY_S`` old, and the last one of each task."""
    before = clock()

    def update(_name: str, line: str, _done: int, _total: int, last: bool) -> None:
        nonlocal before
        if last or clock() - before >= PLAIN_EVERY_S:
            before = clock()
            print(line, file=sys.stderr, flush=True)

    return update


def rounds(progress: Progress) -> str:
    """Format the progress of a leveled experiment, for example ``12 of 30 rounds, 4 s left``."""
    if progress.phase == "loading":
        return progress.phase
    parts = [f"{progress.done} of {counted(progress.total, 'round')}"]
    if progress.phase == "done":
        parts.append("done")
    elif progress.eta_ns is not None:
        parts.append(f"{time_left(progress.eta_ns)} left")
    return ", ".join(parts)
