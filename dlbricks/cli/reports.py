"""The command ``report``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import ManyOptionsCommand, json_flag, rule_option, store_option
from dlbricks.cli.output import present, tell_notes
from dlbricks.cli.splitting import SplitChoice, measured_split_options
from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.types import Estimate
    from dlbricks.profile.types import Profile
    from dlbricks.report.page.plot import Panel


@click.command(
    cls=ManyOptionsCommand,
    basic="-o --title --system --store --model -H --target --dim --batch --interpolate --json",
    short_help="Write profiles as an HTML page of charts, tables and a timeline.",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--out", default="report.html", show_default=True, metavar="FILE.html", help="The page.")
@click.option("--title", default="dlbricks report", show_default=True, metavar="TEXT", help="Title of the page.")
@click.option("--system", metavar="NAME", help="Compare with estimates from this stored system (with --model).")
@store_option
@click.option("--model", "models", multiple=True, metavar="MODEL", help="Network of a FILE, to be estimated; repeat.")
@measured_split_options
@rule_option
@click.option("--interpolate", is_flag=True, help="Predict missing sequences from similar ones of the system.")
@click.option("--allow-mismatch", is_flag=True, help="Use the nearest configuration if none is that of the profile.")
@json_flag
def report(  # noqa: PLR0913 - one parameter per option
    *,
    files: Sequence[str],
    out: str,
    title: str,
    system: str | None,
    store: str | None,
    models: Sequence[str],
    choice: SplitChoice,
    rule: str,
    interpolate: bool,
    allow_mismatch: bool,
    as_json: bool,
) -> None:
    """Write profiles as one self-contained HTML page, which loads nothing from the network.

    FILE is a file of 'profile', a traced result of a suite, a Kineto or Chrome trace, or a profile of onnxruntime. The
    page has a summary, charts, the roofline, a zoomable timeline, and sortable tables of all analyses.

    With --system and --model, the estimate of each named network from the store is compared with its measurement;
    networks are split with the settings of the measured suite.
    """
    from pathlib import Path

    from dlbricks.profile.open import read_any
    from dlbricks.report.page.html import plotly_script
    from dlbricks.report.page.panels import content_of, save_report

    if bool(system) != bool(models):
        raise InputError("--system and --model go together: name the stored system and the networks to be estimated")
    plotly_script()
    profiles = [read_any(Path(file)) for file in files]
    tell_notes(profiles)
    more: Mapping[int, Panel] = {}
    if system:
        where = SystemQuery(system=system, provider=None, threads=None, runtime=None, store=store)
        more = _compared(profiles, models, choice, where, rule, interpolate=interpolate, mismatch=allow_mismatch)
    panels = save_report(Path(out), title, profiles, more)
    present(
        "report",
        {"page": out, "panels": [content_of(panel) for panel in panels]},
        lambda: [f"{out}: the page"],
        as_json=as_json,
    )


def _compared(
    profiles: "Sequence[Profile]",
    models: Sequence[str],
    choice: SplitChoice,
    where: SystemQuery,
    rule: str,
    *,
    interpolate: bool,
    mismatch: bool,
) -> "dict[int, Panel]":
    """Estimate each named network and compare it with its profile.

    Returns:
        Panels by index of the profile.

    Raises:
        InputError: a network has no profile, or the store has no matching results.
    """
    from dlbricks.api import read
    from dlbricks.model.read.decoders import network_name
    from dlbricks.model.read.network import batch_of, find_networks
    from dlbricks.report.page.panels import compare_with_estimate

    paths = find_networks(models)
    there = ", ".join(dict.fromkeys(profile.network for profile in profiles))
    for path in paths:
        if all(profile.network != network_name(path) for profile in profiles):
            raise InputError(f"--model {path}: no FILE is a profile of {network_name(path)}; they are of {there}")
    choice = as_measured(models, choice, where)
    panels = {}
    for path in paths:
        batch = batch_of(read(path, dims=choice.settings.dims, batch=choice.settings.batch))
        for place, profile in enumerate(profiles):
            if profile.network == network_name(path):
                estimate = _estimated(path, profile, choice, where, rule, interpolate=interpolate, mismatch=mismatch)
                panels[place] = compare_with_estimate(profile, estimate, batch)
    return panels


def _estimated(
    path: "Path",
    profile: "Profile",
    choice: SplitChoice,
    where: SystemQuery,
    rule: str,
    *,
    interpolate: bool,
    mismatch: bool,
) -> "Estimate":
    """Estimate a network from results with the provider, threads and runtime of its profile."""
    from dlbricks.estimating import estimates

    runtime = profile.runtime
    same = SystemQuery(
        system=where.system,
        provider=runtime.get("provider"),
        threads=runtime.get("threads"),
        runtime=runtime.get("version"),
        store=where.store,
    )
    choice = replace(choice, settings=replace(choice.settings, threads=same.threads or 1))
    (network,) = splits([str(path)], choice)
    _, results = estimates([network], same, rule=rule, interpolate=interpolate, allow_mismatch=mismatch)
    return results[0]
