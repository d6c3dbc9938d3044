"""``generate`` and ``extract``."""

from collections.abc import Sequence

import click

from dlbricks.cli.options import SplitChoice, json_flag, models_argument, split_options


@click.command()
@models_argument
@split_options
@click.option("-o", "--out", required=True, metavar="SUITE", help="Folder of the suite; an older suite is replaced.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads a lowering is for.")
@click.option("--decoys", type=click.IntRange(min=0), default=0, show_default=True, help="Dummy networks to mix in.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--pack", is_flag=True, help="Write SUITE.tar.gz beside the folder too, the same bytes each time.")
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
    jobs: int,
    pack: bool,
    name: str,
    seed: int,
    as_json: bool,
) -> None:
    """Split networks into unique layer sequences and write a suite that runs anywhere.

    The suite needs Python, numpy and onnxruntime where it is run, and says nothing of which network uses what.
    """
    from pathlib import Path

    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.progress import progress
    from dlbricks.report.suites import generated_report
    from dlbricks.sequences.nouns import Granularity
    from dlbricks.suite.generate import generate as generate_suite
    from dlbricks.suite.pack import SUFFIX
    from dlbricks.suite.pack import pack as pack_suite

    place = Path(out)
    with progress() as told:
        suite, reports = generate_suite(
            models,
            out=place,
            dims=choice.dims,
            granularity=Granularity.parse(choice.granularity),
            splitter=choice.splitter,
            target=choice.target,
            threads=threads,
            decoys=decoys,
            jobs=jobs,
            seed=seed,
            name=name,
            progress=told,
        )
    packed = place.with_name(place.name + SUFFIX) if pack else None
    if packed is not None:
        pack_suite(place, packed)
    if as_json:
        document = {"suite": out, "digest": suite.digest, "benchmarks": len(suite.benchmarks), "networks": reports}
        click.echo(to_json(document | {"packed": str(packed) if packed else None}), nl=False)
    else:
        show(*generated_report(suite, reports, place), *([f"packed as {packed}"] if packed else []))


@click.command()
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
    from dlbricks.suite.extract import extract as extract_benchmark

    file = extract_benchmark(Path(suite), fingerprint, Path(out) if out else None)
    click.echo(to_json({"file": str(file)}) if as_json else f"{file}: python {file} runs it", nl=not as_json)
