"""The transform for tensor parallelism, which divides layers among ranks."""

import re
from itertools import pairwise

import numpy as np

from dlbricks.plugins.training.collectives import BANDWIDTH, EFFICIENCY, LATENCY, collective, collective_rows
from dlbricks.plugins.training.one_device import RELU
from dlbricks.trace.types import Bytes, Longs
from dlbricks.trace.work_classes import KernelClass
from dlbricks.whatif.edit import NewKernel, least_kernel_ns, with_durations, with_kernels
from dlbricks.whatif.graph import BOTH_PASSES, DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import by_step, of_layer, of_name, select
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import classes

SUM = "all-reduce of activations"
_ACTIVATION = re.compile(rf"gelu|silu|swish|swiglu|tanh|{RELU}", re.IGNORECASE)
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)


def _steps(graph: DependencyGraph, phase: Phase) -> tuple[Longs, ...]:
    """Return the kernels of a phase, by rank and step."""
    return by_step(graph, select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,)))


def _regions(graph: DependencyGraph) -> tuple[Longs, ...]:
    """Return the ranges of kernels that ranks can divide without communication inside the range."""
    # A range begins with a product and ends with one after an activation or attention. It lies between two
    # normalisations and has at most one activation besides attention, since a second one would need an all-reduce
    # before it.
    kinds = classes(graph)
    attends = (kinds == KernelClass.ATTENTION) | of_name(graph, _SOFTMAX.search) | of_layer(graph, _SOFTMAX.search)
    acts = (of_name(graph, _ACTIVATION.search) | of_layer(graph, _ACTIVATION.search)) & ~attends
    acts &= kinds != KernelClass.MATRIX
    regions = []
    for step in (step for phase in BOTH_PASSES for step in _steps(graph, phase)):
        norms = np.flatnonzero(kinds[step] == KernelClass.NORMALISATION)
        for begin, end in pairwise([-1, *norms.tolist(), len(step)] if len(norms) else []):
            rows = step[begin + 1 : end]
            products = np.flatnonzero(kinds[rows] == KernelClass.MATRIX)
            if len(products) < 2:
                continue
            inside = rows[products[0] : products[-1] + 1]
            stages = [
                len(np.unique(np.searchsorted(rows[products], inside[which[inside]]))) for which in (acts, attends)
            ]
            if max(stages) == 1:
                regions.append(inside)
    return (*regions, *_heads(graph, kinds)) if regions else ()


def _heads(graph: DependencyGraph, kinds: Bytes) -> list[Longs]:
    """Return the kernels of the network's head, which follows the last normalisation, in both passes."""
    heads: list[list[Longs]] = []
    for phase in BOTH_PASSES:
        heads.append([])
        for step in _steps(graph, phase):
            norms = np.flatnonzero(kinds[step] == KernelClass.NORMALISATION)
            if not len(norms):
                continue
            rows = step[norms[-1] + 1 :] if phase == Phase.FORWARD else step[: norms[0]]
            products = np.flatnonzero(kinds[rows] == KernelClass.MATRIX)
            if 0 < len(products) <= (1 if phase == Phase.FORWARD else 2):
                heads[-1].append(rows[products[0] :] if phase == Phase.FORWARD else rows[: products[-1] + 1])
    forward, backward = heads
    whole = len(forward) == len(backward) or not (graph.phase == Phase.BACKWARD).any()
    return forward + backward if whole else []


def _in_parts(graph: DependencyGraph, values: Values) -> DependencyGraph:
    regions = _regions(graph)
    rows, least = np.concatenate(regions), least_kernel_ns(graph)
    times = graph.duration_ns[rows]
    shared = np.maximum(times / values["workers"], np.minimum(times, least))
    same_lane = [np.flatnonzero(graph.lane == lane) for lane in range(len(graph.lanes))]
    kernels: list[NewKernel] = []
    for region in regions:
        last = int(region[-1])
        lane = same_lane[graph.lane[last]]
        needs = lane[np.searchsorted(lane, last, "right") :][:1].tolist()
        where = {"next_to": last, "after": [last], "ahead_of": needs}
        kernels.append(collective(graph, values, SUM, values["size"], **where))
    return with_kernels(with_durations(graph, rows, shared), kernels).graph


def _no_regions(graph: DependencyGraph, values: Values) -> str:
    if values["workers"] < 2:
        return "give at least two ranks"
    if not values["size"]:
        return "the size of the activations is 0"
    if len(collective_rows(graph)):
        return "it has collectives already"
    phases = [int(graph.phase[region[0]]) for region in _regions(graph)]
    ahead, back = (phases.count(phase) for phase in BOTH_PASSES)
    if not ahead:
        return "its forward pass has neither a product after attention nor an activation between two normalisations"
    if (graph.phase == Phase.BACKWARD).any() and ahead != back:
        return f"{ahead} regions of its forward pass can be shared, but {back} of its backward pass"
    return ""


# Products up to the one after attention or an activation are split among ranks, by columns, then by rows, with all
# kernels between them; an all-reduce follows, for which the stream waits. The backward pass has as many. Kernel times
# are divided by the number of ranks, down to a minimal kernel. The head, one product after the last normalisation, is
# split together with the loss; the forward one of its two all-reduces stands for that of the embedding, which is split
# with it but keeps its time, as do normalisations and updates. Activations computed inside product kernels are not
# detected. Not modelled: late ranks, and the lower efficiency of smaller products.
TENSOR = Transform(
    name="tensor-parallel",
    synonyms=("tp",),
    title="Tensor parallelism: ranks compute a part of each layer's products and sum the results.",
    source="Megatron-LM (2019)",
    apply=_in_parts,
    parameters=(
        Parameter("workers", "count", "number of ranks"),
        BANDWIDTH,
        Parameter("size", "size", "size of the activations between layers: batch times length times width times bytes"),
        LATENCY,
        EFFICIENCY,
    ),
    requires=_no_regions,
    ensures=counting(1, "nothing is summed"),
)
