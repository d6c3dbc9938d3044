"""Doing the same to many things in processes of their own, so that one that crashes, hangs or eats memory costs itself.

A worker is a fork of this process that serves one item after another; it starts in milliseconds, since what it needs is
imported. For runtimes whose threads a fork lacks and would wait for, it is a new interpreter instead. It may use so
much memory, and so much processor time for each item (``model.limits.allow``).
"""

import contextlib
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
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from dlbricks.errors import DlbricksError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine.facts import available_bytes
from dlbricks.model import limits
from dlbricks.units import format_bytes

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_tellers: list[Callable[[Any], None]] = []
_serving: list[int] = []
"""Whom a worker serves: it is set apart itself, and has none of its own."""


@dataclass(frozen=True, slots=True)
class Crashed(Generic[_Given]):
    """Stands for the result of a call whose process died."""

    given: _Given
    """What the function was called with."""
    reason: str = field(default="", compare=False)
    """What became of the process, to be put behind the name of the item."""


class Workers:
    """Up to ``jobs`` processes, started when they are needed."""

    def __init__(self, jobs: int, *, apart: bool = True, fresh: bool = False, memory_bytes: int | None = None) -> None:
        """Prepare workers.

        Args:
            jobs: the most processes.
            apart: False lets one job happen in this process, where a crash is not survived: for devices, which a fork
                cannot use.
            fresh: start new interpreters instead of forks: for a runtime that this process may have used already, and
                whose threads a fork does not have.
            memory_bytes: the most each may allocate; by default what the machine has left.
        """
        self._jobs = jobs
        self._apart = (apart or jobs > 1) and sys.platform == "linux" and not _serving
        self._fresh = fresh
        self._memory = memory_bytes or available_bytes() or sys.maxsize
        self._remedy = "that are free: give" if memory_bytes is None else "of --memory-limit: give more, or"
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def __enter__(self) -> Self:
        """Give the workers."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes, whatever they do."""
        for worker in (*self._idle, *self._busy.values()):
            worker.end()
        self._idle, self._busy = [], {}

    def each(
        self,
        function: Callable[[_Given], _Made],
        items: Sequence[_Given],
        done: Callable[[int], None],
        heard: Callable[[Any], None] = lambda _: None,
    ) -> list[_Made | Crashed[_Given]]:
        """Call ``function`` with every item; the first to come is the first to begin.

        Args:
            function: a function of a module, so that other processes find it.
            items: what it is called with.
            done: called with the number of items done so far, after each.
            heard: called with what the function says by ``tell``.

        Returns:
            The results in the order of the items.

        Raises:
            Exception: what the function raised, for whichever item did so first.
        """
        if not self._apart:
            made: list[_Made | Crashed[_Given]] = []
            with _telling(heard):
                for item in items:
                    made.append(function(item))
                    done(len(made))
            return made
        waiting = deque(range(len(items)))
        results: dict[int, _Made | Crashed[_Given]] = {}
        while len(results) < len(items):
            while waiting and len(self._busy) < self._jobs:
                worker = self._idle.pop() if self._idle else _Worker(self._memory, self._remedy, fresh=self._fresh)
                self._busy[worker.pipe] = worker
                worker.begin(function, items[waiting[0]], waiting.popleft(), heard)
            for worker in self._ended():
                kind, answer = worker.answer
                if kind == "raised":
                    raise answer
                results[worker.item] = answer if kind == "made" else Crashed(items[worker.item], answer)
                done(len(results))
        return [results[index] for index in range(len(items))]

    def _ended(self) -> "list[_Worker]":
        """Wait for workers that have an answer, or none to give, and let them go."""
        until = min(worker.until for worker in self._busy.values())
        ready = wait(list(self._busy), max(0.0, until - time.monotonic()))
        late = [worker for worker in self._busy.values() if worker.until <= time.monotonic() and worker.hangs()]
        ended = [self._busy[pipe] for pipe in ready if isinstance(pipe, Connection) and self._busy[pipe].hear()]
        for worker in late:
            if worker not in ended:
                worker.give_up()
                ended.append(worker)
        for worker in ended:
            del self._busy[worker.pipe]
            if worker.alive:
                self._idle.append(worker)
            else:
                worker.end()
        return ended


