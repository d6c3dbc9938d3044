import itertools
import statistics
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import HOT_LOOP, Step
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.campaign import _tracks_of_round
from dlbricks.harness.run.schedule import (
    END_TO_END_SHARE,
    BenchmarkState,
    calls_of_visit,
    interleaved,
    limits,
    visit_cost_ns,
)

OPTIONS = RunOptions(end_to_end_target_relative=0.005, end_to_end_max_time_ns=10**10, end_to_end_min_visits=8)


def _track(name: str, role: str, *, visits: int = 0) -> BenchmarkState:
    benchmark: dict[str, Any] = {"fingerprint": name, "role": role, "importance": 1.0, "weight_bytes": 0}
    track = BenchmarkState(benchmark={**benchmark, "activation_bytes": 0}, warmup_ns=[1000])
    for number in range(visits):
        track.add_visit(number, Step(state=HOT_LOOP), [1000 + 100 * (number % 2)] * 3)
    return track


@given(st.integers(0, 40), st.integers(0, 2), st.integers(0, 20))
def test_everybody_has_a_turn(parts: int, wholes: int, visits: int) -> None:
    """A round holds every part once and every whole network once or more, and nobody else."""
    tracks = [_track(f"p{index}", "sequence") for index in range(parts)]
    tracks += [_track(f"w{index}", "whole", visits=visits) for index in range(wholes)]
    names = [track.fingerprint for track in interleaved(tracks, OPTIONS)]
    assert sorted(set(names)) == sorted(track.fingerprint for track in tracks)
    assert all(names.count(track.fingerprint) == 1 for track in tracks if track.role != "whole")
    if not parts:
        assert len(names) == wholes


def test_wholes_lie_evenly_between_parts() -> None:
    """What needs many more visits than the parts is spread over the round, not put behind it."""
    parts = [_track(f"p{index}", "sequence") for index in range(30)]
    whole = _track("w", "whole", visits=8)
    round_ = interleaved([*parts, whole], OPTIONS)
    places = [index for index, track in enumerate(round_) if track is whole]
    gaps = [later - earlier for earlier, later in itertools.pairwise(places)]
    assert len(places) > 10
    assert max(gaps) <= 2 * statistics.median(gaps)
    assert places[0] <= max(gaps)
    assert len(round_) - places[-1] <= max(gaps) + 1


def test_a_budget_that_ends_in_the_first_round_has_reached_everybody() -> None:
    """Without a budget a whole network has its many visits from the first round on."""
    tracks = [*(_track(f"p{index}", "sequence") for index in range(30)), _track("w", "whole")]
    assert len(interleaved(tracks, replace(OPTIONS, budget_ns=10**9))) == len(tracks)
    assert len(interleaved(tracks, OPTIONS)) > len(tracks)


def test_wholes_have_limits_of_their_own() -> None:
    """A whole network is measured to its own interval, for its own time; parts keep theirs."""
    assert limits(_track("w", "whole"), OPTIONS) == (0.005, 10**10)
    assert limits(_track("p", "sequence"), OPTIONS) == (OPTIONS.target_relative, OPTIONS.max_time_ns)
    assert limits(_track("w", "whole"), RunOptions()) == limits(_track("p", "sequence"), RunOptions())


@given(st.lists(st.tuples(st.sampled_from(["sequence", "whole"]), st.booleans()), max_size=12))
def test_parts_and_wholes_stay_beside_each_other(states: list[tuple[str, bool]]) -> None:
    """Who is not done is visited, wholes beside anybody, all parts beside a whole that is not done; then nobody."""
    tracks = [_track(f"t{index}", role) for index, (role, _) in enumerate(states)]
    for track, (_, done) in zip(tracks, states, strict=True):
        track.loaded, track.done, track.status = True, done, "ok"
    wanted = {track.fingerprint for track in _tracks_of_round(tracks)}
    live = {track.role for track in tracks if not track.done}
    wholes = {track.fingerprint for track in tracks if track.role == "whole"}
    parts = {track.fingerprint for track in tracks if track.role != "whole"}
    assert {track.fingerprint for track in tracks if not track.done} <= wanted
    assert bool(wanted) == bool(live)
    assert not live or wholes <= wanted
    assert "whole" not in live or parts <= wanted


@given(st.integers(1, 12), st.integers(0, 30), st.booleans(), st.booleans())
def test_rounds_give_wholes_the_same_share_of_their_time(parts: int, visits: int, done: bool, smoke: bool) -> None:
    """Some times as long as all parts together, from the first round to the last; once in a smoke run."""
    options = replace(OPTIONS, smoke=smoke)
    others = [_track(f"p{index}", "sequence", visits=3) for index in range(parts)]
    for other in others:
        other.done = done
    whole = _track("w", "whole", visits=visits)
    share = sum(visit_cost_ns(other, options) for other in others) / visit_cost_ns(whole, options)
    places = interleaved([*others, whole], options).count(whole)
    assert places == (1 if smoke else max(1, round(END_TO_END_SHARE * share)))


def test_visits_to_short_wholes_last_longer() -> None:
    """Their second and third call still find the caches as others left them; long ones have three calls, no more."""
    short, long = _track("w", "whole"), _track("w", "whole")
    short.warmup_ns, long.warmup_ns = [2_000_000], [200_000_000]
    assert calls_of_visit(short, OPTIONS) == 10
    assert calls_of_visit(long, OPTIONS) == 3
