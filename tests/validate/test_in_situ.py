import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.trace.layer_profile import ProfiledCall, read_profile
from dlbricks.model.types import Layer, Model
from dlbricks.statistics import trimmed_mean
from dlbricks.validate.in_situ import (
    WORST,
    assign_nodes,
    compare_steps,
    read_durations,
    type_biases,
    undisturbed_times,
    worst_sequences,
)
from dlbricks.validate.types import NodeProfile, NodeTimes
from tests.construct.made_up import composition
from tests.validate.made_up_validation import CONTEXT


def _node(layer: str, *durations_us: int, layers: tuple[str, ...] | None = None) -> NodeProfile:
    return NodeProfile(
        layer=layer, operator="Gemm", layers=(layer,) if layers is None else layers, mean_us=trimmed_mean(durations_us)
    )


def _call(duration_us: int) -> ProfiledCall:
    """Make a call of one node ``a``, with a node of the same name inside its body."""
    events = [
        {"cat": "Node", "name": "a_kernel_time", "ts": 2, "dur": 0, "tid": 1, "args": {}},
        {"cat": "Session", "name": "SequentialExecutor::Execute", "ts": 2, "dur": 1, "tid": 1, "args": {}},
        {"cat": "Node", "name": "a_kernel_time", "ts": 1, "dur": duration_us, "tid": 1, "args": {}},
        {"cat": "Session", "name": "SequentialExecutor::Execute", "ts": 1, "dur": duration_us, "tid": 1, "args": {}},
        {"cat": "Session", "name": "model_run", "ts": 0, "dur": duration_us + 3, "tid": 1, "args": {}},
    ]
    return read_profile(events).calls[0]


def test_layers_are_read_and_nothing_else() -> None:
    """Only nodes outside of bodies count; calls to warm up and the first call of each visit are left out."""
    calls = [_call(duration) for duration in (900, 50, 10, 20, 60, 30, 40)]
    assert read_durations(calls, warm_up=1, visit=3) == {"a": (10, 20, 30, 40)}


def test_single_calls_are_kept() -> None:
    """Where visits have one call there is no first one to leave out."""
    calls = [_call(duration) for duration in (9, 10, 20)]
    assert read_durations(calls, warm_up=1, visit=1) == {"a": (10, 20)}


@given(
    st.lists(st.lists(st.integers(0, 10**6), min_size=1, max_size=9), min_size=1, max_size=9),
    st.integers(1, 10**9),
    st.floats(1, 1e9),
)
def test_the_nodes_add_up_to_the_whole(durations: list[list[int]], undisturbed_ns: int, total_ns: float) -> None:
    """Whatever the profile says, what it adds is taken out: the nodes take together what the whole took."""
    profile = NodeTimes(undisturbed_ns=undisturbed_ns, nodes=tuple(_node(str(i), *d) for i, d in enumerate(durations)))
    assert sum(undisturbed_times(profile, total_ns)) == pytest.approx(total_ns, rel=1e-6, abs=1e-3 * total_ns)


def test_overhead_is_the_same_for_every_node() -> None:
    """Two nodes of 10 and 30 us in a whole of 36 us: 2 us each are the profiler's."""
    assert undisturbed_times(NodeTimes(undisturbed_ns=36_000, nodes=(_node("a", 10), _node("b", 30))), 36_000) == (
        8_000,
        28_000,
    )


@pytest.mark.parametrize("undisturbed_us", [20, 80])
def test_what_timing_cannot_cost_is_in_proportion(undisturbed_us: int) -> None:
    """A whole that took half as long or twice as long as its nodes met another machine; a small node stays small."""
    profile = NodeTimes(undisturbed_ns=1000 * undisturbed_us, nodes=(_node("a", 4), _node("b", 36)))
    small, large = undisturbed_times(profile, 1000 * undisturbed_us)
    assert small + large == pytest.approx(1000 * undisturbed_us)
    assert large >= 9 * small


def test_contributions_add_up_to_the_error() -> None:
    """Over all types, what parts say too much and too little is the error of their sum."""
    made = composition(["p", "q", "p"])
    nodes = (_node("layer0", 10), _node("layer1", 20), _node("layer2", 10), _node("added", 5, layers=()))
    times, added = compare_steps(made, [9_000, 24_000, 9_000], NodeTimes(undisturbed_ns=45_000, nodes=nodes), 45_000)
    rows = type_biases(made, times, added, 50_000)
    assert sum(row.contribution for row in rows) == pytest.approx((42_000 - 45_000) / 50_000)
    assert [(row.type, row.count) for row in rows] == [("p", 2), ("q", 1), ("(Gemm)", 0)]
    assert {row.type: row.bias for row in rows} == pytest.approx({"p": -0.1, "q": 0.2, "(Gemm)": -1.0})


def test_the_worst_come_first() -> None:
    """Sequences are ranked by the error of all their uses, whatever its sign, and the furthest use is shown."""
    names = ["p", "q", "p", *"abcdefg"]
    made = composition(names)
    nodes = tuple(_node(f"layer{index}", 10) for index in range(len(names)))
    estimated = [9_000, 12_500, 8_000, *[10_000] * 7]
    times, _ = compare_steps(made, estimated, NodeTimes(undisturbed_ns=100_000, nodes=nodes), 100_000)
    worst = worst_sequences(made, [CONTEXT] * len(names), times, 100_000)
    assert len(worst) == WORST
    assert [(one.fingerprint, one.count, one.layers) for one in worst[:2]] == [
        ("p", 2, ("layer2",)),
        ("q", 1, ("layer1",)),
    ]
    assert worst[0].contribution == pytest.approx(-0.03)


def _layer(name: str, output: str, operator: str = "Conv") -> Layer:
    return Layer(
        name=name, op_type=operator, domain="", since_version=1, attributes=(), inputs=("x",), outputs=(output,)
    )


def _model(target: str, *layers: Layer) -> Model:
    return Model(
        name="m", layers=layers, inputs=("x",), outputs=(), tensors={}, constants={}, opsets=(("", 17),), target=target
    )


def test_fused_nodes_find_their_layers() -> None:
    """By a tensor, by the tensor in a blocked node's name, by the name before a slash; a change of layout has none."""
    portable = _model("portable", _layer("conv", "c"), _layer("relu", "r"), _layer("mm", "m"), _layer("add", "a"))
    lowered = _model(
        "onnxruntime-cpu",
        _layer("ReorderInput_t0", "t0", "ReorderInput"),
        _layer("r_nchwc", "t1"),
        _layer("mm/MatMulAddFusion", "t2", "Gemm"),
        _layer("fused", "a", "Add"),
    )
    durations = {layer.name: (1,) for layer in lowered.layers}
    assert [node.layers for node in assign_nodes(lowered, portable, durations)] == [(), ("relu",), ("mm",), ("add",)]
    assert [node.layers for node in assign_nodes(lowered, lowered, durations)] == [
        (layer.name,) for layer in lowered.layers
    ]
