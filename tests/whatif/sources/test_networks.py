"""Graphs of composed networks: on a processor the sum of the steps, on a device what the launch queue makes of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.asynchronous import shares
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import CompositionStep, Rule
from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import QueueConstants, QueueTimes, SystemResults
from dlbricks.trace.onnxruntime import short_trace
from dlbricks.trace.types import Trace
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.simulate import Policy, replay, schedule
from dlbricks.whatif.sources.networks import graph_of_model, graph_of_steps
from tests.construct.made_up import composition, on_device, paired, results

times = st.lists(st.integers(0, 10_000), min_size=1, max_size=10)
MACHINE = QueueConstants(call_ns=12_000, launch_lag_ns=4_000, synchronise_ns=6_000, kernel_gap_ns=1_000, queue_depth=8)


def traced(layers: int, kernels_ns: Sequence[int] = (), host_ns: int = 10_000, stream: int = 7) -> Trace:
    """Make the short trace of a sequence: layers one after another on the host; kernels, dealt out to them in turn.

    Their starts are as launches make them, with a lag of 5 us.
    """
    columns: dict[str, list[Any]] = {
        "name": [f"layer{index}" for index in range(layers)],
        "operator": ["Conv"] * layers,
        "provider": ["cuda"] * layers,
        "lane": ["host"] * layers,
        "parent": [-1] * layers,
        "offset_ns": [index * host_ns for index in range(layers)],
        "duration_ns": [host_ns] * layers,
        "count": [1] * layers,
    }
    made: dict[str, Any] = {"levels": "ML", "calls": 1, "call_ns": layers * host_ns, "layers": columns}
    if kernels_ns:
        of_layer = sorted(index % layers for index in range(len(kernels_ns)))
        begins, free = [], 0
        for layer, kernel_ns in zip(of_layer, kernels_ns, strict=True):
            begins.append(max(free, layer * host_ns + 5_000))
            free = begins[-1] + kernel_ns
        made["kernels"] = {
            "name": ["sgemm"] * len(kernels_ns),
            "kind": ["kernel"] * len(kernels_ns),
            "lane": [f"gpu 0 stream {stream}"] * len(kernels_ns),
            "layer": of_layer,
            "launch_ns": [layer * host_ns for layer in of_layer],
            "offset_ns": begins,
            "duration_ns": list(kernels_ns),
        }
    return short_trace(made, "made up")


def queue_times(host_ns: int, device_ns: int, kernels: int, *, waits: bool = False) -> QueueTimes:
    """Return times of host and device without an interval."""
    return QueueTimes(
        host_ns=host_ns,
        host_low_ns=host_ns,
        host_high_ns=host_ns,
        device_ns=device_ns,
        device_low_ns=device_ns,
        device_high_ns=device_ns,
        kernels=kernels,
        synchronises=waits,
    )


@given(times, st.integers(0, 4))
def test_without_kernels_the_whole_is_the_sum(durations: list[int], layers: int) -> None:
    """Whether steps were traced or not, and however many layers they have: as the rule sequential has it."""
    names = [f"s{index}" for index in range(len(durations))]
    traces = {name: traced(layers) for name in names} if layers else {}
    assert replay(graph_of_steps(composition(names), durations, traces)).makespan_ns == sum(durations)


@given(times, st.data())
def test_a_free_host_is_the_rule_of_one_lane(durations: list[int], data: st.DataObject) -> None:
    """One lane that takes the earlier first is never idle, so the whole is the sum."""
    count = len(durations)
    edges = [
        tuple(sorted(data.draw(st.sets(st.integers(0, index - 1), max_size=2)))) if index else ()
        for index in range(count)
    ]
    graph = graph_of_steps(composition([f"s{index}" for index in range(count)], edges), durations, {})
    policy = Policy(free_lanes=(0,), priority=np.arange(count, dtype=np.float64))
    assert schedule(graph, policy).makespan_ns == sum(durations)


_STEPS = st.lists(
    st.tuples(
        st.integers(0, 30_000), st.lists(st.integers(1_000, 200_000), max_size=4), st.booleans(), st.integers(1, 3)
    ),
    min_size=1,
    max_size=20,
)


@given(_STEPS, st.booleans())
def test_a_graph_on_a_device_replays_to_the_estimate(
    drawn: list[tuple[int, list[int], bool, int]], with_traces: bool
) -> None:
    """Launches, copies that the host waits for, work of the host alone, a full queue; rounding of tasks apart."""
    known, traces = dict[str, QueueTimes](), dict[str, Trace]()
    for index, (host_ns, kernels, waits, layers) in enumerate(drawn):
        device_ns = sum(kernels) + MACHINE.kernel_gap_ns * len(kernels)
        known[f"s{index}"] = queue_times(host_ns, device_ns, len(kernels), waits=waits and bool(kernels))
        if with_traces and index % 2:
            traces[f"s{index}"] = traced(layers, kernels)
    made, found = composition([*known]), on_device(known, MACHINE)
    graph, composed = graph_of_model(made, found, traces)
    assert replay(graph).makespan_ns == pytest.approx(composed.total_ns, abs=3 * len(graph))
    assert composed.total_ns == estimate(made, found, Rule.parse("simulate"), traced=shares(traces)).total_ns


def test_no_part_is_scaled() -> None:
    """Kernels take what they took, launches what launching takes, whichever hides the other."""
    kernels = [2_000, 100_000, 2_000]
    known = {"a": queue_times(18_000, sum(kernels) + 3 * MACHINE.kernel_gap_ns, 3)}
    for traces in ({}, {"a": traced(3, kernels)}):
        graph, composed = graph_of_model(composition(["a"] * 10), on_device(known, MACHINE), traces)
        busy = graph.duration_ns[graph.kind == TaskKind.KERNEL]
        assert busy.sum() == pytest.approx(10 * sum(kernels), abs=30)
        # R, launching the first, the lag, and then a device that is never out of work
        begin_ns = 12_000 + 6_000 + 4_000
        if traces:
            assert sorted(set(busy.tolist())) == [2_000, 100_000]
            begin_ns += 6_000 - 3_000  # the first kernel ends before the second is launched
        assert composed.total_ns == pytest.approx(begin_ns + 10 * sum(kernels) + 29 * 1_000, abs=30)


def test_a_network_that_is_launch_bound_takes_what_launching_takes() -> None:
    """Short kernels behind long launches: the device waits for the host, whatever a call of one step took."""
    known = {f"s{index}": queue_times(6_000, 3_000, 1) for index in range(10)}
    traces = {name: traced(1, [2_000], host_ns=6_000) for name in known}
    graph, composed = graph_of_model(composition([*known]), on_device(known, MACHINE), traces)
    assert composed.total_ns == replay(graph).makespan_ns == 12_000 + 10 * 6_000 + max(4_000 + 2_000, 6_000)


def test_launches_go_on_while_kernels_run() -> None:
    """Ten steps of one long kernel each: only the first launch is seen."""
    known = {f"s{index}": queue_times(6_000, 101_000, 1) for index in range(10)}
    graph, composed = graph_of_model(composition([*known]), on_device(known, MACHINE), {})
    assert composed.total_ns == replay(graph).makespan_ns == 12_000 + 6_000 + 4_000 + 10 * 100_000 + 9 * 1_000


def test_a_device_without_stored_times_of_its_own_has_no_graph() -> None:
    """And the message says what to do."""
    found = results({"a": 1_100})
    asynchronous = replace(found, configuration=replace(found.configuration, provider="cuda"))
    with pytest.raises(InputError, match=r"no times of host and device.*run the suite that `dlbricks plan` writes"):
        graph_of_model(composition(["a"]), asynchronous, {})


def test_an_estimate_by_simulation() -> None:
    """The rule is named, call overhead is added once, and steps without a trace are told."""
    made = composition(["a", "b"])
    found = results({"a": 1_100, "b": 2_100}, overhead_ns=100)
    composed = estimate(made, found, Rule.parse("simulate"), traced=shares({"a": traced(2)}))
    assert (composed.rule, composed.total_ns) == ("simulate", 3_100)
    assert graph_of_steps(made, [1, 1], {"a": traced(1)}).notes == (
        "1 of 2 steps without a stored trace: each is one task",
    )
    with pytest.raises(InputError, match="rule 'simulate' requires traces"):
        estimate(made, found, Rule.parse("simulate"))


@pytest.mark.parametrize("traces", [{}, {"a": traced(2)}], ids=["untraced", "traced"])
def test_a_composed_network_on_a_host_is_as_certain_as_its_estimate(traces: dict[str, Trace]) -> None:
    """A trace divides the time of a step, and leaves the sum and its error."""
    made, found = composition(["a", "b"]), results({"a": 1_000_100, "b": 2_000_100})
    assert graph_of_model(made, found, traces)[1] == estimate(made, found, Rule.SEQUENTIAL)


def of_layers(layers: Sequence[tuple[str, int]]) -> CompositionStep:
    """Make a step of layers of some operators with their work."""
    made = [
        replace(composition([operator]).steps[0], work=work, features=costs(operator, index + 1))
        for index, (operator, work) in enumerate(layers)
    ]
    name = "_".join(operator for operator, _ in layers)
    return replace(composition([name]).steps[0], parts=tuple(made), features=costs(name, 100))


def costs(operator: str, size: int) -> SequenceFeatures:
    """Make costs of a size."""
    return SequenceFeatures(operators=(operator,), flops=size, weight_bytes=size, input_bytes=size, output_bytes=size)


def test_a_step_without_a_trace_is_its_layers() -> None:
    """Each takes its share of the modelled work and has its own costs, and the answer says so."""
    step = of_layers([("LSTM", 300), ("Transpose", 0), ("Gemm", 100)])
    made = replace(composition(["a", "b"]), steps=(step, replace(composition(["b"]).steps[0], depends_on=(0,))))
    graph = graph_of_steps(made, [1_001, 50], {"b": traced(2)})
    assert [graph.named(row) for row in range(5)] == ["LSTM", "Transpose", "Gemm", "Conv", "Conv"]
    assert [graph.operators[number] for number in graph.operator[:3]] == ["LSTM", "Transpose", "Gemm"]
    assert graph.duration_ns.tolist() == [751, 0, 250, 25, 25]
    assert graph.attributes["parameter_bytes"][:3].tolist() == [1, 2, 3]
    assert graph.edge_from.tolist() == [0, 1, 2, 3]
    assert replay(graph).makespan_ns == 1_051
    (note,) = graph.notes
    assert note.startswith("1 of 2 steps without a stored trace: times of their layers are assumed")
    steps = (replace(step, fingerprint="a"), made.steps[1])
    assert not graph_of_steps(replace(made, steps=steps), [1_001, 50], {"a": traced(3), "b": traced(2)}).notes


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=6), st.integers(0, 10**9))
def test_layers_of_a_step_take_its_time(work: list[int], time_ns: int) -> None:
    """Whatever their work is, to the nanosecond."""
    step = of_layers([("Conv", each + 50_000) for each in work])
    graph = graph_of_steps(replace(composition(["a"]), steps=(step,)), [time_ns], {})
    assert (len(graph), graph.duration_ns.sum()) == (len(work), time_ns)
    assert graph.duration_ns.min() >= 0


def test_kernels_without_names_are_of_the_step_or_of_as_many_layers() -> None:
    """A device tells how many kernels there are: their costs add up to those of the step."""
    step = replace(of_layers([("Conv", 300), ("Gemm", 100)]), fingerprint="a")
    for kernels, names, flops in ((2, ["Conv", "Gemm"], [1, 2]), (4, ["Conv_Gemm"] * 4, [25] * 4)):
        known = on_device({"a": queue_times(100, 1_000 * kernels + 800, kernels)}, MACHINE)
        graph, composed = graph_of_model(replace(composition(["a"]), steps=(step,)), known, {})
        rows = np.flatnonzero(graph.kind == TaskKind.KERNEL)
        assert [graph.names[number] for number in graph.task_name[rows]] == names
        assert graph.attributes["flops"][rows].tolist() == flops
        assert replay(graph).makespan_ns == pytest.approx(composed.total_ns, abs=5)


def test_a_graph_on_a_processor_takes_the_estimate() -> None:
    """As the sequential rule composes it, with the overhead of one call."""
    made: SystemResults = results({"a": 1_100, "b": 2_100}, overhead_ns=100)
    graph, composed = graph_of_model(composition(["a", "b", "a"]), made, {"b": traced(3)})
    assert replay(graph).makespan_ns == composed.total_ns == 100 + 1_000 + 2_000 + 1_000


def test_measured_pairs_are_in_the_graph_as_in_the_estimate() -> None:
    """The two steps of a pair share what it adds; a graph without most pairs is the sequential one."""
    made = paired(composition(["a", "b", "c"]), (0, 1, "ab"), (1, 2, "bc"))
    alone = {"a": 1_100, "b": 2_100, "c": 5_100}
    graph, composed = graph_of_model(made, results(alone | {"ab": 2_600, "bc": 7_500}, overhead_ns=100), {})
    assert (composed.rule, composed.correction_ns) == ("pairs", -500 + 400)
    assert replay(graph).makespan_ns == composed.total_ns == 8_000
    assert graph.duration_ns.tolist() == [100, 750, 1_950, 5_200]
    graph, composed = graph_of_model(made, results(alone | {"ab": 2_600}, overhead_ns=100), {})
    assert (composed.rule, replay(graph).makespan_ns) == ("sequential", 8_100)


def test_times_of_tasks_are_of_their_layers() -> None:
    """So that edits can choose them."""
    graph = graph_of_steps(composition(["a", "b"]), [10, 20], {"b": traced(2)})
    assert [graph.layers[number] for number in graph.layer] == [graph.layers[0], graph.layers[1], graph.layers[1]]
    assert replay(graph).end_ns.tolist() == [10, 20, 30]


def test_tasks_know_what_their_step_computes() -> None:
    """Operator, arithmetic and bytes, shared out by times: to layers on a processor, to kernels on a device."""
    features = SequenceFeatures(operators=("Conv",), flops=600, weight_bytes=40, input_bytes=20, output_bytes=8)
    steps = tuple(replace(step, features=features) for step in composition(["a", "b"]).steps)
    made = replace(composition(["a", "b"]), steps=steps)
    graph = graph_of_steps(made, [100, 200], {"b": traced(2)})
    assert [graph.operators[number] for number in graph.operator] == ["Conv"] * 3
    assert graph.attributes["flops"].tolist() == [600, 300, 300]
    assert graph.attributes["read_bytes"].tolist() == [60, 30, 30]
    assert graph.attributes["parameter_bytes"].tolist() == [40, 20, 20]
    assert graph.attributes["written_bytes"].tolist() == [8, 4, 4]
    turned = [("Transpose", "Conv", "Relu"), ("DequantizeLinear", "Transpose")]
    parts = zip(steps, turned, strict=True)
    moved = tuple(replace(one, features=replace(features, operators=operators)) for one, operators in parts)
    graph = graph_of_steps(replace(made, steps=moved), [100, 200], {})
    assert [graph.operators[number] for number in graph.operator] == ["Conv", "DequantizeLinear"]
    known = on_device({"a": queue_times(100, 11_000, 1), "b": queue_times(100, 32_000, 2)}, MACHINE)
    graph, _ = graph_of_model(made, known, {"b": traced(2, [10_000, 20_000])})
    kernels = graph.kind == TaskKind.KERNEL
    assert graph.attributes["flops"][kernels] == pytest.approx([600, 200, 400])
    assert np.isnan(graph.attributes["flops"][~kernels]).all()
