"""Parents from intervals: the sweep against the definition, spelt out span by span."""

import numpy as np
import pytest
from hypothesis import given

from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated, nested
from dlbricks.trace.kinds import PYTHON
from dlbricks.trace.types import Lane, Level, Role, Span, Trace, TraceClock
from tests.trace.drawn import selected, traces

LANE = Lane(process="1", name="thread 1")


def order(span: Span) -> tuple[int, int, int, int]:
    """Give the order in which a call stack would see spans."""
    return span.start_ns, -max(span.start_ns, span.end_ns), span.level, span.row


def frame(span: Span) -> bool:
    """Tell whether a span contains whatever lies within it."""
    return span.level <= Level.LAYER or span.kind == PYTHON


def around(parent: Span, child: Span) -> bool:
    """Tell whether one span is around another by their stamps alone, both exact."""
    start, end = child.start_ns, max(child.start_ns, child.end_ns)
    if parent.lane != child.lane or parent.end_ns <= parent.start_ns or order(parent) >= order(child):
        return False
    if not frame(parent) and (frame(child) or parent.level > child.level):
        return False
    if start == end and parent.level >= child.level:
        return parent.start_ns < start < parent.end_ns
    return parent.end_ns >= end


@given(traces(resolution=0))
def test_the_parent_is_the_innermost_span_around(trace: Trace) -> None:
    """Of all spans around a span the one that began last (of equal ones the deepest, latest row) is its parent."""
    hosts = [span for span in trace if span.role != Role.EXECUTION]
    expected = {}
    for child in hosts:
        holders = [parent for parent in hosts if around(parent, child)]
        expected[child.row] = max(holders, key=order).row if holders else None
    found = nested(trace).parent
    assert {one.row: None if found[one.row] < 0 else int(found[one.row]) for one in hosts} == expected


@given(traces())
def test_parents_never_go_round(trace: Trace) -> None:
    """Whatever stamps say, following parents ends at a root, and a parent begins no later than its child."""
    parents = nested(trace).parent.tolist()
    for row in range(len(trace)):
        steps, at = 0, row
        while parents[at] >= 0:
            assert trace.start_ns[parents[at]] <= trace.start_ns[at]
            at, steps = parents[at], steps + 1
            assert steps <= len(trace)


@given(traces(resolution=0))
def test_overlaps_are_told(trace: Trace) -> None:
    """A lane on which spans of the host follow or contain each other has none; each told one cuts across another."""
    hosts = [span for span in trace if span.role != Role.EXECUTION and span.end_ns > span.start_ns]
    reported = set(nested(trace).overlapping.tolist())
    crossing = {
        late.row
        for late in hosts
        for early in hosts
        if early.lane == late.lane and early.start_ns < late.start_ns < early.end_ns < late.end_ns
    }
    assert reported <= crossing
    frames = {span.row for span in hosts if frame(span)}
    if crossing and crossing <= frames and len(frames) == len(hosts):
        assert reported


@given(traces())
def test_rows_may_stand_in_any_order(trace: Trace) -> None:
    """Parents depend on stamps and levels; the order of the table decides only between spans alike in all of these."""
    keys = np.stack((trace.lane, trace.start_ns, trace.end_ns, trace.level))
    if np.unique(keys, axis=1).shape[1] < len(trace):
        return
    turned = np.arange(len(trace))[::-1]
    names = nested(trace).parent
    again = nested(selected(trace, turned)).parent
    assert [-1 if at < 0 else len(trace) - 1 - at for at in again[::-1].tolist()] == names.tolist()


def built(*spans: tuple[Level, int, int], resolution: int = 1) -> Trace:
    """Give a trace of one lane."""
    builder = TraceBuilder(clock=TraceClock(name="test", resolution_ns=resolution))
    for number, (level, start, end) in enumerate(spans):
        builder.add(level, "operator", f"span {number}", LANE, start, end)
    return builder.built()


LAYER, CALL, LAUNCH = Level.LAYER, Level.MODEL, Level.LIBRARY


@pytest.mark.parametrize(
    ("spans", "parents"),
    [
        pytest.param([(CALL, 0, 9), (LAYER, 0, 9), (LAUNCH, 0, 9)], [-1, 0, 1], id="equal stamps nest by level"),
        pytest.param([(LAUNCH, 0, 9), (LAYER, 0, 9), (CALL, 0, 9)], [1, 2, -1], id="in whatever order they come"),
        pytest.param([(LAYER, 0, 9), (LAYER, 0, 9)], [-1, 0], id="within a level the earlier row is the parent"),
        pytest.param([(LAYER, 0, 5), (LAYER, 5, 5), (LAYER, 5, 9)], [-1, -1, -1], id="empty layers are neighbours"),
        pytest.param([(LAYER, 0, 5), (LAUNCH, 5, 5)], [-1, 0], id="an empty launch at an edge is inside"),
        pytest.param([(LAYER, 0, 5), (LAYER, 3, 3)], [-1, 0], id="an empty layer well inside is inside"),
        pytest.param([(LAYER, 0, 5), (LAYER, 3, 9), (LAYER, 3, 3)], [-1, -1, 0], id="also where another one starts"),
        pytest.param([(CALL, 0, 5), (LAYER, 5, 9), (LAYER, 5, 5)], [-1, -1, 0], id="also where that one ends"),
        pytest.param([(CALL, 0, 9), (LAUNCH, 3, 4)], [-1, 0], id="levels may be left out"),
        pytest.param([(LAUNCH, 0, 9), (LAYER, 3, 4)], [-1, -1], id="a launch calls no layer"),
        pytest.param([(LAYER, 0, 5), (LAYER, 3, 9), (LAUNCH, 4, 5)], [-1, -1, 1], id="the later begun of two"),
        pytest.param([(LAYER, 0, 9), (LAYER, 4, 2)], [-1, 0], id="a span that runs backwards counts as empty"),
    ],
)
def test_edges(spans: list[tuple[Level, int, int]], parents: list[int]) -> None:
    """Equal stamps, empty spans, gaps between levels, overlaps."""
    assert nested(built(*spans)).parent.tolist() == parents


def test_recorders_that_cut_off_digits() -> None:
    """A child may end after its parent by what the clock cannot tell; a neighbour that begins then is none."""
    spans = [(LAYER, 1000, 5000), (LAUNCH, 3000, 6000), (LAYER, 5000, 6000)]
    assert nested(built(*spans, resolution=1000)).parent.tolist() == [-1, 0, -1]
    assert nested(built(*spans, resolution=1)).parent.tolist() == [-1, -1, -1]


def test_a_parent_that_is_known_stays() -> None:
    """Intervals fill gaps; they never overrule a parent, and never close a circle with one."""
    trace = with_columns(built((LAYER, 0, 9), (LAYER, 0, 9), (LAUNCH, 2, 3)), parent=[1, -1, 0])
    assert correlated(trace).parent.tolist() == [1, -1, 0]


def test_deep_recursion_is_no_trouble() -> None:
    """A hundred thousand spans inside one another, and as many side by side."""
    depth = 100_000
    deep = built(*((LAYER, at, 3 * depth - at) for at in range(depth)))
    assert nested(deep).parent.tolist() == list(range(-1, depth - 1))
    flat = built(*((LAYER, 2 * at, 2 * at + 1) for at in range(depth)))
    assert set(nested(flat).parent.tolist()) == {-1}
