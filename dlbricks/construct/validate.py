"""Estimate against measurement: a network end to end and by parts, in one interleaved run on this machine.

Parts and whole are benchmarks of one temporary suite, visited in turn, with the same relative interval as their goal.
The whole is the network as it was read (portable, folded), run with all graph optimisations: what a user would run.
"""

import dataclasses
import functools
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.construct.estimate import estimate
from dlbricks.construct.nouns import Composition, Estimate
from dlbricks.construct.rules import Rule
from dlbricks.construct.trial import Trial, ValidationPlan, prepare
from dlbricks.construct.validation_file import validation_of
from dlbricks.construct.validation_nouns import (
    FailedModel,
    ModelValidation,
    PartResult,
    Validation,
    ValidationSettings,
)
from dlbricks.errors import BenchmarkError, DlbricksError
from dlbricks.files import write_text
from dlbricks.fingerprint import canonical_json
from dlbricks.harness.errors import INTERRUPTED, HarnessError
from dlbricks.harness.facts import system_facts, system_name
from dlbricks.harness.progress import Progress
from dlbricks.harness.runner import run_suite, session_settings
from dlbricks.harness.session import check_settings, runtime_facts
from dlbricks.store.nouns import Measurement
from dlbricks.store.summary import measurements
from dlbricks.suite.write import write_suite

_REASONS_SHOWN = 3
MIN_VISITS = 8
"""Least visits to each part and to the whole: what is compared has to have seen the same ups and downs."""
MAX_TIME_NS = 2_000_000_000
"""Timed calls of one benchmark after which it is left alone, narrow or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where among its networks a validation is."""

    model: str
    """The one at work."""
    index: int
    """Its number, from 0, among those to be measured."""
    total: int
    """Networks to be measured."""


Told = Callable[[Position, Progress], None]
"""Called with the network at work and how far its run is."""


def settings_of(plan: ValidationPlan) -> ValidationSettings:
    """Say how a plan measures on this machine, as the file keeps it.

    Raises:
        HarnessError: a provider or an option that the runtime does not have.
    """
    session = session_settings(plan.options)
    check_settings(session)
    facts = runtime_facts(session)
    return ValidationSettings(
        target=plan.target,
        granularity=str(plan.granularity),
        splitter=plan.splitter,
        rule=str(plan.rule),
        provider=facts["provider"],
        threads=plan.options.threads,
        runtime=f"{facts['name']} {facts['version']}",
        system=plan.options.name or system_name(system_facts()),
    )


def validate(
    paths: Sequence[Path],
    plan: ValidationPlan,
    *,
    finished: Sequence[ModelValidation] = (),
    told: Told,
    record: Callable[[Validation], None],
) -> Validation:
    """Validate networks one after another; one that fails is reported and the rest go on.

    Args:
        paths: networks; those whose name is among ``finished`` are not measured again.
        plan: how.
        finished: networks of an earlier run.
        told: told how far it is.
        record: given all that is known after each network.

    Raises:
        HarnessError: the run was interrupted (exit code 130), or nothing can be run as asked.
    """
    settings = settings_of(plan)
    models, failed = list(finished), list[FailedModel]()
    known = {one.model for one in finished}
    left = [path for path in paths if path.stem not in known]
    began = time.perf_counter_ns()
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as weights:
        for index, path in enumerate(left):
            at = Position(model=path.stem, index=index, total=len(left))
            budget_ns = _share(plan.options.budget_ns, time.perf_counter_ns() - began, len(left) - index)
            one_plan = dataclasses.replace(plan, options=dataclasses.replace(plan.options, budget_ns=budget_ns))
            try:
                models.append(validate_network(path, one_plan, Path(weights), functools.partial(told, at)))
            except (DlbricksError, HarnessError) as error:
                if isinstance(error, HarnessError) and error.exit_code == INTERRUPTED:
                    message = f"interrupted in {path.stem}; with --json FILE the networks before it are kept: --resume"
                    raise HarnessError(message, INTERRUPTED) from error
                failed.append(FailedModel(model=path.stem, reason=str(error)))
            record(validation_of(settings, tuple(models), tuple(failed)))
    return validation_of(settings, tuple(models), tuple(failed))


