"""Cache states: what a timed call finds in the caches, how much other memory has to be read before it, and since when.

A layer of a network runs once per inference, after all other layers have been through the caches. A benchmark is
therefore not called in a hot loop: each sample is one call, after other memory was read and some of its own was read
again. ``call_timer`` brings the caches into these states; this module computes which and how, and touches nothing.
"""

import bisect
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

REPEATED = "repeated"
"""Calls back to back, the first of which finds the caches as something else left them."""
NEAR = "near"
"""Warm: other memory as large as several L2 was read, then inputs and outputs; all lies in the last level of cache."""
CONSTANTS = "constants"
"""Cold constants: other memory larger than the last level was read, then outputs and inputs, but for those that a
network keeps from call to call in the buffers of outputs: they are as cold as constants."""
STATE_WORDS = {
    REPEATED: "called back to back",
    NEAR: "all of it in the last level of cache",
    CONSTANTS: "constants in memory",
}
"""What each state means, for people."""

CURVE_DISTANCES = tuple(round(size * 2**20) for size in (0.5, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128))
"""Bytes of other memory read between two calls of the benchmark of role ``curve``; see ``curve_distances``."""
CURVE_WAITS_NS = (2_000_000, 4_000_000, 8_000_000, 16_000_000)
"""Time without any access between two calls of that benchmark: other processes use the last level, too."""

EMPTY_ROLES = frozenset({"overhead", "nodes"})
"""Roles of networks that compute nothing: measured in all states, calls back to back included."""
_COLD_ROLES = frozenset({"sequence", "curve"}) | EMPTY_ROLES
NEAR_CACHES = 4
"""How many times the second level of cache is read before a call in state ``near``."""
_FAR_CACHES = 4
"""How many times the last level is read before a cold call; at twice its size a third was still found there."""
_LEAST_FAR_BYTES, _MOST_FAR_BYTES = 64 << 20, 256 << 20
"""A guest has a part of the last level that the processor reports: beyond 128 MiB calls did not get slower any more."""
_USUAL_L2_BYTES = 1 << 20

EMPTY_GRAPHS = 8
"""Empty graphs of each worker: called in turn, each has soon been untouched for as long as a benchmark."""
OVERHEAD_SPACING = 500
"""Least time between two timed calls of empty graphs, as a part of the time of the run."""
LONG_CALL_NS = 1_000_000
"""In calls as long as this, fetching code does not show; the code is not warmed up before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheDistances:
    """How much other memory is read before a call, on one machine."""

    near_bytes: int
    """Before a warm call."""
    far_bytes: int
    """Since the last call, before a cold call; at least."""
    threads_bytes: int
    """Before every call, by all threads together, where sessions share them; else 0."""
    cold: bool
    """Whether cache states are distinguished; on an accelerator every call is ``repeated``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A call to be timed, or several back to back: in which state, after how much."""

    state: str
    calls: int = 1
    """More than one only when ``repeated``."""
    clear_bytes: int = 0
    """Other memory to be read before."""
    distance_bytes: int = 0
    """Other memory touched since the last call, ``clear_bytes`` included."""
    wait_ns: int = 0
    """Time to let pass before."""
    own_call: bool = False
    """Whether the benchmark is called, untimed, before anything else, so that the distance begins there."""
    empty: int | None = None
    """Number of the empty graph (below ``EMPTY_GRAPHS``) that is timed just before the benchmark; None for none."""

    def fields(self) -> dict[str, Any]:
        """Give its fields by name."""
        return asdict(self)


def cache_sizes(caches: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Give the size of the data cache of each level, bytes."""
    return {
        int(cache["level"]): int(cache["size_bytes"])
        for cache in caches
        if cache["type"] != "instruction" and cache["level"] is not None
    }


def cache_distances(caches: Sequence[Mapping[str, Any]], *, cold: bool, sharing: int = 1) -> CacheDistances:
    """Choose distances for a machine.

    Args:
        caches: ``level``, ``type`` and ``size_bytes`` of each, as in ``machine.cpu.cpu_facts``.
        cold: whether benchmarks run on the processor, whose caches these are.
        sharing: threads that all sessions share; 1 where they share none.
    """
    sizes = cache_sizes(caches)
    near_bytes = NEAR_CACHES * sizes.get(2, _USUAL_L2_BYTES)
    far_bytes = _FAR_CACHES * sizes[max(sizes)] if sizes else 0
    return CacheDistances(
        near_bytes=near_bytes,
        far_bytes=min(max(_LEAST_FAR_BYTES, far_bytes), _MOST_FAR_BYTES),
        threads_bytes=sharing * near_bytes if sharing > 1 else 0,
        cold=cold,
    )


def curve_distances(far_bytes: int) -> tuple[int, ...]:
    """Give the distances of the benchmark of role ``curve``, ascending; that of cold calls is among the last."""
    return CURVE_DISTANCES + ((far_bytes,) if far_bytes > CURVE_DISTANCES[-1] else ())


def is_cold(role: str, distances: CacheDistances) -> bool:
    """Whether benchmarks of a role are measured one call at a time here, near and with constants in memory."""
    return distances.cold and role in _COLD_ROLES


