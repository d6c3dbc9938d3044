"""States and their distances, what was touched since a call, code warm-up and call overhead."""

import dataclasses
import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import (
    CURVE_DISTANCES,
    EMPTY_GRAPHS,
    HOT_LOOP,
    LONG_CALL_NS,
    OVERHEAD_SPACING,
    WEIGHTS_COLD,
    CallOverhead,
    CodeWarmUp,
    ReuseDistances,
    cache_distances,
    curve_distances,
    is_cold,
    main_state,
)


def test_distances_follow_the_caches() -> None:
    """Four L2, for each of several threads; several last levels, 64 to 256 MiB; the same where nothing is known."""
    caches = [
        {"level": 1, "type": "data", "size_bytes": 32 << 10},
        {"level": 2, "type": "unified", "size_bytes": 2 << 20},
        {"level": 3, "type": "unified", "size_bytes": 96 << 20},
    ]
    found = cache_distances(caches, cold=True)
    assert (found.llc_warm_bytes, found.far_bytes) == (8 << 20, 256 << 20)
    assert curve_distances(found) == (*CURVE_DISTANCES[2:], 256 << 20)
    assert curve_distances(dataclasses.replace(found, llc_warm_bytes=1 << 20, far_bytes=128 << 20)) == CURVE_DISTANCES
    assert curve_distances(dataclasses.replace(found, threads_bytes=24 << 20))[0] == 12 << 20
    assert [cache_distances(caches, cold=True, sharing=threads).threads_bytes >> 20 for threads in (1, 2, 4)] == [
        0,
        16,
        32,
    ]
    unknown = cache_distances([], cold=True)
    assert (unknown.llc_warm_bytes, unknown.far_bytes) == (4 << 20, 64 << 20)


def test_what_is_called_again_and_again_is_measured_so() -> None:
    """Anchors, wholes, and everything on an accelerator."""
    here, accelerator = cache_distances([], cold=True), cache_distances([], cold=False)
    assert [is_cold(role, here) for role in ("sequence", "overhead", "curve", "anchor", "whole")] == [True] * 3 + [
        False
    ] * 2
    assert not is_cold("sequence", accelerator)
    assert main_state("sequence", ["llc_warm", WEIGHTS_COLD]) == WEIGHTS_COLD
    assert main_state("overhead", [WEIGHTS_COLD, HOT_LOOP]) == HOT_LOOP
    assert main_state("sequence", [HOT_LOOP]) == HOT_LOOP


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


_LOADED = st.lists(
    st.fixed_dictionaries(
        {
            "fingerprint": st.text("abcdef", min_size=4, max_size=4),
            "role": st.sampled_from(["sequence", "sequence", "anchor"]),
            "operators": st.sampled_from([["Conv"], ["MatMul"], ["Conv", "Relu"]]),
            "weight_bytes": st.integers(0, 100),
            "activation_bytes": st.integers(0, 100),
            "call_ns": st.sampled_from([1, 1, LONG_CALL_NS]),
        }
    ),
    unique_by=lambda one: one["fingerprint"],
    max_size=12,
)


@given(_LOADED)
def test_the_smallest_other_one_is_found(loaded: list[dict[str, Any]]) -> None:
    """Of the same operators, another short sequence, and none that touches less; none if there is none.

    It has another rank.
    """
    same_code = CodeWarmUp()
    for one in loaded:
        same_code.add(one, one["call_ns"])
    for one in loaded:
        others = [
            (other["weight_bytes"] + other["activation_bytes"], other["fingerprint"])
            for other in loaded
            if other["role"] == one["role"] == "sequence"
            and max(other["call_ns"], one["call_ns"]) < LONG_CALL_NS
            and other["operators"] == one["operators"]
            and other is not one
        ]
        assert same_code.other(one["fingerprint"]) == (min(others)[1] if others else None)
        if (called := same_code.other(one["fingerprint"])) is not None:
            assert same_code.rank(called) == (1 if same_code.rank(one["fingerprint"]) == 0 else 0)


FAR = 1000


def test_each_in_turn_as_soon_as_it_is_far_enough_back() -> None:
    """What was cleared or touched since its last call counts, and what will be cleared before the next."""
    reuse = ReuseDistances(FAR)
    empties = CallOverhead(reuse, FAR)
    empties.begin()
    assert empties.choose(FAR - 1, 0) is None
    reuse.touch("layer", FAR - 10)
    assert empties.choose(9, 0) is None
    assert [empties.choose(10, 0) for _ in range(EMPTY_GRAPHS + 1)] == [*range(EMPTY_GRAPHS), None]
    reuse.clear(FAR)
    assert empties.choose(0, 0) == 0


def test_a_worker_that_starts_again_begins_anew() -> None:
    """Its empty graphs have just been called."""
    reuse = ReuseDistances(FAR)
    empties = CallOverhead(reuse, FAR)
    empties.begin()
    reuse.clear(FAR)
    assert [empties.choose(0, 0) for _ in range(3)] == [0, 1, 2]
    empties.begin()
    assert empties.choose(0, 0) is None
    reuse.clear(FAR)
    assert empties.choose(0, 0) == 0


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=200))
def test_they_are_rarer_the_longer_a_run(waits: list[int]) -> None:
    """Never two within a share of the time of the run."""
    empties = CallOverhead(ReuseDistances(FAR), FAR)
    empties.begin()
    now, chosen = 0, []
    for wait in waits:
        now += wait
        if empties.choose(FAR, now) is not None:
            chosen.append(now)
    assert chosen[0] == waits[0]
    assert all(later - before >= later / OVERHEAD_SPACING for before, later in itertools.pairwise(chosen))
