import itertools
import statistics
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.schedule import RunOptions, in_turn, limits, visits_left
from dlbricks.harness.states import REPEATED, Step
from dlbricks.harness.track import Track

OPTIONS = RunOptions(whole_target_relative=0.005, whole_max_time_ns=10**10, whole_min_visits=8)


def _track(name: str, role: str, *, visits: int = 0) -> Track:
    benchmark: dict[str, Any] = {"fingerprint": name, "role": role, "importance": 1.0, "weight_bytes": 0}
    track = Track(benchmark={**benchmark, "activation_bytes": 0}, warmup_ns=[1000])
    for number in range(visits):
        track.add_visit(number, Step(state=REPEATED), [1000 + 100 * (number % 2)] * 3)
    return track


@given(st.integers(0, 40), st.integers(0, 2), st.integers(0, 20))
def test_everybody_has_a_turn(parts: int, wholes: int, visits: int) -> None:
    """A round holds every part once and every whole network once or more, and nobody else."""
    tracks = [_track(f"p{index}", "sequence") for index in range(parts)]
    tracks += [_track(f"w{index}", "whole", visits=visits) for index in range(wholes)]
    names = [track.fingerprint for track in in_turn(tracks, OPTIONS)]
    assert sorted(set(names)) == sorted(track.fingerprint for track in tracks)
    assert all(names.count(track.fingerprint) == 1 for track in tracks if track.role != "whole")
    if not parts:
        assert len(names) == wholes


def test_wholes_lie_evenly_between_parts() -> None:
    """What needs many more visits than the parts is spread over the round, not put behind it."""
    parts = [_track(f"p{index}", "sequence") for index in range(30)]
    whole = _track("w", "whole", visits=8)
    assert visits_left(whole, OPTIONS) > 20
    round_ = in_turn([*parts, whole], OPTIONS)
    places = [index for index, track in enumerate(round_) if track is whole]
    gaps = [later - earlier for earlier, later in itertools.pairwise(places)]
    assert len(places) > 10
    assert max(gaps) <= 2 * statistics.median(gaps)
    assert places[0] <= max(gaps)
    assert len(round_) - places[-1] <= max(gaps) + 1


def test_wholes_have_limits_of_their_own() -> None:
    """A whole network is measured to its own interval, for its own time; parts keep theirs."""
    assert limits(_track("w", "whole"), OPTIONS) == (0.005, 10**10)
    assert limits(_track("p", "sequence"), OPTIONS) == (OPTIONS.target_relative, OPTIONS.max_time_ns)
    assert limits(_track("w", "whole"), RunOptions()) == limits(_track("p", "sequence"), RunOptions())
