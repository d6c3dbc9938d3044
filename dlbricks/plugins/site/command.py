"""Write the results of a store as static pages."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from dlbricks.cli.options import json_flag
from dlbricks.cli.output import check_left_out, present, tell
from dlbricks.cli.splitting import SplitChoice, measured_split_options, network_files
from dlbricks.errors import InputError, named_out
from dlbricks.settings import SplitSettings, SystemQuery


@click.command(short_help=__doc__)
@click.argument("store", required=False, metavar="[STORE]")
@click.option("-o", "--out", metavar="DIR", help="Write the pages to this folder.  [required]")
@click.option("--title", default="Measured latencies", show_default=True, metavar="TEXT", help="Title of the pages.")
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Rank by this network (file, folder or glob); repeat for more.",
)
@measured_split_options
@click.option("--no-raw", is_flag=True, help="Leave the submitted files out.")
@json_flag
def site(
    *,
    store: str | None,
    out: str | None,
    title: str,
    models: Sequence[str],
    choice: SplitChoice,
    no_raw: bool,
    as_json: bool,
) -> None:
    """Write the results of a store as static pages; the pages load nothing from other sites.

    The first page ranks systems by the geometric mean of their latencies over the networks given by --model, or over
    the layer sequences that they share. Other pages show each network and system, two systems side by side, versions of
    a runtime, and the rules for results. results.csv and results.json have the estimates. STORE is a URL, a file, or
    bundle:FILE with what 'publish' wrote [default: the default store]. Results under embargo are left out. Any web
    server can serve DIR, and a browser can open it locally.
    """
    import time

    from dlbricks.api.estimates import alternatives, measured_settings, open_results
    from dlbricks.files import refuse_unwritable_folder
    from dlbricks.plugins.site.pages import INDEX, save_site
    from dlbricks.report.console import progress
    from dlbricks.units import counted, format_bytes

    with open_results(SystemQuery(system="", store=store)) as opened:
        systems = opened.systems()
        if not systems:
            raise InputError(f"store {opened.place} has no results to show: submit one, or wait until an embargo ends")
        paths = network_files(models, choice.settings) if models else ()
        folder = named_out(Path(out) if out else None, "the folder for the pages, as in -o pages")
        refuse_unwritable_folder(folder)
        if folder.is_dir() and any(folder.iterdir()) and not (folder / INDEX).is_file():
            raise InputError(f"{out} has files that 'dlbricks site' did not write: name a new folder")
        candidates = list[SplitSettings]()
        for system in systems:
            threads = system.configuration.threads
            candidates += measured_settings(paths, choice.settings, system.settings, threads=threads)
        with progress() as advance:
            splits, left_out = alternatives(paths, candidates, tell, advance) if models else ({}, {})
        networks = [[(_own(settings, path), split) for settings, split in each] for path, each in splits.items()]
        written = save_site(folder, opened, networks, title=title, now_unix_ns=time.time_ns(), raw=not no_raw)
    counts = f"{counted(written['systems'], 'system')}, {counted(written['sequences'], 'sequence')}"
    contents = f"{counts}, {format_bytes(written['page_bytes'])}"
    document = {"folder": out, **written, "left_out": left_out}
    present("site", document, lambda: [f"{folder / INDEX}: {contents}"], as_json=as_json)
    check_left_out(left_out)


def _own(settings: SplitSettings, path: Path) -> SplitSettings:
    # Return settings with the extents and values that a network has; a pass may add dimensions that its file lacks.
    from dlbricks.model.read.dimensions import known_to

    dims, values = known_to([path], settings.dims), known_to([path], settings.values)
    return settings if settings.passes else replace(settings, dims=dims, values=values)
