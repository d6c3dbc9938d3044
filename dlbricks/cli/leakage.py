"""``leakage``: what a receiver of a suite will know of the networks it was made of."""

from collections.abc import Sequence

import click

from dlbricks.cli.options import dims_option, json_flag, parse_dims


@click.command(short_help="Attack a suite: which networks, sizes, depths can be read from it.")
@click.argument("suite", metavar="SUITE")
@click.option("--zoo", required=True, multiple=True, metavar="DIR", help="Public networks to compare with; repeat.")
@click.option("--true", multiple=True, metavar="NAME", help="Network of the zoo that is in the suite; repeat.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@dims_option
@click.option("--save-plot", metavar="FILE.png", help="Draw how well each public network fits (extra 'plot').")
@json_flag
def leakage(
    suite: str,
    zoo: Sequence[str],
    true: Sequence[str],
    jobs: int,
    dims: Sequence[str],
    save_plot: str | None,
    *,
    as_json: bool,
) -> None:
    """Try what a receiver could, who knows public networks: say what he will know before a suite leaves the house.

    Networks of the zoo are split as the suite was and ranked by how much of each is in it, rare sequences counting
    more; sizes are read from shapes, the depth from importances, and the graph is put together by joining equal shapes.

    With --true, once for each network that the suite was made of, the attacks are told apart by whether they are right,
    and decoys by what they look like; attacks that train do so on other families. Have a private network in the zoo to
    see what a receiver learns who knows it.
    """
    from pathlib import Path

    from dlbricks.leakage.judge import judge, read_zoo
    from dlbricks.report.console import progress, show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.networks import leakage_report, save_leakage_plot
    from dlbricks.report.plots import require_matplotlib
    from dlbricks.suite.reading import read_suite

    if save_plot:
        require_matplotlib(Path(save_plot))
    given = read_suite(Path(suite))
    with progress() as told:
        public = read_zoo(zoo, given, dims=parse_dims(dims), jobs=jobs, progress=told)
    made = judge(given, public, true)
    if save_plot:
        save_leakage_plot(made, Path(save_plot))
    if as_json:
        click.echo(to_json("leakage", made), nl=False)
    else:
        show(*leakage_report(made))
