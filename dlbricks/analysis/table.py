"""The nouns of analyses: Column, Table, Analysis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dlbricks.analysis.statistics import Floats, Summaries
from dlbricks.profile.types import Profile
from dlbricks.trace.types import Longs

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
    """Deepest run that it needs: one of ``profile.types.LEVELS``."""
    chart: str
    """How it is shown where there are pictures: ``table``, ``bar``, ``pie``, ``scatter``, ``stacked``."""
    source: str
    """As in ``XSP section III-D1``."""
    compute: Callable[[Profile], Table]
    """Never raises for want of data: gives a table that says why it is unavailable."""


def whole(name: str, values: Any, unit: str = "", meaning: str = "") -> Column:
    """Make a column of whole numbers; figures are rounded, NaN are empty."""
    given = np.asarray(values)
    if np.issubdtype(given.dtype, np.integer):
        cells: tuple[int | None, ...] = tuple(given.tolist())
    else:
        cells = tuple(None if one != one else round(one) for one in given.astype(np.float64).tolist())  # noqa: PLR0124
    return Column(name=name, type="int", unit=unit, meaning=meaning, cells=cells)


def real(name: str, values: Any, unit: str = "", meaning: str = "") -> Column:
    """Make a column of figures; what is not finite is empty."""
    given = np.asarray(values, np.float64)
    cells = [one if ok else None for one, ok in zip(given.tolist(), np.isfinite(given).tolist(), strict=True)]
    return Column(name=name, type="float", unit=unit, meaning=meaning, cells=tuple(cells))


def text(name: str, values: Sequence[str | None], meaning: str = "") -> Column:
    """Make a column of texts; empty texts are empty cells."""
    return Column(name=name, type="str", meaning=meaning, cells=tuple(one or None for one in values))


def flag(name: str, values: Sequence[bool | None], meaning: str = "") -> Column:
    """Make a column of yes and no."""
    return Column(name=name, type="bool", meaning=meaning, cells=tuple(values))


def optional(name: str, numbers: Longs, unit: str = "", meaning: str = "") -> Column:
    """Make a column of whole numbers from 0, where negative ones are empty."""
    cells = tuple(one if one >= 0 else None for one in numbers.tolist())
    return Column(name=name, type="int", unit=unit, meaning=meaning, cells=cells)


def latency(found: Summaries, what: str) -> tuple[Column, Column, Column]:
    """Make the columns of a time: median over calls and the ends of its 95 % interval, ns."""
    return (
        whole("latency_ns", found.median, "ns", f"Median over calls of {what}."),
        whole("low_ns", found.low, "ns", "Lower end of its 95 % interval; empty for a single call."),
        whole("high_ns", found.high, "ns", "Upper end of its 95 % interval."),
    )


def percent(part: Any, of: Any) -> Floats:
    """Give parts as percentages; NaN where the whole is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        made = 100 * np.asarray(part, np.float64) / np.asarray(of, np.float64)
    return np.where(np.isfinite(made), made, np.nan)


def taken(columns: Sequence[Column], rows: Any) -> tuple[Column, ...]:
    """Give some rows of columns, in the order given."""
    chosen = np.asarray(rows).tolist()
    return tuple(
        Column(
            name=one.name,
            type=one.type,
            unit=one.unit,
            meaning=one.meaning,
            cells=tuple(one.cells[row] for row in chosen),
        )
        for one in columns
    )
