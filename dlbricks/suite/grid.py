"""Networks whose sizes lie on a public grid, asked for in place of one whose sizes are private.

Every size of a network is replaced by the largest point of the grid that is no greater: channels, hidden sizes, heads,
lengths, resolutions, rows of tables, wherever a shape, a small table of whole numbers or a root in a scale states one.
A grid has some points for each doubling, evenly apart: the more, the narrower the estimate and the cells of the sizes.
All else follows from the network that this gives: its widths, its other sizes, or both, go to the next point. So what
is asked for is a function of the cells that the sizes lie in, and networks of equal cells give the same bytes.

A network whose sizes do not go together on the grid (``14 * 14 + 1`` patches) is cut into pieces, the largest that do,
each by itself; where to cut follows from the layers, not from their sizes. ``construct.interpolate`` computes the
private network from what is measured at the points around it.
"""

import functools
import math
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from dlbricks.errors import DlbricksError, InputError
from dlbricks.model.emit import build_network
from dlbricks.model.read.network import read_batched, read_model
from dlbricks.model.synthesis.values import place_constants
from dlbricks.model.types import Model
from dlbricks.sequences.split import bare, split
from dlbricks.sequences.types import Granularity, LayerSequence
from dlbricks.suite.benchmarks import canonical_names
from dlbricks.suite.extraction import ExtractionTask
from dlbricks.suite.siblings import WHOLE, constants_of, whole_numbers
from dlbricks.suite.workers import Crashed, Workers

LEAST = 8
"""Smaller numbers stay: windows, strides, colours, axes, a batch."""
STEPS = (1, 2, 4, 8)
"""Points that a grid may have for each doubling: 1 are the powers of 2, 2 also those half way between them."""
_DOUBLINGS = 25
LEVELS = (None, 16, 8, 4, 2, 1)
"""Most layers in a piece, tried one after the other."""
_CONVOLUTIONS = {"Conv": 1, "ConvTranspose": 1, "ConvInteger": 1, "QLinearConv": 3}
"""Which operand is the kernel, whose window is no size."""
_STATED = ("shape", "split", "value_ints", "value_int", "output_shape")
_FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16)
_EXACT = 1e-3
_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Sizes that may be asked for."""

    steps: int = 2
    """Points for each doubling, one of ``STEPS``."""

    @property
    def points(self) -> tuple[int, ...]:
        """All of them, sorted.

        >>> Grid().points[:8]
        (8, 12, 16, 24, 32, 48, 64, 96)
        """
        return _points(self.steps)

    def below(self, size: int) -> int:
        """Give the largest point that is no greater than a size.

        >>> [Grid().below(size) for size in (7, 8, 100, 768, 197)]
        [7, 8, 96, 768, 192]
        """
        return self.points[bisect_right(self.points, size) - 1] if LEAST <= size < self.points[-1] else size

    def above(self, size: int) -> int:
        """Give the smallest point that is greater than a size.

        >>> [Grid().above(size) for size in (7, 8, 100, 768, 192)]
        [7, 12, 128, 1024, 256]
        """
        return self.points[bisect_right(self.points, size)] if LEAST <= size < self.points[-1] else size


@functools.cache
def _points(steps: int) -> tuple[int, ...]:
    most = LEAST << _DOUBLINGS
    between = ((LEAST << power) * (steps + step) // steps for power in range(_DOUBLINGS) for step in range(steps))
    return (*between, most)


Size = Callable[[int], int]
"""What a size becomes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnGrid:
    """What is asked for in place of a network."""

    networks: tuple[bytes, ...]
    """Without weights, each once, sorted."""
    without: tuple[str, ...] = ()
    """Operators of layers for which nothing is, since their sizes do not go together on the grid; sorted."""
    unsupported: str = ""
    """Why the network cannot be used; empty if it can."""


