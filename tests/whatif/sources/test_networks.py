"""Stitching: on a processor the whole is the sum of its steps, with a device what host and device make together."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import Rule
from dlbricks.construct.rules import schedule as composed
from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.trace.read.onnxruntime import short_trace
from dlbricks.trace.types import Trace
from dlbricks.whatif.simulate import Policy, replay, schedule
from dlbricks.whatif.sources.networks import simulation, stitched
from tests.construct.made_up import composition, results

times = st.lists(st.integers(0, 10_000), min_size=1, max_size=10)


def traced(layers: int, kernel_ns: int = 0, host_ns: int = 10_000, stream: int = 7) -> Trace:
    """Make the short trace of a sequence: layers one after another on the host, each with a kernel or none."""
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
    made: dict[str, Any] = {"levels": "ML", "calls": 1, "call_ns": layers * max(host_ns, kernel_ns), "layers": columns}
    if kernel_ns:
        begins = [5_000 + index * max(host_ns, kernel_ns) for index in range(layers)]
        made["kernels"] = {
            "name": ["sgemm"] * layers,
            "kind": ["kernel"] * layers,
            "lane": [f"gpu 0 stream {stream}"] * layers,
            "layer": list(range(layers)),
            "launch_ns": [index * host_ns for index in range(layers)],
            "offset_ns": begins,
            "duration_ns": [kernel_ns] * layers,
        }
    return short_trace(made, "made up")


@given(times, st.integers(0, 4))
def test_without_kernels_the_whole_is_the_sum(durations: list[int], layers: int) -> None:
    """Whether steps were traced or not, and however many layers they have: as the rule sequential has it."""
    names = [f"s{index}" for index in range(len(durations))]
    traces = {name: traced(layers) for name in names} if layers else {}
    assert simulation(composition(names), traces)(durations).makespan_ns == sum(durations)


@given(times, st.integers(1, 3), st.data())
def test_with_several_servers_the_host_is_the_rule_of_lanes(
    durations: list[int], servers: int, data: st.DataObject
) -> None:
    """List scheduling of the same steps, the earlier first, gives the same whole."""
    count = len(durations)
    edges = [
        tuple(sorted(data.draw(st.sets(st.integers(0, index - 1), max_size=2)))) if index else ()
        for index in range(count)
    ]
    graph = stitched(composition([f"s{index}" for index in range(count)], edges), durations, {})
    policy = Policy(free_lanes=(0,), servers={0: servers}, priority=np.arange(count, dtype=np.float64))
    assert (
        schedule(graph, policy).makespan_ns == composed(Rule(kind="lanes", lanes=servers), durations, edges).makespan_ns
    )


@given(st.integers(1, 5), st.integers(1, 50_000), st.integers(1_000, 50_000), st.integers(1, 10**7))
def test_a_step_alone_takes_what_was_stored(layers: int, kernel_ns: int, host_ns: int, stored_ns: int) -> None:
    """Whatever is slower, host or device; but for what rounding each part leaves."""
    replayed = simulation(composition(["a"]), {"a": traced(layers, kernel_ns, host_ns)})([stored_ns]).makespan_ns
    assert abs(replayed - stored_ns) <= 2 * layers + 2


def test_launches_go_on_while_kernels_run() -> None:
    """Ten steps of one kernel each: the sum counts every launch, the simulation only the first."""
    alone = 5_000 + 100_000
    names = [f"s{index}" for index in range(10)]
    traces = {name: traced(1, kernel_ns=100_000) for name in names}
    assert simulation(composition(names), traces)([alone] * 10).makespan_ns == 5_000 + 10 * 100_000


def test_a_network_that_is_launch_bound_takes_what_launching_takes() -> None:
    """Short kernels behind long launches: the device waits for the host, and the sum counts kernels in vain."""
    alone = 5_000 + 2_000
    names = [f"s{index}" for index in range(10)]
    traces = {name: traced(1, kernel_ns=2_000, host_ns=6_000) for name in names}
    assert simulation(composition(names), traces)([alone] * 10).makespan_ns == 9 * 6_000 + alone


def test_an_estimate_by_simulation() -> None:
    """The rule is named, call overhead is added once, and steps without a trace are told."""
    made = composition(["a", "b"])
    found = results({"a": 1_100, "b": 2_100}, overhead_ns=100)
    told = estimate(made, found, Rule.parse("simulate"), replay=simulation(made, {"a": traced(2)}))
    assert (told.rule, told.total_ns) == ("simulate", 3_100)
    assert stitched(made, [1, 1], {"a": traced(1)}).notes == ("1 of 2 steps have no stored trace: each is one task",)
    with pytest.raises(InputError, match="rule simulate needs the traces of a store"):
        estimate(made, found, Rule.parse("simulate"))


def test_times_of_tasks_are_of_their_layers() -> None:
    """So that edits can choose them."""
    graph = stitched(composition(["a", "b"]), [10, 20], {"b": traced(2)})
    assert [graph.layers[number] for number in graph.layer] == [graph.layers[0], graph.layers[1], graph.layers[1]]
    assert replay(graph).end_ns.tolist() == [10, 20, 30]


def test_tasks_know_what_their_step_computes() -> None:
    """Operator, arithmetic and bytes, shared out to the layers of a trace by their times."""
    features = SequenceFeatures(operators=("Conv",), flops=600, weight_bytes=40, input_bytes=20, output_bytes=8)
    steps = tuple(replace(step, features=features) for step in composition(["a", "b"]).steps)
    graph = stitched(replace(composition(["a", "b"]), steps=steps), [100, 200], {"b": traced(2)})
    assert [graph.operators[number] for number in graph.operator] == ["Conv"] * 3
    assert graph.attributes["flops"].tolist() == [600, 300, 300]
    assert graph.attributes["read_bytes"].tolist() == [60, 30, 30]
    assert graph.attributes["parameter_bytes"].tolist() == [40, 20, 20]
    assert graph.attributes["written_bytes"].tolist() == [8, 4, 4]
