"""Printing of tables, JSON documents and progress.

Output is coloured on a terminal only, and at most as wide as the terminal. A table that is too wide is printed in
parts, as in pandas, and each part begins with the key columns; ``rich`` alone would cut cells and drop columns. In
files and pipes each row is a single line with whole cells, which ``grep`` and ``awk`` can process.

Progress goes to stderr: a progress bar on a terminal, a line from time to time elsewhere.
"""

import dataclasses
import json
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

# Version of the documents of ``--json``. ``run`` and ``validate`` have formats of their own:
# ``harness.run.cli.RunSummary`` and ``validate.types.Validation``.
SCHEMA_VERSION = 2
# Width of the output in files and pipes: more than any table has.
_UNBOUNDED = 1 << 20
# A text column is folded to this width before its table is split; on a wide terminal to a fifth of the terminal.
LEAST_TEXT = 16
# Spaces that rich puts between two columns, and at both edges of the table together.
_BETWEEN, _EDGES = 3, 2
# Least time between two lines of progress in a file: a line for each item would hide everything else.
PLAIN_EVERY_S = 10.0

Row = TypeVar("Row")


def to_json(kind: str, content: object, indent: int | None = 2) -> str:
    """Serialise the content of ``--json`` with its format and version (``docs/formats.md``), and a newline at the end.

    ``kind`` is usually the command. ``content`` is a mapping or dataclass; a property ``coverage`` becomes a field.
    """
    head = {"format": f"dlbricks-{kind}", "schema_version": SCHEMA_VERSION}
    return json.dumps({**head, **_fields(content)}, indent=indent, allow_nan=False, default=_fields) + "\n"