def main_state(role: str, states: Sequence[str]) -> str:
    """Say which state a benchmark's latency is of: ``constants`` if it was measured, else ``repeated``.

    Args:
        role: of the benchmark; the latency of anchors and end-to-end networks is always of repeated calls.
        states: those that were measured.
    """
    return CONSTANTS if role in _COLD_ROLES - EMPTY_ROLES and CONSTANTS in states else REPEATED


class ReuseDistances:
    """Remembers in which order benchmarks were called and how much memory each touches.

    Stack distances of Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970):
    memory touched several times counts once.
    """

    def __init__(self, ring_bytes: int) -> None:
        """Begin with nothing touched.

        Args:
            ring_bytes: size of the memory that is read to clear caches, again and again in the same order.
        """
        self._ring_bytes = ring_bytes
        self._cleared = 0
        self._order: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def touch(self, key: str, nbytes: int) -> None:
        """Take note that a benchmark was called, which touches ``nbytes``."""
        self._order[key] = (nbytes, self._cleared)
        self._order.move_to_end(key)

    def clear(self, nbytes: int) -> None:
        """Take note that so many bytes of the memory for clearing were read."""
        self._cleared += nbytes

    def since(self, key: str, enough: int) -> int:
        """Give the bytes of different memory touched since a benchmark's last call.

        Args:
            key: of the benchmark; 0 for one that was never called.
            enough: counting stops there.
        """
        if key not in self._order:
            return 0
        total = min(self._cleared - self._order[key][1], self._ring_bytes)
        for other, (nbytes, _) in reversed(self._order.items()):
            if other == key or total >= enough:
                break
            total += nbytes
        return total


class CodeWarmUp:
    """Finds a benchmark whose call brings the code of another one's operators into the caches, but not its constants.

    In a network a kernel has run some layers ago, so its code need not come from memory. The other one's constants come
    into the caches by that: who chooses has to take note of the call.
    """

    def __init__(self) -> None:
        """Know of no benchmark."""
        self._operators: dict[str, tuple[str, ...]] = {}
        self._smallest: dict[tuple[str, ...], list[tuple[int, str]]] = {}

    def add(self, benchmark: Mapping[str, Any], call_ns: int) -> None:
        """Take note of a benchmark that a worker has loaded; those of other roles and of long calls do not count."""
        if benchmark["role"] != "sequence" or call_ns >= LONG_CALL_NS:
            return
        operators, fingerprint = tuple(benchmark["operators"]), str(benchmark["fingerprint"])
        self._operators[fingerprint] = operators
        known = self._smallest.setdefault(operators, [])
        bisect.insort(known, (benchmark["weight_bytes"] + benchmark["activation_bytes"], fingerprint))
        del known[2:]  # of two, one is another

    def other(self, fingerprint: str) -> str | None:
        """Give the fingerprint of the smallest other benchmark of the same operators; None if there is no other."""
        known = self._smallest.get(self._operators.get(fingerprint, ()), [])
        return next((name for _, name in known if name != fingerprint), None)

    def rank(self, fingerprint: str) -> int:
        """Give 0 for what is called before all others of its operators, 1 for what is called before that one, else 2.

        Visited in this order, those of a rank find their constants as the reading of memory for the first left them.
        """
        known = [name for _, name in self._smallest.get(self._operators.get(fingerprint, ()), [])]
        return known.index(fingerprint) if fingerprint in known else 2


class CallOverhead:
    """Chooses when a worker times the call of one of its empty graphs, just before a benchmark's.

    The overhead of a call depends on what surrounds it, and is taken off every layer: it has to be known from many
    calls that were made when the layers' were, each untouched for as long as those.
    """

    def __init__(self, reuse: ReuseDistances, far_bytes: int) -> None:
        """Begin without workers.

        Args:
            reuse: what was touched since.
            far_bytes: of other memory to be touched between two calls of an empty graph.
        """
        self._reuse, self._far_bytes = reuse, far_bytes
        self._calls: dict[int, int] = {}
        self._last_ns = 0

    def begin(self, worker: int) -> None:
        """Take note of a worker that is about to start: it calls its empty graphs before it loads anything."""
        self._calls[worker] = 0
        for number in range(EMPTY_GRAPHS):
            self._reuse.touch(f"empty {worker} {number}", 0)

    def choose(self, worker: int, clear_bytes: int, now_ns: int) -> int | None:
        """Give the number of the empty graph to be timed before the next call; None if it is not time for one.

        Args:
            worker: one that has begun.
            clear_bytes: other memory that will be read before that call.
            now_ns: time of the run.
        """
        number = self._calls[worker] % EMPTY_GRAPHS
        key = f"empty {worker} {number}"
        far = self._reuse.since(key, self._far_bytes) + clear_bytes >= self._far_bytes
        if not far or now_ns - self._last_ns < now_ns / OVERHEAD_SPACING:
            return None
        self._calls[worker] += 1
        self._last_ns = now_ns
        self._reuse.touch(key, 0)
        return number
