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
    PRODUCT_BACK,
    RELU,
    STREAM,
    Made,
    after,
    convolving,
    forked,
    launched,
    layers,
    mixed,
    one_by_one,
    ranks,
    scalable,
    training,
)

TENSOR, PIPELINE = "tensor-parallel:{},bandwidth=1GB/s", "pipeline-parallel:{},microbatches=4,bandwidth=1GB/s,size=1MB"
PARALLEL = "data-parallel:8,bandwidth=8Gbps,first=1MB,size=1MB"
STAGED = "blueconnect:{},inside_bandwidth=8GB/s,bandwidth=8Gbps"
COMPRESSED = "deep-gradient-compression:{},bandwidth=8Gbps"


def made(*kernels: tuple[str, Phase]) -> DependencyGraph:
    """Give kernels with their phases."""
    builder = Made()
    for name, phase in kernels:
        builder.kernel(name, phase)
    return builder.builder.built()


def waiting() -> DependencyGraph:
    """Give kernels each of which the host waits for."""
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
        (mixed(), "scale:2,kind=quark", "there is no kind 'quark' of tasks: give cpu, kernel"),
        (mixed(), "scale:2,phase=third", "there is no phase 'third': give forward, backward, update"),
        (mixed(), "scale:2,layer=b*", "applied to mixed: nothing in it is of that kind, phase, layer and name"),
        (mixed(), "scale:2,name=(", "is no regular expression"),
        (mixed(), "scale:0", "factor '0' is no factor"),
        (mixed(), "scale:-1", "factor '-1' is no factor"),
        (mixed(), "scale", "scale needs factor"),
        (mixed(), "set-time:soon", "'soon' is not a duration"),
        (HALF, "amp", "amp cannot be applied to made up: 100 % of its matrix time is in half"),
        (training(products=(RELU, RELU)), "amp", "it has no kernel that multiplies matrices"),
        (training(), "amp:dtype=int8", "'int8' is no half precision: write float16 or bfloat16"),
        (CONV, "fp16", "it has no kernels"),
        (launched(["h884gemm_fp16"]), "fp16", "100 % of its matrix time is in half precision already"),
        (launched(["sgemm"]), "fp16:copies=none", "'none' says nothing of copies"),
        (made((PRODUCT, Phase.BACKWARD)), "fp16", "ask amp"),
        (launched(["sgemm"]), "int8", "scale them by name with kernel-swap"),
        (layers(("Relu", 1, NAN, NAN, NAN)), "int8", "it has no products"),
        (layers(("QLinearConv", 1, NAN, NAN, NAN)), "int8", "it is quantised already, as QLinearConv shows"),
        (UNSIZED, "fused-optimizer:rmsprop", "'rmsprop' is none of sum, sgd, momentum, adam"),
        (UNSIZED, "fused-optimizer:launches=6", "its update is 6 kernels in a step already"),
        (UNSIZED, "fused-adam", "does not say how large its gradients are: record it with record_shapes=True, or give"),
        (UNSIZED, "fused-adam:parameters=many", "parameters 'many' is no number"),
        (UNSIZED, "fused-adam:parameters=-3", "a model cannot have -3 parameters"),
        (UNSIZED, "fused-adam:parameters=1e9", "longer than the 0.6 ms of its kernels now"),
        (made((ADD, Phase.FORWARD)), "fused-optimizer", "no kernel of it updates parameters"),
        (FORWARD, "reconstruct-bn", "it has no batch normalisation in a forward pass"),
        (made((NORM, Phase.FORWARD)), "reconstruct-bn", "it has no batch normalisation in a backward pass"),
        (training(), "vdnn:1GB,layer=dense*", "no layer that fits 'dense*' has kernels in a forward and in a backward"),
        (training(), "vdnn:0MB,layer=conv*", "activations of 0 bytes need no moving"),
        (FORWARD, "fsdp:4,bandwidth=1GB/s", "it has no backward pass"),
        (training(), "fsdp:1,bandwidth=1GB/s", "one worker has nobody to sum with"),
        (training(), "fsdp:4,bandwidth=1GB/s,size=0MB", "units of 0 bytes hold nothing"),
        (training(), "zero:4,bandwidth=1GB/s,stage=3", "stage is 1 or 2: the third is fsdp"),
        (made((PRODUCT_BACK, Phase.BACKWARD)), "zero:4,bandwidth=1GB/s,parameters=9", "no kernel of it updates"),
        (training(), f"{TENSOR.format(1)},size=1MB", "one rank has nobody to share layers with"),
        (training(), f"{TENSOR.format(2)},size=0MB", "activations of 0 bytes"),
        (training(), f"{TENSOR.format(2)},size=1MB", "in its forward pass no product follows attention"),
        (training(), f"{PARALLEL} {TENSOR.format(2)},size=1MB", "it has collectives already"),
        (training(), PIPELINE.format(1), "one stage is the network as it is"),
        (FORWARD, PIPELINE.format(2), "no step of it has a forward and a backward pass"),
        (training(), f"{PARALLEL} {PIPELINE.format(2)}", "it has collectives already"),
        (training(), "contention:1.2x", "none of its collectives is modelled"),
        (training(), f"{PARALLEL} contention", "contention needs slowdown"),
        (training(), f"{PARALLEL} contention:0.5x", "give 1 or more"),
        (FORWARD, "recompute", "has kernels in a forward pass with a backward pass behind it"),
        (training(), "recompute:layer=dense*", "no layer that fits 'dense*'"),
        (FORWARD, "gist", "it has no activations"),
        (training(), "data-loader", "nothing in it loads data on the main thread"),
        (UNSIZED, "data-parallel:1,bandwidth=1GB/s", "one worker has nobody to sum with"),
        (UNSIZED, "data-parallel:2,bandwidth=1GB/s", "sizes of gradients are not in it: record it with record_shapes"),
        (UNSIZED, "data-parallel:2,bandwidth=1GB/s,parameters=9,efficiency=0%", "links that reach 0 % of their"),
        (UNSIZED, "data-parallel:2", "data-parallel needs bandwidth"),
        (training(), f"{PARALLEL} {PARALLEL}", "it has collectives already"),
        (made((ADD, Phase.FORWARD)), PARALLEL, "it has no backward pass"),
        (made((ADD, Phase.BACKWARD)), f"{PARALLEL},parameters=9", "no kernel of its backward pass makes gradients"),
        (UNSIZED, "p3:1GB/s,size=0MB", "slices of 0 bytes hold nothing"),
        (UNSIZED, "p3:1GB/s", "sizes of gradients are not in it"),
        (training(), "bandwidth:25Gbps", "it has no collectives: ask data-parallel first"),
        (ranks(1), "bandwidth:25Gbps", "its collectives were recorded on one rank, where most of their time may be"),
        (ranks(2), "bandwidth:25Gbps", "the size or the group of 2 collectives is not in it: give now=RATE"),
        (ranks(2), "bandwidth:25Gbps,now=fast", "now: bandwidth 'fast' is no rate"),
        (one_by_one(), "bucket", "it does not tell the sizes of its all-reduces: give buckets=NUMBER"),
        (one_by_one(), "bucket:buckets=some", "buckets 'some' is no number"),
        (one_by_one((1,)), "bucket:buckets=1", "it has no all-reduces to put together"),
        (one_by_one(bytes=1e6), "bucket:0MB", "buckets of 0 bytes hold nothing"),
        (training(), STAGED.format(4), "it has no all-reduces: ask data-parallel first"),
        (training(), f"{PARALLEL} {STAGED.format(3)}", "8 ranks do not make two nodes or more of 3 each"),
        (training(), f"{PARALLEL} {STAGED.format(8)}", "8 ranks do not make two nodes or more of 8 each"),
        (training(), COMPRESSED.format("1%"), "it has no all-reduces: ask data-parallel first"),
        (training(), f"{PARALLEL} {COMPRESSED.format('0%')}", "a share of 0 sends nothing"),
        (training(), "metaflow:dense", "no layer with tasks fits 'dense'"),
        (training(), "metaflow:conv0,remove=dense", "no layer with tasks fits 'dense'"),
        (training(), "metaflow:conv*,remove=conv1", "conv1 cannot both stay and go"),
        (launched(["sgemm"]), "kernel-swap:cudaLaunchKernel,factor=3", "no kernel or layer is called 'cudaLaunch"),
        (launched(["sgemm", "sgemm"]), "attention", "nowhere does a softmax stand between two products"),
        (launched(["sgemm"]), "unfuse", "the bytes that 1 of 1 of these tasks write are not known"),
        (CONV, "fuse:Conv++Relu", "is no pattern of layers"),
        (CONV, "remove-layer:nothing", "called 'nothing'; of its 2 layers the first are conv0, relu1"),
        (CONV, "early-exit:relu1", "no layer comes after that one"),
        (waiting(), "cuda-graphs", "nowhere do two launches follow each other"),
        (CONV, "cuda-graphs", "it has no kernels"),
        (launched(["sgemm"]), "cuda-graphs:keep=all", "'all' says nothing of gaps"),
        (convolving(), "layout layout", "it works on blocks of channels already"),
        (convolving(), "layout:plain", "it works on plain tensors already"),
        (convolving(), "layout:rows", "'rows' is no layout: write blocked or plain"),
        (layers(("Gemm", 10, 1, 1, 1)), "layout", "it has no convolutions"),
        (CONV, "layout", "the bytes of 1 of 1 convolutions are not known"),
        (launched(["sgemm"]), "layout", "none of its kernels converts between layouts"),
        (CONV, "threads:1", "it has 1 threads already"),
        (launched(["sgemm"]), "threads:2", "its work runs on a device"),
        (CONV, "parallel-executor:2", "it does not say which layers feed which"),
        (launched(["sgemm"]), "parallel-executor:2", "ask for streams"),
        (forked(1), "streams:2", "it has no kernels"),
        (scalable(), "device:from=abacus,to=A100", "nothing is stated of a device 'abacus'"),
        (scalable(), "device:to=A100", "give both from= and to="),
        (scalable(), "device:from=A100,to=V100-SXM2,tf32=yes", "nothing is stated of TF32 on the other device"),
        (scalable(), "device:2,tf32=perhaps", "'perhaps' is neither yes nor no"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(graph: DependencyGraph, asked: str, reason: str) -> None:
    """Transforms are applied one after the other; the last one is refused."""
    with pytest.raises(InputError) as refused:
        after(graph, *asked.split(" "))
    assert reason in str(refused.value)
