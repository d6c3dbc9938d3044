"""``coverage``, ``plan``, ``estimate``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import splits
from dlbricks.cli.options import SplitChoice, SystemChoice, json_flag, models_argument, split_options, system_options
from dlbricks.cli.results import open_store
from dlbricks.errors import CheckError

if TYPE_CHECKING:
    from dlbricks.construct.nouns import Composition
    from dlbricks.store.nouns import SystemResults


@click.command()
@models_argument
@split_options
@system_options
@json_flag
def coverage(models: Sequence[str], choice: SplitChoice, where: SystemChoice, as_json: bool) -> None:
    """Show which sequences of networks a system has measured, and which are missing."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.report.console import show
    from dlbricks.report.estimates import coverage_report
    from dlbricks.report.jsonable import to_json

    compositions = [compose(one) for one in splits(models, choice, threads=where.threads or 1)]
    made = cover(compositions, stored(compositions, where))
    if as_json:
        click.echo(to_json(made), nl=False)
    else:
        show(*coverage_report(made))


@click.command()
@models_argument
@split_options
@system_options
@click.option(
    "--rule",
    default="sequential",
    show_default=True,
    metavar="RULE",
    help="How sequences overlap: sequential, parallel, or lanes:k.",
)
@click.option("--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all.")
@click.option("--allow-missing", is_flag=True, help="Estimate from what is there; the total is then a lower bound.")
@json_flag
def estimate(
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemChoice,
    rule: str,
    rows: int,
    allow_missing: bool,
    as_json: bool,
) -> None:
    """Estimate how fast networks run on a system, from the stored latencies of their sequences.

    Give -H, --target, --splitter and --dim as the measured suite was generated. Sequences without a result are
    listed, and the exit code is 1 unless --allow-missing.
    """
    from dlbricks.construct.compose import compose
    from dlbricks.construct.estimate import estimate as compose_latency
    from dlbricks.construct.rules import Rule
    from dlbricks.report.console import show
    from dlbricks.report.estimates import estimates_report, missing_report
    from dlbricks.report.jsonable import to_json

    parsed = Rule.parse(rule)
    compositions = [compose(one) for one in splits(models, choice, threads=where.threads or 1)]
    results = stored(compositions, where)
    made = [compose_latency(composition, results, parsed) for composition in compositions]
    if as_json:
        click.echo(to_json(made), nl=False)
    else:
        show(*estimates_report(made, rows=rows))
    incomplete = [one for one in made if one.missing]
    for one in incomplete:
        click.echo("\n".join(missing_report(one)), err=True)
    if incomplete and not allow_missing:
        names = ", ".join(f"{one.model} ({len(one.missing)})" for one in incomplete)
        raise CheckError(
            f"sequences are missing for {names}: measure them ('plan' makes the suite), check that -H, --target, "
            "--splitter and --dim are those of the measured suite, or give --allow-missing"
        )


def stored(compositions: "Sequence[Composition]", where: SystemChoice) -> "SystemResults":
    """Ask a store for the sequences of some compositions.

    Raises:
        InputError: no such store or system, or several configurations match.
    """
    wanted = {step.fingerprint for composition in compositions for step in composition.steps}
    with open_store(where.store) as opened:
        return opened.results(
            where.system,
            provider=where.provider,
            threads=where.threads,
            runtime=where.runtime,
            fingerprints=wanted,
        )
