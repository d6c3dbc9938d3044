"""The cache states of timed calls, and the bytes of other memory to read before a call in each state.

In state ``llc_warm`` all data of a call are in the last-level cache; in ``weights_cold`` the constants are in memory.
In state ``hot_loop`` a call follows the previous one directly. In a network, other layers use the caches between two
calls of a layer. Therefore ``call_timer`` reads other memory before each call in the other states, and then the inputs
and outputs of the benchmark.
"""

import bisect
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Calls back to back: caches are warm from the second call on.
HOT_LOOP = "hot_loop"
# All data in the last-level cache: before the call, a multiple of the L2 size was read, then inputs and outputs.
LLC_WARM = "llc_warm"
# Constants in memory: before the call, a multiple of the last-level cache was read, then outputs and inputs. Inputs
# that share a buffer with an output (state such as a key-value cache) were not read: they are as cold as constants.
WEIGHTS_COLD = "weights_cold"
# Output buffers in memory, all other data in the last-level cache: as ``llc_warm``, but the call writes its outputs to
# memory that was touched long ago, as layers of a large network do.
OUTPUTS_COLD = "outputs_cold"

# States of the miss curves, which visits of role ``curve`` measure: buffers are read, or written, in turn, each once a
# round, as a network uses its memory once per inference. Caches keep what is used twice in a row much longer.
READ_IN_TURN, WRITTEN_IN_TURN = "read_in_turn", "written_in_turn"
# Buffers that have left the caches are written, and read after others: what is new in a cache leaves it sooner.
READ_AFTER_WRITE = "read_after_write"
# All states of a visit.
STATES = (HOT_LOOP, LLC_WARM, WEIGHTS_COLD, OUTPUTS_COLD, READ_IN_TURN, WRITTEN_IN_TURN, READ_AFTER_WRITE)
# Size of such a buffer.
CURVE_BYTES = 1 << 20
# Reuse distances, with half of the buffer at either end (``construct.memory_layout``): the size of all buffers.
CURVE_DISTANCES = tuple(size << 20 for size in (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128))
# The same between writing and reading: between the two, as many other buffers are written and read.
FRESH_DISTANCES = tuple(size << 20 for size in (3, 5, 7, 9, 11, 13, 17, 21, 25, 33))
# Most timed buffers of a round. The calls before and after them are the same.
CURVE_CALLS = 16
# Idle times in such a round: meanwhile other processes evict lines of the last-level cache.
CURVE_WAITS_NS = (2_000_000, 4_000_000, 8_000_000, 16_000_000)

# Roles of networks that compute nothing; they are measured in all states, ``hot_loop`` included.
EMPTY_ROLES = frozenset({"overhead", "nodes"})
# Benchmarks of the other roles (anchors, whole networks) are called back to back.
_COLD_ROLES = frozenset({"sequence", "curve"}) | EMPTY_ROLES
# Multiple of the L2 size that is read before a call in state ``llc_warm``.
LLC_WARM_CACHES = 4
# Multiple of the last-level cache that is read before a cold call; with a multiple of 2, a third was still cached.
_FAR_CACHES = 4
# Limits of the bytes read. A virtual machine may have only a part of the reported cache: above 128 MiB read, calls got
# no slower.
_LEAST_FAR_BYTES, _MOST_FAR_BYTES = 64 << 20, 256 << 20
# L2 size of a machine that does not report its caches.
_USUAL_L2_BYTES = 1 << 20

