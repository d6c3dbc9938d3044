"""Calls functions in worker processes, where an item that crashes, hangs or needs too much memory harms no others.

A worker is a fork of this process, or a new interpreter for runtimes whose threads prevent a fork. Memory is limited
for each worker, processor time for each item (``model.bounds.allow``).
"""

import contextlib
import gc
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, Self, TypeAlias, TypeVar

from dlbricks import limits
from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import available_bytes
from dlbricks.model import bounds
from dlbricks.model.lowering.targets import provider_of
from dlbricks.settings import PORTABLE
from dlbricks.units import format_bytes

# Memory of a process that uses a device: CUDA maps more memory than it uses.
UNLIMITED_BYTES = sys.maxsize // 2

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
# Results by file, and by file the reasons why the others are left out.
Answered: TypeAlias = tuple[dict[Path, _Result], dict[str, str]]

_receivers: list[Callable[[Any], None]] = []
# In a worker process, which starts no workers of its own: process id of its parent. Empty elsewhere.
_serving: list[int] = []


@dataclass(frozen=True, slots=True)
class Crashed(Generic[_Item]):
    """Result for an item whose worker crashed or was ended."""

    item: _Item
    """Argument of the call."""
    reason: str = field(default="", compare=False)
    """What happened to the worker; it follows the item's name in messages."""


class Workers:
    """A pool of worker processes, which start when needed."""

    def __init__(self, jobs: int, *, apart: bool = True, fresh: bool = False, memory_bytes: int | None = None) -> None:
        """Create a pool of up to ``jobs`` processes, each limited to ``memory_bytes``; None for the free memory.

        Without ``apart``, a single job runs in this process, since a fork cannot use a device. With ``fresh``,
        processes are new interpreters, since a fork cannot use a runtime that has started threads.
        """
        self._jobs = jobs
        self._apart = (apart or jobs > 1) and sys.platform == "linux" and not _serving
        self._fresh = fresh
        self.limit_bytes = memory_bytes
        self._memory = memory_bytes or available_bytes() or sys.maxsize
        self._remedy = "that are free: give" if memory_bytes is None else "of --memory-limit: give more, or"
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def __enter__(self) -> Self:
        """Enter a ``with`` statement."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Kill all processes."""
        for worker in (*self._idle, *self._busy.values()):
            worker.end()
        self._idle, self._busy = [], {}

    def each(
        self,
        function: Callable[[_Item], _Result],
        items: Sequence[_Item],
        done: Callable[[int], None] = lambda _: None,
        on_message: Callable[[Any], None] = lambda _: None,
    ) -> list[_Result | Crashed[_Item]]:
        """Call a module-level function with every item in worker processes; return the results in order.

        ``done`` gets the number of finished items, and ``on_message`` each message of ``send_message``. Raises the
        first exception of the function.
        """
        results: dict[int, _Result | Crashed[_Item]] = {}
        if not self._apart:
            with _receiving(on_message):
                for index, item in enumerate(items):
                    results[index] = function(item)
                    done(len(results))
            return [*results.values()]
        waiting = deque(range(len(items)))
        while len(results) < len(items):
            while waiting and len(self._busy) < self._jobs:
                worker = self._idle.pop() if self._idle else _Worker(self._memory, self._remedy, fresh=self._fresh)
                self._busy[worker.pipe] = worker
                worker.begin(function, items[waiting[0]], waiting.popleft(), on_message)
            for worker in self._ended():
                kind, answer = worker.answer
                if kind == "raised":
                    raise answer
                results[worker.item] = answer if kind == "returned" else Crashed(items[worker.item], answer)
                done(len(results))
        return [results[index] for index in range(len(items))]

    def _ended(self) -> "list[_Worker]":
        # Waits for workers that finished, died or hang; they are no longer busy.
        until = min(worker.until for worker in self._busy.values())
        ready = wait(list(self._busy), max(0.0, until - time.monotonic()))
        late = [worker for worker in self._busy.values() if worker.until <= time.monotonic() and worker.hangs()]
        ended = [self._busy[pipe] for pipe in ready if isinstance(pipe, Connection) and self._busy[pipe].hear()]
        for worker in late:
            if worker not in ended:
                reason = f"did not respond, and used no processor, for {worker.allowed:.0f} s"
                worker.alive, worker.answer = False, ("died", reason)
                ended.append(worker)
        for worker in ended:
            del self._busy[worker.pipe]
            if worker.alive:
                self._idle.append(worker)
            else:
                worker.end()
        return ended