class _Worker:
    """One process, seen from the one that asks it."""

    def __init__(self, memory: int, remedy: str, *, fresh: bool) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.item = -1
        self.answer: tuple[str, Any] = ("", None)
        self.until = 0.0
        self.alive = True
        self._allowed = 0.0
        self._used = 0.0
        self._heard: Callable[[Any], None] = lambda _: None
        self._scratch = tempfile.mkdtemp(prefix="dlbricks-")
        process = multiprocessing.context.SpawnProcess if fresh else multiprocessing.context.ForkProcess
        self._process = process(target=_serve, args=(theirs, memory, remedy, os.getpid(), self._scratch), daemon=True)
        with warnings.catch_warnings():
            # of a progress bar's thread, which holds no lock that a worker takes
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()

    def begin(self, function: Callable[[Any], Any], item: Any, index: int, heard: Callable[[Any], None]) -> None:
        """Have a function called with an item."""
        self.item, self._heard = index, heard
        self._allow(limits.READ_SECONDS)
        with contextlib.suppress(BrokenPipeError):  # it died meanwhile: what is heard from it says so
            self.pipe.send((function, item))

    def hear(self) -> bool:
        """Read a message; says whether the item is done."""
        try:
            kind, content = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            self.answer, self.alive = ("died", self._death()), False
            return True
        if kind == "allowed":
            self._allow(content)
            return False
        if kind == "told":
            self._heard(content)
            return False
        self.answer = (kind, content)
        return True

    def hangs(self) -> bool:
        """Tell whether it did not compute since it was asked last; one that does, on a busy machine, is waited for."""
        used = limits.used_seconds(self._process.pid or 0)
        idle, self._used = used - self._used < limits.IDLE_SECONDS, used
        self.until = time.monotonic() + limits.WALL_PER_SECOND * self._allowed
        return idle

    def give_up(self) -> None:
        """End a process that neither computes nor answers."""
        self.end()
        self.answer = ("died", f"neither computed nor answered for {limits.WALL_PER_SECOND * self._allowed:.0f} s")

    def end(self) -> None:
        """End the process and what it started, and remove the temporary files that it left."""
        self.alive = False
        if self._process.exitcode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self.pipe.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _allow(self, seconds: float) -> None:
        self._allowed = seconds
        self.until = time.monotonic() + limits.WALL_PER_SECOND * seconds

    def _death(self) -> str:
        code = self._process.exitcode or 0
        if -code == signal.SIGXCPU:
            return f"took more than {self._allowed:.0f} s of processor time, the most for a network of its size"
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"crashed the process that it was in ({name})"


def each_apart(
    function: Callable[[Path], _Made], paths: Sequence[Path], *, apart: bool = True, memory_bytes: int | None = None
) -> list[_Made]:
    """Call a function with each file, in a process of its own; the arguments are those of ``Workers``.

    Raises:
        UnsupportedModelError: a file crashed it, or took more time or memory than it may.
    """
    made: list[_Made] = []
    with Workers(1, apart=apart, memory_bytes=memory_bytes) as workers:
        for path in paths:
            (one,) = workers.each(function, [path], lambda _: None)
            if isinstance(one, Crashed):
                raise UnsupportedModelError(f"{path} {one.reason}")
            made.append(one)
    return made


def tell(content: Any) -> None:
    """Say something to who called ``each``, from within the function that is called with an item."""
    for teller in _tellers:
        teller(content)


@contextlib.contextmanager
def _telling(teller: Callable[[Any], None]) -> Iterator[None]:
    before, _tellers[:] = [*_tellers], [teller]
    try:
        yield
    finally:
        _tellers[:] = before


def _serve(pipe: Connection, memory: int, remedy: str, parent: int, scratch: str) -> None:
    """Answer requests until the end; leave Ctrl-C to the parent, and end when it is gone, however it went."""
    _serving.append(parent)
    tempfile.tempdir = scratch  # where nothing stays when this process is killed
    _tellers[:] = [lambda content: pipe.send(("told", content))]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpgid(0, 0)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    most = memory + limits.allocated_bytes()
    with contextlib.suppress(ValueError, OSError):  # a lower limit holds already
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limits.enforce_limits(lambda seconds: pipe.send(("allowed", seconds)))
    while True:
        function, item = pipe.recv()
        limits.allow(limits.READ_SECONDS)
        try:
            answer = ("made", function(item))
        except MemoryError:
            answer = (
                "died",
                f"needs more than the {format_bytes(memory)} of memory {remedy} a smaller --batch or --dim",
            )
        except RecursionError:
            answer = ("died", "is nested more deeply than can be read")
        except Exception as error:  # noqa: BLE001 - it is raised again where the item came from
            if not isinstance(error, DlbricksError | HarnessError):  # the way through the pipe loses where it was
                error.add_note("".join(traceback.format_exception(error)))
            answer = ("raised", error)
        pipe.send(answer)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(0, signal.SIGKILL)
