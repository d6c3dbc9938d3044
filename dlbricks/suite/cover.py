"""Which networks a suite is mixed with, so that it does not tell which of them is meant.

Some are public ones (``suite.company``). Among what is drawn, siblings of networks drawn evenly hide the sizes of one
that is not public. What is drawn depends on no seed that a suite shows.

A sibling is the same graph with other widths, heads, resolution or length, as others might have made it. Extents are
replaced one for one wherever a file states them: in the dims of weights, in small integer constants, in groups and
hidden sizes, in the inputs. What comes out is kept if shapes can be inferred throughout, so nothing needs to be known
of architectures; where a graph ties extents otherwise, another replacement is tried.
"""

import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
import onnx.shape_inference
from onnx import TensorProto, numpy_helper

from dlbricks.errors import DlbricksError, InputError
from dlbricks.model.read.network import read_model
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Model
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.company import Outline, company
from dlbricks.suite.extraction import Extraction, ExtractionTask, extract_benchmarks, importances_alone, seconds_of
from dlbricks.suite.workers import Workers

_RATIOS = ((1, 2), (2, 1)) * 6 + ((3, 4), (3, 2)) * 2 + ((2, 3), (4, 3), (5, 4), (5, 8))
"""Of widths; the more often drawn the rounder they leave them, since odd widths give siblings away."""
_RESOLUTIONS = (128, 160, 192, 208, 224, 240, 256, 288, 320)
_LENGTHS = (32, 48, 64, 96, 128, 160, 192, 256, 320, 384)
_TRIES = 60
_DRAWS = 1000
_LEAST_WIDTH = 8
_MULTIPLE = 4
"""Extents that are none of it (197 positions, 49 places of a window) are no widths."""
_ROUND = 8
"""Of wide extents that are multiples of it, so is what they become."""
_LARGEST = 1 << 16
LARGEST_SHAPE = 16
_CLASSES = 2
"""Weights that an extent of an output is in where it counts classes, and is no width."""
_VOCABULARIES = (21128, 28996, 30000, 30522, 32000, 32128, 49408, 50257, 50265, 51200, 64000)
"""Rows of tables that words are looked up in, of public networks."""
_LEAST_VOCABULARY = 10000
WHOLE = ("group", "hidden_size", "num_heads", "kv_num_heads", "q_num_heads")
"""Attributes that hold extents."""
_COSTLIEST = 4.5
"""A sibling takes at most so many times the weights of its original, and at least one over it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """Extents and what they become."""

    widths: Mapping[int, int]
    inputs: Mapping[int, int]

    def of(self, extent: int) -> int:
        """What an extent becomes wherever a constant states it."""
        return self.widths.get(extent, self.inputs.get(extent, extent))


def siblings(
    path: Path, dims: Mapping[str, int], folder: Path, draw: random.Random, most: int
) -> list[tuple[Path, tuple[tuple[str, int], ...]]]:
    """Write different siblings of a network into a folder; give files and dims, fewer where it has no more.

    Args:
        path: a network.
        dims: extents of its symbolic dimensions.
        folder: where they go.
        draw: decides which.
        most: how many are wanted.
    """
    source = skim(path)
    original = read_model(path, dims=dims)
    found: list[tuple[Path, tuple[tuple[str, int], ...]]] = []
    known = {_signature(original)}
    patient = _TRIES * most // 2
    for number, change in enumerate(_changes(source, original, draw)):
        if len(found) == most or number >= _TRIES * most:
            break
        place = folder / f"{path.stem}_{number}.onnx"
        network = _changed(source, change)
        if not _fits(network) or (not change.inputs and number < patient):
            continue
        place.write_bytes(network.SerializeToString())
        bound = {name: change.inputs.get(value, value) for name, value in dims.items()}
        made = _sound(place, bound, original)
        if made is None or _signature(made) in known:
            place.unlink()
            continue
        known.add(_signature(made))
        found.append((place, tuple(sorted(bound.items()))))
    return found


def _fits(network: onnx.ModelProto) -> bool:
    """Whether the extents go together, as far as a quick look tells: reading may run what it cannot infer."""
    try:
        onnx.shape_inference.infer_shapes(network, check_type=True, strict_mode=True, data_prop=True)
    except onnx.shape_inference.InferenceError:
        return False
    return True


def _sound(path: Path, dims: Mapping[str, int], original: Model) -> Model | None:
    """Read a sibling; None if a layer is lost, or it is another kind of thing."""
    try:
        made = read_model(path, dims=dims)
    except DlbricksError:
        return None
    skipped = sum(layer.skip is not None for layer in made.layers)
    if skipped > sum(layer.skip is not None for layer in original.layers) or len(made.layers) != len(original.layers):
        return None
    ratio = (_weights(made) + 1) / (_weights(original) + 1)
    return made if 1 / _COSTLIEST <= ratio <= _COSTLIEST else None


def _weights(model: Model) -> int:
    return sum(constant.spec.nbytes for constant in model.constants.values())


def _signature(model: Model) -> tuple[tuple[int, ...], ...]:
    return tuple(spec.shape for spec in model.tensors.values())


def _changes(source: onnx.ModelProto, original: Model, draw: random.Random) -> Iterator[_Change]:
    """Draw changes: widths by a ratio, with the heads or their width, and sizes of the inputs."""
    entered = {extent for name in original.inputs for extent in original.spec(name).shape}
    weights = {extent for tensor in constants_of(source) for extent in _widths_of(tensor)}
    often = Counter(extent for tensor in constants_of(source) for extent in set(_widths_of(tensor)))
    last = {original.spec(name).shape[-1] for name in original.outputs if original.spec(name).shape}
    leaving = {extent for extent in last if often[extent] <= _CLASSES}
    looked_up = {
        original.spec(layer.inputs[0]).shape[0]
        for layer in original.layers
        if layer.op_type == "Gather" and layer.inputs[0] in original.constants and original.spec(layer.inputs[0]).shape
    }
    wide = (
        {extent for extent in weights if extent >= _LEAST_WIDTH and extent % _MULTIPLE == 0}
        - leaving
        - looked_up
        - entered
    )
    small = {int(value) for tensor in constants_of(source) for value in whole_numbers(tensor) if 1 < value <= _LARGEST}
    others: list[frozenset[int]] = [
        frozenset(),
        *(frozenset({one}) for one in sorted(small - wide - entered - leaving)),
    ]
    for _ in range(_DRAWS):
        numerator, denominator = draw.choice(_RATIOS)
        scaled = wide | draw.choice(others)
        fits = all(extent * numerator % denominator == 0 for extent in scaled)
        round_ = all(
            extent % _ROUND or extent * numerator // denominator % _ROUND == 0 for extent in wide if extent > 63
        )
        if not (fits and round_):
            continue
        widths = {extent: extent * numerator // denominator for extent in scaled}
        widths |= {extent: draw.choice(_VOCABULARIES) for extent in looked_up if extent >= _LEAST_VOCABULARY}
        inputs = {before: after for before, after in _other_inputs(original, draw).items() if before not in widths}
        yield _Change(widths=widths, inputs=inputs)
        yield _Change(widths=widths, inputs={})


def _other_inputs(original: Model, draw: random.Random) -> dict[int, int]:
    """Draw a resolution, or a length of sequences."""
    shapes = [original.spec(name).shape for name in original.inputs]
    image = next((shape for shape in shapes if len(shape) == 4 and shape[2] == shape[3] >= 32), None)
    if image is not None:
        return {image[2]: draw.choice([size for size in _RESOLUTIONS if size != image[2]])}
    line = next((shape for shape in shapes if len(shape) in {2, 3} and shape[1] >= 16), None)
    return {line[1]: draw.choice([size for size in _LENGTHS if size != line[1]])} if line is not None else {}


def constants_of(source: onnx.ModelProto) -> Iterator[TensorProto]:
    """Give the tensors that a network holds: initialisers and those of Constant nodes."""
    yield from source.graph.initializer
    for node in source.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.HasField("t"):
                yield attribute.t


def _widths_of(tensor: TensorProto) -> tuple[int, ...]:
    """Extents of a weight that may be widths: of a convolution's kernel not the window."""
    dims = tuple(tensor.dims)
    if tensor.data_type in {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL}:
        return ()
    return dims[:2] if len(dims) in {4, 5} else dims