class _Worker:
    # A worker process, as seen by its parent.

    def __init__(self, memory: int, remedy: str, *, fresh: bool) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.item = -1
        self.answer: tuple[str, Any] = ("", None)
        self.until = 0.0
        self.alive = True
        self.allowed = 0.0
        self._before = bounds.ProcessActivity()
        self._on_message: Callable[[Any], None] = lambda _: None
        self._scratch = tempfile.mkdtemp(prefix="dlbricks-")
        process = multiprocessing.context.SpawnProcess if fresh else multiprocessing.context.ForkProcess
        self._process = process(target=_serve, args=(theirs, memory, remedy, os.getpid(), self._scratch), daemon=True)
        with warnings.catch_warnings():
            # the thread of a progress bar holds no lock that a worker needs
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()

    def begin(self, function: Callable[[Any], Any], item: Any, index: int, on_message: Callable[[Any], None]) -> None:
        self.item, self._on_message = index, on_message
        self.allowed, self.until = limits.READ_SECONDS, time.monotonic() + limits.READ_SECONDS
        with contextlib.suppress(BrokenPipeError):  # the process died meanwhile, which hear() reports
            self.pipe.send((function, item))

    def hear(self) -> bool:
        # Reads a message; returns whether the item is finished.
        try:
            kind, content = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            self.answer, self.alive = ("died", self._death()), False
            return True
        if kind == "allowed":
            self.allowed, self.until = content, time.monotonic() + content
            return False
        if kind == "message":
            self._on_message(content)
            return False
        self.answer = (kind, content)
        return True

    def hangs(self) -> bool:
        # Return whether the process neither computed nor waited for a processor since the last check.
        now = bounds.activity(self._process.pid or 0)
        idle, self._before = now.idle_since(self._before), now
        self.until = time.monotonic() + self.allowed
        return idle

    def end(self) -> None:
        # Kills the process and its children, and removes its temporary files.
        self.alive = False
        if self._process.exitcode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self.pipe.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _death(self) -> str:
        code = self._process.exitcode or 0
        if -code == signal.SIGXCPU:
            return f"took more than {self.allowed:.0f} s of processor time, the limit for a network of its size"
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"crashed its worker process ({name})"


def each_in_worker(
    function: Callable[[Path], _Result], paths: Sequence[Path], target: str = PORTABLE, memory_bytes: int | None = None
) -> Answered[_Result]:
    """Call a module-level function with each file in a worker process, or in this process if ``target`` is on a GPU.

    Returns and raises as ``answered``; a file that crashed the worker or exceeded the limits on time or memory failed.
    """

    def call(path: Path) -> _Result:
        (result,) = workers.each(function, [path])
        if isinstance(result, Crashed):
            raise UnsupportedModelError(f"{path} {result.reason}")
        return result

    with Workers(1, apart=provider_of(target) == "cpu", memory_bytes=memory_bytes) as workers:
        return answered(call, paths)


def answered(function: Callable[[Path], _Result], paths: Sequence[Path]) -> Answered[_Result]:
    """Call a function with each file, so that one that fails ends no other; raises the first error if all fail."""
    results, errors = dict[Path, _Result](), dict[str, DlbricksError | HarnessError]()
    for path in paths:
        try:
            results[path] = function(path)
        except (DlbricksError, HarnessError) as error:
            errors[str(path)] = error
    if errors and not results:
        raise next(iter(errors.values()))
    return results, {path: str(error) for path, error in errors.items()}


def read_apart(function: Callable[[_Item], _Result], item: _Item, what: str) -> _Result:
    """Call a function on a compressed file in a worker process, since a small file may unpack to a large one.

    Raises ``InputError`` if the function crashed the worker, or exceeded the limit on memory or time.
    """
    with Workers(1, memory_bytes=limits.UNPACKED_BYTES) as workers:
        (result,) = workers.each(function, [item])
    if isinstance(result, Crashed):
        most = f"{format_bytes(limits.UNPACKED_BYTES)} of memory or {limits.READ_SECONDS} s"
        raise InputError(f"{what} is refused: reading it crashed, or took more than {most}")
    return result


def send_message(content: Any) -> None:
    """Send a message from a worker to ``on_message`` of ``Workers.each``."""
    for receiver in _receivers:
        receiver(content)


@contextlib.contextmanager
def _receiving(receiver: Callable[[Any], None]) -> Iterator[None]:
    before, _receivers[:] = [*_receivers], [receiver]
    try:
        yield
    finally:
        _receivers[:] = before


# Thresholds of garbage collection, rarer than Python's: most objects of a network live until the result is sent.
_COLLECTIONS = (50_000, 20, 20)


def _serve(pipe: Connection, memory: int, remedy: str, parent: int, scratch: str) -> None:
    # Processes requests in a worker, which ignores SIGINT and ends when the parent ends.
    _serving.append(parent)
    tempfile.tempdir = scratch  # the parent removes it if this process is killed
    _receivers[:] = [lambda content: pipe.send(("message", content))]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpgid(0, 0)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    most = memory + bounds.allocated_bytes()
    with contextlib.suppress(ValueError, OSError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.set_threshold(*_COLLECTIONS)
    bounds.enforce_limits(lambda seconds: pipe.send(("allowed", seconds)))
    while True:
        function, item = pipe.recv()
        bounds.allow(limits.READ_SECONDS)
        try:
            answer = ("returned", function(item))
        except MemoryError:
            reason = f"needs more than the {format_bytes(memory)} of memory {remedy} a smaller --batch or --dim"
            answer = ("died", reason)
        except RecursionError:
            answer = ("died", "is nested too deeply")
        except Exception as error:  # noqa: BLE001 - it is raised again in the parent
            if not isinstance(error, DlbricksError | HarnessError):  # pickling loses the traceback
                error.add_note("".join(traceback.format_exception(error)))
            answer = ("raised", error)
        try:
            pipe.send(answer)
        except (AttributeError, TypeError, ValueError):  # it cannot be pickled
            pipe.send(("raised", RuntimeError(str(answer[1]))))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(0, signal.SIGKILL)
