"""Compose archived runs again with the current code; measures nothing.

``python benchmarks/recompute.py ARCHIVE`` compares the estimates of the runs that ``dlbricks validate --keep`` left
with what was measured, as ``validate`` shows it; with ``--leave-out network`` (or ``family``) every network is
estimated from the runs of the others. Networks that are named behind the archive are split again; of others the
archived split is used.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np
from kept_runs import read_runs
from rich.console import RenderableType

from dlbricks.construct.estimate import estimate
from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.types import Composition, Rule
from dlbricks.errors import DlbricksError, InputError
from dlbricks.harness.options import RunOptions
from dlbricks.model.read.decoders import network_name
from dlbricks.model.read.network import find_networks
from dlbricks.report.console import show, table
from dlbricks.report.validation import validation_report
from dlbricks.settings import SplitSettings
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.units import counted, format_ns
from dlbricks.validate.compare import compare, validation_of, validation_text
from dlbricks.validate.measure import SplitNetwork, ValidationPlan, dissect
from dlbricks.validate.types import ArchivedRun, FailedNetwork, NetworkValidation, Validation, ValidationSettings

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


def recompute(runs: Mapping[str, ArchivedRun], rule: Rule | None = None) -> Validation:
    """Compose archived runs again and compare the estimates with the measured latencies.

    Args:
        runs: by name.
        rule: composition rule; None for that of the runs.

    Raises:
        InputError: runs have different settings.
    """
    models, failed = list[NetworkValidation](), list[FailedNetwork]()
    settings = common_settings(runs, rule)
    for run in runs.values():
        try:
            models.append(compare(run, Rule.parse(settings.rule)))
        except DlbricksError as error:
            failed.append(FailedNetwork(network=run.model, reason=str(error)))
    return validation_of(settings, tuple(models), tuple(failed))


def leave_out_runs(runs: Mapping[str, ArchivedRun], by: str, rule: Rule | None = None) -> tuple[LeftOut, ...]:
    """Estimate every archived network from the runs of the others, interpolating missing sequences.

    Args:
        runs: of at least two networks.
        by: ``network``, or ``family`` to leave out the family of each network.
        rule: as in ``recompute``.

    Raises:
        InputError: runs have different settings.
    """
    compositions, results, models = list[Composition](), dict[str, SystemResults](), list[NetworkValidation]()
    rule = Rule.parse(common_settings(runs, rule).rule)
    for run in runs.values():
        try:
            models.append(compare(run, rule))
        except DlbricksError:
            continue
        compositions.append(run.facts.composition)
        results[run.model] = measurements(dict(run.document))
    groups = families(models) if by == "family" else {}
    rows: list[LeftOut] = []
    for model in models:
        pool = pooled(results, last=model.network)
        rows += leave_out(compositions, pool, {model.network: model.measured_ns}, groups, rule)
    return tuple(rows)


def pooled(results: Mapping[str, SystemResults], last: str) -> SystemResults:
    """Merge the results of all runs; a sequence of several runs is taken from one other than ``last``."""
    ordered = [results[last], *(result for model, result in reversed(list(results.items())) if model != last)]
    others = ordered[-1]
    return dataclasses.replace(
        others,
        measurements={name: row for result in ordered for name, row in result.measurements.items()},
        features={name: row for result in ordered for name, row in result.features.items()},
        drift=max(result.drift for result in ordered),
    )


def common_settings(runs: Mapping[str, ArchivedRun], rule: Rule | None = None) -> ValidationSettings:
    """Return the settings that all runs have, with the rule they are composed by."""
    settings = {name: run.facts.settings for name, run in runs.items()}
    first = next(iter(settings.values()))
    for name, other in settings.items():
        if rule == Rule.PAIRS and other.rule != "pairs":
            raise InputError(f"{name} was measured without pairs of sequences: measure again with --rule pairs")
        if other != first:
            raise InputError(f"{name} was measured with other settings than the runs before it: keep such runs apart")
    return dataclasses.replace(first, rule=str(rule or first.rule))


def split_again(run: ArchivedRun, path: Path) -> SplitNetwork:
    """Split the network of a run with the current code and the settings of the run."""
    settings = run.facts.settings
    plan = ValidationPlan(
        settings=SplitSettings(
            granularity=settings.granularity,
            target=settings.target,
            splitter=settings.splitter,
            batch=settings.batch,
            threads=settings.threads,
        ),
        rule=Rule.parse(settings.rule),
        options=RunOptions(threads=settings.threads),
    )
    return dissect(path, plan)


def with_current_split(run: ArchivedRun, path: Path | None) -> ArchivedRun:
    """Replace the composition of a run by that of the current code; a run without a file stays as it is."""
    if path is None:
        return run
    network = split_again(run, path)
    facts = dataclasses.replace(run.facts, composition=network.composition)
    return ArchivedRun(facts=facts, document=run.document)


def left_out_report(rows: Sequence[LeftOut], by: str) -> list[RenderableType]:
    """Show leave-out estimates and measurements of each network.

    Args:
        rows: one per network.
        by: ``network`` or ``family``.
    """
    columns = ("network", "left out with", ">measured", ">estimated", ">interval", ">error", ">interpolated")
    shown = table(*columns, title=f"{by} left out")
    for row in sorted(rows, key=lambda row: -abs(row.error) if not row.missing else -float("inf")):
        group = row.group if row.group != row.network else ""
        if row.missing:
            unknown = (
                f"{counted(len(row.missing), 'kind')} of sequences cannot be interpolated: {', '.join(row.missing[:3])}"
            )
            shown.add_row(row.network, group, format_ns(row.measured_ns), "refused", unknown, "", "")
            continue
        shown.add_row(
            row.network,
            group,
            format_ns(row.measured_ns),
            format_ns(row.estimated_ns),
            f"{format_ns(row.low_ns)} to {format_ns(row.high_ns)}",
            f"{row.error:+.1%}",
            f"{row.interpolated:.0%}",
        )
    return [shown, left_out_line(summarise_left_out(rows))]


def left_out_line(one: LeftOutSummary) -> str:
    """Format the error statistics over all networks."""
    refused = f"; {len(one.refused)} refused, since sequences cannot be interpolated" if one.refused else ""
    if not one.network_count:
        return f"none estimated{refused}"
    return (
        f"{one.network_count} estimated: |error| median {one.median_error:.1%}, 90th percentile {one.p90_error:.1%}, "
        f"worst {one.worst_error:.1%}; bias {one.bias:+.1%}; {one.coverage:.0%} inside their interval of median width "
        f"{one.width:.1%}; median share of interpolated time {one.interpolated:.0%}{refused}"
    )


def main() -> None:
    """Show the estimates of an archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("networks", nargs="*", help="only these, split again")
    parser.add_argument("--rule", type=Rule.parse, help="another composition rule than that of the runs")
    parser.add_argument("--leave-out", choices=LEFT_OUT)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = {network_name(path): path for path in find_networks(options.networks)} if options.networks else {}
    archived = read_runs(options.archive, tuple(files))
    runs = {name: with_current_split(run, files.get(name)) for name, run in archived.items()}
    if options.leave_out:
        rows = leave_out_runs(runs, options.leave_out, options.rule)
        if options.json:
            print(json.dumps([dataclasses.asdict(row) for row in rows]))
        else:
            show(*left_out_report(rows, options.leave_out))
        return
    validation = recompute(runs, options.rule)
    if options.json:
        sys.stdout.write(validation_text(validation))
    else:
        show(*validation_report(validation))


if __name__ == "__main__":
    main()
