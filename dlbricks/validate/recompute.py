"""Archived runs composed again without measuring: validations, and estimates of networks from those of others."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np

from dlbricks.construct.estimate import estimate
from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition
from dlbricks.errors import DlbricksError, InputError
from dlbricks.model.read.decoders import network_name
from dlbricks.sequences.types import Granularity
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.archive import ArchivedRun, read_runs
from dlbricks.validate.compare import compare
from dlbricks.validate.prepare import ValidationPlan, apart, dissect
from dlbricks.validate.summary import validation_of
from dlbricks.validate.types import FailedNetwork, NetworkValidation, Validation, ValidationSettings

SHARED = 0.1
"""Two networks are of one family if shared sequences have at least this share of the time of either."""


def families(models: Sequence[NetworkValidation]) -> dict[str, str]:
    """Cluster networks into families; returns the name of the family's first member for each.

    Single-linkage clustering: two networks are of one family if shared sequences have ``SHARED`` of the time of either,
    or if a chain of such networks connects them.
    """
    family = {one.network: one.network for one in models}
    for index, one in enumerate(models):
        for other in models[:index]:
            if _shared(one, other) >= SHARED:
                old, new = sorted((family[one.network], family[other.network]), reverse=True)
                family = {model: new if name == old else name for model, name in family.items()}
    return family


def _shared(one: NetworkValidation, other: NetworkValidation) -> float:
    """Return the share of time in shared sequences, of the network where it is larger."""
    both = {part.fingerprint for part in one.parts} & {part.fingerprint for part in other.parts}
    return max(sum(part.share for part in each.parts if part.fingerprint in both) for each in (one, other))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A network estimated from the results of other networks."""

    network: str
    group: str
    """The group of networks that was left out."""
    measured_ns: int
    estimated_ns: int
    low_ns: int
    high_ns: int
    interpolated: float
    """Share of the estimated time that was interpolated, 0 to 1."""
    missing: tuple[str, ...]
    """Unique names of sequences that could not be interpolated; if there are any, the estimate is incomplete."""

    @property
    def error(self) -> float:
        """Relative error: estimated / measured - 1."""
        return self.estimated_ns / max(1, self.measured_ns) - 1

    @property
    def covered(self) -> bool:
        """Whether the measured latency is inside the interval."""
        return self.low_ns <= self.measured_ns <= self.high_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutSummary:
    """Error figures over left-out networks; all are 0 if none could be estimated completely."""

    network_count: int
    """Number of networks with a complete estimate."""
    refused: tuple[str, ...]
    """Names of networks without one."""
    median_error: float
    """Of absolute relative errors, as are the next two."""
    p90_error: float
    worst_error: float
    bias: float
    """Mean of the signed errors."""
    coverage: float
    """Share of networks whose measured latency is inside the interval."""
    width: float
    """Median width of the intervals, relative to the estimate."""
    interpolated: float
    """Median share of interpolated time."""


def leave_out(
    compositions: Sequence[Composition],
    results: SystemResults,
    measured_ns: Mapping[str, int],
    groups: Mapping[str, str],
    rule: Rule | None = None,
) -> tuple[LeftOut, ...]:
    """Estimate each network from the measurements that remain without its group.

    Args:
        compositions: of the networks.
        results: of one system, with the sequences of all networks.
        measured_ns: end-to-end latency by network; networks without one only contribute sequences.
        groups: group of each network; one without an entry is a group of its own.
        rule: composition rule; None for ``sequential``.
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
        made.append(estimate_left_out(one, measured_ns[one.model], others, fit(others), rule=how, group=group))
    return tuple(made)


def estimate_left_out(
    composition: Composition,
    measured_ns: int,
    others: SystemResults,
    interpolator: Interpolator | None,
    *,
    rule: Rule,
    group: str,
) -> LeftOut:
    """Estimate a network from the results of others, for comparison with its measured latency.

    Args:
        composition: of the network.
        measured_ns: end-to-end latency.
        others: results without those of the network.
        interpolator: fitted to them.
        rule: composition rule.
        group: name of the group that was left out.
    """
    guess = estimate(composition, others, rule, interpolator=interpolator, interleaved=True)
    names = {step.fingerprint: step.name for step in composition.steps}
    return LeftOut(
        network=composition.model,
        group=group,
        measured_ns=measured_ns,
        estimated_ns=guess.total_ns,
        low_ns=guess.low_ns,
        high_ns=guess.high_ns,
        interpolated=guess.traits.interpolated,
        missing=tuple(dict.fromkeys(names[fingerprint] for fingerprint in guess.missing)),
    )


def summarise_left_out(rows: Sequence[LeftOut]) -> LeftOutSummary:
    """Compute the error figures over left-out networks."""
    judged = [row for row in rows if not row.missing]
    errors = [abs(row.error) for row in judged] or [0.0]
    return LeftOutSummary(
        network_count=len(judged),
        refused=tuple(row.network for row in rows if row.missing),
        median_error=median(errors),
        p90_error=float(np.percentile(errors, 90)),
        worst_error=max(errors),
        bias=fmean([row.error for row in judged] or [0.0]),
        coverage=fmean([float(row.covered) for row in judged] or [0.0]),
        width=median([(row.high_ns - row.low_ns) / max(1, row.estimated_ns) for row in judged] or [0.0]),
        interpolated=median([row.interpolated for row in judged] or [0.0]),
    )


LEFT_OUT = ("network", "family")
"""Groups that can be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecomputeOptions:
    """Archived runs to be composed again, and options."""

    source: Path
    """Archive, or folder of archives."""
    names: tuple[str, ...] = ()
    """Names of the runs; empty for all."""
    rule: Rule | None = None
    """Composition rule; None for that of the run."""
    networks: Sequence[Path] = ()
    """Networks that are split and composed again by the current code; a lowered one has to give the same graph as then.
    For other networks the archived composition is used."""
    plan: ValidationPlan | None = None
    """Settings with the dimensions of ``networks``."""