def write_grid(
    tasks: Sequence[ExtractionTask],
    folder: Path,
    *,
    grid: Grid,
    jobs: int = 1,
    memory_bytes: int | None = None,
    progress: Callable[[str, int, int], None],
) -> tuple[str, ...]:
    """Write the networks of the grid around some networks into a folder; give the operators for which there is none.

    Args:
        tasks: of the networks; the granularity is that of the suite.
        folder: where they go.
        grid: sizes that may be asked for.
        jobs: processes.
        memory_bytes: the most that each may allocate; by default what the machine has left.
        progress: called with the progress made.

    Raises:
        InputError: a network cannot be used, or none of its sizes go together on the grid.
    """
    with Workers(jobs, memory_bytes=memory_bytes) as workers:
        made = workers.each(
            functools.partial(corners, grid=grid), tasks, lambda done: progress("grid", done, len(tasks))
        )
    for task, one in zip(tasks, made, strict=True):
        reason = f"{task.path} {one.reason}" if isinstance(one, Crashed) else one.unsupported
        if reason:
            raise InputError(reason)
    found = [one for one in made if isinstance(one, OnGrid)]
    networks = sorted({data for one in found for data in one.networks})
    if not networks:
        raise InputError("no sizes of these networks go together on the grid: plan without --grid, or with --cover")
    for number, data in enumerate(networks):
        (folder / f"grid-{number:04d}.onnx").write_bytes(data)
    return tuple(sorted({name for one in found for name in one.without}))


def corners(task: ExtractionTask, grid: Grid) -> OnGrid:
    """Find the networks of the grid around one; ``task.granularity`` is the least that a piece is cut to.

    Runs in a worker process.
    """
    try:
        model = read_batched(task.path, dims=dict(task.dims), batch=task.batch)
    except InputError as error:
        return OnGrid(networks=(), unsupported=str(error))
    least = task.granularity.limit or 1
    found: dict[bytes, tuple[bytes, ...]] = {}
    covered: set[int] = set()
    missing: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for level in (*(level for level in LEVELS if level is None or level > least), least):
            parts = split(model, Granularity(level), "paper")
            missing.clear()
            for sequence in parts.sequences:
                views = all(parts.model.layers[index].is_view for index in sequence.layers)
                if views or sequence.skip or covered.issuperset(sequence.layers):
                    continue
                core = bare(parts.model, sequence)
                network = _alone(parts.model, core)
                known = network.SerializeToString(deterministic=True)
                if known not in found:
                    found[known] = _around(network, len(core.layers), grid, Path(folder) / "network.onnx")
                (covered if found[known] else missing).update(sequence.layers)
    return OnGrid(
        networks=tuple(sorted({point for points in found.values() for point in points})),
        without=tuple(sorted({model.layers[index].op_type for index in missing})),
    )


def _alone(model: Model, core: LayerSequence) -> onnx.ModelProto:
    """Write a piece as a network, its layers in the order of the network."""
    constants, _ = place_constants(model, core.layers, core.constants)
    rename = canonical_names(model, core)
    return build_network(model, core.layers, core.inputs, core.outputs, rename=rename, constants=constants)


def _around(network: onnx.ModelProto, layers: int, grid: Grid, place: Path) -> tuple[bytes, ...]:
    """Give the corners of a network; none unless those with all sizes below and all above can be read."""
    low = _resized(network, grid.below)
    high = _resized(low, grid.above)
    if not (_fits(low, layers, place) and _fits(high, layers, place)):
        return ()
    wide = {extent for dims in _weights(low) for extent in dims}
    entering = {extent for dims in _entering(low) for extent in dims} - wide
    above = grid.above
    widths = ((_where(wide, above), None), (_where_not(entering, above), None), (_where(wide, above), _as_it_is))
    others = ((_where_not(wide, above), None), (_where(entering, above), None), (_where_not(wide, above), above))
    made = {low.SerializeToString(deterministic=True), high.SerializeToString(deterministic=True)}
    for choices in (widths, others):
        for size, inputs in choices:
            mixed = _resized(low, size, inputs)
            data = mixed.SerializeToString(deterministic=True)
            if data not in made and _fits(mixed, layers, place):
                made.add(data)
                break
    return tuple(sorted(made))


def _where(sizes: Collection[int], above: Size) -> Size:
    """Let some sizes go to the next point."""
    return lambda size: above(size) if size in sizes else size


