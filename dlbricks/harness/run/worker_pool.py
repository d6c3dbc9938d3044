"""Starts worker processes, sends requests, and returns replies or the reason why a worker died."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import BAD_INPUT, HarnessError

_PACKAGE = __package__ or "harness"
# Folder from which the harness is imported: a suite, or the folder in which dlbricks is installed.
_ROOT = Path(__file__).resolve().parents[_PACKAGE.count(".") + 1]
# Reason for the death of a worker without a request.
IDLE = "worker ended while it was idle"
# Limit for starting a worker, which imports the runtime and, on a device, its libraries.
START_TIMEOUT_NS = 120_000_000_000


def module_process(
    module: str, *arguments: str, python: str | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Return the arguments with which ``subprocess`` starts a module of the harness.

    ``folder`` holds another harness than this one; ``python`` is another interpreter.
    """
    path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    return {
        "args": [python or sys.executable, "-m", module, *arguments],
        "cwd": folder or _ROOT,
        "env": None if folder else {**os.environ, "PYTHONPATH": path},
    }


class WorkerDiedError(Exception):
    """A worker died, or was killed because it did not reply; the message has the reason."""


def raise_error_of(reply: Mapping[str, Any]) -> None:
    """Raise the error that a worker's reply holds, if any."""
    if "error" in reply:
        raise HarnessError(reply["error"], reply.get("exit_code", BAD_INPUT))


class Worker:
    """A child process that processes one request after another."""

    def __init__(self, python: str | None = None, folder: Path | None = None) -> None:
        """Start the process with the arguments of ``module_process``."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the worker)
        self._process = subprocess.Popen(
            **module_process("harness.run.worker" if folder else f"{_PACKAGE}.worker", python=python, folder=folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )
        self._replies: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101  (opened as a pipe above)
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._replies.put(line)
        self._replies.put(None)

    def ask(self, request: Mapping[str, Any], limit_ns: int) -> dict[str, Any]:
        """Send a request and return the reply; raises ``WorkerDiedError`` if the process dies or is late."""
        assert self._process.stdin is not None  # noqa: S101  (opened as a pipe above)
        if not self.alive or not self._replies.empty():
            self.end()
            raise WorkerDiedError(IDLE)
        with contextlib.suppress(OSError):  # if the pipe is broken, the replies end, which is reported below
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        try:
            line = self._replies.get(timeout=limit_ns / 1e9)
            reason = "" if line else self._exit_reason()
        except queue.Empty:
            line, reason = None, f"no answer within {limit_ns / 1e9:g} s"
        if line is None:
            self.end()
            raise WorkerDiedError(reason)
        reply: dict[str, Any] = json.loads(line)
        return reply

    def end(self) -> None:
        """Kill the process, wait for it, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._log.close()

    def _exit_reason(self) -> str:
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return "worker closed its pipe but did not exit"
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if code < 0:
            names = {entry.value: entry.name for entry in signal.Signals}
            hint = ", possibly for lack of memory" if code == -9 else ""
            return f"worker was killed (signal {-code}, {names.get(-code, 'unknown')}{hint})"
        return f"worker exited with code {code}" + (f": {last[:300]}" if last else "")


class WorkerPool:
    """Starts workers and sends them requests."""

    def __init__(self, first_request: Mapping[str, Any], python: str | None = None, folder: Path | None = None) -> None:
        """Store ``first_request``, which each new worker gets, and the arguments of ``module_process``."""
        self._first_request = dict(first_request)
        self._python, self._folder = python, folder
        self._workers: list[Worker] = []
        self.spare: Worker | None = None
        """Worker for the next ``start``, if it is alive."""

    def add_to_first_request(self, **more: Any) -> None:
        """Add fields to ``first_request``."""
        self._first_request |= more

    def start(self) -> Worker:
        """Start a worker and wait until it is ready; raises ``HarnessError`` if that fails."""
        spare, self.spare = self.spare, None
        if spare is not None and spare.alive:
            return spare
        try:
            worker = Worker(self._python, self._folder)
            self._workers.append(worker)
            reply = self.ask(worker, self._first_request, START_TIMEOUT_NS)
        except OSError as error:
            raise HarnessError(f"cannot start a worker process: {error.strerror or error}") from error
        except WorkerDiedError as died:
            raise HarnessError(f"a worker process could not start: {died}") from died
        raise_error_of(reply)
        return worker

    def answer(
        self, worker: Worker | None, request: Mapping[str, Any], limit_ns: int
    ) -> tuple[Worker | None, dict[str, Any]]:
        """Ask a worker, or a new one if it has died; return it, and its reply or the reason why there is none."""
        try:
            worker = worker if worker is not None and worker.alive else self.start()
            return worker, self.ask(worker, request, limit_ns)
        except (WorkerDiedError, HarnessError) as died:
            return worker, {"error": str(died)}

    def ask(self, worker: Worker, request: Mapping[str, Any], limit_ns: int) -> dict[str, Any]:
        """Send a request to a worker and return its reply; raises ``WorkerDiedError`` if the worker died."""
        return worker.ask(request, limit_ns)

    def close(self) -> None:
        """Kill all workers."""
        for worker in self._workers:
            worker.end()
