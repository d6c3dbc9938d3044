"""The commands ``compare`` and ``repro``."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import as_measured, named_networks, splits
from dlbricks.cli.options import json_flag, store_option
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    batch_option,
    dims_option,
    measured_split_options,
    models_argument,
    parse_dims,
    parse_pairs,
)
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import SystemQuery, estimates, open_store

if TYPE_CHECKING:
    from dlbricks.construct.comparison import Comparison
    from dlbricks.harness.pair import Side


@click.command(short_help="Compare two systems, and say which sequences make the difference.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@partial(models_argument, required=False)
@measured_split_options
@click.option("--provider", metavar="NAME", help="Execution provider of both.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads of both.")
@store_option
@click.option("--without", multiple=True, metavar="SEQUENCE", help="Leave out sequences of this name or fingerprint.")
@click.option("--fail-above", metavar="SHARE", help="Exit code 1 if B is slower by more, as in 5% (whole interval).")
@click.option("--rows", type=click.IntRange(min=0), default=15, show_default=True, help="Sequences shown; 0: all.")
@json_flag
def compare(  # noqa: PLR0913 - options of a command
    *,
    first: str,
    second: str,
    models: Sequence[str],
    choice: SplitChoice,
    provider: str | None,
    threads: int | None,
    store: str | None,
    without: tuple[str, ...],
    fail_above: str | None,
    rows: int,
    as_json: bool,
) -> None:
    """Compare two systems: ratio of their latencies with its interval, and the sequences that make the difference.

    A and B are names of systems; NAME@VERSION selects the results with a version of the runtime. Estimates of the given
    networks are compared; without networks, all sequences that both systems have measured. The gate --fail-above fails
    if the whole interval is above the limit. Measure both systems within an hour on one machine; otherwise the interval
    includes the variation between hours.
    """
    from dlbricks.report.versus import comparison_report, shortly
    from dlbricks.units import parse_share

    limit = parse_share(fail_above) if fail_above is not None else None
    sides = [replace(_query(text, store), provider=provider, threads=threads) for text in (first, second)]
    made = _networks(models, choice, sides, without) if models else [_sequences(sides, without)]
    for one in made:
        if not one.rows:
            advice = "" if not models else "; networks that runtimes lowered: estimate --system A --system B"
            raise CheckError(f"{first} and {second} have no sequence in common: nothing can be compared{advice}")
    present(
        "compare",
        {"comparisons": made},
        lambda: [line for one in made for line in comparison_report(one, rows=rows)],
        as_json=as_json,
    )
    for one in made:
        if one.only_one:
            tell(f"{one.network or 'both'}: {one.only_one} sequences that only one has measured are not included")
    worse = [one for one in made if limit is not None and one.low > 1 + limit]
    if worse:
        raise CheckError(f"{second} takes longer than {first} by more than {fail_above}: {shortly(worse[0])}")


def _query(text: str, store: str | None) -> SystemQuery:
    """Parse the name of a system, optionally with a version of its runtime."""
    with open_store(store) as opened:
        known = {one.configuration.system for one in opened.systems()}
    name, at, version = text.rpartition("@")
    if at and text not in known and name in known:
        return SystemQuery(system=name, runtime=version, store=store)
    return SystemQuery(system=text, store=store)


def _networks(
    models: Sequence[str], choice: SplitChoice, sides: Sequence[SystemQuery], without: Sequence[str]
) -> "list[Comparison]":
    from dlbricks.construct.comparison import compare as versus

    networks = splits(models, as_measured(models, choice, sides[0]), threads=sides[0].threads or 1)
    (first, ones), (second, others) = (estimates(networks, side, allow_mismatch=True) for side in sides)
    for side, results in zip(sides, (first, second), strict=True):
        runtime = results.configuration.runtime
        if side.runtime not in (None, runtime, *runtime.split()):
            raise InputError(f"system {side.system} has no results with {side.runtime}, only with {runtime}")
        if results.mismatch:
            tell(f"{results.configuration.system}: differs from the request: {', '.join(results.mismatch)}")
    names = {row.fingerprint: row.name for one in ones for row in one.rows}
    return [versus(first, second, names, estimates=pair, without=without) for pair in zip(ones, others, strict=True)]


def _sequences(sides: Sequence[SystemQuery], without: Sequence[str]) -> "Comparison":
    from dlbricks.construct.comparison import compare as versus
    from dlbricks.store.systems import ConfigurationFilter

    with open_store(sides[0].store) as opened:
        first, second = (
            opened.results(
                ConfigurationFilter(
                    system=side.system, provider=side.provider, threads=side.threads, runtime=side.runtime
                )
            )
            for side in sides
        )
        names = {one.label.fingerprint: one.label.name for one in opened.query(system=sides[0].system)}
    return versus(first, second, names, without=without)


@click.command(short_help="Find the smallest piece that one runtime computes slower than another.")
@models_argument
@click.option("--python", multiple=True, metavar="PATH", help="Python of B, or of A and B if given twice.")
@click.option("--option-a", multiple=True, metavar="KEY=VALUE", help="Session option that only A has; repeat.")
@click.option("--option-b", multiple=True, metavar="KEY=VALUE", help="Session option that only B has; repeat.")
@click.option("-o", "--out", default="repro.pyz", show_default=True, metavar="FILE", help="The reproduction.")
@click.option("--budget", default="60s", show_default=True, metavar="TIME", help="Total time of the search.")
@click.option("--least", default="5%", show_default=True, metavar="SHARE", help="Minimum slowdown of a piece.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of both.")
@click.option("--fail-above", metavar="SHARE", help="Exit code 1 if a piece is slower by more, as in 10%.")
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
    """Find the smallest piece of a network that is slower on B than on A, and write it as one file without weights.

    A and B are two Pythons with onnxruntime 1.21 or newer and numpy, or one with different session options. They are
    measured alternately. A piece is confirmed if it is slower in at least 8 of 8, or 10 of 11, pairs of fresh
    processes.

    'python repro.pyz' measures the piece, and shows how to compare two Pythons. The exit code is 0 whether or not a
    piece was found, except with --fail-above.
    """
    from dlbricks.files import refuse_unwritable
    from dlbricks.model.read.network import read_batched
    from dlbricks.process_pool import each_in_worker
    from dlbricks.report.console import measuring
    from dlbricks.report.versus import repro_report
    from dlbricks.repro.pieces import SearchSettings, disclosed, write_reproduction
    from dlbricks.repro.search import Search
    from dlbricks.units import parse_duration, parse_share

    limit = parse_share(fail_above) if fail_above is not None else None
    sides = _sides(python, parse_pairs(option_a, "--option-a"), parse_pairs(option_b, "--option-b"))
    settings = SearchSettings(sides=sides, threads=threads, least=parse_share(least), budget_ns=parse_duration(budget))
    refuse_unwritable(Path(out))
    extents = parse_dims(dims)
    paths = named_networks(models, extents)
    if len(paths) != 1:
        raise InputError(f"repro takes one network, {len(paths)} were named")
    (model,) = each_in_worker(partial(read_batched, dims=extents, batch=batch), paths)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder, measuring() as advance:
        search = Search(model, settings, Path(folder), advance)
        made = search.find()
        file, telling = None, ""
        if made.slower:
            piece = search.piece(made.slower[0].fingerprint)
            write_reproduction(Path(out), piece, made.slower[0], made, settings)
            file, telling = out, disclosed(piece)
    present(
        "repro",
        {"reproduction": made, "file": file, "tells": telling},
        lambda: repro_report(made, settings, file, telling),
        as_json=as_json,
    )
    for reason in made.failed:
        tell(f"pieces left out: {reason}")
    worse = [one for one in made.slower if limit is not None and one.found.low > 1 + limit]
    if worse:
        found = worse[0].found
        raise CheckError(f"{worse[0].name} takes longer on B by more than {fail_above}: {found.ratio:.3f} times")


def _sides(python: Sequence[str], first: dict[str, str], second: dict[str, str]) -> "tuple[Side, Side]":
    """Return the sides A and B.

    Raises:
        InputError: there are more than two Pythons, nothing differs, or an option is unknown.
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
        raise InputError(f"--python {missing[0]} is not a program: name a Python with numpy and onnxruntime")
    a, b = (str(Path(shutil.which(one) or one).absolute()) for one in paths)
    return Side(python=a, options=tuple(first.items())), Side(python=b, options=tuple(second.items()))
