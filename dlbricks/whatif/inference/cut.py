"""Less of a network: layers left out, or an exit before the last."""

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import lasting, removed
from dlbricks.whatif.inference.pacing import paced, without_queues
from dlbricks.whatif.nouns import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches

_LAYER = Parameter(name="layer", kind="text", meaning="names of layers, as in layer4.* (glob)")
_CUT = (TaskKind.CPU, TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE)
"""Calls that wait for a device, and the loading of data, stay."""
_NAMED = 3
"""Layers that a refusal gives as examples."""


def without(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Take tasks out, with what they launch; what ends a call of the host stays, and takes no time.

    So the time that passes between two calls stays where it is.
    """
    chosen = np.isin(np.arange(len(graph)), rows)
    launched = launches(graph)
    chosen |= (launched != NONE) & chosen[launched]
    launching = np.unique(launched[launched != NONE])
    hosts = np.flatnonzero(np.isin(graph.kind, (TaskKind.CPU, TaskKind.SYNCHRONISATION, TaskKind.DATA)))
    steps = step_numbers(graph)[hosts]
    lasts = np.array([hosts[steps == step][-1] for step in np.unique(steps)], np.int64)
    ends = np.setdiff1d(lasts[chosen[lasts]], launching)
    chosen[ends] = False
    bare = without_queues(lasting(graph, ends, np.zeros(len(ends), np.int64)), chosen)
    return paced(removed(bare, np.flatnonzero(chosen)))


def _of_layer(graph: DependencyGraph, values: Values) -> Longs:
    return select(graph, kinds=_CUT, layer=str(values["layer"]))


def _no_layer(graph: DependencyGraph, values: Values) -> str:
    if len(_of_layer(graph, values)):
        return ""
    names = [graph.layers[number] for number in dict.fromkeys(graph.layer[graph.layer != NONE].tolist())]
    told = f"; of its {len(names):,} layers the first are {', '.join(names[:_NAMED])}" if names else ""
    return f"no task belongs to a layer called '{values['layer']}'{told}"


REMOVE_LAYER = Transform(
    name="remove-layer",
    title="Some layers are left out.",
    evidence="modelled",
    source="Daydream's primitive remove (USENIX ATC 2020, section 4.3)",
    apply=lambda graph, values: without(graph, _of_layer(graph, values)),
    parameters=(_LAYER,),
    requires=_no_layer,
    ensures=lambda _before, after, values: (
        "" if int(after.duration_ns[_of_layer(after, values)].sum()) == 0 else "a task of these layers still takes time"
    ),
)


def _behind(graph: DependencyGraph, values: Values) -> Longs:
    """Give the tasks of layers that a step begins after the last of the layer where it leaves."""
    steps, launched = step_numbers(graph), launches(graph)
    begun = np.where(launched == NONE, np.arange(len(graph)), launched)
    leaves = _of_layer(graph, values)
    until = np.full(int(steps.max(initial=0)) + 1, len(graph), np.int64)
    for step in np.unique(steps[leaves]):
        until[step] = begun[leaves[steps[leaves] == step]].max()
    behind = (begun > until[steps]) & (graph.layer != NONE) & np.isin(graph.kind, _CUT)
    return np.flatnonzero(behind)


EARLY_EXIT = Transform(
    name="early-exit",
    title="Every call leaves the network after a layer.",
    evidence="modelled",
    source="BranchyNet (ICPR 2016, arXiv 1709.01686); what the exit itself computes is not added",
    apply=lambda graph, values: without(graph, _behind(graph, values)),
    parameters=(_LAYER,),
    requires=lambda graph, values: (
        _no_layer(graph, values) or ("" if len(_behind(graph, values)) else "no layer comes after that one")
    ),
    ensures=lambda before, after, _: "" if len(after) < len(before) else "no task is gone",
)
