"""Traces from results: layers, bodies and kernels where the short form has them, for everything that was traced."""

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.trace.read.onnxruntime import short_traces
from dlbricks.trace.types import Level, Role
from tests.store.made_up_run import document, traced


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
    with pytest.raises(InputError, match="is damaged: dlbricks check"):
        short_traces(made)
