"""The command ``compare``."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import ManyOptionsCommand, json_flag, store_option
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import SplitChoice, measured_split_options, models_argument
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import estimates, open_store
from dlbricks.settings import SystemQuery

if TYPE_CHECKING:
    from dlbricks.construct.comparison import Comparison


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --provider --threads --without --fail-above --rows --json",
    short_help="Compare two systems by networks or sequences.",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@partial(models_argument, required=False)
@measured_split_options
@click.option("--provider", metavar="NAME", help="Execution provider of both.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads of both.")
@store_option
@click.option("--without", multiple=True, metavar="SEQUENCE", help="Leave out sequences of this name or fingerprint.")
@click.option("--fail-above", metavar="SHARE", help="Exit code 1 if B is slower by more, as in 5% (whole interval).")
@click.option("--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all.")
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
    without: tuple[str, ...],
    fail_above: str | None,
    rows: int,
    as_json: bool,
) -> None:
    """Compare two systems: ratio of their latencies with its interval, and the sequences that make the difference.

    A and B are names of systems; NAME@VERSION selects the results with a version of the runtime. Estimates of the given
    networks are compared; without networks, all sequences that both systems have measured. The gate --fail-above fails
    if the whole interval is above the limit. Measure both systems within an hour on one machine; otherwise the interval
    includes the variation between hours.
    """
    from dlbricks.report.estimates import comparison_line, comparison_report
    from dlbricks.units import parse_share

    limit = parse_share(fail_above) if fail_above is not None else None
    sides = [replace(_query(text, store), provider=provider, threads=threads) for text in (first, second)]
    comparisons = _networks(models, choice, sides, without) if models else [_sequences(sides, without)]
    for comparison in comparisons:
        if not comparison.rows:
            advice = "; for networks that a runtime lowered, use estimate --system A --system B" if models else ""
            raise CheckError(f"{first} and {second} have no sequence in common{advice}")
    present(
        "compare",
        {"comparisons": comparisons},
        lambda: [line for comparison in comparisons for line in comparison_report(comparison, rows=rows)],
        as_json=as_json,
    )
    for comparison in comparisons:
        if comparison.only_one:
            name = comparison.network or "both"
            tell(f"{name}: {comparison.only_one} sequences are left out, measured on a single system")
    slower = [comparison for comparison in comparisons if limit is not None and comparison.low > 1 + limit]
    if slower:
        raise CheckError(f"{second} takes longer than {first} by more than {fail_above}: {comparison_line(slower[0])}")


def _query(text: str, store: str | None) -> SystemQuery:
    """Parse the name of a system, optionally with a version of its runtime."""
    with open_store(store) as opened:
        systems = {summary.configuration.system for summary in opened.systems()}
    name, at, version = text.rpartition("@")
    if at and text not in systems and name in systems:
        return SystemQuery(system=name, runtime=version, store=store)
    return SystemQuery(system=text, store=store)


def _networks(
    models: Sequence[str], choice: SplitChoice, sides: Sequence[SystemQuery], without: Sequence[str]
) -> "list[Comparison]":
    from dlbricks.construct.comparison import compare as versus

    networks = splits(models, as_measured(models, choice, sides[0]))
    (first, of_first), (second, of_second) = (estimates(networks, side, allow_mismatch=True) for side in sides)
    for side, results in zip(sides, (first, second), strict=True):
        runtime = results.configuration.runtime
        if side.runtime not in (None, runtime, *runtime.split()):
            raise InputError(f"system {side.system} has no results with {side.runtime}, only with {runtime}")
        if results.mismatch:
            tell(f"{results.configuration.system}: differs from the request: {', '.join(results.mismatch)}")
    names = {row.fingerprint: row.name for estimate in of_first for row in estimate.rows}
    pairs = zip(of_first, of_second, strict=True)
    return [versus(first, second, names, estimates=pair, without=without) for pair in pairs]


def _sequences(sides: Sequence[SystemQuery], without: Sequence[str]) -> "Comparison":
    from dlbricks.construct.comparison import compare as versus

    with open_store(sides[0].store) as opened:
        first, second = (opened.results(side) for side in sides)
        names = {result.label.fingerprint: result.label.name for result in opened.query(system=sides[0].system)}
    return versus(first, second, names, without=without)
