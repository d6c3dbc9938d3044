"""Unions of intervals against the plainest possible count, and ancestors of spans."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.intervals import (
    ancestors,
    covered_ns,
    cyclic_rows,
    descends,
    merged_intervals,
    uncovered,
    union_by,
    union_ns,
)
from dlbricks.trace.types import NONE, Lane, Level, Longs, Trace, TraceClock
from tests.trace.drawn import traces

SPAN = 40
Drawn = list[tuple[int, int, int]]
drawn = st.lists(st.tuples(st.integers(0, 3), st.integers(0, SPAN), st.integers(0, SPAN)), max_size=12)


def columns(intervals: Drawn) -> tuple[Longs, Longs, Longs]:
    """Give groups, starts and ends as arrays."""
    made = np.array(intervals, np.int64).reshape(-1, 3)
    return made[:, 0], made[:, 1], made[:, 2]


def covered(intervals: Drawn) -> set[int]:
    """Give every nanosecond that lies in an interval."""
    return {at for _, start, end in intervals for at in range(start, end)}


@given(drawn)
def test_a_union_counts_every_nanosecond_once(intervals: Drawn) -> None:
    """However intervals overlap, repeat, touch, are empty or run backwards."""
    _, starts, ends = columns(intervals)
    assert union_ns(starts, ends) == len(covered(intervals))


@given(drawn)
def test_merged_intervals_are_apart_and_cover_the_same(intervals: Drawn) -> None:
    """There is a gap between any two, and what they cover is what was covered."""
    _, starts, ends = columns(intervals)
    merged = list(zip(*(part.tolist() for part in merged_intervals(starts, ends)), strict=True))
    assert covered([(0, start, end) for start, end in merged]) == covered(intervals)
    assert all(one[1] < other[0] for one, other in pairwise(merged))


@given(drawn, st.integers(0, SPAN), st.integers(0, SPAN))
def test_what_is_not_covered_is_the_rest(intervals: Drawn, start: int, end: int) -> None:
    """Covered and uncovered parts of a stretch fill it without overlap."""
    _, starts, ends = columns(intervals)
    gaps = list(zip(*(part.tolist() for part in uncovered(start, end, starts, ends)), strict=True))
    assert covered([(0, *gap) for gap in gaps]) == set(range(start, end)) - covered(intervals)


@given(drawn)
def test_groups_do_not_touch_each_other(intervals: Drawn) -> None:
    """The union of a group is that of its intervals alone; negative groups are left out."""
    groups, starts, ends = columns(intervals)
    expected = [len(covered([one for one in intervals if one[0] == group])) for group in range(1, 4)]
    assert union_by(groups - 1, starts, ends, 3).tolist() == expected


@given(drawn, drawn)
def test_windows_see_the_union_within_them(intervals: Drawn, windows: Drawn) -> None:
    """Each window gets the covered time inside it, whatever other windows do."""
    _, starts, ends = columns(intervals)
    _, window_starts, window_ends = columns(windows)
    expected = [len(covered(intervals) & set(range(start, end))) for _, start, end in windows]
    assert covered_ns(window_starts, window_ends, starts, ends).tolist() == expected


def test_times_since_1970_do_not_overflow() -> None:
    """Nanoseconds of today with a million groups stay exact."""
    starts = np.arange(1000) + 1_800_000_000_000_000_000
    groups = np.arange(1000) * 1000
    assert union_by(groups, starts, starts + 7, 1_000_000).sum() == 7000


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
    with pytest.raises(InputError, match="cycle"):
        ancestors(trace, Level.LAYER)
    assert len(cyclic_rows(trace.parent))


@given(st.data())
def test_descent_is_that_of_a_walk(data: st.DataObject) -> None:
    """From each row up to its root, in whatever order parents come; nothing is an owner of no row."""
    count = data.draw(st.integers(1, 12))
    parent = [data.draw(st.integers(NONE, row - 1)) for row in range(count)]
    asked = data.draw(st.lists(st.tuples(st.integers(NONE, count - 1), st.integers(0, count - 1)), max_size=12))
    turned = np.array(data.draw(st.permutations(range(count))), np.int64)  # parents come in any order
    place = np.append(np.argsort(turned), NONE)

    def walk(row: int) -> list[int]:
        return [] if row == NONE else [row, *walk(parent[row])]

    rows, owners = (place[np.array([pair[side] for pair in asked], np.int64)] for side in (0, 1))
    moved = place[np.array(parent, np.int64)][turned]
    assert descends(moved, rows, owners).tolist() == [owner in walk(row) for row, owner in asked]