def _fields(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    # the value is a Struct of msgspec, or a dataclass
    names = list(getattr(value, "__struct_fields__", None) or (field.name for field in dataclasses.fields(value)))
    if isinstance(getattr(type(value), "coverage", None), property):
        names.append("coverage")
    nulls = getattr(value, "nulls", ())
    return {name: None if name in nulls else getattr(value, name) for name in names}


class KeyedTable(Table):
    """A table of plain texts without control characters; the first ``keys`` columns identify a row."""

    keys: int = 1
    brief: Callable[[str], str] = str
    """Shortens the text of a cell for terminals and pages, which have no room for names of hundreds of characters."""

    def add_row(self, *cells: Any, **how: Any) -> None:
        """Add a row. None is an empty cell; texts are not interpreted as markup."""
        super().add_row(*(Text("" if cell is None else plain(str(cell))) for cell in cells), **how)

    def part(self, places: Iterable[int], brief: Callable[[str], str] = str) -> "KeyedTable":
        """Return some columns as a table of the same title, with each text as ``brief`` returns it."""
        columns = [self.columns[place] for place in places]
        part = table(*(f"{'>' if column.no_wrap else ''}{column.header}" for column in columns), keys=self.keys)
        part.title = self.title
        for row in zip(*(column.cells for column in columns), strict=True):
            part.add_row(*map(brief, map(str, row)))
        return part


class _Plain(Console):
    # Raises when a pipe is closed, so that the program exits silently; ``rich`` itself would exit with code 1.
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(*items: RenderableType, file: TextIO | None = None, width: int | None = None) -> None:
    """Print texts and tables.

    A text is printed line by line without control characters and is not wrapped. A table fits ``width``, by default
    that of the terminal; in files and pipes a table is as wide as its content, and no cell is shortened.
    """
    stream = file or sys.stdout
    width = width or (None if stream.isatty() else _UNBOUNDED)
    console = _Plain(file=stream, width=width, highlight=False, emoji=False)
    for item in items:
        text = isinstance(item, str)
        pieces: Sequence[RenderableType] = parts(item, console) if isinstance(item, KeyedTable) else [item]
        for piece in [plain(item)] if isinstance(item, str) else pieces:
            with console.capture() as written:
                console.print(piece, markup=not text, soft_wrap=text, crop=False)
            stream.writelines(f"{line.rstrip()}\n" for line in written.get().splitlines())


def table(*columns: str, title: str | None = None, keys: int = 1) -> KeyedTable:
    """Create a table; a column whose name starts with ``>`` has numbers and is right-aligned.

    The first ``keys`` columns identify a row. If the table is too wide and is printed in parts, each part repeats them.
    """
    # rich would fold a title to the width of its table
    name = None if title is None else Text(plain(title), no_wrap=True, overflow="ignore")
    keyed = KeyedTable(box=box.SIMPLE_HEAD, title=name, title_justify="left", title_style="bold", pad_edge=False)
    keyed.keys = keys
    for column in columns:
        if column.startswith(">"):
            keyed.add_column(Text(column[1:]), justify="right", no_wrap=True)
        else:
            keyed.add_column(Text(column), overflow="fold")
    return keyed


def rows_table(
    rows: Iterable[Row], columns: Mapping[str, Callable[[Row], object]], *, title: str | None = None, keys: int = 1
) -> KeyedTable:
    """Create a table with a row for each item; ``columns`` maps each column's name to the function for its cells."""
    keyed = table(*columns, title=title, keys=keys)
    for row in rows:
        keyed.add_row(*(cell(row) for cell in columns.values()))
    return keyed


def parts(whole: KeyedTable, console: Console) -> Sequence[KeyedTable]:
    """Split a table into parts that fit the console without cut cells, and drop columns that are empty in all rows."""
    if whole.brief is not str and console.width < _UNBOUNDED:
        whole = whole.part(range(len(whole.columns)), whole.brief)
    least = [_least(column, console) for column in whole.columns]
    rest = [
        place
        for place, column in enumerate(whole.columns)
        if place >= whole.keys and (not whole.rows or any(map(str, column.cells)))
    ]

    def width(places: Sequence[int]) -> int:
        return sum(least[place] for place in places) + _BETWEEN * (len(places) - 1) + _EDGES

    keys = list(range(whole.keys))
    while len(keys) > 1 and width(keys) > console.width // 2:
        rest.insert(0, keys.pop())
    groups = [[*keys]]
    for place in rest:
        if len(groups[-1]) > len(keys) and width([*groups[-1], place]) > console.width:
            groups.append([*keys])
        groups[-1].append(place)
    if groups == [list(range(len(least)))]:
        return [whole]
    first, *others = (whole.part(places) for places in groups)
    for part in others:
        part.title = None
    return [first, *others]


def _least(column: Column, console: Console) -> int:
    # Return the least width in which a column can be printed.
    widest = max(Measurement.get(console, console.options, cell).maximum for cell in (column.header, *column.cells))
    return widest if column.no_wrap else min(widest, max(LEAST_TEXT, console.width // 5))


# A function that is called with the phase, the number of finished items and their total.
OnProgress = Callable[[str, int, int], None]
# A function that is called with the name of a task (may be empty), a line, the number of finished items, their total,
# and whether this is the last call.
_Update = Callable[[str, str, int, int, bool], None]


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show the progress of each phase, as a number of finished items and the time left, during the ``with`` block."""
    with _tasks() as update:
        first = dict[str, tuple[int, int]]()

        def advance(phase: str, done: int, total: int) -> None:
            before, begin_ns = first.setdefault(phase, (done, time.monotonic_ns()))
            left_ns = (time.monotonic_ns() - begin_ns) * (total - done) // max(1, done - before)
            left = f", {time_left(left_ns)} left" * (before < done < total)
            update(phase, f"{phase} {done} of {total}{left}", done, total, done == total)

        yield advance


@contextmanager
def measuring(worded: Callable[[Progress], str] = describe) -> Iterator[Callable[..., None]]:
    """Show the progress of suite runs and the time left while the ``with`` block runs.

    Yields a function that takes a progress message and, if there are several runs, a prefix for its line.
    """
    with _tasks() as update:

        def advance(message: Progress, prefix: str = "") -> None:
            update("", plain(prefix + worded(message)), message.done, message.total, message.is_last)

        yield advance


@contextmanager
def _tasks() -> Iterator[_Update]:
    # A terminal gets a bar for each task, named by its line if the task has no name. Elsewhere a line is printed now
    # and then.
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
    # Print a line if ``PLAIN_EVERY_S`` have passed since the last one, and the last line of each task.
    before = clock()

    def update(_name: str, line: str, _done: int, _total: int, last: bool) -> None:
        nonlocal before
        if last or clock() - before >= PLAIN_EVERY_S:
            before = clock()
            print(line, file=sys.stderr, flush=True)

    return update


def rounds(progress: Progress) -> str:
    """Format the progress of rounds of measurements, for example as ``12 of 30 rounds, 4 s left``."""
    if progress.phase == "loading":
        return progress.phase
    done = f"{progress.done} of {counted(progress.total, 'round')}"
    if progress.phase == "done":
        return f"{done}, done"
    return done if progress.eta_ns is None else f"{done}, {time_left(progress.eta_ns)} left"
