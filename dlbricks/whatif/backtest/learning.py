"""Predictions of a change from other networks that were measured before and after it.

``Growth``, for changes that keep every layer (another batch, more threads): a layer grows as those layers of the same
operator do that are most alike, in what they took before, in what they compute and move. Ratios are averaged as
logarithms, the nearer the more. Where no other network has the operator, layers of the same class of work stand for it.

``fitted``: parameters of a transform that suit all networks but the one to be predicted.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from dlbricks.whatif.backtest.networks import MeasuredLayer, Variant
from dlbricks.whatif.graph import DependencyGraph, Floats
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import Transform, apply_all, read_step
from dlbricks.whatif.work import KernelClass, class_of_operator

NEAREST = 8
"""Layers that a ratio is taken from."""
_FEW = 3
"""Of fewer layers of its operator nothing is concluded: its class is asked."""
_SOFT_NS = 500.0
"""Added before ratios are taken: profiles have whole microseconds."""
Choices = Mapping[str, Sequence[str]]
"""Values that are tried of each parameter, as a user would write them."""


GrownLayer = tuple[str, Floats, float]
"""Operator; logarithms of what it took, computes, moves and has of constants; and of how many times as long it took."""


def grown_layers(before: Variant, after: Variant) -> list[GrownLayer]:
    """Pair the layers that both variants of a network have."""
    times = {step.name: time for step, time in zip(after.steps, after.times_ns(), strict=True)}
    own = zip(before.steps, before.times_ns(), strict=True)
    return [
        (step.operator, _place(step, time_ns), math.log((times[step.name] + _SOFT_NS) / (time_ns + _SOFT_NS)))
        for step, time_ns in own
        if step.fingerprint and step.name in times
    ]


class Growth:
    """Predicts how much longer a layer takes after a change, by its nearest neighbours in other networks."""

    def __init__(self, layers: Sequence[GrownLayer]) -> None:
        """Gather the layers of networks."""
        self._places = np.array([place for _, place, _ in layers])
        self._grown = np.array([grown for _, _, grown in layers])
        self._rows: dict[str | KernelClass, list[int]] = defaultdict(list)
        for row, (operator, _, _) in enumerate(layers):
            self._rows[operator].append(row)
            self._rows[class_of_operator(operator)].append(row)

    def time_ns(self, step: MeasuredLayer, time_ns: float) -> float:
        """Predict from what a layer took before the change what it takes after; never below 0."""
        if not step.fingerprint or not len(self._grown):
            return time_ns
        keys: Sequence[str | KernelClass] = (step.operator, class_of_operator(step.operator))
        rows = next((self._rows[key] for key in keys if len(self._rows.get(key, ())) >= _FEW), range(len(self._grown)))
        distances = np.linalg.norm(self._places[rows] - _place(step, time_ns), axis=1)
        nearest = np.argsort(distances, kind="stable")[:NEAREST]
        weights = 1 / (0.1 + distances[nearest])
        ratio = math.exp(float(np.average(self._grown[rows][nearest], weights=weights)))
        return max(0.0, (time_ns + _SOFT_NS) * ratio - _SOFT_NS)


def _place(step: MeasuredLayer, time_ns: float) -> Floats:
    amounts = (time_ns, step.flops, step.read_bytes + step.written_bytes, step.parameter_bytes)
    made: Floats = np.log(np.array([1 + amount for amount in amounts]))
    return made


def predicted(graph: DependencyGraph, asked: str, known: Mapping[str, Transform]) -> float | None:
    """Ask a transform for the time of a graph, ns; None where it refuses the graph."""
    transform, values = read_step(asked, known)
    if transform.requires(graph, values):
        return None
    applied = apply_all(graph, [(transform, values)])
    return float(run(applied.graph, applied.policy).makespan_ns)


def fitted(
    asked: str,
    choices: Choices,
    graphs: Mapping[str, DependencyGraph],
    truth_ns: Mapping[str, float],
    known: Mapping[str, Transform],
) -> dict[str, tuple[str, float]]:
    """Predict each network by the choice of parameters that suits all others best.

    The best has the least mean of absolute logarithms of the error, the first of several.

    Args:
        asked: the transform and what is not to be fitted.
        choices: of its other parameters.
        graphs: before the change, by network.
        truth_ns: after it.
        known: transforms by name.

    Returns:
        By network the transform with that choice and the time, ns; without those that the transform refuses, and empty
        for a single one.
    """
    begin = f"{asked}," if ":" in asked else f"{asked}:"
    pairs = itertools.product(*([f"{key}={value}" for value in values] for key, values in choices.items()))
    texts = tuple(begin + ",".join(one) for one in pairs)
    tried = {name: [predicted(graph, text, known) for text in texts] for name, graph in graphs.items()}
    times = {name: np.array(row, np.float64) for name, row in tried.items() if None not in row}
    errors = {name: np.abs(np.log(row / truth_ns[name])) for name, row in times.items()}
    made = {}
    for name, row in times.items() if len(times) > 1 else ():
        best = int(np.mean([errors[other] for other in times if other != name], axis=0).argmin())
        made[name] = texts[best], float(row[best])
    return made
