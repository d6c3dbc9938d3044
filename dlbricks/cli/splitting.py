"""Options that say which networks are read and how they are split, as decorators; and the small parsers behind them.

Imports nothing heavy.
"""

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import click

from dlbricks.cli.options import Command, with_options
from dlbricks.errors import InputError
from dlbricks.estimating import PORTABLE
from dlbricks.harness.options import read_size_bytes

TARGETS = (PORTABLE, "onnxruntime-cpu", "onnxruntime-cuda", "openvino")
BLOCK = "block"
SPLITTERS = ("chain", BLOCK, "paper")
PAST, SEQUENCE = "past", "sequence"
"""Tokens in a decoder's cache, which may be none, and tokens that are new (``model.read.decoders``)."""
MOST_POINTS = 64
"""Combinations of extents of one suite."""
AUTO = "auto"
"""Granularity that is chosen for the networks at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """How networks are cut, as the user said it."""

    granularity: str
    """A whole number, ``inf``, or ``AUTO`` where a command chooses. This, ``target`` and ``splitter`` are empty where
    those of the measured suite are meant (``networks.as_measured``)."""
    target: str
    splitter: str
    dims: Mapping[str, int]
    """Extents of symbolic dimensions by name."""
    points: tuple[Mapping[str, int], ...] = ()
    """Each combination of them where the user gave several extents; ``dims`` is the first."""
    question: tuple[str, ...] = ()
    """Options of the question to a decoder that ``points`` were chosen for, as in ``--prompt 512 --generate 64``."""
    allow_values: tuple[str, ...] = ()
    """Layers whose values may all leave, by name."""
    batch: int | None = None
    """Inputs per call; None for what files and ``dims`` say."""
    memory_bytes: int | None = None
    """The most that the process which reads them may allocate; None for what the machine has left."""


def _announced(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Say on stderr which architectures are exported first, which takes a while."""
    for text in texts:
        if text.startswith("hf:"):
            from dlbricks.model.export.huggingface import place_of

            if not place_of(text).is_file():
                click.echo(
                    f"{text}: exporting the architecture, without weights; it is kept for the next time", err=True
                )
    return texts


def models_argument(command: Command, *, required: bool = True) -> Command:
    """``MODEL...``: files, folders or globs of ONNX networks, ``hf:FOLDER`` for an architecture of Hugging Face."""
    return click.argument("models", nargs=-1, required=required, metavar="MODEL...", callback=_announced)(command)


def split_options(command: Command) -> Command:
    """Give the command a ``choice: SplitChoice``."""
    return _split_options(command)


def measured_split_options(command: Command) -> Command:
    """Give the command a ``choice: SplitChoice`` that is empty where the user left something open."""
    return _split_options(command, measured=True)


def grid_split_options(command: Command, *, measured: bool) -> Command:
    """Give the command a ``choice: SplitChoice`` with points: of what was measured so, else its H may be ``AUTO``."""
    return _split_options(command, measured=measured, grid=True)


def _split_options(command: Command, *, measured: bool = False, grid: bool = False) -> Command:
    open_, auto = "that of the measured suite", grid and not measured

    @functools.wraps(command)
    def bundled(
        *,
        granularity: str,
        target: str | None,
        splitter: str | None,
        dims: Sequence[str],
        allow_values: tuple[str, ...],
        batch: int | None,
        memory_bytes: int | None = None,
        **others: Any,
    ) -> Any:
        if granularity == AUTO and not auto:
            raise InputError(
                "-H auto chooses for what is measured anew, in 'generate' and 'validate': here give a number or inf, "
                "that of the suite where one was measured"
            )
        points = parse_grid(dims) if grid else (parse_dims(dims),)
        choice = SplitChoice(
            granularity=granularity,
            target=target or "",
            splitter=splitter or "",
            dims=points[0],
            points=points if len(points) > 1 else (),
            allow_values=allow_values,
            batch=batch,
            memory_bytes=memory_bytes,
        )
        return command(choice=choice, **others)

    return with_options(
        cast("Command", bundled),
        functools.partial(
            _granularity_option, default="" if measured else "1", shown=open_ if measured else True, auto=auto
        ),
        functools.partial(_target_option, default="" if measured else PORTABLE, shown=open_ if measured else True),
        click.option(
            "--splitter",
            type=click.Choice(SPLITTERS),
            default=None if measured else BLOCK,
            show_default=open_ if measured else True,
            help="Where to cut: block where the fewest bytes cross, chain along chains, paper as published.",
        ),
        dims_option,
        batch_option,
        click.option(
            "--allow-values",
            multiple=True,
            metavar="LAYER",
            help="Let a layer keep its trained values (thresholds, labels, tables); repeat for each.",
        ),
        *(() if auto else (memory_option,)),
    )


