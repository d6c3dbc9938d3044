"""``coverage``, ``plan``, ``estimate``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.api import SystemQuery, stored
from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import (
    Allowances,
    SplitChoice,
    allowance_options,
    json_flag,
    measured_split_options,
    models_argument,
    rule_option,
    system_options,
    tell,
)
from dlbricks.errors import CheckError

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Plan


@click.command(short_help="Show what a system has measured of networks.")
@models_argument
@measured_split_options
@system_options
@json_flag
def coverage(models: Sequence[str], choice: SplitChoice, where: SystemQuery, as_json: bool) -> None:
    """Show which sequences of networks a system has measured, and which are missing."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.report.console import show
    from dlbricks.report.estimates import coverage_report
    from dlbricks.report.jsonable import to_json

    choice = as_measured(models, choice, where)
    compositions = [compose(one) for one in splits(models, choice, threads=where.threads or 1)]
    made = cover(compositions, stored(compositions, where))
    if as_json:
        click.echo(to_json("coverage", made), nl=False)
    else:
        show(*coverage_report(made))


@click.command(short_help="Estimate how fast networks run on a system.")
@models_argument
@measured_split_options
@system_options
@rule_option
@click.option("--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all.")
@allowance_options
@json_flag
def estimate(
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    rule: str,
    rows: int,
    allowed: Allowances,
    as_json: bool,
) -> None:
    """Estimate how fast networks run on a system, from the stored latencies of their sequences.

    Networks are split as the measured suite was; give --dim as it was generated. Sequences without a result are
    listed, and the exit code is 1 unless --allow-missing; --interpolate guesses those that resemble measured ones,
    with an interval that says how well. Results of another provider, runtime or number of threads
    than asked for, and of another kind of machine than the one a lowered network was lowered on, are refused unless
    --allow-mismatch, which takes those of the nearest kind and says in what they differ.
    """
    from dlbricks.api import estimates
    from dlbricks.construct.origin import remarks
    from dlbricks.report.console import show
    from dlbricks.report.estimates import estimates_report, missing_report
    from dlbricks.report.jsonable import to_json

    results, made = estimates(
        splits(models, as_measured(models, choice, where), threads=where.threads or 1),
        where,
        rule=rule,
        interpolate=allowed.interpolate,
        allow_mismatch=allowed.mismatch,
    )
    if as_json:
        click.echo(to_json("estimate", {"networks": made}), nl=False)
    else:
        show(*estimates_report(made, rows=rows))
    for one in made:
        for said in remarks(one):
            click.echo(f"{one.network}: {said}", err=True)
    if results.mismatch:
        tell(f"not as asked for: {', '.join(results.mismatch)}")
    incomplete = [one for one in made if one.missing]
    for one in incomplete:
        for line in missing_report(one):
            tell(line)
    if incomplete and not allowed.missing:
        names = ", ".join(f"{one.network} ({len(one.missing)})" for one in incomplete)
        raise CheckError(
            f"sequences are missing for {names}: measure them ('plan' makes the suite), check that -H, --target, "
            "--splitter and --dim are those of the measured suite, or give --allow-missing"
        )


@click.command(short_help="Write the smallest suite that closes the gaps.")
@models_argument
@measured_split_options
@system_options
@click.option("-o", "--out", required=True, metavar="SUITE", help="Folder of the suite; an older suite is replaced.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--name", default="plan", show_default=True, help="What the suite calls itself.")
@json_flag
def plan(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    out: str,
    jobs: int,
    name: str,
    as_json: bool,
) -> None:
    """Write the smallest suite that closes what a system lacks for networks: every missing sequence once.

    Nothing is written when nothing is missing.
    """
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.construct.coverage import plan_of
    from dlbricks.report.console import show
    from dlbricks.report.estimates import plan_report
    from dlbricks.report.jsonable import to_json

    choice = as_measured(models, choice, where)
    compositions = [compose(one) for one in splits(models, choice, threads=where.threads or 1)]
    results = stored(compositions, where)
    made = plan_of(cover(compositions, results), results)
    if made.fingerprints:
        _generate_plan(models, choice, made, out=out, jobs=jobs, name=name, threads=where.threads or 1)
    if as_json:
        click.echo(to_json("plan", {"suite": out if made.fingerprints else None, "plan": made}), nl=False)
    else:
        show(*plan_report(made, out))


def _generate_plan(
    models: Sequence[str], choice: SplitChoice, made: "Plan", *, out: str, jobs: int, name: str, threads: int
) -> None:
    from pathlib import Path

    from dlbricks.report.progress import progress
    from dlbricks.sequences.types import Granularity
    from dlbricks.suite.generate import generate

    with progress() as told:
        generate(
            models,
            out=Path(out),
            dims=choice.dims,
            granularity=Granularity.parse(choice.granularity),
            splitter=choice.splitter,
            target=choice.target,
            allow_values=choice.allow_values,
            threads=threads,
            jobs=jobs,
            name=name,
            only=made.fingerprints,
            progress=told,
        )
