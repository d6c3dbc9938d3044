"""The command ``estimate``."""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.networks import as_measured, splits, tell_about_prompts
from dlbricks.cli.options import (
    Allowances,
    Command,
    ManyOptionsCommand,
    allowance_options,
    json_flag,
    rule_option,
    several_systems_options,
    with_options,
)
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import SplitChoice, grid_split_options, models_argument
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import BUNDLE, published
from dlbricks.settings import SystemQuery

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate


def estimate_options(command: Command) -> Command:
    """The options of ``estimate`` besides its networks."""
    return with_options(
        command,
        functools.partial(grid_split_options, measured=True),
        several_systems_options,
        rule_option,
        click.option(
            "--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all."
        ),
        allowance_options,
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

    With several --system, or several --runtime of one, estimates are shown together, with the probability that the
    first is faster than each of the others.

    Networks are split with the settings of the measured suite; give the same --dim. Sequences without a measurement
    are listed, and the exit code is 1 unless --allow-missing is given; --interpolate predicts those that are similar to
    measured ones, with a wider interval. Results of another provider, runtime or number of threads than requested, or
    of another kind of machine than a network was lowered for, are refused; --allow-mismatch uses the nearest ones and
    lists the differences.
    """
    tell_about_prompts(choice, "estimate")
    show_estimates(choice=choice, **options)


def show_estimates(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    systems: Sequence[SystemQuery],
    rule: str,
    rows: int,
    allowed: Allowances,
    as_json: bool,
) -> None:
    """Estimate networks on some systems, and show how these compare.

    Raises:
        CheckError: sequences have no measurement, and that is not allowed.
    """
    from dlbricks.construct.comparison import compared
    from dlbricks.report.estimates import estimates_report, faster_report, missing_report

    if choice.points:
        raise InputError("several extents of a dimension are for 'llm estimate --prompt' only: give one of each")
    by_system = [_on_system(models, choice, where, rule, allowed) for where in systems]
    flat, against = [estimate for group in by_system for estimate in group], compared(by_system)
    present(
        "estimate",
        {"networks": flat, "faster": against},
        lambda: [
            *(line for group in by_system for line in estimates_report(group, rows=rows)),
            *faster_report(against, by_system),
        ],
        as_json=as_json,
    )
    incomplete = [estimate for estimate in flat if estimate.missing]
    for estimate in incomplete:
        for line in missing_report(estimate):
            tell(line)
    if incomplete and not allowed.missing:
        names = ", ".join(f"{estimate.network} ({len(estimate.missing)})" for estimate in incomplete)
        raise CheckError(
            f"sequences are missing for {names}: measure them ('plan' makes the suite), check that -H, --target, "
            "--splitter and --dim are those of the measured suite, or give --allow-missing"
        )


def _on_system(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, rule: str, allowed: Allowances
) -> "list[Estimate]":
    """Estimate networks on one system; remarks on the estimates are printed on stderr."""
    from dlbricks.construct.estimate import remarks
    from dlbricks.estimating import estimates

    results, composed = estimates(
        splits(models, as_measured(models, choice, where)),
        where,
        rule=rule,
        interpolate=allowed.interpolate,
        allow_mismatch=allowed.mismatch,
    )
    for estimate in composed:
        for remark in remarks(estimate):
            tell(f"{estimate.network}: {remark}")
    if where.store and where.store.startswith(BUNDLE):
        tell(published(where.store))
    if results.mismatch:
        tell(f"differs from the request: {', '.join(results.mismatch)}")
    return composed
