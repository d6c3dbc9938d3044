"""Keeps on one core what is compared: the cores of a shared machine differ by what their neighbours do."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_STAT = Path("/proc/thread-self/stat")
_PROCESSOR = 36
"""Index of the processor among the fields behind the name (``proc_pid_stat(5)``)."""


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Keep the calling thread, and processes that it starts, on the core where it runs.

    Without effect where the system does not tell it (other than Linux). A loop alone took 27.2 and 29.2 ms a step on
    one core, 27.0 and 27.3 on the other (``docs/decoders-tried.md``).
    """
    if not _STAT.exists():
        yield
        return
    usual = os.sched_getaffinity(0)
    fields = _STAT.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    os.sched_setaffinity(0, {int(fields[_PROCESSOR])})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)