# Number of empty graphs of each worker. They take turns, so that each is as cold as a benchmark when it is timed.
EMPTY_GRAPHS = 8
# Between two timed calls of empty graphs passes at least the run's time so far, divided by this.
OVERHEAD_SPACING = 500
# Calls of at least this duration get no warm-up of their code: fetching it from memory takes a negligible share.
LONG_CALL_NS = 1_000_000
# Calls of at least this duration outlast disturbances and hardly depend on the caches: disturbed ones are not repeated,
# and few are made.
ENDURING_CALL_NS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheDistances:
    """The bytes of other memory that are read before a call, on one machine."""

    llc_warm_bytes: int
    """Bytes read before a call in state ``llc_warm``: more than the L2 cache holds."""
    far_bytes: int
    """Least number of bytes touched between two calls of a benchmark in state ``weights_cold``."""
    threads_bytes: int
    """Bytes that all threads of the shared pool read before every call; 0 without a shared pool."""
    cold: bool
    """Whether calls are also timed in states other than ``hot_loop``; False on an accelerator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Timed calls, and the preparation of the caches before them."""

    state: str
    calls: int = 1
    """Number of calls; 1 except in state ``hot_loop`` and in states of miss curves."""
    clear_bytes: int = 0
    """Bytes of other memory to read before the call."""
    distance_bytes: int = 0
    """Bytes of other memory touched since the benchmark's last call, ``clear_bytes`` included."""
    wait_ns: int = 0
    """Idle time before the call."""
    empty: int | None = None
    """Index (below ``EMPTY_GRAPHS``) of the empty graph to time just before the benchmark; None to time none."""


