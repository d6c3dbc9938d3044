"""Write a suite with sizes on a public grid instead of private sizes."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import ManyOptionsCommand, json_flag, system_options
from dlbricks.cli.output import tell
from dlbricks.cli.planning import present_plan
from dlbricks.cli.splitting import SplitChoice, as_measured, extent_options, measured_split_options, models_argument
from dlbricks.cli.suite import suite_options
from dlbricks.errors import InputError, named_out
from dlbricks.settings import SplitSettings, SuiteOptions, SystemQuery

if TYPE_CHECKING:
    from dlbricks.api.suites import PlannedSuite
    from dlbricks.suite.generate import Progress


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --system --provider --threads --runtime --steps -o --pack --name --json",
    short_help=__doc__,
)
@models_argument
@measured_split_options
@system_options
@suite_options("plan", of_networks=False)
@click.option(
    "--steps",
    type=click.Choice(["1", "2", "4", "8"]),
    default="2",
    show_default=True,
    help="Number of grid points per doubling of a size; more points disclose more.",
)
@json_flag
def grid(
    *,
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    out: Path | None,
    options: SuiteOptions,
    steps: str,
    as_json: bool,
) -> None:
    """Write a suite from which 'estimate --interpolate' estimates networks without disclosing their sizes.

    Each size is replaced by the grid points below and above it: powers of 2 and the midpoints between them. The suite
    has all sequences of these sizes, even if they are measured already; a sequence of the networks is in it only by
    chance. A receiver learns only the grid cells of the sizes (docs/owner.md). --steps 1 uses only powers of 2; --steps
    4 and 8 add points (docs/security.md). The command prints how to run the suite, submit the result and estimate.
    """
    from dlbricks.report.console import progress

    choice = as_measured(models, choice, where)
    if choice.settings.granularity == "inf":
        raise InputError("grid does not work with -H inf (a sequence is the whole network): use a whole number")
    with progress() as advance:
        planned, off_grid = plan_grid(
            models, choice.settings, where, options, out=out, steps=int(steps), progress=advance
        )
    if off_grid:
        tell(f"left out of the suite, since their sizes do not fit the grid: {', '.join(off_grid)}")
    extents = [*extent_options((choice.settings.dims,)), *choice.settings.value_options]
    estimate = (("estimate", *models), extents, ("--interpolate",))
    present_plan(planned, choice.settings, where, [estimate], as_json=as_json)


def plan_grid(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: SuiteOptions,
    *,
    out: Path | None,
    steps: int,
    progress: "Progress",
) -> "tuple[PlannedSuite, tuple[str, ...]]":
    """Write a suite with sizes on a public grid instead of private sizes.

    ``steps`` is the number of public sizes per doubling; ``api.suites.plan`` has the other parameters. Returns the
    suite, and the operators of layers whose sizes cannot be rounded. Raises the errors of ``write_grid``.
    """
    from dlbricks.api.suites import PlannedSuite, gap
    from dlbricks.construct.coverage import suite_cost_ns
    from dlbricks.model.read.network import find_networks
    from dlbricks.plugins.privacy.grid_networks import Grid, without_counts, write_grid
    from dlbricks.suite.generate import generate, suite_path

    paths = find_networks(models)
    missing, results = gap(paths, settings, query, options)
    fitting = [path for path in paths if str(path) not in missing.coverage.left_out]
    out = named_out(out, "the folder for the suite, as in -o grid")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        sizes = Grid(steps=steps)
        off_grid = write_grid(fitting, settings, Path(folder), grid=sizes, jobs=options.jobs, progress=progress)
        on_grid = replace(settings.without_extents(), allow_values=())
        # importances without counts: how often a sequence occurs would tell the depth
        suite, _ = generate([folder], on_grid, options, out=out, choose=without_counts, progress=progress)
    cost_ns = suite_cost_ns(len(suite.sequences), results)
    missing = replace(missing, fingerprints=suite.sequences, impossible=(), cost_ns=cost_ns)
    return PlannedSuite(suite=suite_path(out, options), plan=missing, configuration=results.configuration), off_grid
