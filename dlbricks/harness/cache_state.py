"""Cache states of timed calls: which there are, and how much other memory has to be read before each call.

A layer of a network runs once per inference, after all other layers have used the caches. A benchmark is therefore not
called in a hot loop: before each timed call other memory is read, then the benchmark's inputs and outputs.
This module plans; ``call_timer`` reads the memory.
"""

import bisect
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Calls back to back: caches are warm from the second call on.
HOT_LOOP = "hot_loop"
# Everything in the last-level cache: a multiple of the L2 size was read, then inputs and outputs.
LLC_WARM = "llc_warm"
# Constants in memory: a multiple of the last-level cache was read, then outputs and inputs, except inputs that share a
# buffer with an output (state such as a key-value cache), which are as cold as constants.
WEIGHTS_COLD = "weights_cold"

# Bytes of other memory read between two calls of the benchmark of role ``curve``; see ``curve_distances``.
CURVE_DISTANCES = tuple(round(size * 2**20) for size in (0.5, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128))
# Idle times between two calls of that benchmark: other processes evict lines of the last level, too.
CURVE_WAITS_NS = (2_000_000, 4_000_000, 8_000_000, 16_000_000)

# Roles of networks that compute nothing; they are measured in all states, ``hot_loop`` included.
EMPTY_ROLES = frozenset({"overhead", "nodes"})
# The others (anchors, whole networks) are called back to back.
_COLD_ROLES = frozenset({"sequence", "curve"}) | EMPTY_ROLES
# Multiple of the L2 size that is read before a call in state ``llc_warm``.
LLC_WARM_CACHES = 4
# Multiple of the last-level cache that is read before a cold call; at twice its size a third was still cached.
_FAR_CACHES = 4
# Limits of that size. A guest may have only a part of the reported cache: beyond 128 MiB calls got no slower.
_LEAST_FAR_BYTES, _MOST_FAR_BYTES = 64 << 20, 256 << 20
# Where the machine does not report its caches.
_USUAL_L2_BYTES = 1 << 20

# Empty graphs of each worker. They are called in turn, so that each is as cold as a benchmark when it is timed.
EMPTY_GRAPHS = 8
# Two timed calls of empty graphs are at least one part in this many of the run's time apart.
OVERHEAD_SPACING = 500
# From this duration on, fetching code from memory does not matter and is not avoided by a warm-up.
LONG_CALL_NS = 1_000_000
# From this duration on, a call outlasts what disturbs it, and what is in the caches hardly matters: it is not repeated
# for being disturbed, and few calls are made.
ENDURING_CALL_NS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheDistances:
    """How much other memory is read before a call, on one machine."""

    llc_warm_bytes: int
    """Read before a call in state ``llc_warm``."""
    far_bytes: int
    """Least number of bytes touched between two calls in state ``weights_cold``."""
    threads_bytes: int
    """Read before every call by all threads of a shared pool together; 0 without a shared pool."""
    cold: bool
    """Whether cache states are distinguished; on an accelerator every call is ``hot_loop``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A timed call, or several back to back, with the preparation of the caches."""

    state: str
    calls: int = 1
    """Above 1 in state ``hot_loop`` only."""
    clear_bytes: int = 0
    """Other memory to read before the call."""
    distance_bytes: int = 0
    """Other memory touched since the benchmark's last call, ``clear_bytes`` included."""
    wait_ns: int = 0
    """Idle time before the call."""
    own_call: bool = False
    """Whether the benchmark is first called untimed, so that ``distance_bytes`` counts from there."""
    empty: int | None = None
    """Number of the empty graph (below ``EMPTY_GRAPHS``) that is timed just before the benchmark; None for none."""


