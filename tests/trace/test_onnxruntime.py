"""Traces from onnxruntime's profile: calls, layers and bodies keep their places, and say which layers they are of."""

from pathlib import Path

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.harness.network import Bound
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.trace.layer_profile import LayerProfile, load_profile
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.trace.onnxruntime import read_onnxruntime, short_traces, trace_of_profile
from dlbricks.trace.types import Lane, Level, Role, Trace
from tests.harness.profiled import SIZE, TRIPS, nested_network, profile_of
from tests.store.made_up_run import document, traced
from tests.trace.attributes import ATTRIBUTES

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def outer(trace: Trace, call: int) -> list[int]:
    """Give the rows of the layers of a call that are in no body."""
    (root,) = (row for row in trace.rows(Level.MODEL).tolist() if trace.span(row).attributes["index"] == call)
    return [row for row in trace.rows(Level.LAYER).tolist() if trace.parent[row] == root]


def test_a_profile_becomes_a_trace(tmp_path: Path) -> None:
    """A span per call and per executed node; layers are numbered in every call, what is in a body is not."""
    profile = load_profile(profile_of(nested_network(), tmp_path, calls=3))
    trace = trace_of_profile(profile, batch=4, unix_start_ns=5)
    calls = trace.rows(Level.MODEL, "call").tolist()
    assert [trace.span(row).attributes["index"] for row in calls] == [0, 1, 2]
    assert {trace.span(row).attributes["batch"] for row in calls} == {4}
    assert {trace.span(row).name for row in calls} == {"model_run"}
    for call in (0, 1, 2):
        rows = outer(trace, call)
        assert [trace.span(row).attributes["index"] for row in rows] == list(range(5))
        assert [trace.span(row).attributes["type"] for row in rows] == ["MatMul", "Relu", "Loop", "If", "Add"]
        inside = [row for row in trace.rows(Level.LAYER).tolist() if trace.parent[row] == rows[2]]
        assert len(inside) == 3 * TRIPS
        assert not any("index" in trace.span(row).attributes for row in inside)
    assert (trace.clock.name, trace.clock.unix_offset_ns, trace.clock.resolution_ns) == ("onnxruntime", 5, 1000)
    assert trace.notes == ()
    assert set(trace.attributes) <= set(ATTRIBUTES)
    assert np.all(trace.parent[trace.parent >= 0] < np.flatnonzero(trace.parent >= 0))


def test_layers_say_what_they_are(tmp_path: Path) -> None:
    """Type, shape, element type, provider, bytes and memory, in the words of ``trace.kinds``."""
    trace = read_onnxruntime(profile_of(nested_network(), tmp_path, calls=1))
    relu = trace.span(outer(trace, 0)[1])
    size = 4 * SIZE * SIZE
    known = {"type": "Relu", "shape": f"float32[{SIZE},{SIZE}]", "dtype": "float32", "provider": "cpu", "index": 1}
    known |= {"parameter_bytes": 0, "activation_bytes": size, "output_bytes": size}
    assert dict(relu.attributes) == {**relu.attributes, **known}
    assert {"memory_bytes", "allocated_bytes", "peak_bytes"} <= set(relu.attributes)
    assert relu.lane == trace.span(0).lane
    assert relu.lane.name.startswith("thread ")


def test_threads_are_lanes(tmp_path: Path) -> None:
    """A parallel executor's nodes lie on the threads that ran them, under the call all the same."""
    profile = load_profile(profile_of(nested_network(), tmp_path, calls=1, parallel=True))
    trace = trace_of_profile(profile)
    threads = {node.thread for node in profile.calls[0].nodes}
    lanes = {trace.span(row).lane for row in trace.rows(Level.LAYER).tolist()}
    assert lanes == {Lane(process=str(profile.process), name=f"thread {thread}") for thread in threads}


