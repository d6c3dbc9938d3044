"""Printing tables and progress: coloured in a terminal, plain elsewhere, never wider than it or ``PLAIN_WIDTH``.

A table too wide is printed in parts below each other, each with the first columns, which say what a row is of; pandas
shows wide frames so. ``rich`` alone would cut figures and drop columns.

Progress goes to stderr: a moving bar in a terminal, a line now and then elsewhere.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

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
"""Columns in files and pipes, unless the environment's ``COLUMNS`` says otherwise."""
LEAST_TEXT = 16
"""To how many columns a text may be folded before a table is printed in parts; in wide terminals to a fifth of them."""

_BETWEEN = 3
_EDGES = 2


class KeyedTable(Table):
    """A table whose first columns say what a row is of; cells are texts, brackets included, control characters not."""

    keys: int = 1

    def add_row(self, *cells: RenderableType | None, **how: Any) -> None:
        """Add a row; no text is taken for markup of ``rich``."""
        super().add_row(*(Text(plain(cell)) if isinstance(cell, str) else cell for cell in cells), **how)


class _Plain(Console):
    """A console that leaves a closed pipe to the program, which ends quietly then."""

    def on_broken_pipe(self) -> None:
        """Raise, where rich would end the process with exit code 1."""
        raise BrokenPipeError


def show(*items: RenderableType, file: TextIO | None = None, width: int | None = None) -> None:
    """Print texts and tables.

    Args:
        items: texts are lines, printed without control characters, never wrapped; tables fit the width.
        file: stdout unless said otherwise.
        width: columns; None for those of the terminal, else of ``COLUMNS``, else ``PLAIN_WIDTH``.
    """
    stream = file or sys.stdout
    live = stream.isatty()
    if width is None and not live:
        given = os.environ.get("COLUMNS", "")
        width = int(given) if given.isdecimal() and int(given) else PLAIN_WIDTH
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
    """Begin a table; a column whose name starts with ``>`` holds figures and is set flush right.

    Args:
        columns: names.
        title: above the table.
        keys: how many of the first columns say what a row is of; they begin each part of a table that is too wide.
    """
    name = None if title is None else Text(plain(title))
    made = KeyedTable(box=box.SIMPLE_HEAD, title=name, title_justify="left", title_style="bold", pad_edge=False)
    made.keys = keys
    for column in columns:
        if column.startswith(">"):
            made.add_column(Text(column[1:]), justify="right", no_wrap=True)
        else:
            made.add_column(Text(column), overflow="fold")
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
    options = console.options
    widest = max(Measurement.get(console, options, cell).maximum for cell in (column.header, *column.cells))
    return widest if column.no_wrap else min(widest, max(LEAST_TEXT, console.width // 5))


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1) + _EDGES


PLAIN_EVERY_S = 10.0
"""Least time between two lines where stderr is no terminal."""

OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show phases with counts while the block runs."""
    if sys.stderr.isatty():
        with Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        ) as bars:
            yield _bars(bars)
    else:
        yield _lines(time.monotonic)


def _bars(bars: Bars) -> OnProgress:
    tasks: dict[str, TaskID] = {}

    def advance(phase: str, done: int, total: int) -> None:
        if phase not in tasks:
            tasks[phase] = bars.add_task(phase, total=total)
        bars.update(tasks[phase], completed=done, total=total)

    return advance


def _lines(clock: Callable[[], float]) -> OnProgress:
    """Print the end of a phase, and what lies between once in ``PLAIN_EVERY_S``."""
    last = clock()

    def advance(phase: str, done: int, total: int) -> None:
        nonlocal last
        if done == total or clock() - last >= PLAIN_EVERY_S:
            last = clock()
            print(f"{phase} {done} of {total}", file=sys.stderr, flush=True)

    return advance


@contextmanager
def measuring() -> Iterator[Callable[[Progress], None]]:
    """Show how far a run of a suite is, with the time left, while the block runs."""
    with measuring_many() as advance:
        yield lambda message: advance("", message)


@contextmanager
def measuring_many(worded: Callable[[Progress], str] = describe) -> Iterator[Callable[[str, Progress], None]]:
    """The same for one run after another; each message comes with what is to be said before it.

    Args:
        worded: puts a message into words.
    """
    if sys.stderr.isatty():
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        with Bars(*columns, console=Console(stderr=True)) as bars:
            task = bars.add_task("starting", total=None)
            yield lambda before, message: bars.update(
                task, description=plain(before + worded(message)), completed=message.done, total=message.total
            )
    else:
        yield _sparing(time.monotonic, worded)


def rounds(progress: Progress) -> str:
    """Put into words how far the rounds of a leveled experiment are, as in ``12 of 30 rounds, 4 s left``."""
    if progress.phase == "loading":
        return progress.phase
    parts = [f"{progress.done} of {counted(progress.total, 'round')}"]
    if progress.phase == "done":
        parts.append("done")
    elif progress.eta_ns is not None:
        parts.append(f"{time_left(progress.eta_ns)} left")
    return ", ".join(parts)


def _sparing(clock: Callable[[], float], worded: Callable[[Progress], str]) -> Callable[[str, Progress], None]:
    """Print a message if the last one is old enough, and the last one of each run."""
    last = clock()

    def advance(before: str, message: Progress) -> None:
        nonlocal last
        if message.is_last or clock() - last >= PLAIN_EVERY_S:
            last = clock()
            print(plain(before + worded(message)), file=sys.stderr, flush=True)

    return advance
