"""Saving memory at the cost of time: vDNN moves activations to the host and back, Gist encodes them.

Rhu et al., MICRO 2016; Jain et al., ISCA 2018; modelled by Daydream (USENIX ATC 2020, section 5.3).
"""

import math

from dlbricks.trace.types import Longs
from dlbricks.whatif.kernels import KernelClass, classes
from dlbricks.whatif.nouns import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.training.amp import least_kernel_ns
from dlbricks.whatif.training.data_parallel import channel
from dlbricks.whatif.training.launching import NewKernel, with_kernels
from dlbricks.whatif.training.links import Link
from dlbricks.whatif.training.matching import RELU, kernels_named, mirrored, one_of_each_layer, passes
from dlbricks.whatif.transform import Parameter, Transform, Values

OFFLOAD, PREFETCH = "offload of activations", "prefetch of activations"
ENCODE, DECODE = "encoding of activations", "decoding of activations"


def _products(graph: DependencyGraph, values: Values, phase: Phase) -> Longs:
    return select(
        graph, kinds=(TaskKind.KERNEL,), phases=(phase,), layer=str(values["layer"]),
        where=lambda one: classes(one) == KernelClass.MATRIX,
    )  # fmt: skip


def _offloaded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = Link(bytes_per_s=float(values["bandwidth"]), latency_ns=float(values["latency"]))
    forward = one_of_each_layer(graph, _products(graph, values, Phase.FORWARD))
    kernels: list[NewKernel] = []
    for layers, back in passes(graph, forward, _products(graph, values, Phase.BACKWARD)):
        if len(layers) < 2:
            continue
        time = link.transfer_ns(float(values["size"]) / (len(layers) - 1))
        backward = mirrored(layers, back)
        for place in range(len(layers) - 1):
            here, following = int(layers[place]), int(layers[place + 1])
            kernels.append(
                NewKernel(
                    name=OFFLOAD, duration_ns=time, beside=here, lane=channel(graph, here, OFFLOAD),
                    kind=TaskKind.COPY, after=(here,), ahead_of=(following,),
                )
            )  # fmt: skip
            begins, needs = int(backward[place + 1]), int(backward[place])
            if begins < needs:
                kernels.append(
                    NewKernel(
                        name=PREFETCH, duration_ns=time, beside=begins, lane=channel(graph, here, PREFETCH),
                        kind=TaskKind.COPY, after=(begins,), ahead_of=(needs,),
                    )
                )  # fmt: skip
    return with_kernels(graph, kernels).graph


def _why_no_offload(graph: DependencyGraph, values: Values) -> str:
    found = [_products(graph, values, phase) for phase in (Phase.FORWARD, Phase.BACKWARD)]
    if not passes(graph, *found):
        return f"no layer that fits '{values['layer']}' has kernels in a forward and in a backward pass"
    return "" if float(values["size"]) else "activations of 0 bytes need no moving"


VDNN = Transform(
    name="vdnn",
    title="Activations of the forward pass wait in the host's memory for the backward pass.",
    evidence="modelled",
    source="vDNN (MICRO 2016); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_offloaded,
    parameters=(
        Parameter(name="size", kind="size", meaning="of all activations that are moved, in a step"),
        Parameter(name="layer", kind="text", meaning="glob of layers whose inputs are moved", default="*[Cc]onv*"),
        Parameter(name="bandwidth", kind="rate", meaning="between host and device, each way", default="12GB/s"),
        Parameter(name="latency", kind="time", meaning="of one copy", default="10us"),
    ),
    requires=_why_no_offload,
    ensures=lambda before, after, _values: "" if len(after) > len(before) else "nothing is moved",
)
"""A copy to the host behind each layer of the forward pass, on a stream of its own; the next of these layers waits for
it, as vDNN frees the memory then. A copy back before the layer's backward kernels, begun with those of the layer behind
it. The last layer keeps its input. Layers of both passes are matched by their places; the size, which a trace does not
tell, is spread evenly over the layers.
"""


def _encoded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    share, least = float(values["factor"]), least_kernel_ns(graph)
    found = [kernels_named(graph, RELU, phase) for phase in (Phase.FORWARD, Phase.BACKWARD)]
    kernels: list[NewKernel] = []
    for forward, backward in passes(graph, found[0], found[1]):
        for row, back in zip(forward.tolist(), mirrored(forward, backward).tolist(), strict=True):
            times = [max(least, math.ceil(share * int(graph.duration_ns[one]))) for one in (row, back)]
            kernels.append(NewKernel(name=ENCODE, duration_ns=times[0], beside=row))
            kernels.append(NewKernel(name=DECODE, duration_ns=times[1], beside=back, before=True))
    return with_kernels(graph, kernels).graph


def _why_no_encoding(graph: DependencyGraph, _values: Values) -> str:
    found = [kernels_named(graph, RELU, phase) for phase in (Phase.FORWARD, Phase.BACKWARD)]
    return "" if passes(graph, *found) else "it has no activations (ReLU) in a forward and in a backward pass"


GIST = Transform(
    name="gist",
    title="Activations are encoded behind the forward pass and decoded before the backward pass.",
    evidence="modelled",
    source="Gist (ISCA 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_encoded,
    parameters=(
        Parameter(
            name="factor", kind="factor", default="1x",
            meaning="what encoding or decoding takes by what the activation itself takes",
        ),
    ),
    requires=_why_no_encoding,
    ensures=lambda before, after, _values: "" if len(after) > len(before) else "nothing is encoded",
)  # fmt: skip
"""Daydream: kernels that encode behind each activation (ReLU) of the forward pass and decode before its backward
kernel, as long as similar elementwise kernels: here the activation itself, which reads and writes the same data. Each
has its launch. What less memory allows, a larger batch, is another question.
"""
