"""Runs a generation loop in a separate process, alternating with measurements of benchmarks."""

import time
from collections.abc import Callable
from typing import TypeVar

from dlbricks.errors import BenchmarkError
from dlbricks.harness.session import SessionSettings, backend
from dlbricks.model.bounds import allow
from dlbricks.model.lowering.runtime import RUNTIME_FAILURES, plain_message
from dlbricks.plugins.llm.decoder_loop import Loop, TimedAnswer
from dlbricks.process_pool import UNLIMITED_BYTES, Crashed, Workers

PLAIN = "plain loop"
# Least number of generations; if a budget ends before, one is enough.
LEAST_ANSWERS = 3
# Number of generations per load after which their times are as precise as those of benchmarks. Without a time limit the
# loop gets most of the time until then.
USUAL_ANSWERS = 4
# Most generations as a multiple, if too few prompts were undisturbed.
_PATIENCE = 3
# Time of the loop / time of benchmarks until then.
_MOST = 4
# If the loop has taken this long, the least number of generations suffices, and benchmarks get half of the time.
_LONG_NS = 60_000_000_000
# Limit on the processor time of loading, and of each generation.
_MOST_SECONDS = 1_000_000

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class InterleavedLoop:
    """Alternates a generation loop with measurements of benchmarks. Both get about half of the time."""

    def __init__(
        self,
        load: Callable[[], Loop],
        prompt: int,
        generate: int,
        touched_bytes: int,
        *,
        usual: int = USUAL_ANSWERS,
        budget_ns: int | None = None,
        pause_s: float = 0.0,
    ) -> None:
        """Load the loop; raises ``BenchmarkError`` if it cannot run.

        Args:
            usual: usual number of generations per load; up to it, the loop gets four times as much time as benchmarks.
            budget_ns: limit on the time of benchmarks and loop together; None for no limit. The loop gets at most half
                of it, but generates at least once.
            pause_s: pause before and after each generation, in which threads of the other process stop spinning
                (``harness.session.SPINNING_S``).
        """
        self._load, self._lengths, self._touched, self._usual = load, (prompt, generate), touched_bytes, usual
        self._pause_s = pause_s
        self._expected_ns = 0
        # Time at which benchmarks began.
        self._begin_ns: int | None = None
        # Total time of generations.
        self.spent_ns = 0
        # Total time of loading the loop again.
        self.loading_ns = 0
        self._end_ns = None if budget_ns is None else time.perf_counter_ns() + budget_ns
        self._loads = 0
        self.answers: list[TimedAnswer] = []
        self._warm()

    def again(self) -> None:
        """Load the loop again, since all steps are up to 50 % slower after some loads."""
        begin_ns = time.perf_counter_ns()
        del self._loop  # frees its memory before the next load
        self._warm()
        self.loading_ns += time.perf_counter_ns() - begin_ns

    def _warm(self) -> None:
        # Load the loop and call it once.
        prompt, generate = self._lengths
        try:
            self._loop, self._loads = self._load(), self._loads + 1
            first_ns, *step_ns = self._loop.answer(prompt, min(2, generate)).calls_ns
        except (RuntimeError, *RUNTIME_FAILURES) as error:
            raise BenchmarkError(f"cannot run the decoder ({PLAIN}): {plain_message(str(error))}") from error
        self._expected_ns = first_ns + (generate - 1) * sum(step_ns)

    def between(self) -> int:
        """Generate an answer if it is the loop's turn; return the bytes of memory that the loop touched."""
        now_ns = time.perf_counter_ns()
        self._begin_ns = now_ns if self._begin_ns is None else self._begin_ns
        benchmarks_ns = now_ns - self._begin_ns - self.spent_ns - self.loading_ns
        ahead_ns = 0 if self._end_ns is None else self._expected_ns
        if self.spent_ns + ahead_ns > (_MOST if self._lacks() else 1) * benchmarks_ns:
            return 0
        self._next()
        time.sleep(self._pause_s)
        return self._touched

    def finish(self) -> None:
        """Generate answers until there are ``usual``; if this takes long, until there are ``LEAST_ANSWERS``.

        If the budget does not suffice, a single answer is enough.
        """
        while len(self.answers) < LEAST_ANSWERS or self._lacks():
            late = self._end_ns is not None and time.perf_counter_ns() + self._expected_ns > self._end_ns
            if late and self.answers:
                break
            self._next()

    def _lacks(self) -> bool:
        # Return whether the loop should have more generations, and these do not take too long.
        usual = self._loads * self._usual
        calm = sum(not answer.waited[0] for answer in self.answers)
        wanted = usual if calm >= min(LEAST_ANSWERS, usual) else _PATIENCE * usual
        return len(self.answers) < wanted and self.spent_ns < _LONG_NS

    def _next(self) -> None:
        time.sleep(self._pause_s)
        begin_ns = time.perf_counter_ns()
        self._loop.answer(1, 1)  # warm up: the first call after other work is 0.1 ms slower
        self.answers.append(self._loop.answer(*self._lengths))
        self._expected_ns = time.perf_counter_ns() - begin_ns
        self.spent_ns += self._expected_ns


class LoopProcess:
    """A loop in a new process.

    In a process that has read and split networks, steps took up to 5 % longer (``docs/decisions.md``). A crash of
    the loop's runtime does not end the benchmarks.
    """

    def __init__(self, make: Callable[[], Loop], settings: SessionSettings) -> None:
        """Start the process and load the loop.

        Args:
            make: loads the loop; it is pickled for the process.

        Raises:
            BenchmarkError: the process ended.
            Exception: an error of ``make``; a RuntimeError replaces an error that cannot be pickled.
        """
        self._workers = Workers(1, fresh=True, memory_bytes=UNLIMITED_BYTES)
        try:
            self._asked(_load, (make, settings))
        except BaseException:  # an interruption, too: the caller has no object to close yet; it is raised again
            self.close()
            raise

    def answer(self, prompt: int, generate: int) -> TimedAnswer:
        """Process a prompt and generate tokens; raises the errors of ``__init__``."""
        return self._asked(_answer, (prompt, generate))

    def close(self) -> None:
        """End the process and free its memory."""
        self._workers.__exit__()

    def _asked(self, function: Callable[[_Item], _Result], item: _Item) -> _Result:
        (result,) = self._workers.each(function, [item])
        if isinstance(result, Crashed):
            raise BenchmarkError(f"cannot run the decoder ({PLAIN}): it {result.reason}")
        return result


# The loop of this process.
_loaded: list[Loop] = []


def _load(request: tuple[Callable[[], Loop], SessionSettings]) -> None:
    make, settings = request
    allow(_MOST_SECONDS)
    backend(settings).prepare(settings)
    _loaded[:] = [make()]


def _answer(lengths: tuple[int, int]) -> TimedAnswer:
    allow(_MOST_SECONDS)
    return _loaded[0].answer(*lengths)