def whole_numbers(tensor: TensorProto) -> list[int]:
    """Values of a small integer constant, as those that state shapes."""
    small = tensor.data_type in {TensorProto.INT64, TensorProto.INT32} and math.prod(tensor.dims) <= LARGEST_SHAPE
    if not small or tensor.data_location == TensorProto.EXTERNAL:
        return []
    return [int(value) for value in numpy_helper.to_array(tensor).reshape(-1)]


def _changed(source: onnx.ModelProto, change: _Change) -> onnx.ModelProto:
    """Write a network with other extents and without values."""
    made = onnx.ModelProto()
    made.CopyFrom(source)
    del made.graph.value_info[:]
    for tensor in constants_of(made):
        _resize(tensor, change)
    for node in made.graph.node:
        for attribute in node.attribute:
            if attribute.name in WHOLE and attribute.i > 1:
                attribute.i = change.of(attribute.i)
            elif attribute.name in {"shape", "split", "value_ints"}:
                attribute.ints[:] = [change.of(extent) for extent in attribute.ints]
    for entry in made.graph.input:
        for dim in entry.type.tensor_type.shape.dim:
            if dim.dim_value in change.inputs:
                dim.dim_value = change.inputs[dim.dim_value]
    for entry in made.graph.output:
        entry.type.tensor_type.ClearField("shape")
    return made


