"""The command ``validate``."""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from dlbricks.cli.decoding import LoopChoice, loop_options, variant_options
from dlbricks.cli.lengths import chunk_for, with_lengths
from dlbricks.cli.networks import choose_setting, named_networks
from dlbricks.cli.options import ManyOptionsCommand, json_flag, table_options
from dlbricks.cli.output import present
from dlbricks.cli.splitting import AUTO, PromptSpan, SplitChoice, grid_split_options, models_argument
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.options import MEASURING_OPTIONS, RunOptions
from dlbricks.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.rules import Rule
    from dlbricks.validate.prepare import ValidationPlan
    from dlbricks.validate.recompute import RecomputeOptions
    from dlbricks.validate.types import NetworkValidation, Validation

BASELINES = ("paper",)
LEFT_OUT = ("network", "family")


@click.command(
    cls=ManyOptionsCommand,
    basic="-H --target --dim --batch --rule --runtime --provider --threads --budget -o --prompt --generate --json",
    short_help="Compare estimates with measurements on this machine.",
)
@partial(models_argument, required=False)
@variant_options
@partial(grid_split_options, measured=False)
@click.option("--rule", metavar="RULE", help="sequential (the default), pairs, parallel, or lanes:k.")
@table_options(MEASURING_OPTIONS)
@click.option("--baseline", type=click.Choice(BASELINES), help="Measure the published method in the same run, too.")
@click.option("-o", "--out", metavar="FILE.json", help="Write the results to this file, after each network.")
@click.option("--resume", is_flag=True, help="Measure only the networks that are not in -o.")
@click.option("--save-plot", metavar="FILE.png", help="Plot estimated against measured (extra 'plot').")
@click.option("--keep", metavar="DIR", help="Archive every run there, for --from (extra 'parquet').")
@click.option("--from", "source", metavar="DIR", help="Compose the runs of --keep DIR, or of an archive, again.")
@click.option(
    "--leave-out",
    type=click.Choice(LEFT_OUT),
    help="With --from or --keep: estimate every network from the runs of others (of other families).",
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
    """Measure networks end to end and by parts in one interleaved run, and compare estimates with measurements.

    Weights are synthetic and scaled so that outputs are finite. This is checked in the end-to-end runs; with --prompt,
    which has none, in calls of up to 10^11 operations. --budget is for all networks together. A network that fails is
    reported and the others continue; the exit code is then 4.

    -H auto uses the choice of 'dlbricks granularity' for these networks, including --rule unless it is given.

    --prompt 512 --generate 64 runs a decoder in a loop, alternating with measurements of its sequences at the lengths
    of --dim, as in --dim past=0,1024 --dim sequence=1,256, by default at those that 'generate' chooses
    (docs/decoders.md).

    With --from DIR nothing is measured, and options of the run are those of the archive; MODELs are split again, for
    others the archived split is used.
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
        raise InputError("several extents of a dimension are for --prompt only: give one of each")
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
    """Raise InputError for options that cannot be combined with ``--prompt``."""
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
    """Measure a generation alternately with the decoder's sequences, and show estimates and measurements."""
    from dlbricks.files import refuse_unwritable
    from dlbricks.model.read.decoders import refuse_no_decoder
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.network import find_networks
    from dlbricks.report.console import measuring
    from dlbricks.report.validation import answers_report
    from dlbricks.validate.generation import GenerationPlan, validate_generation

    if file is not None:
        refuse_unwritable(file)
    plan = _planned(models, choice, None, asked, baseline="", keep=None)
    paths = find_networks(models)
    if len(paths) != 1:
        raise InputError(f"--prompt is for one decoder, not {len(paths)} networks")
    known = dimensions_of(paths[0])
    refuse_no_decoder(paths[0], known.short)
    if known.fixed_new > 1:
        raise InputError(
            f"{paths[0]} takes {known.fixed_new} new tokens per call, so that no loop can generate with it: 'estimate "
            "--generate 1' answers its prompt"
        )
    chunk = chunk_for(models, loop.chunk, (loop.prompt,))
    choice = with_lengths(
        models,
        choice,
        PromptSpan(first=loop.prompt, last=loop.prompt, generate=loop.generate, chunk=chunk),
    )
    question = GenerationPlan(
        prompt=loop.prompt,
        generate=loop.generate,
        points=choice.points or (choice.dims,),
        generator=loop.generator,
        far=loop.extrapolate,
        chunk=chunk,
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
    """Return the settings of a validation.

    Raises:
        InputError: a file, an extent or a granularity cannot be used, or no network has a dimension.
    """
    from dlbricks.construct.rules import Rule
    from dlbricks.sequences.types import Granularity
    from dlbricks.validate.prepare import ValidationPlan

    paths = named_networks(models, choice.dims) if models else ()
    granularity, chosen = choose_setting(paths, choice, rules=_rules_of(rule), threads=asked.threads, jobs=1)
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
    """Refuse contradictory options.

    Raises:
        InputError: there is no network, or --from is combined with an option for measuring.
    """
    if not models and not source:
        raise InputError("name at least one network: a file, a folder or a glob")
    for name, given in (("--keep", bool(keep)), ("--resume", resume)):
        if source and given:
            raise InputError(f"{name} does not go with --from, which measures nothing: leave one of them out")


def _refuse_other_runs(choice: SplitChoice, source: str | None, keep: str | None, *, leave_out: str | None) -> None:
    """Refuse options that archived runs decide, or that need archived runs.

    Raises:
        InputError: there is one.
    """
    if source and choice.granularity == AUTO:
        raise InputError("-H auto does not go with --from, which uses H of the runs: leave it out")
    if source and choice.batch:
        raise InputError("--batch does not go with --from, which uses that of the runs: leave it out")
    if leave_out and not (source or keep):
        raise InputError(
            "--leave-out needs the runs of all networks: add --from DIR, or --keep DIR to measure them now"
        )


def _rules_of(rule: "Rule | None") -> Sequence[str] | None:
    """Return the rules that a granularity may be chosen for: any, unless the user gave one."""
    if rule is None:
        return None
    return ("pairs",) if rule.kind == "pairs" else ("sequential",)


def _again(folder: "Path", models: Sequence[str], plan: "ValidationPlan", rule: "Rule | None") -> "RecomputeOptions":
    """Return the options for composing archived runs again; named networks are split again with the same settings."""
    from dlbricks.model.read.decoders import network_name
    from dlbricks.model.read.network import find_networks
    from dlbricks.validate.recompute import RecomputeOptions

    networks = find_networks(models) if models else ()
    names = tuple(network_name(path) for path in networks)
    return RecomputeOptions(source=folder, names=names, rule=rule, networks=networks, plan=plan)


def _recompute(again: "RecomputeOptions", file: "Path | None") -> "Validation":
    from dlbricks.validate.recompute import recompute
    from dlbricks.validate.summary import write_validation

    made = recompute(again)
    if file is not None:
        write_validation(file, made)
    return made


def _show_left_out(again: "RecomputeOptions", by: str, file: "Path | None", *, as_json: bool) -> None:
    from dlbricks.report.validation import left_out_report
    from dlbricks.validate.recompute import leave_out_runs, summarise_left_out

    rows = leave_out_runs(again, by)
    content = {"left_out": by, "networks": rows, "summary": summarise_left_out(rows)}
    present("left-out", content, lambda: left_out_report(rows, by), as_json=as_json, file=file)


def _measure(models: Sequence[str], plan: "ValidationPlan", file: "Path | None", *, resume: bool) -> "Validation":
    """Validate networks one after another, and write the file after each."""
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
    """Return the networks of an earlier run.

    Raises:
        InputError: the file cannot be read, or has other settings.
    """
    from dlbricks.validate.measure import settings_of
    from dlbricks.validate.summary import read_validation

    if file is None:
        raise InputError("--resume needs -o FILE: the file of the run to continue")
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
