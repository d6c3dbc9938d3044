"""How much longer layers take after a change, learned from layers of other networks, measured before and after.

For changes that keep every layer (another batch, more threads). A layer grows as those layers of the same operator do
that are most alike: in what they took before, in what they compute and move. Ratios are averaged as logarithms, the
nearer the more. Where no other network has the operator, layers of the same class of work stand for it.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
_SOFT_NS = 500.0
"""Added before ratios are taken: profiles have whole microseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Layers of one operator or class: where they lie, and logarithms of how much longer each took."""

    places: Floats
    grown: Floats


class Growth:
    """What the layers of some networks say of a change."""

    def __init__(self, pairs: Iterable[tuple[KeptVariant, KeptVariant]]) -> None:
        """Gather the layers.

        Args:
            pairs: variants before and after of networks, with the same layers.
        """
        found: dict[str | KernelClass | None, list[tuple[Floats, float]]] = defaultdict(list)
        for before, after in pairs:
            times = {step.name: time for step, time in zip(after.steps, measured_times(after), strict=True)}
            for step, time_ns in zip(before.steps, measured_times(before), strict=True):
                if step.fingerprint and step.name in times:
                    grown = math.log((times[step.name] + _SOFT_NS) / (time_ns + _SOFT_NS))
                    for key in (step.operator, class_of_operator(step.operator), None):
                        found[key].append((_place(step, time_ns), grown))
        self._known = {
            key: _Known(places=np.array([place for place, _ in rows]), grown=np.array([grown for _, grown in rows]))
            for key, rows in found.items()
        }

    def time_ns(self, step: KeptStep, time_ns: float) -> float:
        """Predict what a layer takes after the change; never below 0.

        Args:
            step: the layer.
            time_ns: what it took before.
        """
        if not step.fingerprint or not self._known:
            return time_ns
        keys: Sequence[str | KernelClass | None] = (step.operator, class_of_operator(step.operator), None)
        known = next(
            (self._known[key] for key in keys if key in self._known and len(self._known[key].grown) >= _FEW),
            self._known[None],
        )
        distances = np.linalg.norm(known.places - _place(step, time_ns), axis=1)
        nearest = np.argsort(distances, kind="stable")[:NEAREST]
        weights = 1 / (0.1 + distances[nearest])
        ratio = math.exp(float(np.average(known.grown[nearest], weights=weights)))
        return max(0.0, (time_ns + _SOFT_NS) * ratio - _SOFT_NS)


def _place(step: KeptStep, time_ns: float) -> Floats:
    amounts = (time_ns, step.flops, step.read_bytes + step.written_bytes, step.parameter_bytes)
    made: Floats = np.log(np.array([1 + amount for amount in amounts]))
    return made
