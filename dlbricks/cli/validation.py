"""``validate``."""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from dlbricks.cli.decoding import LoopChoice, loop_options
from dlbricks.cli.networks import choose_setting
from dlbricks.cli.options import json_flag, table_options
from dlbricks.cli.output import present
from dlbricks.cli.splitting import AUTO, SplitChoice, grid_split_options, models_argument
from dlbricks.cli.variants import variant_options
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import MEASURING_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.rules import Rule
    from dlbricks.validate.prepare import ValidationPlan
    from dlbricks.validate.recompute import Again
    from dlbricks.validate.types import NetworkValidation, Validation

BASELINES = ("paper",)
LEFT_OUT = ("network", "family")


@click.command(short_help="Set estimates beside measurements on this machine.")
@partial(models_argument, required=False)
@variant_options
@partial(grid_split_options, measured=False)
@click.option("--rule", metavar="RULE", help="sequential (the default), pairs, parallel, or lanes:k.")
@table_options(MEASURING_OPTIONS)
@click.option("--baseline", type=click.Choice(BASELINES), help="Measure the published recipe in the same run, too.")
@click.option("-o", "--out", metavar="FILE.json", help="Write what is found there, after each network.")
@click.option("--resume", is_flag=True, help="Keep the networks that -o holds, if it is there, and measure the others.")
@click.option("--save-plot", metavar="FILE.png", help="Draw estimated against measured (extra 'plot').")
@click.option("--keep", metavar="DIR", help="Leave every run there, for --from (extra 'parquet').")
@click.option(
    "--from", "source", metavar="DIR", help="Measure nothing: compose again what --keep DIR has left, or an archive."
)
@click.option(
    "--leave-out",
    type=click.Choice(LEFT_OUT),
    help="With --from or --keep: estimate every network (family) from the others' runs alone, and show these.",
)
@loop_options
@json_flag
def validate(  # noqa: PLR0913 - one parameter per option
    *,
    models: Sequence[str],
    choice: SplitChoice,
    rule: str | None,
    asked: RunOptions,
    baseline: str | None,
    out: str | None,
    resume: bool,
    save_plot: str | None,
    keep: str | None,
    source: str | None,
    leave_out: str | None,
    loop: LoopChoice | None,
    as_json: bool,
) -> None:
    """Measure networks end to end and by parts in one interleaved run, and show estimate beside measurement.

    Weights are made up, scaled so that outputs stay finite, which is checked. --budget is the most that all networks
    together take. A network that fails is reported and the others go on; the exit code is 4 then.

    -H auto takes what 'dlbricks granularity' chooses for these networks, --rule included unless it is given.

    --prompt 512 --generate 64 answers a prompt with a decoder in a loop, in turns with its pieces at the lengths that
    --dim names, as in --dim past=0,1024 --dim sequence=1,256 (docs/decoders.md).

    With --from DIR nothing is measured, and options of the run are those of then; MODELs are split anew, others are
    taken as they were split then.
    """
    from pathlib import Path

    from dlbricks.construct.rules import Rule
    from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
    from dlbricks.report.plots import require_matplotlib, save_validation_plot

    if loop is not None:
        unused = {"--rule": rule, "--baseline": baseline, "--resume": resume, "--save-plot": save_plot}
        unused |= {"--keep": keep, "--from": source, "--leave-out": leave_out}
        _refuse_beside_loop(unused)
        _answer(models, choice, asked, loop, Path(out) if out else None, as_json=as_json)
        return
    if choice.points:
        raise InputError("several extents of a dimension are for --prompt: give one of each")
    _refuse_contradictions(models, source, keep, resume=resume)
    _refuse_other_runs(choice, source, keep, leave_out=leave_out)
    again_rule = Rule.parse(rule) if rule else None
    plan = _planned(models, choice, again_rule, asked, baseline=baseline or "", keep=Path(keep) if keep else None)
    file = Path(out) if out else None
    if file is not None:
        refuse_unwritable(file)
    if keep:
        refuse_unwritable_folder(Path(keep))
    if save_plot:
        require_matplotlib(Path(save_plot))
    if source and leave_out:
        _show_left_out(_again(Path(source), models, plan, again_rule), leave_out, file, as_json=as_json)
        return
    made = _recompute(_again(Path(source), models, plan, again_rule), file) if source else None
    made = made or _measure(models, plan, file, resume=resume)
    if not (as_json and leave_out):
        _show(made, as_json=as_json)
    if save_plot and made.networks:
        save_validation_plot(made, Path(save_plot))
    if keep and leave_out:
        _show_left_out(_again(Path(keep), (), plan, again_rule), leave_out, None, as_json=as_json)
    if made.failed:
        networks = counted(len(made.failed) + len(made.networks), "network")
        raise BenchmarkError(f"{len(made.failed)} of {networks} failed")


