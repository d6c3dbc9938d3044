"""What a timed call finds in the caches: the states in which a benchmark is measured, and their distances. Pure.

A layer inside a network runs once per inference, after the rest of the network has been through the caches. What that
costs depends on which of its memory was pushed out meanwhile, so a sequence is not called in a hot loop: each sample is
one call, after other memory was read and after some of its own was read again.
"""

import bisect
import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REPEATED = "repeated"
"""Calls back to back, the first of which finds the caches as something else left them."""
NEAR = "near"
"""Everything lies between the second level of cache and the last: other data as large as several L2 was read, then
inputs and outputs."""
CONSTANTS = "constants"
"""Only constants come from memory: other data larger than the last level was read, then inputs and outputs."""
OUTPUTS = "outputs"
"""Constants and output buffers come from memory: as before, but only inputs were read."""
INPUTS = "inputs"
"""Constants and inputs come from memory: as before, but only outputs were read."""
STATES = (NEAR, CONSTANTS, OUTPUTS, INPUTS)
"""The four states of a call inside a network."""
STATE_WORDS = {
    REPEATED: "called back to back",
    NEAR: "all of it in the last level of cache",
    CONSTANTS: "constants in memory",
    OUTPUTS: "constants and output buffers in memory",
    INPUTS: "constants and inputs in memory",
}
"""What each state means, for people."""

CURVE_DISTANCES = tuple(round(size * 2**20) for size in (0.5, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128))
"""Bytes of other memory read between two calls of the benchmark of role ``curve``."""

CURVE_WAITS_NS = (2_000_000, 4_000_000, 8_000_000, 16_000_000)
"""Time that passes, with nothing touched, between two calls of the same benchmark: others share the last level."""

EMPTY_ROLES = frozenset({"overhead", "nodes"})
"""Roles of what computes nothing: measured in all states, calls back to back included."""
_COLD_ROLES = frozenset({"sequence", "curve"}) | EMPTY_ROLES
_FAR_CYCLE = (CONSTANTS, OUTPUTS, INPUTS, CONSTANTS)
LARGE_BYTES = 1 << 20
"""Inputs, or outputs, of less than this together are not measured in a state of their own: what fetching them takes is
lost in what a call varies by, and what a byte costs is known from the larger ones (``store.caches``)."""
_LEAST_FAR_BYTES = 64 << 20
_FAR_CACHES = 4
"""So many times the last level: at twice its size a third of what a call had read was still seen to be there."""
NEAR_CACHES = 4
"""So many times the second level of cache is read before a call in state ``near``."""
_USUAL_NEAR_BYTES = NEAR_CACHES << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheDistances:
    """How much other memory is read before a call, as the caches of a machine ask for."""

    near_bytes: int
    """Before a call in state ``near``."""
    far_bytes: int
    """At least so many since the last call, before a call in any other state."""
    threads_bytes: int
    """Before every call, by all threads together, where they are shared (``call_timer.thread_waker``); else 0."""
    cold: bool
    """Whether states are told apart at all; on an accelerator every call is ``repeated``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One visit record to be made: in which state, after how much."""

    state: str
    calls: int = 1
    """More than one only when ``repeated``."""
    clear_bytes: int = 0
    """Other memory to be read before."""
    distance_bytes: int = 0
    """Other memory touched since the last call, what is to be read included."""
    wait_ns: int = 0
    """Time to let pass before."""
    own_call: bool = False
    """Whether the benchmark is called, untimed, before anything else, so that the distance begins there."""
    empty: int | None = None
    """Number of the empty graph (below ``EMPTY_GRAPHS``) that is timed just before the benchmark; None for none."""

    def fields(self) -> dict[str, Any]:
        """Give its fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def cache_distances(caches: Sequence[Mapping[str, Any]], *, cold: bool, sharing: int = 1) -> CacheDistances:
    """Choose distances for a machine.

    Args:
        caches: as ``cpu.cpu_facts`` gives them: ``level``, ``type``, ``size_bytes``.
        cold: whether benchmarks run on the processor, whose caches these are.
        sharing: threads of a pool that all sessions share; 1 for none.
    """
    sizes = {
        int(cache["level"]): int(cache["size_bytes"])
        for cache in caches
        if cache["type"] != "instruction" and cache["level"] is not None
    }
    near_bytes = NEAR_CACHES * sizes[2] if 2 in sizes else _USUAL_NEAR_BYTES
    return CacheDistances(
        near_bytes=near_bytes,
        far_bytes=max(_LEAST_FAR_BYTES, _FAR_CACHES * sizes[max(sizes)] if sizes else 0),
        threads_bytes=sharing * near_bytes if sharing > 1 else 0,
        cold=cold,
    )


def is_cold(role: str, around: CacheDistances) -> bool:
    """Whether benchmarks of a role are measured in the four states here."""
    return around.cold and role in _COLD_ROLES


def far_states(benchmark: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the states of the far calls of a benchmark, one after another and over again.

    Each of three in turn, constants twice as often; without constants there is no reason to prefer theirs, and without
    large inputs or outputs their states are left out, as they are of what computes nothing.

    Args:
        benchmark: its entry in ``suite.json``.
    """
    if benchmark["role"] in EMPTY_ROLES:
        return (CONSTANTS,)
    nbytes = {
        CONSTANTS: LARGE_BYTES,
        INPUTS: _nbytes(benchmark["inputs"]),
        OUTPUTS: 0 if benchmark["overwrites"] else _nbytes(benchmark["outputs"]),
    }
    cycle = _FAR_CYCLE if benchmark["weight_bytes"] else _FAR_CYCLE[:-1]
    return tuple(state for state in cycle if nbytes[state] >= LARGE_BYTES)


