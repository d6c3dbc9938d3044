"""Substitutions of layers, as MetaFlow's: some layers go, others become larger or smaller.

Jia et al., MLSys 2019; modelled by Daydream (USENIX ATC 2020, section 5.3).
"""

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import removed, scaled
from dlbricks.whatif.nouns import DependencyGraph
from dlbricks.whatif.select import on_device, select
from dlbricks.whatif.transform import Parameter, Transform, Values

_NONE = "none"


def _of(graph: DependencyGraph, layer: str) -> Longs:
    """Give the device tasks of layers; without a device, all of their tasks."""
    if layer == _NONE:
        return np.empty(0, np.int64)
    rows = select(graph, layer=layer)
    device = on_device(graph)
    return np.intersect1d(rows, device) if len(device) else rows


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kept, gone = _of(graph, str(values["layer"])), _of(graph, str(values["remove"]))
    return removed(scaled(graph, kept, float(values["time"])), gone)


def _why_not(graph: DependencyGraph, values: Values) -> str:
    kept, gone = _of(graph, str(values["layer"])), _of(graph, str(values["remove"]))
    if not len(kept):
        return f"no layer with tasks fits '{values['layer']}'"
    if str(values["remove"]) != _NONE and not len(gone):
        return f"no layer with tasks fits '{values['remove']}'"
    both = np.intersect1d(kept, gone)
    if len(both):
        return f"{graph.layers[graph.layer[both[0]]]} cannot both stay and go"
    return ""


METAFLOW = Transform(
    name="metaflow",
    title="A substitution of layers: some go, one takes over their work.",
    evidence="modelled",
    source="MetaFlow (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_apply,
    parameters=(
        Parameter(name="layer", kind="text", meaning="glob of layers that stay and change"),
        Parameter(name="time", kind="factor", meaning="that they take then, by what they take now", default="1x"),
        Parameter(name="remove", kind="text", meaning="glob of layers that go, with their launches", default=_NONE),
    ),
    requires=_why_not,
    ensures=lambda before, after, values: (
        "" if len(after) <= len(before) and not len(_of(after, str(values["remove"]))) else "a layer did not go"
    ),
)
"""Per substitution: as two convolutions of one input that become one of twice the channels. The time that the new layer
takes has to be known from elsewhere, as from the stored time of such a layer or from the ratio of the work.
"""
