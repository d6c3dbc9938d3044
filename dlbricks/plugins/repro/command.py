"""Find the smallest piece that one runtime computes slower than another."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import at_least, fail_above_option, json_flag, out_option
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    batch_option,
    dims_option,
    models_argument,
    network_files,
    parse_pairs,
    parse_sizes,
    values_option,
)
from dlbricks.errors import CheckError, InputError
from dlbricks.settings import PORTABLE

if TYPE_CHECKING:
    from dlbricks.plugins.repro.pair import Side


@click.command(short_help=__doc__)
@models_argument
@click.option("--python", multiple=True, metavar="PATH", help="Path of Python B; if repeated, of A and then of B.")
@click.option("--option-a", multiple=True, metavar="KEY=VALUE", help="Session option of A only; repeat for more.")
@click.option("--option-b", multiple=True, metavar="KEY=VALUE", help="Session option of B only; repeat for more.")
@out_option(default="repro.pyz", show_default=True, metavar="FILE", help="File to write.")
@click.option("--budget", default="60s", show_default=True, metavar="TIME", help="Limit on the time of the search.")
@click.option("--least", default="5%", show_default=True, metavar="SHARE", help="Minimum slowdown of a piece.")
@click.option("--threads", type=at_least(1), default=1, show_default=True, help="Number of threads of A and of B.")
@fail_above_option(help="Exit with code 1 if a piece is slower by more than this, as in 10%.")
@dims_option
@values_option
@batch_option
@json_flag
def repro(  # noqa: PLR0913 - options of a command
    *,
    models: Sequence[str],
    python: tuple[str, ...],
    option_a: tuple[str, ...],
    option_b: tuple[str, ...],
    out: str,
    budget: str,
    least: str,
    threads: int,
    fail_above: float | None,
    dims: tuple[str, ...],
    values: tuple[str, ...],
    batch: int | None,
    as_json: bool,
) -> None:
    """Find the smallest piece of a network that is slower on B than on A, and write it as one file without weights.

    A and B are two Pythons with numpy and onnxruntime 1.23 or newer, or one Python with different session options. They
    are measured alternately. A piece is confirmed if it is slower in all of 8, or in 10 of 11, pairs of fresh
    processes.

    'python repro.pyz' measures the piece and shows how to compare two Pythons. The exit code is 0 whether a piece was
    found or not, except with --fail-above.
    """
    from msgspec import to_builtins

    from dlbricks.api.networks import read
    from dlbricks.plugins.repro.pieces import SearchSettings, disclosed, write_reproduction
    from dlbricks.plugins.repro.report import repro_report
    from dlbricks.plugins.repro.search import Search
    from dlbricks.report.console import measuring
    from dlbricks.units import parse_duration, parse_share

    sides = _sides(python, parse_pairs(option_a, "--option-a"), parse_pairs(option_b, "--option-b"))
    settings = SearchSettings(sides=sides, threads=threads, least=parse_share(least), budget_ns=parse_duration(budget))
    sizes = parse_sizes(dims, values)
    paths = network_files(models, sizes)
    if len(paths) != 1:
        raise InputError(f"repro takes one network, not {len(paths)}: name a single file")
    model = read(paths[0], dims=sizes.dims, values=sizes.values, batch=batch, target=PORTABLE)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder, measuring() as advance:
        search = Search(model, settings, Path(folder), advance)
        result = search.find()
        file, telling = None, ""
        if result.slower:
            piece = search.piece(result.slower[0].fingerprint)
            write_reproduction(Path(out), piece, result.slower[0], result, settings)
            file, telling = out, disclosed(piece)
    document = {"reproduction": to_builtins(result), "file": file, "tells": telling}
    present("repro", document, lambda: repro_report(result, settings, file, telling), as_json=as_json)
    for reason in result.failed:
        tell(f"pieces left out: {reason}")
    if fail_above is not None and (worse := [each for each in result.slower if each.slowdown.low > 1 + fail_above]):
        by, ratio = f"by more than {100 * fail_above:g}%", worse[0].slowdown.ratio
        raise CheckError(f"{worse[0].name} takes longer on B {by}: {ratio:.3f} times as long")


def _sides(python: Sequence[str], first: dict[str, str], second: dict[str, str]) -> "tuple[Side, Side]":
    # Return the sides A and B.
    # Raises:
    # InputError: there are more than two Pythons, nothing differs, or an option is unknown.
    import shutil
    import sys

    from dlbricks.harness.session import SessionSettings, check_settings
    from dlbricks.plugins.repro.pair import Side

    if len(python) > 2:
        raise InputError(f"--python is used {len(python)} times: use it once for B, or twice for A and B")
    if not python and first == second:
        raise InputError("A and B do not differ: add --python PATH or --option-b KEY=VALUE")
    check_settings(SessionSettings(config=(*first.items(), *second.items())))
    paths = (sys.executable, *python)[-2:] if python else (sys.executable, sys.executable)
    missing = [program for program in paths if shutil.which(program) is None]
    if missing:
        raise InputError(f"--python {missing[0]} cannot be executed: name a Python with numpy and onnxruntime")
    a, b = (str(Path(shutil.which(program) or program).absolute()) for program in paths)
    return Side(python=a, options=tuple(first.items())), Side(python=b, options=tuple(second.items()))
