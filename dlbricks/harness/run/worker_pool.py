"""Worker processes: starts them, sends requests, waits for replies, and finds out why one died."""

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
# Folder from which the package is imported: a suite, or where dlbricks is installed.
_ROOT = Path(__file__).resolve().parents[_PACKAGE.count(".") + 1]
# Reason of the death of a worker that had no request.
IDLE = "worker ended while it had nothing to do"
# Starting imports the runtime and, on a device, its libraries.
_START_TIMEOUT_NS = 120_000_000_000


def module_process(
    module: str, *arguments: str, python: str | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Return the arguments with which ``subprocess`` starts a module in another process.

    It is one of this process, or with ``folder`` of the harness in a folder, maybe for another interpreter.
    """
    path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    return {
        "args": [python or sys.executable, "-m", module, *arguments],
        "cwd": folder or _ROOT,
        "env": None if folder else {**os.environ, "PYTHONPATH": path},
    }


class WorkerDiedError(Exception):
    """A worker ended, or was ended because it did not answer; the message says why."""


def raise_error_of(reply: Mapping[str, Any]) -> None:
    """Raise the error that a worker replied with, if there is one."""
    if "error" in reply:
        raise HarnessError(reply["error"], reply.get("exit_code", BAD_INPUT))


class Worker:
    """One child process."""

    def __init__(
        self, replies: "queue.Queue[tuple[Worker, str | None]]", python: str | None = None, folder: Path | None = None
    ) -> None:
        """Start the process and a thread that puts its lines into ``replies``; None stands for its end."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the worker)
        self._process = subprocess.Popen(
            **module_process("harness.run.worker" if folder else f"{_PACKAGE}.worker", python=python, folder=folder),
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
        """Send one request; after a broken pipe the replies end."""
        assert self._process.stdin is not None  # noqa: S101  (opened as a pipe above)
        self.limit_ns = limit_ns
        self.deadline_ns = time.monotonic_ns() + limit_ns
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def end(self) -> None:
        """Kill the process, wait for it, and close its pipes."""
        self.alive = False
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._log.close()

    def exit_reason(self) -> str:
        """Return the reason why the process ended by itself."""
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
            return f"worker was killed (signal {-code}, {names.get(-code, 'unknown')}{hint})"
        return f"worker ended with exit code {code}" + (f": {last[:300]}" if last else "")


class WorkerPool:
    """All workers of a run."""

    def __init__(self, first_request: Mapping[str, Any], python: str | None = None, folder: Path | None = None) -> None:
        """Store the request that every new worker gets first, and how workers are started (``module_process``)."""
        self._first_request = dict(first_request)
        self._python, self._folder = python, folder
        self._replies: queue.Queue[tuple[Worker, str | None]] = queue.Queue()
        self._workers: list[Worker] = []

    def add_to_first_request(self, **more: Any) -> None:
        """Add fields to the request that every new worker gets first."""
        self._first_request |= more

    def start(self) -> Worker:
        """Start a worker and send the first request; the reply is received like any other."""
        try:
            worker = Worker(self._replies, self._python, self._folder)
        except OSError as error:
            raise HarnessError(f"cannot start a worker process: {error.strerror or error}") from error
        self._workers.append(worker)
        worker.send(self._first_request, _START_TIMEOUT_NS)
        return worker

    def start_and_wait(self) -> Worker:
        """Start a worker while no other is busy, and wait until it is ready; raises HarnessError if it cannot start."""
        worker = self.start()
        self.wait_until_ready()
        return worker

    def wait_until_ready(self) -> None:
        """Wait for the first reply of the only worker; raises HarnessError if it cannot start."""
        _, reply = self.next_reply()
        if isinstance(reply, WorkerDiedError):
            raise HarnessError(f"a worker process could not start: {reply}")
        raise_error_of(reply)

    def next_reply(self) -> tuple[Worker, dict[str, Any] | WorkerDiedError]:
        """Wait until a worker with a request replies, dies or exceeds its time limit."""
        while True:
            busy = [worker for worker in self._workers if worker.deadline_ns is not None]
            if not busy:
                raise HarnessError("no worker was busy, yet an answer is awaited")
            first = min(busy, key=lambda worker: worker.deadline_ns or 0)
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
        """Send a request while no other worker is busy, and wait for its reply; raises WorkerDiedError if it ended."""
        self.reap()
        if not worker.alive:
            raise WorkerDiedError(IDLE)
        worker.send(request, limit_ns)
        _, reply = self.next_reply()
        if isinstance(reply, WorkerDiedError):
            raise reply
        return reply

    def reap(self) -> None:
        """Remove workers that ended while they were idle."""
        with contextlib.suppress(queue.Empty):
            while True:
                worker, line = self._replies.get_nowait()
                if line is None and worker in self._workers:
                    self.stop(worker)

    def stop(self, worker: Worker) -> None:
        """End a worker."""
        worker.end()
        self._workers.remove(worker)

    def close(self) -> None:
        """End all workers."""
        for worker in list(self._workers):
            self.stop(worker)
