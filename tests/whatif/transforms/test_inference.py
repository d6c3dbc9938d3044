"""Transforms of networks on a processor: fusion, batch, threads, attention, other devices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, TaskKind, with_attributes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import apply_all
from dlbricks.whatif.transforms.fuse import chains, read_pattern
from dlbricks.whatif.transforms.int8 import convolutions
from dlbricks.whatif.transforms.scaling import BATCH, with_batch_ratio
from tests.whatif.made_up import (
    HOST,
    NAN,
    STREAM,
    asked,
    convolving,
    launched,
    layers,
    names,
    networks,
    scalable,
    wired,
)


@given(networks())
def test_what_changes_nothing_is_an_identity(graph: DependencyGraph) -> None:
    """The same batch, and one thread of an executor where nothing runs beside anything."""
    same = apply_all(graph, [(BATCH, {"batch": 1.0, "from": 1.0, "fill": 0.0})]).graph
    assert same.duration_ns.tolist() == graph.duration_ns.tolist()


def test_groups_of_convolutions_are_known_by_their_figures() -> None:
    """From the products for each result, and as many values read as written."""
    for groups in (8, 16):
        each, values = 9.0 * 128 / groups, 196.0 * 128
        held = 4 * 128 * (each + 1)
        row = ("Conv", 1140, 4 * values + held, 4 * values, 2 * values * each + values)
        graph = layers(row, ("Tanh", 1, 4, 4, 0))
        graph = with_attributes(graph, parameter_bytes=np.array([held, 0.0]))
        assert convolutions(graph).group_channels.tolist() == [128 / groups]


@given(networks(), st.integers(2, 64))
def test_a_larger_batch_takes_longer_but_not_more_than_in_proportion(graph: DependencyGraph, batch: int) -> None:
    """Constants and what is fixed are shared; going back gives no more than what rounding leaves."""
    more = with_batch_ratio(graph, batch)
    assert (more.duration_ns >= graph.duration_ns).all()
    assert (more.duration_ns <= batch * graph.duration_ns + 1).all()


def test_constants_are_fetched_once() -> None:
    """A product limited by its constants takes the same for two inputs."""
    builder = GraphBuilder(name="one")
    for name, held in (("fc", 1000.0), ("relu", 0.0)):
        builder.task(
            TaskKind.CPU, name, HOST, 1000, operator="Gemm" if held else "Relu",
            read_bytes=1000.0, written_bytes=0.0, parameter_bytes=held, flops=0.0,
        )  # fmt: skip
    builder.task(TaskKind.CPU, "quick", HOST, 1, operator="Relu")
    times = with_batch_ratio(builder.built(), 2).duration_ns
    assert times[0] == 1000
    assert times[1] == pytest.approx(2000, abs=2)
    assert times[2] == 1


def test_chains_are_found_by_operators_and_classes() -> None:
    """As long as they fit, within a call, by what feeds what where that is known."""
    graph = layers(*((operator, 10, NAN, NAN, NAN) for operator in ("Conv", "Relu", "Add", "Conv", "Conv")), calls=2)
    assert chains(graph, read_pattern("matrix+elementwise*")) == ((0, 1, 2), (5, 6, 7))
    assert chains(graph, read_pattern("Conv+Relu|Clip")) == ((0, 1), (5, 6))
    assert chains(graph, read_pattern("Conv+Conv")) == ((3, 4), (8, 9))
    linked = wired(graph, {"relu1": ["conv0"], "add2": ["conv0"], "conv3": ["add2"], "conv4": ["conv3"]})
    assert chains(linked, read_pattern("Conv+Relu")) == ()
    assert chains(linked, read_pattern("Add+Conv*")) == ((2, 3, 4), (7, 8, 9))


def test_fused_layers_keep_what_they_do_not_hand_over() -> None:
    """A Relu costs nothing behind a convolution; of an Add its second operand is left."""
    rows = [
        ("Conv", 1000, 4000, 1000, 1e6),
        ("Add", 301, 2000, 1000, 0),
        ("Relu", 201, 1000, 1000, 0),
        ("Relu", 1, 1, 1, 0),
    ]
    after = asked(layers(*rows), "fuse:Conv+Add+Relu").graph
    assert names(after) == ["conv0+add1+relu2", "relu3"]
    assert after.duration_ns.tolist() == [1100, 1]
    assert [after.operators[number] for number in after.operator] == ["Conv", "Relu"]
    assert after.attributes["read_bytes"][0] == 5000
    assert after.attributes["written_bytes"][0] == 1000


@given(networks())
def test_fusing_never_lengthens(graph: DependencyGraph) -> None:
    """What stays of each is at most the whole of it."""
    if chains(graph, read_pattern("matrix+elementwise*")):
        assert replay(asked(graph, "fuse").graph).makespan_ns <= replay(graph).makespan_ns


def test_fused_kernels_lose_their_launches() -> None:
    """One launch is left of two."""
    after = asked(launched(["sgemm", "vectorized_elementwise_kernel", "sgemm"]), "fuse").graph
    assert names(after)[:2] == ["cudaLaunchKernel", "sgemm+vectorized_elementwise_kernel"]
    assert len(after) == 5


def test_normalisation_by_stored_statistics_is_elementwise() -> None:
    """It joins the convolution before it; that of training does not."""
    row = ["implicit_convolve_sgemm", "cudnn::bn_fw_inf_1C11_kernel_NCHW<float>", "relu_kernel", "layer_norm_kernel"]
    assert len(chains(launched(row), read_pattern("matrix+elementwise*"))[0]) == 3
    row[1] = "cudnn::bn_fw_tr_1C11_kernel_NCHW<float>"
    assert chains(launched(row), read_pattern("matrix+elementwise*")) == ()


def test_depthwise_convolutions_are_known_by_their_figures() -> None:
    """Few products for each result, and as much read as written."""
    assert convolutions(convolving()).depthwise.tolist() == [False, True]


@given(networks(), st.integers(2, 8))
def test_more_threads_never_lengthen(graph: DependencyGraph, threads: int) -> None:
    """A layer that gains nothing stays on one thread; and none gets quicker than all threads make it."""
    after = asked(graph, f"threads:{threads}").graph
    assert (after.duration_ns <= graph.duration_ns).all()
    assert (after.duration_ns * threads >= graph.duration_ns - threads).all()


def test_threads_and_back() -> None:
    """Wake-up is paid on several threads, and saved on one."""
    graph = layers(("Conv", 1_000_000, NAN, NAN, NAN), ("Relu", 1_000, NAN, NAN, NAN))
    two = asked(graph, "threads:2").graph
    assert two.duration_ns.tolist() == [pytest.approx(1_000_000 / 1.95 + 2000, rel=0.01), 1000]
    assert asked(two, "threads:1,from=2").graph.duration_ns[0] == pytest.approx(1_000_000, rel=0.01)


def test_attention_becomes_one_kernel() -> None:
    """Its products stay; the softmax and what is around it goes, with the launches."""
    row = ["sgemm_qk", "elementwise_scale", "softmax_warp_forward", "sgemm_pv", "relu_elementwise", "sgemm_last"]
    after = asked(launched(row, kernel_ns=100), "attention").graph
    kernels = [name for name in names(after) if not name.startswith("cuda")]
    assert kernels == ["sgemm_qk+elementwise_scale+softmax_warp_forward+sgemm_pv", "relu_elementwise", "sgemm_last"]
    assert after.duration_ns[1] == pytest.approx(100, abs=1)


def test_faster_devices() -> None:
    """Arithmetic and memory by their factors, each kernel as it is limited; by name as data sheets state it."""
    assert asked(scalable(), "device:compute=2").graph.duration_ns.tolist() == [1010, 1010, 2010, 10, 100, 100]
    assert asked(scalable(), "device:bandwidth=2").graph.duration_ns.tolist() == [2010, 2010, 1010, 10, 100, 100]
    host = asked(scalable(), "device:host=2").graph
    assert (host.duration_ns[-1], host.gap_ns[-1]) == (50, 25)
    named = asked(scalable(), "device:from=V100-SXM2,to=A100").graph.duration_ns
    assert named[0] == pytest.approx(10 + 2000 * 15.7 * 0.90 / (19.5 * 0.88), abs=1)
    assert named[1] == pytest.approx(10 + 2000 * 125 * 0.79 / (312 * 0.78), abs=1)
    assert named[2] == pytest.approx(10 + 2000 * 900 * 0.91 / (1555 * 0.88), abs=1)


def test_products_in_tf32() -> None:
    """Are in single precision where a device has none."""
    builder = GraphBuilder(name="kernels")
    for name, duration in (("ampere_tf32_s1688gemm", 2010), ("add", 10)):
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    back = asked(builder.built(), "device:from=A100,to=V100-SXM2").graph.duration_ns
    assert back[0] == pytest.approx(10 + 2000 * 1.5 * 19.5 * 0.88 / (15.7 * 0.90), abs=1)


@given(networks(), st.sampled_from(["compute", "bandwidth"]), st.integers(2, 9))
def test_faster_is_never_slower(graph: DependencyGraph, what: str, factor: int) -> None:
    """And never by more than the factor."""
    after = asked(graph, f"device:{what}={factor}").graph.duration_ns
    assert (after <= graph.duration_ns).all()
    assert (after * factor >= graph.duration_ns - factor).all()
