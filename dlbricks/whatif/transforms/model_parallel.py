"""From the trace of one rank to several that hold a part of the network each: of its layers, or of its depth."""

import re
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import Bytes, Longs
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Floats, Phase, TaskKind, with_columns
from dlbricks.whatif.launching import NewKernel, least_kernel_ns, with_kernels
from dlbricks.whatif.select import RELU, by_step, of_layer, of_name, select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.transforms.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    collective_rows,
    link_of,
    poor_link,
)
from dlbricks.whatif.transforms.sharded import collective
from dlbricks.whatif.work import KernelClass, classes

SUM, OTHERS = "all-reduce of activations", "wait for other stages"
_ACTIVATION = re.compile(rf"gelu|silu|swish|swiglu|tanh|{RELU}", re.IGNORECASE)
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_BOTH = (Phase.FORWARD, Phase.BACKWARD)


def _steps(graph: DependencyGraph, phase: Phase) -> tuple[Longs, ...]:
    """Give the kernels of a phase in each step of each rank."""
    return by_step(graph, select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,)))


def _regions(graph: DependencyGraph) -> tuple[Longs, ...]:
    """Give what ranks can share without exchanging anything: the kernels from a product to one behind an activation.

    Between two normalisations, and at most one activation, beside attention: behind a second one sums would be missing.
    """
    kinds = classes(graph)
    attends = (kinds == KernelClass.ATTENTION) | of_name(graph, _SOFTMAX.search) | of_layer(graph, _SOFTMAX.search)
    acts = (of_name(graph, _ACTIVATION.search) | of_layer(graph, _ACTIVATION.search)) & ~attends
    acts &= kinds != KernelClass.MATRIX
    made = []
    for step in (one for phase in _BOTH for one in _steps(graph, phase)):
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
                made.append(inside)
    return (*made, *_heads(graph, kinds)) if made else ()


def _heads(graph: DependencyGraph, kinds: Bytes) -> list[Longs]:
    """Give the one product behind the last normalisation with all behind it, and what of the backward pass is its."""
    made: list[list[Longs]] = []
    for phase in _BOTH:
        made.append([])
        for step in _steps(graph, phase):
            norms = np.flatnonzero(kinds[step] == KernelClass.NORMALISATION)
            if not len(norms):
                continue
            rows = step[norms[-1] + 1 :] if phase == Phase.FORWARD else step[: norms[0]]
            products = np.flatnonzero(kinds[rows] == KernelClass.MATRIX)
            if 0 < len(products) <= (1 if phase == Phase.FORWARD else 2):
                made[-1].append(rows[products[0] :] if phase == Phase.FORWARD else rows[: products[-1] + 1])
    forward, backward = made
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
        where = {"beside": last, "after": [last], "ahead_of": needs}
        kernels.append(collective(graph, values, SUM, values["size"], **where))
    return with_kernels(with_durations(graph, rows, shared), kernels).graph


def _no_regions(graph: DependencyGraph, values: Values) -> str:
    if values["workers"] < 2:
        return "one rank has nobody to share layers with"
    if not values["size"]:
        return "activations of 0 bytes need no summing"
    if len(collective_rows(graph)):
        return "it has collectives already: it is of several ranks"
    phases = [int(graph.phase[region[0]]) for region in _regions(graph)]
    ahead, back = (phases.count(phase) for phase in _BOTH)
    if not ahead:
        return "in its forward pass no product follows attention or an activation between two normalisations"
    if (graph.phase == Phase.BACKWARD).any() and ahead != back:
        return f"{ahead} parts of its forward pass could be shared, but {back} of its backward pass"
    return poor_link(values)


TENSOR = Transform(
    name="tensor-parallel",
    title="Several ranks compute a part of each layer's products, and sum the results (tensor parallelism).",
    evidence="modelled",
    source="Megatron-LM (2019)",
    apply=_in_parts,
    parameters=(
        Parameter("workers", "count", "ranks that share each layer"),
        BANDWIDTH,
        Parameter("size", "size", "of the activations between layers: batch times length times width times bytes"),
        LATENCY,
        EFFICIENCY,
    ),
    requires=_no_regions,
    ensures=counting(1, "nothing is summed"),
)
"""Products up to the one behind attention or an activation are split among ranks, columns first, then rows, with all
between them; an all-reduce follows, for which the stream waits. The backward pass has as many. Kernels take so many
times less, but no less than a kernel takes. The head, one product behind the last normalisation, is split with the loss
behind it; of its two sums the forward one stands for that of the embedding, which is split with it, but keeps its time,
as normalisations and updates do. Activations that a product computes itself are not seen. Not modelled: other ranks
being late, smaller products that use less of the device.
"""


