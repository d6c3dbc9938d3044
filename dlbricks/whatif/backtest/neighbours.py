"""How much longer layers take after a change, learned from layers of other networks, measured before and after.

For changes that keep every layer (another batch, more threads). A layer grows as those layers of the same operator do
that are most alike: in what they took before, in what they compute and move. Ratios are averaged as logarithms, the
nearer the more. Where no other network has the operator, layers of the same class of work stand for it.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.whatif.backtest.kept import KeptStep, KeptVariant, measured_times
from dlbricks.whatif.inference.operators import class_of_operator
from dlbricks.whatif.kernels import KernelClass
from dlbricks.whatif.nouns import Floats

NEAREST = 8
"""Layers that a ratio is taken from."""
_FEW = 3
"""Of fewer layers of its operator nothing is concluded: its class is asked."""
_FIGURES = 4
"""That say how alike layers are."""
_SOFT_NS = 500.0
"""Added before ratios are taken: profiles have whole microseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """Layers of one network, before and after a change."""

    operators: tuple[str, ...]
    places: Floats
    """A row for each: logarithms of what it took, computes, moves and has of constants."""
    grown: Floats
    """Logarithms of how many times as long each took."""


def layers_of(before: KeptVariant, after: KeptVariant) -> Layers:
    """Set the layers of a network beside each other that both variants have."""
    times = {step.name: time for step, time in zip(after.steps, measured_times(after), strict=True)}
    both = [
        (step, time_ns)
        for step, time_ns in zip(before.steps, measured_times(before), strict=True)
        if step.fingerprint and step.name in times
    ]
    grown = [math.log((times[step.name] + _SOFT_NS) / (time_ns + _SOFT_NS)) for step, time_ns in both]
    return Layers(
        operators=tuple(step.operator for step, _ in both),
        places=np.array([_place(step, time_ns) for step, time_ns in both]).reshape(-1, _FIGURES),
        grown=np.array(grown),
    )


class Growth:
    """What the layers of some networks say of a change."""

    def __init__(self, networks: Sequence[Layers]) -> None:
        """Gather the layers.

        Args:
            networks: with the same layers before and after.
        """
        self._places = np.concatenate([np.zeros((0, _FIGURES)), *(one.places for one in networks)])
        self._grown = np.concatenate([np.zeros(0), *(one.grown for one in networks)])
        self._rows: dict[str | KernelClass, list[int]] = defaultdict(list)
        operators = itertools.chain.from_iterable(one.operators for one in networks)
        for row, operator in enumerate(operators):
            self._rows[operator].append(row)
            self._rows[class_of_operator(operator)].append(row)

    def time_ns(self, step: KeptStep, time_ns: float) -> float:
        """Predict what a layer takes after the change; never below 0.

        Args:
            step: the layer.
            time_ns: what it took before.
        """
        if not step.fingerprint or not len(self._grown):
            return time_ns
        keys: Sequence[str | KernelClass] = (step.operator, class_of_operator(step.operator))
        rows = next((self._rows[key] for key in keys if len(self._rows.get(key, ())) >= _FEW), range(len(self._grown)))
        distances = np.linalg.norm(self._places[rows] - _place(step, time_ns), axis=1)
        nearest = np.argsort(distances, kind="stable")[:NEAREST]
        weights = 1 / (0.1 + distances[nearest])
        ratio = math.exp(float(np.average(self._grown[rows][nearest], weights=weights)))
        return max(0.0, (time_ns + _SOFT_NS) * ratio - _SOFT_NS)


def _place(step: KeptStep, time_ns: float) -> Floats:
    amounts = (time_ns, step.flops, step.read_bytes + step.written_bytes, step.parameter_bytes)
    made: Floats = np.log(np.array([1 + amount for amount in amounts]))
    return made
