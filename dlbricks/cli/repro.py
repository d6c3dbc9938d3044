"""``repro``."""

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import batch_option, dims_option, models_argument, parse_dims, parse_pairs
from dlbricks.errors import CheckError, InputError

if TYPE_CHECKING:
    from dlbricks.harness.pair import Side


@click.command(short_help="Find the smallest piece that one runtime computes slower than another.")
@models_argument
@click.option("--python", multiple=True, metavar="PATH", help="Python of B; given twice, of A and of B. Else this one.")
@click.option("--option-a", multiple=True, metavar="KEY=VALUE", help="Session option that only A has; repeat.")
@click.option("--option-b", multiple=True, metavar="KEY=VALUE", help="Session option that only B has; repeat.")
@click.option("-o", "--out", default="repro.pyz", show_default=True, metavar="FILE", help="The file to be mailed.")
@click.option("--budget", default="60s", show_default=True, metavar="TIME", help="Time for all.")
@click.option("--least", default="5%", show_default=True, metavar="SHARE", help="By how much a piece has to be slower.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of both.")
@click.option("--fail-above", metavar="SHARE", help="Exit code 1 if a piece surely takes longer by more, as in 10%.")
@dims_option
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
    fail_above: str | None,
    dims: tuple[str, ...],
    batch: int | None,
    as_json: bool,
) -> None:
    """Find the smallest piece of a network that B computes slower than A, and write it as one file without weights.

    A and B are two Pythons with onnxruntime 1.21 or newer and numpy, or one with different session options. Both are
    asked in turns. A piece is found if it takes longer in at least 8 of 8, or 10 of 11, pairs of fresh processes.

    'python repro.pyz' times it, and says how to compare two Pythons by it. Exit code 0 whether or not something was
    found: see --fail-above.
    """
    from dlbricks.files import refuse_unwritable
    from dlbricks.model.read.network import find_networks, read_batched
    from dlbricks.report.console import measuring
    from dlbricks.report.repro import repro_report
    from dlbricks.repro.search import Question, Search
    from dlbricks.repro.writing import given_away, write_reproduction
    from dlbricks.suite.workers import each_apart
    from dlbricks.units import parse_duration, parse_share

    limit = parse_share(fail_above) if fail_above is not None else None
    sides = _sides(python, parse_pairs(option_a, "--option-a"), parse_pairs(option_b, "--option-b"))
    question = Question(sides=sides, threads=threads, least=parse_share(least), budget_ns=parse_duration(budget))
    refuse_unwritable(Path(out))
    paths = find_networks(models)
    if len(paths) != 1:
        raise InputError(f"repro is of one network, and {len(paths)} were named")
    (model,) = each_apart(partial(read_batched, dims=parse_dims(dims), batch=batch), paths)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder, measuring() as advance:
        search = Search(model, question, Path(folder), advance)
        made = search.find()
        file, telling = None, ""
        if made.slower:
            piece = search.piece(made.slower[0].fingerprint)
            write_reproduction(Path(out), piece, made.slower[0], made, question)
            file, telling = out, given_away(piece)
    present(
        "repro",
        {"reproduction": made, "file": file, "tells": telling},
        lambda: repro_report(made, question, file, telling),
        as_json=as_json,
    )
    for reason in made.failed:
        tell(f"pieces left out: {reason}")
    worse = [one for one in made.slower if limit is not None and one.found.low > 1 + limit]
    if worse:
        found = worse[0].found
        raise CheckError(f"{worse[0].name} takes longer on B by more than {fail_above}: {found.ratio:.3f} times")


def _sides(python: Sequence[str], first: dict[str, str], second: dict[str, str]) -> "tuple[Side, Side]":
    """Say what A and B are.

    Raises:
        InputError: more than two, or nothing that differs.
    """
    import shutil
    import sys

    from dlbricks.harness.pair import Side
    from dlbricks.harness.session import CONFIG_KEYS

    if len(python) > 2:
        raise InputError(f"--python is given {len(python)} times: name the Python of B, or that of A and that of B")
    if not python and first == second:
        raise InputError("nothing differs between A and B: give --python PATH, or --option-b KEY=VALUE")
    unknown = sorted({*first, *second} - CONFIG_KEYS)
    if unknown:
        raise InputError(f"unknown session option '{unknown[0]}'; known are: {', '.join(sorted(CONFIG_KEYS))}")
    paths = (sys.executable, *python)[-2:] if python else (sys.executable, sys.executable)
    missing = [one for one in paths if shutil.which(one) is None]
    if missing:
        raise InputError(f"--python {missing[0]} is no program: name a Python with numpy and onnxruntime")
    a, b = (str(Path(shutil.which(one) or one).absolute()) for one in paths)
    return Side(python=a, options=tuple(first.items())), Side(python=b, options=tuple(second.items()))
