"""The row of a table of ``make bench``, and the peak memory of a process."""

import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table."""

    what: str
    reach: str
    measured: str


Part = Callable[[Path], Iterator[Row]]
"""Measures some rows; the argument is a folder for its files."""


def peak_mb(usage: resource.struct_rusage) -> float:
    """Return the peak memory of a process."""
    unit = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
    return usage.ru_maxrss * unit / 1e6


def own_peak_mb() -> float:
    """Return the peak memory of this process."""
    return peak_mb(resource.getrusage(resource.RUSAGE_SELF))
