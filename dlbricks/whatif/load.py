"""From files to a dependency graph: traces of other recorders, profiles of ours, several ranks of one run together."""

import contextlib
import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.profile.open import read_any
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.build import joined_traces
from dlbricks.trace.types import Trace
from dlbricks.whatif.collectives import with_rendezvous
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.measured import graph_of_trace
from dlbricks.whatif.nouns import DependencyGraph

_REPLAYED = LEVELS[1:]
"""Runs that hold tasks: calls alone say nothing of what they are made of."""


def graph_of_file(path: Path, batch: int | None = None, levels: str | None = None) -> DependencyGraph:
    """Read a trace or a profile and turn it into a dependency graph.

    Args:
        path: see ``profile.open.read_any``.
        batch: of a profile with several; None for the smallest.
        levels: ``ML`` or ``MLK``, of a profile with both; None for the deeper one.

    Raises:
        InputError: the file cannot be read, has no such run, or holds nothing that could be replayed.
    """
    return graph_of_files((path,), batch, levels)


def graph_of_files(paths: Sequence[Path], batch: int | None = None, levels: str | None = None) -> DependencyGraph:
    """Read one file, or those of all ranks of one run, whose collectives then wait for each other.

    Args:
        paths: one for each rank, on clocks that can be compared.
        batch: see ``graph_of_file``.
        levels: see ``graph_of_file``.

    Raises:
        InputError: see ``graph_of_file``; or no file, two of one rank, or clocks that cannot be compared.
    """
    if not paths:
        raise InputError("there is nothing to ask about: name a trace, a profile or a network")
    with _uncollected():
        return _graph(paths, batch, levels)


def _graph(paths: Sequence[Path], batch: int | None, levels: str | None) -> DependencyGraph:
    profiles = [read_any(path, checked=False) for path in paths]
    runs = [run_of(profile, path, batch, levels) for profile, path in zip(profiles, paths, strict=True)]
    if len(profiles) == 1:
        return with_overhead(graph_of_trace(runs[0].trace, profiles[0].network), profiles[0], runs[0])
    _check_ranks(paths, [run.trace for run in runs])
    name = f"{len(paths)} ranks of {profiles[0].network}"
    return with_rendezvous(graph_of_trace(joined_traces(*(run.trace for run in runs)), name))


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Let the garbage collector rest: it would walk all events again and again, a quarter of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def run_of(profile: Profile, path: Path, batch: int | None, levels: str | None) -> LevelRun:
    """Choose the run of a profile that is replayed: the deepest one, unless another is named.

    Raises:
        InputError: there is none such.
    """
    if levels is not None and levels not in _REPLAYED:
        raise InputError(f"levels '{levels}' cannot be replayed: give {' or '.join(_REPLAYED)}")
    if batch is not None and batch not in profile.batches:
        there = ", ".join(str(one) for one in profile.batches if one) or "none that is known"
        raise InputError(f"{path} has no runs of batch {batch}; there are: {there}")
    for wanted in (levels,) if levels else reversed(_REPLAYED):
        found = profile.run(wanted, batch)
        if found is not None:
            return found
    if levels is None and not profile.system and len(profile.runs) == 1:
        return profile.runs[0]
    missing = f"levels {levels}" if levels else "layers or kernels"
    raise InputError(f"{path} has no run with {missing}: record one with 'dlbricks profile --levels M,ML'")


def with_overhead(graph: DependencyGraph, profile: Profile, run: LevelRun) -> DependencyGraph:
    """Note by how much recording made calls longer, where calls were timed without it, too."""
    alone = profile.run(LEVELS[0], run.batch)
    if alone is None or not alone.samples_ns or not run.samples_ns:
        return graph
    plain, recorded = (sorted(one.samples_ns)[len(one.samples_ns) // 2] for one in (alone, run))
    if not plain:
        return graph
    return with_columns(
        graph, f"recording made calls {recorded / plain - 1:+.1%} longer than those timed without it: gains are those "
        "of the recorded calls"
    )  # fmt: skip


def _check_ranks(paths: Sequence[Path], traces: Sequence[Trace]) -> None:
    seen: dict[str, Path] = {}
    for path, trace in zip(paths, traces, strict=True):
        for process in {lane.process for lane in trace.lanes}:
            if process in seen:
                raise InputError(
                    f"{seen[process]} and {path} are of one process ({process}): give one file for each rank, or ask "
                    "about each alone"
                )
        seen.update(dict.fromkeys((lane.process for lane in trace.lanes), path))
