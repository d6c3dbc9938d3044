"""Networks with sizes on a public grid, which are measured instead of a network with private sizes.

A grid has evenly spaced points in each doubling of a size. Every size of a network (channels, hidden sizes, heads,
lengths, resolutions, rows of tables) is rounded down to a point. In further copies, the widths, the other sizes, or
both are rounded up to the next point. Private networks between the same points give the same files.

If rounded sizes are inconsistent (``14 * 14 + 1`` patches), the network is split into the largest consistent pieces.
``construct.interpolate`` predicts latencies between the points.
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
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.table import operator
from dlbricks.operators.values import place_constants
from dlbricks.plugins.privacy.attacks import importances_without_counts
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.split import read_network, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, canonical_names
from dlbricks.suite.extraction import seconds_of

# Smaller numbers are kept: windows, strides, colours, axes, the batch size.
LEAST = 8
# Possible numbers of points per doubling: 1 gives the powers of 2, 2 also the midpoints between them.
STEPS = (1, 2, 4, 8)
# the last point is 2 ** 28
_DOUBLINGS = 25
# Maximum numbers of layers in a piece, in the order in which they are tried.
LEVELS = (None, 16, 8, 4, 2, 1)
# Attributes that state sizes.
_STATED = (
    *("shape", "split", "value_ints", "value_int", "output_shape"),
    *("group", "hidden_size", "num_heads", "kv_num_heads", "q_num_heads"),
)
# Maximum number of elements of an integer constant that may be a shape; longer ones are tables.
_LARGEST_SHAPE = 16
_FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16)
# float16 states a root to three digits
_EXACT = 1e-3
# smaller scales are epsilons
_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Public sizes, to which private sizes are rounded."""

    steps: int = 2
    """Number of public sizes per doubling, one of ``STEPS``."""

    @property
    def points(self) -> tuple[int, ...]:
        """Public sizes, ascending.

        >>> Grid().points[:8]
        (8, 12, 16, 24, 32, 48, 64, 96)
        """
        return _points(self.steps)

    def below(self, size: int) -> int:
        """Round a size down to a public size; sizes below the smallest or above the largest public size do not change.

        >>> [Grid().below(size) for size in (7, 8, 100, 768, 197)]
        [7, 8, 96, 768, 192]
        """
        return self.points[bisect_right(self.points, size) - 1] if LEAST <= size < self.points[-1] else size

    def above(self, size: int) -> int:
        """Return the next larger public size; sizes below the smallest or above the largest do not change.

        >>> [Grid().above(size) for size in (7, 8, 100, 768, 192)]
        [7, 12, 128, 1024, 256]
        """
        return self.points[bisect_right(self.points, size)] if LEAST <= size < self.points[-1] else size