def cache_sizes(caches: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Return the size of the data cache of each level, bytes."""
    return {
        int(cache["level"]): int(cache["size_bytes"])
        for cache in caches
        if cache["type"] != "instruction" and cache["level"] is not None
    }


def cache_distances(caches: Sequence[Mapping[str, Any]], *, cold: bool, sharing: int = 1) -> CacheDistances:
    """Return the bytes of other memory to read before calls; ``sharing`` is the number of threads in a shared pool."""
    sizes = cache_sizes(caches)
    llc_warm_bytes = LLC_WARM_CACHES * sizes.get(2, _USUAL_L2_BYTES)
    far_bytes = _FAR_CACHES * sizes[max(sizes)] if sizes else 0
    return CacheDistances(
        llc_warm_bytes=llc_warm_bytes,
        far_bytes=min(max(_LEAST_FAR_BYTES, far_bytes), _MOST_FAR_BYTES),
        threads_bytes=sharing * llc_warm_bytes if sharing > 1 else 0,
        cold=cold,
    )


def is_of_benchmark(state: str) -> bool:
    """Return whether visits in a state call the benchmark; False for miss curves, which only use buffers."""
    return state not in (READ_IN_TURN, WRITTEN_IN_TURN, READ_AFTER_WRITE)


def curve_distances(distances: CacheDistances) -> tuple[int, ...]:
    """Return the reuse distances of miss curves, ascending; the first is twice the size of all threads' L2 caches."""
    least = max(distances.llc_warm_bytes, distances.threads_bytes) // 2
    far = distances.far_bytes
    return (*(size for size in CURVE_DISTANCES if least <= size < far), far)


def is_cold(role: str, distances: CacheDistances) -> bool:
    """Return whether benchmarks of a role are timed by single calls in states ``llc_warm`` and ``weights_cold``."""
    return distances.cold and role in _COLD_ROLES


def main_state(role: str, states: Sequence[str]) -> str:
    """Return the state whose latency counts for a benchmark: ``weights_cold`` if it was measured, else ``hot_loop``."""
    return WEIGHTS_COLD if role in _COLD_ROLES - EMPTY_ROLES and WEIGHTS_COLD in states else HOT_LOOP


class ReuseDistances:
    """Tracks reuse distances: for each benchmark, the bytes of distinct memory touched since its last call.

    These are the stack distances of Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
    Journal 9 (1970): memory touched several times counts once.
    """

    def __init__(self, ring_bytes: int) -> None:
        """Start before any call; ``ring_bytes`` is the size of the ring buffer that is read to clear caches."""
        self._ring_bytes = ring_bytes
        self._cleared = 0
        self._order: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def touch(self, key: str, nbytes: int) -> None:
        """Record a call of a benchmark, which touches ``nbytes``."""
        self._order[key] = (nbytes, self._cleared)
        self._order.move_to_end(key)

    def clear(self, nbytes: int) -> None:
        """Record that ``nbytes`` of the ring buffer were read."""
        self._cleared += nbytes

    def since(self, key: str, enough: int) -> int:
        """Return a benchmark's reuse distance, bytes; 0 before its first call. Counting stops at ``enough``."""
        if key not in self._order:
            return 0
        total = min(self._cleared - self._order[key][1], self._ring_bytes)
        for other, (nbytes, _) in reversed(self._order.items()):
            if other == key or total >= enough:
                break
            total += nbytes
        return total


class CodeWarmUp:
    """Finds a stand-in for a benchmark: another one with the same operators, which is called to cache their code.

    In a network, the code is cached because earlier layers have used the same kernels. A call of the stand-in also
    caches the stand-in's constants, so ``ReuseDistances`` must record it.
    """

    def __init__(self) -> None:
        """Start without benchmarks."""
        self._operators: dict[str, tuple[str, ...]] = {}
        self._smallest: dict[tuple[str, ...], list[tuple[int, str]]] = {}

    def add(self, benchmark: Mapping[str, Any], call_ns: int) -> None:
        """Add a loaded benchmark of role ``sequence``, unless its call takes ``LONG_CALL_NS`` or longer."""
        if benchmark["role"] != "sequence" or call_ns >= LONG_CALL_NS:
            return
        operators, fingerprint = tuple(benchmark["operators"]), str(benchmark["fingerprint"])
        self._operators[fingerprint] = operators
        smallest = self._smallest.setdefault(operators, [])
        bisect.insort(smallest, (benchmark["weight_bytes"] + benchmark["activation_bytes"], fingerprint))
        del smallest[2:]  # the two smallest are enough: one of them is another benchmark

    def other(self, fingerprint: str) -> str | None:
        """Return the stand-in of a benchmark: the smallest other one with the same operators; None without one."""
        smallest = self._smallest.get(self._operators.get(fingerprint, ()), [])
        return next((name for _, name in smallest if name != fingerprint), None)

    def rank(self, fingerprint: str) -> int:
        """Return the rank of a benchmark, 0 to 2, among those with the same operators.

        The benchmark of rank 0 is the stand-in of all others; its own stand-in has rank 1. Calls of a stand-in cache
        its constants, so both are visited first.
        """
        smallest = [name for _, name in self._smallest.get(self._operators.get(fingerprint, ()), [])]
        return smallest.index(fingerprint) if fingerprint in smallest else 2


class CallOverhead:
    """Schedules timed calls of empty graphs, which measure the call overhead, between calls of benchmarks.

    The overhead depends on the caches and the machine. Therefore it is measured throughout the run, and an empty graph
    is called with caches as cold as for a benchmark.
    """

    def __init__(self, reuse: ReuseDistances, far_bytes: int) -> None:
        """Start without a worker; ``far_bytes`` is the least reuse distance of an empty graph."""
        self._reuse, self._far_bytes = reuse, far_bytes
        self._calls = self._last_ns = 0

    def begin(self) -> None:
        """Start over for a new worker, which has called each empty graph once."""
        self._calls = 0
        for number in range(EMPTY_GRAPHS):
            self._reuse.touch(f"empty {number}", 0)

    def choose(self, clear_bytes: int, now_ns: int) -> int | None:
        """Return the index of the empty graph to time before a call that reads ``clear_bytes``; None if none is due."""
        number = self._calls % EMPTY_GRAPHS
        key = f"empty {number}"
        far = self._reuse.since(key, self._far_bytes) + clear_bytes >= self._far_bytes
        if not far or now_ns - self._last_ns < now_ns / OVERHEAD_SPACING:
            return None
        self._calls += 1
        self._last_ns = now_ns
        self._reuse.touch(key, 0)
        return number
