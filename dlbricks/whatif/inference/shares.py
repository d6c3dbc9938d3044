"""What the time of a task goes to: arithmetic, memory, or what it takes however little it does.

The roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785) with sums in the place
of maxima, as in ``construct.roofs``: what a task computes and what it fetches overlaps in part only. Rates are those
that the graph itself shows, and the measured time of a task is split as its model is: so the model decides only what
an edit does to a time, never the time itself.
"""

from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import lasting
from dlbricks.whatif.inference.operators import work_classes
from dlbricks.whatif.kernels import KernelClass
from dlbricks.whatif.nouns import DependencyGraph, Floats

_LONG = 4
"""Tasks of fewer times the quickest one say nothing of rates."""
_ARITHMETIC_PERCENTILE = 99
_MEMORY_PERCENTILE = 90
_PASSING = (KernelClass.ELEMENTWISE, KernelClass.MOVEMENT)
"""Classes that read and write each value once."""
_ARITHMETIC = (KernelClass.MATRIX, KernelClass.ATTENTION)
"""Where flops and bytes are not known: classes that are limited by arithmetic; all others by memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How fast the tasks of a graph are at best."""

    flops_per_ns: float
    """Infinite where no task shows it."""
    bytes_per_ns: float
    """Infinite where no task shows it."""
    fixed_ns: float
    """What the quickest task takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Parts of the times of some tasks, one entry for each; the three add up to 1."""

    rows: Longs
    """The tasks."""
    arithmetic: Floats
    memory: Floats
    fixed: Floats

    def times_ns(self, graph: DependencyGraph, arithmetic: Floats, memory: Floats, fixed: float = 1.0) -> Longs:
        """Give new times: each part multiplied by a factor.

        Args:
            graph: of which the tasks are.
            arithmetic: factors by task.
            memory: factors by task.
            fixed: one factor for all.
        """
        factor = self.arithmetic * arithmetic + self.memory * memory + self.fixed * fixed
        made: Longs = np.rint(graph.duration_ns[self.rows] * factor).astype(np.int64)
        return made

    def scaled(self, graph: DependencyGraph, arithmetic: Floats, memory: Floats, fixed: float = 1.0) -> DependencyGraph:
        """Give the graph with these times."""
        return lasting(graph, self.rows, self.times_ns(graph, arithmetic, memory, fixed))


def figures(graph: DependencyGraph, name: str) -> Floats:
    """Give an attribute of every task, NaN where it is not known."""
    made: Floats = graph.attributes.get(name, np.full(len(graph), np.nan))
    return made


def moved_bytes(graph: DependencyGraph) -> Floats:
    """Give the bytes that every task reads and writes, NaN where they are not known."""
    made: Floats = figures(graph, "read_bytes") + figures(graph, "written_bytes")
    return made


def rates(graph: DependencyGraph, rows: Longs) -> Rates:
    """Find the best rates that some tasks show.

    Args:
        graph: of which the tasks are.
        rows: tasks of one kind of lane, all kernels or all layers on the host.
    """
    times = graph.duration_ns[rows].astype(np.float64)
    some = times[times > 0]
    fixed = float(some.min()) if len(some) else 0.0
    long = times > _LONG * fixed
    return Rates(
        flops_per_ns=_best(figures(graph, "flops")[rows][long], times[long], _ARITHMETIC_PERCENTILE),
        bytes_per_ns=_best(moved_bytes(graph)[rows][long], times[long], _MEMORY_PERCENTILE),
        fixed_ns=fixed,
    )


def _best(amounts: Floats, times_ns: Floats, percentile: float) -> float:
    some = np.nan_to_num(amounts) > 0
    return float(np.percentile(amounts[some] / times_ns[some], percentile)) if some.any() else float("inf")


def passing_ns(graph: DependencyGraph, rows: Longs, best: Rates, nbytes: float) -> int:
    """Give what a task takes that reads and writes so many bytes and does little else, as such tasks of the graph do.

    Those that are not much longer than the quickest say little of rates: they count only where there are no others.

    Args:
        graph: of which the tasks are.
        rows: tasks of one kind of lane.
        best: rates of these.
        nbytes: read and written together.
    """
    times, moved = graph.duration_ns[rows].astype(np.float64), moved_bytes(graph)[rows]
    like = np.isin(work_classes(graph)[rows], _PASSING) & (np.nan_to_num(moved) > 0) & (times > 0)
    long = like & (times > _LONG * best.fixed_ns)
    like = long if long.any() else like
    rate = float(moved[like].sum() / times[like].sum()) if like.any() else best.bytes_per_ns
    return round(best.fixed_ns + nbytes / rate)


def shares(graph: DependencyGraph, rows: Longs, best: Rates | None = None) -> Shares:
    """Split the times of some tasks.

    Tasks whose flops and bytes are known are split as their roofline is, others by their class: what is fixed first,
    and of the rest all is arithmetic in products of matrices, all memory elsewhere.

    Args:
        graph: of which the tasks are.
        rows: the tasks.
        best: rates; None for those of the tasks themselves.
    """
    best = best or rates(graph, rows)
    times = np.maximum(graph.duration_ns[rows].astype(np.float64), 1.0)
    fixed = np.minimum(1.0, best.fixed_ns / times)
    arithmetic = figures(graph, "flops")[rows] / best.flops_per_ns
    memory = moved_bytes(graph)[rows] / best.bytes_per_ns
    known = np.nan_to_num(arithmetic + memory) > 0
    limited = np.isin(work_classes(graph)[rows], _ARITHMETIC)
    part = np.where(known, arithmetic / np.where(known, arithmetic + memory, 1.0), limited)
    return Shares(rows=rows, arithmetic=(1 - fixed) * part, memory=(1 - fixed) * (1 - part), fixed=fixed)
