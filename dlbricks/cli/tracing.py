"""The command ``profile``: it traces networks at several levels, as the leveled experiments of XSP do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from dlbricks.cli.options import ManyOptionsCommand, at_least, json_flag, table_options
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import dims_option, models_argument, network_files, parse_sizes, values_option
from dlbricks.errors import BenchmarkError, DlbricksError, InputError
from dlbricks.harness.options import SESSION_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.profile.experiment import ExperimentPlan
    from dlbricks.trace.types import Profile

_FILE_SUFFIXES = (".json", ".json.gz")


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
@table_options(SESSION_OPTIONS)
@click.option("--calls", type=at_least(2), default=30, show_default=True, help="Number of timed calls at each level.")
@click.option("--budget", metavar="TIME", help="Maximum time for the calls of each network, as in 30s.")
@click.option("--name", metavar="NAME", help="Name of this system [default: from its processor].")
@click.option("--force", is_flag=True, help="Replace profiles that exist.")
@click.option("--no-roofs", is_flag=True, help="Do not measure peak FLOP/s and bandwidth.")
@click.option("--rows", type=at_least(0), default=10, show_default=True, help="Number of layers shown; 0 for all.")
@json_flag
def profile(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    out: str | None,
    levels: str | None,
    batches: str | None,
    dims: Sequence[str],
    values: Sequence[str],
    run_options: RunOptions,
    calls: int,
    budget: str | None,
    name: str | None,
    force: bool,
    no_roofs: bool,
    rows: int,
    as_json: bool,
) -> None:
    """Run networks at every level of tracing: the call alone, with its layers, and with the kernels of these layers.

    Calls of all levels alternate. The time of a level comes from calls without deeper tracing, and the overhead of each
    level is shown. Weights and inputs are synthetic. The commands 'analyse', 'report' and 'export' read the profiles.
    If a network fails, it is reported, the others continue, and the exit code is 4.
    """
    from pathlib import Path

    from dlbricks.harness.machine import system_facts, system_name
    from dlbricks.harness.session import session_settings
    from dlbricks.profile.experiment import ExperimentPlan, possible_levels, roofs_isolated
    from dlbricks.report.tables import network_levels, profiles_report
    from dlbricks.units import parse_duration

    # networks and files that cannot be used are refused first, since measuring the peaks takes seconds
    _refuse_suites(models)
    sizes = parse_sizes(dims, values)
    paths = network_files(models, sizes)
    places = _places(paths, Path(out) if out else None, replace=force)
    settings = session_settings(run_options)
    chosen, notes = possible_levels(settings, parse_levels(levels))
    facts = system_facts()
    try:
        roofs = None if no_roofs else roofs_isolated(settings, facts)
    except BenchmarkError as error:
        raise BenchmarkError(f"{error}; give --no-roofs") from error
    plan = ExperimentPlan(
        levels=chosen,
        settings=settings,
        batches=parse_batches(batches),
        dims=sizes.dims,
        values=sizes.values,
        calls=calls,
        budget_ns=parse_duration(budget) if budget else None,
        system={"name": name or system_name(facts), **facts},
        roofs=roofs,
        notes=notes,
    )
    by_path, failed = _profile_all(paths, places, plan)
    profiles, written = list(by_path.values()), [str(places[path]) if path in places else None for path in by_path]
    files = [f"{place}: the profile" for place in written if place]
    present(
        "levels",
        {"networks": network_levels(profiles, written)},
        lambda: [*profiles_report(profiles, rows=rows), *files] if profiles else [],
        as_json=as_json,
    )
    if failed:
        raise BenchmarkError(f"{failed} of {counted(len(paths), 'network')} failed")


def parse_levels(text: str | None) -> tuple[str, ...] | None:
    """Parse ``M,ML`` to levels; None for None."""
    return None if text is None else tuple(part.strip().upper() for part in text.split(",") if part.strip())


def parse_batches(text: str | None) -> tuple[int, ...]:
    """Parse ``1,2,4`` to unique ascending numbers; raises ``InputError`` if a part is not a positive integer."""
    parts = [part.strip() for part in (text or "").split(",")] if text is not None else []
    if not all(part.isascii() and part.isdigit() and int(part) >= 1 for part in parts):
        raise InputError(f"invalid --batch '{text}': expected whole numbers from 1 up, as in 1,2,4")
    return tuple(sorted({int(part) for part in parts}))


def _refuse_suites(models: Sequence[str]) -> None:
    # A suite looks like a folder of networks, but only 'run --trace' can trace it.
    from pathlib import Path

    from dlbricks.suite.manifest import MANIFEST, SUFFIXES

    for text in models:
        if (Path(text) / MANIFEST).is_file() or text.endswith(SUFFIXES):
            raise InputError(f"{text} is a suite: trace it with 'dlbricks run {text} -o RESULT.json --trace ML'")


def _places(paths: "Sequence[Path]", out: "Path | None", *, replace: bool) -> "dict[Path, Path]":
    # Return the path of each network's profile, and no paths without ``out``. Raises if two networks share a file, or
    # if a file exists and may not be replaced.
    from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
    from dlbricks.profile.file import SUFFIX

    if out is None:
        return {}
    if not out.is_dir() and out.name.endswith(_FILE_SUFFIXES):
        if len(paths) > 1:
            raise InputError(f"-o {out} is one file, but there are {len(paths)} networks: name a folder")
        refuse_unwritable(out, b"\x1f\x8b" if out.suffix == ".gz" else b"{", replace=replace)
        return {paths[0]: out}
    refuse_unwritable_folder(out)
    places = {path: out / f"{path.stem}{SUFFIX}" for path in paths}
    twice = next((path for path in paths if sum(other.stem == path.stem for other in paths) > 1), None)
    if twice is not None:
        raise InputError(f"two networks are named {twice.stem}: profile each with a folder of its own")
    for place in places.values():
        refuse_unwritable(place, b"\x1f\x8b", replace=replace)
    return places


def _profile_all(
    paths: "Sequence[Path]", places: "dict[Path, Path]", plan: "ExperimentPlan"
) -> "tuple[dict[Path, Profile], int]":
    # Return the profiles by path, each written as soon as it is finished, and the number of networks that failed.
    from dlbricks.profile.experiment import profile_isolated
    from dlbricks.profile.file import write_profile
    from dlbricks.report.console import measuring, rounds

    profiles: dict[Path, Profile] = {}
    failed = 0
    with measuring(rounds) as advance:
        for number, path in enumerate(paths, 1):
            before = path.stem if len(paths) == 1 else f"{path.stem} ({number} of {len(paths)})"

            def show_rounds(batch: int | None, message: Any, before: str = before) -> None:
                advance(message, f"{before}: " if batch is None else f"{before}, batch {batch}: ")

            try:
                profiles[path] = profile_isolated(path, plan, show_rounds)
                if path in places:
                    write_profile(places[path], profiles[path])
            except DlbricksError as error:
                # the error of a single network is the error of the command; of several networks the others continue
                if len(paths) == 1:
                    raise
                failed += 1
                tell(f"{path.stem} failed: {error}")
    return profiles, failed
