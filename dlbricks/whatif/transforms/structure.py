"""Chosen tasks and layers: scaled, given another time, swapped, substituted, left out.

These know nothing of any optimisation: how quick the other kernel or layer is has to be known from elsewhere.
"""

from typing import TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import mask, removed, scaled, with_durations
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Phase, TaskKind, launches, with_texts
from dlbricks.whatif.select import on_device, select, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.transforms.host import paced, without_queues
from dlbricks.whatif.work import no_work, work

Kinds: TypeAlias = tuple[TaskKind, ...]

_PRIMITIVES = "Daydream (USENIX ATC 2020), section 4.3: the primitives select and shrink"
_SELECTION = (
    Parameter("kind", "text", "cpu, kernel, copy, collective, data, host, device or all", ""),
    Parameter("phase", "text", "forward, backward or update", ""),
    Parameter("layer", "text", "layers, as in 'layer4.*' (glob)", ""),
    Parameter("name", "text", "found anywhere in a task's name (regular expression)", ""),
)
"""Parameters by which a user chooses tasks; what is left out chooses all."""
_CUT = (TaskKind.CPU, *ON_DEVICE)
"""Calls that wait for a device, and the loading of data, stay."""
_LAYERS_SHOWN = 3
"""That a refusal gives as examples."""
_NONE = "none"


def _chosen(graph: DependencyGraph, values: Values) -> Longs:
    """Give the tasks that the values of ``_SELECTION`` choose.

    Raises:
        InputError: there is no such kind or phase, or the name is no regular expression.
    """
    kinds: dict[str, Kinds] = {kind.name.lower(): (kind,) for kind in TaskKind}
    kinds |= {"device": ON_DEVICE, "host": ON_HOST, "all": (), "": ()}
    phases: dict[str, tuple[Phase, ...]] = {phase.name.lower(): (phase,) for phase in Phase if phase != Phase.NONE}
    phases[""] = ()
    kind, phase = values["kind"].lower(), values["phase"].lower()
    if kind not in kinds:
        known = ", ".join(name for name in kinds if name)
        raise InputError(f"there is no kind '{values['kind']}' of tasks: give {known}")
    if phase not in phases:
        known = ", ".join(name for name in phases if name)
        raise InputError(f"there is no phase '{values['phase']}': give {known}")
    layer, name = (values[key] or None for key in ("layer", "name"))
    return select(graph, kinds=kinds[kind], phases=phases[phase], layer=layer, name=name)


def _none_chosen(graph: DependencyGraph, values: Values) -> str:
    return "" if len(_chosen(graph, values)) else "nothing in it is of that kind, phase, layer and name"


SCALE = Transform(
    name="scale",
    title="Chosen tasks take so many times as long.",
    source=_PRIMITIVES,
    apply=lambda graph, values: scaled(graph, _chosen(graph, values), values["factor"]),
    parameters=(Parameter("factor", "factor", "by which durations are multiplied, as in 0.5"), *_SELECTION),
    requires=_none_chosen,
    ensures=counting(0, "the number of tasks has changed"),
)


def _timed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _chosen(graph, values)
    return with_durations(graph, rows, np.full(len(rows), values["time"]))


SET_TIME = Transform(
    name="set-time",
    title="Each of the chosen tasks takes a time that was measured or computed elsewhere.",
    source=_PRIMITIVES,
    apply=_timed,
    parameters=(Parameter("time", "time", "of each task, as in 250us"), *_SELECTION),
    requires=_none_chosen,
    ensures=counting(0, "the number of tasks has changed"),
)


def _swapped_rows(graph: DependencyGraph, values: Values) -> Longs:
    return np.intersect1d(select(graph, name=values["kernel"]), work(graph))


