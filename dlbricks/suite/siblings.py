"""Siblings: variants of a network's graph with other widths, heads, resolution or sequence length.

Extents are replaced consistently: in the dims of weights, in small integer constants, in attributes and in the inputs.
Extents that follow from a resolution by strides, and numbers of patches, are adapted; targets of Reshape and channels
of convolutions are recomputed from their inputs. A variant is used only if the whole network runs, so that no knowledge
of architectures is needed; if it does not run, other replacements are tried.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnx.shape_inference
from onnx import TensorProto, numpy_helper

from dlbricks.errors import DlbricksError
from dlbricks.model.bounds import allow_reading
from dlbricks.model.passes.run_for_shapes import run_for_shapes
from dlbricks.model.read.network import read_model
from dlbricks.model.read.skim import skim
from dlbricks.model.tensors import static_spec
from dlbricks.model.types import Model

_RATIOS = ((1, 2), (2, 1)) * 6 + ((3, 4), (3, 2)) * 2 + ((2, 3), (4, 3), (5, 4), (5, 8))
"""Ratios of widths. Those that give round widths are more frequent, since unusual widths identify siblings."""
_RESOLUTIONS = (128, 160, 192, 208, 224, 240, 256, 288, 320)
_LENGTHS = (32, 48, 64, 96, 128, 160, 192, 256, 320, 384)
_STRIDES = (2, 4, 8, 16, 32)
_LEAST_LINE = 6
"""Minimum extent of a strided resolution; smaller numbers may be axes or ranks."""
_TRIES = 60
_DRAWS = 1000
_MENDED = 24
"""Maximum number of different Reshape targets that are recomputed."""
_LEAST_WIDTH = 8
_MULTIPLE = 4
"""Widths are multiples of it; others are not widths (197 positions, 49 elements of a window)."""
_ROUND = 8
"""Large widths that are multiples of it stay multiples of it."""
_LARGEST = 1 << 16
LARGEST_SHAPE = 16
_CLASSES = 2
"""Maximum number of weights that have an output's extent if it is a number of classes and not a width."""
_VOCABULARIES = (21128, 28996, 30000, 30522, 32000, 32128, 49408, 50257, 50265, 51200, 64000)
"""Vocabulary sizes of public networks."""
_LEAST_VOCABULARY = 10000
WHOLE = ("group", "hidden_size", "num_heads", "kv_num_heads", "q_num_heads")
"""Attributes that are extents."""
_COSTLIEST = 4.5
"""Maximum ratio of the weights of a sibling and its original, in either direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A replacement of extents."""

    widths: Mapping[int, int]
    inputs: Mapping[int, int]
    following: Mapping[int, int]
    """Extents that follow from a resolution by strides, and numbers of patches."""

    def of(self, extent: int) -> int:
        """Return the replacement of an extent in a constant."""
        return self.widths.get(extent, self.inputs.get(extent, self.following.get(extent, extent)))


def siblings(
    path: Path, dims: Mapping[str, int], folder: Path, draw: random.Random, most: int
) -> list[tuple[Path, tuple[tuple[str, int], ...]]]:
    """Write different siblings of a network into a folder.

    Args:
        path: the network.
        dims: extents of its symbolic dimensions.
        folder: to write to.
        draw: source of randomness.
        most: maximum number of siblings.

    Returns:
        Path and dims of each sibling; fewer than ``most`` if not enough replacements give a network that runs.
    """
    source = skim(path)
    original = read_model(path, dims=dims)
    shapes = _shapes(source)
    found: list[tuple[Path, tuple[tuple[str, int], ...]]] = []
    known = {_signature(original)}
    patient = _TRIES * most // 2
    for number, change in enumerate(_changes(source, original, draw)):
        if len(found) == most or number >= _TRIES * most:
            break
        if not change.inputs and number < patient:
            continue
        allow_reading(len(source.graph.node))
        network = _changed(source, change)
        if not _fits(network, shapes):
            continue
        place = folder / f"{path.stem}_{number}.onnx"
        place.write_bytes(network.SerializeToString())
        bound = {name: change.inputs.get(value, value) for name, value in dims.items()}
        made = _read(place, bound, original)
        if made is None or _signature(made) in known or not _runs(made):
            place.unlink()
            continue
        known.add(_signature(made))
        found.append((place, tuple(sorted(bound.items()))))
    return found


