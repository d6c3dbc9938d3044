"""Options on networks and their split, as decorators, and reading of the networks that a user names.

Heavy libraries are not imported.
"""

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import click

from dlbricks.cli.options import Command, Reader, at_least, pass_option, with_options
from dlbricks.cli.output import tell
from dlbricks.errors import InputError
from dlbricks.harness.options import read_size_bytes
from dlbricks.limits import RUN_BYTES
from dlbricks.settings import BLOCK, PORTABLE, SPLITTERS, TARGETS, SplitSettings, SystemQuery
from dlbricks.units import format_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.sequences.types import Split

# Dimensions of a decoder: tokens in the cache (may be 0), new tokens, and inputs (``model.read.decoders``).
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
# Maximum number of combinations of extents in a suite.
MOST_POINTS = 64
# Between names and extents that ``--dim`` gives together.
JOINT = ":"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """Options on the split of networks."""

    settings: SplitSettings
    """Empty fields are those of the measured suite (``as_measured``)."""
    points: tuple[Mapping[str, int], ...] = ()
    """All combinations if the user gave several extents; the settings have the first."""
    memory_bytes: int | None = None
    """Memory limit of the process that reads networks; None for the free memory of the machine."""


def _announce_exports(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    # An export takes a while, in which the user should know what happens.
    for text in texts:
        if text.startswith("hf:"):
            from dlbricks.model.export import place_of

            if not place_of(text).is_file():
                click.echo(f"{text}: exporting the architecture, without weights (cached)", err=True)
    return texts


def models_argument(command: Command, *, required: bool = True) -> Command:
    """The argument ``MODEL...``: files, folders or globs of ONNX networks, or ``hf:FOLDER`` (Hugging Face)."""
    decorate = click.argument("models", nargs=-1, required=required, metavar="MODEL...", callback=_announce_exports)
    return decorate(command)


# For commands with a ``choice: SplitChoice`` that do not measure.
memory_option = click.option(
    "--memory-limit",
    "memory_bytes",
    type=Reader(read_size_bytes),
    metavar="SIZE",
    help="Memory limit for reading a network and running its sequences, as in 8g; by default the free memory, and "
    f"{format_bytes(RUN_BYTES)} for inputs and outputs of a sequence.",
)
batch_option = click.option(
    "--batch",
    type=at_least(1),
    metavar="N",
    help="Batch size, also where the file fixes one; by default that of the file.",
)
# For commands that measure nothing.
lowering_threads_option = click.option(
    "--threads", type=at_least(1), default=1, show_default=True, help="Threads that a lowered graph is for."
)
jobs_option = click.option("--jobs", type=at_least(1), default=1, show_default=True, help="Worker processes.")
dims_option = click.option(
    "--dim",
    "dims",
    multiple=True,
    metavar="NAME=VALUE",
    help="Bind a symbolic dimension, as in batch=8, or the value of an input of one whole number, as in sr=16000; "
    "repeat for each. Of a decoder: past, sequence, batch.",
)

values_option = click.option(
    "--value",
    "values",
    multiple=True,
    metavar="NAME=VALUE",
    help="Give an input its value, which decides sizes, turns of loops or branches, as in sizes=1,3,256,256, "
    "use_cache=true or mask=FILE.npy; repeat for each.",
)


def split_options(command: Command, *, measured: bool = False, grid: bool = False) -> Command:
    """Add the parameter ``choice: SplitChoice`` to a command.

    If ``measured``, settings that the user left open are empty, for those of the measured suite; with a ``grid`` a
    dimension may have several extents, which make points.
    """
    shown = "that of the measured suite" if measured else True

    @functools.wraps(command)
    def bundled(*, dims: Sequence[str], values: Sequence[str], memory_bytes: int | None = None, **others: Any) -> Any:
        # refuses an invalid -H before a network is read
        from dlbricks.sequences.types import Granularity

        points = parse_grid(dims) if grid else (parse_dims(dims),)
        granularity = others.pop("granularity")
        settings = SplitSettings(
            granularity=str(Granularity.parse(granularity)) if granularity else "",
            target=others.pop("target") or "",
            splitter=others.pop("splitter") or "",
            dims=points[0],
            values=parse_pairs(values, "--value"),
            batch=others.pop("batch"),
            allow_values=others.pop("allow_values"),
            passes=others.pop("passes"),
        )
        several = points if len(points) > 1 else ()
        return command(choice=SplitChoice(settings=settings, points=several, memory_bytes=memory_bytes), **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "-H",
            "--granularity",
            metavar="H",
            help="Maximum number of layers in a sequence: a whole number, or inf.",
            default=None if measured else "1",
            show_default=shown,
        ),
        click.option(
            "--target",
            type=click.Choice(TARGETS),
            help="portable keeps standard operators; onnxruntime-cpu and -cuda split the graph that the runtime "
            "executes on this machine with that provider; openvino splits as OpenVINO does.",
            default=None if measured else PORTABLE,
            show_default=shown,
        ),
        click.option(
            "--splitter",
            type=click.Choice(SPLITTERS),
            help="Where to split: block where the fewest bytes cross, paper as in DLBricks.",
            default=None if measured else BLOCK,
            show_default=shown,
        ),
        dims_option,
        values_option,
        batch_option,
        click.option(
            "--allow-values",
            multiple=True,
            metavar="LAYER",
            help="Keep the trained values of this layer (thresholds, labels, tables); repeat for each.",
        ),
        pass_option,
        # Commands with a grid that measure have no limit; ``generate`` places it after these options itself.
        *(() if grid and not measured else (memory_option,)),
    )


measured_split_options = functools.partial(split_options, measured=True)
grid_split_options = functools.partial(split_options, grid=True)


