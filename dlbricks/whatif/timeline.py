"""A schedule as a trace again, for viewers: what runs when, on which lane, and whether all waits for it."""

from typing import Any

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.types import NONE, Attribute, Level, Role, Trace, TraceClock
from dlbricks.whatif.explain import explain
from dlbricks.whatif.nouns import DependencyGraph, Phase, Schedule, TaskKind
from dlbricks.whatif.waits import launches

_LEVELS = {TaskKind.CPU: Level.LIBRARY, TaskKind.DATA: Level.APPLICATION, TaskKind.SYNCHRONISATION: Level.LIBRARY}
_KINDS = {
    TaskKind.CPU: kinds.RUNTIME,
    TaskKind.KERNEL: kinds.KERNEL,
    TaskKind.COPY: kinds.COPY,
    TaskKind.COLLECTIVE: kinds.COLLECTIVE,
    TaskKind.DATA: kinds.RANGE,
    TaskKind.SYNCHRONISATION: kinds.SYNCHRONISATION,
}


def trace_of(graph: DependencyGraph, schedule: Schedule) -> Trace:
    """Give every task as a span, launches leading to what they launch; attributes say what the graph knew of it."""
    names = (*_KINDS.values(), kinds.OPERATOR)
    by_kind = np.array([names.index(_KINDS[kind]) for kind in TaskKind])
    levels = np.array([int(_LEVELS.get(kind, Level.KERNEL)) for kind in TaskKind])
    is_layer = (graph.kind == TaskKind.CPU) & (graph.operator != NONE)
    launch = launches(graph)
    roles = np.full(len(graph), int(Role.PLAIN))
    roles[launch[launch != NONE]] = int(Role.LAUNCH)
    roles[launch != NONE] = int(Role.EXECUTION)
    return from_columns(
        TraceClock(name="simulated"),
        names=graph.names,
        kinds=names,
        lanes=graph.lanes,
        columns={
            "level": np.where(is_layer, int(Level.LAYER), levels[graph.kind]),
            "role": roles,
            "kind": np.where(is_layer, len(names) - 1, by_kind[graph.kind]),
            "name": graph.task_name,
            "lane": graph.lane,
            "start_ns": schedule.start_ns,
            "end_ns": schedule.end_ns,
            "parent": launch,
        },
        attributes=_attributes(graph, schedule),
    )


def _attributes(graph: DependencyGraph, schedule: Schedule) -> dict[str, Attribute]:
    made = {}
    labelled = np.flatnonzero(graph.layer != NONE)
    phased = np.flatnonzero(graph.phase != Phase.NONE)
    typed = np.flatnonzero(graph.operator != NONE)
    path = np.sort(np.array(explain(graph, schedule).path, np.int64))
    columns: tuple[tuple[str, Any, list[Any]], ...] = (
        ("layer", labelled, [graph.layers[number] for number in graph.layer[labelled].tolist()]),
        ("phase", phased, [Phase(number).name.lower() for number in graph.phase[phased].tolist()]),
        ("type", typed, [graph.operators[number] for number in graph.operator[typed].tolist()]),
        ("critical", path, [True] * len(path)),
        ("task", np.arange(len(graph)), list(range(len(graph)))),
    )
    for name, rows, values in columns:
        if len(rows):
            made[name] = attribute_of(rows, values)
    return made
