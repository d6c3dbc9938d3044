"""How far a command is, on stderr: a moving bar in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

PLAIN_EVERY_S = 10.0
"""Least time between two lines where stderr is no terminal."""

Told = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@contextmanager
def progress() -> Iterator[Told]:
    """Show phases with counts while the block runs."""
    if sys.stderr.isatty():
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        ) as bars:
            yield _bars(bars)
    else:
        yield _lines(time.monotonic)


def _bars(bars: Progress) -> Told:
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
def status() -> Iterator[Callable[[str], None]]:
    """Show one line that says what is going on, overwritten in a terminal; elsewhere a line now and then."""
    if sys.stderr.isatty():
        with Console(stderr=True).status("") as shown:
            yield shown.update
    else:
        yield _seldom(time.monotonic)


def _seldom(clock: Callable[[], float]) -> Callable[[str], None]:
    last = clock() - PLAIN_EVERY_S

    def told(text: str) -> None:
        nonlocal last
        if clock() - last >= PLAIN_EVERY_S:
            last = clock()
            print(text, file=sys.stderr, flush=True)

    return told
