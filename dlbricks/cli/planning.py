"""The commands ``coverage`` and ``plan``: which sequences a system has measured, and which are left to measure."""

import functools
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.options import Command, ManyOptionsCommand, json_flag, system_options, with_options
from dlbricks.cli.output import check_left_out, present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    as_measured,
    extent_options,
    grid_split_options,
    measured_split_options,
    models_argument,
    tell_about_prompts,
)
from dlbricks.cli.suite import suite_options, tell_left_out
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.settings import SplitSettings, SuiteOptions, SystemQuery

if TYPE_CHECKING:
    from dlbricks.api.suites import PlannedSuite
    from dlbricks.store.types import SystemConfiguration


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --system --provider --threads --runtime --json",
    short_help="Show which sequences of networks a system has measured and lacks.",
)
@models_argument
@measured_split_options
@system_options
@json_flag
def coverage(models: Sequence[str], choice: SplitChoice, where: SystemQuery, as_json: bool) -> None:
    """Show which sequences of networks a system has measured, and which are missing."""
    from dlbricks.api.estimates import coverage as covered_by
    from dlbricks.report.estimates import coverage_report

    covered = covered_by(models, choice.settings, where, tell)
    present("coverage", covered, lambda: coverage_report(covered), as_json=as_json)
    check_left_out(covered.left_out)


def plan_options(command: Command) -> Command:
    """Add the options of ``plan``, except its networks, to a command."""
    return with_options(
        command, functools.partial(grid_split_options, measured=True), system_options, suite_options("plan"), json_flag
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --system --provider --threads --runtime -o --json",
    short_help="Write a suite of the sequences that a system has not measured.",
)
@models_argument
@plan_options
def plan(*, models: Sequence[str], choice: SplitChoice, where: SystemQuery, **options: Any) -> None:
    """Write the smallest suite of the networks' sequences that a system has not measured.

    The command prints the commands that run the suite on the system, submit the result and estimate the networks. If
    nothing is missing it writes no suite; if sequences were measured too briefly, it then prints how to write one of
    all sequences.
    """
    tell_about_prompts(choice, "plan")
    choice = as_measured(models, choice, where)
    extents = [*extent_options(choice.points or (choice.settings.dims,)), *choice.settings.value_options]
    estimate = (("estimate", *models), extents, ())
    show_plan(models, choice, where, [estimate], **options)


def show_plan(
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    estimates: Sequence[Sequence[Sequence[str]]],
    *,
    out: Path | None,
    options: SuiteOptions,
    as_json: bool,
) -> None:
    """Write the suite of a plan and show it.

    ``estimates`` are the commands to suggest afterwards. Each has three lists of words: verb and networks, extents,
    other options.
    """
    from dlbricks.api.suites import plan as write_plan
    from dlbricks.report.console import progress

    with progress() as advance:
        planned = write_plan(models, choice.settings, where, options, out=out, points=choice.points, progress=advance)
    tell_left_out(planned.reports)
    rule, at = ["--rule", "pairs"] if options.pairs else [], estimates[0][0].index("estimate")
    whole = [*estimates[0][0][:at], "generate", *(word for words, _, _ in estimates for word in words[at + 1 :])]
    whole += [*["--pairs"] * options.pairs, *(word for place in options.decoys for word in ("--decoys", place))]
    present_plan(planned, choice.settings, where, estimates, rule, [*whole, "-o", str(out)], as_json=as_json)


def present_plan(
    planned: "PlannedSuite",
    settings: SplitSettings,
    where: SystemQuery,
    estimates: Sequence[Sequence[Sequence[str]]],
    rule: Sequence[str] = (),
    whole: Sequence[str] = (),
    *,
    as_json: bool,
) -> None:
    """Print a planned suite and the commands to run next; ``show_plan`` explains ``estimates``.

    Without a suite, ``whole`` is the command for one of all sequences, if some were measured too briefly.
    """
    from dlbricks.report.estimates import plan_report

    suite = None if planned.suite is None else str(planned.suite)
    if suite or not any(network.smoke_sequences for network in planned.plan.coverage.networks):
        whole = ()
    place = suite or next(reversed(whole), "")
    commands = _commands(place, settings, planned.configuration, where, estimates, rule, whole) if place else []
    left_out = planned.plan.coverage.left_out
    document = {"suite": suite, "plan": planned.plan, "commands": commands, "left_out": left_out}
    present("plan", document, lambda: plan_report(planned.plan, suite, commands), as_json=as_json)
    check_left_out(left_out)


def _commands(
    suite: str,
    settings: SplitSettings,
    there: "SystemConfiguration",
    where: SystemQuery,
    estimates: Sequence[Sequence[Sequence[str]]],
    rule: Sequence[str],
    whole: Sequence[str],
) -> list[str]:
    # Return the commands to write the suite (with ``whole``), to run it on the system, to submit the result, and to
    # estimate.
    # the path of the result is that of the suite, with another suffix
    result = f"{suite.removesuffix('/').removesuffix('.tar.gz').removesuffix('.tar.xz')}.json"
    name = there.runtime.partition(" ")[0]
    # options with default values are left out, so that the commands stay short
    configured = [] if name == ONNXRUNTIME else ["--runtime", name]
    configured += [] if there.provider == "cpu" else ["--provider", there.provider]
    configured += [] if there.threads == 1 else ["--threads", str(there.threads)]
    store = ["--store", where.store] if where.store else []
    split = ["-H", settings.granularity, "--target", settings.target, "--splitter", settings.splitter]
    others = [text for layer in settings.allow_values for text in ("--allow-values", layer)]
    others += ["--batch", str(settings.batch)] if settings.batch else []
    system = ["--system", there.system, *configured, *rule]
    commands = [
        *([[*whole, *split, *estimates[0][1], *others]] if whole else []),
        ["run", suite, "-o", result, "--name", there.system, *configured],
        ["submit", result, "--suite", suite, *store],
        *([*verb, *split, *extents, *others, *system, *question, *store] for verb, extents, question in estimates),
    ]
    return [shlex.join(("dlbricks", *words)) for words in commands]