def _refuse_beside_loop(given: Mapping[str, object]) -> None:
    """Refuse options that mean nothing where a prompt is answered; raises InputError."""
    for name, value in given.items():
        if value:
            raise InputError(f"{name} does not go with --prompt: leave one of them out")


def _answer(
    models: Sequence[str],
    choice: SplitChoice,
    asked: RunOptions,
    loop: LoopChoice,
    file: "Path | None",
    *,
    as_json: bool,
) -> None:
    """Answer a prompt in turns with measuring pieces, and show both."""
    from dlbricks.files import refuse_unwritable
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import measuring
    from dlbricks.report.validation import answers_report
    from dlbricks.validate.generation import GenerationPlan, validate_generation

    if file is not None:
        refuse_unwritable(file)
    plan = _planned(models, choice, None, asked, baseline="", keep=None)
    paths = find_networks(models)
    if len(paths) != 1:
        raise InputError(f"--prompt is of one decoder, not of {len(paths)} networks")
    question = GenerationPlan(
        prompt=loop.prompt,
        generate=loop.generate,
        points=choice.points or (choice.dims,),
        generator=loop.generator,
        far=loop.extrapolate,
        chunk=loop.chunk,
    )
    with measuring() as advance:
        made = validate_generation(paths[0], plan, question, advance)
    present("answers", made, lambda: answers_report(made), as_json=as_json, file=file)


def _planned(
    models: Sequence[str],
    choice: SplitChoice,
    rule: "Rule | None",
    asked: RunOptions,
    *,
    baseline: str,
    keep: "Path | None",
) -> "ValidationPlan":
    """Make of what the user said what is done with each network.

    Raises:
        InputError: a file, an extent or a granularity that cannot be used, or a dimension that no network has.
    """
    from dlbricks.construct.rules import Rule
    from dlbricks.model.read.dimensions import refuse_unknown
    from dlbricks.model.read.network import find_networks
    from dlbricks.sequences.types import Granularity
    from dlbricks.validate.prepare import ValidationPlan

    if models:
        refuse_unknown(find_networks(models), choice.dims)
    granularity, chosen = choose_setting(models, choice, rules=_rules_of(rule), threads=asked.threads, jobs=1)
    return ValidationPlan(
        dims=choice.dims,
        granularity=Granularity.parse(granularity),
        splitter=choice.splitter,
        target=choice.target,
        rule=rule or Rule.parse(chosen or "sequential"),
        options=asked,
        baseline=baseline,
        batch=choice.batch,
        allow_values=choice.allow_values,
        keep=keep,
    )


def _refuse_contradictions(models: Sequence[str], source: str | None, keep: str | None, *, resume: bool) -> None:
    """Refuse what cannot be meant.

    Raises:
        InputError: no network, or --from with an option that measures.
    """
    if not models and not source:
        raise InputError("name at least one network: a file, a folder or a glob")
    for name, given in (("--keep", bool(keep)), ("--resume", resume)):
        if source and given:
            raise InputError(f"{name} does not go with --from, which measures nothing: leave one of them out")


