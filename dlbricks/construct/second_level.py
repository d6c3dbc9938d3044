"""What outputs cost that lie in the last level of cache, where state ``near`` had them in the second. Pure.

Before a call in state near its outputs and inputs are read, so small ones lie in the second level of cache. Inside a
network an input was just made and does, too, but the buffer of an output was used some layers ago: beyond what the
second level holds it comes from the level behind. Set beside the runtime's own profile of fifty networks, small
element-wise layers are too fast without it by nothing per byte of their outputs at reuse distances below the size of
the second level, and by what a byte of the last level costs from two to four times that on (docs/decisions.md).
"""

from collections.abc import Iterable, Sequence

from dlbricks.store.nouns import SecondLevel

REACH = 1.5
"""Reuse distance at which half of a tensor has left the second level, in sizes of it."""
STEEPNESS = 3.0
"""Of the share that has left it: logistic in the logarithm of the distance."""


def latecomers_ns(
    inputs: Iterable[tuple[int, int, int]], outputs: Sequence[tuple[int, int, int]], level: SecondLevel
) -> float:
    """Give the time in which outputs are fetched into the second level of cache, ns, beyond that of state near.

    Args:
        inputs: bytes, reuse distance in bytes and age of each.
        outputs: the same; what is written over an input has distance 0.
        level: of the machine; without a size nothing is known and nothing is added.
    """
    if not level.nbytes:
        return 0.0
    reach = REACH * level.nbytes
    touched = sum(nbytes for nbytes, _, _ in (*inputs, *outputs))
    within = max(0.0, 1 - touched / reach)
    left = sum(nbytes / (1 + (reach / distance) ** STEEPNESS) for nbytes, distance, _ in outputs if distance > 0)
    return float(within * left * level.byte_ns)
