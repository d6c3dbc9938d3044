"""Options on networks and their split, as decorators, and functions that read the networks a user names.

The module imports no heavy library.
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
from dlbricks.settings import BLOCK, PORTABLE, SPLITTERS, TARGETS, SplitSettings, SystemQuery, usual_target
from dlbricks.units import format_bytes

if TYPE_CHECKING:
    from pathlib import Path

# Dimensions of a decoder: tokens in the cache (past, may be 0), new tokens (sequence), batch (``model.read.decoders``).
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
# Maximum number of combinations of extents in a suite.
MOST_POINTS = 64
# Separates names, and extents, that ``--dim`` sets together.
JOINT = ":"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """The options that a user chose for the split of networks."""

    settings: SplitSettings
    """Settings of the split; an empty setting is taken from the measured suite (``api.estimates.measured_splits``)."""
    points: tuple[Mapping[str, int], ...] = ()
    """Combinations of sizes (``--dim``) if the user gave several sizes; ``settings`` has the first combination."""


def models_argument(command: Command, *, required: bool = True) -> Command:
    """Add the argument ``MODEL...``: files, folders or globs of networks (``model.read.network.find_networks``)."""
    return click.argument("models", nargs=-1, required=required, metavar="MODEL...")(command)


# For commands that do not measure and have a ``choice: SplitChoice``.
memory_option = click.option(
    "--memory-limit",
    "memory_bytes",
    type=Reader(read_size_bytes),
    metavar="SIZE",
    help="Memory limit for reading a network and running its sequences, as in 8g [default: the free memory, and "
    f"{format_bytes(RUN_BYTES)} for inputs and outputs of a sequence].",
)
batch_option = click.option(
    "--batch",
    type=at_least(1),
    metavar="N",
    help="Batch size, even if the file fixes another [default: that of the file].",
)
# For commands that measure nothing.
lowering_threads_option = click.option(
    "--threads", type=at_least(1), default=1, show_default=True, help="Number of threads that a lowered graph is for."
)
jobs_option = click.option("--jobs", type=at_least(1), default=1, show_default=True, help="Number of worker processes.")
dims_option = click.option(
    "--dim",
    "dims",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set the extent of a symbolic dimension, as in batch=8, or an input that is a single whole number, as in "
    "sr=16000; repeat for more. Decoders have past, sequence and batch.",
)

values_option = click.option(
    "--value",
    "values",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set the value of an input that decides sizes, iterations or branches, as in sizes=1,3,256,256, "
    "use_cache=true or mask=FILE.npy; repeat for more.",
)


def split_options(command: Command, *, measured: bool = False, grid: bool = False) -> Command:
    """Add the parameter ``choice: SplitChoice`` to a command.

    With ``measured``, settings that the user leaves open stay empty: the measured suite decides them. With ``grid``, a
    dimension may have several extents; ``choice.points`` are their combinations, and the target follows from options
    on runtime and provider.
    """
    shown = "that of the measured suite" if measured else True
    target_shown = "that of the runtime, portable for devices" if grid and not measured else shown

    @functools.wraps(command)
    def bundled(*, dims: Sequence[str], values: Sequence[str], memory_bytes: int | None = None, **others: Any) -> Any:
        # raises for an invalid -H before a network is read
        from dlbricks.sequences.types import Granularity

        points = parse_grid(dims) if grid else (parse_dims(dims),)
        granularity, target = others.pop("granularity"), others.pop("target")
        if not target and not measured:
            target = usual_target(**{name: others[name] for name in ("runtime", "provider") if name in others})
        settings = SplitSettings(
            granularity=str(Granularity.parse(granularity)) if granularity else "",
            target=target or "",
            splitter=others.pop("splitter") or "",
            dims=points[0],
            values=parse_pairs(values, "--value"),
            batch=others.pop("batch"),
            allow_values=others.pop("allow_values"),
            passes=others.pop("passes"),
            memory_bytes=memory_bytes,
        )
        several = points if len(points) > 1 else ()
        return command(choice=SplitChoice(settings=settings, points=several), **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "-H",
            "--granularity",
            metavar="H",
            help="Maximum number of layers in a sequence: a whole number or inf.",
            default=None if measured else "1",
            show_default=shown,
        ),
        click.option(
            "--target",
            type=click.Choice(TARGETS),
            help="Graph to split: portable keeps standard operators; onnxruntime-cpu, onnxruntime-cuda and "
            "openvino take the graph that this runtime executes here.",
            default=None if measured or grid else PORTABLE,
            show_default=target_shown,
        ),
        click.option(
            "--splitter",
            type=click.Choice(SPLITTERS),
            help="Where to split. block: where the fewest bytes cross; paper: as described in the DLBricks paper.",
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
            help="Keep the trained values of this layer (thresholds, labels, tables); repeat for more.",
        ),
        pass_option,
        # Commands that measure a grid have no memory limit here; ``generate`` adds the option after these.
        *(() if grid and not measured else (memory_option,)),
    )


measured_split_options = functools.partial(split_options, measured=True)
grid_split_options = functools.partial(split_options, grid=True)


def parse_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Parse ``NAME=VALUE`` texts to a mapping; raises ``InputError`` for another form or a repeated name."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"invalid {option} '{text}': expected NAME=VALUE")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise InputError(f"{option} sets {name.strip()} twice: give one value")
    return pairs


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Parse texts such as ``batch=8`` to sizes by dimension, whole numbers below 10^18."""
    return {name: _extent(name, value) for name, value in parse_pairs(texts, "--dim").items()}


