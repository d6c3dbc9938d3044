"""Transforms of networks on a processor: fusion, layout, batch, threads, parallel execution."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import NewEdge, inserted
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, GraphBuilder, TaskKind, with_attributes
from dlbricks.whatif.select import step_numbers
from dlbricks.whatif.simulate import replay, schedule
from dlbricks.whatif.transform import Applied, apply_all, read_step
from dlbricks.whatif.transforms import known
from dlbricks.whatif.transforms.fuse import chains, read_pattern
from dlbricks.whatif.transforms.layout import convolutions
from dlbricks.whatif.transforms.scaling import BATCH, grown
from dlbricks.whatif.work import rates, shares
from tests.whatif.inference.made import HOST, STREAM, launched, layers, networks

NAN = float("nan")
KNOWN = known()


def asked(graph: DependencyGraph, *questions: str) -> Applied:
    """Apply what is written as on the command line."""
    return apply_all(graph, [read_step(question, KNOWN) for question in questions])


def makespan(applied: Applied) -> int:
    """Give how long the answer takes."""
    assert applied.policy is not None
    return schedule(applied.graph, applied.policy).makespan_ns


def names(graph: DependencyGraph) -> list[str]:
    """Give the names of all tasks."""
    return [graph.names[number] for number in graph.task_name]


def wired(graph: DependencyGraph, feeds: Mapping[str, Sequence[str]]) -> DependencyGraph:
    """Add edges from layer to layer within each call, by the layers that each reads from."""
    rows = {(step, graph.named(row)): row for row, step in enumerate(step_numbers(graph).tolist())}
    edges = [
        NewEdge(kind=EdgeKind.DATA, first=rows[step, source], second=row)
        for (step, name), row in rows.items()
        for source in feeds.get(name, ())
    ]
    return inserted(graph, (), edges).graph


@given(networks())
def test_shares_add_up(graph: DependencyGraph) -> None:
    """Arithmetic, memory and what is fixed are the whole of each task, whatever is known of it; none is negative."""
    parts = shares(graph, np.arange(len(graph)))
    assert np.allclose(parts.arithmetic + parts.memory + parts.fixed, 1)
    assert min(parts.arithmetic.min(), parts.memory.min(), parts.fixed.min()) >= 0


def test_rates_are_the_best_that_is_seen() -> None:
    """The quickest task says what is fixed; short ones say nothing of rates."""
    graph = layers(("Conv", 1000, 10, 10, 8000), ("Relu", 500, 1000, 1000, 1), ("Relu", 10, 1000, 1000, 1))
    best = rates(graph, np.arange(3))
    assert best.fixed_ns == 10
    assert 7 < best.flops_per_ns <= 8
    assert 3 < best.bytes_per_ns <= 4


@given(networks())
def test_what_changes_nothing_is_an_identity(graph: DependencyGraph) -> None:
    """The same batch, and one thread of an executor where nothing runs beside anything."""
    same = apply_all(graph, [(BATCH, {"batch": 1.0, "from": 1.0, "fill": 0.0})]).graph
    assert same.duration_ns.tolist() == graph.duration_ns.tolist()


def test_hard_swish_is_taken_in() -> None:
    """Where a convolution alone feeds a sigmoid and a product of both, on blocks all three are one layer."""
    rows = [("Conv", 1140, 4000, 4000, 1e6), ("HardSigmoid", 300, 4000, 4000, 0), ("Mul", 300, 8000, 4000, 0)]
    plain = layers(*rows, ("Tanh", 1, 4, 4, 0))
    data = [NewEdge(kind=EdgeKind.DATA, first=first, second=second) for first, second in ((0, 1), (0, 2), (1, 2))]
    after = asked(inserted(plain, (), data)[0], "layout:blocked,dense=1.14").graph
    assert names(after)[0] == "conv0+hardsigmoid1+mul2"
    read_by_another = inserted(plain, (), [*data, NewEdge(kind=EdgeKind.DATA, first=0, second=3)])[0]
    assert names(asked(read_by_another, "layout").graph)[:2] == ["conv0", "hardsigmoid1"]


def test_groups_that_fill_no_block_stay_on_rows() -> None:
    """Their convolutions are as quick as before."""
    for groups, factor in ((8, 1.14), (16, 1.0)):
        each, values = 9.0 * 128 / groups, 196.0 * 128
        held = 4 * 128 * (each + 1)
        row = ("Conv", 1140, 4 * values + held, 4 * values, 2 * values * each + values)
        graph = layers(row, ("Tanh", 1, 4, 4, 0))
        graph = with_attributes(graph, parameter_bytes=np.array([held, 0.0]))
        assert asked(graph, "layout:blocked,dense=1.14").graph.duration_ns[0] == round(1140 / factor)


@given(networks(), st.integers(2, 64))
def test_a_larger_batch_takes_longer_but_not_more_than_in_proportion(graph: DependencyGraph, batch: int) -> None:
    """Constants and what is fixed are shared; going back gives no more than what rounding leaves."""
    more = grown(graph, batch)
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
    times = grown(builder.built(), 2).duration_ns
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
    with pytest.raises(InputError, match="is no pattern of layers"):
        read_pattern("Conv++Relu")


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
    after = asked(launched(["sgemm", "vectorized_elementwise_kernel", "sgemm"]), "fuse:left=50%").graph
    assert names(after)[:2] == ["cudaLaunchKernel", "sgemm+vectorized_elementwise_kernel"]
    assert len(after) == 5


def test_what_is_unfused_takes_a_pass_over_memory() -> None:
    """At the rate of tasks that only pass bytes on, with a launch where there are launches."""
    rows = [("Conv", 1000, 4000, 1000, 1e6), ("Add", 100, 200, 200, 0), ("Relu", 10, 1, 1, 0)]
    after = asked(layers(*rows), "unfuse:Conv").graph
    assert names(after) == ["conv0", "Relu of conv0", "add1", "relu2"]
    assert after.duration_ns[1] == 10 + 2000 / 4
    with pytest.raises(InputError, match="the bytes that 1 of 1 of these tasks write are not known"):
        asked(launched(["sgemm"]), "unfuse")


def convolving() -> DependencyGraph:
    """A dense and a depthwise convolution (9 products each), a pool and a product."""
    return layers(
        ("Conv", 1140, 4000, 4000, 2 * 500 * 1000),
        ("Conv", 760, 4036, 4000, 2 * 9 * 1000),
        ("GlobalAveragePool", 100, 4000, 400, 0),
        ("Gemm", 10, 400, 400, 0),
    )


def test_depthwise_convolutions_are_known_by_their_figures() -> None:
    """Few products for each result, and as much read as written."""
    assert convolutions(convolving()).depthwise.tolist() == [False, True]


def test_layouts() -> None:
    """On blocks convolutions are quicker by their kind, and what cannot follow needs a conversion; back undoes it."""
    after = asked(convolving(), "layout:blocked,dense=1.14,depthwise=7.6").graph
    assert names(after)[3] == "ReorderOutput of globalaveragepool2"
    assert after.duration_ns[:2].tolist() == [1000, 100]
    back = asked(after, "layout:plain,dense=1.14,depthwise=7.6").graph
    assert back.duration_ns.tolist() == convolving().duration_ns.tolist()
    for graph, question, reason in (
        (after, "layout", "it works on blocks of channels already"),
        (convolving(), "layout:plain", "it works on plain tensors already"),
        (convolving(), "layout:rows", "'rows' is no layout: write blocked or plain"),
        (layers(("Gemm", 10, 1, 1, 1)), "layout", "it has no convolutions"),
        (launched(["sgemm"]), "layout", "none of its kernels converts between layouts"),
    ):
        with pytest.raises(InputError, match=reason):
            asked(graph, question)
    kernels = asked(launched(["nchwToNhwcKernel", "sgemm"]), "layout").graph
    assert names(kernels)[:2] == ["cudaLaunchKernel", "sgemm"]


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
    with pytest.raises(InputError, match="it has 1 threads already"):
        asked(graph, "threads:1")
    with pytest.raises(InputError, match="its work runs on a device"):
        asked(launched(["sgemm"]), "threads:2")


def forked(calls: int) -> DependencyGraph:
    """A layer that feeds two, which feed a last one."""
    rows = [
        ("Conv", 10, NAN, NAN, NAN),
        ("Conv", 50, NAN, NAN, NAN),
        ("Conv", 40, NAN, NAN, NAN),
        ("Add", 5, NAN, NAN, NAN),
    ]
    feeds = {"conv1": ["conv0"], "conv2": ["conv0"], "add3": ["conv1", "conv2"]}
    return wired(layers(*rows, calls=calls, gap_ns=1), feeds)


def test_branches_run_beside_each_other() -> None:
    """On two threads the longer branch counts, call after call; on one, all of them."""
    for calls in (1, 2):
        both = asked(forked(calls), "parallel-executor:2")
        assert makespan(both) == calls * 65 + (calls - 1)
        alone = asked(forked(calls), "parallel-executor:1")
        assert makespan(alone) == replay(forked(calls)).makespan_ns
    paid = asked(forked(1), "parallel-executor:2,handing=3ns,slowdown=2")
    assert makespan(paid) == 23 + 103 + 13
    with pytest.raises(InputError, match="it does not say which layers feed which"):
        asked(layers(("Conv", 10, NAN, NAN, NAN)), "parallel-executor:2")


def test_branches_run_on_streams() -> None:
    """Kernels wait for those of the layers that feed theirs, and the end for all branches."""
    builder = GraphBuilder(name="forked")
    hosts = []
    for number, (duration, feeds) in enumerate(((10, ()), (50, (0,)), (40, (0,)), (5, (1, 2)))):
        hosts.append(builder.task(TaskKind.CPU, f"layer{number}", HOST, 1, layer=f"layer{number}"))
        kernel = builder.task(TaskKind.KERNEL, "sgemm", STREAM, duration)
        builder.edge(EdgeKind.LAUNCH, hosts[-1], kernel)
        for source in feeds:
            builder.edge(EdgeKind.DATA, hosts[source], hosts[-1])
    builder.wait(builder.task(TaskKind.SYNCHRONISATION, "wait", HOST, 0), STREAM)
    graph = builder.built()
    assert replay(graph).makespan_ns == 105
    two = asked(graph, "streams:2")
    assert makespan(two) == 65
    with pytest.raises(InputError, match="ask for streams"):
        asked(graph, "parallel-executor:2")
    with pytest.raises(InputError, match="it has no kernels"):
        asked(forked(1), "streams:2")


def test_inserted_rows_belong_to_no_span() -> None:
    """What was not measured says so."""
    after = asked(convolving(), "layout").graph
    assert after.span[3] == NONE
