"""The command ``estimate``."""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.cli.decoders import AnswerChoice, answer_options, show_answer, variant_options
from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import (
    Allowances,
    ManyOptionsCommand,
    allowance_options,
    json_flag,
    rule_option,
    several_systems_options,
)
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import SplitChoice, grid_split_options, models_argument
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import BUNDLE, SystemQuery, published

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --system --provider --threads --runtime --rule --interpolate --prompt --generate --json",
    short_help="Estimate how fast networks run on a system.",
)
@models_argument
@variant_options
@functools.partial(grid_split_options, measured=True)
@several_systems_options
@rule_option
@click.option("--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all.")
@allowance_options
@answer_options
@json_flag
def estimate(  # noqa: PLR0913  the options of the command
    *,
    models: Sequence[str],
    choice: SplitChoice,
    systems: Sequence[SystemQuery],
    rule: str,
    rows: int,
    allowed: Allowances,
    answer: AnswerChoice | None,
    as_json: bool,
) -> None:
    """Estimate how fast networks run on a system, from the stored latencies of their sequences.

    With several --system, or several --runtime of one, estimates are shown together, with the probability that the
    first is faster than each of the others.

    Networks are split with the settings of the measured suite; give the same --dim. Sequences without a measurement
    are listed, and the exit code is 1 unless --allow-missing is given; --interpolate predicts those that are similar to
    measured ones, with a wider interval. Results of another provider, runtime or number of threads than requested, or
    of another kind of machine than a network was lowered for, are refused; --allow-mismatch uses the nearest ones and
    lists the differences.

    --prompt 512 --generate 128 estimates a decoder's time to first token, time per token and total time, from calls
    measured at the lengths of --dim, as in --dim past=0,512,2048 --dim sequence=1,256, by default at those that the
    system has results for, which are printed (docs/decoders.md). --weights int4 and
    --kv-heads 2 estimate a variant of the decoder, and compare it with the decoder itself if that was measured.
    """
    from dlbricks.construct.comparison import compared
    from dlbricks.report.estimates import estimates_report, faster_report

    if answer is not None:
        show_answer(models, choice, systems, answer, as_json=as_json)
        return
    if choice.points:
        raise InputError("several extents of a dimension are for --prompt only: give one of each")
    made = [_on_system(models, choice, where, rule, allowed) for where in systems]
    flat, against = [one for found in made for one in found], compared(made)
    present(
        "estimate",
        {"networks": flat, "faster": against},
        lambda: [
            *(line for found in made for line in estimates_report(found, rows=rows)),
            *faster_report(against, made),
        ],
        as_json=as_json,
    )
    _refuse_missing(flat, allowed)


def _on_system(
    models: Sequence[str], choice: SplitChoice, where: SystemQuery, rule: str, allowed: Allowances
) -> "list[Estimate]":
    """Estimate networks on one system; remarks on the estimates are printed on stderr."""
    from dlbricks.construct.origin import remarks
    from dlbricks.estimating import estimates

    results, made = estimates(
        splits(models, as_measured(models, choice, where), threads=where.threads or 1),
        where,
        rule=rule,
        interpolate=allowed.interpolate,
        allow_mismatch=allowed.mismatch,
    )
    for one in made:
        for remark in remarks(one):
            tell(f"{one.network}: {remark}")
    if where.store and where.store.startswith(BUNDLE):
        tell(published(where.store))
    if results.mismatch:
        tell(f"differs from the request: {', '.join(results.mismatch)}")
    return made


def _refuse_missing(made: "Sequence[Estimate]", allowed: Allowances) -> None:
    """List sequences without a measurement.

    Raises:
        CheckError: there are some, and they are not allowed.
    """
    from dlbricks.report.estimates import missing_report

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