def _fits(network: onnx.ModelProto, known: Mapping[str, Sequence[int]]) -> bool:
    """Adapt a network in place and return whether its extents are consistent; ``known`` has the original shapes."""
    try:
        if not _mended(network, known):
            return False
        shapes = _shapes(network, strict=True)
    except onnx.shape_inference.InferenceError:
        return False
    held = {tensor.name: tensor for tensor in network.graph.initializer}
    for node in network.graph.node:
        if node.op_type == "Conv" and node.input[0] in shapes and node.input[1] in held:
            group = next((one.i for one in node.attribute if one.name == "group"), 1)
            channels, kernel = shapes[node.input[0]][1], held[node.input[1]]
            if channels % group or kernel.dims[0] % group or kernel.data_location != TensorProto.EXTERNAL:
                return False
            kernel.dims[1] = channels // group
    return True


def _shapes(network: onnx.ModelProto, *, strict: bool = False) -> dict[str, tuple[int, ...]]:
    """Return the static shapes by shape inference."""
    inferred = onnx.shape_inference.infer_shapes(network, check_type=True, strict_mode=strict, data_prop=True).graph
    specs = map(static_spec, (*inferred.input, *inferred.value_info, *inferred.output))
    found = {tensor.name: tuple(tensor.dims) for tensor in inferred.initializer}
    return found | {spec.name: spec.shape for spec in specs if spec is not None and spec.dtype}


def _mended(network: onnx.ModelProto, known: Mapping[str, Sequence[int]]) -> bool:
    """Recompute the targets of Reshape that do not fit their inputs; returns False if that is not possible.

    In each round the first wrong call is corrected, together with all calls that are equal to it in the original.
    """
    stated = {tensor.name: whole_numbers(tensor) for tensor in network.graph.initializer}
    for node in network.graph.node:
        if node.op_type == "Constant" and node.attribute[0].HasField("t"):
            stated[node.output[0]] = whole_numbers(node.attribute[0].t)
    calls = [
        (node, tuple(known[node.input[0]]), tuple(known[node.output[0]]), tuple(stated[node.input[1]]))
        for node in network.graph.node
        if node.op_type == "Reshape" and {node.input[0], node.output[0]} <= known.keys() and stated.get(node.input[1])
    ]
    for _ in range(_MENDED):
        shapes = _shapes(network)
        for node, *same in calls:
            if node.input[0] not in shapes:
                continue
            target = _target(shapes[node.input[0]], same[0], same[1], stated[node.input[1]])
            if target is None:
                return False
            if target != stated[node.input[1]]:
                break
        else:
            return True
        name = f"{node.output[0]}/target"
        network.graph.initializer.append(numpy_helper.from_array(np.array(target, np.int64), name))
        stated[name] = target
        for other, *its in calls:
            if its == same:
                other.input[1] = name
    return False


