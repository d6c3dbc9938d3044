"""Choosing H for a set of networks: a row of figures for each granularity, and a rule. Pure.

A small H gives sequences that many places share and that are cheap to measure; a large one gives fewer, longer
sequences that look more like the network and less like anything else. What is best depends on the target and on how
much the networks repeat, so errors are looked up (``granularity_evidence``), and cost and reuse are worked out.

The rule is that of one standard error (Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984,
section 3.4.3): of all rows whose expected error is no more than one standard error above the least, the one that is
cheapest to measure. Rows in which every network stays in one piece are left aside while there are others: nothing would
be composed, and the suite would be the networks themselves.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.construct.granularity_costs import BenchmarkUse, Setting, Uses
from dlbricks.construct.granularity_evidence import SettingEvidence, TargetEvidence

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
    networks: int
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
        networks=len(networks),
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
