"""Ancestors against walking up by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.intervals import ancestors, circular
from dlbricks.trace.types import Lane, Level, Trace, TraceClock
from tests.trace.drawn import traces

HOST, STREAM = Lane(process="1", name="thread 1"), Lane(process="1", name="stream 7", device="gpu 0")


@given(traces(), st.sampled_from(Level), st.booleans())
def test_ancestors_are_those_of_walking_up(trace: Trace, level: Level, outermost: bool) -> None:
    """The first, or the last, span of a level on the way up, the span itself included."""
    trace = correlated(trace)
    expected = []
    for span in trace:
        at, met = span, []
        while True:
            met += [at.row] if at.level == level else []
            if at.parent is None:
                break
            at = trace.span(at.parent)
        expected.append((met[-1] if outermost else met[0]) if met else -1)
    assert ancestors(trace, level, outermost=outermost).tolist() == expected


@pytest.mark.parametrize("parents", [[1, 0, 0], [1, 2, 0], [0, -1, -1]])
def test_circles_are_told(parents: list[int]) -> None:
    """Parents that go round are an error of one line, not an endless loop."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for row in range(3):
        builder.add(Level.LIBRARY, "runtime", str(row), HOST, row, 9)
    trace = with_columns(builder.built(), parent=parents)
    with pytest.raises(InputError, match="circle"):
        ancestors(trace, Level.LAYER)
    assert len(circular(trace.parent))