def parse_sizes(dims: Sequence[str], values: Sequence[str]) -> SplitSettings:
    """Parse the texts of --dim and --value to settings."""
    return SplitSettings(dims=parse_dims(dims), values=parse_pairs(values, "--value"))


def parse_grid(texts: Sequence[str]) -> tuple[dict[str, int], ...]:
    """Parse texts such as ``past=0,512`` to all combinations of sizes; without texts, return one empty combination.

    A text may set several dimensions together, as in ``past:sequence=1:1,0:128``. Raises ``InputError`` if an extent is
    not valid or is given twice, or if there are too many combinations.
    """
    axes = [_axis(name, value.split(",")) for name, value in parse_pairs(texts, "--dim").items()]
    if math.prod(map(len, axes)) > MOST_POINTS:
        raise InputError(f"--dim has {math.prod(map(len, axes))} combinations: a suite has at most {MOST_POINTS}")
    points = tuple(dict(itertools.chain(*combination)) for combination in itertools.product(*axes))
    # a name in two texts of --dim is only once in the combined point
    if len(points[0]) < sum(len(axis[0]) for axis in axes):
        raise InputError("--dim sets a dimension twice: set it either alone or together with others")
    return points


def _axis(name: str, values: Sequence[str]) -> list[tuple[tuple[str, int], ...]]:
    # Parse the extents of one dimension, or of several that are set together.
    names = name.split(JOINT) if any(JOINT in value for value in values) else [name]
    # A call without new tokens computes nothing, but a cache may be empty.
    lowest = [0 if len(values) == 1 or dimension == PAST else 1 for dimension in names]
    axis = []
    for value in values:
        extents = value.split(JOINT)
        if len(extents) != len(names):
            raise InputError(f"--dim {name}={value}: give an extent for each name, as in past:sequence=1:1,0:128")
        axis.append(tuple(zip(names, map(_extent, names, map(str.strip, extents), lowest), strict=True)))
    if len(set(axis)) < len(axis):
        raise InputError(f"--dim {name} has an extent twice: give each once")
    return axis


def _extent(name: str, value: str, least: int = 0) -> int:
    # ``check_given`` checks which extents may be zero.
    # str.isdigit accepts digits of other scripts, and no tensor has 10^18 elements
    if not (value.isascii() and value.isdigit() and len(value) < 19 and int(value) >= least):
        raise InputError(f"--dim {name}={value}: the extent must be a whole number from {least} up, below 10^18")
    return int(value)


def extent_options(
    points: Sequence[Mapping[str, int]],
    usable: Callable[[Sequence[Mapping[str, int]]], Sequence[Mapping[str, int]]] = list,
) -> list[str]:
    """Format combinations of sizes as options, as in ``--dim past=0,575 --dim sequence=1,512``.

    Such options mean all combinations of the extents. If these are more than ``points``, past and sequence are set
    together, as in ``--dim past:sequence=1:1,575:1,0:128``. ``usable`` leaves out combinations that are not measured.
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


def network_files(models: Sequence[str], settings: SplitSettings | None = None) -> "tuple[Path, ...]":
    """Find the files of the networks that the user named, and print remarks."""
    from dlbricks.api.networks import named

    return click.get_current_context().with_resource(named(models, settings or SplitSettings(), tell))


def tell_about_prompts(choice: SplitChoice, verb: str) -> None:
    """Print which command estimates whole prompts, if the user set the length of a decoder's cache."""
    if PAST in choice.settings.dims:
        tell(f"for a whole prompt and answer of a decoder use 'dlbricks llm {verb} --prompt'")


def as_measured(models: Sequence[str], choice: SplitChoice, where: SystemQuery) -> SplitChoice:
    """Replace settings that the user left open by those of the suite that the system has measured."""
    from dlbricks.api.estimates import common_settings

    paths = network_files(models, choice.settings)
    return replace(choice, settings=common_settings(paths, choice.settings, where, tell))
