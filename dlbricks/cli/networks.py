"""The commands ``inspect`` and ``lower``, and reading of the networks that a user names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag, pass_option
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    PAST,
    SplitChoice,
    dims_option,
    lowering_threads_option,
    models_argument,
    parse_dims,
    split_options,
)
from dlbricks.settings import TARGETS, SplitSettings, SystemQuery

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.sequences.types import Split


@click.command(short_help="Show layers, sequences, shapes and FLOPs of networks.")
@models_argument
@split_options
@click.option("--layers", is_flag=True, help="List every layer with its shapes, arithmetic and bytes.")
@json_flag
def inspect(models: Sequence[str], choice: SplitChoice, layers: bool, as_json: bool) -> None:
    """Show layers, unique sequences, shapes, FLOPs and bytes of networks, and layers that cannot be measured.

    MODEL is an ONNX file, a folder or a pattern, or hf:FOLDER for the architecture of a Hugging Face model, which needs
    only config.json. Weights may be missing.

    FLOPs are those of convolutions, matrix products, recurrent cells and attention, with two for a multiply-add;
    --layers lists all operations and the bytes that are read and written.
    """
    from dlbricks import api
    from dlbricks.report.networks import inspection_report

    paths = named_networks(models, choice.settings.dims, choice.settings.passes)
    inspections = api.inspect(paths, choice.settings, memory_bytes=choice.memory_bytes)
    present(
        "inspect", {"networks": inspections}, lambda: inspection_report(inspections, layers=layers), as_json=as_json
    )


@click.command(short_help="Save networks as the runtime executes them here.")
@models_argument
@click.option("--target", type=click.Choice(TARGETS[1:3]), default=TARGETS[1], show_default=True, help="Which graph.")
@dims_option
@lowering_threads_option
@pass_option
@click.option("-o", "--out", required=True, metavar="FOLDER", help="Folder of the files; older ones are replaced.")
@json_flag
def lower(
    models: Sequence[str],
    target: str,
    dims: Sequence[str],
    threads: int,
    passes: tuple[str, ...],
    out: str,
    *,
    as_json: bool,
) -> None:
    """Save the graphs that the runtime executes on this machine: operators, shapes and connections, without weights.

    Other machines read such a file like any network, with the same --target, so that networks can be estimated for a
    device of another machine. It is for one version of the runtime and one kind of processor or GPU.
    """
    from pathlib import Path

    from dlbricks import api
    from dlbricks.report.console import to_json

    settings = SplitSettings(target=target, dims=parse_dims(dims), threads=threads, passes=passes)
    here, written = api.lower(named_networks(models, settings.dims, passes), Path(out), settings)
    for file, model in written:
        click.echo(f"{file}: {len(model.layers)} layers of {model.source_layers}", err=as_json)
    if as_json:
        files = [str(file) for file, _ in written]
        click.echo(to_json("lower", {"target": target, "made_for": here, "files": files}), nl=False)


def network_files(models: Sequence[str], passes: Sequence[str] = ()) -> "tuple[Path, ...]":
    """Find the networks that the user named; while the command runs, each is read once, and as passes change it."""
    from dlbricks.model.read.network import find_networks
    from dlbricks.model.read.skim import reading_once

    paths = find_networks(models)
    click.get_current_context().with_resource(reading_once(paths))
    if passes:
        from dlbricks.passes.user import applied

        click.get_current_context().with_resource(applied(paths, passes))
    return paths


def named_networks(models: Sequence[str], dims: Mapping[str, int], passes: Sequence[str] = ()) -> "tuple[Path, ...]":
    """Return the networks that the user named; those without a dimension of ``dims`` are listed on stderr.

    Raises:
        InputError: a file is missing, or all networks lack a dimension.
    """
    from dlbricks.model.read.dimensions import check_given

    paths = network_files(models, passes)
    for line in check_given(paths, dims):
        tell(line)
    return paths


def tell_about_prompts(choice: SplitChoice, verb: str) -> None:
    """Print on stderr where whole prompts of decoders are answered, if the user gave the length of a cache."""
    if PAST in choice.settings.dims:
        tell(f"'dlbricks llm {verb}' has --prompt: it chooses the lengths of a decoder and adds up its calls")


def as_measured(models: Sequence[str], choice: SplitChoice, where: SystemQuery) -> SplitChoice:
    """Complete settings that the user left open (``estimating.as_measured``); remarks are printed on stderr."""
    from dlbricks import estimating

    paths = named_networks(models, choice.settings.dims, choice.settings.passes)
    settings, remarks = estimating.as_measured(paths, choice.settings, where)
    for remark in remarks:
        tell(remark)
    return replace(choice, settings=settings)


def splits(models: Sequence[str], choice: SplitChoice) -> "list[Split]":
    """Read, lower and split the networks that the user named, in a worker process; see ``api.split_files``."""
    from dlbricks import api

    paths = network_files(models, choice.settings.passes)
    return api.split_files(paths, choice.settings, memory_bytes=choice.memory_bytes)
