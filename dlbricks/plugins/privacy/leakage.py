"""Measure what a suite discloses, by attacks on it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag
from dlbricks.cli.output import present
from dlbricks.cli.splitting import dims_option, jobs_option, parse_dims
from dlbricks.units import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dlbricks.plugins.privacy.evaluation import Identification, Leakage


@click.command(short_help=__doc__)
@click.argument("suite", metavar="SUITE|RESULT.json")
@click.option("--zoo", required=True, multiple=True, metavar="DIR", help="Folder of public networks; repeat for more.")
@click.option("--true", multiple=True, metavar="NAME", help="Network of --zoo that the suite holds; repeat for more.")
@jobs_option
@dims_option
@json_flag
def leakage(
    suite: str, zoo: Sequence[str], true: Sequence[str], jobs: int, dims: Sequence[str], *, as_json: bool
) -> None:
    """Measure what a suite discloses to a receiver who knows public networks, by attacks on it.

    SUITE may also be a RESULT.json, since it contains the manifest of its suite.

    The networks of --zoo are split with the settings of the suite, and ranked by the share of their sequences in the
    suite; rare sequences count more. Further attacks read sizes from shapes and depths from importances, and
    reconstruct the graph by joining equal shapes.

    --true names each network from which the suite was made; the output then states how often the attacks are right. Put
    a private network into the zoo to see what a receiver who knows it learns.
    """
    from dlbricks.plugins.privacy.evaluation import evaluate, read_received, read_zoo
    from dlbricks.report.console import progress

    received = read_received(Path(suite))
    with progress() as advance:
        public = read_zoo(zoo, received, dims=parse_dims(dims), jobs=jobs, progress=advance)
    result = evaluate(received, public, true)
    present("leakage", result, lambda: leakage_report(result), as_json=as_json)


def leakage_report(leakage: "Leakage") -> "list[RenderableType]":
    """Return tables of the ranking and of every attack, and a summary."""
    from dlbricks.plugins.privacy.evaluation import conclusion
    from dlbricks.report.console import table

    ranked = table("public network", ">share in the suite", "")
    for entry in leakage.identification.ranked:
        ranked.add_row(entry.network, f"{entry.score:.1%}", "true" if entry.network in leakage.true else "")
    attacks = table("attack", ">result", "what it means")
    for row in _rows(leakage):
        attacks.add_row(*row)
    minutes, added_minutes = leakage.cost_ns / 60e9, leakage.added_cost_ns / 60e9
    cost = f"suite {leakage.suite}: {counted(leakage.pieces, 'sequence')}, about {minutes:.1f} min to measure"
    if leakage.true:
        cost += f", {added_minutes:.1f} min of it for {counted(leakage.added, 'sequence')} of added networks"
    return [cost, ranked, attacks, conclusion(leakage)]


def _rows(leakage: "Leakage") -> list[tuple[str, str, str]]:
    rows = [
        ("public networks completely in the suite", str(leakage.identification.whole), f"of {leakage.zoo}"),
        *_chances("identification", leakage.identification),
        *_chances("identification with importances", leakage.with_importances),
    ]
    for size in leakage.sizes:
        right = "" if size.chance is None else f"; right with a chance of {size.chance:.0%}"
        rows.append((size.figure, str(size.guess), f"of {counted(size.candidates, 'value')}{right}"))
    rows += [
        (f"depth of {depth.network}", f"{depth.left} of {depth.of}", "numbers of blocks consistent with importances")
        for depth in leakage.depths
    ]
    if leakage.joining is not None:
        joined = leakage.joining
        meaning = f"{joined.candidates:g} candidates per input, random choice; recall {joined.recall:.0%}"
        rows.append(("graph by joining shapes", f"{joined.precision:.0%}", meaning))
    return rows


def _chances(attack: str, identification: "Identification") -> list[tuple[str, str, str]]:
    if identification.first is None or identification.among_five is None:
        return [(attack, identification.ranked[0].network, f"match of {identification.ranked[0].score:.0%}")]
    meaning = f"probability that a true network ranks first; among the first five {identification.among_five:.0%}"
    return [(attack, f"{identification.first:.0%}", meaning)]
