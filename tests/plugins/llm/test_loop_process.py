"""Loops in processes of their own."""

import os
from contextlib import closing
from functools import partial

import pytest

from dlbricks.errors import BenchmarkError, UnsupportedModelError
from dlbricks.harness.session import SessionSettings
from dlbricks.plugins.llm.decoder_loop import TimedAnswer
from dlbricks.plugins.llm.loops import LoopProcess

SETTINGS = SessionSettings()


class UnsendableError(Exception):
    """Cannot be sent to another process."""

    def __reduce__(self) -> str:
        """Refuse."""
        raise TypeError("not this one")


class Told:
    """A loop that tells where it runs."""

    def __init__(self, *, fails: Exception | None = None, dies: bool = False) -> None:
        """Fail, or say how to answer."""
        if fails is not None:
            raise fails
        self.dies = dies

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Answer with the number of the process, or end it."""
        if self.dies:
            os._exit(7)
        return TimedAnswer(calls_ns=(prompt, generate), between_ns=os.getpid(), waited=(False, False))


def unsendable() -> Told:
    """Fail with what cannot be sent."""
    raise UnsendableError("the runtime says no")


def test_a_loop_answers_in_a_process_of_its_own() -> None:
    """Again and again, and the process is gone afterwards."""
    with closing(LoopProcess(Told, SETTINGS)) as loop:
        first, second = loop.answer(3, 4), loop.answer(5, 6)
    assert (first.calls_ns, second.calls_ns) == ((3, 4), (5, 6))
    assert first.between_ns == second.between_ns != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(first.between_ns, 0)


def test_what_fails_there_is_raised_here() -> None:
    """As it is, or as a RuntimeError with its text."""
    with pytest.raises(UnsupportedModelError, match="no cache"):
        LoopProcess(partial(Told, fails=UnsupportedModelError("no cache")), SETTINGS)
    with pytest.raises(RuntimeError, match="the runtime says no"):
        LoopProcess(unsendable, SETTINGS)


def test_a_process_that_ends_is_told() -> None:
    """With its exit code."""
    with (
        closing(LoopProcess(partial(Told, dies=True), SETTINGS)) as loop,
        pytest.raises(BenchmarkError, match=r"^cannot run the decoder \(plain loop\): it crashed .* \(exit code 7\)$"),
    ):
        loop.answer(1, 1)
