"""The command ``validate``: it compares estimates of networks with measurements on this machine."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.options import Command, ManyOptionsCommand, json_flag, table_options, with_options
from dlbricks.cli.splitting import (
    SplitChoice,
    grid_split_options,
    models_argument,
    named_networks,
    network_files,
    tell_about_prompts,
)
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import MEASURING_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.validate.measure import ValidationPlan


def validate_options(command: Command) -> Command:
    """Add the options of ``validate``, except its networks, to a command."""
    return with_options(
        command,
        partial(grid_split_options, measured=False),
        click.option("--rule", metavar="RULE", help="Composition rule: sequential (the default), pairs or parallel."),
        table_options(MEASURING_OPTIONS),
        click.option("-o", "--out", metavar="FILE.json", help="Write the results to this file, after each network."),
        click.option("--resume", is_flag=True, help="Measure only the networks that the file of -o does not have yet."),
        click.option("--keep", metavar="DIR", help="Write the result of each network's run to a JSON file there."),
        json_flag,
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --rule --runtime --provider --threads --budget -o --json",
    short_help="Compare estimates with measurements on this machine.",
)
@models_argument
@validate_options
def validate(*, choice: SplitChoice, **options: Any) -> None:
    """Measure networks end to end and by parts in one interleaved run, and compare estimates with measurements.

    Weights are synthetic and scaled so that outputs are finite; the end-to-end runs check that. --budget is for all
    networks together. If a network fails, it is reported, the others continue, and the exit code is 4.
    """
    tell_about_prompts(choice, "validate")
    show_validation(choice=choice, **options)


def show_validation(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    choice: SplitChoice,
    run_options: RunOptions,
    rule: str | None = None,
    out: str | None,
    resume: bool = False,
    keep: str | None = None,
    as_json: bool,
) -> None:
    """Validate networks and show the results; after each network the results are written to the file ``out``."""
    from pathlib import Path

    from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
    from dlbricks.report.console import measuring, show
    from dlbricks.report.validation import progress_prefix, validation_report
    from dlbricks.validate.compare import validation_text, write_validation
    from dlbricks.validate.measure import finished_networks
    from dlbricks.validate.measure import validate as validate_networks

    if choice.points:
        raise InputError("--dim has several extents: give one, or use 'llm validate --prompt' for whole prompts")
    file, folder = (Path(text) if text else None for text in (out, keep))
    plan = plan_of(models, choice, run_options, rule=rule, keep=folder)
    # the first write is tested before the measurements, since hours of them would be lost if it failed
    if file is not None:
        refuse_unwritable(file, b"{", replace=resume or run_options.force)
    if folder is not None:
        refuse_unwritable_folder(folder)
    if resume and file is None:
        raise InputError("--resume needs -o FILE with the results of the run to continue")
    networks, began = network_files(models, choice.settings.passes), time.monotonic()
    starts: dict[int, float] = {}
    with measuring() as advance:
        validation = validate_networks(
            networks,
            plan,
            finished=finished_networks(file, plan) if resume and file else (),
            progress=lambda at, message: advance(
                message, progress_prefix(at, starts.setdefault(at.index, time.monotonic() - began))
            ),
            record=lambda validation: None if file is None else write_validation(file, validation),
        )
    if as_json:
        click.echo(validation_text(validation), nl=False)
    else:
        show(*validation_report(validation))
    if validation.failed:
        of_all = f"of {counted(len(validation.failed) + len(validation.networks), 'network')}"
        raise BenchmarkError(f"{len(validation.failed)} {of_all} failed")


def plan_of(
    models: Sequence[str],
    choice: SplitChoice,
    run_options: RunOptions,
    *,
    rule: str | None = None,
    keep: "Path | None" = None,
) -> "ValidationPlan":
    """Return the plan of a validation from the options of the command line."""
    from dlbricks.construct.types import Rule
    from dlbricks.validate.measure import ValidationPlan

    if models:
        named_networks(models, choice.settings)
    return ValidationPlan(
        settings=replace(choice.settings, threads=run_options.threads),
        rule=Rule.parse(rule or "sequential"),
        options=run_options,
        keep=keep,
    )
