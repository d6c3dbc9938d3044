"""Options that let a command take a decoder as it would be with other weights or other heads."""

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import click

from dlbricks.cli.options import Command, with_options
from dlbricks.errors import InputError

WEIGHTS = ("int4", "int8")


def variant_options(command: Command) -> Command:
    """Give the command the file of a variant of its decoder for ``models``, where the user asks for one."""

    @functools.wraps(command)
    def bundled(*, models: Sequence[str], weights: str | None, kv_heads: int | None, **others: Any) -> Any:
        if weights or kv_heads:
            models = _written(models, weights, kv_heads)
        return command(models=models, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "--weights", type=click.Choice(WEIGHTS), help="Take a decoder as it would be with weights of so many bits."
        ),
        click.option(
            "--kv-heads",
            type=click.IntRange(min=1),
            metavar="N",
            help="Take a decoder as it would be with N heads of keys and values.",
        ),
    )


def original() -> tuple[str, ...] | None:
    """Give what the user named of the command at work, where a variant of it is taken; else None."""
    given = click.get_current_context().params
    return given["models"] if given.get("weights") or given.get("kv_heads") else None


def said(models: Sequence[str]) -> list[str]:
    """Write how a command is told the same networks: ``models``, or the original ones with the options."""
    given = click.get_current_context().params
    words = list(original() or models)
    for option, value in (("--weights", given.get("weights")), ("--kv-heads", given.get("kv_heads"))):
        words += [option, str(value)] if value else []
    return words


def _written(models: Sequence[str], weights: str | None, kv_heads: int | None) -> tuple[str, ...]:
    from dlbricks.model.export.decoder_variants import DecoderChange, write_variant
    from dlbricks.model.read.decoders import step_names
    from dlbricks.model.read.dimensions import dimensions_of
    from dlbricks.model.read.network import find_networks

    folder = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory(prefix="dlbricks-")))
    made = []
    for path in find_networks(models):
        if not step_names(dimensions_of(path).names):
            raise InputError(f"--weights and --kv-heads are of decoders, not of {path}")
        made.append(str(write_variant(path, DecoderChange(weights=weights, groups=kv_heads), folder)))
    return tuple(made)