def recompute(again: RecomputeOptions) -> Validation:
    """Compose archived runs again and compare the estimates with the measured latencies.

    Raises:
        InputError: a file is not an archive, or runs have different settings.
    """
    models, failed, settings = list[NetworkValidation](), list[FailedNetwork](), list[ValidationSettings]()
    for run in _runs(again):
        settings.append(run.facts.settings)
        try:
            models.append(compare(run, Rule.parse(run.facts.settings.rule)))
        except DlbricksError as error:
            failed.append(FailedNetwork(network=run.facts.composition.model, reason=str(error)))
    return validation_of(settings[0], tuple(models), tuple(failed))


def leave_out_runs(again: RecomputeOptions, by: str) -> tuple[LeftOut, ...]:
    """Estimate every archived network from the runs of the others, interpolating missing sequences.

    Args:
        again: runs of at least two networks.
        by: ``network``, or ``family`` to leave out the family of each network.

    Raises:
        InputError: a file is not an archive, or runs have different settings.
    """
    compositions, results, models = list[Composition](), dict[str, SystemResults](), list[NetworkValidation]()
    rule = Rule.parse("sequential")
    for run in _runs(again):
        rule = Rule.parse(run.facts.settings.rule)
        try:
            models.append(compare(run, rule))
        except DlbricksError:
            continue
        compositions.append(run.facts.composition)
        results[run.facts.composition.model] = measurements(dict(run.document))
    groups = families(models) if by == "family" else {}
    made: list[LeftOut] = []
    for one in models:
        pool = pooled(results, last=one.network)
        made += leave_out(compositions, pool, {one.network: one.measured_ns}, groups, rule)
    return tuple(made)


def pooled(results: Mapping[str, SystemResults], last: str) -> SystemResults:
    """Merge the results of all runs; a sequence of several runs is taken from one other than ``last``."""
    ordered = [results[last], *(one for model, one in reversed(list(results.items())) if model != last)]
    others = ordered[-1]
    return dataclasses.replace(
        others,
        measurements={name: row for one in ordered for name, row in one.measurements.items()},
        features={name: row for one in ordered for name, row in one.features.items()},
        drift=max(one.drift for one in ordered),
    )


def _runs(again: RecomputeOptions) -> Iterator[ArchivedRun]:
    """Yield the runs, with the requested rule in their settings."""
    anew = {network_name(path): path for path in again.networks}
    first: ValidationSettings | None = None
    for name, run in read_runs(again.source, again.names).items():
        then = run.facts.settings
        rule = again.rule or Rule.parse(then.rule)
        if rule.kind == "pairs" and then.rule != "pairs":
            raise InputError(f"{name} was measured without pairs of sequences: measure again with --rule pairs")
        settings = dataclasses.replace(then, rule=str(rule))
        first = first or settings
        if settings != first:
            raise InputError(
                f"{again.source}: {name} was measured with other settings than the runs before it: keep such runs apart"
            )
        if again.plan is not None and run.facts.composition.model in anew:
            run = _renewed(run, anew[run.facts.composition.model], again.plan)  # noqa: PLW2901
        yield dataclasses.replace(run, facts=dataclasses.replace(run.facts, settings=settings))


def _renewed(run: ArchivedRun, path: Path, plan: ValidationPlan) -> ArchivedRun:
    """Replace the composition of a run by that of the current code, with the run's settings."""
    settings = run.facts.settings
    then = dataclasses.replace(
        plan,
        target=settings.target,
        granularity=Granularity.parse(settings.granularity),
        splitter=settings.splitter,
        rule=Rule.parse(settings.rule),
        batch=settings.batch,
        options=dataclasses.replace(plan.options, threads=settings.threads),
    )
    made = apart(dissect, path, then)
    facts = dataclasses.replace(run.facts, composition=made.composition, contexts=made.contexts)
    return ArchivedRun(facts=facts, document=run.document)
