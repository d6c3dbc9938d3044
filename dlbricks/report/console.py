"""Printing tables: coloured and fitted to a terminal, plain and unabridged elsewhere."""

import sys
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

PLAIN_WIDTH = 250
"""Columns where nobody looks: files and pipes get every table whole."""


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
        else:
            console.print(item)


def table(*columns: str, title: str | None = None) -> Table:
    """Begin a table; a column whose name starts with ``>`` holds figures and is set flush right."""
    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for column in columns:
        if column.startswith(">"):
            made.add_column(column[1:], justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold")
    return made
