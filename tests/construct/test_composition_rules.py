import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.rules import Rule, pair_correction, schedule
from dlbricks.errors import InputError

SEQUENTIAL = Rule(kind="sequential")
PARALLEL = Rule(kind="parallel")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, ...]]]:
    """Draw durations and dependencies on earlier steps."""
    durations = draw(st.lists(st.integers(0, 1000), max_size=25))
    edges = []
    for step in range(len(durations)):
        waits = draw(st.sets(st.integers(0, step - 1), max_size=3)) if step else set()
        edges.append(tuple(sorted(waits)))
    return durations, edges


def lanes(count: int) -> Rule:
    return Rule(kind="lanes", lanes=count)


@given(graphs(), st.integers(1, 6))
def test_rules_are_ordered(graph: tuple[list[int], list[tuple[int, ...]]], count: int) -> None:
    """parallel <= lanes:k <= sequential, and k lanes are at most k times as fast as one."""
    durations, edges = graph
    middle = schedule(lanes(count), durations, edges).makespan_ns
    assert schedule(PARALLEL, durations, edges).makespan_ns <= middle <= sum(durations)
    assert middle * count >= sum(durations)


@given(graphs(), st.integers(1, 6))
def test_graham_bound(graph: tuple[list[int], list[tuple[int, ...]]], count: int) -> None:
    """List scheduling takes at most sum/k + (1 - 1/k) * critical path."""
    durations, edges = graph
    path = schedule(PARALLEL, durations, edges).makespan_ns
    assert schedule(lanes(count), durations, edges).makespan_ns * count <= sum(durations) + (count - 1) * path


@given(graphs())
def test_extremes_of_lanes(graph: tuple[list[int], list[tuple[int, ...]]]) -> None:
    """One lane is sequential; as many lanes as steps are the critical path."""
    durations, edges = graph
    assert schedule(lanes(1), durations, edges).makespan_ns == schedule(SEQUENTIAL, durations, edges).makespan_ns
    many = schedule(lanes(max(1, len(durations))), durations, edges)
    assert many.makespan_ns == schedule(PARALLEL, durations, edges).makespan_ns


@given(graphs(), st.sampled_from([SEQUENTIAL, PARALLEL, lanes(1), lanes(2), lanes(3)]))
def test_chain_adds_up(graph: tuple[list[int], list[tuple[int, ...]]], rule: Rule) -> None:
    """The times of the steps on the chain add up to the makespan, and no step is on it twice."""
    durations, edges = graph
    made = schedule(rule, durations, edges)
    assert sum(durations[step] for step in made.chain) == made.makespan_ns
    assert len(set(made.chain)) == len(made.chain)


@given(graphs(), st.integers(1, 5), st.sampled_from([SEQUENTIAL, PARALLEL, lanes(2), lanes(3)]))
def test_time_scales(graph: tuple[list[int], list[tuple[int, ...]]], factor: int, rule: Rule) -> None:
    """Steps k times as long make the total k times as long."""
    durations, edges = graph
    longer = [factor * duration for duration in durations]
    assert schedule(rule, longer, edges).makespan_ns == factor * schedule(rule, durations, edges).makespan_ns


def test_two_branches() -> None:
    """A diamond of 1, 5 and 3, 1: 10 in sequence, the longer branch in parallel."""
    durations, edges = [1, 5, 3, 1], [(), (0,), (0,), (1, 2)]
    assert schedule(SEQUENTIAL, durations, edges).makespan_ns == 10
    assert schedule(PARALLEL, durations, edges).chain == (0, 1, 3)
    assert schedule(lanes(2), durations, edges).makespan_ns == 7


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 3000))
def test_a_correction_is_bounded_and_exact_within(first: int, second: int, union: int) -> None:
    """It replaces the sum by the union if plausible, and is bounded by the shorter step."""
    made = pair_correction(first, second, union)
    assert abs(made) <= min(first, second)
    assert first + second + made >= max(first, second)
    if max(first, second) <= union <= first + second + min(first, second):
        assert first + second + made == union


@pytest.mark.parametrize("text", ["sequential", "pairs", "parallel", "lanes:1", "lanes:12"])
def test_rules_are_written_as_they_are_read(text: str) -> None:
    """str is the inverse of parse."""
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "lanes", "lanes:", "lanes:0", "lanes:-1", "lanes:x", "parallel:2", "sum", "lanes:²"]
)
def test_unknown_rules_are_refused(text: str) -> None:
    """Any other text is refused in one line."""
    with pytest.raises(InputError, match="invalid rule"):
        Rule.parse(text)
