"""The commands ``analyse`` (tables of profiles), ``report`` (a page) and ``export`` (traces for other viewers)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from dlbricks.cli.options import at_least, force_option, json_flag, out_option
from dlbricks.cli.output import present, tell
from dlbricks.errors import CheckError, InputError
from dlbricks.units import counted

_MORE = "more: --all, --only A10,headroom,...; what would pay off: 'dlbricks whatif FILE --advise'"
TABLE_FORMATS, TRACE_FORMATS = ("text", "csv", "json"), ("chrome", "otlp")


@click.command(short_help="Show where the time of a profile or trace goes, and the analyses of XSP.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--only", multiple=True, metavar="ID,...", help="Show only these analyses, as in A2,A8 or headroom.")
@click.option("--all", "everything", is_flag=True, help="Show all analyses after the first screen.")
@click.option("--compare", "comparing", is_flag=True, help="Compare two files by calls, layers and kernels.")
@click.option("--sort", metavar="COLUMN", help="Sort rows by a column: latency, or -latency for the largest first.")
@click.option("--batch", type=at_least(1), metavar="N", help="Batch size to analyse [default: smallest].")
@click.option("--format", "form", type=click.Choice(TABLE_FORMATS), help="Format of the tables. [default: text]")
@click.option("-o", "--out", metavar="DIR", help="Write each table to a file in this folder instead of stdout.")
@force_option
@click.option("--rows", type=at_least(0), help="Rows per text table; 0 for all. [default: 20; on the first screen 10]")
@click.option("-v", "--verbose", is_flag=True, help="Also show irregularities in the traces.")
@json_flag
def analyse(  # noqa: PLR0913 - one parameter per option
    *,
    files: Sequence[str],
    only: Sequence[str],
    everything: bool,
    sort: str | None,
    form: str | None,
    out: str | None,
    force: bool,
    rows: int | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Show where the time of a step goes: how long it takes, how busy the device is, and what the device waits for.

    --all adds all analyses, the fifteen of XSP and more; --only shows some of them instead. CSV, JSON and -o have all.

    FILE is a file that 'profile' wrote, a result of 'run --trace', a Kineto or Chrome trace, a profile of onnxruntime
    or an SQLite export of Nsight Systems; the format is detected from the content.

    --sort takes the heading of a column or the column's name in CSV and JSON (latency_ns), and implies --all. Tables
    without this column keep their order.

    An analysis that is not available states what it needs. For several files there is one row for each network, and one
    for each collective that ranks share; --all, --only or -o also show the tables of each network.
    """
    from dlbricks.api.profiles import analyse as analyse_files
    from dlbricks.report.console import show
    from dlbricks.report.tables import analysis_report, analysis_text, in_order, write_analysis

    if as_json and form not in {None, "json"}:
        raise InputError(f"--json and --format {form} exclude each other: give one of them")
    if out and Path(out).is_dir() and any(Path(out).iterdir()) and not force:
        raise InputError(f"{out} has files: pass another folder to -o, or --force to replace its tables")
    form = "json" if as_json else form or "text"
    ids = [id_.strip() for text in only for id_ in text.split(",") if id_.strip()]
    brief = form == "text" and not (everything or ids or sort or out or chosen["comparing"])
    tables = analyse_files(files, ids, each=everything or out is not None, brief=brief, most=rows, tell=tell, **chosen)
    if sort is not None:
        tables = in_order(tables, sort)
    if out is not None:
        for line in write_analysis(tables, Path(out), form):
            tell(line)
    elif form == "text":
        show(*analysis_report(tables, 20 if rows is None else rows), *([_MORE] if brief and tables.profiles else []))
    else:
        click.echo(analysis_text(tables, form), nl=False)
    if ids and all(table.unavailable for table in tables.every):
        raise CheckError(f"no table: {tables.every[0].unavailable}")


@click.command(short_help="Write profiles as an HTML page of charts, tables and a timeline.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@out_option(default="report.html", show_default=True, metavar="FILE.html", help="The page to write.")
@click.option("--title", default="dlbricks report", show_default=True, metavar="TEXT", help="Title of the page.")
@json_flag
def report(*, files: Sequence[str], out: str, title: str, as_json: bool) -> None:
    """Write profiles as one self-contained HTML page; the page loads nothing from the internet.

    FILE is as for 'analyse', or a file of 'whatif -o', whose prediction and timelines the page shows. The page begins
    with the screen of 'analyse'. Below are charts, rooflines, the graph of a network, a timeline to zoom and search,
    and all analyses as tables that can be sorted.
    """
    from dlbricks.api.profiles import read_profiles
    from dlbricks.report.html import plotly_script
    from dlbricks.report.panels import content_of, save_report

    plotly_script()  # raises if plotly is missing, before reading takes time
    panels = save_report(Path(out), title, read_profiles(files, tell, predicted=True))
    document = {"page": out, "panels": [content_of(panel) for panel in panels]}
    present("report", document, lambda: [f"{out}: the page"], as_json=as_json)


@click.command(short_help="Write traces for Perfetto, Jaeger and the like.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@out_option(metavar="FILE", help="Output file, for example run.json or run.jsonl.gz.  [required]")
@click.option("--format", "form", type=click.Choice(TRACE_FORMATS), help="Format of the file [default: by its suffix].")
@click.option("--joined", is_flag=True, help="Put all traces on one time axis, as ranks of one distributed run.")
@json_flag
def export(*, files: Sequence[str], out: str | None, form: str | None, joined: bool, as_json: bool) -> None:
    """Write the traces of profiles as Chrome JSON or OTLP JSON lines.

    FILE is as for 'analyse'. Chrome JSON (.json) opens in ui.perfetto.dev, OTLP (.jsonl) in Jaeger; the suffix .gz
    compresses both. Runs of several levels are shown side by side; each run starts at time 0. Problems of a trace are
    printed on stderr.
    """
    from dlbricks.api.profiles import export_traces

    written = export_traces(files, Path(out) if out else None, form, joined=joined)
    for part in written.parts:
        for finding in part.findings:
            tell(f"{part.name}: {finding}" if part.name else finding)
    spans = counted(sum(part.spans for part in written.parts), "span")
    runs = f" of {len(written.parts)} runs" if len(written.parts) > 1 else ""
    present("export", written, lambda: [f"{written.file}: {spans}{runs}, {written.file_format}"], as_json=as_json)
