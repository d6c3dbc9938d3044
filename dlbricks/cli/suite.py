"""The commands ``generate``, ``extract``, ``leakage`` and ``run``."""

import functools
import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from dlbricks.cli.decoders import lengths_options, tell_lengths, variant_options
from dlbricks.cli.networks import named_networks
from dlbricks.cli.options import Command, ManyOptionsCommand, json_flag, table_options, with_options
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    dims_option,
    grid_split_options,
    jobs_option,
    lowering_threads_option,
    memory_option,
    models_argument,
    parse_dims,
)
from dlbricks.errors import BenchmarkError
from dlbricks.harness.options import RUN_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from dlbricks.suite.manifest import NetworkReport, Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteChoice:
    """Options of a suite."""

    out: str
    decoys: tuple[str, ...]
    """Files, folders or patterns of public networks that are split, too."""
    pairs: bool
    jobs: int
    dask: str | None
    """Address of a Dask cluster; empty for a local one, None for none."""
    pack: bool
    name: str
    seed: int
    strict: bool
    """Whether every network has to be usable."""


def _dask_address(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    kind, _, address = (text or "").partition(":")
    if text is not None and kind != "dask":
        raise click.BadParameter(f"'{text}' is neither 'dask' nor 'dask:ADDRESS', as in dask:tcp://host:8786")
    return None if text is None else address


def suite_options(name: str) -> Callable[[Command], Command]:
    """Add the parameter ``wanted: SuiteChoice`` to a command; ``name`` is the default name of the suite."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(**options: Any) -> Any:
            wanted = SuiteChoice(**{field.name: options.pop(field.name) for field in fields(SuiteChoice)})
            return command(wanted=wanted, **options)

        return with_options(
            cast("Command", bundled),
            click.option(
                "-o", "--out", required=True, metavar="SUITE", help="The suite: a folder, or with --pack a file."
            ),
            click.option(
                "--decoys",
                multiple=True,
                metavar="DIR",
                help="Public networks (file, folder or pattern) to hide yours among; repeat for each.",
            ),
            click.option(
                "--pairs", is_flag=True, help="Add unions of adjacent sequences, for 'estimate --rule pairs'."
            ),
            jobs_option,
            click.option(
                "--executor",
                "dask",
                metavar="dask[:ADDRESS]",
                callback=_dask_address,
                help="Read networks on a Dask cluster, or on one of --jobs processes here (extra 'dask').",
            ),
            click.option("--pack", is_flag=True, help="Write a reproducible .tar.gz, or .tar.xz by the suffix of -o."),
            click.option("--name", default=name, show_default=True, help="Name of the suite."),
            click.option(
                "--seed",
                type=click.IntRange(min=0),
                default=0,
                show_default=True,
                help="Seed of weights and inputs.",
            ),
            click.option(
                "--strict", is_flag=True, help="Exit code 1, and no suite, if one of several networks cannot be used."
            ),
        )

    return decorate


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --prompt --generate --weights -o --pairs --pack --name --threads --json",
    short_help="Split networks and write a suite of their sequences.",
)
@models_argument
@variant_options
@functools.partial(grid_split_options, measured=False)
@lengths_options
@memory_option
@suite_options("suite")
@lowering_threads_option
@json_flag
def generate(*, models: Sequence[str], choice: SplitChoice, wanted: SuiteChoice, threads: int, as_json: bool) -> None:
    """Split networks into unique layer sequences and write a suite of benchmarks.

    Running the suite needs Python, numpy and onnxruntime. It has no names of networks, but a known architecture can be
    recognised by its shapes; at -H inf it has whole networks. Trained values are removed, except with --allow-values;
    docs/privacy.md describes what a suite discloses.

    --decoys DIR splits the public networks in DIR, too, and leaves the extents of --dim and --batch out of the suite.
    Two suites of one network with different decoys identify it, so share only one. 'dlbricks leakage' measures what is
    disclosed.

    --dim past=0,512,2048 splits the networks at each extent; sequences that do not depend on it appear once. --prompt
    128..4096 chooses the lengths of a decoder (docs/decoders.md).

    Networks that cannot be used are reported and left out; the exit code is 0, or 1 and no suite with --strict.
    """
    from dlbricks.report.suites import generated, generated_report

    tell_lengths(choice)
    named_networks(models, choice.dims)
    place, suite, reports = write_suite(models, choice, wanted, threads=threads)
    present(
        "generate",
        generated(suite, reports, place, pairs=wanted.pairs),
        lambda: generated_report(suite, reports, place),
        as_json=as_json,
    )


def write_suite(
    models: Sequence[str],
    choice: SplitChoice,
    wanted: SuiteChoice,
    *,
    threads: int,
    only: Collection[str] | None = None,
    grid: bool = False,
) -> "tuple[Path, Suite, tuple[NetworkReport, ...]]":
    """Write a suite, with progress and networks that are left out on stderr.

    Args:
        models: networks, as named by the user.
        choice: split settings.
        wanted: options of the suite.
        threads: that lowered graphs are made for.
        only: fingerprints to include; None for all. With decoys all are included, since gaps would identify the
            network.
        grid: whether the networks are points of a grid: then importances do not disclose counts, and networks that are
            left out are not reported.

    Returns:
        The path of the suite, the suite, and a report for each network.

    Raises:
        InputError: see ``suite.generate.generate``.
        CheckError: a network cannot be used and ``wanted.strict`` is set.
    """
    from dlbricks.report.console import progress
    from dlbricks.sequences.types import Granularity
    from dlbricks.suite.extraction import without_counts
    from dlbricks.suite.generate import generate as generate_suite

    with _folder(Path(wanted.out), pack=wanted.pack) as (folder, place), progress() as advance:
        suite, reports = generate_suite(
            models,
            out=folder,
            points=choice.points or (choice.dims,),
            batch=choice.batch,
            granularity=Granularity.parse(choice.granularity),
            splitter=choice.splitter,
            target=choice.target,
            allow_values=choice.allow_values,
            threads=threads,
            decoys=wanted.decoys,
            pairs=wanted.pairs,
            jobs=wanted.jobs,
            dask=wanted.dask,
            memory_bytes=choice.memory_bytes,
            seed=wanted.seed,
            name=wanted.name,
            only=None if wanted.decoys else only,
            strict=wanted.strict,
            choose=without_counts if grid else None,
            progress=advance,
        )
    for report in reports:
        if report.unsupported and not grid:
            tell(f"{report.network} is left out: {report.unsupported}")
    return place, suite, reports


@contextmanager
def _folder(out: "Path", *, pack: bool) -> "Iterator[tuple[Path, Path]]":
    """Yield the folder to generate into and the path of the suite; with ``pack`` the folder is then packed.

    Raises:
        InputError: the archive cannot be written.
    """
    if not pack:
        yield out, out
        return
    import tempfile

    from dlbricks.suite.reading import SUFFIXES
    from dlbricks.suite.reading import pack as pack_suite

    archive = out if out.name.endswith(SUFFIXES) else out.with_name(out.name + SUFFIXES[0])
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch) / "suite"
        yield folder, archive
        pack_suite(folder, archive)


@click.command(short_help="Write one benchmark as a single file.")
@click.argument("suite", metavar="SUITE")
@click.argument("fingerprint", metavar="FINGERPRINT")
@click.option("-o", "--out", metavar="FILE", help="The file; by default <name>_<fingerprint>.pyz here.")
@json_flag
def extract(suite: str, fingerprint: str, out: str | None, as_json: bool) -> None:
    """Write one benchmark as a single file that is run by 'python FILE'.

    'python FILE -o result.json --name NAME' measures it like 'run', for 'submit result.json --suite FILE'.

    FINGERPRINT may be a unique prefix.
    """
    from dlbricks.suite.reading import extract_benchmark

    file = extract_benchmark(Path(suite), fingerprint, Path(out) if out else None)
    present("extract", {"file": str(file)}, lambda: [f"{file}: python {file} runs it"], as_json=as_json)


@click.command(short_help="Measure what a suite discloses, by attacks on it.")
@click.argument("suite", metavar="SUITE|RESULT.json")
@click.option("--zoo", required=True, multiple=True, metavar="DIR", help="Public networks to compare with; repeat.")
@click.option("--true", multiple=True, metavar="NAME", help="Network of the zoo that is in the suite; repeat.")
@jobs_option
@dims_option
@json_flag
def leakage(
    suite: str,
    zoo: Sequence[str],
    true: Sequence[str],
    jobs: int,
    dims: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Measure what a suite discloses to a receiver who knows public networks, by attacks on it.

    A RESULT.json is attacked in the same way, since it contains the manifest of its suite.

    Networks of the zoo are split with the settings of the suite and ranked by the share of their sequences in it,
    weighted by rarity; sizes are read from shapes, depths from importances, and the graph is reconstructed by joining
    equal shapes.

    With --true for each network that the suite was made from, the success of the attacks is shown. Put a private
    network into the zoo to see what a receiver learns who knows it.
    """
    from dlbricks.leakage.evaluation import evaluate, read_received, read_zoo
    from dlbricks.report.console import progress
    from dlbricks.report.leakage import leakage_report

    given = read_received(Path(suite))
    with progress() as advance:
        public = read_zoo(zoo, given, dims=parse_dims(dims), jobs=jobs, progress=advance)
    made = evaluate(given, public, true)
    present("leakage", made, lambda: leakage_report(made), as_json=as_json)


@click.command(
    cls=ManyOptionsCommand,
    basic="-o --runtime --provider --threads --name --budget --target-error --smoke --only --resume --trace --json",
    short_help="Measure a suite on this machine.",
)
@click.argument("suite", metavar="SUITE")
@click.option("-o", "--out", required=True, metavar="RESULT.json", help="The result; with --resume, to continue.")
@table_options(RUN_OPTIONS)
@json_flag
def run(*, suite: str, out: str, asked: RunOptions, weights: Path | None, as_json: bool) -> None:
    """Measure a suite on this machine; after Ctrl-C, --resume continues the run.

    With --trace, additional calls of each benchmark are made under the runtime's profiler after the measurements. The
    exit code is 4 if a benchmark fails or cannot be traced; the others are measured nevertheless.
    """
    from dlbricks.harness.run.cli import nothing_measured, summary_of
    from dlbricks.harness.run.runner import run_suite
    from dlbricks.report.console import measuring, show
    from dlbricks.report.results import run_report
    from dlbricks.suite.reading import read_suite, unpacked_suite

    begin_ns = time.perf_counter_ns()
    with unpacked_suite(Path(suite)) as folder, measuring() as advance:
        read_suite(folder)
        document = run_suite(folder, Path(out), asked, advance, weights=weights, begin_ns=begin_ns)
    summary = summary_of(document, Path(out))
    if as_json:
        click.echo(json.dumps(summary, indent=2))
    else:
        show(*run_report(document), f"{out}: the result")
    of_all = f"of {counted(len(document['benchmarks']), 'benchmark')}"
    failed = sum(entry["status"] == "failed" for entry in document["benchmarks"])
    if failed:
        raise BenchmarkError(f"{failed} {of_all} failed; {out} has the reasons")
    untraced = sum("failed" in entry.get("trace", {}) for entry in document["benchmarks"])
    if untraced:
        raise BenchmarkError(f"{untraced} {of_all} not traced; {out} has the reasons")
    if not summary["measured"]:
        raise BenchmarkError(nothing_measured(document))