def _micro(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Leave one stage of the network, for all microbatches: fewer kernels, each as often as there are of these."""
    stages, count, least = values["stages"], values["microbatches"], least_kernel_ns(graph)
    device = select(graph, kinds=ON_DEVICE, phases=_BOTH)
    times = graph.duration_ns[device]
    made = with_durations(graph, device, np.maximum(times / count, np.minimum(times, least)) * count / stages)
    made = scaled(made, select(graph, kinds=ON_HOST[:1], phases=_BOTH), count / stages, gaps=True)
    return scaled(made, select(graph, kinds=(*ON_DEVICE, TaskKind.CPU), phases=(Phase.UPDATE,)), 1 / stages, gaps=True)


def _spans(graph: DependencyGraph) -> list[tuple[Longs, Longs]]:
    """Give the device tasks of both passes of each step of each rank that has both."""
    steps = by_step(graph, select(graph, kinds=ON_DEVICE, phases=_BOTH))
    both = ([step[graph.phase[step] == phase] for phase in _BOTH] for step in steps)
    return [(forward, backward) for forward, backward in both if len(forward) and len(backward)]


def _waits_ns(graph: DependencyGraph, values: Values) -> Floats:
    """Give how long a stage waits for the others in each step: for p - 1 of m microbatches, and for each transfer."""
    plan, count = replay(graph), values["microbatches"]
    spans = [int(plan.end_ns[back].max() - plan.start_ns[ahead].min()) for ahead, back in _spans(graph)]
    others = values["stages"] - 1
    sent = 2 * (count + others) * link_of(values).transfer_ns(values["size"] / count)
    made: Floats = np.array(spans, np.float64) * others / count + sent
    return made


def _staged(graph: DependencyGraph, values: Values) -> DependencyGraph:
    stage = _micro(graph, values)
    each = zip(_spans(stage), np.rint(_waits_ns(stage, values)).astype(np.int64).tolist(), strict=True)
    kernels = [
        NewKernel(name=OTHERS, duration_ns=wait, beside=int(back[0]), before=True, kind=TaskKind.COLLECTIVE)
        for (_, back), wait in each
    ]
    note = "what waits for other stages is one task between the passes of a step: its place is not that of the waits"
    return with_columns(with_kernels(stage, kernels).graph, note)


def _no_stages(graph: DependencyGraph, values: Values) -> str:
    if values["stages"] < 2:
        return "one stage is the network as it is"
    if len(collective_rows(graph)):
        return "it has collectives already: it is of several ranks"
    if not _spans(graph):
        return "no step of it has a forward and a backward pass"
    return poor_link(values)


PIPELINE = Transform(
    name="pipeline-parallel",
    title="Several ranks compute a part of the layers each, for microbatches one behind the other (1F1B, GPipe).",
    evidence="modelled",
    source="PipeDream-Flush and Megatron-LM (SC 2021): a bubble of (p - 1) / m",
    apply=_staged,
    parameters=(
        Parameter("stages", "count", "ranks, of equally much work each"),
        Parameter("microbatches", "count", "that the batch of the trace is split into"),
        BANDWIDTH,
        Parameter("size", "size", "of the activations between two stages, of the whole batch"),
        LATENCY,
        EFFICIENCY,
    ),
    requires=_no_stages,
    ensures=counting(1, "no stage waits for another"),
)
"""With p stages and m microbatches a rank runs a kernel of 1/m of the time, but no less than a kernel takes, m times
for 1/p of the layers; calls are m/p times as many. The passes of a step take (m + p - 1) / m times as long as this
alone, and wait for 2 (m + p - 1) transfers, none of which is hidden. Updates are 1/p. Stages are taken as equal. Not
modelled: what kernels lose with smaller batches beyond that, interleaved stages, memory.
"""
