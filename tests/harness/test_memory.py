"""Memory in one piece: what is scattered, and that what is held is really taken."""

import mmap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.machine.memory import MOST_BYTES, WHOLE_BLOCK_BYTES, scattered_bytes, small_blocks_held

BUDDYINFO = Path("/proc/buddyinfo")
SLACK = 1 << 26


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=11, max_size=11), max_size=4))
def test_what_is_scattered_is_all_free_memory_in_small_blocks(zones: list[list[int]]) -> None:
    """Zone by zone and size by size; blocks as large as a huge page are none of it."""
    text = "".join(f"Node 0, zone {index:>8} {' '.join(map(str, counts))}\n" for index, counts in enumerate(zones))
    small = [(4096 << order) * count for counts in zones for order, count in enumerate(counts) if order < 9]
    assert WHOLE_BLOCK_BYTES == 4096 << 9
    assert scattered_bytes(text) == sum(small)


@pytest.mark.skipif(not BUDDYINFO.exists(), reason="this system does not tell of its free blocks")
def test_what_is_held_is_taken_and_given_back() -> None:
    """Pages that are only promised would fill no gap: what is held is there, within limits, and then no more."""
    before = _resident_bytes()
    with small_blocks_held() as held:
        during = _resident_bytes()
    assert held <= MOST_BYTES
    assert during - before >= held - SLACK
    assert _resident_bytes() <= before + SLACK


def _resident_bytes() -> int:
    """Give the memory of this process that is there and not only promised."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
