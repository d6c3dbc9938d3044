"""What makes no sense is refused, in one sentence that says what to give instead."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind
from tests.whatif.made_up import (
    ADD,
    HOST,
    NAN,
    NORM,
    PRODUCT,
    RELU,
    STREAM,
    Made,
    after,
    launched,
    layers,
    mixed,
    ranks,
    scalable,
    training,
)

TENSOR = "tensor-parallel:{},bandwidth=1GB/s"
PARALLEL = "data-parallel:8,bandwidth=8Gbps,first=1MB,size=1MB"
STAGED = "blueconnect:{},inside_bandwidth=8GB/s,bandwidth=8Gbps"
COMPRESSED = "deep-gradient-compression:{},bandwidth=8Gbps"


def made(*kernels: tuple[str, Phase]) -> DependencyGraph:
    """Return kernels with their phases."""
    builder = Made()
    for name, phase in kernels:
        builder.kernel(name, phase)
    return builder.builder.built()


def waiting() -> DependencyGraph:
    """Return kernels each of which the host waits for."""
    builder = GraphBuilder(name="waiting")
    for _ in range(3):
        call = builder.task(TaskKind.CPU, "call", HOST, 10)
        builder.edge(EdgeKind.LAUNCH, call, builder.task(TaskKind.KERNEL, "kernel", STREAM, 5))
        builder.wait(builder.task(TaskKind.SYNCHRONISATION, "wait", HOST, 1), STREAM)
    return builder.built()


FORWARD = made((PRODUCT, Phase.FORWARD))
UNSIZED = training(gradient=0)
HALF = training(products=("volta_fp16_s884gemm_fp16", "h884_wgrad"))
CONV = layers(("Conv", 10, NAN, NAN, NAN), ("Relu", 20, NAN, NAN, NAN))


@pytest.mark.parametrize(
    ("graph", "asked", "reason"),
    [
        (mixed(), "scale:2,kind=quark", "unknown kind of tasks 'quark': choose from cpu, kernel"),
        (mixed(), "scale:2,phase=third", "unknown phase 'third': choose from forward, backward, update"),
        (mixed(), "scale:2,layer=b*", "applied to mixed: it has no tasks of this kind, phase, layer and name"),
        (mixed(), "scale:2,name=(", "invalid regular expression"),
        (mixed(), "scale:0", "scale: invalid factor '0'"),
        (mixed(), "scale:-1", "scale: invalid factor '-1'"),
        (mixed(), "scale", "scale needs factor"),
        (mixed(), "set-time:soon", "invalid duration 'soon'"),
        (HALF, "amp", "amp cannot be applied to made up: 100 % of its matrix time is in half"),
        (training(products=(RELU, RELU)), "amp", "kernels of a GPU that multiply matrices, and there are none"),
        (CONV, "amp", "it applies to kernels of a GPU that multiply matrices"),
        (CONV, "fp8", "it applies to kernels of a GPU that multiply matrices"),
        (training(), "amp:dtype=int8", "invalid dtype 'int8': expected float16 or bfloat16"),
        (CONV, "fp16", "it has no device kernels"),
        (launched(["h884gemm_fp16"]), "fp16", "100 % of its matrix time is in half precision already"),
        (made((PRODUCT, Phase.BACKWARD)), "fp16", "use amp"),
        (launched(["sgemm"]), "int8", "use scale:FACTOR,name=KERNEL instead"),
        (layers(("Relu", 1, NAN, NAN, NAN)), "int8", "it has no matrix products"),
        (layers(("com.microsoft.MatMulNBits", 1, NAN, NAN, NAN)), "int8", "products have few bits already"),
        (layers(("QLinearConv", 1, NAN, NAN, NAN)), "int8", "it is quantised already: it has the operator QLinearConv"),
        (UNSIZED, "fused-optimizer:rmsprop", "expected one of auto, sum, sgd, momentum, adam"),
        (UNSIZED, "fused-adam", "sizes of gradients are unknown: record it with record_shapes=True, or give"),
        (UNSIZED, "fused-adam:parameters=many", "invalid parameters 'many': expected their number"),
        (UNSIZED, "fused-adam:parameters=-3", "invalid parameters '-3': expected a number above 0"),
        (made((ADD, Phase.FORWARD)), "fused-optimizer", "it has no parameter update"),
        (FORWARD, "reconstruct-bn", "it has no batch normalisation in a forward pass"),
        (made((NORM, Phase.FORWARD)), "reconstruct-bn", "it has no batch normalisation in a backward pass"),
        (training(), "vdnn:1GB,layer=dense*", "no layer that matches 'dense*' has forward and backward"),
        (training(), "vdnn:0MB,layer=conv*", "the size of the activations is 0"),
        (FORWARD, "fsdp:4,bandwidth=1GB/s", "it has no backward pass"),
        (training(), "fsdp:1,bandwidth=1GB/s", "give at least two workers"),
        (training(), "fsdp:4,bandwidth=1GB/s,size=0MB", "the unit size is 0"),
        (training(), f"{TENSOR.format(1)},size=1MB", "give at least two ranks"),
        (training(), f"{TENSOR.format(2)},size=0MB", "the size of the activations is 0"),
        (training(), f"{TENSOR.format(2)},size=1MB", "its forward pass has neither a product after attention"),
        (training(), f"{PARALLEL} {TENSOR.format(2)},size=1MB", "it has collectives already"),
        (FORWARD, "recompute", "has forward kernels followed by a backward pass"),
        (training(), "recompute:layer=dense*", "no layer that matches 'dense*'"),
        (FORWARD, "gist", "it has no activations"),
        (training(), "data-loader", "it has no data loading on the main thread"),
        (UNSIZED, "data-parallel:1,bandwidth=1GB/s", "give at least two workers"),
        (UNSIZED, "data-parallel:2,bandwidth=1GB/s", "sizes of gradients are unknown: record it with record_shapes"),
        (UNSIZED, "data-parallel:2,bandwidth=1GB/s,parameters=9,efficiency=0%", "the efficiency is 0 %"),
        (UNSIZED, "data-parallel:2", "data-parallel needs bandwidth"),
        (training(), f"{PARALLEL} {PARALLEL}", "it has collectives already"),
        (made((ADD, Phase.FORWARD)), PARALLEL, "it has no backward pass"),
        (made((ADD, Phase.BACKWARD)), f"{PARALLEL},parameters=9", "no kernel of its backward pass computes gradients"),
        (UNSIZED, "p3:1GB/s,size=0MB", "the slice size is 0"),
        (UNSIZED, "p3:1GB/s", "sizes of gradients are unknown"),
        (training(), "bandwidth:25Gbps", "it has no collectives: apply data-parallel first"),
        (ranks(1), "bandwidth:25Gbps", "its collectives were recorded on one rank, so most of their time may be"),
        (ranks(2), "bandwidth:25Gbps", "the size or the group of 2 collectives is not in it: give now=RATE"),
        (ranks(2), "bandwidth:25Gbps,now=fast", "now: invalid rate 'fast'"),
        (training(), STAGED.format(4), "it has no all-reduces: apply data-parallel first"),
        (training(), f"{PARALLEL} {STAGED.format(3)}", "8 ranks cannot be divided into two or more nodes of 3 each"),
        (training(), f"{PARALLEL} {STAGED.format(8)}", "8 ranks cannot be divided into two or more nodes of 8 each"),
        (training(), COMPRESSED.format("1%"), "it has no all-reduces: apply data-parallel first"),
        (training(), f"{PARALLEL} {COMPRESSED.format('0%')}", "the share sent is 0"),
        (training(), "metaflow:dense", "no layer with tasks matches 'dense'"),
        (training(), "metaflow:conv0,remove=dense", "no layer with tasks matches 'dense'"),
        (training(), "metaflow:conv*,remove=conv1", "conv1 matches both layer and remove"),
        (launched(["sgemm", "sgemm"]), "attention", "it has no softmax between two matrix products"),
        (CONV, "fuse:Conv++Relu", "invalid pattern 'Conv++Relu'"),
        (waiting(), "cuda-graphs", "lies between any two launches"),
        (CONV, "cuda-graphs", "it has no kernels"),
        (layers(("Gemm", 10, 1, 1, 1)), "layout", "on a processor the runtime chooses layouts itself"),
        (launched(["sgemm"]), "layout", "none of its kernels converts between layouts"),
        (CONV, "threads:1", "the number of threads is already 1"),
        (launched(["sgemm"]), "threads:2", "it runs on a device"),
        (scalable(), "device:from=abacus,to=A100", "unknown device 'abacus': set compute= and bandwidth= instead"),
        (scalable(), "device:from=v100,to=h10", "unknown device 'h10': did you mean 'H100'?"),
        (scalable(), "device", "nothing would change: name a device, as in device:H100"),
        (scalable(), "device:to=A100", "from= and to= must both be set"),
        (CONV, "device:H100", "H100 is a GPU and this ran on a processor"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(graph: DependencyGraph, asked: str, reason: str) -> None:
    """Transforms are applied one after the other; the last one is refused."""
    with pytest.raises(InputError) as refused:
        after(graph, *asked.split(" "))
    assert reason in str(refused.value)
