"""Kept runs composed again, nothing measured: as validations, and as estimates of networks that nobody has seen."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.comparison import compare
from dlbricks.construct.families import families
from dlbricks.construct.kept import KeptRun, read_kept
from dlbricks.construct.leaveout import LeftOut, leave_out
from dlbricks.construct.nouns import Composition
from dlbricks.construct.rules import Rule
from dlbricks.construct.trial import ValidationPlan, dissect
from dlbricks.construct.validation_file import validation_of
from dlbricks.construct.validation_nouns import FailedModel, ModelValidation, Validation, ValidationSettings
from dlbricks.errors import DlbricksError, InputError
from dlbricks.sequences.types import Granularity
from dlbricks.store.nouns import SystemResults
from dlbricks.store.summary import measurements

LEFT_OUT = ("network", "family")
"""What can be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Which kept runs are composed again, and how."""

    kept: Sequence[Path]
    """Files of kept runs."""
    rule: Rule | None = None
    """How parts are composed; None: as then."""
    networks: Sequence[Path] = ()
    """Networks whose compositions are made anew, which says what the rules of today make of them; a lowered one only
    where its lowered graph is still the same. Others are taken as they were kept."""
    plan: ValidationPlan | None = None
    """With the dimensions of the networks; needed for ``networks`` only."""


def recompute(again: Again) -> Validation:
    """Set estimates beside what was measured, again.

    Raises:
        InputError: a file is no kept run, or two were measured otherwise.
    """
    models, failed, settings = list[ModelValidation](), list[FailedModel](), list[ValidationSettings]()
    for run in _runs(again):
        settings.append(run.facts.settings)
        try:
            models.append(compare(run, Rule.parse(run.facts.settings.rule)))
        except DlbricksError as error:
            failed.append(FailedModel(model=run.facts.composition.model, reason=str(error)))
    return validation_of(settings[0], tuple(models), tuple(failed))


def left_out(again: Again, by: str) -> tuple[LeftOut, ...]:
    """Estimate every network from the runs of the others, with interpolation of what they do not have.

    Args:
        again: runs of at least two networks.
        by: ``network``, or ``family`` to leave out with each network those that share much of it.

    Raises:
        InputError: a file is no kept run, or two were measured otherwise.
    """
    compositions, results, models = list[Composition](), dict[str, SystemResults](), list[ModelValidation]()
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
        pool = pooled(results, last=one.model)
        made += leave_out(compositions, pool, {one.model: one.measured_ns}, groups, rule)
    return tuple(made)


def pooled(results: Mapping[str, SystemResults], last: str) -> SystemResults:
    """Put the results of all runs together; what several hold is taken from any but the one named last."""
    ordered = [results[last], *(one for model, one in reversed(list(results.items())) if model != last)]
    others = ordered[-1]
    return dataclasses.replace(
        others,
        measurements={name: row for one in ordered for name, row in one.measurements.items()},
        features={name: row for one in ordered for name, row in one.features.items()},
        drift=max(one.drift for one in ordered),
    )


def _runs(again: Again) -> Iterator[KeptRun]:
    """Read runs one after another; their settings have the rule that is asked for."""
    anew = {path.stem: path for path in again.networks}
    first: ValidationSettings | None = None
    for path in again.kept:
        run = read_kept(path)
        then = run.facts.settings
        rule = again.rule or Rule.parse(then.rule)
        if rule.kind == "pairs" and then.rule != "pairs":
            raise InputError(f"{path} was measured without pairs of sequences: measure again with --rule pairs")
        settings = dataclasses.replace(then, rule=str(rule))
        first = first or settings
        if settings != first:
            raise InputError(f"{path} was measured otherwise than {again.kept[0]}: keep such runs apart")
        if again.plan is not None and run.facts.composition.model in anew:
            run = _renewed(run, anew[run.facts.composition.model], again.plan)
        yield dataclasses.replace(run, facts=dataclasses.replace(run.facts, settings=settings))


def _renewed(run: KeptRun, path: Path, plan: ValidationPlan) -> KeptRun:
    """Give a run the composition that its network has today, split as it was then."""
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
    made = dissect(path, then)
    facts = dataclasses.replace(run.facts, composition=made.composition, contexts=made.contexts)
    return KeptRun(facts=facts, document=run.document)
