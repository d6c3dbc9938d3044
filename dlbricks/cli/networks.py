"""``inspect``, and reading and splitting what the user named."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import SplitChoice, json_flag, models_argument, split_options

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.sequences.types import Split


@click.command(short_help="Show what networks are made of: layers, shapes, FLOPs.")
@models_argument
@split_options
@click.option("--layers", is_flag=True, help="List every layer with its shapes, arithmetic and bytes.")
@json_flag
def inspect(models: Sequence[str], choice: SplitChoice, layers: bool, as_json: bool) -> None:
    """Show layers, unique sequences, shapes, FLOPs and bytes of networks, and what would be skipped and why.

    FLOPs count a multiply-add as two, in convolutions, matrix products, recurrent cells and attention; operations of
    every kind, and what is read and written, are listed with --layers.
    """
    from dlbricks.construct.inspection import inspect_split
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json
    from dlbricks.report.networks import inspection_report

    inspections = [inspect_split(one) for one in splits(models, choice)]
    if as_json:
        click.echo(to_json(inspections), nl=False)
    else:
        show(*inspection_report(inspections, layers=layers))


def splits(models: Sequence[str], choice: SplitChoice, *, threads: int = 1) -> "list[Split]":
    """Read, lower and split the networks that the user named.

    Raises:
        InputError: a file, an extent or a granularity that cannot be used, or a dimension that no network has.
    """
    from dlbricks.model.read.dimensions import refuse_unknown
    from dlbricks.model.read.network import find_networks

    paths = find_networks(models)
    refuse_unknown(paths, choice.dims)
    return [split_file(path, choice, threads=threads) for path in paths]


def split_file(path: "Path", choice: SplitChoice, *, threads: int = 1) -> "Split":
    """Read, lower and split one network.

    Raises:
        InputError: it cannot be used, or the granularity is none.
    """
    from dlbricks.api import read, split

    model = read(path, dims=choice.dims, target=choice.target, threads=threads)
    return split(model, granularity=choice.granularity, splitter=choice.splitter)
