"""Theoretical occupancy: NVIDIA's numbers, and the laws that they follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.gpus import LIMITS, theoretical_occupancy

BLOCKS = [
    ((6, 0), 192, 117, 43172, 1),
    ((6, 0), 32, 93, 0, 20),
    ((6, 0), 192, 245, 0, 1),
    ((7, 0), 640, 32, 0, 3),
    ((7, 0), 64, 10, 0, 32),
    ((7, 0), 384, 84, 5591, 1),
    ((7, 5), 320, 17, 0, 3),
    ((7, 5), 512, 27, 29233, 2),
    ((7, 5), 96, 239, 0, 2),
    ((8, 0), 256, 241, 20477, 1),
    ((8, 0), 96, 215, 0, 2),
    ((8, 0), 384, 63, 27257, 2),
    ((8, 6), 192, 95, 0, 3),
    ((8, 6), 96, 58, 50939, 1),
    ((8, 6), 192, 81, 0, 3),
    ((8, 9), 256, 231, 100492, 1),
    ((8, 9), 160, 140, 4061, 2),
    ((8, 9), 160, 110, 0, 3),
    ((9, 0), 192, 127, 0, 2),
    ((9, 0), 32, 117, 0, 16),
    ((9, 0), 32, 125, 224446, 1),
    ((10, 0), 640, 43, 0, 2),
    ((10, 0), 96, 141, 40345, 4),
    ((10, 0), 209, 101, 0, 2),
    ((12, 0), 320, 148, 28307, 1),
    ((12, 0), 512, 122, 12706, 1),
    ((12, 0), 128, 64, 40879, 2),
]
"""Capability, threads, registers, shared memory, and the blocks on a multiprocessor at a time by ``cuda_occupancy.h``
of CUDA 13, compiled and called with the most shared memory; drawn from 20,000 that agree."""
CAPABILITIES = st.sampled_from(sorted(LIMITS))
THREADS = st.integers(1, 1024)
REGISTERS = st.integers(16, 255)
SHARED = st.integers(0, 48 << 10)


@pytest.mark.parametrize(("capability", "threads", "registers", "shared", "blocks"), BLOCKS)
def test_numbers_are_those_of_nvidia(
    capability: tuple[int, int], threads: int, registers: int, shared: int, blocks: int
) -> None:
    """Blocks that fit times their warps, over the warps that a multiprocessor holds."""
    expected = blocks * -(-threads // 32) / LIMITS[capability].warps
    assert theoretical_occupancy(threads, registers, shared, capability) == pytest.approx(expected)


@given(CAPABILITIES, THREADS, REGISTERS, SHARED)
def test_it_is_a_share_that_needs_only_fall_with(
    capability: tuple[int, int], threads: int, registers: int, shared: int
) -> None:
    """From 0 to 1; with more registers or shared memory it never rises."""
    found = theoretical_occupancy(threads, registers, shared, capability)
    more_registers = theoretical_occupancy(threads, registers + 8, shared, capability)
    more_shared = theoretical_occupancy(threads, registers, shared + 1024, capability)
    assert found is not None
    assert more_registers is not None
    assert more_shared is not None
    assert 0 <= max(more_registers, more_shared) <= found <= 1


def test_what_is_not_known_is_not_guessed() -> None:
    """No number for a device that is not in the table, nor for a launch without threads."""
    assert theoretical_occupancy(128, 32, 0, (99, 0)) is None
    assert theoretical_occupancy(0, 32, 0, (9, 0)) is None


def test_a_smaller_carveout_holds_fewer_blocks() -> None:
    """What the driver set aside counts, where it is known."""
    assert theoretical_occupancy(128, 32, 15 << 10, (9, 0), carveout_bytes=32 << 10) == 2 * 4 / 64
    assert theoretical_occupancy(128, 32, 15 << 10, (9, 0)) == 14 * 4 / 64
