"""The nouns of analyses: Column, Table, Analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dlbricks.profile.nouns import Profile

Cell: TypeAlias = int | float | str | bool | None
"""None where a figure does not exist; never 0 in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table."""

    name: str
    """As a header of a CSV file: ``latency_ns``, ``dram_read_bytes``, ``layer``; times and sizes end in their unit."""
    type: str
    """``int``, ``float``, ``str`` or ``bool``: of every cell that is not None."""
    unit: str = ""
    """``ns``, ``B``, ``flop``, ``flop/s``, ``flop/B``, ``%`` (values 0 to 100), ``1/s``; empty for none."""
    meaning: str = ""
    """One sentence; empty where the name says it all."""
    cells: tuple[Cell, ...] = ()
    """One for each row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The answer of an analysis: columns of equal length, or why there is none."""

    id: str
    """As in ``A2`` or ``critical-path``."""
    title: str
    columns: tuple[Column, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader has to know: what was left out, what was assumed."""
    unavailable: str = ""
    """Why this analysis cannot be had of this profile, and what would be needed; empty where it is there."""

    def __len__(self) -> int:
        """Give the number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    def rows(self) -> list[tuple[Cell, ...]]:
        """Give all rows."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def column(self, name: str) -> Column:
        """Give a column by its name.

        Raises:
            KeyError: there is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One analysis: what it is, what it needs, and the pure function that makes it."""

    id: str
    title: str
    levels: str
    """Deepest run that it needs: one of ``profile.nouns.LEVELS``."""
    chart: str
    """How it is shown where there are pictures: ``table``, ``bar``, ``pie``, ``scatter``, ``stacked``."""
    source: str
    """As in ``XSP section III-D1``."""
    compute: Callable[[Profile], Table]
    """Never raises for want of data: gives a table that says why it is unavailable."""