def memory_option(command: Command) -> Command:
    """``--memory-limit``, for what has a ``choice: SplitChoice`` and measures nothing."""
    return click.option(
        "--memory-limit",
        "memory_bytes",
        callback=_read_memory,
        metavar="SIZE",
        help="Most memory to read a network, as in 8g; by default what the machine has left.",
    )(command)


def _read_memory(context: click.Context, option: click.Parameter, text: str | None) -> int | None:  # noqa: ARG001
    try:
        return None if text is None else read_size_bytes(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def batch_option(command: Command) -> Command:
    """``--batch``: inputs per call."""
    return click.option(
        "--batch",
        type=click.IntRange(min=1),
        metavar="N",
        help="Inputs per call, where the file fixes them, too; else what it says. Of a profile: of these runs.",
    )(command)


def target_option(command: Command) -> Command:
    """``--target``: which graph is split."""
    return _target_option(command, default=PORTABLE, shown=True)


def _granularity_option(command: Command, *, default: str, shown: str | bool, auto: bool) -> Command:
    choices = "a whole number, inf, or auto (see 'granularity')" if auto else "a whole number, or inf"
    text = f"Most layers in a sequence: {choices}."
    return click.option("-H", "--granularity", default=default, show_default=shown, metavar="H", help=text)(command)


def _target_option(command: Command, *, default: str, shown: str | bool) -> Command:
    return click.option(
        "--target",
        type=click.Choice(TARGETS),
        default=default or None,
        show_default=shown,
        help="portable keeps standard operators; onnxruntime-cpu and -cuda split the graph that the runtime "
        "would execute here on that provider; openvino splits where OpenVINO does here.",
    )(command)


def dims_option(command: Command) -> Command:
    """``--dim``: texts for ``parse_dims``."""
    return click.option(
        "--dim",
        "dims",
        multiple=True,
        metavar="NAME=VALUE",
        help="Bind a symbolic dimension, as in batch=8; repeat for each. Of a decoder: past, sequence, batch.",
    )(command)


def parse_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Turn ``NAME=VALUE`` texts into a mapping.

    Raises:
        InputError: no ``=``, an empty name, or the same name with two values.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"{option} '{text}' is not of the form NAME=VALUE")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise InputError(f"{option} gives {name.strip()} two values")
    return pairs


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Turn ``batch=8`` texts into extents.

    Raises:
        InputError: no pair, or no whole number from 1 up that fits 64 bits.
    """
    return {name: _extent(name, value) for name, value in parse_pairs(texts, "--dim").items()}


def parse_grid(texts: Sequence[str]) -> tuple[dict[str, int], ...]:
    """Turn ``past=0,512`` texts into extents, each with each of the others; without texts there is one point.

    Raises:
        InputError: see ``parse_dims``; an extent twice, or too many points.
    """
    given = {name: value.split(",") for name, value in parse_pairs(texts, "--dim").items()}
    axes = [[(name, _extent(name, value.strip())) for value in values] for name, values in given.items()]
    for axis in axes:
        if len(set(axis)) < len(axis):
            raise InputError(f"--dim {axis[0][0]} gives an extent twice")
    if math.prod(map(len, axes)) > MOST_POINTS:
        raise InputError(f"--dim gives {math.prod(map(len, axes))} combinations: at most {MOST_POINTS} make a suite")
    return tuple(dict(point) for point in itertools.product(*axes))


def _extent(name: str, value: str) -> int:
    least = 0 if name == PAST else 1
    if not (value.isascii() and value.isdigit() and len(value) < 19 and int(value) >= least):
        raise InputError(f"--dim {name}={value}: the extent must be a whole number from {least} up, below 10^18")
    return int(value)
