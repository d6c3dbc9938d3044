"""Traces: rows in, the same rows out, whichever way they were put together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.build import TraceBuilder, with_attribute
from dlbricks.trace.types import Lane, Level, Role, TraceClock
from tests.trace.drawn import selected

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def made_up() -> TraceBuilder:
    """Give a call, its layer, a launch and its kernel."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, "call", "run", HOST, 0, 100, index=0)
    layer = builder.add(Level.LAYER, "operator", "conv1", HOST, 10, 40, parent=call, type="Conv", flops=7)
    builder.add(Level.LIBRARY, "runtime", "launch", HOST, 20, 22, role=Role.LAUNCH, parent=layer, correlation=5)
    builder.add(Level.KERNEL, "kernel", "gemm", STREAM, 30, 60, role=Role.EXECUTION, correlation=5, flops=9)
    return builder


def test_what_was_added_is_there() -> None:
    """Every field of a span comes back as it was given."""
    trace = made_up().built()
    kernel = trace.span(3)
    assert (kernel.name, kernel.kind, kernel.lane, kernel.duration_ns) == ("gemm", "kernel", STREAM, 30)
    assert (kernel.level, kernel.role, kernel.parent, kernel.correlation) == (Level.KERNEL, Role.EXECUTION, None, 5)
    assert [dict(span.attributes) for span in trace] == [{"index": 0}, {"type": "Conv", "flops": 7}, {}, {"flops": 9}]
    assert trace.rows(Level.KERNEL, "kernel").tolist() == [3]
    assert trace.rows(Level.KERNEL, "memcpy").tolist() == []
    assert trace.column("flops", np.array([0, 1, 3]), 0).tolist() == [0, 7, 9]
    assert trace.texts("type", np.array([1, 2])) == ["Conv", ""]


def test_columns_cannot_be_written() -> None:
    """A trace is a value: nobody changes it under the feet of another."""
    with pytest.raises(ValueError, match="read-only"):
        made_up().built().start_ns[0] = 1


@given(st.sets(st.integers(0, 3), min_size=1))
def test_a_selection_keeps_spans_and_the_parents_that_stay(rows: set[int]) -> None:
    """Chosen spans differ from the originals in row and parent only; a parent is kept if it was chosen, too."""
    trace = made_up().built()
    chosen = sorted(rows)
    part = selected(trace, np.array(chosen))
    for row, span in zip(chosen, part, strict=True):
        old = trace.span(row)
        assert (span.name, span.start_ns, span.attributes) == (old.name, old.start_ns, old.attributes)
        assert span.parent == (chosen.index(old.parent) if old.parent in rows else None)


def test_an_attribute_takes_the_place_of_the_old_one() -> None:
    """Rows may be given in any order."""
    trace = with_attribute(made_up().built(), "flops", [3, 0], [1, 2])
    assert [span.attributes.get("flops") for span in trace] == [2, None, None, 1]