def parse_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Parse ``NAME=VALUE`` texts to a mapping; a name with two values is an ``InputError``."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"invalid {option} '{text}': expected NAME=VALUE")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise InputError(f"{option} gives {name.strip()} two values: give one")
    return pairs


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Parse ``batch=8`` texts to extents, whole numbers below 10^18."""
    return {name: _extent(name, value) for name, value in parse_pairs(texts, "--dim").items()}


def parse_sizes(dims: Sequence[str], values: Sequence[str]) -> SplitSettings:
    """Parse the texts of --dim and --value to settings."""
    return SplitSettings(dims=parse_dims(dims), values=parse_pairs(values, "--value"))


def parse_grid(texts: Sequence[str]) -> tuple[dict[str, int], ...]:
    """Parse ``past=0,512`` texts to all combinations of extents; without texts there is one empty combination.

    Extents that belong together are one text, as in ``past:sequence=1:1,0:128``. An ``InputError`` if an extent is
    none, or is given twice, or there are too many combinations.
    """
    axes = [_axis(name, value.split(",")) for name, value in parse_pairs(texts, "--dim").items()]
    if math.prod(map(len, axes)) > MOST_POINTS:
        raise InputError(f"--dim gives {math.prod(map(len, axes))} combinations: at most {MOST_POINTS} make a suite")
    points = tuple(dict(itertools.chain(*combination)) for combination in itertools.product(*axes))
    # a name that two axes have is once in a combination
    if len(points[0]) < sum(len(axis[0]) for axis in axes):
        raise InputError("--dim gives a dimension twice: give it alone or together with another, not both")
    return points


def _axis(name: str, values: Sequence[str]) -> list[tuple[tuple[str, int], ...]]:
    # Of a dimension, or of several that are given together.
    names = name.split(JOINT) if any(JOINT in value for value in values) else [name]
    # A decoder without new tokens has nothing to do, but its cache may be empty.
    lowest = [0 if len(values) == 1 or dimension == PAST else 1 for dimension in names]
    axis = []
    for value in values:
        extents = value.split(JOINT)
        if len(extents) != len(names):
            raise InputError(f"--dim {name}={value}: give an extent for each name, as in past:sequence=1:1,0:128")
        axis.append(tuple(zip(names, map(_extent, names, map(str.strip, extents), lowest), strict=True)))
    if len(set(axis)) < len(axis):
        raise InputError(f"--dim {name} gives an extent twice: give each once")
    return axis


def _extent(name: str, value: str, least: int = 0) -> int:
    # ``check_given`` knows which extents may be zero.
    # digits of other scripts are digits for str.isdigit, and 10^18 is beyond any tensor
    if not (value.isascii() and value.isdigit() and len(value) < 19 and int(value) >= least):
        raise InputError(f"--dim {name}={value}: the extent must be a whole number from {least} up, below 10^18")
    return int(value)


def extent_options(
    points: Sequence[Mapping[str, int]],
    usable: Callable[[Sequence[Mapping[str, int]]], Sequence[Mapping[str, int]]] = list,
) -> list[str]:
    """Format points as options, as in ``--dim past=0,575 --dim sequence=1,512``.

    Where combinations of these extents would measure more than the points, past and sequence are given together, as in
    ``--dim past:sequence=1:1,575:1,0:128,384:128``.

    ``usable`` selects the combinations that are measured from all of them.
    """
    extents = {name: sorted({point[name] for point in points}) for name in points[0]}
    combined = [dict(zip(extents, values, strict=True)) for values in itertools.product(*extents.values())]
    every, needed, wanted = (
        {frozenset(point.items()) for point in some} for some in (combined, usable(combined), points)
    )
    texts = {name: ",".join(map(str, values)) for name, values in extents.items()}
    if {PAST, SEQUENCE} <= extents.keys() and wanted not in (every, needed):
        pairs = dict.fromkeys(f"{point[PAST]}:{point[SEQUENCE]}" for point in points)
        others = {name: text for name, text in texts.items() if name not in {PAST, SEQUENCE}}
        texts = {f"{PAST}:{SEQUENCE}": ",".join(pairs), **others}
    return [word for name, text in texts.items() for word in ("--dim", f"{name}={text}")]


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


def named_networks(models: Sequence[str], settings: SplitSettings) -> "tuple[Path, ...]":
    """Return the networks that the user named; those without a given dimension or input are listed on stderr.

    Raises ``InputError`` if a file is missing, or all networks lack a dimension or input.
    """
    from dlbricks.model.read.dimensions import check_given

    paths = network_files(models, settings.passes)
    for line in check_given(paths, settings.dims, settings.values):
        tell(line)
    return paths


def tell_about_prompts(choice: SplitChoice, verb: str) -> None:
    """Print on stderr where whole prompts of decoders are answered, if the user gave the length of a cache."""
    if PAST in choice.settings.dims:
        tell(f"'dlbricks llm {verb}' has --prompt: it chooses the lengths of a decoder and adds up its calls")


def as_measured(models: Sequence[str], choice: SplitChoice, where: SystemQuery) -> SplitChoice:
    """Complete settings that the user left open (``api.estimates.as_measured``); remarks are printed on stderr."""
    from dlbricks.api.estimates import as_measured as completed

    paths = named_networks(models, choice.settings)
    settings, remarks = completed(paths, choice.settings, where)
    for remark in remarks:
        tell(remark)
    return replace(choice, settings=settings)


def splits(models: Sequence[str], choice: SplitChoice) -> "list[Split]":
    """Read, lower and split the networks that the user named, in a worker process; see ``api.networks.split_files``."""
    from dlbricks.api.networks import split_files

    paths = network_files(models, choice.settings.passes)
    return split_files(paths, choice.settings, memory_bytes=choice.memory_bytes)
