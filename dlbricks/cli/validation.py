"""The commands ``quick``, ``validate`` and ``demo``, which measure networks here and compare estimates with them."""

import importlib.resources
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dlbricks.cli.options import Command, ManyOptionsCommand, json_flag, table_options, with_options
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    SplitChoice,
    batch_option,
    dims_option,
    grid_split_options,
    models_argument,
    parse_sizes,
    tell_about_prompts,
    values_option,
)
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import MEASURING_OPTIONS, RUNTIMES, SESSION_OPTIONS, Option, RunOptions, read_duration_ns
from dlbricks.units import counted


def validate_options(command: Command) -> Command:
    """Add the options of ``validate``, except its networks, to a command."""
    return with_options(
        command,
        grid_split_options,
        click.option("--rule", metavar="RULE", help="Composition rule: sequential (the default), pairs or parallel."),
        table_options(MEASURING_OPTIONS),
        click.option("-o", "--out", metavar="FILE.json", help="Write the results to this file, after each network."),
        click.option("--resume", is_flag=True, help="Measure only the networks that the file of -o does not have yet."),
        click.option("--keep", metavar="DIR", help="Write the result of each network's run as JSON to this folder."),
        json_flag,
    )


@click.command(
    cls=ManyOptionsCommand,
    basic="--dim --batch --runtime --provider --threads --budget -o --json",
    short_help="Compare estimates with measurements on this machine.",
)
@models_argument
@validate_options
def validate(*, choice: SplitChoice, **options: Any) -> None:
    """Measure networks end to end and by parts in one interleaved run, and compare estimates with measurements.

    Weights are synthetic and scaled so that outputs are finite; the end-to-end runs check this. --budget is for all
    networks together. If a network fails, it is reported, the others continue, and the exit code is 4.
    """
    tell_about_prompts(choice, "validate")
    show_validation(choice=choice, **options)


def show_validation(
    *, models: Sequence[str], choice: SplitChoice, run_options: RunOptions, resume: bool, as_json: bool, **texts: Any
) -> None:
    """Validate networks and show the results; after each network the results are written to the file ``out``."""
    from dlbricks.api.validation import plan_of
    from dlbricks.api.validation import validate as validate_networks
    from dlbricks.report.console import measuring, show
    from dlbricks.report.validation import networks_progress, validation_report

    if choice.points:
        raise InputError("--dim has several extents: give one, or use 'llm validate --prompt' for whole prompts")
    file, folder = (Path(text) if text else None for text in (texts["out"], texts["keep"]))
    plan = plan_of(choice.settings, run_options, texts["rule"], folder)
    with measuring() as advance:
        shown = networks_progress(advance)
        validation, text = validate_networks(models, plan, out=file, resume=resume, progress=shown, tell=tell)
    if as_json:
        click.echo(text, nl=False)
    else:
        show(*validation_report(validation))
    if validation.failed:
        of_all = f"of {counted(len(validation.failed) + len(validation.networks), 'network')}"
        raise BenchmarkError(f"{len(validation.failed)} {of_all} failed")


_QUICK_OPTIONS = (
    *(option for option in SESSION_OPTIONS if option.field != "threads"),
    Option("--name", "name", "Name of this system [default: from its processor].", "NAME"),
    Option("--budget", "budget_ns", "Time for all measurements.", "TIME", read_duration_ns, "30s"),
)


@click.command(short_help="Measure a network here: latency, parts, what would pay off.")
@click.argument("model", metavar="NETWORK")
@click.option("--vs", "against", multiple=True, type=click.Choice(RUNTIMES), help="Also compare with this runtime.")
@dims_option
@values_option
@batch_option
@table_options(_QUICK_OPTIONS)
@json_flag
def quick(
    *,
    model: str,
    against: tuple[str, ...],
    dims: tuple[str, ...],
    values: tuple[str, ...],
    batch: int | None,
    run_options: RunOptions,
    as_json: bool,
) -> None:
    """Measure a network on this machine, on one thread and on all, and leave no file and no stored result.

    The network is measured whole and in parts in one run, as by 'validate', so the table shows whether the composed
    latency is right, which parts take longest, and which changes would pay off (as 'whatif' predicts). Intervals of
    measured latencies are 95 %, of composed ones 90 %. Weights are synthetic.

    --vs also measures the whole network on another runtime and says which one is faster.
    """
    from dlbricks.api.validation import quick as measure
    from dlbricks.report.console import measuring
    from dlbricks.report.validation import networks_progress, quick_report

    settings = replace(parse_sizes(dims, values), batch=batch)
    with measuring() as advance:
        answer = measure(model, settings, run_options, against=against, progress=networks_progress(advance), tell=tell)
    present("quick", answer, lambda: quick_report(answer), as_json=as_json)


@click.command(short_help="Do the main job on real networks, step by step.")
@click.argument("models", nargs=-1, metavar="[NETWORK]...", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--out", metavar="DIR", default="demo", show_default=True, help="New folder for all files.")
@click.option("--smoke", is_flag=True, help="Call each benchmark once: shows the commands, not the latencies.")
def demo(*, models: Sequence[str], out: str, smoke: bool) -> None:
    """Split networks, measure their parts here, store the result, and set an estimate beside a measurement.

    Each step is a command of dlbricks, printed before its output. Without networks, two of this package are taken. The
    folder gets a store of its own, so nothing is added to the store of the user.
    """
    folder = Path(out)
    if folder.exists():
        raise InputError(f"{folder} exists: remove it, or choose another folder with -o")
    shipped = importlib.resources.files("dlbricks.validate") / "networks"
    networks = [*models] or [str(shipped / f"{name}.onnx") for name in _DEMO]
    suite, result, measure = str(folder / "suite"), str(folder / "result.json"), ["--smoke"] if smoke else []
    system = ["--system", "this-machine"]
    environment = {**os.environ, "DLBRICKS_STORE": f"sqlite:///{folder / 'store.sqlite'}"}
    _print_and_run(["inspect", *networks], environment)
    folder.mkdir(parents=True)
    for arguments in (
        ["generate", *networks, "-o", suite],
        ["run", suite, "-o", result, "--name", "this-machine", *measure],
        ["check", result],
        ["submit", result, "--suite", suite],
        ["systems"],
        ["estimate", networks[0], *system],
        ["whatif", networks[0], *system, "--apply", "threads:2"],
        ["validate", *networks[:2], "--budget", "60s", "-o", str(folder / "validate.json"), *measure],
    ):
        _print_and_run(arguments, environment)


# Networks of the package that ``demo`` takes: quick to measure, and of unlike structure.
_DEMO = ("tv_mobilenet_v2", "tv_squeezenet1_1")


def _print_and_run(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    # Run a command of dlbricks; end with its exit code if it fails
    click.echo(f"\n$ {shlex.join(['dlbricks', *arguments])}")
    command = [sys.executable, "-m", "dlbricks", *arguments]
    if code := subprocess.run(command, env=environment, stdout=sys.stdout, check=False).returncode:
        sys.exit(code)
