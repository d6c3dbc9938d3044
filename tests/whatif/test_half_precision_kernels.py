"""What half precision makes of products, convolutions and batch normalisation, by shape, layout and library."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.whatif.answer import ask
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, launches
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms.number_formats import channels_last, uneven_products
from dlbricks.whatif.work import half_gain, half_gains
from tests.whatif.made_up import HOST, KNOWN, LAG, NORM, NORM_BACK, PRODUCT, RELU, STREAM, Made, after

H200 = "NVIDIA H200"
DEPTHWISE, CONVOLUTION = "conv_depthwise2d_forward_kernel<3>", "cudnn::implicit_convolve_sgemm"
TO_PLAIN, FROM_PLAIN = "cudnn::nhwcToNchwKernel<float>", "cudnn::nchwToNhwcKernel<float>"


def product(made: Made, rows: int, inputs: int, outputs: int) -> None:
    """Add a product of rows by weights, and both that go back, in single precision."""
    sizes = {"y": rows * outputs, "x": rows * inputs, "w": inputs * outputs}
    flops = 2.0 * rows * inputs * outputs
    for result, phase in (("y", Phase.FORWARD), ("x", Phase.BACKWARD), ("w", Phase.BACKWARD)):
        read = 4.0 * (sum(sizes.values()) - sizes[result])
        held: dict[str, Any] = {"parameter_bytes": 4.0 * sizes["w"]} if result == "y" else {}
        made.kernel(PRODUCT, phase, flops=flops, read_bytes=read, written_bytes=4.0 * sizes[result], **held)


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(1, 5000))
def test_products_are_uneven_by_features_not_by_rows(rows: int, inputs: int, outputs: int) -> None:
    """All three of them: tensor cores load features 16 bytes at a time, and rows may be as many as they like."""
    made = Made()
    product(made, rows, inputs, outputs)
    uneven = uneven_products(made.builder.built())
    assert set(uneven[uneven.nonzero()].tolist()) == ({True} if inputs % 2 or outputs % 2 else set())
    assert np.count_nonzero(uneven) in (0, 3)


def test_uneven_products_gain_less() -> None:
    """GPT-2's last product gains 2.4 times on an H200, not 14.8; never less than nothing on others."""
    flops, times = np.array([1e15, 1e15]), np.array([1, 1])
    even, odd = half_gains(H200, flops, np.full(2, np.nan), times, np.zeros(2, bool), np.array([False, True])).tolist()
    assert even == pytest.approx(half_gain(H200), rel=0.001)
    assert odd == pytest.approx(0.16 * even)
    small = half_gains("NVIDIA A10G", flops, np.full(2, np.nan), times, np.zeros(2, bool), np.ones(2, bool))
    assert small.tolist() == [1, 1]


def convolving(*names: str, norm: str = NORM, norm_back: str = NORM_BACK) -> DependencyGraph:
    """Return a step of a convolution with what surrounds it, a normalisation and what goes back, on an H200."""
    made = Made()
    for name in names:
        figures: dict[str, Any] = {"flops": 5e9} if name == CONVOLUTION else {}
        made.kernel(name, Phase.FORWARD, **figures)
    made.kernel(norm, Phase.FORWARD)
    made.kernel("cudnn::wgrad_alg0_engine", Phase.BACKWARD)
    made.kernel(norm_back, Phase.BACKWARD)
    made.kernel(RELU, Phase.BACKWARD, 1_000)
    return replace(made.builder.built(), device=H200)


def times(graph: DependencyGraph, name: str) -> list[int]:
    """Return what kernels of a name take."""
    made: list[int] = graph.duration_ns[select(graph, kinds=(TaskKind.KERNEL,), name=name)].tolist()
    return made


def test_bfloat16_has_no_batch_normalisation_of_cudnn() -> None:
    """PyTorch's takes longer in the plain layout; float16 keeps cuDNN's; channels-last ones save bytes."""
    graph = convolving(CONVOLUTION)
    assert times(after(graph, "amp:dtype=bfloat16"), "bn_") == [166_000, 121_000]
    assert max(times(after(graph, "amp:dtype=float16"), "bn_")) < 100_000
    last = convolving(
        CONVOLUTION, norm="cudnn::batchnorm_fwtr_nhwc_semiPersist", norm_back="cudnn::batchnorm_bwtr_nhwc_semiPersist"
    )
    assert channels_last(last)
    assert max(times(after(last, "amp:dtype=bfloat16"), "batchnorm_")) < 100_000
    calls = Made()
    for name in (PRODUCT, "cudnn::bn_fw_inf_1C11_kernel_NCHW", RELU):
        calls.kernel(name, Phase.FORWARD, 1_000 if name == RELU else None)
    assert times(after(calls.builder.built(), "fp16"), "bn_") == [100_000]


def test_channels_last_needs_no_conversions_and_gains_more() -> None:
    """Whether kernels of normalisation tell it or the first conversion of each convolution does."""
    both = (TO_PLAIN, CONVOLUTION, FROM_PLAIN)
    last, plain = (convolving(*names, norm="layer_norm", norm_back="layer_norm") for names in (both, both[::-1]))
    assert channels_last(last)
    assert not channels_last(plain)
    quick, slow = after(last, "amp:dtype=bfloat16"), after(plain, "amp:dtype=bfloat16")
    assert times(quick, "nchw") == []
    assert len(times(slow, "nchw")) == 2
    assert times(quick, "implicit_convolve")[0] < times(slow, "implicit_convolve")[0]


