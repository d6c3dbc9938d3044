"""When a benchmark has been measured enough: what matters little needs little, and the sum is as good as was asked."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import (
    ENDURING_CALL_NS,
    HOT_LOOP,
    LLC_WARM,
    LONG_CALL_NS,
    WEIGHTS_COLD,
    Step,
    cache_distances,
)
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.campaign import Campaign
from dlbricks.harness.run.schedule import (
    HOT_LOOP_CALLS,
    LLC_WARM_CALLS,
    BenchmarkState,
    allowed_relative,
    first_visits_first,
    is_done,
    least_visits,
    most_beneficial,
    remaining_ns,
    retry_limit,
    steps_of_visit,
    stricter,
)
from tests.harness.small_suite import benchmark, unary

ENTRY, _ = benchmark("Sin", unary("Sin", (4,)), weight_bytes=64)
OPTIONS = RunOptions(target_relative=0.02)


def track(importance: float, levels: list[int], *, loaded: bool = True) -> BenchmarkState:
    """Give a track that was visited once for each level, ns."""
    made = BenchmarkState(benchmark={**ENTRY, "importance": importance}, cold=True, loaded=loaded, warmup_ns=[100])
    for index, level in enumerate(levels):
        made.add_visit(index * 10**6, Step(state=WEIGHTS_COLD), [level])
        made.add_visit(index * 10**6 + level, Step(state=LLC_WARM), [level])
        made.last_visit_ns = 1e6
    made.done = is_done(made, OPTIONS)
    return made


@given(st.lists(st.floats(1e-4, 1), min_size=1, max_size=50), st.floats(0.001, 0.2))
def test_a_sum_of_what_is_narrow_enough_is_narrow_enough(shares: list[float], target: float) -> None:
    """Half widths of independent parts, in quadrature."""
    weights = [share / sum(shares) for share in shares]
    total = math.sqrt(sum((weight * allowed_relative(weight, target)) ** 2 for weight in weights))
    assert total <= target * (1 + 1e-9)


def test_what_matters_little_needs_few_visits() -> None:
    """One is enough for what may be wrong altogether; five of its state for what is all of a network."""
    steady = [1000, 1001, 1000, 1001, 1000]
    assert [least_visits(track(share, []), OPTIONS) for share in (2.0**-12, 2.0**-6, 0.25, 1.0)] == [1, 2, 2, 5]
    assert track(2.0**-12, steady[:1]).done
    assert not track(2.0**-6, steady[:1]).done
    assert track(2.0**-6, steady[:2]).done
    assert not track(1.0, steady[:4]).done
    assert track(1.0, steady).done


def test_stricter_is_the_root_of_two_narrower_in_twice_the_time() -> None:
    """And nothing else of the options changes."""
    asked = stricter(stricter(OPTIONS))
    assert math.isclose(asked.target_relative, OPTIONS.target_relative / 2)
    assert asked.max_time_ns == 4 * OPTIONS.max_time_ns
    back = replace(asked, target_relative=OPTIONS.target_relative, max_time_ns=OPTIONS.max_time_ns)
    assert back == OPTIONS


def test_a_cold_visit_is_one_call_far_repeated_ones_and_some_near() -> None:
    """Repeated ones bring constants near that the far call read once; long calls are not repeated."""
    around = cache_distances([], cold=True)
    far, again, *near = steps_of_visit(track(0.5, [1000]), OPTIONS, around, around.far_bytes - 5)
    assert far == Step(state=WEIGHTS_COLD, clear_bytes=5, distance_bytes=around.far_bytes)
    assert (
        near
        == [Step(state=LLC_WARM, clear_bytes=around.llc_warm_bytes, distance_bytes=around.llc_warm_bytes)]
        * LLC_WARM_CALLS
    )
    assert again == Step(state=HOT_LOOP, calls=HOT_LOOP_CALLS)
    two = steps_of_visit(track(0.5, [1000]), OPTIONS, cache_distances([], cold=True, sharing=2), 0)
    assert [step.state for step in two] == [WEIGHTS_COLD, HOT_LOOP, *[LLC_WARM] * LLC_WARM_CALLS]
    assert [one.state for one in steps_of_visit(track(0.5, [1000]), replace(OPTIONS, smoke=True), around, 0)] == [
        WEIGHTS_COLD,
        LLC_WARM,
    ]
    assert len(steps_of_visit(track(0.5, [LONG_CALL_NS]), OPTIONS, around, 0)) == 2


def test_the_wide_goes_on_until_its_time_is_spent() -> None:
    """A wide interval is excused by a small share, or by the time that went into it."""
    wild = [1000, 1000, 1000, 1500]
    assert track(2.0**-11, wild).done
    assert not track(0.25, wild).done
    spent = track(0.25, wild)
    spent.spent_ns = OPTIONS.max_time_ns
    assert is_done(spent, OPTIONS)


def test_a_round_takes_what_is_worth_most() -> None:
    """Everybody when there is time; else what was never visited, then what adds most to the error of a network."""
    new, heavy, light = track(2.0**-9, []), track(0.5, [1000, 1000, 1000, 1300]), track(2.0**-5, [1000, 1, 1, 1300])
    assert most_beneficial([light, heavy, new], OPTIONS, 1e9) == [new, heavy, light]
    assert most_beneficial([light, heavy, new], OPTIONS, 1.5e6) == [new, heavy]


def test_first_visits_go_by_importance() -> None:
    """Both when a round is cut short and in its order; what was visited keeps its place behind."""
    heavy, light, middle = (track(2.0**-power, []) for power in (1, 9, 4))
    seen, also_seen = track(2.0**-9, [1000] * 3), track(0.5, [1000] * 3)
    every = [seen, light, also_seen, middle, heavy]
    assert sorted(every, key=first_visits_first) == [heavy, middle, light, seen, also_seen]
    assert most_beneficial(every, OPTIONS, 1e9)[:3] == [heavy, middle, light]


def test_the_time_left_counts_what_is_to_be_loaded_and_visited() -> None:
    """Nothing for what is done."""
    done = track(2.0**-12, [1000] * 3)
    assert remaining_ns([done], OPTIONS, 1e9) == 0
    fresh = BenchmarkState(benchmark=ENTRY, cold=True)
    assert remaining_ns([fresh], OPTIONS, 1e9) > 1e9


GOOD = {"samples_ns": [5], "disturbed": False, "thrown": 0, "before_ns": 0, "spent_ns": 9, "empty_ns": None}
BAD = {**GOOD, "disturbed": True}


def campaign(overhead: BenchmarkState | None) -> Campaign:
    """As much of a campaign as recording a visit takes."""
    return cast("Campaign", SimpleNamespace(_options=OPTIONS, _overhead=overhead))


def test_a_disturbed_call_has_another_chance_but_not_for_ever() -> None:
    """Eight visits in a row are made again, the ninth counts; a good one begins anew; all are kept and marked."""
    made, steps = track(1.0, []), [Step(state=WEIGHTS_COLD, distance_bytes=1), Step(state=LLC_WARM)]
    for taken in ((BAD, GOOD), *[(GOOD, BAD)] * 8, (GOOD, GOOD), (BAD, BAD)):
        Campaign._record(campaign(None), made, steps, taken, 0)
    assert sum(visit.get("disturbed", False) for visit in made.visits) == 11
    assert len(made.visits) == 22
    assert {state: len(counts) for state, counts in made.medians.items()} == {LLC_WARM: 2, WEIGHTS_COLD: 9}
    assert {state: len(counts) for state, counts in made.disturbed_medians.items()} == {LLC_WARM: 1}
    assert made.rounds == 9


def test_empty_calls_beside_others_are_visits_of_the_overhead() -> None:
    """In the states of those, marked as those are; and they cost time."""
    made, overhead = track(1.0, []), BenchmarkState(benchmark={**ENTRY, "role": "overhead"}, cold=True)
    steps = [Step(state=WEIGHTS_COLD, distance_bytes=7, empty=3), Step(state=LLC_WARM, distance_bytes=2, empty=3)]
    taken = [{**GOOD, "before_ns": 4, "empty_ns": 2}, {**BAD, "before_ns": 4, "empty_ns": 3}]
    assert Campaign._record(campaign(overhead), made, steps, taken, 100) == 5
    far, near = overhead.visits
    assert (far["state"], far["distance_bytes"], far["start_ns"], far["samples_ns"]) == (WEIGHTS_COLD, 7, 102, [2])
    assert (near["state"], near["start_ns"], near["samples_ns"], near["disturbed"]) == (LLC_WARM, 110, [3], True)
    assert overhead.wall_ns == 5
    assert [visit["state"] for visit in made.visits] == [WEIGHTS_COLD, LLC_WARM]


def test_who_is_in_a_hurry_has_no_chance_at_first() -> None:
    """A budget may end before there is another visit; after the first it is retried as ever."""
    budget, smoke = replace(OPTIONS, budget_ns=10**9), replace(OPTIONS, smoke=True)
    fresh, visited, little = track(1.0, []), track(1.0, [1000]), track(2.0**-12, [1000])
    assert [retry_limit(fresh, options) for options in (OPTIONS, budget, smoke)] == [8, 0, 0]
    assert [retry_limit(visited, options) for options in (OPTIONS, budget, smoke)] == [8, 8, 0]
    assert retry_limit(little, OPTIONS) == 2
    assert retry_limit(track(1.0, [10**8]), OPTIONS) == 2
    assert retry_limit(BenchmarkState(benchmark={**ENTRY, "role": "anchor"}), OPTIONS) == 0


def test_nothing_is_done_without_a_call_near() -> None:
    """Most of a network's time is of that state; the call may still have to be made again."""
    made = track(2.0**-12, [1000, 1001])
    assert made.done
    del made.medians[LLC_WARM]
    assert not is_done(made, OPTIONS)


def test_a_call_that_outlasts_what_disturbs_it_is_made_few_times() -> None:
    """Two visits, one call near, none again; a visit may take four times as long as its calls before."""
    around, second = cache_distances([], cold=True), [ENDURING_CALL_NS]
    assert [len(steps_of_visit(track(0.5, levels), OPTIONS, around, 0)) for levels in ([], second)] == [5, 1]
    spent = [with_time(track(1.0, second * visits)) for visits in (1, 2)]
    assert [is_done(one, OPTIONS) for one in spent] == [False, True]
    assert retry_limit(spent[0], OPTIONS) == 0


def with_time(one: BenchmarkState) -> BenchmarkState:
    """Let visits have taken what its calls took."""
    one.spent_ns = max(one.timed_ns, 1)
    return one
