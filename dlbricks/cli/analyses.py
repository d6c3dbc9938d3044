"""The commands ``analyse`` (tables of profiles), ``report`` (a page) and ``export`` (traces for other viewers)."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import click

from dlbricks.cli.options import at_least, json_flag
from dlbricks.cli.output import present, tell
from dlbricks.errors import InputError
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.analysis.table import Table
    from dlbricks.trace.types import Profile


TABLE_FORMATS = ("text", "csv", "json")
# Name and tables of each profile.
_Tables: TypeAlias = "Sequence[tuple[str, Sequence[Table]]]"


@click.command(short_help="Show analyses of profiles and traces: the fifteen of XSP, and more.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--only", multiple=True, metavar="ID,...", help="Show only these, as in A2,A8 or headroom; else all.")
@click.option("--compare", "comparing", is_flag=True, help="Compare two files by calls, layers and kernels.")
@click.option("--sort", metavar="COLUMN", help="Sort rows by a column, as in latency; -latency puts the largest first.")
@click.option("--batch", type=at_least(1), metavar="N", help="Batch size to analyse [default: smallest].")
@click.option("--format", "form", type=click.Choice(TABLE_FORMATS), help="Format of the tables. [default: text]")
@click.option("-o", "--out", metavar="DIR", help="Write each table to a file in this folder instead of stdout.")
@click.option("--rows", type=at_least(0), default=20, show_default=True, help="Rows per text table; 0 for all.")
@click.option("-v", "--verbose", is_flag=True, help="Also show irregularities in the traces.")
@json_flag
def analyse(  # noqa: PLR0913 - one parameter per option
    *,
    files: Sequence[str],
    only: Sequence[str],
    comparing: bool,
    sort: str | None,
    batch: int | None,
    form: str | None,
    out: str | None,
    rows: int,
    verbose: bool,
    as_json: bool,
) -> None:
    """Show analyses of profiles.

    FILE is a file that 'profile' wrote, a result of 'run --trace', a Kineto or Chrome trace, a profile of onnxruntime
    or an SQLite export of Nsight Systems; the format is detected from the content.

    --sort takes a column's heading or its name in CSV and JSON (latency_ns). Tables without this column keep their
    order.

    An analysis that is not available states what it needs. For several files there is one row for each network, and
    one for each collective that ranks share; --only or -o also shows the tables of each network.
    """
    from pathlib import Path

    from dlbricks.analysis.catalogue import chosen, compare, networks_table, ranks_table
    from dlbricks.report.tables import check_order, ordered
    from dlbricks.trace.kinds import COLLECTIVE

    if as_json and form not in {None, "json"}:
        raise InputError(f"--json and --format {form} exclude each other: give one of them")
    form = "json" if as_json else form or "text"
    ids = [id_.strip() for text in only for id_ in text.split(",") if id_.strip()]
    analyses = chosen(ids)
    if comparing and (len(files) != 2 or ids):
        raise InputError("--compare needs exactly two files and cannot be used with --only")
    profiles = [_read(Path(text), batch) for text in files]
    for profile in profiles:
        for note in (*profile.all_notes, *(profile.diagnostics if verbose else ())):
            tell(f"{profile.network}: {note}")
    over: Sequence[Table] = ()
    own: _Tables = ()
    if comparing:
        tell(f"a is {files[0]}, b is {files[1]}")
        over = compare(*profiles)
    else:
        if out is None:
            profiles = _with_file_names(profiles, files)
        over = (networks_table(profiles),) if len(profiles) > 1 else ()
        if over and all(COLLECTIVE in profile.runs[-1].trace.kinds for profile in profiles):
            over = (*over, ranks_table(profiles))
        detailed = profiles if len(profiles) == 1 or ids or out is not None else ()
        own = [(profile.network, [each.compute(profile) for each in analyses]) for profile in detailed]
    if sort is not None:
        check_order([*over, *(table for _, listed in own for table in listed)], sort)
        over = [ordered(table, sort) for table in over]
        own = [(name, [ordered(table, sort) for table in listed]) for name, listed in own]
    if out is None:
        _print(over, own, form, rows)
    else:
        _write(over, own, form, out)


def _read(path: "Path", batch: int | None) -> "Profile":
    from dlbricks.analysis.executions import at_batch
    from dlbricks.profile.open import read_any

    profile = read_any(path)
    if batch is None:
        return profile
    if batch not in profile.batches:
        there = ", ".join(str(batch) for batch in profile.batches if batch) or "none"
        raise InputError(f"{path} has no runs of batch {batch}: choose from {there}")
    return at_batch(profile, batch)


def _with_file_names(profiles: "Sequence[Profile]", files: Sequence[str]) -> "list[Profile]":
    # needed only where several profiles are of one network and would look the same
    names = [profile.network for profile in profiles]
    return [
        replace(profile, network=f"{profile.network} ({file})") if names.count(profile.network) > 1 else profile
        for profile, file in zip(profiles, files, strict=True)
    ]


def _print(over: "Sequence[Table]", own: _Tables, form: str, rows: int) -> None:
    from dlbricks.report.console import show
    from dlbricks.report.tables import csv_text, json_report, text_tables

    tables, most = [*over, *(table for _, listed in own for table in listed)], rows or None
    if form == "json":
        click.echo(json_report(over, own), nl=False)
    elif form == "csv":
        if len(tables) != 1:
            raise InputError(
                f"CSV has room for one table, not {len(tables)}: choose one with --only, or name a folder with -o"
            )
        if tables[0].unavailable:
            raise InputError(f"{tables[0].id} is not available: {tables[0].unavailable}")
        click.echo(csv_text(tables[0]), nl=False)
    else:
        for name, listed in [("", over), *own]:
            titled = [name, ""] if name and len(own) > 1 else []
            show(*titled, *text_tables(listed, most))


def _write(over: "Sequence[Table]", own: _Tables, form: str, out: str) -> None:
    # each of several profiles gets a folder
    from pathlib import Path

    from dlbricks.files import writing
    from dlbricks.report.tables import write_tables

    # a network's name may have characters that a folder's name must not have, or begin with a dot
    names = [re.sub(r"^\.+|[^\w.-]", "_", name) for name, _ in own]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two files have a network named {twice}: run the command for each, with different folders")
    place = Path(out)
    # the folder appears with all its tables or not at all
    with contextlib.nullcontext(place) if place.exists() else writing(place) as folder:
        written = write_tables(over, folder, form)
        for name, (_, listed) in zip(names, own, strict=True):
            written += write_tables(listed, folder / name if len(own) > 1 else folder, form)
    tell(f"{counted(len(written), 'file')} in {out}")
    reasons: dict[str, dict[str, None]] = {}
    for table in (table for _, listed in (("", over), *own) for table in listed if table.unavailable):
        reasons.setdefault(table.unavailable, {})[table.id] = None
    for reason, ids in reasons.items():
        tell(f"{', '.join(ids)} not available: {reason}")


@click.command(short_help="Write profiles as an HTML page of charts, tables and a timeline.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--out", default="report.html", show_default=True, metavar="FILE.html", help="The page to write.")
@click.option("--title", default="dlbricks report", show_default=True, metavar="TEXT", help="Title of the page.")
@json_flag
def report(*, files: Sequence[str], out: str, title: str, as_json: bool) -> None:
    """Write profiles as one self-contained HTML page; the page loads nothing from the internet.

    FILE is as for 'analyse'. The page has a summary, charts, the roofline, a zoomable timeline, and all analyses as
    tables that can be sorted.
    """
    from pathlib import Path

    from dlbricks.profile.open import read_any
    from dlbricks.report.html import plotly_script
    from dlbricks.report.panels import content_of, save_report

    plotly_script()  # raises if plotly is missing, before reading takes time
    profiles = [read_any(Path(file)) for file in files]
    for profile in profiles:
        for note in profile.all_notes:
            tell(f"{profile.network}: {note}")
    panels = save_report(Path(out), title, profiles)
    present(
        "report",
        {"page": out, "panels": [content_of(panel) for panel in panels]},
        lambda: [f"{out}: the page"],
        as_json=as_json,
    )


TRACE_FORMATS = ("chrome", "otlp")


@click.command(short_help="Write traces for Perfetto, Jaeger and the like.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--out", required=True, metavar="FILE", help="Output file, for example run.json or run.jsonl.gz.")
@click.option("--format", "form", type=click.Choice(TRACE_FORMATS), help="Format of the file [default: by its suffix].")
@click.option("--joined", is_flag=True, help="Put all traces on one time axis, as ranks of one distributed run.")
@json_flag
def export(*, files: Sequence[str], out: str, form: str | None, joined: bool, as_json: bool) -> None:
    """Write the traces of profiles as Chrome JSON or OTLP JSON lines.

    FILE is as for 'analyse'. Chrome JSON (.json) opens in ui.perfetto.dev, OTLP (.jsonl) in Jaeger; the suffix .gz
    compresses both. Runs of several levels are shown side by side, and each starts at time 0. Problems of a trace are
    printed on stderr.
    """
    from pathlib import Path

    from dlbricks.profile.file import export as write
    from dlbricks.profile.file import format_of, joined_part, parts_of
    from dlbricks.profile.open import read_any

    path = Path(out)
    form = form or format_of(path)
    profiles = [read_any(Path(file)) for file in files]
    written = write((joined_part(profiles),) if joined else parts_of(profiles), path, form)
    for part in written.parts:
        for finding in part.findings:
            tell(f"{part.name}: {finding}" if part.name else finding)
    spans = counted(sum(part.spans for part in written.parts), "span")
    runs = f" of {len(written.parts)} runs" if len(written.parts) > 1 else ""
    present("export", written, lambda: [f"{written.file}: {spans}{runs}, {written.file_format}"], as_json=as_json)
