"""Chooses the granularity H for a set of networks, from a table of expected cost and error per granularity.

A small H gives sequences that many networks share and that are cheap to measure; a large one gives fewer, longer
sequences, which resemble the network more and are shared less. Errors come from a table of the package, which
``benchmarks/granularity.py`` measures and writes; cost and reuse are computed for the networks at hand.

The rule is that of one standard error (Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984,
section 3.4.3): of all rows whose expected error is at most one standard error above the least, the one that is cheapest
to measure. Rows in which every network is a single sequence are excluded while there are others: nothing would be
composed.
"""

import dataclasses
import functools
import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np

from dlbricks.construct.network_uses import BenchmarkUse, Setting, Uses
from dlbricks.errors import InputError
from dlbricks.typed_json import read_json


@dataclass(frozen=True, slots=True, kw_only=True)
class CostModel:
    """Wall time of measuring a benchmark, loading and warm-up included: a sum of four terms, each >= 0."""

    fixed_ns: float
    layer_ns: float
    """Per layer."""
    weight_byte_ns: float
    """Per byte of weights."""
    calls: float
    """Number of predicted calls that loading, warm-up and visits amount to."""

    def cost_ns(self, one: BenchmarkUse) -> float:
        """Return the predicted wall time of measuring a benchmark."""
        return (
            self.fixed_ns
            + self.layer_ns * one.layers
            + self.weight_byte_ns * one.weight_bytes
            + self.calls * one.predicted_ns
        )


def fit_cost(benchmarks: Sequence[BenchmarkUse], walls_ns: Sequence[float]) -> CostModel:
    """Fit the terms by non-negative least squares (``scipy.optimize.nnls``).

    Residuals are absolute, since sums over suites are predicted.

    Args:
        benchmarks: measured, at least one.
        walls_ns: wall time of each.
    """
    from scipy.optimize import nnls

    terms = np.array([[1.0, one.layers, one.weight_bytes, one.predicted_ns] for one in benchmarks])
    scale = np.maximum(terms.max(axis=0), 1e-9)
    found, _ = nnls(terms / scale, np.array(walls_ns, dtype=float))
    fixed_ns, layer_ns, weight_byte_ns, calls = (float(one) for one in found / scale)
    return CostModel(fixed_ns=fixed_ns, layer_ns=layer_ns, weight_byte_ns=weight_byte_ns, calls=calls)


TABLE = "granularity_evidence.json"
"""File in this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingEvidence:
    """Networks estimated at one setting and measured end to end in the same run."""

    granularity: str
    rule: str
    ratios: tuple[float, ...]
    """estimated / measured, of the networks in their order; at least two."""

    @property
    def setting(self) -> Setting:
        """Granularity and rule."""
        return self.granularity, self.rule


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetEvidence:
    """Validations and costs of one target."""

    target: str
    evidence: str
    """Where the figures come from."""
    cost: CostModel
    settings: tuple[SettingEvidence, ...]
    """By ascending granularity; all have the same networks."""


def evidence_of(target: str) -> TargetEvidence:
    """Return the evidence of the package for a target.

    Raises:
        InputError: nothing was measured for the target.
    """
    known = {one.target: one for one in learned()}
    if target not in known:
        raise InputError(f"there is no evidence on granularities for target {target}: give -H")
    return known[target]


@functools.cache
def learned() -> tuple[TargetEvidence, ...]:
    """Return the evidence of the package for all targets."""
    return read_evidence(resources.files("dlbricks.construct").joinpath(TABLE).read_text(encoding="utf-8"))


def read_evidence(text: str) -> tuple[TargetEvidence, ...]:
    """Read what ``evidence_text`` wrote."""
    return read_json(tuple[TargetEvidence, ...], text, TABLE)


def evidence_text(targets: Sequence[TargetEvidence]) -> str:
    """Write evidence as JSON, one line per setting, with four decimals."""
    made = []
    for one in targets:
        rows = [
            json.dumps({**dataclasses.asdict(row), "ratios": [round(ratio, 4) for ratio in row.ratios]})
            for row in one.settings
        ]
        cost = {name: float(f"{value:.4g}") for name, value in dataclasses.asdict(one.cost).items()}
        head = {"target": one.target, "evidence": one.evidence, "cost": cost}
        fields = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
        made.append("{\n" + fields + '  "settings": [\n    ' + ",\n    ".join(rows) + "\n  ]\n}")
    return "[" + ",\n".join(made) + "]\n"


RULES = ("sequential", "pairs")
"""Composition rules among which to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GranularityRow:
    """Cost and expected error of a suite for some networks at one setting."""

    granularity: str
    rule: str
    """``sequential``, or ``pairs``: unions of adjacent sequences are measured and composed as well."""
    benchmarks: int
    """Unique sequences and unions."""
    uses: int
    """Their occurrences in all networks."""
    reuse: float
    """``uses`` / ``benchmarks``, at least 1."""
    cost_ns: int
    """Expected wall time of measuring them."""
    error: float
    """Expected absolute error of an estimate: the mean over the networks of the evidence."""
    standard_error: float
    """Of that mean."""
    worst_error: float
    """Among the networks of the evidence."""
    composed: bool
    """Whether at least one network has more than one sequence."""

    @property
    def setting(self) -> Setting:
        """Granularity and rule."""
        return self.granularity, self.rule


@dataclass(frozen=True, slots=True, kw_only=True)
class GranularityTable:
    """Granularities for some networks, and the chosen one."""

    target: str
    network_count: int
    evidence: str
    """Origin of errors and costs."""
    rows: tuple[GranularityRow, ...]
    """By ascending granularity, ``pairs`` after ``sequential``."""
    chosen: GranularityRow
    """One of the rows."""


def tabulate(networks: Sequence[Uses], evidence: TargetEvidence, rules: Collection[str] = RULES) -> GranularityTable:
    """Make a row of each setting with evidence, and choose one.

    Args:
        networks: benchmarks of each network at every setting.
        evidence: of the target.
        rules: those to choose from.
    """
    rows = tuple(_row(networks, evidence, one) for one in evidence.settings if one.rule in rules)
    return GranularityTable(
        target=evidence.target,
        network_count=len(networks),
        evidence=evidence.evidence,
        rows=rows,
        chosen=choose(rows),
    )


def choose(rows: Sequence[GranularityRow]) -> GranularityRow:
    """Choose a row by the rule of one standard error; ties go to the smaller error, then to the first row.

    Args:
        rows: at least one.
    """
    candidates = [row for row in rows if row.composed] or rows
    best = min(candidates, key=lambda row: row.error)
    near = [row for row in candidates if row.error <= best.error + best.standard_error]
    return min(near, key=lambda row: (row.cost_ns, row.error))


def _row(networks: Sequence[Uses], evidence: TargetEvidence, known: SettingEvidence) -> GranularityRow:
    needed = [uses[known.setting] for uses in networks]
    unique: dict[str, BenchmarkUse] = {}
    for one in (use for uses in needed for use in uses):
        unique.setdefault(one.fingerprint, one)
    total = sum(one.uses for uses in needed for one in uses)
    errors = np.abs(np.array(known.ratios) - 1)
    return GranularityRow(
        granularity=known.granularity,
        rule=known.rule,
        benchmarks=len(unique),
        uses=total,
        reuse=total / max(1, len(unique)),
        cost_ns=round(math.fsum(evidence.cost.cost_ns(one) for one in unique.values())),
        error=float(errors.mean()),
        standard_error=float(errors.std(ddof=1) / math.sqrt(len(errors))),
        worst_error=float(errors.max()),
        composed=any(sum(one.uses for one in uses) > 1 for uses in needed),
    )