def _share(budget_ns: int | None, spent_ns: int, networks: int) -> int | None:
    """Give the next network its share of what is left of the budget."""
    return None if budget_ns is None else max(1, (budget_ns - spent_ns) // networks)


def validate_network(
    path: Path, plan: ValidationPlan, weights: Path, told: Callable[[Progress], None]
) -> ModelValidation:
    """Measure one network by parts and end to end, and compare.

    Args:
        path: the network.
        plan: how.
        weights: folder of weight files, which many networks share.
        told: told how far the run is.

    Raises:
        InputError: the network cannot be used.
        BenchmarkError: a part or the whole gave no latency, or the whole's outputs are not finite.
        HarnessError: the run was interrupted, or nothing can be run as asked.
    """
    began = time.perf_counter()
    trial = prepare(path, plan)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch) / "suite"
        write_suite(folder, trial.suite, trial.networks)
        options = dataclasses.replace(plan.options, min_visits=MIN_VISITS, max_time_ns=MAX_TIME_NS)
        document = run_suite(folder, Path(scratch) / "result.json", options, told, weights=weights)
    if plan.keep is not None:
        write_text(plan.keep / f"{path.stem}.json", canonical_json(document).decode() + "\n")
    return compare(trial, document, plan.rule, seconds=time.perf_counter() - began)


def compare(trial: Trial, document: Mapping[str, Any], rule: Rule, *, seconds: float) -> ModelValidation:
    """Set the estimate from the parts beside the measured whole. Pure.

    Args:
        trial: what was measured.
        document: the result of the run.
        rule: how parts are composed.
        seconds: what all of it took.

    Raises:
        BenchmarkError: a part or the whole gave no latency, or the whole's outputs are not finite.
    """
    entries = {entry["fingerprint"]: entry for entry in document["benchmarks"]}
    _refuse_unmeasured(trial, entries)
    _refuse_infinite(trial, entries[trial.whole])
    end_to_end = measurements(dict(document), roles=("whole",)).measurements[trial.whole]
    results = measurements(dict(document))
    made = estimate(trial.composition, results, rule)
    parts = _part_results(trial.composition, made, results.measurements)
    return ModelValidation(
        model=trial.composition.model,
        measured_ns=end_to_end.latency_ns,
        measured_low_ns=end_to_end.low_ns,
        measured_high_ns=end_to_end.high_ns,
        measured_verdict=end_to_end.verdict,
        estimated_ns=made.total_ns,
        low_ns=made.low_ns,
        high_ns=made.high_ns,
        ratio=made.total_ns / max(1, end_to_end.latency_ns),
        layers=trial.composition.layers,
        unique_layers=sum(part.layers for part in parts),
        coverage=made.coverage,
        call_overhead_ns=made.call_overhead_ns,
        drift=results.drift,
        suite_seconds=sum(part.wall_ns for part in parts) / 1e9,
        end_to_end_seconds=end_to_end.wall_ns / 1e9,
        run_seconds=round(seconds, 3),
        parts=parts,
    )


def _refuse_unmeasured(trial: Trial, entries: Mapping[str, Mapping[str, Any]]) -> None:
    wanted = {step.fingerprint: step.name for step in trial.composition.steps if not step.free}
    wanted[trial.whole] = "the whole network"
    reasons = [
        f"{name}: {entries[fingerprint]['reason'] or entries[fingerprint]['status']}"
        for fingerprint, name in wanted.items()
        if entries[fingerprint]["status"] != "ok" or not entries[fingerprint]["visits"]
    ]
    if reasons:
        more = f" (and {len(reasons) - _REASONS_SHOWN} more)" if len(reasons) > _REASONS_SHOWN else ""
        raise BenchmarkError(f"no latency of {'; '.join(reasons[:_REASONS_SHOWN])}{more}")


def _refuse_infinite(trial: Trial, entry: Mapping[str, Any]) -> None:
    """The whole was run for nothing if activations overflowed on the way: such numbers may be quicker to handle."""
    benchmark = next(one for one in trial.suite.benchmarks if one.fingerprint == trial.whole)
    for contract, sketch in zip(benchmark.outputs, entry["sketches"], strict=True):
        if sketch["finite"] < 1:
            share = 1 - sketch["finite"]
            raise BenchmarkError(f"{share:.1%} of output {contract.name} of the whole network are not finite")


def _part_results(composition: Composition, made: Estimate, known: Mapping[str, Measurement]) -> tuple[PartResult, ...]:
    layers = {step.fingerprint: len(step.layers) for step in composition.steps}
    return tuple(
        PartResult(
            fingerprint=row.fingerprint,
            name=row.name,
            count=row.count,
            layers=layers[row.fingerprint],
            each_ns=row.each_ns,
            total_ns=row.total_ns,
            share=row.share,
            tier=row.tier,
            verdict=row.verdict,
            wall_ns=known[row.fingerprint].wall_ns if row.fingerprint in known else 0,
        )
        for row in made.rows
    )
