"""How far a command is, on stderr: a moving bar in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from dlbricks.harness.run.progress import Progress, describe, time_left
from dlbricks.units import counted, plain

PLAIN_EVERY_S = 10.0
"""Least time between two lines where stderr is no terminal."""

Told = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@contextmanager
def progress() -> Iterator[Told]:
    """Show phases with counts while the block runs."""
    if sys.stderr.isatty():
        with Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        ) as bars:
            yield _bars(bars)
    else:
        yield _lines(time.monotonic)


def _bars(bars: Bars) -> Told:
    tasks: dict[str, TaskID] = {}

    def told(phase: str, done: int, total: int) -> None:
        if phase not in tasks:
            tasks[phase] = bars.add_task(phase, total=total)
        bars.update(tasks[phase], completed=done, total=total)

    return told


def _lines(clock: Callable[[], float]) -> Told:
    """Print the end of a phase, and what lies between once in ``PLAIN_EVERY_S``."""
    last = clock()

    def told(phase: str, done: int, total: int) -> None:
        nonlocal last
        if done == total or clock() - last >= PLAIN_EVERY_S:
            last = clock()
            print(f"{phase} {done} of {total}", file=sys.stderr, flush=True)

    return told


@contextmanager
def measuring() -> Iterator[Callable[[Progress], None]]:
    """Show how far a run of a suite is, with the time left, while the block runs."""
    with measuring_many() as told:
        yield lambda message: told("", message)


@contextmanager
def measuring_many(worded: Callable[[Progress], str] = describe) -> Iterator[Callable[[str, Progress], None]]:
    """The same for one run after another; each message comes with what is to be said before it.

    Args:
        worded: puts a message into words.
    """
    if sys.stderr.isatty():
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        with Bars(*columns, console=Console(stderr=True)) as bars:
            task = bars.add_task("starting", total=None)
            yield lambda before, message: bars.update(
                task, description=plain(before + worded(message)), completed=message.done, total=message.total
            )
    else:
        yield _sparing(time.monotonic, worded)


def rounds(progress: Progress) -> str:
    """Put into words how far the rounds of a leveled experiment are, as in ``12 of 30 rounds, 4 s left``."""
    if progress.phase == "loading":
        return progress.phase
    parts = [f"{progress.done} of {counted(progress.total, 'round')}"]
    if progress.phase == "done":
        parts.append("done")
    elif progress.eta_ns is not None:
        parts.append(f"{time_left(progress.eta_ns)} left")
    return ", ".join(parts)


def _sparing(clock: Callable[[], float], worded: Callable[[Progress], str]) -> Callable[[str, Progress], None]:
    """Print a message if the last one is old enough, and the last one of each run."""
    last = clock()

    def told(before: str, message: Progress) -> None:
        nonlocal last
        if message.is_last or clock() - last >= PLAIN_EVERY_S:
            last = clock()
            print(plain(before + worded(message)), file=sys.stderr, flush=True)

    return told