def _where_not(sizes: Collection[int], above: Size) -> Size:
    return lambda size: size if size in sizes else above(size)


def _as_it_is(size: int) -> int:
    return size


def _fits(network: onnx.ModelProto, layers: int, place: Path) -> bool:
    """Whether a network can be read and has no more layers than the one that it is made of."""
    place.write_bytes(network.SerializeToString())
    try:
        made = read_model(place)
    except DlbricksError:
        return False
    return not any(layer.skip for layer in made.layers) and len(made.layers) <= layers


def _weights(network: onnx.ModelProto) -> Iterator[Sequence[int]]:
    """Give the sizes of weights that are widths."""
    kernels = _kernels(network)
    for tensor in constants_of(network):
        dims = tuple(tensor.dims)
        if tensor.data_type not in {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL} and dims[:1] != (1,):
            yield dims[:2] if tensor.name in kernels else dims


def _kernels(network: onnx.ModelProto) -> frozenset[str]:
    return frozenset(
        node.input[_CONVOLUTIONS[node.op_type]]
        for node in network.graph.node
        if len(node.input) > _CONVOLUTIONS.get(node.op_type, len(node.input))
    )


def _resized(network: onnx.ModelProto, size: Size, inputs: Size | None = None) -> onnx.ModelProto:
    """Write a network with other sizes, those of its inputs apart, without values but those that may decide shapes."""
    made = onnx.ModelProto()
    made.CopyFrom(network)
    del made.graph.value_info[:]
    kernels = _kernels(network)
    roots = {extent for dims in (*_weights(network), *_entering(network)) for extent in dims if extent >= LEAST}
    for tensor in constants_of(made):
        _resize(tensor, size, roots, kernel=tensor.name in kernels)
    for node in made.graph.node:
        for attribute in node.attribute:
            if attribute.name in (*WHOLE, *_STATED):
                attribute.i = size(attribute.i)
                attribute.ints[:] = [size(extent) for extent in attribute.ints]
            elif attribute.name in {"scale", "alpha"}:
                attribute.f = _scaled(attribute.f, size, roots)
    for entry in made.graph.input:
        for dim in entry.type.tensor_type.shape.dim:
            dim.dim_value = (inputs or size)(dim.dim_value)
    for entry in made.graph.output:
        entry.type.tensor_type.ClearField("shape")
    return made


def _entering(network: onnx.ModelProto) -> Iterator[Sequence[int]]:
    for entry in network.graph.input:
        yield [dim.dim_value for dim in entry.type.tensor_type.shape.dim]


def _resize(tensor: TensorProto, size: Size, roots: set[int], *, kernel: bool) -> None:
    numbers = whole_numbers(tensor)
    if numbers:
        kind = np.int64 if tensor.data_type == TensorProto.INT64 else np.int32
        values = np.array([size(value) for value in numbers], kind).reshape(tuple(tensor.dims))
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
        return
    if tensor.data_type in _FLOATS and tensor.data_location != TensorProto.EXTERNAL and math.prod(tensor.dims) == 1:
        value = numpy_helper.to_array(tensor)
        scaled = np.full(value.shape, _scaled(float(value.reshape(-1)[0]), size, roots), value.dtype)
        tensor.CopyFrom(numpy_helper.from_array(scaled, tensor.name))
        return
    dims = [extent if kernel and axis > 1 else size(extent) for axis, extent in enumerate(tensor.dims)]
    if dims == list(tensor.dims) and math.prod(dims) <= LEAST and tensor.data_location != TensorProto.EXTERNAL:
        return
    made = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=dims)
    made.data_location = TensorProto.EXTERNAL
    made.external_data.add(key="location", value="none")
    tensor.CopyFrom(made)


def _scaled(value: float, size: Size, roots: set[int]) -> float:
    """Give what a scale becomes that is a size of the network, a root of one, or one over it; others stay."""
    for power in (1, 2, 4, -1, -2, -4):
        stated = value**power if _SMALLEST < value < 1 / _SMALLEST else 0.0
        if round(stated) in roots and abs(stated - round(stated)) < _EXACT * stated:
            return float(size(round(stated)) ** (1 / power))
    return value
