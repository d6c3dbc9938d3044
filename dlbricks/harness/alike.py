"""Which benchmarks run the same code: by another one's call a kernel's code is in the caches, its constants are not."""

import bisect
from collections.abc import Mapping
from typing import Any

LONG_CALL_NS = 1_000_000
"""A call as long as this does not feel where its code was; asking another one would cost more than it tells."""


class Alike:
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
