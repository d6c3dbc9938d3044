"""States: each has its turn soon, constants most often; distances follow the caches."""

from typing import Any

import pytest

from dlbricks.harness.cache_state import (
    CONSTANTS,
    CURVE_DISTANCES,
    INPUTS,
    LARGE_BYTES,
    OUTPUTS,
    REPEATED,
    cache_distances,
    curve_distances,
    far_states,
    is_cold,
    main_state,
)


def _benchmark(
    role: str, weight_bytes: int, input_bytes: int, output_bytes: int, overwrites: str = ""
) -> dict[str, Any]:
    """Make up what the states depend on."""
    inputs, outputs = ([{"dtype": "uint8", "shape": [nbytes]}] for nbytes in (input_bytes, output_bytes))
    made = {"role": role, "weight_bytes": weight_bytes, "inputs": inputs, "outputs": outputs}
    return {**made, "overwrites": overwrites}


@pytest.mark.parametrize("weight_bytes", [0, 100])
@pytest.mark.parametrize("input_bytes", [4, LARGE_BYTES])
@pytest.mark.parametrize("output_bytes", [4, LARGE_BYTES])
def test_far_states_come_in_turn(weight_bytes: int, input_bytes: int, output_bytes: int) -> None:
    """Constants always, twice in a cycle if there are any; inputs and outputs once if they are large."""
    states = far_states(_benchmark("sequence", weight_bytes, input_bytes, output_bytes))
    assert states[0] == CONSTANTS
    assert states.count(CONSTANTS) == (2 if weight_bytes else 1)
    assert states.count(INPUTS) == (input_bytes >= LARGE_BYTES)
    assert states.count(OUTPUTS) == (output_bytes >= LARGE_BYTES)


def test_an_output_in_the_buffer_of_an_input_has_no_state() -> None:
    """It is there as soon as the input is."""
    assert OUTPUTS not in far_states(_benchmark("sequence", 0, LARGE_BYTES, LARGE_BYTES, "x"))


@pytest.mark.parametrize("role", ["overhead", "nodes"])
def test_what_computes_nothing_has_one_far_state(role: str) -> None:
    """Its inputs and outputs are too small for states of their own."""
    assert far_states(_benchmark(role, 0, 4, 4)) == (CONSTANTS,)


def test_distances_follow_the_caches() -> None:
    """Four L2, for each of several threads; several last levels, 64 to 256 MiB; the same where nothing is known."""
    caches = [
        {"level": 1, "type": "data", "size_bytes": 32 << 10},
        {"level": 2, "type": "unified", "size_bytes": 2 << 20},
        {"level": 3, "type": "unified", "size_bytes": 96 << 20},
    ]
    found = cache_distances(caches, cold=True)
    assert (found.near_bytes, found.far_bytes) == (8 << 20, 256 << 20)
    assert curve_distances(found.far_bytes) == (*CURVE_DISTANCES, 256 << 20)
    assert curve_distances(128 << 20) == curve_distances(64 << 20) == CURVE_DISTANCES
    assert [cache_distances(caches, cold=True, sharing=threads).threads_bytes >> 20 for threads in (1, 2, 4)] == [
        0,
        16,
        32,
    ]
    unknown = cache_distances([], cold=True)
    assert (unknown.near_bytes, unknown.far_bytes) == (4 << 20, 64 << 20)


def test_what_is_called_again_and_again_is_measured_so() -> None:
    """Anchors, wholes, and everything on an accelerator."""
    here, accelerator = cache_distances([], cold=True), cache_distances([], cold=False)
    assert [is_cold(role, here) for role in ("sequence", "overhead", "curve", "anchor", "whole")] == [True] * 3 + [
        False
    ] * 2
    assert not is_cold("sequence", accelerator)
    assert main_state("sequence", ["near", CONSTANTS]) == CONSTANTS
    assert main_state("overhead", [CONSTANTS, REPEATED]) == REPEATED
    assert main_state("sequence", [REPEATED]) == REPEATED