def cache_sizes(caches: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Return the size in bytes of the data cache of each level."""
    return {
        int(cache["level"]): int(cache["size_bytes"])
        for cache in caches
        if cache["type"] != "instruction" and cache["level"] is not None
    }


def cache_distances(caches: Sequence[Mapping[str, Any]], *, cold: bool, sharing: int = 1) -> CacheDistances:
    """Choose distances for a machine by the caches of its facts; ``sharing`` threads share a pool."""
    sizes = cache_sizes(caches)
    llc_warm_bytes = LLC_WARM_CACHES * sizes.get(2, _USUAL_L2_BYTES)
    far_bytes = _FAR_CACHES * sizes[max(sizes)] if sizes else 0
    return CacheDistances(
        llc_warm_bytes=llc_warm_bytes,
        far_bytes=min(max(_LEAST_FAR_BYTES, far_bytes), _MOST_FAR_BYTES),
        threads_bytes=sharing * llc_warm_bytes if sharing > 1 else 0,
        cold=cold,
    )


def curve_distances(far_bytes: int) -> tuple[int, ...]:
    """Return the distances of the benchmark of role ``curve``, ascending; ``far_bytes`` is among the last."""
    return CURVE_DISTANCES + ((far_bytes,) if far_bytes > CURVE_DISTANCES[-1] else ())


def is_cold(role: str, distances: CacheDistances) -> bool:
    """Whether benchmarks of a role are measured here by single calls, in states ``llc_warm`` and ``weights_cold``."""
    return distances.cold and role in _COLD_ROLES


def main_state(role: str, states: Sequence[str]) -> str:
    """Return the state that a benchmark's latency is of: ``weights_cold`` if it was measured, else ``hot_loop``."""
    return WEIGHTS_COLD if role in _COLD_ROLES - EMPTY_ROLES and WEIGHTS_COLD in states else HOT_LOOP


class ReuseDistances:
    """Reuse distances of benchmarks: bytes of distinct memory touched since the last call of each.

    These are the stack distances of Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
    Journal 9 (1970): memory touched several times counts once.
    """

    def __init__(self, ring_bytes: int) -> None:
        """Start with nothing touched; ``ring_bytes`` is the size of the buffer that is read to clear caches."""
        self._ring_bytes = ring_bytes
        self._cleared = 0
        self._order: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def touch(self, key: str, nbytes: int) -> None:
        """Record that a benchmark was called, which touches ``nbytes``."""
        self._order[key] = (nbytes, self._cleared)
        self._order.move_to_end(key)

    def clear(self, nbytes: int) -> None:
        """Record that ``nbytes`` of the ring buffer were read."""
        self._cleared += nbytes

    def since(self, key: str, enough: int) -> int:
        """Return the bytes of distinct memory touched since a benchmark's last call, up to ``enough``; 0 before it."""
        if key not in self._order:
            return 0
        total = min(self._cleared - self._order[key][1], self._ring_bytes)
        for other, (nbytes, _) in reversed(self._order.items()):
            if other == key or total >= enough:
                break
            total += nbytes
        return total


class CodeWarmUp:
    """Finds for a benchmark another one of the same operators, to warm the code in the caches without the constants.

    In a network the kernels of a layer were used a few layers before, so their code is cached. The call also caches the
    other benchmark's own constants, so that the caller has to record it in ``ReuseDistances``.
    """

    def __init__(self) -> None:
        """Start without benchmarks."""
        self._operators: dict[str, tuple[str, ...]] = {}
        self._smallest: dict[tuple[str, ...], list[tuple[int, str]]] = {}

    def add(self, benchmark: Mapping[str, Any], call_ns: int) -> None:
        """Add a loaded benchmark of role ``sequence``, unless its call is too long for code to matter."""
        if benchmark["role"] != "sequence" or call_ns >= LONG_CALL_NS:
            return
        operators, fingerprint = tuple(benchmark["operators"]), str(benchmark["fingerprint"])
        self._operators[fingerprint] = operators
        smallest = self._smallest.setdefault(operators, [])
        bisect.insort(smallest, (benchmark["weight_bytes"] + benchmark["activation_bytes"], fingerprint))
        del smallest[2:]  # two are enough to find another one

    def other(self, fingerprint: str) -> str | None:
        """Return the fingerprint of the smallest other benchmark of the same operators; None without one."""
        smallest = self._smallest.get(self._operators.get(fingerprint, ()), [])
        return next((name for _, name in smallest if name != fingerprint), None)

    def rank(self, fingerprint: str) -> int:
        """Return 0 for the benchmark that is called before all others of its operators, 1 for the one called before it.

        It is 2 for all others. If benchmarks are visited by rank, calls that warm code do not warm the constants of
        those that are visited next.
        """
        smallest = [name for _, name in self._smallest.get(self._operators.get(fingerprint, ()), [])]
        return smallest.index(fingerprint) if fingerprint in smallest else 2


class CallOverhead:
    """Schedules timed calls of empty graphs, which measure the call overhead, just before calls of benchmarks.

    The overhead is subtracted from every layer and depends on the state of caches and machine. It is therefore measured
    all along the run, and each empty graph is as cold as a benchmark when it is called.
    """

    def __init__(self, reuse: ReuseDistances, far_bytes: int) -> None:
        """Start without a worker; ``far_bytes`` are to be touched between two calls of an empty graph."""
        self._reuse, self._far_bytes = reuse, far_bytes
        self._calls = self._last_ns = 0

    def begin(self) -> None:
        """Reset the state for a new worker, which calls its empty graphs before it loads anything."""
        self._calls = 0
        for number in range(EMPTY_GRAPHS):
            self._reuse.touch(f"empty {number}", 0)

    def choose(self, clear_bytes: int, now_ns: int) -> int | None:
        """Return the empty graph to be timed before a call that reads ``clear_bytes``; None if none is due."""
        number = self._calls % EMPTY_GRAPHS
        key = f"empty {number}"
        far = self._reuse.since(key, self._far_bytes) + clear_bytes >= self._far_bytes
        if not far or now_ns - self._last_ns < now_ns / OVERHEAD_SPACING:
            return None
        self._calls += 1
        self._last_ns = now_ns
        self._reuse.touch(key, 0)
        return number
