"""The commands ``coverage`` and ``plan``: what a system has measured, and what is left to measure."""

import functools
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.networks import as_measured, splits, tell_about_prompts
from dlbricks.cli.options import Command, ManyOptionsCommand, json_flag, system_options, with_options
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    extent_options,
    grid_split_options,
    measured_split_options,
    models_argument,
)
from dlbricks.cli.suite import SuiteChoice, suite_options, suite_settings, tell_left_out
from dlbricks.errors import InputError
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.settings import SplitSettings, SystemQuery

if TYPE_CHECKING:
    from dlbricks.store.types import SystemConfiguration


@click.command(short_help="Show which sequences of networks a system has measured.")
@models_argument
@measured_split_options
@system_options
@json_flag
def coverage(models: Sequence[str], choice: SplitChoice, where: SystemQuery, as_json: bool) -> None:
    """Show which sequences of networks a system has measured, and which are missing."""
    from dlbricks import api
    from dlbricks.report.estimates import coverage_report

    covered = api.coverage(splits(models, as_measured(models, choice, where)), where)
    present("coverage", covered, lambda: coverage_report(covered), as_json=as_json)


def plan_options(command: Command) -> Command:
    """The options of ``plan`` besides its networks."""
    return with_options(
        command,
        functools.partial(grid_split_options, measured=True),
        system_options,
        suite_options("plan"),
        click.option(
            "--grid",
            is_flag=True,
            help="Measure sizes on a public grid around the network's, for 'estimate --interpolate'.",
        ),
        click.option(
            "--grid-steps",
            type=click.Choice(["1", "2", "4", "8"]),
            help="Grid points per doubling of a size; more points disclose more. Default 2.",
        ),
        json_flag,
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --system --provider --threads --runtime -o --grid --json",
    short_help="Write a suite of the sequences that a system has not measured.",
)
@models_argument
@plan_options
def plan(*, models: Sequence[str], choice: SplitChoice, where: SystemQuery, **options: Any) -> None:
    """Write the smallest suite of all sequences of networks that a system has not measured, each once.

    No suite is written if nothing is missing. The commands to run the suite on the system, to submit the result and to
    estimate are printed.

    With --grid the suite has no sequences of the network except by chance: each size is replaced by the grid points
    below and above it (powers of 2 and the midpoints between them), and all of these sequences are included, measured
    or not. A receiver learns only the grid cells of the sizes. 'estimate --interpolate' interpolates the network
    (docs/owner.md). --grid-steps 1 uses only powers of 2; 4 and 8 have more points between them (docs/privacy.md).
    """
    tell_about_prompts(choice, "plan")
    choice = as_measured(models, choice, where)
    estimate = (("estimate", *models), extent_options(choice.points or (choice.settings.dims,)), ())
    show_plan(models, choice, where, [estimate], **options)


def show_plan(  # noqa: PLR0913 - one parameter per option
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    estimates: Sequence[Sequence[Sequence[str]]],
    *,
    wanted: SuiteChoice,
    grid: bool,
    grid_steps: str | None,
    as_json: bool,
) -> None:
    """Write the suite of a plan and show it.

    Args:
        models: networks, as named by the user.
        choice: options on the split, as measured.
        where: the system.
        estimates: words of each command that then estimates: verb and networks, extents, other options.
        wanted: options of the suite.
        grid: whether to measure on a grid.
        grid_steps: points of the grid per doubling.
        as_json: whether to print JSON.
    """
    from pathlib import Path

    from dlbricks import api
    from dlbricks.report.console import progress
    from dlbricks.report.estimates import plan_report

    options = suite_settings(choice, wanted)
    if grid and (choice.points or options.pairs or options.decoys or choice.settings.granularity == "inf"):
        raise InputError("--grid excludes --decoys, --pairs, --prompt, several lengths and -H inf")
    if grid_steps and not grid:
        raise InputError("--grid-steps needs --grid")
    request = (models, choice.settings, where, options)
    out = Path(wanted.out)
    with progress() as advance:
        if grid:
            planned = api.plan_grid(*request, out=out, steps=int(grid_steps or 2), progress=advance)
        else:
            planned = api.plan(*request, out=out, points=choice.points, progress=advance)
    tell_left_out(planned.reports)
    if planned.off_grid:
        tell(f"not on the grid, so not in the suite: {', '.join(planned.off_grid)}")
    suite = None if planned.suite is None else str(planned.suite)
    rule = ["--rule", "pairs"] if options.pairs else []
    commands = [] if suite is None else _commands(suite, choice.settings, planned.configuration, where, estimates, rule)
    if grid:
        commands[-1] += " --interpolate"
    present(
        "plan",
        {"suite": suite, "plan": planned.plan, "commands": commands},
        lambda: plan_report(planned.plan, suite, commands),
        as_json=as_json,
    )


def _commands(
    suite: str,
    settings: SplitSettings,
    there: "SystemConfiguration",
    where: SystemQuery,
    estimates: Sequence[Sequence[Sequence[str]]],
    rule: Sequence[str],
) -> list[str]:
    """Return the commands to run the suite on the system, submit the result, and estimate."""
    result = f"{suite.removesuffix('/').removesuffix('.tar.gz').removesuffix('.tar.xz')}.json"
    name = there.runtime.partition(" ")[0]
    configured = [] if name == ONNXRUNTIME else ["--runtime", name]
    configured += [] if there.provider == "cpu" else ["--provider", there.provider]
    configured += [] if there.threads == 1 else ["--threads", str(there.threads)]
    store = ["--store", where.store] if where.store else []
    split = ["-H", settings.granularity, "--target", settings.target, "--splitter", settings.splitter]
    others = [text for layer in settings.allow_values for text in ("--allow-values", layer)]
    others += ["--batch", str(settings.batch)] if settings.batch else []
    system = ["--system", there.system, *configured, *rule]
    return [
        shlex.join(("dlbricks", *words))
        for words in (
            ["run", suite, "-o", result, "--name", there.system, *configured],
            ["submit", result, "--suite", suite, *store],
            *([*verb, *split, *extents, *others, *system, *question, *store] for verb, extents, question in estimates),
        )
    ]
