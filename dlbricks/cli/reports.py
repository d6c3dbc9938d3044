"""The command ``report``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import as_measured, splits
from dlbricks.cli.options import ManyOptionsCommand, json_flag, store_option
from dlbricks.cli.output import present, tell_notes
from dlbricks.cli.splitting import SplitChoice, measured_split_options
from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery

if TYPE_CHECKING:
    from dlbricks.profile.types import Profile
    from dlbricks.report.plot import Panel


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
@click.option("--interpolate", is_flag=True, help="Predict missing sequences from similar ones of the system.")
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
    interpolate: bool,
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
    from dlbricks.report.html import plotly_script
    from dlbricks.report.panels import content_of, save_report

    if bool(system) != bool(models):
        raise InputError("--system and --model go together: name the stored system and the networks to be estimated")
    plotly_script()
    profiles = [read_any(Path(file)) for file in files]
    tell_notes(profiles)
    query = SystemQuery(system=system or "", store=store)
    more = _compared(profiles, models, choice, query, interpolate=interpolate) if system else {}
    panels = save_report(Path(out), title, profiles, more)
    present(
        "report",
        {"page": out, "panels": [content_of(panel) for panel in panels]},
        lambda: [f"{out}: the page"],
        as_json=as_json,
    )


def _compared(
    profiles: "Sequence[Profile]", models: Sequence[str], choice: SplitChoice, query: SystemQuery, *, interpolate: bool
) -> "dict[int, Panel]":
    """Estimate each network for the provider, threads and runtime of its profiles, and compare both.

    Returns:
        Panels by index of the profile.

    Raises:
        InputError: a network has no profile, or the store has no matching results.
    """
    from dlbricks.estimating import estimates
    from dlbricks.model.read.decoders import network_name
    from dlbricks.model.read.network import batch_of, find_networks
    from dlbricks.report.panels import compare_with_estimate

    paths, names = find_networks(models), [profile.network for profile in profiles]
    for path in paths:
        if network_name(path) not in names:
            there = ", ".join(dict.fromkeys(names))
            raise InputError(f"--model {path}: no FILE is a profile of {network_name(path)}; they are of {there}")
    choice, panels = as_measured(models, choice, query), {}
    for path in paths:
        for place in (place for place, name in enumerate(names) if name == network_name(path)):
            runtime = profiles[place].runtime
            provider, threads, version = (runtime.get(name) for name in ("provider", "threads", "version"))
            same = replace(query, provider=provider, threads=threads, runtime=version)
            settings = replace(choice.settings, threads=same.threads or 1)
            (network,) = splits([str(path)], replace(choice, settings=settings))
            _, (estimate,) = estimates([network], same, interpolate=interpolate)
            panels[place] = compare_with_estimate(profiles[place], estimate, batch_of(network.model))
    return panels
