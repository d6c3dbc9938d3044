"""Fewer bits: what gains by how much, what is converted, and what it costs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dlbricks.errors import InputError
from dlbricks.whatif.edit import GraphBuilder, with_durations
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind, with_attributes
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.work import attained_on, half_gain, half_gains
from tests.whatif.made_up import (
    HOST,
    NORM,
    PRODUCT,
    PRODUCT_BACK,
    RELU,
    STREAM,
    Made,
    after,
    asked,
    layers,
    names,
    networks,
    training,
)


def durations(graph: DependencyGraph, name: str) -> set[int]:
    """Return what kernels of a name take."""
    return set(graph.duration_ns[select(graph, kinds=(TaskKind.KERNEL,), name=name)].tolist())


def small(**figures: Any) -> DependencyGraph:
    """One product of 100 us with figures, a pass of 10 us forward and one backward."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD, **figures)
    made.kernel(RELU, Phase.FORWARD, 10_000, read_bytes=1e6, written_bytes=1e6)
    made.kernel(RELU, Phase.BACKWARD, 10_000)
    return made.builder.built()


def test_products_gain_more_than_passes_over_data_and_updates_gain_nothing() -> None:
    """3, 2 and 1 times."""
    made = Made()
    made.kernel("tiny_elementwise", Phase.FORWARD, 1_000)
    for name, phase in ((PRODUCT, Phase.FORWARD), (NORM, Phase.FORWARD), (PRODUCT_BACK, Phase.BACKWARD)):
        made.kernel(name, phase)
    made.kernel("AddFunctor", Phase.UPDATE)
    graph = after(made.builder.built(), "amp")
    assert durations(graph, "sgemm|wgrad") == {33_333}
    assert durations(graph, "bn_fw") == {50_000}
    assert durations(graph, "AddFunctor") == {100_000}


def test_weights_are_cast_once_for_each_layer_and_step() -> None:
    """And gradients back, at half the rate; each with a launch; 6 bytes for the 4 of each gradient.

    What the network reads is cast, too.
    """
    before = training(steps=2, layers=3, gradient=300e6)
    graph = after(before, "amp:dtype=bfloat16")
    casts = select(graph, name="cast of weights")
    back = select(graph, name="cast of gradients")
    assert len(casts) == len(back) == 2 * 3
    assert len(select(graph, name="cast of activations")) == 2
    assert len(graph) == len(before) + 2 * len(casts) + 2 * len(back) + 2 * 2
    assert graph.duration_ns[casts].sum() == pytest.approx(2 * 3 * (300e6 * 1.5 / 600 + 100_000), rel=1e-6)
    assert graph.duration_ns[back].sum() == 2 * graph.duration_ns[casts].sum()
    assert set(graph.phase[back].tolist()) == {Phase.BACKWARD}


def test_tensor_float_products_gain_twice_at_most() -> None:
    """They run on tensor cores already."""
    graph = training(products=("cutlass_80_tensorop_s1688gemm_64x64", "sm80_xmma_wgrad_implicit_gemm_tf32f32"))
    assert durations(after(_with_small(graph), "amp"), "s1688|tf32") == {50_000}


def _with_small(graph: DependencyGraph) -> DependencyGraph:
    """Make every tenth kernel small, so that there are kernels to be as quick as."""
    rows = select(graph, name="threshold")
    return with_durations(graph, rows, np.full(len(rows), 1_000))


def test_a_product_does_not_move_its_bytes_quicker_than_the_memory_can() -> None:
    """The best rate seen is 200 bytes in a ns: half of 14 MB then take 35 us, more than a third of the time."""
    assert durations(after(small(), "amp"), "sgemm") == {33_333}
    assert durations(after(small(read_bytes=7e6, written_bytes=7e6), "amp"), "sgemm") == {35_000}


