"""Generic edits of chosen tasks and layers: scale, set time.

Their parameters state the effect of an optimisation; it is not predicted.
"""

from typing import TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import Parameter, Transform, Values, counting

Kinds: TypeAlias = tuple[TaskKind, ...]
_PRIMITIVES = "Daydream (USENIX ATC 2020), section 4.3: the primitives select and shrink"
# Parameters that select tasks; omitted ones do not restrict.
_SELECTION = (
    Parameter("kind", "text", "cpu, kernel, copy, collective, data, host, device or all", ""),
    Parameter("phase", "text", "forward, backward or update", ""),
    Parameter("layer", "text", "layer names, as in 'layer4.*' (glob)", ""),
    Parameter("name", "text", "searched in task names (regular expression)", ""),
)


def _chosen(graph: DependencyGraph, values: Values) -> Longs:
    """Return the tasks selected by the values of ``_SELECTION``.

    Raises:
        InputError: the kind or phase is unknown, or the name is not a regular expression.
    """
    kinds: dict[str, Kinds] = {kind.name.lower(): (kind,) for kind in TaskKind}
    kinds |= {"device": ON_DEVICE, "host": ON_HOST, "all": (), "": ()}
    phases: dict[str, tuple[Phase, ...]] = {phase.name.lower(): (phase,) for phase in Phase if phase != Phase.NONE}
    phases[""] = ()
    kind, phase = values["kind"].lower(), values["phase"].lower()
    if kind not in kinds:
        names = ", ".join(name for name in kinds if name)
        raise InputError(f"unknown kind of tasks '{values['kind']}': give {names}")
    if phase not in phases:
        names = ", ".join(name for name in phases if name)
        raise InputError(f"unknown phase '{values['phase']}': give {names}")
    layer, name = (values[key] or None for key in ("layer", "name"))
    return select(graph, kinds=kinds[kind], phases=phases[phase], layer=layer, name=name)


def _none_chosen(graph: DependencyGraph, values: Values) -> str:
    return "" if len(_chosen(graph, values)) else "it has no tasks of that kind, phase, layer and name"


SCALE = Transform(
    name="scale",
    title="Multiplies the durations of chosen tasks.",
    source=_PRIMITIVES,
    apply=lambda graph, values: scaled(graph, _chosen(graph, values), values["factor"]),
    parameters=(Parameter("factor", "factor", "factor on durations, as in 0.5"), *_SELECTION),
    requires=_none_chosen,
    ensures=counting(0, "the number of tasks has changed"),
)


def _timed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _chosen(graph, values)
    return with_durations(graph, rows, np.full(len(rows), values["time"]))


SET_TIME = Transform(
    name="set-time",
    title="Sets the duration of each chosen task, measured or computed elsewhere.",
    source=_PRIMITIVES,
    apply=_timed,
    parameters=(Parameter("time", "time", "duration of each task, as in 250us"), *_SELECTION),
    requires=_none_chosen,
    ensures=counting(0, "the number of tasks has changed"),
)