def _resize(tensor: TensorProto, change: _Change) -> None:
    numbers = whole_numbers(tensor)
    if numbers:
        kind = np.int64 if tensor.data_type == TensorProto.INT64 else np.int32
        values = np.array([change.of(value) for value in numbers], kind).reshape(tuple(tensor.dims))
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
        return
    widths = _widths_of(tensor)
    dims = [change.widths.get(extent, extent) for extent in widths] + list(tensor.dims)[len(widths) :]
    if len(dims) > 1 and dims[0] == 1 and not (widths and len(dims) == 2):  # positions and masks follow the inputs
        dims = [change.of(extent) for extent in tensor.dims]
    if dims == list(tensor.dims) and tensor.data_location != TensorProto.EXTERNAL:
        return
    made = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=dims)
    made.data_location = TensorProto.EXTERNAL
    made.external_data.add(key="location", value="none")
    tensor.CopyFrom(made)


def outline_of(extraction: Extraction) -> Outline:
    """Give what decides which networks go together."""
    return Outline(
        operators=frozenset(name for one in extraction.benchmarks for name in one.benchmark.operators),
        pieces=frozenset(one.benchmark.fingerprint for one in extraction.benchmarks),
    )


def weighed_alone(benchmarks: Sequence[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Give benchmarks importances that follow from the cost of one call, so that they tell no counts."""
    shares = importances_alone({one.benchmark.fingerprint: seconds_of(one.benchmark) for one in benchmarks})
    return tuple(
        replace(one, benchmark=replace(one.benchmark, importance=shares[one.benchmark.fingerprint]))
        for one in benchmarks
    )


def covering(
    workers: Workers,
    tasks: Sequence[ExtractionTask],
    extractions: Sequence[Extraction],
    public: Sequence[ExtractionTask],
    *,
    least: int,
    draw: random.Random,
    progress: Callable[[str, int, int], None],
) -> list[Extraction]:
    """Draw public networks and siblings for every network, and extract them.

    Args:
        workers: that do so.
        tasks: of the networks that are hidden.
        extractions: what they gave.
        public: tasks of the public networks.
        least: among how many each is to be hidden, itself counted.
        draw: decides.
        progress: called with the progress made.

    Raises:
        InputError: there are too few public networks, or a network has no sibling.
    """
    made = workers.each(extract_benchmarks, public, lambda done: progress("public networks", done, len(public)))
    known = {one.report.network: one for one in made if isinstance(one, Extraction) and one.benchmarks}
    outlines = {name: outline_of(one) for name, one in known.items()}
    path_of = {task.path.stem: task for task in public}
    chosen: dict[str, Extraction] = {}
    drawn: list[ExtractionTask] = []
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for number, (task, one) in enumerate(zip(tasks, extractions, strict=True)):
            if not one.benchmarks:
                continue
            own = outline_of(one)
            same = next((name for name, other in outlines.items() if other.pieces == own.pieces), None)
            names = company(own, same, outlines, least, draw)
            chosen |= {name: known[name] for name in names}
            bases = [task, *(path_of[name] for name in names)]
            drawn += _siblings(bases, Path(folder) / str(number), least - 1, draw)
        found = workers.each(extract_benchmarks, drawn, lambda done: progress("siblings", done, len(drawn)))
        return [*chosen.values(), *(one for one in found if isinstance(one, Extraction))]


def _siblings(bases: Sequence[ExtractionTask], folder: Path, count: int, draw: random.Random) -> list[ExtractionTask]:
    """Draw siblings, each of a network drawn evenly; of others where one has none.

    Raises:
        InputError: there are not as many.
    """
    folder.mkdir(parents=True)
    made: list[ExtractionTask] = []
    for number in range(4 * count):
        base = draw.choice(bases)
        place = folder / str(number)
        place.mkdir()
        try:
            found = siblings(base.path, dict(base.dims), place, draw, 1)
        except DlbricksError:
            continue
        made += [replace(base, path=path, dims=dims, only=None, decoys=False) for path, dims in found]
        if len(made) >= count:
            return made[:count]
    raise InputError(f"only {len(made)} of {count} siblings can be made of these networks: give a smaller --cover")
