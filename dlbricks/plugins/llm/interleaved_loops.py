"""InterleavedLoops of a decoder's loops with benchmarks: when each generates, and how often."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping

from dlbricks.errors import BenchmarkError
from dlbricks.model.lowering.runtime import RUNTIME_FAILURES, plain_message
from dlbricks.plugins.llm.decoder_loop import Loop, TimedAnswer

LEAST_ANSWERS = 3
"""Minimum number of generations by each loop, unless a budget ends before; then it is one."""
USUAL_ANSWERS = 4
"""Number of generations by each loop, of each load, from which its times are known as well as those of benchmarks;
unless the time is limited, loops get most of it until they have these."""
_PATIENCE = 3
"""How many times as many generations each loop makes at most until enough of its prompts have waited for nothing."""
_MOST = 4
"""Time of loops by time of benchmarks until then."""
_LONG_NS = 60_000_000_000
"""Time of all loops from which on the minimum number of generations is enough, and benchmarks get half of the time."""


class InterleavedLoops:
    """Interleaves generations with visits to benchmarks, each for about half of the time."""

    def __init__(
        self,
        load: Callable[[], Mapping[str, Loop]],
        prompt: int,
        generate: int,
        touched_bytes: int,
        *,
        usual: int = USUAL_ANSWERS,
        budget_ns: int | None = None,
        pause_s: float = 0.0,
    ) -> None:
        """Load the loops; raises BenchmarkError if one cannot run.

        Args:
            load: returns loops by name.
            prompt: tokens of the prompt.
            generate: generated tokens.
            touched_bytes: memory that a generation touches.
            usual: number of generations by each loop, of each load, until which loops get four times the time of
                benchmarks.
            budget_ns: time of benchmarks and loops together; then loops never get more than half of it, and each
                makes one generation at least. None for no limit.
            pause_s: before each generation, and before benchmarks go on: until the threads of another process spin no
                longer (``harness.session.SPINNING_S``).
        """
        self._load, self._asked, self._touched, self._usual = load, (prompt, generate), touched_bytes, usual
        self._pause_s = pause_s
        self._loops: Mapping[str, Loop] = {}
        self._expected: dict[str, int] = {}
        self._begin_ns: int | None = None
        """When benchmarks began."""
        self.spent_ns = 0
        """Time of generations."""
        self.loading_ns = 0
        """Time of loading loops again."""
        self._end_ns = None if budget_ns is None else time.perf_counter_ns() + budget_ns
        self._loads = 0
        self.answers: dict[str, list[TimedAnswer]] = {}
        self._warm()

    def again(self) -> None:
        """Load the loops anew: what memory they get stays, and makes steps of one load up to a half slower."""
        begin_ns = time.perf_counter_ns()
        self._loops = {}  # is free before others are loaded
        self._warm()
        self.loading_ns += time.perf_counter_ns() - begin_ns

    def _warm(self) -> None:
        """Load the loops and call each once."""
        prompt, generate = self._asked
        self._loops, self._loads = self._load(), self._loads + 1
        for name, loop in self._loops.items():
            self.answers.setdefault(name, [])
            with refused(name):
                first_ns, *step_ns = loop.answer(prompt, min(2, generate)).calls_ns
            self._expected[name] = first_ns + (generate - 1) * sum(step_ns)

    def between(self) -> int:
        """Run generations that are due, at most one by each loop; returns the bytes that they touched."""
        if self._begin_ns is None:
            self._begin_ns = time.perf_counter_ns()
        touched = 0
        for _ in self.answers:
            ahead_ns = 0 if self._end_ns is None else self._expected[self._due()]
            if self.spent_ns + ahead_ns <= (_MOST if self._lacks() else 1) * self._benchmarks_ns():
                self._next()
                touched = self._touched
        if touched:
            time.sleep(self._pause_s)
        return touched

    def _benchmarks_ns(self) -> int:
        now_ns = time.perf_counter_ns()
        return now_ns - (now_ns if self._begin_ns is None else self._begin_ns) - self.spent_ns - self.loading_ns

    def finish(self) -> None:
        """Run generations until each loop has the usual number, or the minimum one where these take too long.

        Where the budget has no time for the minimum, each loop has one.
        """
        while self._fewest() < LEAST_ANSWERS or self._lacks():
            late = self._end_ns is not None and time.perf_counter_ns() + self._expected[self._due()] > self._end_ns
            if late and self._fewest():
                break
            self._next()

    def _lacks(self) -> bool:
        """Return whether a loop should have more generations, and they do not take too long."""
        usual = self._loads * self._usual
        wanted = usual if self._calm() >= min(LEAST_ANSWERS, usual) else _PATIENCE * usual
        return self._fewest() < wanted and self.spent_ns < _LONG_NS

    def _calm(self) -> int:
        """Return how many prompts of a loop have not waited: of that with the fewest."""
        return min(sum(not one.waited[0] for one in answer) for answer in self.answers.values())

    def _fewest(self) -> int:
        return min(map(len, self.answers.values()))

    def _due(self) -> str:
        """Return the loop whose turn it is."""
        return min(self.answers, key=lambda one: len(self.answers[one]))

    def _next(self) -> None:
        time.sleep(self._pause_s)
        name, begin_ns = self._due(), time.perf_counter_ns()
        self._loops[name].answer(1, 1)  # the first call after other work is 0.1 ms slower
        self.answers[name].append(self._loops[name].answer(*self._asked))
        self._expected[name] = time.perf_counter_ns() - begin_ns
        self.spent_ns += self._expected[name]


@contextlib.contextmanager
def refused(name: str) -> Iterator[None]:
    """Name the loop whose runtime cannot open or run a decoder; a BenchmarkError in place of the runtime's own."""
    try:
        yield
    except (RuntimeError, *RUNTIME_FAILURES) as error:
        raise BenchmarkError(f"the decoder cannot be run ({name}): {plain_message(str(error))}") from error
