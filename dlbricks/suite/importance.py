"""How much of a network a sequence may decide, guessed from arithmetic and bytes alone. Pure.

The guess is a roofline with the figures of one modest core: it only ranks, so that a run under a budget measures first
what matters most. Shares are rounded down to a power of 2, so that a suite tells the order of weight and little more:
neither how often a sequence occurs nor which sequences belong to one network can be read from it.
"""

import math
from collections.abc import Mapping

from dlbricks.model.costs.flops import layer_flops
from dlbricks.model.types import Model
from dlbricks.sequences.types import LayerSequence

OPERATIONS_PER_SECOND = 50e9
"""Arithmetic that a core does."""
BYTES_PER_SECOND = 20e9
"""What it reads and writes, inputs, outputs and constants of a sequence each once."""
FIXED_SECONDS = 2e-6
"""What a sequence takes however small it is."""
PAIR_SHARE = 1 / 8
"""Part of its time that a union of two sequences counts for: it corrects what its parts give by about so much, and is
worth nothing without them."""
LEAST = 2.0**-20
"""Importance of what hardly matters."""


def predicted_s(model: Model, sequence: LayerSequence) -> float:
    """Guess how long a sequence takes, in seconds.

    Args:
        model: where it comes from.
        sequence: bare of views at its ends.
    """
    operations = sum(layer_flops(model, model.layers[index]) for index in sequence.layers)
    tensors = (*sequence.inputs, *sequence.outputs, *sequence.constants)
    moved = sum(model.spec(tensor).nbytes for tensor in tensors)
    return max(operations / OPERATIONS_PER_SECOND, moved / BYTES_PER_SECOND) + FIXED_SECONDS


def importances(sequences: Mapping[str, float], unions: Mapping[str, float]) -> dict[str, float]:
    """Give each fingerprint's share of a network's predicted time, rounded down to a power of 2.

    Args:
        sequences: predicted seconds of all uses of a sequence together, for every sequence of the network.
        unions: the same for unions of two adjacent sequences.
    """
    total = math.fsum(sequences.values())
    shares = {fingerprint: PAIR_SHARE * seconds / total for fingerprint, seconds in unions.items()}
    for fingerprint, seconds in sequences.items():
        shares[fingerprint] = max(seconds / total, shares.get(fingerprint, 0.0))
    return {fingerprint: rounded_down(share) for fingerprint, share in shares.items()}


def rounded_down(share: float) -> float:
    """Give the largest power of 2 that is no greater, from ``LEAST`` to 1.

    >>> rounded_down(0.3)
    0.25
    """
    return math.ldexp(0.5, math.frexp(min(1.0, max(LEAST, share)))[1])
