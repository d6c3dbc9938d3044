"""Memory in one piece: what is scattered, and that holding it leaves less of it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.pages import WHOLE_BLOCK_BYTES, gaps_held, scattered_bytes

BUDDYINFO = Path("/proc/buddyinfo")
KEPT = 1 << 28


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=11, max_size=11), max_size=4))
def test_what_is_scattered_is_all_free_memory_in_small_blocks(zones: list[list[int]]) -> None:
    """Zone by zone and size by size; blocks as large as a huge page are none of it."""
    text = "".join(f"Node 0, zone {index:>8} {' '.join(map(str, counts))}\n" for index, counts in enumerate(zones))
    small = [(4096 << order) * count for counts in zones for order, count in enumerate(counts) if order < 9]
    assert WHOLE_BLOCK_BYTES == 4096 << 9
    assert scattered_bytes(text) == sum(small)


@pytest.mark.skipif(not BUDDYINFO.exists(), reason="this system does not tell of its free blocks")
def test_what_is_held_was_scattered() -> None:
    """While it is held less of the free memory lies in small blocks; what others free meanwhile is left aside."""
    before = scattered_bytes(BUDDYINFO.read_text(encoding="ascii"))
    with gaps_held() as held:
        left = scattered_bytes(BUDDYINFO.read_text(encoding="ascii"))
    assert held <= before + KEPT
    assert left <= before - held + KEPT or held < KEPT
