"""``export``: traces for other people's viewers."""

from collections.abc import Sequence

import click

from dlbricks.cli.options import json_flag

FORMATS = ("chrome", "otlp", "perfetto")


@click.command(short_help="Write traces for Perfetto, Jaeger and the like.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--out", required=True, metavar="FILE", help="The file, as in run.json, run.jsonl.gz, run.pftrace.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="What it is to be.  [default: by the name of the file]"
)
@click.option("--joined", is_flag=True, help="Put all traces on one line of time, as ranks of one distributed run.")
@json_flag
def export(*, files: Sequence[str], out: str, form: str | None, joined: bool, as_json: bool) -> None:
    """Write the traces of profiles as Chrome JSON, OTLP JSON lines, or Perfetto protobuf.

    FILE is a file of 'profile', a result of 'run --trace', a Kineto or Chrome trace, or a profile of onnxruntime.
    Chrome JSON (.json) and Perfetto (.pftrace) open in ui.perfetto.dev, OTLP (.jsonl) in Jaeger; .gz after any of these
    compresses. Runs of several levels stand beside each other, each from time 0 on.

    What is wrong with a trace is said on stderr.
    """
    from pathlib import Path

    from dlbricks.profile.export import export as write
    from dlbricks.profile.export import format_of, joined_part, parts_of
    from dlbricks.profile.open import read_any
    from dlbricks.report.jsonable import to_json

    path = Path(out)
    form = form or format_of(path)
    profiles = [read_any(Path(file)) for file in files]
    made = write((joined_part(profiles),) if joined else parts_of(profiles), path, form)
    for part in made.parts:
        for finding in part.findings:
            click.echo(f"{part.name}: {finding}" if part.name else finding, err=True)
    if as_json:
        click.echo(to_json(made), nl=False)
        return
    spans = sum(part.spans for part in made.parts)
    runs = f" of {len(made.parts)} runs" if len(made.parts) > 1 else ""
    click.echo(f"{made.file}: {spans:,} spans{runs}, {made.format}")
