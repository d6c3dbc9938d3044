"""The command ``profile``: it traces networks at several levels, which XSP calls leveled experiments."""

from collections.abc import Sequence
from typing import Any

import click

from dlbricks.cli.options import ManyOptionsCommand, at_least, json_flag, table_options
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import dims_option, models_argument, parse_sizes, values_option
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import SESSION_OPTIONS, Option, RunOptions
from dlbricks.settings import ProfileOptions
from dlbricks.units import counted, parse_duration

_OPTIONS = (
    *SESSION_OPTIONS,
    Option("--budget", "budget_ns", "Maximum time for the calls of each network, as in 30s.", "TIME", parse_duration),
    Option("--name", "name", "Name of this system [default: from its processor].", "NAME"),
    Option("--force", "force", "Replace profiles that exist."),
)


@click.command(
    cls=ManyOptionsCommand,
    basic="-o --levels --batch --dim --runtime --provider --threads --calls --budget --name --rows --json",
    short_help="Trace networks at several levels: call, layers, kernels.",
)
@models_argument
@click.option("-o", "--out", metavar="FILE|DIR", help="Write profiles to a .json or .json.gz file, or a folder.")
@click.option("--levels", metavar="LEVELS", help="Some of M,ML,MLK (call, layers, kernels) [default: all possible].")
@click.option("--batch", "batches", metavar="N,...", help="Batch sizes, as in 1,2,4 [default: that of the file].")
@dims_option
@values_option
@click.option("--calls", type=at_least(2), default=30, show_default=True, help="Number of timed calls at each level.")
@table_options(_OPTIONS)
@click.option("--no-roofs", is_flag=True, help="Do not measure peak FLOP/s and bandwidth.")
@click.option("--rows", type=at_least(0), default=10, show_default=True, help="Number of layers shown; 0 for all.")
@json_flag
def profile(
    *, models: Sequence[str], out: str | None, run_options: RunOptions, rows: int, as_json: bool, **texts: Any
) -> None:
    """Run networks at every level of tracing: the call alone, with its layers, and with the kernels of these layers.

    Calls of all levels alternate. The time of a level comes from calls without deeper tracing, and the overhead of each
    level is shown. Weights and inputs are synthetic. The commands 'analyse', 'report' and 'export' read the profiles.
    If a network fails, it is reported, the others continue, and the exit code is 4.
    """
    from dlbricks.api.profiles import profile_networks
    from dlbricks.report.console import measuring, rounds
    from dlbricks.report.tables import network_levels, profiles_report

    levels = texts["levels"]
    options = ProfileOptions(
        run=run_options,
        sizes=parse_sizes(texts["dims"], texts["values"]),
        levels=None if levels is None else tuple(part.strip().upper() for part in levels.split(",") if part.strip()),
        batches=parse_batches(texts["batches"]),
        calls=texts["calls"],
        roofs=not texts["no_roofs"],
    )
    with measuring(rounds) as advance:
        profiled = profile_networks(models, options, out=out, progress=advance, tell=tell)
    document = {"networks": network_levels(profiled)}
    present("levels", document, lambda: profiles_report(profiled, rows=rows), as_json=as_json)
    if profiled.failed:
        networks = counted(len(profiled.failed) + len(profiled.profiles), "network")
        raise BenchmarkError(f"{len(profiled.failed)} of {networks} failed")


def parse_batches(text: str | None) -> tuple[int, ...]:
    """Parse ``1,2,4`` to unique ascending numbers; raises ``InputError`` if a part is not a positive integer."""
    parts = [part.strip() for part in (text or "").split(",")] if text is not None else []
    if not all(part.isascii() and part.isdigit() and int(part) >= 1 for part in parts):
        raise InputError(f"invalid --batch '{text}': expected whole numbers from 1 up, as in 1,2,4")
    return tuple(sorted({int(part) for part in parts}))
