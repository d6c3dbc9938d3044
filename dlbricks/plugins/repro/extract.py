"""Write one benchmark as a single file."""

from pathlib import Path

import click

from dlbricks.cli.options import force_option, json_flag
from dlbricks.cli.output import present


@click.command(short_help=__doc__)
@click.argument("suite", metavar="SUITE")
@click.argument("fingerprint", metavar="FINGERPRINT")
@click.option("-o", "--out", metavar="FILE", help="File to write [default: <name>_<fingerprint>.pyz here].")
@force_option
@json_flag
def extract(suite: str, fingerprint: str, out: str | None, force: bool, as_json: bool) -> None:
    """Write one benchmark of a suite as a single file; 'python FILE' runs it.

    'python FILE -o result.json --name NAME' measures it as 'run' does. 'submit result.json --suite FILE' submits the
    result.

    FINGERPRINT is the benchmark's fingerprint, or a unique prefix of it.
    """
    from dlbricks.plugins.repro.pieces import extract_benchmark

    file = extract_benchmark(Path(suite), fingerprint, Path(out) if out else None, replace=force)
    present("extract", {"file": str(file)}, lambda: [f"{file}: run it with 'python {file}'"], as_json=as_json)
