"""States: each has its turn soon, constants most often; distances follow the caches."""

import pytest

from dlbricks.harness.states import CONSTANTS, INPUTS, OUTPUTS, REPEATED, far_state, is_cold, main_state, surroundings


@pytest.mark.parametrize("weight_bytes", [0, 100])
def test_every_far_state_has_its_turn(weight_bytes: int) -> None:
    """Within three visits each once; with constants, half of all visits are of their state."""
    states = [far_state(weight_bytes, index) for index in range(12)]
    assert set(states[:3]) == {CONSTANTS, OUTPUTS, INPUTS}
    assert states.count(CONSTANTS) == (6 if weight_bytes else 4)
    assert states.count(OUTPUTS) == states.count(INPUTS)


def test_distances_follow_the_caches() -> None:
    """Four L2; several last levels, 64 MiB at least; the same where nothing is known."""
    caches = [
        {"level": 1, "type": "data", "size_bytes": 32 << 10},
        {"level": 2, "type": "unified", "size_bytes": 2 << 20},
        {"level": 3, "type": "unified", "size_bytes": 96 << 20},
    ]
    found = surroundings(caches, cold=True)
    assert (found.near_bytes, found.far_bytes) == (8 << 20, 384 << 20)
    unknown = surroundings([], cold=True)
    assert (unknown.near_bytes, unknown.far_bytes) == (4 << 20, 64 << 20)


def test_what_is_called_again_and_again_is_measured_so() -> None:
    """Anchors, wholes, and everything on an accelerator."""
    here, accelerator = surroundings([], cold=True), surroundings([], cold=False)
    assert [is_cold(role, here) for role in ("sequence", "overhead", "curve", "anchor", "whole")] == [True] * 3 + [
        False
    ] * 2
    assert not is_cold("sequence", accelerator)
    assert main_state("sequence", ["near", CONSTANTS]) == CONSTANTS
    assert main_state("overhead", [CONSTANTS, REPEATED]) == REPEATED
    assert main_state("sequence", [REPEATED]) == REPEATED
