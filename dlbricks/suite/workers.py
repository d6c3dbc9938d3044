"""Doing the same to many things in several processes, so that one that crashes costs itself only."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Crashed(Generic[_Given]):
    """Stands for the result of a call whose process died."""

    given: _Given
    """What the function was called with."""


class Workers:
    """Up to ``jobs`` processes; with one job everything happens in this process, where a crash is not survived."""

    def __init__(self, jobs: int) -> None:
        """Start ``jobs`` processes, if it is more than one."""
        self._jobs = jobs
        self._pool = _pool(jobs) if jobs > 1 else None

    def __enter__(self) -> Self:
        """Give the workers."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes; calls that have not begun are dropped."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(
        self, function: Callable[[_Given], _Made], items: Sequence[_Given], done: Callable[[int], None]
    ) -> list[_Made | Crashed[_Given]]:
        """Call ``function`` with every item; the first to come is the first to begin.

        Args:
            function: a function of a module, so that other processes find it.
            items: what it is called with.
            done: called with the number of items done so far, after each.

        Returns:
            The results in the order of the items.

        Raises:
            Exception: what the function raised, for whichever item did so first.
        """
        if self._pool is None:
            made: list[_Made | Crashed[_Given]] = []
            for item in items:
                made.append(function(item))
                done(len(made))
            return made
        futures = {self._pool.submit(function, item): index for index, item in enumerate(items)}
        results: dict[int, _Made | Crashed[_Given]] = {}
        try:
            for future in as_completed(futures):
                results[futures[future]] = future.result()
                done(len(results))
        except BrokenProcessPool:
            self._pool.shutdown()
            self._pool = _pool(self._jobs)
            _alone(function, items, results, done)
        return [results[index] for index in range(len(items))]


def _alone(
    function: Callable[[_Given], _Made],
    items: Sequence[_Given],
    results: dict[int, _Made | Crashed[_Given]],
    done: Callable[[int], None],
) -> None:
    """Finish what is left, each item in a process of its own: a broken pool does not report which item broke it."""
    for index, item in enumerate(items):
        if index in results:
            continue
        with _pool(1) as pool:
            future: Future[_Made] = pool.submit(function, item)
            try:
                results[index] = future.result()
            except BrokenProcessPool:
                results[index] = Crashed(item)
        done(len(results))


def _pool(jobs: int) -> ProcessPoolExecutor:
    # spawn: onnxruntime keeps threads, and a fork of a process with threads may hang
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Leave Ctrl-C to the parent, which ends its workers; end when the parent is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
