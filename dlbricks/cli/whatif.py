"""``whatif``: what an optimisation would give, before anybody implements it."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.cli.networks import splits
from dlbricks.cli.options import SplitChoice, SystemChoice, json_flag, optional_system_options, split_options
from dlbricks.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.whatif.answer import Asked
    from dlbricks.whatif.nouns import DependencyGraph
    from dlbricks.whatif.transform import Transform

TRACES = "DLBRICKS_TRACES"
"""Environment variable that names the folder of public traces."""


@click.command(short_help="Ask what fp16, fusion, graphs, a faster network would give, without doing it.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--apply", "asked", multiple=True, metavar="NAME[:VALUE,...]", help="A transform, as in scale:0.5; repeat."
)
@click.option("--transform", "own", multiple=True, metavar="FILE", help="Python file with TRANSFORMS of your own.")
@click.option("--list", "listing", is_flag=True, help="List all transforms: parameters, evidence, errors.")
@click.option(
    "--backtest",
    is_flag=True,
    help="Set predictions beside measurements: of kept runs (FILE: their folder), of traces in DLBRICKS_TRACES.",
)
@click.option("-o", "--out", metavar="FILE", help="Write both timelines, as in timelines.json (see 'export').")
@click.option("--batch", type=click.IntRange(min=1), metavar="N", help="Of a profile with several; else the smallest.")
@click.option("--levels", type=click.Choice(("ML", "MLK")), help="Of a profile with both; else the deeper one.")
@split_options
@optional_system_options
@json_flag
def whatif(  # noqa: PLR0913 - one parameter per option
    *,
    files: Sequence[str],
    asked: Sequence[str],
    own: Sequence[str],
    listing: bool,
    backtest: bool,
    out: str | None,
    batch: int | None,
    levels: str | None,
    choice: SplitChoice,
    where: SystemChoice,
    as_json: bool,
) -> None:
    """Replay a trace, a profile or a composed network as it is and as it would be.

    FILE is a file of 'profile', a Kineto or Chrome trace, or a profile of onnxruntime; several are the ranks of one
    run. With --system it is one ONNX network, composed of what that system has measured. Transforms apply in the
    order given; the time is that of the median step, or of the whole where there are no steps.
    """
    from pathlib import Path

    from dlbricks.report.jsonable import to_json
    from dlbricks.whatif.catalogue import known
    from dlbricks.whatif.transform import read_step

    transforms = known([Path(text) for text in own])
    if listing:
        _list(list(transforms.values()), as_json=as_json)
        return
    if backtest:
        _backtest(files, transforms, as_json=as_json)
        return
    steps = [read_step(text, transforms) for text in asked]
    graph, base = _graph(files, batch, levels, choice, where)
    from dlbricks.whatif.answer import ask
    from dlbricks.whatif.errors import error_together

    made = ask(graph, steps, _joined_error(base, error_together([one for one, _ in steps])))
    for note in made.answer.notes:
        click.echo(f"{made.answer.name}: {note}", err=True)
    if out is not None:
        _write(made, Path(out))
    if as_json:
        click.echo(to_json(made.answer), nl=False)
        return
    from dlbricks.report.console import show
    from dlbricks.report.whatif import answer_report

    show(*answer_report(made.answer))


def _list(transforms: "Sequence[Transform]", *, as_json: bool) -> None:
    """Show transforms with what is known of their errors."""
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.whatif import transforms_report
    from dlbricks.whatif.errors import errors_of, evidence_of

    errors = errors_of(transforms)
    if not as_json:
        show(*transforms_report(transforms, errors))
        return
    listed = [
        {
            "name": one.name,
            "title": one.title,
            "parameters": one.parameters,
            "evidence": evidence_of(one),
            "source": one.source,
            "error": errors.get(one.name),
        }
        for one in transforms
    ]
    click.echo(to_json(listed), nl=False)


def _backtest(files: Sequence[str], transforms: "Mapping[str, Transform]", *, as_json: bool) -> None:
    """Show predictions beside measurements.

    Raises:
        InputError: neither kept runs nor traces are named.
    """
    from pathlib import Path

    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.whatif import backtests_report
    from dlbricks.whatif.backtest.processor import processor_backtests
    from dlbricks.whatif.backtest.traces import trace_backtests

    traces = os.environ.get(TRACES)
    if not files and not traces:
        raise InputError(f"name a folder of kept runs, or a folder of public traces in {TRACES}")
    made = [test for folder in files for test in processor_backtests(Path(folder), transforms)]
    made += trace_backtests(Path(traces), transforms) if traces else ()
    if as_json:
        click.echo(to_json(made), nl=False)
    else:
        show(*backtests_report(made))


def _graph(
    files: Sequence[str], batch: int | None, levels: str | None, choice: SplitChoice, where: SystemChoice
) -> "tuple[DependencyGraph, tuple[float, str] | None]":
    """Make the graph of what the user named, and give how far its time may be off by itself.

    Raises:
        InputError: it cannot be read, stitched or replayed.
    """
    from pathlib import Path

    networks = [text for text in files if text.endswith(".onnx")]
    if not networks:
        if where.system:
            raise InputError("--system is for networks (.onnx): traces and profiles are replayed as they were recorded")
        from dlbricks.whatif.load import graph_of_files

        return graph_of_files([Path(text) for text in files], batch, levels), None
    if len(files) > 1:
        raise InputError("one network at a time: its graph is made of what a system has measured")
    if not where.system:
        raise InputError(f"{files[0]} was never traced: name the system that measured its sequences with --system")
    return _composed(files, choice, where)


def _composed(
    files: Sequence[str], choice: SplitChoice, where: SystemChoice
) -> "tuple[DependencyGraph, tuple[float, str] | None]":
    """Stitch the graph of a network."""
    from dlbricks.cli.estimates import stored
    from dlbricks.cli.results import open_store
    from dlbricks.construct.compose import compose
    from dlbricks.whatif.models import graph_of_model

    composition = compose(splits(files, choice, threads=where.threads or 1)[0])
    results = stored([composition], where)
    with open_store(where.store) as opened:
        traces = opened.traces(results.configuration, {step.fingerprint for step in composition.steps})
    graph, told = graph_of_model(composition, results, traces)
    if not told.total_ns:
        return graph, None
    return graph, (max(told.high_ns - told.total_ns, told.total_ns - told.low_ns) / told.total_ns, "the estimate")


def _joined_error(base: tuple[float, str] | None, transforms: tuple[float, str] | None) -> tuple[float, str] | None:
    """Add the error of what is replayed to that of the transforms, where both are known."""
    if transforms is None or base is None:
        return transforms
    return base[0] + transforms[0], f"{base[1]} and {transforms[1]}"


def _write(made: "Asked", path: "Path") -> None:
    """Write both timelines for a viewer."""
    from dlbricks.profile.export import WRITERS, format_of
    from dlbricks.trace.export.layout import ExportPart
    from dlbricks.whatif.timeline import trace_of

    parts = [
        ExportPart(name=name, trace=trace_of(graph, schedule))
        for name, graph, schedule in zip(("before", "after"), made.graphs, made.schedules, strict=True)
    ]
    WRITERS[format_of(path)](parts, path)
    click.echo(f"{path}: both timelines", err=True)
