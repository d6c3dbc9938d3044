"""Runs a decoder's loop in a process of its own, as a program has it.

A process that has read and split networks gets its memory in smaller contiguous parts than a new one; steps of a loop
in it took up to 5 % longer (``docs/decoders-tried.md``). And what fails in a runtime does not end the others.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self

from dlbricks.harness.session import SessionSettings, prepare_runtime
from dlbricks.plugins.llm.decoder_loop import Loop, TimedAnswer

_END_S = 5.0
"""Time that a process is given to end before it is killed."""


class LoopProcess:
    """A loop in a new process, which ends with the context."""

    def __init__(self, make: Callable[[], Loop], settings: SessionSettings) -> None:
        """Start the process and load the loop.

        Args:
            make: loads it; can be sent to another process.
            settings: of sessions, for which the runtime is prepared.

        Raises:
            RuntimeError: the process ended.
            Exception: whatever ``make`` raises; a RuntimeError in place of what cannot be sent.
        """
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make, settings), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))  # which the process inherits
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        try:
            self._received()
        except BaseException:  # an interruption, too: the caller has no object to close yet; it is raised again
            self.close()
            raise

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate tokens; raises as ``__init__`` does."""
        self._ours.send((prompt, generate))
        made = self._received()
        if made is None:
            raise RuntimeError("its process answered nothing")
        return made

    def close(self) -> None:
        """End the process and free its memory."""
        self._ours.close()
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    def _received(self) -> TimedAnswer | None:
        """Return what the process sends, or raise it."""
        try:
            made: TimedAnswer | Exception | None = self._ours.recv()
        except (EOFError, ConnectionError):
            self._process.join(_END_S)
            raise RuntimeError(f"its process ended with exit code {self._process.exitcode}") from None
        if isinstance(made, Exception):
            raise made
        return made


def _serve(connection: Connection, make: Callable[[], Loop], settings: SessionSettings) -> None:
    """Load a loop and answer until the connection is closed."""
    with contextlib.suppress(EOFError, ConnectionError):
        try:
            prepare_runtime(settings)
            loop = make()
            connection.send(None)
            while True:
                connection.send(loop.answer(*connection.recv()))
        except (EOFError, ConnectionError):
            raise
        except Exception as error:  # noqa: BLE001 - it is raised in the process that asked
            _send_error(connection, error)


def _send_error(connection: Connection, error: Exception) -> None:
    try:
        connection.send(error)
    except (TypeError, AttributeError, ValueError):  # it cannot be sent
        connection.send(RuntimeError(str(error)))
