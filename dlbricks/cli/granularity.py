"""``granularity``, and what ``-H auto`` stands for."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import (
    AUTO,
    BLOCK,
    SplitChoice,
    dims_option,
    json_flag,
    models_argument,
    parse_dims,
    target_option,
)
from dlbricks.errors import InputError

if TYPE_CHECKING:
    from dlbricks.construct.granularity import GranularityTable


@click.command(short_help="Show error, minutes and reuse at H = 1, 2, 4, 8, inf, and choose.")
@models_argument
@target_option
@dims_option
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads a lowering is for.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@json_flag
def granularity(
    models: Sequence[str], target: str, dims: Sequence[str], threads: int, jobs: int, *, as_json: bool
) -> None:
    """Show what a suite of networks would be at each granularity H, and which one -H auto takes.

    Sequences, uses and reuse are counted. Minutes and errors are expected, from networks that were estimated at every
    H and measured end to end in the same run on another machine, as the last line says; nothing is measured here.

    Chosen is the cheapest row whose error is no more than one standard error above the least. Rows in which every
    network stays in one piece are left aside while there are others, since nothing would be composed.
    """
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.networks import granularity_report

    choice = SplitChoice(granularity=AUTO, target=target, splitter=BLOCK, dims=parse_dims(dims))
    table = _decide(models, choice, rules=None, threads=threads, jobs=jobs)
    if as_json:
        click.echo(to_json(table), nl=False)
    else:
        show(*granularity_report(table))


def choose_setting(
    models: Sequence[str],
    choice: SplitChoice,
    *,
    rules: Collection[str] | None,
    threads: int,
    jobs: int,
    batch: int | None = None,
) -> tuple[str, str | None]:
    """Give the granularity that the user said, or the one that AUTO stands for, and then the rule that goes with it.

    Args:
        models: networks, as the user named them.
        choice: how they are cut.
        rules: rules of composition that may be chosen; None for any.
        threads: that lowered graphs are made for.
        jobs: processes.
        batch: inputs per call; None for what files and ``--dim`` say.

    Raises:
        InputError: there is nothing to choose by, or a network cannot be used.
    """
    from dlbricks.report.networks import chosen_line

    if choice.granularity != AUTO:
        return choice.granularity, None
    table = _decide(models, choice, rules=rules, threads=threads, jobs=jobs, batch=batch)
    click.echo(chosen_line(table), err=True)
    return table.chosen.setting


def _decide(
    models: Sequence[str],
    choice: SplitChoice,
    *,
    rules: Collection[str] | None,
    threads: int,
    jobs: int,
    batch: int | None = None,
) -> "GranularityTable":
    from dlbricks.construct.granularity import RULES, NetworkOrder, evidence_of, gather, tabulate
    from dlbricks.model.read.dimensions import refuse_unknown
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.progress import progress

    if choice.splitter != BLOCK:
        raise InputError(f"-H auto knows errors of splitter {BLOCK} only: leave --splitter out, or give -H a number")
    paths = find_networks(models)
    refuse_unknown(paths, choice.dims)
    evidence = evidence_of(choice.target)
    orders = [
        NetworkOrder(
            path=path,
            dims=tuple(sorted(choice.dims.items())),
            target=choice.target,
            threads=threads,
            settings=tuple(one.setting for one in evidence.settings),
            batch=batch,
        )
        for path in paths
    ]
    with progress() as told:
        uses, refused = gather(orders, jobs, told)
    for one in refused:
        click.echo(f"{one.path.stem} is left out: {one.reason}", err=True)
    return tabulate(uses, evidence, rules or RULES)