@pytest.mark.parametrize("name", ["tv_squeezenet1_1"])
def test_executed_layers_name_their_sources(name: str, tmp_path: Path) -> None:
    """Every layer of the network is named by a layer that ran; packed constants count where the graph is known."""
    source = read_model(NETWORKS / f"{name}.onnx")
    lowered = lower(source)
    network, blobs = end_to_end_network(lowered)
    write_weights(tmp_path, blobs)
    settings = SessionSettings(optimization="none")
    session = open_session(network_bytes(network), tmp_path, settings, profile=tmp_path / "profile")
    Bound(session, end_to_end_contract(lowered), dict(end_to_end_inputs(lowered))).warm_up()
    profile = load_profile(Path(session.inference.end_profiling()))
    trace = trace_of_profile(profile, source, executed=lowered)
    rows = np.array(outer(trace, 0))
    named = {layer for text in trace.string_column("source_layers", rows) for layer in text.split()}
    assert named == {layer.name for layer in source.layers}
    by_name = trace_of_profile(profile, source)
    assert sum(map(bool, by_name.string_column("source_layers", rows))) >= 0.8 * len(rows)
    constants = sum(constant.spec.nbytes for constant in lowered.constants.values())
    assert trace.column("parameter_bytes", rows, 0).sum() >= constants
    assert trace.span(0).name == name


def test_what_is_missing_is_noted() -> None:
    """A profile without a whole call gives an empty trace that says so."""
    trace = trace_of_profile(LayerProfile(process=1, calls=(), notes=("cut",)))
    assert len(trace) == 0
    assert trace.notes == ("cut", "the profile has no complete call: profile more calls")


def test_no_profile_is_one_line(tmp_path: Path) -> None:
    """An error of dlbricks, not of the harness."""
    with pytest.raises(InputError, match="cannot read"):
        read_onnxruntime(tmp_path / "none.json")


def test_each_trace_is_one_call() -> None:
    """A call, its layers with what ran in their bodies, a launch and an execution for each kernel."""
    made = traced(document())
    traces = short_traces(made)
    entries = {entry["fingerprint"]: entry for entry in made["benchmarks"] if "trace" in entry}
    assert traces.keys() == entries.keys()
    for fingerprint, trace in traces.items():
        columns = entries[fingerprint]["trace"]["layers"]
        call, branch, relu = (trace.span(row) for row in range(3))
        assert (call.level, call.start_ns, call.end_ns) == (Level.MODEL, 0, entries[fingerprint]["trace"]["call_ns"])
        assert (branch.name, branch.attributes["type"], branch.parent, branch.attributes["index"]) == ("n0", "If", 0, 0)
        assert (relu.parent, relu.attributes["count"], "index" in relu.attributes) == (1, 2, False)
        assert relu.duration_ns == 2 * columns["duration_ns"][1]
        (launch,) = trace.rows(Level.LIBRARY, role=Role.LAUNCH).tolist()
        (kernel,) = trace.rows(Level.KERNEL, role=Role.EXECUTION).tolist()
        assert (trace.parent[launch], trace.parent[kernel]) == (1, launch)
        assert trace.correlation[launch] == trace.correlation[kernel]
        assert (trace.span(kernel).lane.device, trace.span(kernel).lane.name) == ("gpu 0", "stream 7")
        assert np.all(trace.end_ns >= trace.start_ns)


def test_a_result_without_traces_has_none() -> None:
    """Neither has one whose traces failed."""
    assert short_traces(document()) == {}
    made = traced(document())
    for entry in made["benchmarks"]:
        if "trace" in entry:
            entry["trace"] = {"levels": "ML", "failed": "out of memory"}
    assert short_traces(made) == {}


@pytest.mark.parametrize(("column", "value"), [("name", [0, 99]), ("parent", [-1, 7]), ("count", [1])])
def test_a_damaged_trace_is_one_line(column: str, value: list[int]) -> None:
    """Which benchmark, and who names the place."""
    made = traced(document())
    made["benchmarks"][5]["trace"]["layers"][column] = value
    with pytest.raises(InputError, match="is damaged: run 'dlbricks check'"):
        short_traces(made)
