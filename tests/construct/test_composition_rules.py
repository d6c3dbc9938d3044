import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import critical_path, pair_correction
from dlbricks.construct.types import Rule
from dlbricks.errors import InputError


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, ...]]]:
    """Draw durations and dependencies on earlier steps."""
    durations = draw(st.lists(st.integers(0, 1000), max_size=25))
    edges = []
    for step in range(len(durations)):
        waits = draw(st.sets(st.integers(0, step - 1), max_size=3)) if step else set()
        edges.append(tuple(sorted(waits)))
    return durations, edges


@given(graphs())
def test_the_critical_path_is_the_longest_chain(graph: tuple[list[int], list[tuple[int, ...]]]) -> None:
    """Each step of it waits for the one before, and no step ends later than the chain."""
    durations, edges = graph
    chain = critical_path(durations, edges)
    assert all(earlier in edges[later] for earlier, later in itertools.pairwise(chain))
    ends: list[int] = []
    for duration, waits in zip(durations, edges, strict=True):
        ends.append(duration + max((ends[step] for step in waits), default=0))
    assert sum(durations[step] for step in chain) == max(ends, default=0) <= sum(durations)


@given(graphs(), st.integers(1, 5))
def test_time_scales(graph: tuple[list[int], list[tuple[int, ...]]], factor: int) -> None:
    """Steps k times as long have the same critical path, k times as long."""
    durations, edges = graph
    assert critical_path([factor * duration for duration in durations], edges) == critical_path(durations, edges)


def test_two_branches() -> None:
    """A diamond of 1, 5 and 3, 1: the longer branch decides."""
    assert critical_path([1, 5, 3, 1], [(), (0,), (0,), (1, 2)]) == (0, 1, 3)


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 3000))
def test_a_correction_is_bounded_and_exact_within(first: int, second: int, union: int) -> None:
    """It replaces the sum by the union if plausible, and is bounded by the shorter step."""
    made = pair_correction(first, second, union)
    assert abs(made) <= min(first, second)
    assert first + second + made >= max(first, second)
    if max(first, second) <= union <= first + second + min(first, second):
        assert first + second + made == union


@pytest.mark.parametrize("text", ["sequential", "pairs", "parallel", "simulate"])
def test_rules_are_written_as_they_are_read(text: str) -> None:
    """str is the inverse of parse."""
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize("text", ["", "lanes:2", "parallel:2", "Pairs", "PAIRS"])
def test_unknown_rules_are_refused(text: str) -> None:
    """Any other text is refused in one line."""
    with pytest.raises(InputError, match="invalid rule"):
        Rule.parse(text)