@pytest.mark.parametrize(("took", "left"), [(100_000, 50_000), (173_000, 123_000), (50_000, 25_000)])
def test_a_pass_over_data_saves_the_time_of_its_bytes(took: int, left: int) -> None:
    """What it takes longer than the memory needs for them stays; one that finds them in a cache takes half as long."""
    made, rate = Made(), 900e9 * attained_on("Tesla V100-SXM2-16GB").memory
    made.kernel("tiny_elementwise", Phase.FORWARD, 1_000)
    made.kernel(PRODUCT, Phase.FORWARD)
    moved = 100_000 * rate / 1e9
    made.kernel("elementwise_kernel<MulFunctor>", Phase.FORWARD, took, read_bytes=moved / 2, written_bytes=moved / 2)
    made.kernel("elementwise_kernel<Unknown>", Phase.FORWARD, took)
    graph = replace(made.builder.built(), device="Tesla V100-SXM2-16GB")
    changed = after(graph, "amp:dtype=float16")
    assert durations(changed, "MulFunctor") == {left}
    assert durations(changed, "Unknown") == {took // 2}
    assert durations(after(replace(graph, device=""), "amp"), "MulFunctor") == {took // 2}


def test_nothing_gets_quicker_than_the_quickest_kernels() -> None:
    """Where all take the same they are not limited by arithmetic or bytes as far as can be told."""
    graph = training()
    kernels = select(graph, kinds=(TaskKind.KERNEL,))
    changed = after(graph, "amp:dtype=float16")
    known = np.intersect1d(select(changed, kinds=(TaskKind.KERNEL,)), np.flatnonzero(of_known(changed, graph)))
    assert set(changed.duration_ns[known].tolist()) == set(graph.duration_ns[kernels].tolist())


def of_known(changed: DependencyGraph, graph: DependencyGraph) -> Any:
    """Tell which tasks have names that were in a graph before."""
    return np.isin(changed.names, graph.names)[changed.task_name]


def test_layer_normalisation_stays_and_casts_what_it_reads_and_products_what_it_writes() -> None:
    """Autocast runs it in single precision. Gradients are cast the other way: to single precision in twice the time."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD, 900_000)
    made.kernel("vectorized_layer_norm_kernel<float>", Phase.FORWARD)
    made.kernel("sgemm_second", Phase.FORWARD, 900_000)
    made.kernel(RELU, Phase.BACKWARD, 1_000)
    made.kernel(PRODUCT_BACK, Phase.BACKWARD, 900_000)
    graph = after(made.builder.built(), "amp:dtype=bfloat16")
    assert durations(graph, "layer_norm") == {100_000}
    casts = select(graph, name="cast of activations")
    times = [graph.duration_ns[rows].tolist() for rows in np.split(casts, [3])]
    assert times[0][1:] == [150_000, 75_000]
    assert sorted(times[1]) == [75_000, 150_000]
    assert set(graph.phase[casts[3:]].tolist()) == {Phase.BACKWARD}


def test_a_sum_of_both_precisions_casts_the_gradient_of_one() -> None:
    """What a product adds to what was normalised; the bias that a linear layer adds stays in half precision."""
    made = Made()
    made.kernel("tiny_elementwise", Phase.FORWARD, 1_000)
    made.kernel("vectorized_layer_norm_kernel<float>", Phase.FORWARD, written_bytes=6e6)
    made.kernel(PRODUCT, Phase.FORWARD, layer="aten::linear")
    made.kernel("elementwise_kernel<CUDAFunctor_add<float>>", Phase.FORWARD, layer="aten::linear")
    made.kernel("vectorized_elementwise_kernel<CUDAFunctor_add<float>>", Phase.FORWARD, layer="aten::add")
    made.kernel(PRODUCT_BACK, Phase.BACKWARD)
    graph = after(made.builder.built(), "amp:dtype=bfloat16")
    assert sorted(durations(graph, r"\belementwise_kernel<CUDAFunctor_add")) == [50_000]
    assert durations(graph, "vectorized_elementwise_kernel<CUDAFunctor_add") == {100_000}
    rows = select(graph, name="cast of activations")
    assert graph.duration_ns[rows].tolist() == [1_000 + 15_000, 2 * (1_000 + 15_000), 75_000]


def test_products_are_not_shorter_than_a_launch_of_work_on_a_hopper_gpu() -> None:
    """A product of 1 GFLOP takes 4.2 us, whatever the ratio of peaks."""
    graph = replace(small(flops=1e9, read_bytes=4e6, written_bytes=2e6), device="NVIDIA H200")
    assert min(durations(after(graph, "amp:dtype=bfloat16"), "sgemm")) >= 2_800 + 1e9 / (0.73 * 989.4e3)


def test_inference_casts_weights_of_known_sizes_and_what_each_product_reads() -> None:
    """Autocast keeps weights only: three products read a normalised tensor, each through a cast of its own."""
    made = Made()
    made.kernel(RELU, Phase.FORWARD, 1_000)
    made.kernel("vectorized_layer_norm_kernel<float>", Phase.FORWARD)
    for number in range(3):
        made.kernel(PRODUCT, Phase.FORWARD, layer=f"linear {number}", parameter_bytes=40e6)
    made.kernel("elementwise_kernel<CUDAFunctor_add<float>>", Phase.FORWARD)
    graph = after(made.builder.built(), "amp")
    assert durations(graph, "CUDAFunctor_add") == {100_000}
    assert durations(graph, "sgemm") == {33_333}
    assert durations(graph, "cast of weights") == {101_000}
    casts = names(graph)
    assert [casts.count(f"cast of {what}") for what in ("weights", "activations", "gradients")] == [3, 3, 0]
    assert "wait for finite gradients" not in casts


def test_products_gain_what_they_reach_on_the_device() -> None:
    """Nine times on a T4 at most, nothing on a P4, which multiplies no halves; Daydream's 3 where nothing is stated."""
    assert half_gain("Tesla T4") == pytest.approx(8.9, abs=0.1)
    assert half_gain("Tesla P4") == 1
    assert half_gain("Abacus") is None
    small_one = replace(training(), device="Tesla P4")
    assert durations(after(_with_small(small_one), "amp"), "sgemm") == durations(small_one, "sgemm")


def test_small_and_thin_products_gain_less_and_convolutions_less_than_products() -> None:
    """Half of the most at 1 Gflop and, else, at 10 operations a byte; what is not known is no limit."""
    most = half_gain("Tesla T4") or 0.0
    flops, moved = np.array([1e15, 1e9, 1e15, 1e15, NAN]), np.array([NAN, NAN, 1e14, NAN, NAN])
    convolves = np.array([False, False, False, True, False])
    gains = half_gains("Tesla T4", flops, moved, np.array([1, 1, 1, 1, 10**15]), convolves)
    half = 1 + (most - 1) / 2
    assert gains.tolist() == pytest.approx([most, half, half, 1 + 0.4 * (most - 1), most], rel=1e-3)


def test_with_float16_the_host_waits_for_finite_gradients() -> None:
    """One kernel that unscales and one wait in each step, before the update; neither with bfloat16."""
    graph = after(training(steps=3), "amp:dtype=float16")
    assert names(graph).count("unscaling of gradients") == 3
    waits = select(graph, kinds=(TaskKind.SYNCHRONISATION,), name="finite")
    updates = select(graph, kinds=(TaskKind.CPU,), phases=(Phase.UPDATE,), name="cudaLaunch")
    made = replay(graph)
    assert len(waits) == 3
    for wait in waits.tolist():
        gradients = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
        done = made.end_ns[gradients[gradients < wait]].max()
        assert made.start_ns[wait] >= done
        assert made.start_ns[updates[updates > wait][0]] >= made.end_ns[wait]
    assert "unscaling of gradients" not in names(after(training(), "amp:dtype=bfloat16"))


def test_training_that_waits_for_its_host_gains_nothing() -> None:
    """Launches of 300 us for kernels of 100: there are only more of them afterwards."""
    before = training(launch_ns=300_000)
    assert replay(after(before, "amp")).makespan_ns >= replay(before).makespan_ns


def test_kernels_that_are_not_known_stay_and_are_counted() -> None:
    """No factor is made up for them."""
    made = Made()
    for name, phase in ((PRODUCT, Phase.FORWARD), ("mystery", Phase.FORWARD), (PRODUCT_BACK, Phase.BACKWARD)):
        made.kernel(name, phase)
    graph = after(made.builder.built(), "amp")
    assert durations(graph, "mystery") == {100_000}
    assert "amp does not change 1 kernel of unknown class" in graph.notes


NAN = float("nan")


def quantisable() -> DependencyGraph:
    """Products, and layers between them."""
    builder = GraphBuilder(name="network")
    rows = (
        ("Relu", 100, 4000, 4000, 0, 0),
        ("Conv", 1000, 4400, 4000, 400, 1e6),
        ("Relu", 100, 4000, 4000, 0, 0),
        ("MaxPool", 130, 4000, 1000, 0, 0),
        ("Conv", 1000, 1400, 4000, 400, 1e6),
        ("LayerNormalization", 200, 4000, 4000, 0, 0),
        ("MatMul", 500, 8000, 4000, 4000, 5e5),
        ("Tanh", 1, 4, 4, 0, 0),
    )
    for number, (operator, duration, read, written, held, flops) in enumerate(rows):
        builder.task(
            TaskKind.CPU, f"{operator}{number}", HOST, duration, layer=str(number), operator=operator,
            read_bytes=float(read), written_bytes=float(written), parameter_bytes=float(held), flops=float(flops),
        )  # fmt: skip
    return builder.built()


def test_products_are_quantised() -> None:
    """With conversions where float begins and ends; what follows a product in its limits goes."""
    after = asked(quantisable(), "int8").graph
    assert names(after) == [
        "Relu0", "QuantizeLinear of Conv1", "Conv1", "MaxPool3", "Conv4", "DequantizeLinear of Conv4",
        "LayerNormalization5", "QuantizeLinear of MatMul6", "MatMul6", "DequantizeLinear of MatMul6", "Tanh7",
    ]  # fmt: skip
    times = dict(zip(names(after), after.duration_ns.tolist(), strict=True))
    assert 1000 / 4 < times["Conv1"] < 1000 / 3.3
    assert times["MaxPool3"] == pytest.approx(100, abs=1)
    assert times["LayerNormalization5"] == 200
    assert 500 / 4 < times["MatMul6"] < 500 / 3.7
    assert [after.operators[number] for number in after.operator[2:4]] == ["QLinearConv", "QLinearMaxPool"]


def test_depthwise_convolutions_lose() -> None:
    """Their integer kernels are slower than those of floats on blocks."""
    graph = layers(("Conv", 1000, 4036, 4000, 2 * 9 * 1000), ("Relu", 1, NAN, NAN, NAN))
    after = asked(with_attributes(graph, parameter_bytes=np.array([36.0, 0.0])), "int8").graph
    assert after.duration_ns[names(after).index("conv0")] == pytest.approx(1000 / 0.72, rel=0.01)


def convolution(groups: int, channels: int) -> DependencyGraph:
    """A convolution of 3x3 on maps of 14x14 that gives as many channels as it reads."""
    builder = GraphBuilder(name="network")
    values, each = 196.0 * channels, 9.0 * channels / groups
    builder.task(
        TaskKind.CPU, "Conv", HOST, 100_000, layer="conv", operator="Conv", flops=2 * values * each + values,
        parameter_bytes=4 * channels * (each + 1), written_bytes=4 * values,
        read_bytes=4 * (values + channels * (each + 1)),
    )  # fmt: skip
    builder.task(TaskKind.CPU, "Tanh", HOST, 1, layer="tanh", operator="Tanh")
    return builder.built()


@pytest.mark.parametrize(
    ("groups", "channels", "quicker"), [(1, 128, 3.67), (32, 128, 3.4 * 4 / 40), (8, 128, 3.4 / 4), (4, 256, 3.67)]
)
def test_few_channels_in_a_group_gain_less(groups: int, channels: int, quicker: float) -> None:
    """In proportion, up to 64 where they fill blocks and 40 where they do not."""
    after = asked(convolution(groups, channels), "int8").graph
    assert after.duration_ns[names(after).index("Conv")] == pytest.approx(100_000 / quicker, rel=0.02)


def test_products_without_constants_gain_less() -> None:
    """Nothing of them could be packed beforehand."""
    graph = layers(("MatMul", 1000, 8000, 4000, 1e6), ("Tanh", 1, 4, 4, 0))
    after = asked(graph, "int8").graph
    assert after.duration_ns[names(after).index("matmul0")] == pytest.approx(1000 / 1.5, abs=1)
    held = with_attributes(graph, parameter_bytes=np.array([4000.0, 0.0]))
    assert asked(held, "int8").graph.duration_ns[1] < 1000 / 3.5


def test_conversions_between_layouts_go() -> None:
    """But for those before which a layer looks at the order of axes: they turn bytes around."""
    conversions = [("ReorderOutput", 900, 4800.0, 4800.0, NAN), ("ReorderInput", 900, 4800.0, 4800.0, NAN)]
    convs = [("Conv", 1000, NAN, NAN, NAN)] * 2
    between = ("Sigmoid", 100, NAN, NAN, NAN)
    after = asked(layers(convs[0], conversions[0], between, conversions[1], convs[1]), "int8").graph
    assert not any(name.startswith("reorder") for name in names(after))
    turned = ("Transpose", 100, NAN, NAN, NAN)
    kept = asked(layers(convs[0], conversions[0], turned, conversions[1], convs[1]), "int8").graph
    assert kept.duration_ns[names(kept).index("reorderoutput1")] == round(100 + 2 * 4800 / 4 / 6)


@given(networks())
def test_no_task_of_float_changes(graph: DependencyGraph) -> None:
    """Not in its time, but for those that are named."""
    if not {"Conv", "Gemm", "MatMul"} & {graph.operators[number] for number in graph.operator.tolist()}:
        return
    after = asked(graph, "int8").graph
    stays = [row for row in range(len(after)) if not after.operators[after.operator[row]].startswith("Q")]
    before = dict(zip(names(graph), graph.duration_ns.tolist(), strict=True))
    for row in stays:
        name = after.names[after.task_name[row]]
        assert after.duration_ns[row] == before.get(name, after.duration_ns[row])


def test_what_int8_makes_slower() -> None:
    """Softmax between products, a mean over maps before a convolution; a fused sum and normalisation gets quicker."""
    rows = ("Conv", "ReduceMean", "Conv", "Softmax", "MatMul", "SkipLayerNormalization", "Relu")
    after = asked(layers(*((name, 1000, NAN, NAN, NAN) for name in rows)), "int8").graph
    times = dict(zip(names(after), after.duration_ns.tolist(), strict=True))
    assert times["reducemean1"] == times["softmax3"] == round(1000 / 0.18)
    assert times["skiplayernormalization5"] == 200


def test_halves() -> None:
    """Products by their factor, TF32 ones by 2, others by their bytes; the quickest, unknown and half ones stay."""
    builder = GraphBuilder(name="kernels")
    kernels = (
        ("volta_sgemm_128x64_nn", 3010),
        ("ampere_tf32_s1688gemm", 3010),
        ("vectorized_elementwise_kernel", 3010),
        ("h884gemm_fp16", 3010),
        ("mystery", 3010),
        ("softmax_warp_forward", 10),
    )
    for name, duration in kernels:
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    builder.task(TaskKind.COPY, "Memcpy HtoD", STREAM, 100)
    graph = builder.built()
    assert asked(graph, "fp16").graph.duration_ns.tolist() == [1010, 1510, 1510, 3010, 3010, 10, 100]


def kernels(times: dict[str, int]) -> DependencyGraph:
    """Return kernels of these names and times."""
    builder = GraphBuilder(name="kernels")
    for name, duration in times.items():
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    return builder.built()


@pytest.mark.parametrize(("device", "gain"), [("", 3), ("NVIDIA A10G", 2), ("Tesla T4", 8.93), ("Tesla P4", 1)])
def test_long_products_gain_what_the_device_reaches(device: str, gain: float) -> None:
    """By the ratio of half to single precision; by Daydream's three where nothing is stated."""
    graph = replace(kernels({"sgemm": 3_000_000_010, "copy_kernel": 10}), device=device)
    made = asked(graph, "fp16").graph
    assert int(made.duration_ns.max()) == pytest.approx(3e9 / gain, rel=1e-3)


def test_eight_bits_quicken_products_alone() -> None:
    """Half precision by less than single; what is in eight bits already, and a device that has none, are refused."""
    times = {"h884gemm_fp16": 1610, "sgemm": 1610, "relu_elementwise": 1610, "copy_kernel": 10}
    graph = replace(kernels(times), device="NVIDIA H100 80GB HBM3")
    made = asked(graph, "fp8:quantise=fused").graph
    half, single, other, _ = made.duration_ns.tolist()
    assert half == 1010
    assert single < half < other == 1610
    with pytest.raises(InputError, match="Tesla T4 does not support 8-bit floating point"):
        asked(replace(graph, device="Tesla T4"), "fp8")
    with pytest.raises(InputError, match="Tesla T4 does not support bfloat16"):
        asked(replace(graph, device="Tesla T4"), "bf16")
    with pytest.raises(InputError, match="8-bit or smaller operands already"):
        asked(kernels({"fp8_gemm": 100}), "fp8")
    with pytest.raises(InputError, match="8-bit or smaller operands already"):
        asked(kernels({"_matmul_ogs_bf16xbf16xmxfp4": 100}), "fp8")


def test_kernels_of_their_own_convert_what_products_by_weights_read_in_eight_bits() -> None:
    """A large product gains as much as its arithmetic, less the cast; a small one loses; attention's stay."""
    made = Made()
    made.kernel("copy_kernel", Phase.FORWARD, 1_000)
    size: dict[str, Any] = {
        "read_bytes": 4096**2 * 4.0,
        "written_bytes": 4096**2 * 2.0,
        "parameter_bytes": 4096**2 * 2.0,
    }
    made.kernel("nvjet_sm90_tst_256x128_64x4", Phase.FORWARD, 200_000, flops=2 * 4096.0**3, **size)
    small: dict[str, Any] = {"read_bytes": 256**2 * 4.0, "written_bytes": 256**2 * 2.0, "parameter_bytes": 256**2 * 2.0}
    made.kernel("nvjet_sm90_tst_64x64_64x13", Phase.FORWARD, 4_000, flops=2 * 256.0**3, **small)
    made.kernel("nvjet_sm90_tst_bmm", Phase.FORWARD, 50_000, flops=1e10, read_bytes=1e6, written_bytes=1e6)
    graph = replace(made.builder.built(), device="NVIDIA H200")
    whole = after(graph, "fp8")
    needed = 2 * 4096.0**3 / (0.73 * 989.4e12) * 1e9
    assert min(durations(whole, "256x128")) == pytest.approx(200_000 - needed * (1 - 1 / 1.6), rel=0.01)
    assert 3_900 < min(durations(whole, "64x64")) < 4_000
    assert durations(whole, "bmm") == {50_000}
    short, long = sorted(durations(whole, "quantisation"))
    assert long - short == pytest.approx((4096**2 - 256**2) * 4 / 4.08e3, rel=0.01)
    assert len(after(graph, "fp8:quantise=fused")) == len(graph)
    with pytest.raises(InputError, match="unknown value 'never' of quantise: choose separate or fused"):
        asked(graph, "fp8:quantise=never")


def test_training_in_eight_bits_is_refused() -> None:
    """Its gradients would be converted, too, and were measured nowhere."""
    made = Made()
    made.kernel("nvjet_sm90_tst_fwd", Phase.FORWARD, 200_000)
    made.kernel("nvjet_sm90_tst_dgrad", Phase.BACKWARD, 200_000)
    with pytest.raises(InputError, match="it has a backward pass: use amp for training"):
        asked(replace(made.builder.built(), device="NVIDIA H100 80GB HBM3"), "fp8")


def test_what_autocast_computes_in_single_precision_flows_on_to_the_next_product() -> None:
    """An exponential and what divides it keep their times and are cast for the product; what reads a product halves."""
    made = Made()
    exp, div, sigmoid = (f"elementwise_kernel<{what}>" for what in ("exp_kernel_cuda", "DivFunctor", "sigmoid_kernel"))
    for name in (PRODUCT, exp, div, PRODUCT, sigmoid):
        made.kernel(name, Phase.FORWARD)
    for name in (sigmoid, PRODUCT_BACK, div, PRODUCT_BACK):
        made.kernel(name, Phase.BACKWARD)
    made.kernel("tiny_elementwise", Phase.UPDATE, 1_000)
    graph = after(made.builder.built(), "amp:dtype=bfloat16")
    forward = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,))
    times = dict(zip((graph.named(row) for row in forward.tolist()), graph.duration_ns[forward].tolist(), strict=True))
    assert (times[exp], times[div], times[sigmoid]) == (100_000, 100_000, 50_000)
    # of the input, of what the exponential reads and the second product, and of the gradients of both
    assert len(select(graph, name="cast of activations")) == 5
    back = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,), name="elementwise")
    # two thirds of what passes ahead are single, so is as much of what passes back
    assert set(graph.duration_ns[back].tolist()) == {83_333}
