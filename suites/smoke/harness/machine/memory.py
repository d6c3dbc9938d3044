"""Holds the small free blocks of memory while a run allocates, so that its own memory is contiguous.

The system hands out its smallest free blocks first. Where it has run for long, gigabytes of them are single pages here
and there, and the memory of a session that is opened then is scattered: the processor keeps neighbouring pages by one
entry of its TLB and scattered ones by many, so whatever streams from memory gets slower, by how much depends on what
other programs did before. While the small blocks are held, a run gets
large ones, as it would on a machine that has just started.
"""

import contextlib
import mmap
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..dtypes import Numbers
from .cpu import read
from .facts import available_bytes

WHOLE_BLOCK_BYTES = 2 << 20
"""Free blocks from this size on, that of a huge page, are as good as one piece."""
MOST_SHARE = 0.25
"""Share of the available memory that is held at most."""
MOST_BYTES = 8 << 30
"""What is held at most: taking it costs half a second for each GB, shared between the threads."""
_THREADS = min(4, os.cpu_count() or 1)
_PAGE = 4096


def scattered_bytes(buddyinfo: str) -> int:
    """Say how much of the free memory lies in blocks smaller than ``WHOLE_BLOCK_BYTES``.

    Args:
        buddyinfo: text of Linux' ``/proc/buddyinfo``: for each zone the number of free blocks of 1, 2, 4, ... pages.

    >>> scattered_bytes("Node 0, zone   Normal  3 1 0 0 0 0 0 0 0 7")
    20480
    """
    total = 0
    for counts in re.findall(r"^Node +\d+, +zone +\w+ +([\d ]+)$", buddyinfo, flags=re.MULTILINE):
        sizes = ((_PAGE << order, int(count)) for order, count in enumerate(counts.split()))
        total += sum(size * count for size, count in sizes if size < WHOLE_BLOCK_BYTES)
    return total


@contextlib.contextmanager
def small_blocks_held() -> Iterator[int]:
    """Hold the small free blocks of this machine's memory, as far as they can be known and spared.

    Yields:
        Bytes held; 0 where the system does not tell of its free blocks.
    """
    spared = min(MOST_BYTES, round(MOST_SHARE * (available_bytes() or 0)))
    wanted = min(spared, scattered_bytes(read("/proc/buddyinfo") or ""))
    nbytes = wanted // _PAGE * _PAGE
    held = _taken(nbytes) if nbytes else None
    try:
        yield nbytes if held is not None else 0
    finally:
        if held is not None:
            held.close()


def _taken(nbytes: int) -> mmap.mmap | None:
    """Take memory page by page; None if the system does not give it."""
    try:
        memory = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_NOHUGEPAGE)  # a huge page would be one of the blocks that are to be left
    except OSError:
        return None
    parts = np.array_split(np.frombuffer(memory, np.uint8)[::_PAGE], _THREADS)
    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(_touch, parts))
    return memory


def _touch(pages: Numbers) -> None:
    """Have pages given, by a byte of each; other threads go on meanwhile."""
    pages[:] = 1
