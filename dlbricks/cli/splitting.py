"""Options on networks and their split, as decorators, and the parsers of their values.

Heavy libraries are not imported.
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
from dlbricks.harness.runtimes import RUNTIMES, USUAL
from dlbricks.limits import RUN_BYTES
from dlbricks.units import format_bytes

TARGETS = (PORTABLE, "onnxruntime-cpu", "onnxruntime-cuda", *(name for name in RUNTIMES if name != USUAL))
BLOCK = "block"
SPLITTERS = (BLOCK, "paper")
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
"""Dimensions of a decoder: tokens in the cache (may be 0), new tokens, and inputs (``model.read.decoders``)."""
MOST_POINTS = 64
"""Maximum number of combinations of extents in a suite."""
JOINT = ":"
"""Between names and extents that ``--dim`` gives together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSpan:
    """Prompts of a decoder, and how they are answered."""

    first: int
    """Tokens of the shortest prompt."""
    last: int
    """Tokens of the longest prompt."""
    generate: int
    """Generated tokens, including the first, which the prompt gives."""
    chunk: int | None = None
    """Tokens of a prompt per call; None for all."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of ``estimate`` for these prompts."""
        single = self.first == self.last
        prompts = ("--prompt", str(self.first)) if single else ("--sweep", f"prompt={self.first}..{self.last}")
        chunks = ("--chunk", str(self.chunk)) if self.chunk else ()
        return (*prompts, "--generate", str(self.generate), *chunks)

    @property
    def calls(self) -> tuple[dict[str, int], ...]:
        """The outermost calls of each kind that answer these prompts: all others lie between them."""
        outermost = []
        for prompt in (self.first, self.last):
            if self.chunk == 1:
                outermost += [{PAST: past, SEQUENCE: 1} for past in (1, max(1, prompt - 1))]
                continue
            new = min(self.chunk or prompt, prompt)
            outermost += [{PAST: past, SEQUENCE: new} for past in (0, min(new, prompt - new), prompt - new)]
        if self.generate > 1:
            last = max(self.first, self.last + self.generate - 2)
            outermost += [{PAST: past, SEQUENCE: 1} for past in (self.first, last)]
        return tuple({tuple(call.items()): call for call in outermost}.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """Split settings given by the user."""

    granularity: str
    """A whole number or ``inf``. This, ``target`` and ``splitter`` are empty to use those of the measured suite
    (``networks.as_measured``)."""
    target: str
    splitter: str
    dims: Mapping[str, int]
    """Extents of symbolic dimensions by name."""
    points: tuple[Mapping[str, int], ...] = ()
    """All combinations if the user gave several extents; ``dims`` is the first."""
    prompts: PromptSpan | None = None
    """Prompts of a decoder that ``points`` were chosen for."""
    allow_values: tuple[str, ...] = ()
    """Names of layers that keep all their values."""
    batch: int | None = None
    """Batch size; None for that of the files and ``dims``."""
    memory_bytes: int | None = None
    """Memory limit of the process that reads networks; None for the free memory of the machine."""
    scratch: str | None = None
    """Folder for synthetic weights of networks that are lowered several times; None for one of each."""


def _announced(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Print on stderr which architectures have to be exported first, which takes a while."""
    for text in texts:
        if text.startswith("hf:"):
            from dlbricks.model.export.huggingface import place_of

            if not place_of(text).is_file():
                click.echo(f"{text}: exporting the architecture, without weights (cached)", err=True)
    return texts


def models_argument(command: Command, *, required: bool = True) -> Command:
    """The argument ``MODEL...``: files, folders or globs of ONNX networks, or ``hf:FOLDER`` (Hugging Face)."""
    return click.argument("models", nargs=-1, required=required, metavar="MODEL...", callback=_announced)(command)


def split_options(command: Command) -> Command:
    """Add the parameter ``choice: SplitChoice`` to a command."""
    return _split_options(command)


def measured_split_options(command: Command) -> Command:
    """Add the parameter ``choice: SplitChoice`` to a command; settings that the user left open are empty."""
    return _split_options(command, measured=True)


def grid_split_options(command: Command, *, measured: bool) -> Command:
    """Add the parameter ``choice: SplitChoice`` with points to a command."""
    return _split_options(command, measured=measured, grid=True)


def _split_options(command: Command, *, measured: bool = False, grid: bool = False) -> Command:
    shown = "that of the measured suite" if measured else True

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
        click.option(
            "-H",
            "--granularity",
            default="" if measured else "1",
            show_default=shown,
            metavar="H",
            help="Maximum number of layers in a sequence: a whole number, or inf.",
        ),
        click.option(
            "--target",
            type=click.Choice(TARGETS),
            default=None if measured else PORTABLE,
            show_default=shown,
            help="portable keeps standard operators; onnxruntime-cpu and -cuda split the graph that the runtime "
            "executes on this machine with that provider; openvino splits as OpenVINO does.",
        ),
        click.option(
            "--splitter",
            type=click.Choice(SPLITTERS),
            default=None if measured else BLOCK,
            show_default=shown,
            help="Where to split: block where the fewest bytes cross, paper as in DLBricks.",
        ),
        dims_option,
        batch_option,
        click.option(
            "--allow-values",
            multiple=True,
            metavar="LAYER",
            help="Keep the trained values of this layer (thresholds, labels, tables); repeat for each.",
        ),
        *(() if grid and not measured else (memory_option,)),
    )


def memory_option(command: Command) -> Command:
    """The option ``--memory-limit``, for commands with a ``choice: SplitChoice`` that do not measure."""
    return click.option(
        "--memory-limit",
        "memory_bytes",
        callback=_read_memory,
        metavar="SIZE",
        help="Memory limit for reading a network and running its sequences, as in 8g; by default the free memory, and "
        f"{format_bytes(RUN_BYTES)} for inputs and outputs of a sequence.",
    )(command)


def _read_memory(context: click.Context, option: click.Parameter, text: str | None) -> int | None:  # noqa: ARG001
    try:
        return None if text is None else read_size_bytes(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def batch_option(command: Command) -> Command:
    """The option ``--batch``: batch size."""
    return click.option(
        "--batch",
        type=click.IntRange(min=1),
        metavar="N",
        help="Batch size, also where the file fixes one; by default that of the file. Of a profile: selects its runs.",
    )(command)


def lowering_threads_option(command: Command) -> Command:
    """The option ``--threads`` of commands that measure nothing."""
    return click.option(
        "--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads a lowering is for."
    )(command)


def jobs_option(command: Command) -> Command:
    """The option ``--jobs``: number of worker processes."""
    return click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")(command)


def dims_option(command: Command) -> Command:
    """The option ``--dim``, with texts for ``parse_dims``."""
    return click.option(
        "--dim",
        "dims",
        multiple=True,
        metavar="NAME=VALUE",
        help="Bind a symbolic dimension, as in batch=8, or the value of an input of one whole number, as in sr=16000; "
        "repeat for each. Of a decoder: past, sequence, batch.",
    )(command)


def parse_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Parse ``NAME=VALUE`` texts to a mapping.

    Raises:
        InputError: there is no ``=``, an empty name, or a name with two values.
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
    """Parse ``batch=8`` texts to extents.

    Raises:
        InputError: a text is not a pair, or its value not a whole number below 10^18.
    """
    return {name: _extent(name, value) for name, value in parse_pairs(texts, "--dim").items()}


def parse_grid(texts: Sequence[str]) -> tuple[dict[str, int], ...]:
    """Parse ``past=0,512`` texts to all combinations of extents; without texts there is one empty combination.

    Extents that belong together are one text, as in ``past:sequence=1:1,0:128``.

    Raises:
        InputError: see ``parse_dims``; or an extent is given twice, or there are too many combinations.
    """
    axes = [_axis(name, value.split(",")) for name, value in parse_pairs(texts, "--dim").items()]
    if math.prod(map(len, axes)) > MOST_POINTS:
        raise InputError(f"--dim gives {math.prod(map(len, axes))} combinations: at most {MOST_POINTS} make a suite")
    points = tuple(dict(itertools.chain(*combination)) for combination in itertools.product(*axes))
    if len(points[0]) < sum(len(axis[0]) for axis in axes):
        raise InputError("--dim gives a dimension twice: alone and together with another")
    return points


def _axis(name: str, values: Sequence[str]) -> list[tuple[tuple[str, int], ...]]:
    """Return the extents of a dimension, or of several that are given together."""
    together = any(JOINT in value for value in values)
    names = name.split(JOINT) if together else [name]
    together_extents = []
    for value in values:
        extents = value.split(JOINT)
        if len(extents) != len(names):
            raise InputError(f"--dim {name}={value}: give as many extents as names, as in past:sequence=1:1,0:128")
        lowest = [0 if len(values) == 1 or dimension == PAST else 1 for dimension in names]
        parts = zip(names, extents, lowest, strict=True)
        together_extents.append(
            tuple((dimension, _extent(dimension, extent.strip(), least)) for dimension, extent, least in parts)
        )
    if len(set(together_extents)) < len(together_extents):
        raise InputError(f"--dim {name} gives an extent twice")
    return together_extents


def _extent(name: str, value: str, least: int = 0) -> int:
    """Parse a value; ``check_given`` knows which may be zero."""
    if not (value.isascii() and value.isdigit() and len(value) < 19 and int(value) >= least):
        raise InputError(f"--dim {name}={value}: the extent must be a whole number from {least} up, below 10^18")
    return int(value)
