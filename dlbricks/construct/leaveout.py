"""How well networks are guessed of which nobody measured the parts: each is left out in turn. Pure.

Leaving a network out takes away the results of all sequences that only it, or only its group, uses; what remains is
what a store would hold that never saw it. Its latency is then estimated as for any user, with interpolation, and set
beside the measured one.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from dlbricks.construct.estimate import estimate
from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.nouns import Composition
from dlbricks.construct.rules import Rule
from dlbricks.store.nouns import SystemResults


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One network, estimated from the results of others."""

    model: str
    group: str
    """Who was left out with it."""
    measured_ns: int
    estimated_ns: int
    low_ns: int
    high_ns: int
    interpolated: float
    """Share of the estimated time that was guessed, 0 to 1."""
    missing: tuple[str, ...]
    """Names of the sequences that could not even be guessed, each once; with any there is no estimate to be judged."""

    @property
    def error(self) -> float:
        """Estimated over measured, less 1."""
        return self.estimated_ns / max(1, self.measured_ns) - 1

    @property
    def covered(self) -> bool:
        """Whether the interval holds what was measured."""
        return self.low_ns <= self.measured_ns <= self.high_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutSummary:
    """What networks that were left out say together; all figures 0 without any that could be estimated."""

    networks: int
    """That could be estimated."""
    refused: tuple[str, ...]
    """Those that could not."""
    median_error: float
    """Of absolute errors."""
    p90_error: float
    worst_error: float
    bias: float
    """Mean of the errors."""
    coverage: float
    """Share of the networks measured inside their interval."""
    width: float
    """Median width of the intervals, relative to the estimate."""
    interpolated: float
    """Median share of guessed time."""


def leave_out(
    compositions: Sequence[Composition],
    results: SystemResults,
    measured_ns: Mapping[str, int],
    groups: Mapping[str, str],
    rule: Rule | None = None,
) -> tuple[LeftOut, ...]:
    """Estimate each network from what is known without its group.

    Args:
        compositions: of the networks.
        results: of one system, with the sequences of all of them.
        measured_ns: latency of each whole, by model; others are no more than a source of sequences.
        groups: group of a model; one that is not listed is a group of its own.
        rule: how sequences overlap; the sum of all if None.
    """
    users: dict[str, set[str]] = {}
    features = dict(results.features)
    for one in compositions:
        for step in one.steps:
            users.setdefault(step.fingerprint, set()).add(groups.get(one.model, one.model))
            if step.features is not None:
                features[step.fingerprint] = step.features
    made = []
    for one in compositions:
        if one.model not in measured_ns:
            continue
        group = groups.get(one.model, one.model)
        kept = {name: row for name, row in results.measurements.items() if users.get(name) != {group}}
        others = dataclasses.replace(
            results, measurements=kept, features={name: features[name] for name in kept if name in features}
        )
        how = rule or Rule.parse("sequential")
        made.append(set_beside(one, measured_ns[one.model], others, fit(others), rule=how, group=group))
    return tuple(made)


def set_beside(
    composition: Composition,
    measured_ns: int,
    others: SystemResults,
    interpolator: Interpolator | None,
    *,
    rule: Rule,
    group: str,
) -> LeftOut:
    """Estimate a network from the results of others, and set it beside its measured latency.

    Args:
        composition: of the network.
        measured_ns: latency of the whole.
        others: results without those of the network.
        interpolator: learned from them.
        rule: how sequences overlap.
        group: who was left out.
    """
    guess = estimate(composition, others, rule, interpolator=interpolator, interleaved=True)
    names = {step.fingerprint: step.name for step in composition.steps}
    return LeftOut(
        model=composition.model,
        group=group,
        measured_ns=measured_ns,
        estimated_ns=guess.total_ns,
        low_ns=guess.low_ns,
        high_ns=guess.high_ns,
        interpolated=guess.traits.interpolated,
        missing=tuple(dict.fromkeys(names[fingerprint] for fingerprint in guess.missing)),
    )


def summarise_left_out(rows: Sequence[LeftOut]) -> LeftOutSummary:
    """Put the figures of networks that were left out together."""
    judged = [row for row in rows if not row.missing]
    errors = [abs(row.error) for row in judged] or [0.0]
    return LeftOutSummary(
        networks=len(judged),
        refused=tuple(row.model for row in rows if row.missing),
        median_error=median(errors),
        p90_error=float(np.percentile(errors, 90)),
        worst_error=max(errors),
        bias=fmean([row.error for row in judged] or [0.0]),
        coverage=fmean([float(row.covered) for row in judged] or [0.0]),
        width=median([(row.high_ns - row.low_ns) / max(1, row.estimated_ns) for row in judged] or [0.0]),
        interpolated=median([row.interpolated for row in judged] or [0.0]),
    )
