"""The command ``validate``."""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from dlbricks.cli.decoders import LoopChoice, loop_options, validate_answer, variant_options
from dlbricks.cli.networks import named_networks
from dlbricks.cli.options import ManyOptionsCommand, json_flag, table_options
from dlbricks.cli.splitting import SplitChoice, grid_split_options, models_argument
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import MEASURING_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.rules import Rule
    from dlbricks.validate.prepare import ValidationPlan
    from dlbricks.validate.types import NetworkValidation, Validation

BASELINES = ("paper",)


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --rule --runtime --provider --threads --budget -o --prompt --generate --json",
    short_help="Compare estimates with measurements on this machine.",
)
@models_argument
@variant_options
@partial(grid_split_options, measured=False)
@click.option("--rule", metavar="RULE", help="sequential (the default), pairs, parallel, or lanes:k.")
@table_options(MEASURING_OPTIONS)
@click.option("--baseline", type=click.Choice(BASELINES), help="Measure the published method in the same run, too.")
@click.option("-o", "--out", metavar="FILE.json", help="Write the results to this file, after each network.")
@click.option("--resume", is_flag=True, help="Measure only the networks that are not in -o.")
@click.option("--keep", metavar="DIR", help="Archive every run there, as Parquet (extra 'parquet').")
@loop_options
@json_flag
def validate(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    choice: SplitChoice,
    rule: str | None,
    asked: RunOptions,
    baseline: str | None,
    out: str | None,
    resume: bool,
    keep: str | None,
    loop: LoopChoice | None,
    as_json: bool,
) -> None:
    """Measure networks end to end and by parts in one interleaved run, and compare estimates with measurements.

    Weights are synthetic and scaled so that outputs are finite. This is checked in the end-to-end runs; with --prompt,
    which has none, in calls of up to 10^11 operations. --budget is for all networks together. A network that fails is
    reported and the others continue; the exit code is then 4.

    --prompt 512 --generate 64 runs a decoder in a loop, alternating with measurements of its sequences at the lengths
    of --dim, as in --dim past=0,1024 --dim sequence=1,256, by default at those that 'generate' chooses
    (docs/decoders.md).
    """
    from pathlib import Path

    from dlbricks.construct.rules import Rule
    from dlbricks.files import refuse_unwritable, refuse_unwritable_folder

    if loop is not None:
        _refuse_beside_loop({"--rule": rule, "--baseline": baseline, "--resume": resume, "--keep": keep})
        plan = _planned(models, choice, None, asked, baseline="", keep=None)
        validate_answer(models, choice, plan, loop, Path(out) if out else None, as_json=as_json)
        return
    if choice.points:
        raise InputError("several extents of a dimension are for --prompt only: give one of each")
    plan = _planned(
        models,
        choice,
        Rule.parse(rule) if rule else None,
        asked,
        baseline=baseline or "",
        keep=Path(keep) if keep else None,
    )
    file = Path(out) if out else None
    if file is not None:
        refuse_unwritable(file)
    if keep:
        refuse_unwritable_folder(Path(keep))
    validation = _measure(models, plan, file, resume=resume)
    _show(validation, as_json=as_json)
    if validation.failed:
        networks = counted(len(validation.failed) + len(validation.networks), "network")
        raise BenchmarkError(f"{len(validation.failed)} of {networks} failed")


def _refuse_beside_loop(given: Mapping[str, object]) -> None:
    """Raise InputError for options that cannot be combined with ``--prompt``."""
    for name, value in given.items():
        if value:
            raise InputError(f"{name} does not go with --prompt: leave one of them out")


def _planned(
    models: Sequence[str],
    choice: SplitChoice,
    rule: "Rule | None",
    asked: RunOptions,
    *,
    baseline: str,
    keep: "Path | None",
) -> "ValidationPlan":
    """Return the settings of a validation.

    Raises:
        InputError: a file, an extent or a granularity cannot be used, or no network has a dimension.
    """
    from dlbricks.construct.rules import Rule
    from dlbricks.sequences.types import Granularity
    from dlbricks.validate.prepare import ValidationPlan

    if models:
        named_networks(models, choice.dims)
    return ValidationPlan(
        dims=choice.dims,
        granularity=Granularity.parse(choice.granularity),
        splitter=choice.splitter,
        target=choice.target,
        rule=rule or Rule.parse("sequential"),
        options=asked,
        baseline=baseline,
        batch=choice.batch,
        allow_values=choice.allow_values,
        keep=keep,
    )


def _measure(models: Sequence[str], plan: "ValidationPlan", file: "Path | None", *, resume: bool) -> "Validation":
    """Validate networks one after another, and write the file after each."""
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import measuring_many
    from dlbricks.report.validation import progress_prefix
    from dlbricks.validate.measure import validate as validate_networks
    from dlbricks.validate.summary import write_validation

    paths = find_networks(models)
    finished = _finished(file, plan) if resume else ()
    began = time.monotonic()
    starts: dict[int, float] = {}
    with measuring_many() as advance:

        def record(validation: "Validation") -> None:
            if file is not None:
                write_validation(file, validation)

        return validate_networks(
            paths,
            plan,
            finished=finished,
            progress=lambda at, message: advance(
                progress_prefix(at, starts.setdefault(at.index, time.monotonic() - began)), message
            ),
            record=record,
        )


def _finished(file: "Path | None", plan: "ValidationPlan") -> "tuple[NetworkValidation, ...]":
    """Return the networks of an earlier run.

    Raises:
        InputError: the file cannot be read, or has other settings.
    """
    from dlbricks.validate.measure import settings_of
    from dlbricks.validate.summary import read_validation

    if file is None:
        raise InputError("--resume needs -o FILE: the file of the run to continue")
    if not file.exists():
        return ()
    before, now = read_validation(file), settings_of(plan)
    differing = [
        f"{field.name} was {getattr(before.settings, field.name)}, now it is {getattr(now, field.name)}"
        for field in dataclasses.fields(now)
        if getattr(before.settings, field.name) != getattr(now, field.name)
    ]
    if differing:
        raise InputError(f"{file} cannot be resumed: {differing[0]}; run as before, or name another file")
    return before.networks


def _show(made: "Validation", *, as_json: bool) -> None:
    from dlbricks.report.console import show
    from dlbricks.report.validation import validation_report
    from dlbricks.validate.summary import validation_text

    if as_json:
        click.echo(validation_text(made), nl=False)
    else:
        show(*validation_report(made))
