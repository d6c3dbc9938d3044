"""Tables of analyses: functions that make columns from arrays, and statistics of many groups at once.

A missing number is an empty cell (None), never 0. NaN in an array becomes an empty cell.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from dlbricks.harness.stats import median_interval_weights
from dlbricks.trace.types import Longs, Profile

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Cell: TypeAlias = int | float | str | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """Statistics of several groups of values: median, 95 % interval of the median, and number of values."""

    median: Floats
    """Median; NaN for empty groups."""
    low: Floats
    """Lower end of the interval; low and high end are NaN for groups with fewer than two values."""
    high: Floats
    count: Longs


# With so many values or fewer, the interval from the smallest to the largest value covers the median in less than 95 %.
_FEW = 5


def summaries(group: Longs, values: Floats | Longs, groups: int) -> Summaries:
    """Return median, interval and number of values for each group of values.

    The interval is that of ``harness.stats``, but not below 0. For up to ``_FEW`` values, the interval covers all
    values, and its width follows from the ratio of the largest value to the smallest.

    Args:
        group: group of each value, 0 to ``groups`` - 1.
        values: one number per entry of ``group``; NaN are ignored.
    """
    numbers = np.asarray(values, np.float64)
    valid = ~np.isnan(numbers)
    group, numbers = group[valid], numbers[valid]
    count = np.bincount(group, minlength=groups).astype(np.int64)
    first = np.cumsum(count) - count
    ordered = numbers[np.lexsort((numbers, group))]
    median, low, high = (np.full(groups, np.nan) for _ in range(3))
    # The ranks of the interval depend only on the number of values, so groups of equal size are computed together.
    for number in np.unique(count[count > 0]).tolist():
        at = np.flatnonzero(count == number)
        begin = first[at]
        median[at] = (ordered[begin + (number - 1) // 2] + ordered[begin + number // 2]) / 2
        if number > 1:
            rank, factor = median_interval_weights(number)
            half = factor * (ordered[begin + number - rank] - ordered[begin + rank - 1])
            low[at], high[at] = np.maximum(median[at] - half, 0), median[at] + half
            if number <= _FEW:
                least, most = ordered[begin], ordered[begin + number - 1]
                ratio = np.where(least > 0, most, np.nan) / np.where(least > 0, least, 1)
                low[at] = np.minimum(np.fmax(low[at], median[at] / ratio**factor), least)
                high[at] = np.maximum(np.fmax(high[at], median[at] * ratio**factor), most)
    return Summaries(median=median, low=low, high=high, count=count)


def summary(values: Floats | Longs) -> Summaries:
    """Return median, interval and number of all values, as one group."""
    return summaries(np.zeros(len(values), np.int64), values, 1)


def medians(group: Longs, values: Floats | Longs, groups: int) -> Floats:
    """Return the median of the values of each group; NaN for empty groups."""
    return summaries(group, values, groups).median


def sums(group: Longs, values: Floats | Longs, groups: int) -> Floats:
    """Return the sum of the values of each group; NaN if the group is empty or has a NaN."""
    added = np.bincount(group, weights=np.asarray(values, np.float64), minlength=groups).astype(np.float64)
    added[np.bincount(group, minlength=groups) == 0] = np.nan
    return added


def over_calls(group: Longs, call: Longs, values: Floats | Longs, groups: int) -> Summaries:
    """Add up each group's values by call; return median and interval over the calls in which the group has values."""
    cell, first = numbered(group, call)
    return summaries(group[first], sums(cell, values, len(first)), groups)


