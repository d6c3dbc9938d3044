"""Choosing tasks of a dependency graph: by layer, phase, kind, name, lane, or any predicate on columns."""

import fnmatch
import re
from collections.abc import Callable, Sequence

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.nouns import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.waits import launches


def select(
    graph: DependencyGraph,
    *,
    kinds: Sequence[TaskKind] = (),
    phases: Sequence[Phase] = (),
    layer: str | None = None,
    name: str | None = None,
    lane: str | None = None,
    where: Callable[[DependencyGraph], "np.ndarray[tuple[int], np.dtype[np.bool_]]"] | None = None,
) -> Longs:
    """Give the tasks that fit all that is asked for, in the order of the table.

    Args:
        graph: of tasks.
        kinds: any of them; empty for all.
        phases: any of them; empty for all.
        layer: glob over names of layers, case counts, as in ``layer4.*``.
        name: regular expression found anywhere in the task's name, case does not count.
        lane: glob over ``process/device/name`` of the lane, as in ``*/gpu 0/stream 7``.
        where: gives a truth value for every task.

    Raises:
        InputError: ``name`` is no regular expression.
    """
    chosen = np.ones(len(graph), bool)
    if kinds:
        chosen &= np.isin(graph.kind, kinds)
    if phases:
        chosen &= np.isin(graph.phase, phases)
    if layer is not None:
        fitting = [number for number, text in enumerate(graph.layers) if fnmatch.fnmatchcase(text, layer)]
        chosen &= np.isin(graph.layer, fitting)
    if name is not None:
        try:
            pattern = re.compile(name, re.IGNORECASE)
        except re.error as error:
            raise InputError(f"'{name}' is no regular expression: {error}") from error
        fitting = [number for number, text in enumerate(graph.names) if pattern.search(text)]
        chosen &= np.isin(graph.task_name, fitting)
    if lane is not None:
        paths = [f"{one.process}/{one.device}/{one.name}" for one in graph.lanes]
        fitting = [number for number, path in enumerate(paths) if fnmatch.fnmatchcase(path, lane)]
        chosen &= np.isin(graph.lane, fitting)
    if where is not None:
        chosen &= where(graph)
    return np.flatnonzero(chosen)


def on_device(graph: DependencyGraph) -> Longs:
    """Give all tasks that run on a device."""
    return select(graph, kinds=(TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE))


def launched_by(graph: DependencyGraph, rows: Longs) -> Longs:
    """Give the launches of some tasks, each once, those without one left out."""
    found = launches(graph)[rows]
    return np.unique(found[found >= 0])
