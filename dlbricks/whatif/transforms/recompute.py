"""Less memory for more time: activations that the backward pass computes again (``recompute``)."""

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.launching import NewKernel, with_kernels
from dlbricks.whatif.select import mirrored, passes, select
from dlbricks.whatif.transform import Parameter, Transform, Values


def _steps(graph: DependencyGraph, values: Values) -> list[tuple[Longs, Longs]]:
    """Give what each step of each rank computes again, and for each of these kernels the backward one of its place."""
    layer = None if values["layer"] == "*" else values["layer"]
    chosen = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,), layer=layer)
    both = (select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,)) for phase in (Phase.FORWARD, Phase.BACKWARD))
    made = []
    for forward, backward in passes(graph, *both):
        again = np.isin(forward, chosen)
        if again.any():
            made.append((forward[again], mirrored(forward, backward)[again]))
    return made


def _recomputed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels: list[NewKernel] = []
    for again, backward in _steps(graph, values):
        for part in np.array_split(np.arange(len(again)), min(int(values["segments"]), len(again))):
            begins = int(backward[part[-1]])
            kernels += [
                NewKernel(name=graph.named(row), duration_ns=int(graph.duration_ns[row]), beside=begins, before=True)
                for row in again[part].tolist()
            ]
    return with_kernels(graph, kernels).graph


def _nothing_again(graph: DependencyGraph, values: Values) -> str:
    if _steps(graph, values):
        return ""
    return f"no layer that fits '{values['layer']}' has kernels in a forward pass with a backward pass behind it"


def _as_often(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Say where kernels were lost: the device works longer by what is computed again, to the ns."""
    again = sum(int(before.duration_ns[rows].sum()) for rows, _ in _steps(before, values))
    kernels = [int(one.duration_ns[one.kind == TaskKind.KERNEL].sum()) for one in (before, after)]
    return "" if kernels[1] - kernels[0] == again else "not all of the forward pass is computed again"


RECOMPUTE = Transform(
    name="recompute",
    title="Activations are not kept: the backward pass computes them again (activation checkpointing).",
    evidence="modelled",
    source="Chen et al., Training Deep Nets with Sublinear Memory Cost (2016); torch.utils.checkpoint",
    apply=_recomputed,
    parameters=(
        Parameter("segments", "count", "pieces of the forward pass, each computed again before its backward pass", "8"),
        Parameter("layer", "text", "glob of layers that are computed again", "*"),
    ),
    requires=_nothing_again,
    ensures=_as_often,
)
"""The kernels of each segment of the forward pass run once more, each with a launch, ahead of the first backward kernel
of that segment; segments have equally many kernels. Kernels of both passes are matched by their places. Collectives are
not repeated. What less memory allows, a larger batch, is another question.
"""
