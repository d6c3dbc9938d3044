import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import pair_correction
from dlbricks.construct.rules import critical_chain
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


def makespan(durations: list[int], edges: list[tuple[int, ...]], lanes: int | None = None) -> int:
    """Return the time of all steps on some lanes; None: on as many as there are steps."""
    chain = critical_chain(durations, edges, max(1, len(durations)) if lanes is None else lanes)
    assert len({*chain}) == len(chain)
    return sum(durations[step] for step in chain)


@given(graphs(), st.integers(1, 6))
def test_lanes_are_between_the_critical_path_and_the_sum(
    graph: tuple[list[int], list[tuple[int, ...]]], lanes: int
) -> None:
    """k lanes are at most k times as fast as one, and as many as there are steps take the longest path."""
    durations, edges = graph
    ends: list[int] = []
    for duration, waits in zip(durations, edges, strict=True):
        ends.append(duration + max((ends[step] for step in waits), default=0))
    time = makespan(durations, edges, lanes)
    assert makespan(durations, edges) == max(ends, default=0) <= time <= sum(durations) == makespan(durations, edges, 1)
    assert time * lanes >= sum(durations)


@given(graphs(), st.integers(1, 6))
def test_list_scheduling_is_within_grahams_bound(graph: tuple[list[int], list[tuple[int, ...]]], lanes: int) -> None:
    """It takes at most sum/k + (1 - 1/k) * critical path."""
    durations, edges = graph
    assert makespan(durations, edges, lanes) * lanes <= sum(durations) + (lanes - 1) * makespan(durations, edges)


@given(graphs(), st.integers(1, 5), st.sampled_from([1, 2, 3, None]))
def test_time_scales(graph: tuple[list[int], list[tuple[int, ...]]], factor: int, lanes: int | None) -> None:
    """Steps k times as long make the total k times as long."""
    durations, edges = graph
    longer = [factor * duration for duration in durations]
    assert makespan(longer, edges, lanes) == factor * makespan(durations, edges, lanes)


def test_two_branches() -> None:
    """A diamond of 1, 5 and 3, 1: the longer branch decides; on two lanes, too."""
    durations, edges = [1, 5, 3, 1], [(), (0,), (0,), (1, 2)]
    assert critical_chain(durations, edges, 4) == (0, 1, 3)
    assert makespan(durations, edges, 2) == 7


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 3000))
def test_a_correction_is_bounded_and_exact_within(first: int, second: int, union: int) -> None:
    """It replaces the sum by the union if plausible, and is bounded by the shorter step."""
    made = pair_correction(first, second, union)
    assert abs(made) <= min(first, second)
    assert first + second + made >= max(first, second)
    if max(first, second) <= union <= first + second + min(first, second):
        assert first + second + made == union


@pytest.mark.parametrize("text", ["sequential", "pairs", "parallel", "lanes:1", "lanes:12", "simulate"])
def test_rules_are_written_as_they_are_read(text: str) -> None:
    """str is the inverse of parse."""
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "lanes", "lanes:", "lanes:0", "lanes:-1", "lanes:x", "parallel:2", "Pairs", "lanes:²"]
)
def test_unknown_rules_are_refused(text: str) -> None:
    """Any other text is refused in one line."""
    with pytest.raises(InputError, match="invalid rule"):
        Rule.parse(text)
