"""Parameters of transforms, fitted to networks that were measured before and after: all but the one to be predicted."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.whatif.answer import run
from dlbricks.whatif.nouns import DependencyGraph, Floats
from dlbricks.whatif.transform import Transform, apply_all, read_step

Choices = Mapping[str, Sequence[str]]
"""Values that are tried of each parameter, as a user would write them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """Predictions of a transform with every choice of its parameters, for some networks."""

    asked: tuple[str, ...]
    """The transform with each choice."""
    predicted_ns: Mapping[str, Floats]
    """By network, one for each choice."""
    truth_ns: Mapping[str, float]

    def without(self, network: str) -> tuple[str, float] | None:
        """Give the choice by which the other networks are predicted best, and what it predicts for this one.

        The best has the least mean of absolute logarithms of the error, the first of several.

        Returns:
            None where there is no other network, or this one is not predicted.
        """
        others = [name for name in self.predicted_ns if name != network]
        if not others or network not in self.predicted_ns:
            return None
        errors = np.array([np.abs(np.log(self.predicted_ns[name] / self.truth_ns[name])) for name in others])
        best = int(np.mean(errors, axis=0).argmin())
        return self.asked[best], float(self.predicted_ns[network][best])


def tuned(
    asked: str,
    choices: Choices,
    graphs: Mapping[str, DependencyGraph],
    truth_ns: Mapping[str, float],
    known: Mapping[str, Transform],
) -> Tuned:
    """Try every choice on every network; those that the transform refuses are left out.

    Args:
        asked: the transform and what is not to be fitted.
        choices: of its other parameters.
        graphs: before the change, by network.
        truth_ns: after it.
        known: transforms by name.
    """
    texts = tuple(
        ",".join((asked if ":" in asked else f"{asked}:", *(f"{key}={value}" for key, value in pairs))).replace(
            ":,", ":"
        )
        for pairs in itertools.product(*([(key, value) for value in values] for key, values in choices.items()))
    )
    predict = functools.partial(_predicted, known=known)
    made = {
        name: np.array([predict(graph, text) for text in texts])
        for name, graph in graphs.items()
        if not refused(graph, texts[0], known)
    }
    return Tuned(asked=texts, predicted_ns=made, truth_ns=truth_ns)


def refused(graph: DependencyGraph, asked: str, known: Mapping[str, Transform]) -> str:
    """Say why a transform cannot be asked of a graph; empty where it can."""
    transform, values = read_step(asked, known)
    return transform.requires(graph, values)


def _predicted(graph: DependencyGraph, asked: str, known: Mapping[str, Transform]) -> float:
    applied = apply_all(graph, [read_step(asked, known)])
    return float(run(applied.graph, applied.policy).makespan_ns)
