"""``generate`` and ``extract``."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from dlbricks.cli.granularity import choose_setting
from dlbricks.cli.options import SplitChoice, auto_split_options, json_flag, models_argument

if TYPE_CHECKING:
    from pathlib import Path


@click.command(short_help="Split networks and write a suite of their sequences.")
@models_argument
@auto_split_options
@click.option("-o", "--out", required=True, metavar="SUITE", help="The suite: a folder, or with --pack a file.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads a lowering is for.")
@click.option("--decoys", type=click.IntRange(min=0), default=0, show_default=True, help="Dummy networks to mix in.")
@click.option("--pairs", is_flag=True, help="Add unions of adjacent sequences, for 'estimate --rule pairs'.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--pack", is_flag=True, help="Write one .tar.gz, the same bytes each time.")
@click.option("--name", default="suite", show_default=True, help="What the suite calls itself.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of weights, inputs and decoys.")
@json_flag
def generate(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    choice: SplitChoice,
    out: str,
    threads: int,
    decoys: int,
    pairs: bool,
    jobs: int,
    pack: bool,
    name: str,
    seed: int,
    as_json: bool,
) -> None:
    """Split networks into unique layer sequences and write a suite that runs anywhere.

    The suite needs Python, numpy and onnxruntime where it is run, and says nothing of which network uses what.

    -H auto takes what 'dlbricks granularity' chooses for these networks, --pairs included where that is better.
    """
    from pathlib import Path

    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.networks import generated_report
    from dlbricks.report.progress import progress
    from dlbricks.sequences.types import Granularity
    from dlbricks.suite.generate import generate as generate_suite

    granularity, rule = choose_setting(models, choice, rules=("pairs",) if pairs else None, threads=threads, jobs=jobs)
    with _folder(Path(out), pack=pack) as (folder, place), progress() as told:
        suite, reports = generate_suite(
            models,
            out=folder,
            dims=choice.dims,
            granularity=Granularity.parse(granularity),
            splitter=choice.splitter,
            target=choice.target,
            threads=threads,
            decoys=decoys,
            pairs=pairs or rule == "pairs",
            jobs=jobs,
            seed=seed,
            name=name,
            progress=told,
        )
    if as_json:
        document = {"suite": str(place), "name": name, "digest": suite.digest, "benchmarks": len(suite.benchmarks)}
        document |= {"granularity": suite.granularity, "pairs": pairs or rule == "pairs"}
        click.echo(to_json({**document, "networks": reports}), nl=False)
    else:
        show(*generated_report(suite, reports, place))


@contextmanager
def _folder(out: "Path", *, pack: bool) -> "Iterator[tuple[Path, Path]]":
    """Give the folder to generate into and the place the user finds the suite at; pack the one into the other.

    Raises:
        InputError: the archive cannot be written.
    """
    if not pack:
        yield out, out
        return
    import tempfile
    from pathlib import Path

    from dlbricks.suite.reading import SUFFIX
    from dlbricks.suite.reading import pack as pack_suite

    archive = out if out.name.endswith(SUFFIX) else out.with_name(out.name + SUFFIX)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch) / "suite"
        yield folder, archive
        pack_suite(folder, archive)


@click.command(short_help="Write one benchmark as a single file to be mailed.")
@click.argument("suite", metavar="SUITE")
@click.argument("fingerprint", metavar="FINGERPRINT")
@click.option("-o", "--out", metavar="FILE", help="The file; by default <name>_<fingerprint>.pyz here.")
@json_flag
def extract(suite: str, fingerprint: str, out: str | None, as_json: bool) -> None:
    """Write one benchmark as a single file that can be mailed and runs with 'python FILE'.

    FINGERPRINT may be shortened as long as only one benchmark of the suite begins so.
    """
    from pathlib import Path

    from dlbricks.report.jsonable import to_json
    from dlbricks.suite.reading import extract_benchmark

    file = extract_benchmark(Path(suite), fingerprint, Path(out) if out else None)
    click.echo(to_json({"file": str(file)}) if as_json else f"{file}: python {file} runs it", nl=not as_json)
