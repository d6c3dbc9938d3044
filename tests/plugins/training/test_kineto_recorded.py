"""Laws of reading a trace that PyTorch 2.13.0 wrote (recorded by ``record_kineto.py``)."""

import gzip
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Trace

PATH = Path(__file__).parents[2] / "data" / "kineto_cpu_training.json.gz"


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The trace as read."""
    return read_kineto(PATH)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The trace as any JSON reader sees it, times as exact decimals."""
    made: dict[str, Any] = json.loads(gzip.decompress(PATH.read_bytes()), parse_float=Decimal)
    return made


def test_every_span_is_there_with_its_times(trace: Trace, document: dict[str, Any]) -> None:
    """All complete events but the profiler's own window are spans, in order, with exact times since 1970."""
    events = [event for event in document["traceEvents"] if event["ph"] == "X" and event["cat"] != "Trace"]
    assert [span.name for span in trace] == [event["name"] for event in events]
    assert trace.start_ns.tolist() == [int(event["ts"] * 1000) for event in events]
    assert trace.duration_ns.tolist() == [int(event["dur"] * 1000) for event in events]
    assert trace.clock.unix_offset_ns == document["baseTimeNanoseconds"]
    found = Counter((trace.kinds[kind], Level(level).name) for kind, level in zip(trace.kind, trace.level, strict=True))
    categories = Counter(event["cat"] for event in events)
    assert found[kinds.OPERATOR, "LAYER"] == categories["cpu_op"]
    assert found[kinds.PYTHON, "LIBRARY"] == categories["python_function"]
    assert found[kinds.STEP, "APPLICATION"] == 2


def test_operators_lie_in_their_steps(trace: Trace) -> None:
    """Every operator within a step has that step above it, and the loader's are beneath the loader."""
    steps = trace.rows(Level.APPLICATION, kinds.STEP)
    roots = ancestors(trace, Level.APPLICATION, outermost=True)
    for row in trace.rows(Level.LAYER).tolist():
        around = [
            step
            for step in steps.tolist()
            if trace.start_ns[step] <= trace.start_ns[row] and trace.end_ns[row] <= trace.end_ns[step]
        ]
        assert [int(roots[row])] == (around or [NONE])


def test_python_frames_nest_as_the_profiler_says(trace: Trace, document: dict[str, Any]) -> None:
    """The frame around a frame is the one that the profiler names, unless a range begins in that and outlasts it."""
    events = [event for event in document["traceEvents"] if event["ph"] == "X" and event["cat"] != "Trace"]
    frames = trace.rows(Level.LIBRARY, kinds.PYTHON).tolist()
    known = {events[row]["args"]["Python id"]: row for row in frames}
    ranges = trace.rows(Level.APPLICATION)
    checked = 0
    for row in frames:
        named = known.get(events[row]["args"]["Python parent id"], NONE)
        begin, end = trace.start_ns[named], trace.end_ns[named]
        crossed = (trace.start_ns[ranges] > begin) & (trace.start_ns[ranges] < end) & (trace.end_ns[ranges] > end)
        if named == NONE or trace.end_ns[row] > end or crossed.any():
            continue
        above = int(trace.parent[row])
        while above != NONE and trace.kinds[trace.kind[above]] != kinds.PYTHON:
            above = int(trace.parent[above])
        assert above == named
        checked += 1
    assert checked > 800


def test_gradients_point_back(trace: Trace) -> None:
    """A backward operator and its forward operator share a flow and autograd's number; backward comes later."""
    flows: dict[Any, list[int]] = {}
    for row, flow in zip(trace.attributes["flow"].rows.tolist(), trace.attributes["flow"].values, strict=True):
        flows.setdefault(flow, []).append(row)
    assert len(flows) == 14
    for rows in flows.values():
        first, second = (trace.span(row) for row in sorted(rows, key=lambda row: int(trace.start_ns[row])))
        assert first.attributes["sequence"] == second.attributes["sequence"]
        assert (first.attributes["forward_thread"], "Backward" in second.name) == (0, True)


def test_memory_adds_up(trace: Trace, document: dict[str, Any]) -> None:
    """Outermost operators and what is allocated outside of all add up to all that was allocated and freed."""
    records = [
        (int(event["ts"] * 1000), event["args"]["Bytes"])
        for event in document["traceEvents"]
        if event["name"] == "[memory]"
    ]
    layers = trace.rows(Level.LAYER)
    top = layers[ancestors(trace, Level.LAYER, outermost=True)[layers] == layers]
    inside = sum(trace.column("allocated_bytes", top))
    outside = sum(
        size
        for time, size in records
        if not any(trace.start_ns[row] <= time < trace.end_ns[row] for row in top.tolist())
    )
    assert inside + outside == sum(size for _, size in records)
    assert inside != 0


def test_shapes_and_types_are_those_of_the_network(trace: Trace) -> None:
    """The convolution of the network has the input and the weights that it was given."""
    (span, *_) = (span for span in trace if span.name == "aten::conv2d")
    assert re.match(r"\[\[16,3,16,16\],\[8,3,3,3\],\[8\]", str(span.attributes["input_shapes"]))
    assert span.attributes["dtype"] == "float32"


def test_the_recording_tells_nothing_of_its_machine() -> None:
    """No folder and no name of the machine it was recorded on is in the file."""
    text = gzip.decompress(PATH.read_bytes()).decode()
    assert not re.search(r'"/|/(home|root|tmp|usr|work)/|"host_name": "(?!host")', text)