def occurrences(*keys: Longs) -> Longs:
    """Return for each row of the key columns the number of equal rows before it."""
    order, new = _sorted_runs(keys)
    place = np.arange(len(order))
    counts = np.empty(len(order), np.int64)
    counts[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return counts


def numbered(*keys: Longs) -> tuple[Longs, Longs]:
    """Number the distinct rows of key columns, sorted; return each row's number and the first row of each number."""
    order, new = _sorted_runs(keys)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    return group, order[new]


def _sorted_runs(keys: Sequence[Longs]) -> tuple[Longs, Flags]:
    # Return the rows sorted by keys, and a mask of the rows that differ from the row before.
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), bool)
    new[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    return order, new


def grouped(names: Sequence[str]) -> tuple[list[str], Longs]:
    """Return the distinct names in order of first appearance, and for each item of ``names`` its index in this list."""
    places: dict[str, int] = {}
    numbers = np.array([places.setdefault(name, len(places)) for name in names], np.int64)
    return list(places), numbers


def ranked(figures: Floats | Longs, names: Sequence[str]) -> Longs:
    """Return the indices that sort entries by descending figure, then by name; NaN come last."""
    place = {name: at for at, name in enumerate(sorted(names))}
    return np.lexsort((np.array([place[name] for name in names], np.int64), -np.nan_to_num(figures, nan=-1.0)))


class UnavailableError(Exception):
    """Raised if a profile lacks the data for an analysis; the message says what is missing and how to get it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table: name, type, unit and one cell per row."""

    name: str
    """Header, as in CSV: ``latency_ns``, ``dram_read_bytes``, ``layer``; names of times and sizes end in the unit."""
    type: str
    """Type of the cells that are not None: ``int``, ``float``, ``str`` or ``bool``."""
    unit: str = ""
    """``ns``, ``B``, ``flop``, ``flop/s``, ``flop/B``, ``%`` (values 0 to 100), ``1/s``; empty without a unit."""
    meaning: str = ""
    """What the cells are, in one sentence; empty if the name is sufficient."""
    cells: tuple[Cell, ...] = ()
    """One cell per row."""


# Columns and notes of an analysis.
TableContent: TypeAlias = tuple[Sequence[Column], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The result of an analysis: columns of equal length, or the reason why it has no columns."""

    id: str
    """Id of the analysis, for example ``A2`` or ``headroom``."""
    title: str
    columns: tuple[Column, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences on what was left out or assumed."""
    unavailable: str = ""
    """Reason why the profile does not allow this analysis, and what would allow it; empty if the table has columns."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    def rows(self) -> list[tuple[Cell, ...]]:
        """Return all rows of the table as tuples of cells."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def column(self, name: str) -> Column:
        """Return a column by name; raises ``KeyError`` if it does not exist."""
        return {column.name: column for column in self.columns}[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """Where the time of a median step goes, in categories of ``whatif``, without transforms."""

    unit: str
    """What ``time_ns`` measures: ``step``, ``call``, or ``whole`` for a trace without steps or calls."""
    steps: int
    """Number of recorded steps or calls, from which the median one is chosen."""
    time_ns: int
    untraced_ns: int | None
    """Median latency of calls without tracing of layers and kernels; None if no such calls were timed."""
    tables: tuple[Table, ...]
    """Kernels and operators by time, at most ten of each; without a device, layers and operators."""
    device: str = ""
    """Name of the device; empty if nothing runs on a device, or the name is unknown."""
    shares_ns: Mapping[str, int] = field(default_factory=dict)
    """Time of the busiest device by use, ns: ``compute``, ``communication``, ``copies``, ``several kinds at once``,
    ``idle``; without a device ``operators``, ``loading``, ``between layers``."""
    waits_ns: Mapping[str, int] = field(default_factory=dict)
    """Time of the critical path by category, ns, while the device is idle within the step on the host. It is empty
    without a device, or if the tasks of the device take longer than the step on the host."""
    path_ns: Mapping[str, int] = field(default_factory=dict)
    """Time of the critical path by category, ns; time of the device if it takes longer than the step on the host."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkTables:
    """The tables of analyses of one network's profile."""

    network: str
    tables: tuple[Table, ...]
    breakdown: Breakdown | None = None
    """Where the time of a step goes; None if only some analyses were requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisTables:
    """The tables of analyses of some profiles."""

    tables: tuple[Table, ...] = ()
    """Tables over all profiles: a comparison of two profiles, or a table of networks and a table of collectives."""
    profiles: tuple[NetworkTables, ...] = ()

    @property
    def every(self) -> tuple[Table, ...]:
        """Return all tables."""
        return (*self.tables, *(table for each in self.profiles for table in each.tables))


@dataclass(frozen=True, slots=True)
class Analysis:
    """The definition of an analysis: its id, its title, and the function that computes it."""

    id: str
    title: str
    answer: Callable[[Profile], TableContent]
    """Returns columns and notes; raises ``UnavailableError`` if data is missing."""

    def compute(self, profile: Profile) -> Table:
        """Return the analysis of a profile as a table; if data is missing, a table that says so."""
        return table_of(self.id, self.title, lambda: self.answer(profile))


def analysis(id_: str, title: str) -> Callable[[Callable[[Profile], TableContent]], Analysis]:
    """Return a decorator that turns a function, which returns a profile's columns, into an analysis."""
    return lambda answer: Analysis(id_, title, answer)


def table_of(id_: str, title: str, answer: Callable[[], TableContent]) -> Table:
    """Return a table of the columns and notes that ``answer`` returns; if data is missing, a table that states why."""
    try:
        columns, notes = answer()
    except UnavailableError as reason:
        return Table(id=id_, title=title, unavailable=str(reason))
    return Table(id=id_, title=title, columns=tuple(columns), notes=tuple(dict.fromkeys(notes)))


def whole(name: str, values: Any, unit: str = "", meaning: str = "") -> Column:
    """Return a table column of integers; numbers are rounded, and NaN become empty cells."""
    numbers = np.asarray(values)
    if not np.issubdtype(numbers.dtype, np.integer):
        numbers = numbers.astype(np.float64)
    cells = (None if number != number else round(number) for number in numbers.tolist())  # noqa: PLR0124 - NaN
    return Column(name=name, type="int", unit=unit, meaning=meaning, cells=tuple(cells))


def real(name: str, values: Any, unit: str = "", meaning: str = "") -> Column:
    """Return a table column of floats; values that are not finite become empty cells."""
    cells = (number if math.isfinite(number) else None for number in np.asarray(values, np.float64).tolist())
    return Column(name=name, type="float", unit=unit, meaning=meaning, cells=tuple(cells))


def text(name: str, values: Sequence[str | None], meaning: str = "") -> Column:
    """Return a table column of texts; empty texts become empty cells."""
    return Column(name=name, type="str", meaning=meaning, cells=tuple(value or None for value in values))


def flag(name: str, values: Sequence[bool | None], meaning: str = "") -> Column:
    """Return a table column of truth values; None becomes an empty cell."""
    return Column(name=name, type="bool", meaning=meaning, cells=tuple(values))


def latency(times: Summaries, what: str, rows: Any = slice(None)) -> tuple[Column, Column, Column]:
    """Return table columns with median and 95 % interval of a time, ns, for all groups or some ``rows``."""
    return (
        whole("latency_ns", times.median[rows], "ns", f"Median over calls of {what}."),
        whole("low_ns", times.low[rows], "ns", "Lower end of its 95 % interval; empty for a single call."),
        whole("high_ns", times.high[rows], "ns", "Upper end of its 95 % interval; empty for a single call."),
    )


def percent(part: Any, of: Any) -> Floats:
    """Return ``part`` as a percentage of ``of``; NaN where ``of`` is 0."""
    return quotient(100 * np.asarray(part, np.float64), of)


def quotient(part: Any, of: Any) -> Floats:
    """Return ``part`` divided by ``of``; NaN where the quotient is not finite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.asarray(part, np.float64) / np.asarray(of, np.float64)
    return np.where(np.isfinite(ratio), ratio, np.nan)


def select_rows(columns: Sequence[Column], rows: Any) -> tuple[Column, ...]:
    """Return table columns that have only the rows with these indices, in this order."""
    chosen = np.asarray(rows).tolist()
    return tuple(replace(column, cells=tuple(column.cells[row] for row in chosen)) for column in columns)


def concatenated(parts: Sequence[Sequence[Column]]) -> tuple[Column, ...]:
    """Return the rows of several tables, one table below the other; the tables have the same columns."""
    return tuple(
        replace(same[0], cells=tuple(cell for column in same for cell in column.cells))
        for same in zip(*parts, strict=True)
    )
