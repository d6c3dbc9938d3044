"""Every fault of a recording is named, and a sound one has none."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated, findings
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import selected, traces

HOST, STREAM = Lane(process="1", name="thread 1"), Lane(process="1", name="stream 7", device="gpu 0")
CALLS, LAYERS = 3, 4


def sound() -> Trace:
    """Give three calls of four layers, each with a launch and its execution; rows come call by call."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for call in range(CALLS):
        start = call * 1000
        builder.add(Level.MODEL, "call", "run", HOST, start, start + 900, index=call)
        for layer in range(LAYERS):
            at, number = start + 200 * layer, call * LAYERS + layer
            builder.add(Level.LAYER, "operator", f"conv{layer}", HOST, at, at + 190)
            builder.add(Level.LIBRARY, "runtime", "launch", HOST, at + 5, at + 9, role=Role.LAUNCH, correlation=number)
            builder.add(
                Level.KERNEL, "kernel", "gemm", STREAM, at + 20, at + 120, role=Role.EXECUTION, correlation=number
            )
    return correlated(builder.built())


def without(level: Level, keep: int = 0) -> Trace:
    """Give the sound trace with only the first few spans of a level."""
    trace = sound()
    gone = trace.rows(level)[keep:]
    return correlated(selected(trace, np.setdiff1d(np.arange(len(trace)), gone)))


def moved(level: Level, by: int) -> Trace:
    """Give the sound trace with a level at other times."""
    trace = sound()
    shift = np.where(trace.level == level, by, 0)
    return with_columns(trace, start_ns=trace.start_ns + shift, end_ns=trace.end_ns + shift)


def ending(row: int, end: int) -> Trace:
    """Give the sound trace with one span that ends elsewhere."""
    trace = sound()
    return with_columns(trace, end_ns=np.where(np.arange(len(trace)) == row, end, trace.end_ns))


def cut() -> Trace:
    """Give the sound trace without its last five spans."""
    trace = sound()
    return selected(trace, np.arange(len(trace) - 5))


def turning() -> Trace:
    """Give the sound trace with two layers that are each other's parent."""
    trace = sound()
    parent = trace.parent.copy()
    parent[[1, 4]] = [4, 1]
    return with_columns(trace, parent=parent)


def test_a_sound_trace_has_no_findings() -> None:
    """Nothing is said about what is as it should be."""
    assert findings(sound()) == ()


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        pytest.param(lambda: ending(3, 3), r"1 span \(first: 'gemm' on stream 7\) end before", id="negative"),
        pytest.param(lambda: ending(3, 20), "length 0.*clock 'test', 1 ns", id="zero-length"),
        pytest.param(
            lambda: without(Level.LIBRARY), "12 spans.*no launch was recorded.*cannot be assigned", id="no launch"
        ),
        pytest.param(lambda: without(Level.LIBRARY, 10), "2 spans.*no launch has their", id="some launches missing"),
        pytest.param(lambda: without(Level.KERNEL), "12 spans.*no execution was recorded", id="no execution"),
        pytest.param(lambda: without(Level.KERNEL, 7), "5 spans.*whose execution is not", id="executions dropped"),
        pytest.param(lambda: moved(Level.KERNEL, -60), "12 spans.*by up to 45 ns", id="device clock behind"),
        pytest.param(lambda: moved(Level.KERNEL, 10**9), "apart, so they come from two", id="mixed clocks"),
        pytest.param(cut, r"1 of 3 calls.*the 4 of the others \(call 2: 3\)", id="cut by an event limit"),
        pytest.param(lambda: moved(Level.LAYER, 10**6), "do not lie within their parent", id="outside"),
        pytest.param(turning, "cycle", id="parents in a cycle"),
        pytest.param(lambda: selected(sound(), np.zeros(0, np.int64)), "no spans", id="empty"),
    ],
)
def test_each_fault_is_named(broken: Callable[[], Trace], message: str) -> None:
    """What, how many, an example, and what can still be had, in one line."""
    found = findings(broken())
    assert any(re.search(message, finding) for finding in found), found
    assert all("\n" not in finding for finding in found)


@given(traces())
def test_any_trace_can_be_checked(trace: Trace) -> None:
    """Whatever was recorded, it is told in sentences."""
    assert all(findings(correlated(trace)))
