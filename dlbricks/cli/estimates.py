"""The commands ``estimate`` and ``compare``."""

import functools
from collections.abc import Sequence
from itertools import chain
from typing import Any

import click

from dlbricks.cli.options import (
    Command,
    ManyOptionsCommand,
    at_least,
    fail_above_option,
    json_flag,
    rule_option,
    several_systems_options,
    store_option,
    with_options,
)
from dlbricks.cli.output import check_left_out, present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    grid_split_options,
    measured_split_options,
    models_argument,
    tell_about_prompts,
)
from dlbricks.errors import CheckError, InputError
from dlbricks.settings import SystemQuery

_INTERPOLATE_HELP = "Predict missing sequences from similar measured ones (not on GPUs); else they are errors."


def estimate_options(command: Command) -> Command:
    """Add the options of ``estimate``, except its networks, to a command."""
    return with_options(
        command,
        functools.partial(grid_split_options, measured=True),
        several_systems_options,
        rule_option,
        click.option("--allow-missing", is_flag=True, help="Omit missing sequences; estimates become lower bounds."),
        click.option("--interpolate", is_flag=True, help=_INTERPOLATE_HELP),
        click.option("--allow-mismatch", is_flag=True, help="Use the nearest configuration if none matches."),
        json_flag,
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --system --provider --threads --runtime --rule --interpolate --json",
    short_help="Estimate how fast networks run on a system.",
)
@models_argument
@estimate_options
def estimate(*, choice: SplitChoice, **options: Any) -> None:
    """Estimate how fast networks run on systems, from the stored latencies of their sequences.

    Without --system, the estimates on all systems of the store and on those that ship with dlbricks are listed, fastest
    first, as with --interpolate and --allow-mismatch. With several --system, --runtime or configurations that cover as
    much, estimates are shown together, with the probability that the first is faster than each of the others.

    Networks are split like the measured suite; give the suite's --dim again. Sequences without a measurement are
    listed, and the exit code is then 1, except with --allow-missing. --interpolate predicts those that are similar to
    measured ones, with a wider interval. The command refuses results for another provider, runtime, number of threads
    or kind of machine than you or a lowered network require; --allow-mismatch uses the nearest ones and lists the
    differences.
    """
    tell_about_prompts(choice, "estimate")
    show_estimates(choice=choice, **options)


def show_estimates(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    systems: Sequence[SystemQuery],
    allow_missing: bool,
    as_json: bool,
    **composing: Any,
) -> None:
    """Show estimates of networks on systems; missing sequences raise ``CheckError`` unless permitted.

    ``composing`` are ``rule``, ``interpolate`` and ``allow_mismatch`` (``api.estimates.estimates``).
    """
    from dlbricks.api.estimates import estimate_networks
    from dlbricks.report.estimates import estimates_report, faster_report, missing_report

    if choice.points:
        raise InputError("--dim has several extents: give one, or use 'llm estimate --prompt' for whole prompts")
    if not systems[0].system:
        show_ranking(models, choice, systems, as_json=as_json, **composing)
        return
    by_system, faster, left_out = estimate_networks(models, choice.settings, systems, tell, **composing)
    flat = [*chain(*by_system)]
    present(
        "estimate",
        {"networks": flat, "faster": faster, "left_out": left_out},
        lambda: [*chain(*map(estimates_report, by_system)), *faster_report(faster, by_system)],
        as_json=as_json,
    )
    incomplete = [estimate for estimate in flat if estimate.missing]
    for line in chain(*map(missing_report, incomplete)):
        tell(line)
    check_left_out(left_out, allowed=allow_missing or bool(incomplete))
    if incomplete and not allow_missing:
        names = ", ".join(f"{each.network} on {each.configuration.system} ({len(each.missing)})" for each in incomplete)
        advice = "check that -H, --target, --splitter and --dim are those of the measured suite, or use --allow-missing"
        advice += "" if composing["interpolate"] else " or (not on GPUs) --interpolate"
        raise CheckError(f"sequences are missing for {names}: measure them ('plan' writes the suite), {advice}")


def show_ranking(
    models: Sequence[str], choice: SplitChoice, systems: Sequence[SystemQuery], *, as_json: bool, **composing: Any
) -> None:
    """Show estimates of networks on all known systems; networks without an estimate raise ``CheckError``."""
    from dlbricks.api.ranking import ranked
    from dlbricks.report.estimates import ranking_report

    if len(systems) > 1:
        raise InputError("several --runtime need --system: add --system NAME, or give only one --runtime")
    by_network, left_out = ranked(models, choice.settings, systems[0], tell, **composing)
    document = {"networks": [*chain(*by_network)], "faster": (), "left_out": left_out}
    present("estimate", document, lambda: chain(*map(ranking_report, by_network)), as_json=as_json)
    check_left_out(left_out)


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --provider --threads --fail-above --json",
    short_help="Compare two systems by networks or sequences.",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@functools.partial(models_argument, required=False)
@measured_split_options
@click.option("--provider", metavar="NAME", help="Execution provider of both systems.")
@click.option("--threads", type=at_least(1), help="Number of threads of both systems.")
@store_option
@fail_above_option(help="Exit with code 1 if B takes longer than A by more than this, as in 5%.")
@json_flag
def compare(
    *,
    first: str,
    second: str,
    models: Sequence[str],
    choice: SplitChoice,
    store: str | None,
    fail_above: float | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Compare two systems: the ratio of their latencies with its interval, and the sequences that differ most.

    A and B are names of systems; NAME@VERSION selects the results with this version of the runtime. If networks are
    given, their estimates are compared; otherwise all sequences that both systems have measured. --fail-above fails
    only if the whole interval is above the limit. Measure both systems on one machine within an hour; otherwise
    the interval includes the variation between hours.
    """
    from dlbricks.api.comparisons import compare as compare_systems
    from dlbricks.report.estimates import comparison_line, comparison_report

    queries = [SystemQuery(system=text, store=store, **where) for text in (first, second)]
    comparisons, left_out = compare_systems(models, choice.settings, queries, tell)
    document = {"comparisons": comparisons, "left_out": left_out}
    present("compare", document, lambda: chain(*map(comparison_report, comparisons)), as_json=as_json)
    # the whole interval must be above the limit, so that noise alone fails no check
    slower = [each for each in comparisons if fail_above is not None and each.low > 1 + fail_above]
    check_left_out(left_out, allowed=bool(slower))
    if fail_above is not None and slower:
        by = f"by more than {100 * fail_above:g}%"
        raise CheckError(f"{second} takes longer than {first} {by}: {comparison_line(slower[0])}")
