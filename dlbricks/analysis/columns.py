"""Columns from arrays: what is NaN becomes an empty cell. Pure."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dlbricks.analysis.nouns import Column
from dlbricks.analysis.statistics import Floats, Summaries
from dlbricks.trace.nouns import Longs


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
