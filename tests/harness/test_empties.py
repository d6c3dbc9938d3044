"""When empty graphs are called beside benchmarks."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import EMPTY_GRAPHS, OVERHEAD_SPACING, CallOverhead, ReuseDistances

FAR = 1000


def test_each_in_turn_as_soon_as_it_is_far_enough_back() -> None:
    """What was cleared or touched since its last call counts, and what will be cleared before the next."""
    reuse = ReuseDistances(FAR)
    empties = CallOverhead(reuse, FAR)
    empties.begin(1)
    assert empties.choose(1, FAR - 1, 0) is None
    reuse.touch("layer", FAR - 10)
    assert empties.choose(1, 9, 0) is None
    assert [empties.choose(1, 10, 0) for _ in range(EMPTY_GRAPHS + 1)] == [*range(EMPTY_GRAPHS), None]
    reuse.clear(FAR)
    assert empties.choose(1, 0, 0) == 0


def test_workers_have_their_own() -> None:
    """One that starts again begins anew."""
    reuse = ReuseDistances(FAR)
    empties = CallOverhead(reuse, FAR)
    empties.begin(1)
    empties.begin(2)
    reuse.clear(FAR)
    assert [empties.choose(worker, 0, 0) for worker in (1, 1, 2, 1)] == [0, 1, 0, 2]
    empties.begin(1)
    assert empties.choose(1, 0, 0) is None
    reuse.clear(FAR)
    assert empties.choose(1, 0, 0) == 0


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=200))
def test_they_are_rarer_the_longer_a_run(waits: list[int]) -> None:
    """Never two within a share of the time of the run."""
    empties = CallOverhead(ReuseDistances(FAR), FAR)
    empties.begin(1)
    now, chosen = 0, []
    for wait in waits:
        now += wait
        if empties.choose(1, FAR, now) is not None:
            chosen.append(now)
    assert chosen[0] == waits[0]
    assert all(later - before >= later / OVERHEAD_SPACING for before, later in itertools.pairwise(chosen))