def _nbytes(contracts: Iterable[Mapping[str, Any]]) -> int:
    from .dtypes import byte_size  # needs numpy, whose absence is to be said in words

    return sum(byte_size(contract["dtype"], math.prod(contract["shape"])) for contract in contracts)


def main_state(role: str, states: Sequence[str]) -> str:
    """Say which state a benchmark's latency is of: ``constants`` if it was measured, else ``repeated``.

    Args:
        role: of the benchmark; the latency of anchors and wholes is always of repeated calls.
        states: those that were measured.
    """
    return CONSTANTS if role in _COLD_ROLES - EMPTY_ROLES and CONSTANTS in states else REPEATED


class ReuseDistances:
    """Remembers in which order benchmarks were called and how much memory each of them touches.

    The stack distance of Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970):
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
            key: of the benchmark; one that was never called gives 0, since nothing is known of it.
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


LONG_CALL_NS = 1_000_000
"""A call as long as this does not feel where its code was; asking another one would cost more than it tells."""


class CodeWarmUp:
    """The benchmarks of a worker by their operators; grows as they are loaded."""

    def __init__(self) -> None:
        """Know of none."""
        self._operators: dict[str, tuple[str, ...]] = {}
        self._smallest: dict[tuple[str, ...], list[tuple[int, str]]] = {}

    def add(self, benchmark: Mapping[str, Any], call_ns: int) -> None:
        """Take note of a benchmark; anchors, whole networks and those of long calls are like no other."""
        if benchmark["role"] != "sequence" or call_ns >= LONG_CALL_NS:
            return
        operators, fingerprint = tuple(benchmark["operators"]), str(benchmark["fingerprint"])
        touched_bytes = benchmark["weight_bytes"] + benchmark["activation_bytes"]
        self._operators[fingerprint] = operators
        known = self._smallest.setdefault(operators, [])
        bisect.insort(known, (touched_bytes, fingerprint))
        del known[2:]  # of two, one is another

    def other(self, fingerprint: str) -> str | None:
        """Give the fingerprint of the smallest other benchmark of the same operators; None if there is no other."""
        known = self._smallest.get(self._operators.get(fingerprint, ()), [])
        return next((name for _, name in known if name != fingerprint), None)


EMPTY_GRAPHS = 8
"""Empty graphs of a timer that are timed: called one after another, each is soon as far back as a benchmark."""
OVERHEAD_SPACING = 500
"""Time from one to the next at least, as a part of the time of the run: the longer a run, the further apart."""


class CallOverhead:
    """Chooses which one; each worker has its own."""

    def __init__(self, reuse: ReuseDistances, far_bytes: int) -> None:
        """Begin without workers.

        Args:
            reuse: what was touched since.
            far_bytes: different memory touched since its last call, before an empty graph is far enough back.
        """
        self._reuse, self._far_bytes = reuse, far_bytes
        self._calls: dict[int, int] = {}
        self._last_ns = 0

    def begin(self, worker: int) -> None:
        """Take note of a worker that is about to start: it calls its empty graphs before it loads anything."""
        self._calls[worker] = 0
        for number in range(EMPTY_GRAPHS):
            self._reuse.touch(_key(worker, number), 0)

    def choose(self, worker: int, clear_bytes: int, now_ns: int) -> int | None:
        """Give the number of the empty graph to be called beside the next far call; None if it is not time for one.

        Args:
            worker: one that has begun.
            clear_bytes: other memory that will be read before that call.
            now_ns: time of the run.
        """
        number = self._calls[worker] % EMPTY_GRAPHS
        key = _key(worker, number)
        far = self._reuse.since(key, self._far_bytes) + clear_bytes >= self._far_bytes
        if not far or now_ns - self._last_ns < now_ns / OVERHEAD_SPACING:
            return None
        self._calls[worker] += 1
        self._last_ns = now_ns
        self._reuse.touch(key, 0)
        return number


def _key(worker: int, number: int) -> str:
    return f"empty {worker} {number}"
