"""When the call of an empty graph is timed just before that of a benchmark, so that both find the same machine.

What a call costs beside its layers depends on what surrounds it: among hundreds of sessions an empty graph that was not
called for long takes 1 to 2 us longer than in a process of its own. It is taken off every layer, so what is wrong with
it counts as often as a network has layers: it has to be known from hundreds of calls, made when the layers' were.
"""

from .reuse import Reuse
from .stage import EMPTIES

SPACING = 500
"""Time from one to the next at least, as a part of the time of the run: the longer a run, the further apart."""


class Empties:
    """Chooses which one; each worker has its own."""

    def __init__(self, reuse: Reuse, far_bytes: int) -> None:
        """Begin without workers.

        Args:
            reuse: what was touched since.
            far_bytes: different memory touched since its last call, before an empty graph is far enough back.
        """
        self._reuse, self._far_bytes = reuse, far_bytes
        self._turns: dict[int, int] = {}
        self._last_ns = 0

    def begin(self, worker: int) -> None:
        """Take note of a worker that is about to start: it calls its empty graphs before it loads anything."""
        self._turns[worker] = 0
        for number in range(EMPTIES):
            self._reuse.touch(_key(worker, number), 0)

    def choose(self, worker: int, clear_bytes: int, now_ns: int) -> int | None:
        """Give the number of the empty graph to be called beside the next far call; None if it is not time for one.

        Args:
            worker: one that has begun.
            clear_bytes: other memory that will be read before that call.
            now_ns: time of the run.
        """
        number = self._turns[worker] % EMPTIES
        key = _key(worker, number)
        far = self._reuse.since(key, self._far_bytes) + clear_bytes >= self._far_bytes
        if not far or now_ns - self._last_ns < now_ns / SPACING:
            return None
        self._turns[worker] += 1
        self._last_ns = now_ns
        self._reuse.touch(key, 0)
        return number


def _key(worker: int, number: int) -> str:
    return f"empty {worker} {number}"
