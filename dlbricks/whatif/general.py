"""Transforms that know nothing of any optimisation: they scale or set the time of tasks that a user chooses."""

from typing import TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import lasting, scaled
from dlbricks.whatif.nouns import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import Parameter, Transform, Values

Kinds: TypeAlias = "tuple[TaskKind, ...]"

_DEVICE: Kinds = (TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE)
_HOST: Kinds = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)
SELECTION = (
    Parameter(name="kind", kind="text", meaning="cpu, kernel, copy, collective, data, host, device or all", default=""),
    Parameter(name="phase", kind="text", meaning="forward, backward or update", default=""),
    Parameter(name="layer", kind="text", meaning="layers, as in 'layer4.*' (glob)", default=""),
    Parameter(name="name", kind="text", meaning="found anywhere in a task's name (regular expression)", default=""),
)
"""Parameters by which a user chooses tasks; what is left out chooses all."""


def chosen(graph: DependencyGraph, values: Values) -> Longs:
    """Give the tasks that the values of ``SELECTION`` choose.

    Raises:
        InputError: there is no such kind or phase, or the name is no regular expression.
    """
    return select(
        graph,
        kinds=_kinds(str(values["kind"])),
        phases=_phases(str(values["phase"])),
        layer=str(values["layer"]) or None,
        name=str(values["name"]) or None,
    )


def _kinds(text: str) -> Kinds:
    named: dict[str, Kinds] = {kind.name.lower(): (kind,) for kind in TaskKind}
    named |= {"device": _DEVICE, "host": _HOST, "all": (), "": ()}
    if text.lower() not in named:
        raise InputError(f"there is no kind '{text}' of tasks: give {', '.join(name for name in named if name)}")
    return named[text.lower()]


def _phases(text: str) -> tuple[Phase, ...]:
    named = {phase.name.lower(): (phase,) for phase in Phase if phase is not Phase.NONE}
    if text and text.lower() not in named:
        raise InputError(f"there is no phase '{text}': give {', '.join(named)}")
    return named.get(text.lower(), ())


def _some(graph: DependencyGraph, values: Values) -> str:
    return "" if len(chosen(graph, values)) else "nothing in it is of that kind, phase, layer and name"


def _same_tasks(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    return "" if len(before) == len(after) else "the number of tasks has changed"


def _scaled(graph: DependencyGraph, values: Values) -> DependencyGraph:
    return scaled(graph, chosen(graph, values), float(values["factor"]))


def _set(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = chosen(graph, values)
    return lasting(graph, rows, np.full(len(rows), round(float(values["time"])), np.int64))


SCALE = Transform(
    name="scale",
    title="Chosen tasks take so many times as long.",
    evidence="modelled",
    source="Daydream (USENIX ATC 2020), section 4.3: the primitives select and shrink",
    apply=_scaled,
    parameters=(
        Parameter(name="factor", kind="factor", meaning="by which durations are multiplied, as in 0.5"),
        *SELECTION,
    ),
    requires=_some,
    ensures=_same_tasks,
)
SET_TIME = Transform(
    name="set-time",
    title="Each of the chosen tasks takes a time that was measured or computed elsewhere.",
    evidence="modelled",
    source="Daydream (USENIX ATC 2020), section 4.3: the primitives select and shrink",
    apply=_set,
    parameters=(Parameter(name="time", kind="time", meaning="of each task, as in 250us"), *SELECTION),
    requires=_some,
    ensures=_same_tasks,
)
GENERAL = (SCALE, SET_TIME)
