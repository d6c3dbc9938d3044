"""Holds the small free blocks of physical memory during a run, so that the run allocates contiguous memory.

The kernel's buddy allocator hands out the smallest free blocks first. On a machine that has run for long, gigabytes of
free memory are single scattered pages. Processors map contiguous pages with fewer TLB entries, so that reading
scattered memory is slower, by an amount that depends on what other programs did before. While the small blocks are
held, a run gets large ones, as on a machine that has just started. Before all free blocks the kernel hands out the
pages in each processor's own list, which were freed there last: up to an eighth of the memory.
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
"""Smaller free blocks are held by default. A decoder's step that reads 84 MB took 10.2 ms in single pages, 8.1 in
blocks of 16 KiB, and 7.6 in blocks of 64 KiB, 256 KiB and 2 MiB."""
MOST_SHARE = 0.5
"""Largest share of the available memory to hold."""
MOST_BYTES = 8 << 30
"""Most bytes to hold: allocating them takes half a second for each GB, divided by the number of threads."""
_PAGE = 4096


def scattered_bytes(buddyinfo: str, zoneinfo: str = "", whole_bytes: int = WHOLE_BLOCK_BYTES) -> int:
    """Return the free bytes in smaller blocks than ``whole_bytes`` and in the lists of processors.

    Args:
        buddyinfo: text of ``/proc/buddyinfo``: for each zone the number of free blocks of 1, 2, 4, ... pages.
        zoneinfo: text of ``/proc/zoneinfo``: for each zone and processor the number of pages in its list.
        whole_bytes: size of the smallest blocks that do not count.

    >>> scattered_bytes("Node 0, zone   Normal  3 1 0 0 7", "       count:    2")
    28672
    """
    total = _PAGE * sum(map(int, re.findall(r"^ +count: +(\d+)$", zoneinfo, flags=re.MULTILINE)))
    for counts in re.findall(r"^Node +\d+, +zone +\w+ +([\d ]+)$", buddyinfo, flags=re.MULTILINE):
        sizes = ((_PAGE << order, int(count)) for order, count in enumerate(counts.split()))
        total += sum(size * count for size, count in sizes if size < whole_bytes)
    return total


@contextlib.contextmanager
def small_blocks_held(whole_bytes: int = WHOLE_BLOCK_BYTES, needed_bytes: int = 0) -> Iterator[int]:
    """Hold the small free blocks of this machine's memory, within ``MOST_SHARE`` and ``MOST_BYTES``.

    Args:
        whole_bytes: size of the smallest blocks that are left.
        needed_bytes: of memory that has to stay available.

    Yields:
        Number of bytes held; 0 if the system does not report its free blocks.
    """
    available = available_bytes() or 0
    spared = max(0, min(MOST_BYTES, round(MOST_SHARE * available), available - needed_bytes))
    wanted = min(spared, scattered_bytes(read("/proc/buddyinfo") or "", read("/proc/zoneinfo") or "", whole_bytes))
    nbytes = wanted // _PAGE * _PAGE
    held = _taken(nbytes) if nbytes else None
    try:
        yield nbytes if held is not None else 0
    finally:
        if held is not None:
            held.close()


def _taken(nbytes: int) -> mmap.mmap | None:
    """Allocate memory page by page; return None if there is not enough."""
    try:
        memory = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_NOHUGEPAGE)  # huge pages are the large blocks that should stay free
    except OSError:
        return None
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [-1]
    parts = np.array_split(np.frombuffer(memory, np.uint8)[::_PAGE], len(processors))
    with ThreadPoolExecutor(len(processors)) as pool:
        list(pool.map(_touch, processors, parts))
    return memory


def _touch(processor: int, pages: Numbers) -> None:
    """Write one byte to each page, which allocates it, first from the list of ``processor`` if that is not negative."""
    with contextlib.suppress(OSError):
        if processor >= 0:
            os.sched_setaffinity(0, {processor})  # of this thread
    pages[:] = 1