def _target(
    given: Sequence[int], before: Sequence[int], after: Sequence[int], target: Sequence[int]
) -> list[int] | None:
    """Return the target of a Reshape for an input shape, unchanged if it fits; None if there is none.

    Args:
        given: shape of the input.
        before: shape of the input in the original.
        after: shape of the output in the original.
        target: current target; -1 and 0 are kept.
    """
    if len(given) != len(before) or len(target) != len(after):
        return None
    told = [given[axis] if one == 0 and axis < len(given) else one for axis, one in enumerate(target)]
    rest = math.prod(one for one in told if one != -1)
    told = [one if one != -1 else math.prod(given) // max(1, rest) for one in told]
    made = refitted(before, after, given, told)
    if made is None:
        return None
    return [
        old if old == -1 or (old == 0 and given[axis] == new) else new
        for axis, (old, new) in enumerate(zip(target, made, strict=True))
    ]


def refitted(
    before: Sequence[int], after: Sequence[int], given: Sequence[int], told: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the reshaped form of ``given`` that corresponds to ``before`` -> ``after``; None if there is none.

    Axes are matched in the smallest groups with equal numbers of elements before and after. ``told`` is used where it
    fits.

    >>> refitted((1, 196, 768), (1, 196, 12, 64), (1, 100, 384), (1, 196, 12, 64))
    (1, 100, 6, 64)
    >>> refitted((1, 196, 768), (1, 14, 14, 768), (1, 100, 384), (1, 14, 14, 384))
    (1, 10, 10, 384)
    """
    made: list[int] = []
    entering = leaving = 0
    while entering < len(before) or leaving < len(after):
        first, second = entering, leaving
        entering, leaving = min(entering + 1, len(before)), min(leaving + 1, len(after))
        while (more := math.prod(before[first:entering]) - math.prod(after[second:leaving])) != 0:
            if (entering if more < 0 else leaving) == len(before if more < 0 else after):
                return None
            entering, leaving = entering + (more < 0), leaving + (more > 0)
        if entering == len(before) or leaving == len(after):  # the remaining axes have extent 1
            entering, leaving = len(before), len(after)
        part = _shared_out(math.prod(given[first:entering]), after[second:leaving], told[second:leaving])
        if part is None:
            return None
        made += part
    return tuple(made)


def _shared_out(elements: int, was: Sequence[int], told: Sequence[int]) -> list[int] | None:
    """Factor a number of elements into axes: as told if it fits, evenly if it was even, or by changing one axis."""
    if math.prod(told) == elements:
        return list(told)
    even = round(elements ** (1 / max(1, len(was))))
    if len(set(was)) == 1 and even ** len(was) == elements:
        return [even] * len(was)
    for axis in range(len(told)):
        rest = math.prod(told[:axis]) * math.prod(told[axis + 1 :])
        if rest and elements % rest == 0:
            return [*told[:axis], elements // rest, *told[axis + 1 :]]
    return None


def _read(path: Path, dims: Mapping[str, int], original: Model) -> Model | None:
    """Read a sibling; None if it cannot be read, or differs in its layers or too much in its weights."""
    try:
        made = read_model(path, dims=dims)
    except DlbricksError:
        return None
    skipped = sum(layer.skip is not None for layer in made.layers)
    if skipped > sum(layer.skip is not None for layer in original.layers) or len(made.layers) != len(original.layers):
        return None
    ratio = (_weights(made) + 1) / (_weights(original) + 1)
    return made if 1 / _COSTLIEST <= ratio <= _COSTLIEST else None


def _runs(made: Model) -> bool:
    """Return whether the whole sibling runs, in a process of its own, with the inferred output shapes."""
    outputs = frozenset(made.outputs) - made.constants.keys() - frozenset(made.inputs)
    seen = run_for_shapes(made, outputs)
    return not seen.failure and all(seen.types[name].shape == made.spec(name).shape for name in outputs)


def _weights(model: Model) -> int:
    return sum(constant.spec.nbytes for constant in model.constants.values())


def _signature(model: Model) -> tuple[tuple[int, ...], ...]:
    return tuple(spec.shape for spec in model.tensors.values())


def _changes(source: onnx.ModelProto, original: Model, draw: random.Random) -> Iterator[_Change]:
    """Draw replacements: widths by a ratio, with the heads or their width, and sizes of the inputs."""
    weights = Counter(extent for tensor in constants_of(source) for extent in set(_widths_of(tensor)))
    last = {original.spec(name).shape[-1] for name in original.outputs if original.spec(name).shape}
    leaving = {extent for extent in last if weights[extent] <= _CLASSES}
    looked_up = {
        original.spec(layer.inputs[0]).shape[0]
        for layer in original.layers
        if layer.op_type == "Gather" and layer.inputs[0] in original.constants and original.spec(layer.inputs[0]).shape
    }
    entering = [original.spec(name).shape for name in original.inputs]
    entered = {extent for shape in entering for extent in (shape[:2] if _is_image(shape) else shape)}
    wide = {extent for extent in weights if extent >= _LEAST_WIDTH and extent % _MULTIPLE == 0}
    wide -= leaving | looked_up | entered
    small = {int(value) for tensor in constants_of(source) for value in whole_numbers(tensor) if 1 < value <= _LARGEST}
    others = [frozenset[int](), *(frozenset({one}) for one in sorted(small - wide - entered - leaving))]
    for _ in range(_DRAWS):
        size = _other_input(original, draw)
        numerator, denominator = draw.choice(_RATIOS)
        lines = _lines(*size) if size and any(map(_is_image, entering)) else {}
        places = _places(lines)
        tied = wide & places.keys() if draw.randrange(2) else set[int]()
        scaled = (wide - tied) | draw.choice(others)
        fits = all(extent * numerator % denominator == 0 for extent in scaled)
        round_ = all(
            extent % _ROUND or extent * numerator // denominator % _ROUND == 0 for extent in wide - tied if extent > 63
        )
        if not (fits and round_):
            continue
        widths = {extent: extent * numerator // denominator for extent in scaled}
        widths |= {extent: draw.choice(_VOCABULARIES) for extent in looked_up if extent >= _LEAST_VOCABULARY}
        for inputs in ({size[0]: size[1]} if size else {}, {}):
            following = {**places, **lines} if inputs else {}
            kept = {extent: following.get(extent, extent) for extent in tied}
            yield _Change(widths=widths | kept, inputs=inputs, following=following)


def _is_image(shape: Sequence[int]) -> bool:
    return len(shape) == 4 and shape[2] == shape[3] >= 32


def _other_input(original: Model, draw: random.Random) -> tuple[int, int] | None:
    """Draw a resolution or a sequence length; returns the original and the new value."""
    shapes = [original.spec(name).shape for name in original.inputs]
    image = next((shape for shape in shapes if _is_image(shape)), None)
    if image is not None:
        return image[2], draw.choice([size for size in _RESOLUTIONS if size != image[2]])
    line = next((shape for shape in shapes if len(shape) in {2, 3} and shape[1] >= 16), None)
    return (line[1], draw.choice([size for size in _LENGTHS if size != line[1]])) if line is not None else None


def _lines(old: int, new: int) -> dict[int, int]:
    """Return the extents that follow from a resolution by strides, with their new values."""
    lines = {-(-old // stride): -(-new // stride) for stride in _STRIDES}
    return {before: after for before, after in lines.items() if before >= _LEAST_LINE}


def _places(lines: Mapping[int, int]) -> dict[int, int]:
    """Return the numbers of patches of square images, also with a class token, with their new values."""
    return {old * old + more: new * new + more for old, new in lines.items() for more in (0, 1)}


def constants_of(source: onnx.ModelProto) -> Iterator[TensorProto]:
    """Yield the constant tensors of a network: initialisers and values of Constant nodes."""
    yield from source.graph.initializer
    for node in source.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.HasField("t"):
                yield attribute.t


def _widths_of(tensor: TensorProto) -> tuple[int, ...]:
    """Return the extents of a weight that may be widths, without the window of a convolution."""
    dims = tuple(tensor.dims)
    if tensor.data_type in {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL}:
        return ()
    return dims[:2] if len(dims) in {4, 5} else dims


def whole_numbers(tensor: TensorProto) -> list[int]:
    """Return the values of a small integer constant, which may be a shape; empty for other tensors."""
    small = tensor.data_type in {TensorProto.INT64, TensorProto.INT32} and math.prod(tensor.dims) <= LARGEST_SHAPE
    if not small or tensor.data_location == TensorProto.EXTERNAL:
        return []
    return [int(value) for value in numpy_helper.to_array(tensor).reshape(-1)]


def _changed(source: onnx.ModelProto, change: _Change) -> onnx.ModelProto:
    """Return a network with other extents and without values."""
    made = onnx.ModelProto()
    made.CopyFrom(source)
    del made.graph.value_info[:]
    for tensor in constants_of(made):
        _resize(tensor, change)
    for node in made.graph.node:
        for attribute in node.attribute:
            if attribute.name in WHOLE and attribute.i > 1:
                attribute.i = change.widths.get(attribute.i, attribute.i)
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
