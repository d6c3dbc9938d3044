"""What a network asks to be measured at some granularities, and what measuring that takes. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import bare, pairs, split
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.bricks import counted_layers, group_index
from dlbricks.suite.importance import predicted_s

Setting = tuple[str, str]
"""Granularity, and rule by which its sequences are composed: ``sequential``, or ``pairs``, which needs unions, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkUse:
    """A benchmark that a network needs."""

    fingerprint: str
    uses: int
    """How often its sequence (or union of adjacent sequences) occurs in the network."""
    layers: int
    """As they count for H."""
    weight_bytes: int
    predicted_ns: float
    """Of one call, guessed from arithmetic and bytes (``suite.importance``)."""


Uses = Mapping[Setting, tuple[BenchmarkUse, ...]]
"""What one network needs at each setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostModel:
    """What it takes to load, warm up and visit a benchmark until it is known: a sum of four terms, each >= 0."""

    fixed_ns: float
    layer_ns: float
    """For each layer."""
    weight_byte_ns: float
    """For each byte of weights."""
    calls: float
    """Predicted calls that loading, warming up and visits amount to."""

    def cost_ns(self, one: BenchmarkUse) -> float:
        """Guess the wall time of measuring a benchmark."""
        return (
            self.fixed_ns
            + self.layer_ns * one.layers
            + self.weight_byte_ns * one.weight_bytes
            + self.calls * one.predicted_ns
        )


def fit_cost(benchmarks: Sequence[BenchmarkUse], walls_ns: Sequence[float]) -> CostModel:
    """Fit the terms to what benchmarks took, by least squares without negative terms (``scipy.optimize.nnls``).

    Residuals are absolute, since it is sums over suites that are wanted.

    Args:
        benchmarks: measured, at least one.
        walls_ns: what each took.
    """
    terms = np.array([[1.0, one.layers, one.weight_bytes, one.predicted_ns] for one in benchmarks])
    scale = np.maximum(terms.max(axis=0), 1e-9)
    found, _ = nnls(terms / scale, np.array(walls_ns, dtype=float))
    fixed_ns, layer_ns, weight_byte_ns, calls = (float(one) for one in found / scale)
    return CostModel(fixed_ns=fixed_ns, layer_ns=layer_ns, weight_byte_ns=weight_byte_ns, calls=calls)


def model_uses(model: Model, settings: Sequence[Setting]) -> Uses:
    """Say what a network needs at each setting, cut by the splitter ``block``."""
    made: dict[Setting, tuple[BenchmarkUse, ...]] = {}
    for text in dict.fromkeys(granularity for granularity, _ in settings):
        parts = split(model, Granularity.parse(text))
        wanted = {rule for granularity, rule in settings if granularity == text}
        made |= {(text, rule): uses_of(parts, unions=rule == "pairs") for rule in sorted(wanted)}
    return made


def uses_of(parts: Split, *, unions: bool) -> tuple[BenchmarkUse, ...]:
    """List the benchmarks that a split network needs, each once, by fingerprint.

    Args:
        parts: the network, split.
        unions: whether unions of adjacent sequences are measured, too.
    """
    model = parts.model
    sequences = [
        bare(model, one)
        for one in parts.sequences
        if one.skip is None and not all(model.layers[index].is_view for index in one.layers)
    ]
    if unions:
        sequences += [union for _, _, union in pairs(parts)]
    first: dict[str, LayerSequence] = {}
    uses: Counter[str] = Counter()
    for sequence in sequences:
        fingerprint = canonicalise(model, sequence).fingerprint
        first.setdefault(fingerprint, sequence)
        uses[fingerprint] += 1
    group_of = group_index(model)
    return tuple(
        BenchmarkUse(
            fingerprint=fingerprint,
            uses=uses[fingerprint],
            layers=counted_layers(model, sequence.layers, group_of),
            weight_bytes=sum(model.spec(tensor).nbytes for tensor in sequence.constants),
            predicted_ns=1e9 * predicted_s(model, sequence),
        )
        for fingerprint, sequence in sorted(first.items())
    )
