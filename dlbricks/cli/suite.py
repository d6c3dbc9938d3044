"""The commands ``inspect``, ``lower``, ``generate`` and ``run``: the steps from networks to a result."""

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from dlbricks.cli.options import (
    Command,
    ManyOptionsCommand,
    at_least,
    json_flag,
    pass_option,
    table_options,
    with_options,
)
from dlbricks.cli.output import check_left_out, present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    dims_option,
    grid_split_options,
    jobs_option,
    lowering_threads_option,
    memory_option,
    models_argument,
    network_files,
    parse_sizes,
    split_options,
    tell_about_prompts,
    values_option,
)
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import RUN_OPTIONS, RunOptions
from dlbricks.settings import TARGETS, SuiteOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from dlbricks.suite.manifest import NetworkReport


@click.command(short_help="Show layers, sequences, shapes and FLOPs of networks.")
@models_argument
@split_options
@click.option("--layers", is_flag=True, help="Also list every layer with its shapes, operations and bytes.")
@json_flag
def inspect(models: Sequence[str], choice: SplitChoice, layers: bool, as_json: bool) -> None:
    """Show layers, unique sequences, shapes, FLOPs and bytes of networks, and layers that cannot be measured.

    MODEL is an ONNX file, a program of PyTorch (.pt2), a folder or a pattern, or the folder of a Hugging Face model,
    for which a file config.json suffices (hf:FOLDER if it also has ONNX files). Weights may be missing.

    FLOPs are those of convolutions, matrix products, recurrent cells and attention; a multiply-add counts as two.
    --layers lists the operations of all layers, and the bytes that they read and write.
    """
    from dlbricks.api.networks import inspect as inspect_files
    from dlbricks.report.results import inspection_report

    paths = network_files(models, choice.settings)
    by_file, left_out = inspect_files(paths, choice.settings)
    document = {"networks": [*by_file.values()], "left_out": left_out}
    present("inspect", document, lambda: inspection_report([*by_file.values()], layers=layers), as_json=as_json)
    check_left_out(left_out)


@click.command(short_help="Save the graphs that this machine's runtime executes.")
@models_argument
@click.option("--target", type=click.Choice(TARGETS[1:3]), default=TARGETS[1], show_default=True, help="Runtime.")
@dims_option
@values_option
@lowering_threads_option
@pass_option
@click.option("-o", "--out", metavar="FOLDER", help="Folder to write to; it may have earlier such graphs.  [required]")
@json_flag
def lower(models: Sequence[str], target: str, threads: int, out: str | None, *, as_json: bool, **texts: Any) -> None:
    """Save the graphs that the runtime executes on this machine: operators, shapes and connections, without weights.

    Other machines read such a file like any network, with the same --target. So they can estimate the network for a
    device that they do not have. The file is for one version of the runtime and one kind of processor or GPU.
    """
    from dlbricks.api.networks import lower as lower_files

    if out and out.endswith(".onnx"):
        raise InputError(f"-o {out}: each network gets a file of its own: name a folder")
    sizes = parse_sizes(texts["dims"], texts["values"])
    settings = replace(sizes, target=target, threads=threads, passes=texts["passes"])
    here, (written, left_out) = lower_files(network_files(models, settings), Path(out) if out else None, settings)
    lines = [f"{file}: {counted(len(each.layers), 'layer')} of {each.source_layers}" for file, each in written.items()]
    # stdout has only the JSON document
    for line in lines if as_json else ():
        tell(line)
    document = {"target": target, "made_for": here, "files": [*map(str, written)], "left_out": left_out}
    present("lower", document, lambda: lines, as_json=as_json)
    check_left_out(left_out)


