"""A schedule as a trace again, for viewers: what runs when, on which lane, and whether all waits for it."""

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.types import NONE, Level, Role, Trace, TraceClock
from dlbricks.whatif.explain import explain
from dlbricks.whatif.graph import DependencyGraph, Phase, Schedule, TaskKind, launches

_SHOWN = {
    TaskKind.CPU: (kinds.RUNTIME, Level.LIBRARY),
    TaskKind.KERNEL: (kinds.KERNEL, Level.KERNEL),
    TaskKind.COPY: (kinds.COPY, Level.KERNEL),
    TaskKind.COLLECTIVE: (kinds.COLLECTIVE, Level.KERNEL),
    TaskKind.DATA: (kinds.RANGE, Level.APPLICATION),
    TaskKind.SYNCHRONISATION: (kinds.SYNCHRONISATION, Level.LIBRARY),
}
"""Kind and level of the span of each task."""


def trace_of(graph: DependencyGraph, schedule: Schedule) -> Trace:
    """Give every task as a span, launches leading to what they launch; attributes say what the graph knew of it."""
    levels = np.array([int(_SHOWN[kind][1]) for kind in TaskKind])
    is_layer = (graph.kind == TaskKind.CPU) & (graph.operator != NONE)
    launch = launches(graph)
    roles = np.full(len(graph), int(Role.PLAIN))
    roles[launch[launch != NONE]] = int(Role.LAUNCH)
    roles[launch != NONE] = int(Role.EXECUTION)
    labelled = np.flatnonzero(graph.layer != NONE)
    phased = np.flatnonzero(graph.phase != Phase.NONE)
    typed = np.flatnonzero(graph.operator != NONE)
    path = np.sort(np.array(explain(graph, schedule).path, np.int64))
    attributes = {
        "layer": (labelled, [graph.layers[number] for number in graph.layer[labelled].tolist()]),
        "phase": (phased, [Phase(number).name.lower() for number in graph.phase[phased].tolist()]),
        "type": (typed, [graph.operators[number] for number in graph.operator[typed].tolist()]),
        "critical": (path, [True] * len(path)),
        "task": (np.arange(len(graph)), list(range(len(graph)))),
    }
    return from_columns(
        TraceClock(name="simulated"),
        names=graph.names,
        kinds=(*(_SHOWN[kind][0] for kind in TaskKind), kinds.OPERATOR),
        lanes=graph.lanes,
        columns={
            "level": np.where(is_layer, int(Level.LAYER), levels[graph.kind]),
            "role": roles,
            "kind": np.where(is_layer, len(TaskKind), graph.kind),
            "name": graph.task_name,
            "lane": graph.lane,
            "start_ns": schedule.start_ns,
            "end_ns": schedule.end_ns,
            "parent": launch,
        },
        attributes={name: attribute_of(rows, values) for name, (rows, values) in attributes.items() if len(rows)},
    )