def _refuse_other_runs(choice: SplitChoice, source: str | None, keep: str | None, *, leave_out: str | None) -> None:
    """Refuse options that kept runs have decided already, or that need such runs.

    Raises:
        InputError: there is one.
    """
    if source and choice.granularity == AUTO:
        raise InputError("-H auto does not go with --from, where H is that of the runs: leave it out")
    if source and choice.batch:
        raise InputError("--batch does not go with --from, where it is that of the runs: leave it out")
    if leave_out and not (source or keep):
        raise InputError(
            "--leave-out needs the runs of all networks: add --from DIR, or --keep DIR to measure them now"
        )


def _rules_of(rule: "Rule | None") -> Sequence[str] | None:
    """Give the rules that a granularity may be chosen for: any, unless the user said one."""
    if rule is None:
        return None
    return ("pairs",) if rule.kind == "pairs" else ("sequential",)


def _again(folder: "Path", models: Sequence[str], plan: "ValidationPlan", rule: "Rule | None") -> "Again":
    """Say which kept runs are composed again; networks that are named are split anew as they were split then."""
    from dlbricks.model.read.decoders import network_name
    from dlbricks.model.read.network import find_networks
    from dlbricks.validate.recompute import Again

    networks = find_networks(models) if models else ()
    names = tuple(network_name(path) for path in networks)
    return Again(source=folder, names=names, rule=rule, networks=networks, plan=plan)


def _recompute(again: "Again", file: "Path | None") -> "Validation":
    from dlbricks.validate.recompute import recompute
    from dlbricks.validate.summary import write_validation

    made = recompute(again)
    if file is not None:
        write_validation(file, made)
    return made


def _show_left_out(again: "Again", by: str, file: "Path | None", *, as_json: bool) -> None:
    from dlbricks.report.validation import left_out_report
    from dlbricks.validate.recompute import left_out, summarise_left_out

    rows = left_out(again, by)
    content = {"left_out": by, "networks": rows, "summary": summarise_left_out(rows)}
    present("left-out", content, lambda: left_out_report(rows, by), as_json=as_json, file=file)


def _measure(models: Sequence[str], plan: "ValidationPlan", file: "Path | None", *, resume: bool) -> "Validation":
    """Validate network after network, each one kept in the file as soon as it is finished."""
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import measuring_many
    from dlbricks.report.validation import progress_prefix
    from dlbricks.validate.measure import validate as validate_networks
    from dlbricks.validate.summary import write_validation

    paths = find_networks(models)
    finished = _finished(file, plan) if resume else ()
    began = time.monotonic()
    starts: dict[int, float] = {}
    with measuring_many() as advance:

        def record(validation: "Validation") -> None:
            if file is not None:
                write_validation(file, validation)

        return validate_networks(
            paths,
            plan,
            finished=finished,
            progress=lambda at, message: advance(
                progress_prefix(at, starts.setdefault(at.index, time.monotonic() - began)), message
            ),
            record=record,
        )


def _finished(file: "Path | None", plan: "ValidationPlan") -> "tuple[NetworkValidation, ...]":
    """Give the networks that an earlier run has finished.

    Raises:
        InputError: it cannot be read, or was measured otherwise.
    """
    from dlbricks.validate.measure import settings_of
    from dlbricks.validate.summary import read_validation

    if file is None:
        raise InputError("--resume needs -o FILE: the file of the run that is to go on")
    if not file.exists():
        return ()
    before, now = read_validation(file), settings_of(plan)
    differing = [
        f"{field.name} was {getattr(before.settings, field.name)}, now it is {getattr(now, field.name)}"
        for field in dataclasses.fields(now)
        if getattr(before.settings, field.name) != getattr(now, field.name)
    ]
    if differing:
        raise InputError(f"{file} cannot be resumed: {differing[0]}; run as before, or name another file")
    return before.networks


def _show(made: "Validation", *, as_json: bool) -> None:
    from dlbricks.report.console import show
    from dlbricks.report.validation import validation_report
    from dlbricks.validate.summary import validation_text

    if as_json:
        click.echo(validation_text(made), nl=False)
    else:
        show(*validation_report(made))
