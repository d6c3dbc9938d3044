"""The commands ``estimate`` and ``compare``."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from dlbricks.api.estimates import BUNDLE, estimates, open_store, published
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
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    grid_split_options,
    measured_split_options,
    measured_splits,
    models_argument,
    tell_about_prompts,
)
from dlbricks.errors import CheckError, InputError
from dlbricks.settings import SystemQuery
from dlbricks.units import counted

if TYPE_CHECKING:
    from dlbricks.construct.comparison import Comparison
    from dlbricks.construct.types import Estimate

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
    """Estimate how fast networks run on a system, from the stored latencies of their sequences.

    With several --system, or several --runtime of one system, estimates are shown together, with the probability that
    the first is faster than each of the others.

    Networks are split with the settings of the measured suite; give the same --dim. Sequences without a measurement are
    listed, and the exit code is then 1, except with --allow-missing. --interpolate predicts those that are similar to
    measured ones, with a wider interval. The command refuses results for another provider, runtime, number of
    threads or kind of machine than you or a lowered network require; --allow-mismatch uses the nearest ones and lists
    the differences.
    """
    tell_about_prompts(choice, "estimate")
    show_estimates(choice=choice, **options)


def show_estimates(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    choice: SplitChoice,
    systems: Sequence[SystemQuery],
    rule: str,
    allow_missing: bool,
    interpolate: bool,
    allow_mismatch: bool,
    as_json: bool,
) -> None:
    """Estimate networks on systems and compare these; missing sequences raise ``CheckError`` unless permitted."""
    from dlbricks.construct.comparison import compared
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.estimates import estimates_report, faster_report, missing_report

    if choice.points:
        raise InputError("--dim has several extents: give one, or use 'llm estimate --prompt' for whole prompts")
    how = {"rule": rule, "interpolate": interpolate, "allow_mismatch": allow_mismatch}
    by_system = [_on_system(models, choice, where, **how) for where in systems]
    flat, against = [estimate for group in by_system for estimate in group], compared(by_system)
    # the report is formatted only if it is printed
    by_sequence = (line for group in by_system for line in estimates_report(group))
    present(
        "estimate",
        {"networks": flat, "faster": against},
        lambda: [*by_sequence, *faster_report(against, by_system)],
        as_json=as_json,
    )
    incomplete = [estimate for estimate in flat if estimate.missing]
    for estimate in incomplete:
        for line in missing_report(estimate):
            tell(line)
    if incomplete and not allow_missing:
        names = ", ".join(f"{estimate.network} ({len(estimate.missing)})" for estimate in incomplete)
        advice = "check that -H, --target, --splitter and --dim are those of the measured suite, or use --allow-missing"
        raise CheckError(f"sequences are missing for {names}: measure them ('plan' writes the suite), {advice}")
    if (left_out := len(find_networks(models)) - len(by_system[0])) and not allow_missing:
        raise CheckError(f"{counted(left_out, 'network')} left out: give what they need, or use --allow-missing")


def _on_system(models: Sequence[str], choice: SplitChoice, where: SystemQuery, **how: Any) -> "list[Estimate]":
    # Remarks on the estimates go to stderr, so that stdout is a valid JSON document.
    from dlbricks.construct.estimate import remarks

    results, composed = estimates(measured_splits(models, choice, where), where, **how)
    for estimate in composed:
        for remark in remarks(estimate):
            tell(f"{estimate.network}: {remark}")
    if where.store and where.store.startswith(BUNDLE):
        tell(published(where.store))
    if results.mismatch:
        tell(f"the results used differ from the request in: {', '.join(results.mismatch)}")
    return composed


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --provider --threads --fail-above --json",
    short_help="Compare two systems by networks or sequences.",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@functools.partial(models_argument, required=False)
@measured_split_options
@click.option("--provider", metavar="NAME", help="Execution provider of both systems, if they have several.")
@click.option("--threads", type=at_least(1), help="Number of threads of both systems, if they have several.")
@store_option
@fail_above_option(help="Exit with code 1 if B takes longer by more than this, as in 5%.")
@json_flag
def compare(  # noqa: PLR0913 - options of a command
    *,
    first: str,
    second: str,
    models: Sequence[str],
    choice: SplitChoice,
    provider: str | None,
    threads: int | None,
    store: str | None,
    fail_above: float | None,
    as_json: bool,
) -> None:
    """Compare two systems: the ratio of their latencies with its interval, and the sequences that differ most.

    A and B are names of systems; NAME@VERSION selects the results with this version of the runtime. The estimates of
    the given networks are compared, or without networks all sequences that both systems have measured. --fail-above
    fails only if the whole interval is above the limit. Measure both systems on one machine within an hour; otherwise
    the interval includes the variation between hours.
    """
    from dlbricks.report.estimates import comparison_line, comparison_report

    sides = [replace(_side(text, store), provider=provider, threads=threads) for text in (first, second)]
    comparisons = _compared_networks(models, choice, sides) if models else [_compared_sequences(sides)]
    for comparison in comparisons:
        if not comparison.rows:
            advice = f"use 'estimate --system {first} --system {second}'" if models else "run one suite on both"
            raise CheckError(f"{first} and {second} have measured no sequence in common: {advice}")
    present(
        "compare",
        {"comparisons": comparisons},
        lambda: [line for comparison in comparisons for line in comparison_report(comparison)],
        as_json=as_json,
    )
    for comparison in comparisons:
        if comparison.only_one:
            name = comparison.network or "both"
            tell(f"{name}: {comparison.only_one} sequences are left out: only one of the systems has measured them")
    # the whole interval must be above the limit, so that noise alone fails no check
    if fail_above is not None and (slower := [each for each in comparisons if each.low > 1 + fail_above]):
        by = f"by more than {100 * fail_above:g}%"
        raise CheckError(f"{second} takes longer than {first} {by}: {comparison_line(slower[0])}")


def _side(text: str, store: str | None) -> SystemQuery:
    # NAME@VERSION, unless a system has exactly this name.
    with open_store(store) as opened:
        systems = {summary.configuration.system for summary in opened.systems()}
    name, at, version = text.rpartition("@")
    versioned = bool(at) and text not in systems and name in systems
    return SystemQuery(system=name if versioned else text, runtime=version if versioned else None, store=store)


def _compared_networks(models: Sequence[str], choice: SplitChoice, sides: Sequence[SystemQuery]) -> "list[Comparison]":
    from dlbricks.construct.comparison import compare as versus
    from dlbricks.store.spread import spread_of

    networks = measured_splits(models, choice, *sides)
    both = (estimates(networks, side, rule="sequential", allow_mismatch=True) for side in sides)
    (first, of_first), (second, of_second) = both
    for side, results in zip(sides, (first, second), strict=True):
        runtime = results.configuration.runtime
        # the nearest configuration may differ, but not in the runtime that NAME@VERSION names
        if side.runtime not in (None, runtime, *runtime.split()):
            raise InputError(f"system {side.system} has no results with {side.runtime}, only with {runtime}")
        if results.mismatch:
            tell(f"results of {results.configuration.system} differ from the request in: {', '.join(results.mismatch)}")
    names = {row.fingerprint: row.name for estimate in of_first for row in estimate.rows}
    with open_store(sides[0].store) as opened:
        spreads = [spread_of(opened.database, results.configuration) for results in (first, second)]
    pairs = zip(of_first, of_second, strict=True)
    return [versus(first, second, names, estimates=pair, spreads=spreads) for pair in pairs]


def _compared_sequences(sides: Sequence[SystemQuery]) -> "Comparison":
    from dlbricks.construct.comparison import compare as versus
    from dlbricks.store.spread import spread_of

    with open_store(sides[0].store) as opened:
        first, second = (opened.results(side) for side in sides)
        names = {result.label.fingerprint: result.label.name for result in opened.query(system=sides[0].system)}
        spreads = [spread_of(opened.database, results.configuration) for results in (first, second)]
    return versus(first, second, names, spreads=spreads)