@given(st.integers(2, 100), st.integers(2, 100))
def test_channels_last_batch_normalisation_of_pytorch_is_no_longer_limited_by_its_blocks(ahead: int, back: int) -> None:
    """Without bytes, factors on PyTorch's for half precision; cuDNN's and others keep their time."""
    made = Made()
    norm = "batch_norm_{}_kernel<c10::BFloat16, c10::BFloat16, float, int>"
    made.kernel(FROM_PLAIN, Phase.FORWARD)
    made.kernel(norm.format("collect_statistics"), Phase.FORWARD, 1_000 * ahead)
    made.kernel("batch_norm_transform_input_kernel<float, float, float, true, int>", Phase.FORWARD)
    made.kernel("cudnn::bn_fw_tr_1C11_kernel_NCHW", Phase.FORWARD)
    made.kernel(norm.format("backward"), Phase.BACKWARD, 1_000 * back)
    graph = made.builder.built()
    changed = after(graph, "layout")
    assert times(changed, "collect") == [550 * ahead]
    assert times(changed, "norm_backward") == [300 * back]
    assert times(changed, "transform_input|bn_fw") == [100_000, 100_000]
    assert times(changed, "nchwToNhwc") == []


def test_what_products_of_single_precision_leave_to_other_kernels_is_gone() -> None:
    """Scaling and epilogue of a split product; an epilogue in half precision stays."""
    scaling = "void scal_kernel<float, float, 1, true, 6, 5, 5, 3>(cublasTransposeParams<float>, float const*)"
    epilogue = "void cublasLt::epilogue::impl::globalKernel<8, 32, {0}, {0}, float, true, true, 1>(int, int, long)"
    made = Made()
    for name in (scaling, PRODUCT, epilogue.format("float"), epilogue.format("__half"), RELU):
        made.kernel(name, Phase.FORWARD, 1_000 if name == RELU else None)
    graph = made.builder.built()
    for asked in ("fp16", "bf16", "amp:dtype=bfloat16"):
        changed = after(graph, asked)
        assert times(changed, "scal_kernel") == []
        assert times(changed, "epilogue") == [100_000]
        if asked != "amp:dtype=bfloat16":
            assert len(changed) == len(graph) - 4  # with their launches


def test_small_products_gain_in_the_whole_network_what_they_gain_under_autocast() -> None:
    """Far above their roof it is not bytes that limit them: BERT's call of one input gained six times, not three."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD, 25_000, flops=1.4e8, read_bytes=2.6e6, written_bytes=4e5)
    made.kernel(RELU, Phase.FORWARD, 1_000, read_bytes=8e5, written_bytes=4e5)
    graph = replace(made.builder.built(), device=H200)
    gain = half_gains(H200, np.array([1.4e8]), np.array([3e6]), np.array([25_000]), np.zeros(1, bool))[0]
    assert times(after(graph, "fp16"), PRODUCT) == [round(25_000 / gain)]


def test_depthwise_convolutions_save_bytes_only() -> None:
    """At 500 GB/s they are not limited by the memory of an H200: half of what that needs is saved."""
    made, rate = Made(), 4.8e12 * 0.85
    made.kernel(DEPTHWISE, Phase.FORWARD, flops=1e8, read_bytes=25e6, written_bytes=25e6)
    made.kernel(PRODUCT, Phase.FORWARD)
    made.kernel(RELU, Phase.BACKWARD, 1_000)
    graph = replace(made.builder.built(), device=H200)
    for asked in ("amp:dtype=bfloat16", "amp:dtype=float16"):
        assert times(after(graph, asked), "depthwise") == [round(100_000 - 50e6 / rate * 1e9 / 2)]


def test_casts_in_a_graph_of_kernels_are_part_of_it() -> None:
    """They are launched with the others, by the one call there is."""
    builder = GraphBuilder(name="graph")
    call = builder.task(TaskKind.CPU, "cudaGraphLaunch", HOST, 10_000, phase=Phase.FORWARD)
    for name in ("vectorized_layer_norm_kernel<float>", PRODUCT, "tiny_elementwise"):
        time = 1_000 if name.startswith("tiny") else 100_000
        builder.edge(EdgeKind.LAUNCH, call, builder.task(TaskKind.KERNEL, name, STREAM, time, phase=Phase.FORWARD), LAG)
    graph = builder.built()
    changed = after(graph, "amp:dtype=bfloat16")
    casts = select(changed, name="cast of")
    assert len(casts)
    assert len(changed) == len(graph) + len(casts)
    assert set(launches(changed)[casts].tolist()) == set(select(changed, name="cudaGraphLaunch").tolist())
    asked = ask(graph, [read_step("amp:dtype=bfloat16", KNOWN)]).answer
    assert asked.after.makespan_ns <= asked.before.makespan_ns + changed.duration_ns[casts].sum()
