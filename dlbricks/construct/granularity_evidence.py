"""What is known of granularities: how far estimates were off at each, and what benchmarks cost, as measured.

``benchmarks/granularity.py`` measures and writes the table that comes with the package. Pure but for reading it.
"""

import dataclasses
import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from dlbricks.construct.granularity_costs import CostModel, Setting
from dlbricks.construct.records import read_noun
from dlbricks.errors import InputError

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
    return tuple(read_noun(TargetEvidence, one, TABLE) for one in json.loads(text))


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
