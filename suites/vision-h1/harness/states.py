"""What a timed call finds in the caches: the states in which a benchmark is measured, and their distances. Pure.

A layer inside a network runs once per inference, after the rest of the network has been through the caches. What that
costs depends on which of its memory was pushed out meanwhile, so a sequence is not called in a hot loop: each sample is
one call, after other memory was read and after some of its own was read again.
"""

import math
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
lost in what a call varies by, and what a byte costs is known from the larger ones (``store.bytecost``)."""
_LEAST_FAR_BYTES = 64 << 20
_FAR_CACHES = 4
"""So many times the last level: at twice its size a third of what a call had read was still seen to be there."""
NEAR_CACHES = 4
"""So many times the second level of cache is read before a call in state ``near``."""
_USUAL_NEAR_BYTES = NEAR_CACHES << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """How much other memory is read before a call, as the caches of a machine ask for."""

    near_bytes: int
    """Before a call in state ``near``."""
    far_bytes: int
    """At least so many since the last call, before a call in any other state."""
    crowd_bytes: int
    """Before every call, by all threads together, where they are shared (``pool.crowd``); else 0."""
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
    """Which of the stage's own empty graphs (``stage.EMPTIES``) is called and timed just before the benchmark, and what
    that takes is told, too; None: none."""

    def fields(self) -> dict[str, Any]:
        """Give its fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def surroundings(caches: Sequence[Mapping[str, Any]], *, cold: bool, sharing: int = 1) -> Surroundings:
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
    return Surroundings(
        near_bytes=near_bytes,
        far_bytes=max(_LEAST_FAR_BYTES, _FAR_CACHES * sizes[max(sizes)] if sizes else 0),
        crowd_bytes=sharing * near_bytes if sharing > 1 else 0,
        cold=cold,
    )


def is_cold(role: str, around: Surroundings) -> bool:
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
