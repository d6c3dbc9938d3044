"""Worker processes: starts them, sends requests, waits for answers, and finds out why one died."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import BAD_INPUT, HarnessError

_PACKAGE = __package__ or "harness"
_ROOT = Path(__file__).resolve().parents[_PACKAGE.count(".") + 1]
"""Folder from which the package is imported: a suite, or where dlbricks is installed."""
IDLE = "worker ended while it had nothing to do"
"""Why a worker died that was asked nothing."""
_START_TIMEOUT_NS = 120_000_000_000


def _environment() -> dict[str, str]:
    """Let a worker find modules where this process finds them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)}


class WorkerDiedError(Exception):
    """A worker ended, or was ended because it did not answer; the message says why."""


def refuse(reply: Mapping[str, Any]) -> None:
    """Raise what a worker answers to its first request, if that is an error."""
    if "error" in reply:
        raise HarnessError(reply["error"], reply.get("exit_code", BAD_INPUT))


class Worker:
    """One child process."""

    def __init__(self, replies: "queue.Queue[tuple[Worker, str | None]]") -> None:
        """Start the process and a thread that waits for its answers."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the worker)
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{_PACKAGE}.worker"],
            cwd=_ROOT,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.deadline_ns: int | None = None
        self.limit_ns = 0
        self.alive = True
        threading.Thread(target=self._listen, args=(replies,), daemon=True).start()

    @property
    def pid(self) -> int:
        """Process number."""
        return self._process.pid

    def _listen(self, replies: "queue.Queue[tuple[Worker, str | None]]") -> None:
        assert self._process.stdout is not None  # noqa: S101  (opened as a pipe above)
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                replies.put((self, line.decode("utf-8", "replace")))
        replies.put((self, None))

    def send(self, request: Mapping[str, Any], limit_ns: int) -> None:
        """Send one request; a broken pipe shows as the end of the answers."""
        assert self._process.stdin is not None  # noqa: S101  (opened as a pipe above)
        self.limit_ns = limit_ns
        self.deadline_ns = time.monotonic_ns() + limit_ns
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def end(self) -> None:
        """Kill the process, wait for it, and give up its pipes."""
        self.alive = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._log.close()

    def exit_reason(self) -> str:
        """Say why the process ended by itself."""
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return "worker closed its pipe without ending"
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if code < 0:
            names = {entry.value: entry.name for entry in signal.Signals}
            hint = ", perhaps for lack of memory" if code == -9 else ""
            return f"killed by signal {-code} ({names.get(-code, 'unknown')}{hint})"
        return f"worker ended with exit code {code}" + (f": {last[:300]}" if last else "")


class WorkerPool:
    """All workers of a run."""

    def __init__(self, start: Mapping[str, Any]) -> None:
        """Keep the request that every new worker gets first."""
        self._start = dict(start)
        self._replies: queue.Queue[tuple[Worker, str | None]] = queue.Queue()
        self._workers: list[Worker] = []

    def tell(self, **more: Any) -> None:
        """Add to the request that every new worker gets first."""
        self._start |= more

    def start(self) -> Worker:
        """Start a worker; its answer to the first request is to be awaited like any other."""
        try:
            worker = Worker(self._replies)
        except OSError as error:
            raise HarnessError(f"cannot start a worker process: {error.strerror or error}") from error
        self._workers.append(worker)
        worker.send(self._start, _START_TIMEOUT_NS)
        return worker

    def ready(self) -> Worker:
        """Start a worker while nobody else is busy, and wait until it can be asked.

        Raises:
            HarnessError: it cannot start.
        """
        worker = self.start()
        _, reply = self.next_reply()
        if isinstance(reply, WorkerDiedError):
            raise HarnessError(f"a worker process could not start: {reply}")
        refuse(reply)
        return worker

    def next_reply(self) -> tuple[Worker, dict[str, Any] | WorkerDiedError]:
        """Wait until a worker that was asked something answers, dies or runs out of time.

        Raises:
            HarnessError: nobody was asked anything.
        """
        while True:
            asked = [worker for worker in self._workers if worker.deadline_ns is not None]
            if not asked:
                raise HarnessError("no worker was asked, yet an answer is awaited")
            first = min(asked, key=lambda worker: worker.deadline_ns or 0)
            wait_ns = (first.deadline_ns or 0) - time.monotonic_ns()
            try:
                worker, line = self._replies.get(timeout=max(0.0, wait_ns / 1e9))
            except queue.Empty:
                self.stop(first)
                return first, WorkerDiedError(f"no answer within {first.limit_ns / 1e9:g} s")
            if worker not in self._workers:
                continue
            expected, worker.deadline_ns = worker.deadline_ns, None
            if line is not None:
                return worker, json.loads(line)
            died = WorkerDiedError(worker.exit_reason())
            self.stop(worker)
            if expected is not None:
                return worker, died

    def ask(self, worker: Worker, request: Mapping[str, Any], limit_ns: int) -> dict[str, Any]:
        """Ask one worker while nobody else is busy, and wait for its answer.

        Raises:
            WorkerDiedError: it ended, or did not answer in time.
        """
        self.reap()
        if not worker.alive:
            raise WorkerDiedError(IDLE)
        worker.send(request, limit_ns)
        _, reply = self.next_reply()
        if isinstance(reply, WorkerDiedError):
            raise reply
        return reply

    def reap(self) -> None:
        """Detect workers that ended while they were idle."""
        with contextlib.suppress(queue.Empty):
            while True:
                worker, line = self._replies.get_nowait()
                if line is None and worker in self._workers:
                    self.stop(worker)

    def stop(self, worker: Worker) -> None:
        """End a worker."""
        worker.end()
        self._workers.remove(worker)

    def stop_all(self) -> None:
        """End all workers."""
        for worker in list(self._workers):
            self.stop(worker)
