"""Stack distances: memory touched several times counts once."""

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import ReuseDistances

PLENTY = 1 << 60


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 100)), max_size=40))
def test_the_distance_is_what_lies_between(steps: list[tuple[int, int]]) -> None:
    """Sum over the others called since, each once with its size, and of what was read to clear, its size at most."""
    reuse = ReuseDistances(ring_bytes=150)
    history: list[tuple[int, int]] = []
    for key, cleared in steps:
        reuse.clear(cleared)
        reuse.touch(str(key), 10 * key)
        history.append((key, cleared))
    for key in {key for key, _ in history}:
        last = max(index for index, (other, _) in enumerate(history) if other == key)
        others = {other for other, _ in history[last + 1 :]}
        ring = min(150, sum(cleared for _, cleared in history[last + 1 :]))
        assert reuse.since(str(key), PLENTY) == ring + sum(10 * other for other in others)


def test_counting_stops_when_there_is_enough() -> None:
    """At least as much as was asked for, and nothing for what was never called."""
    reuse = ReuseDistances(ring_bytes=100)
    for key in "abcdef":
        reuse.touch(key, 10)
    assert reuse.since("a", 25) == 30
    assert reuse.since("z", 25) == 0
