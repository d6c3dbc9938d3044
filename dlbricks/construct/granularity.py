"""Choosing H for a set of networks: a row of figures for each granularity, and a rule.

A small H gives sequences that many places share and that are cheap to measure; a large one gives fewer, longer
sequences that look more like the network and less like anything else. What is best depends on the target and on how
much the networks repeat, so errors are looked up in a table that comes with the package (``benchmarks/granularity.py``
measures and writes it), and cost and reuse are worked out.

The rule is that of one standard error (Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984,
section 3.4.3): of all rows whose expected error is no more than one standard error above the least, the one that is
cheapest to measure. Rows in which every network stays in one piece are left aside while there are others: nothing would
be composed, and the suite would be the networks themselves.
"""

import dataclasses
import functools
import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from scipy.optimize import nnls

from dlbricks.construct.network_uses import BenchmarkUse, Setting, Uses
from dlbricks.errors import InputError
from dlbricks.typed_json import read_json


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


TABLE = "granularity_evidence.json"
"""Beside this module."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingEvidence:
    """Networks estimated at one setting and measured end to end, in the same run."""

    granularity: str
    rule: str
    ratios: tuple[float, ...]
    """estimated / measured, of the networks in their order; at least two."""

    @property
    def setting(self) -> Setting:
        """What tells it from others."""
        return self.granularity, self.rule


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetEvidence:
    """What is known of one target."""

    target: str
    evidence: str
    """Where the figures come from."""
    cost: CostModel
    settings: tuple[SettingEvidence, ...]
    """By rising granularity; all of the same networks, which were measured at every setting."""


def evidence_of(target: str) -> TargetEvidence:
    """Give what came with the package.

    Raises:
        InputError: nothing was measured of the target.
    """
    known = {one.target: one for one in learned()}
    if target not in known:
        raise InputError(f"nothing is known of granularities of target {target}: give -H")
    return known[target]


@functools.cache
def learned() -> tuple[TargetEvidence, ...]:
    """Give the evidence that came with the package."""
    return read_evidence(resources.files("dlbricks.construct").joinpath(TABLE).read_text(encoding="utf-8"))


def read_evidence(text: str) -> tuple[TargetEvidence, ...]:
    """Read what ``evidence_text`` wrote."""
    return read_json(tuple[TargetEvidence, ...], text, TABLE)


def evidence_text(targets: Sequence[TargetEvidence]) -> str:
    """Write evidence as JSON, a line for each setting; figures to four digits after the point."""
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
"""Rules of composition that a granularity is chosen with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GranularityRow:
    """What a suite of some networks would be at one granularity."""

    granularity: str
    rule: str
    """``sequential``, or ``pairs``: unions of adjacent sequences are measured and composed, too."""
    benchmarks: int
    """Different sequences, and unions."""
    uses: int
    """Of these, in all networks together."""
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
    """Whether some network is more than one sequence."""

    @property
    def setting(self) -> Setting:
        """What tells it from others."""
        return self.granularity, self.rule


@dataclass(frozen=True, slots=True, kw_only=True)
class GranularityTable:
    """Granularities of some networks side by side."""

    target: str
    network_count: int
    evidence: str
    """Where errors and costs come from."""
    rows: tuple[GranularityRow, ...]
    """By rising granularity, ``pairs`` after ``sequential``."""
    chosen: GranularityRow
    """One of the rows."""


def tabulate(networks: Sequence[Uses], evidence: TargetEvidence, rules: Collection[str] = RULES) -> GranularityTable:
    """Make a row of each setting that something is known of, and choose one.

    Args:
        networks: what each needs at every setting of the evidence with one of the rules.
        evidence: of the target.
        rules: those that may be chosen.
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
    """Choose by the rule of one standard error; of equally cheap rows the one with the smaller error, then the first.

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
