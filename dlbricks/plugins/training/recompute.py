"""The transform for activation checkpointing: the backward pass recomputes segments of the forward pass."""

import re

import numpy as np

from dlbricks.plugins.training.one_device import matching_backward, passes_by_step
from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import KernelClass
from dlbricks.whatif.edit import IS_GRAPH, NewKernel, mask, median_launch, with_kernels
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Mask, Phase, TaskKind, launches, with_columns
from dlbricks.whatif.select import of_name, of_operator, select
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import classes

_ADD = re.compile(r"CUDAFunctor_add<|AddFunctor|add_kernel")
# Backward operators that end the gradient of a normalisation.
_OF_NORM = re.compile(r"norm|pow|mul", re.IGNORECASE)
# Kernels that sum up the parts of a product.
_SPLIT = re.compile(r"splitk", re.IGNORECASE)
_ALL = "*"
# Host time of a segment's second pass relative to its first: hooks of torch.utils.checkpoint hand every saved tensor
# over, and restore the state of random numbers. Of a Llama on an H200, whose host takes all of its step.
_AGAIN = 1.6
# Host time that a checkpoint adds to the first pass of a segment, in launches of that pass. Of the same Llama.
_KEEPING = 8.0


def _segments(graph: DependencyGraph, values: Values) -> list[tuple[Longs, int]]:
    """Return the kernels of each segment, and the backward kernel before which they are executed again."""
    # Checkpoints are of blocks of layers: of several segments, none holds the last product (classifier, words) and the
    # loss behind it, whose backward pass follows at once.
    count, everything = int(values["segments"]), values["layer"] == _ALL
    chosen = select(
        graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,), layer=None if everything else values["layer"]
    )
    both = (select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,)) for phase in (Phase.FORWARD, Phase.BACKWARD))
    product, added = classes(graph) == KernelClass.MATRIX, of_name(graph, _ADD.search)
    segments: list[tuple[Longs, int]] = []
    for forward, backward in passes_by_step(graph, *both):
        again, behind = np.flatnonzero(np.isin(forward, chosen)), matching_backward(forward, backward)
        products = np.flatnonzero(product[forward])
        if count > 1 and everything and len(products) > 1:
            again = again[: products[-1]]
            ends = _ends(graph, forward, (product, added), count) if _adds_gradients(graph, backward, count) else ()
            if len(ends):
                parts = np.split(again, [end + 1 for end, _ in ends])[:-1]
                segments += [
                    (forward[part[part < begin]], int(behind[part[-1]]))
                    for part, (_, begin) in zip(parts, ends, strict=True)
                ]
                continue
        if len(again):
            parts = np.array_split(again, min(count, len(again)))
            segments += [(forward[part], int(behind[part[-1]])) for part in parts]
    return segments


def _ends(graph: DependencyGraph, forward: Longs, kinds: tuple[Mask, Mask], count: int) -> tuple[tuple[int, int], ...]:
    # Return for each block its last addition, and the product before which recomputation stops: at that product all
    # saved tensors are complete, so torch.utils.checkpoint stops there.
    product, added = (mask[forward] for mask in kinds)
    parts = of_name(graph, _SPLIT.search)[forward]
    at = np.flatnonzero(added[1:] & product[:-1])
    each = len(at) // count
    if not each or len(at) % count >= each:
        return ()
    # further ones are in what is ahead of the blocks
    ends = at[::-1][::each][:count][::-1]
    return tuple((int(place) + 1, int(place) - int(parts[place])) for place in ends)


def _adds_gradients(graph: DependencyGraph, backward: Longs, count: int) -> bool:
    """Return whether gradients are added behind normalisations, as if skip connections bypass these."""
    # Blocks that end with a normalisation of the sum need the sum, and so the product, again.
    some = of_name(graph, _ADD.search) & of_operator(graph, _OF_NORM.search)
    return int(np.count_nonzero(some[backward])) >= count - 1


def _recomputed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    launch, gaps, call_ns = launches(graph), np.array(graph.gap_ns), median_launch(graph).duration_ns
    launching = mask(graph, graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH])
    of_graph = of_name(graph, IS_GRAPH.search)
    kernels = []
    for rows, begins in _segments(graph, values):
        calls, gap_ns = np.unique(launch[rows]), None
        if len(calls) and calls[0] != NONE and not of_graph[calls].any():
            each_ns = _host_ns(graph, calls, launching)
            gap_ns = max(0, round(_AGAIN * each_ns) - call_ns)
            gaps[calls[-1]] += round(_KEEPING * each_ns)
        kernels += [
            NewKernel(
                name=graph.named(row), duration_ns=int(graph.duration_ns[row]), next_to=begins, before=True,
                call_gap_ns=gap_ns,
            )
            for row in rows.tolist()
        ]  # fmt: skip
    return with_kernels(with_columns(graph, gap_ns=gaps), kernels).graph


def _host_ns(graph: DependencyGraph, calls: Longs, launching: Mask) -> float:
    """Return the host time per launch in the forward pass of a segment, ns."""
    between = np.arange(calls[0], calls[-1] + 1)
    own = (graph.lane[between] == graph.lane[calls[0]]) & ~launching[between]
    own[calls - calls[0]] = True
    return float((graph.duration_ns[between] + graph.gap_ns[between])[own].sum() / len(calls))


def _nothing_again(graph: DependencyGraph, values: Values) -> str:
    if _segments(graph, values):
        return ""
    return f"no layer that matches '{values['layer']}' has forward kernels followed by a backward pass"


def _as_often(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Return an error unless the time of all kernels grows by the time of the recomputed kernels."""
    again = sum(int(before.duration_ns[rows].sum()) for rows, _ in _segments(before, values))
    kernels = [int(graph.duration_ns[graph.kind == TaskKind.KERNEL].sum()) for graph in (before, after)]
    return "" if kernels[1] - kernels[0] == again else "not all of the forward pass is recomputed"


RECOMPUTE = Transform(
    name="recompute",
    synonyms=("checkpointing", "activation-checkpointing"),
    title="Activation checkpointing: the backward pass recomputes activations.",
    source="Chen et al., Training Deep Nets with Sublinear Memory Cost (2016); torch.utils.checkpoint",
    apply=_recomputed,
    parameters=(
        Parameter("segments", "count", "segments of the forward pass, each recomputed before its backward pass", "8"),
        Parameter("layer", "text", "recomputed layers (glob)", _ALL),
    ),
    requires=_nothing_again,
    ensures=_as_often,
)