def _swapped(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _swapped_rows(graph, values)
    name: str = values["by"]
    made = scaled(graph, rows, 1 / values["factor"])
    return with_texts(made, "names", "task_name", dict.fromkeys(rows.tolist(), name)) if name else made


KERNEL_SWAP = Transform(
    name="kernel-swap",
    title="Other kernels do the same work in another time.",
    source="Daydream leaves the times of new kernels to who asks (USENIX ATC 2020, section 4.3), so does this",
    apply=_swapped,
    parameters=(
        Parameter("kernel", "text", "found anywhere in the name, case aside (regular expression)"),
        Parameter("factor", "factor", "how many times as quick the other kernel is"),
        Parameter("by", "text", "name of the other kernel", ""),
    ),
    requires=lambda graph, values: (
        no_work(graph)
        or ("" if len(_swapped_rows(graph, values)) else f"no kernel or layer is called '{values['kernel']}'")
    ),
)


def _of(graph: DependencyGraph, layer: str) -> Longs:
    """Give the device tasks of layers; without a device, all of their tasks."""
    rows, device = select(graph, layer=layer), on_device(graph)
    if layer == _NONE:
        return np.empty(0, np.int64)
    return np.intersect1d(rows, device) if len(device) else rows


def _substituted(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kept, gone = (_of(graph, values[key]) for key in ("layer", "remove"))
    return removed(scaled(graph, kept, values["time"]), gone)


def _nothing_to_substitute(graph: DependencyGraph, values: Values) -> str:
    kept, gone = (_of(graph, values[key]) for key in ("layer", "remove"))
    if not len(kept):
        return f"no layer with tasks fits '{values['layer']}'"
    if values["remove"] != _NONE and not len(gone):
        return f"no layer with tasks fits '{values['remove']}'"
    both = np.intersect1d(kept, gone)
    return f"{graph.layers[graph.layer[both[0]]]} cannot both stay and go" if len(both) else ""


METAFLOW = Transform(
    name="metaflow",
    title="A substitution of layers: some go, one takes over their work.",
    source="MetaFlow (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_substituted,
    parameters=(
        Parameter("layer", "text", "glob of layers that stay and change"),
        Parameter("time", "factor", "that they take then, by what they take now", "1x"),
        Parameter("remove", "text", "glob of layers that go, with their launches", _NONE),
    ),
    requires=_nothing_to_substitute,
    ensures=lambda before, after, values: (
        "" if len(after) <= len(before) and not len(_of(after, values["remove"])) else "a layer did not go"
    ),
)
"""Per substitution: as two convolutions of one input that become one of twice the channels. The time that the new layer
takes has to be known from elsewhere, as from the stored time of such a layer or from the ratio of the work.
"""


def _without(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Take tasks out, with what they launch; what ends a call of the host stays, and takes no time.

    So the time that passes between two calls stays where it is.
    """
    chosen = mask(graph, rows)
    launched = launches(graph)
    chosen |= (launched != NONE) & chosen[launched]
    hosts = np.flatnonzero(np.isin(graph.kind, ON_HOST))
    steps = step_numbers(graph)[hosts]
    lasts = np.array([hosts[steps == step][-1] for step in np.unique(steps)], np.int64)
    ends = np.setdiff1d(lasts[chosen[lasts]], launched)
    chosen[ends] = False
    bare = without_queues(with_durations(graph, ends, np.zeros(len(ends))), chosen)
    return paced(removed(bare, np.flatnonzero(chosen)))


def _of_layer(graph: DependencyGraph, values: Values) -> Longs:
    return select(graph, kinds=_CUT, layer=values["layer"])


def _no_layer(graph: DependencyGraph, values: Values) -> str:
    if len(_of_layer(graph, values)):
        return ""
    names = [graph.layers[number] for number in dict.fromkeys(graph.layer[graph.layer != NONE].tolist())]
    examples = f"; of its {len(names):,} layers the first are {', '.join(names[:_LAYERS_SHOWN])}" if names else ""
    return f"no task belongs to a layer called '{values['layer']}'{examples}"


_LAYER = Parameter("layer", "text", "names of layers, as in layer4.* (glob)")
REMOVE_LAYER = Transform(
    name="remove-layer",
    title="Some layers are left out.",
    source="Daydream's primitive remove (USENIX ATC 2020, section 4.3)",
    apply=lambda graph, values: _without(graph, _of_layer(graph, values)),
    parameters=(_LAYER,),
    requires=_no_layer,
    ensures=lambda _before, after, values: (
        "a task of these layers still takes time" if after.duration_ns[_of_layer(after, values)].any() else ""
    ),
)


def _after_exit(graph: DependencyGraph, values: Values) -> Longs:
    """Give the tasks of layers that begin, in their step, after the last task of the layer of the exit."""
    steps, launched = step_numbers(graph), launches(graph)
    begun = np.where(launched == NONE, np.arange(len(graph)), launched)
    leaves = _of_layer(graph, values)
    until = np.full(int(steps.max(initial=0)) + 1, len(graph), np.int64)
    for step in np.unique(steps[leaves]):
        until[step] = begun[leaves[steps[leaves] == step]].max()
    return np.flatnonzero((begun > until[steps]) & (graph.layer != NONE) & np.isin(graph.kind, _CUT))


EARLY_EXIT = Transform(
    name="early-exit",
    title="Every call leaves the network after a layer.",
    source="BranchyNet (ICPR 2016, arXiv 1709.01686); what the exit itself computes is not added",
    apply=lambda graph, values: _without(graph, _after_exit(graph, values)),
    parameters=(_LAYER,),
    requires=lambda graph, values: (
        _no_layer(graph, values) or ("" if len(_after_exit(graph, values)) else "no layer comes after that one")
    ),
    ensures=counting(-1, "no task is gone"),
)
