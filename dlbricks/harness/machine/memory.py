"""Holds the small free blocks of memory while a run allocates, so that its own memory is contiguous.

The system hands out its smallest free blocks first. Where it has run for long, gigabytes of them are single pages here
and there, and the memory of a session that is opened then is scattered: the processor keeps neighbouring pages by one
entry of its TLB and scattered ones by many, so whatever streams from memory gets slower, by how much depends on what
other programs did before. While the small blocks are held, a run gets large ones, as it would on a machine that has
just started. First of all the system gives pages that each processor keeps for itself: those that programs on it gave
back last, up to an eighth of the memory, which it counts as no free blocks.
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

WHOLE_BLOCK_BYTES = 64 << 10
"""Free blocks from this size on are as good as one piece: a step of a decoder that streams 84 MB took 10.2 ms in single
pages, 8.1 in blocks of 16 KiB and 7.6 in those of 64 KiB, 256 KiB and 2 MiB."""
MOST_SHARE = 0.5
"""Share of the available memory that is held at most."""
MOST_BYTES = 8 << 30
"""What is held at most: taking it costs half a second for each GB, shared between the threads."""
_PAGE = 4096


def scattered_bytes(buddyinfo: str, zoneinfo: str = "") -> int:
    """Say how much of the free memory lies in blocks smaller than ``WHOLE_BLOCK_BYTES``, or is kept by a processor.

    Args:
        buddyinfo: text of Linux' ``/proc/buddyinfo``: for each zone the number of free blocks of 1, 2, 4, ... pages.
        zoneinfo: text of ``/proc/zoneinfo``: for each zone and processor the pages that it keeps.

    >>> scattered_bytes("Node 0, zone   Normal  3 1 0 0 7", "       count:    2")
    28672
    """
    total = _PAGE * sum(map(int, re.findall(r"^ +count: +(\d+)$", zoneinfo, flags=re.MULTILINE)))
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
    wanted = min(spared, scattered_bytes(read("/proc/buddyinfo") or "", read("/proc/zoneinfo") or ""))
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
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [-1]
    parts = np.array_split(np.frombuffer(memory, np.uint8)[::_PAGE], len(processors))
    with ThreadPoolExecutor(len(processors)) as pool:
        list(pool.map(_touch, processors, parts))
    return memory


def _touch(processor: int, pages: Numbers) -> None:
    """Have pages given, by a byte of each, those that a processor keeps first; other threads go on meanwhile."""
    with contextlib.suppress(OSError):
        if processor >= 0:
            os.sched_setaffinity(0, {processor})  # of this thread
    pages[:] = 1