@functools.cache
def _points(steps: int) -> tuple[int, ...]:
    most = LEAST << _DOUBLINGS
    between = ((LEAST << power) * (steps + step) // steps for power in range(_DOUBLINGS) for step in range(steps))
    return (*between, most)


# Maps a size to its new value.
Size = Callable[[int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridNetworks:
    """Copies of a private network with rounded sizes."""

    networks: tuple[bytes, ...]
    """Serialised networks without weights, unique, sorted."""
    without: tuple[str, ...] = ()
    """Operators of layers that are left out, since their rounded sizes are inconsistent; sorted."""
    unsupported: str = ""
    """Why the network cannot be used; empty if it can be."""


def write_grid(
    paths: Sequence[Path],
    settings: SplitSettings,
    folder: Path,
    *,
    grid: Grid,
    jobs: int = 1,
    progress: Callable[[str, int, int], None],
) -> tuple[str, ...]:
    """Write copies of networks with rounded sizes into a folder, in ``jobs`` worker processes.

    ``progress`` is called with phase, number of finished items and number of items. Returns the operators of layers
    that are left out. Raises ``InputError`` if a network cannot be used, or no layer has consistent sizes.
    """
    with Workers(jobs, memory_bytes=settings.memory_bytes) as workers:
        results = workers.each(
            functools.partial(grid_networks, settings=settings, grid=grid),
            paths,
            lambda done: progress("grid", done, len(paths)),
        )
    for path, result in zip(paths, results, strict=True):
        reason = f"{path} {result.reason}" if isinstance(result, Crashed) else result.unsupported
        if reason:
            raise InputError(reason)
    grids = [result for result in results if isinstance(result, GridNetworks)]
    networks = sorted({data for result in grids for data in result.networks})
    if not networks:
        raise InputError("these networks have no consistent sizes on the grid: use 'dlbricks plan' with --decoys")
    for number, data in enumerate(networks):
        (folder / f"grid-{number:04d}.onnx").write_bytes(data)
    return tuple(sorted({name for result in grids for name in result.without}))


def grid_networks(path: Path, settings: SplitSettings, grid: Grid) -> GridNetworks:
    """Return copies of a network with rounded sizes.

    If only parts of it are consistent, copies have parts of as many layers as the granularity, or more.
    """
    try:
        model = read_network(path, settings)
    except InputError as error:
        return GridNetworks(networks=(), unsupported=str(error))
    least = Granularity.parse(settings.granularity).limit or 1
    points_of: dict[bytes, tuple[bytes, ...]] = {}
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
                core = strip_boundary_views(parts.model, sequence)
                network = _alone(parts.model, core)
                key = network.SerializeToString(deterministic=True)
                if key not in points_of:
                    points_of[key] = _around(network, len(core.layers), grid, Path(folder) / "network.onnx")
                (covered if points_of[key] else missing).update(sequence.layers)
    return GridNetworks(
        networks=tuple(sorted({point for points in points_of.values() for point in points})),
        without=tuple(sorted({model.layers[index].op_type for index in missing})),
    )


def _alone(model: Model, core: LayerSequence) -> onnx.ModelProto:
    # Return a piece as a network, with its layers in the order of the original.
    constants, _ = place_constants(model, core.layers, core.constants)
    rename = canonical_names(model, core)
    return build_network(model, core.layers, core.inputs, core.outputs, rename=rename, constants=constants)


def _around(network: onnx.ModelProto, layers: int, grid: Grid, place: Path) -> tuple[bytes, ...]:
    # Return the grid points around a network; empty unless the lowest and the highest one can be read.
    low = _resized(network, grid.below)
    high = _resized(low, grid.above)
    if not (_fits(low, layers, place) and _fits(high, layers, place)):
        return ()
    wide = {extent for dims in _weights(low) for extent in dims}
    entering = {extent for dims in _entering(low) for extent in dims} - wide
    above = grid.above
    widths = ((_where(wide, above), None), (_where_not(entering, above), None), (_where(wide, above), int))
    others = ((_where_not(wide, above), None), (_where(entering, above), None), (_where_not(wide, above), above))
    points = {low.SerializeToString(deterministic=True), high.SerializeToString(deterministic=True)}
    for choices in (widths, others):
        for size, inputs in choices:
            mixed = _resized(low, size, inputs)
            data = mixed.SerializeToString(deterministic=True)
            if data not in points and _fits(mixed, layers, place):
                points.add(data)
                break
    return tuple(sorted(points))


def _where(sizes: Collection[int], above: Size) -> Size:
    # Return a mapping that moves some sizes to the next point.
    return lambda size: above(size) if size in sizes else size


def _where_not(sizes: Collection[int], above: Size) -> Size:
    return lambda size: size if size in sizes else above(size)


def _fits(network: onnx.ModelProto, layers: int, place: Path) -> bool:
    # Return whether a network can be read and has at most `layers` layers, all of which can be measured.
    place.write_bytes(network.SerializeToString())
    try:
        model = read_model(place)
    except DlbricksError:
        return False
    return not any(layer.skip for layer in model.layers) and len(model.layers) <= layers


def _weights(network: onnx.ModelProto) -> Iterator[Sequence[int]]:
    # Yield the extents of each weight that are widths.
    kernels = _kernels(network)
    for tensor in _constants_of(network):
        dims = tuple(tensor.dims)
        if tensor.data_type not in {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL} and dims[:1] != (1,):
            yield dims[:2] if tensor.name in kernels else dims


def _kernels(network: onnx.ModelProto) -> frozenset[str]:
    # Return the weights of convolutions, whose windows are not sizes.
    places = ((node, operator(node.domain, node.op_type).weight) for node in network.graph.node)
    return frozenset(node.input[place] for node, place in places if place is not None and len(node.input) > place)


def _resized(network: onnx.ModelProto, size: Size, inputs: Size | None = None) -> onnx.ModelProto:
    # Values are dropped, except those that shapes may depend on; without `inputs`, `size` also maps the inputs'
    # extents.
    resized = onnx.ModelProto()
    resized.CopyFrom(network)
    del resized.graph.value_info[:]
    kernels = _kernels(network)
    roots = {extent for dims in (*_weights(network), *_entering(network)) for extent in dims if extent >= LEAST}
    for tensor in _constants_of(resized):
        _resize(tensor, size, roots, kernel=tensor.name in kernels)
    for node in resized.graph.node:
        for attribute in node.attribute:
            if attribute.name in _STATED:
                attribute.i = size(attribute.i)
                attribute.ints[:] = [size(extent) for extent in attribute.ints]
            elif attribute.name in {"scale", "alpha"}:
                attribute.f = _scaled(attribute.f, size, roots)
    for entry in resized.graph.input:
        for dim in entry.type.tensor_type.shape.dim:
            dim.dim_value = (inputs or size)(dim.dim_value)
    for entry in resized.graph.output:
        entry.type.tensor_type.ClearField("shape")
    return resized


def _entering(network: onnx.ModelProto) -> Iterator[Sequence[int]]:
    for entry in network.graph.input:
        yield [dim.dim_value for dim in entry.type.tensor_type.shape.dim]


def _resize(tensor: TensorProto, size: Size, roots: set[int], *, kernel: bool) -> None:
    numbers = _whole_numbers(tensor)
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
    resized = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=dims)
    resized.data_location = TensorProto.EXTERNAL
    resized.external_data.add(key="location", value="none")
    tensor.CopyFrom(resized)


def _scaled(value: float, size: Size, roots: set[int]) -> float:
    # Return the new value of a scale if it is a power or root (or its inverse) of a size; others are kept.
    for power in (1, 2, 4, -1, -2, -4):
        stated = value**power if _SMALLEST < value < 1 / _SMALLEST else 0.0
        if round(stated) in roots and abs(stated - round(stated)) < _EXACT * stated:
            return float(size(round(stated)) ** (1 / power))
    return value


def _constants_of(source: onnx.ModelProto) -> Iterator[TensorProto]:
    # Yield the constant tensors of a network: initialisers and values of Constant nodes.
    yield from source.graph.initializer
    for node in source.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.HasField("t"):
                yield attribute.t


def _whole_numbers(tensor: TensorProto) -> list[int]:
    # Return the values of a small integer constant, which may be a shape; empty for other tensors.
    small = tensor.data_type in {TensorProto.INT64, TensorProto.INT32} and math.prod(tensor.dims) <= _LARGEST_SHAPE
    if not small or tensor.data_location == TensorProto.EXTERNAL:
        return []
    return [int(value) for value in numpy_helper.to_array(tensor).reshape(-1)]


def without_counts(benchmarks: Sequence[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Replace importances by the cost of one call, so that occurrences are not disclosed."""
    shares = importances_without_counts({part.benchmark.fingerprint: seconds_of(part.benchmark) for part in benchmarks})
    return tuple(part.with_importance(shares[part.benchmark.fingerprint]) for part in benchmarks)
