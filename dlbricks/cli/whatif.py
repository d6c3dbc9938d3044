"""The command ``whatif``: it predicts the effect of optimisations before they are implemented."""

from collections.abc import Sequence
from pathlib import Path

import click

from dlbricks.cli.options import ManyOptionsCommand, json_flag, optional_system_options, out_option
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import SplitChoice, measured_split_options
from dlbricks.settings import SystemQuery


@click.command(
    cls=ManyOptionsCommand,
    basic="--apply --transform --list --advise -o --force --dim --batch --system --provider --threads --runtime --json",
    short_help="Predict the effect of fp16, fusion, CUDA graphs and other changes.",
)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--apply", "applied", multiple=True, metavar="NAME[:VALUE,...]", help="Transform, as in scale:0.5; repeat for more."
)
@click.option("--transform", "own", multiple=True, metavar="FILE", help="Python file that defines your own TRANSFORMS.")
@click.option("--list", "listing", is_flag=True, help="List all transforms with parameters, evidence and errors.")
@click.option(
    "--advise", is_flag=True, help="Try each transform alone, and rank them: first what was validated on such runs."
)
@out_option(metavar="FILE", help="File for the timelines before and after, as in timelines.json.")
@measured_split_options
@optional_system_options
@json_flag
def whatif(  # noqa: PLR0913 - one parameter per option
    *,
    files: Sequence[str],
    applied: Sequence[str],
    own: Sequence[str],
    listing: bool,
    advise: bool,
    out: str | None,
    choice: SplitChoice,
    where: SystemQuery,
    as_json: bool,
) -> None:
    """Replay a trace, a profile or a composed network, with and without transforms.

    FILE is a trace or a profile, as for 'analyse'; several files are the ranks of one run. If --system is given, FILE
    is one ONNX network, whose timeline is composed from that system's measurements. --batch selects runs of a profile.
    Transforms are applied in the order of --apply. The time shown is the median step, or the total if there are no
    steps.
    """
    from dlbricks.api.whatif import answer_whatif, transforms_by_name, write_timelines
    from dlbricks.report.whatif import facts_of, transforms_report, verdict, whatif_report

    transforms = transforms_by_name([Path(file) for file in own])
    # no file is read before this, since the list needs none
    if listing:
        listed = list(transforms.values())
        present("transforms", {"transforms": facts_of(listed)}, lambda: transforms_report(listed), as_json=as_json)
        return
    result, best = answer_whatif(
        files, applied, transforms, advising=advise, settings=choice.settings, system=where, tell=tell
    )
    for note in result.notes:
        tell(f"{result.name}: {note}")
    if out is not None:
        write_timelines(best, Path(out), result, verdict(best.answer) if best else ())
        tell(f"{out}: the timelines before and after")
    present("advice" if advise else "whatif", result, lambda: whatif_report(result), as_json=as_json)