def suite_options(name: str, *, of_networks: bool = True, required: bool = True) -> Callable[[Command], Command]:
    """Add the parameters ``out`` and ``options: SuiteOptions`` to a command with a ``choice: SplitChoice``.

    ``name`` is the default name of the suite; ``of_networks`` adds the options that select sequences of networks.
    ``out`` may be None; if it is ``required``, the command then raises ``InputError`` (``errors.named_out``).
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(*, out: str | None, choice: SplitChoice, **others: Any) -> Any:
            values = {field.name: others.pop(field.name) for field in fields(SuiteOptions) if field.name in others}
            options = SuiteOptions(**values)
            return command(out=Path(out) if out else None, options=options, choice=choice, **others)

        chosen = (
            click.option(
                "--decoys",
                multiple=True,
                metavar="DIR",
                help="Add public networks (file, folder, pattern) that hide yours; repeat for more.",
            ),
            click.option(
                "--pairs", is_flag=True, help="Also measure adjacent sequences together, for 'estimate --rule pairs'."
            ),
            click.option(
                "--executor",
                default="",
                metavar="NAME[:ADDRESS]",
                help="Plug-in that reads the networks, for example on other machines (docs/maintainer.md).",
            ),
        )
        return with_options(
            cast("Command", bundled),
            click.option(
                "-o",
                "--out",
                metavar="SUITE",
                help="Folder to write; with --pack a file."
                + ("  [required]" if required else " Default: NETWORK-suite; of several networks or packed: suite."),
            ),
            *(chosen if of_networks else ()),
            jobs_option,
            click.option("--pack", is_flag=True, help="Write a reproducible .tar.gz, or .tar.xz by the suffix of -o."),
            click.option("--name", default=name, show_default=True, help="Name of the suite."),
            click.option("--seed", type=at_least(0), default=0, show_default=True, help="Seed of weights and inputs."),
        )

    return decorate


def generate_options(command: Command) -> Command:
    """Add the options of ``generate``, except its networks, to a command."""
    return with_options(
        command,
        grid_split_options,
        memory_option,
        suite_options("suite", required=False),
        lowering_threads_option,
        json_flag,
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch -o --pack --name --json",
    short_help="Split networks and write a suite of their sequences.",
)
@models_argument
@generate_options
def generate(*, models: Sequence[str], choice: SplitChoice, **options: Any) -> None:
    """Split networks into unique layer sequences and write a suite of benchmarks.

    Running a suite needs Python, numpy and onnxruntime. A suite has no names of networks, and no trained values except
    with --allow-values. A known architecture can still be recognised by its shapes; -H inf puts whole networks into the
    suite. docs/security.md describes what a suite discloses, and 'dlbricks leakage' measures it.

    --decoys DIR also splits the public networks in DIR, and leaves the extents of --dim and --batch out of the suite.
    Two suites of one network with different decoys identify it, so share only one.

    --dim past=0,512,2048 splits the networks at each extent; sequences that do not depend on it appear once.

    Networks that cannot be used are reported and left out, and the exit code is 0.
    """
    tell_about_prompts(choice, "generate")
    show_generated(models, choice, **options)


def show_generated(
    models: Sequence[str], choice: SplitChoice, *, out: Path | None, options: SuiteOptions, threads: int, as_json: bool
) -> None:
    """Write a suite and show it; networks that are left out are listed on stderr."""
    from dlbricks.api.suites import expectation, write_suite
    from dlbricks.report.console import progress
    from dlbricks.report.estimates import expected_text
    from dlbricks.report.results import generated_report

    settings, points = replace(choice.settings, threads=threads), choice.points
    with progress() as advance:
        suite, reports, place = write_suite(models, out, settings, options, points=points, progress=advance, tell=tell)
    tell_left_out(reports)
    runtime, expected = expectation(settings, options)
    summary = {
        "suite": str(place),
        "name": suite.name,
        "digest": suite.digest,
        "granularity": suite.granularity,
        "benchmarks": len(suite.benchmarks),
        "pairs": options.pairs,
        "networks": reports,
    }
    present(
        "generate",
        summary,
        lambda: generated_report(suite, reports, place, f"{runtime}, {expected_text(expected)}"),
        as_json=as_json,
    )


def tell_left_out(reports: "Sequence[NetworkReport]") -> None:
    """Print on stderr which networks were left out of a suite, and which sizes were assumed for the others."""
    for report in reports:
        if report.unsupported:
            tell(f"{report.network} is left out: {report.unsupported}")
        for line in report.assumed:
            tell(f"{report.network}: {line}")


@click.command(
    cls=ManyOptionsCommand,
    basic="-o --runtime --provider --threads --name --budget --smoke --resume --json",
    short_help="Measure a suite on this machine.",
)
@click.argument("suite", metavar="SUITE")
@click.option("-o", "--out", metavar="RESULT.json", help="File to write; --resume continues its run.  [required]")
@table_options(RUN_OPTIONS)
@json_flag
def run(
    *,
    suite: str,
    out: str | None,
    run_options: RunOptions,
    thread_counts: tuple[int, ...],
    weights: Path | None,
    as_json: bool,
) -> None:
    """Measure a suite on this machine; after Ctrl-C, --resume continues the run.

    --threads 1,all measures with one thread and with all, one run after the other, and writes a result of each, as
    RESULT.threads-1.json; 'check' and 'submit' take both files at once.

    --trace calls each benchmark again under the runtime's profiler after the measurements. The exit code is 4 if a
    benchmark fails or cannot be traced; the others are measured nevertheless.
    """
    from dlbricks.api.suites import assumed_in
    from dlbricks.api.suites import run as run_suite
    from dlbricks.harness.options import each_number
    from dlbricks.harness.run.cli import nothing_measured, printed, summary_of
    from dlbricks.harness.run.runner import refuse_results
    from dlbricks.report.console import measuring, show
    from dlbricks.report.results import run_report

    if out is None:
        assumed_in(suite)  # raises for what is no suite, which needs no -o but another file
        raise InputError("-o is missing: name the file for the result, as in -o result.json")
    runs = each_number(run_options, thread_counts, Path(out))
    refuse_results(runs)
    with measuring() as advance:
        documents = [run_suite(suite, file, each, weights=weights, progress=advance, tell=tell) for each, file in runs]
    summaries = [summary_of(document, file) for document, (_, file) in zip(documents, runs, strict=True)]
    if as_json:
        click.echo(json.dumps(printed(summaries), indent=2))
    else:
        for document, summary in zip(documents, summaries, strict=True):
            written = summary["measured"] or summary["failed"]
            show(*run_report(document), *([f"{summary['result']}: the result"] if written else []))
    for document, summary in zip(documents, summaries, strict=True):
        untraced = summary["traces"]["failed"] if summary["traces"] else []
        # a failed benchmark is worse than an untraced one, so it decides the message
        for failures, what in ((summary["failed"], "failed"), (untraced, "not traced")):
            if failures:
                of_all = counted(summary["benchmarks"], "benchmark")
                raise BenchmarkError(f"{len(failures)} of {of_all} {what}; {summary['result']} has the reasons")
        if not summary["measured"]:
            raise BenchmarkError(nothing_measured(document))
