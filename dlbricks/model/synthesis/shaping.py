"""Values of operands that decide shapes, derived from the shapes around their reader.

For operands that are neither constant nor observed (start 0 and step 1 for Slice, all padding at the end for Pad).
"""

import functools
import itertools
import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.graph import Node
from dlbricks.model.read.tensors import array_of
from dlbricks.model.synthesis.roles import Use, when_known
from dlbricks.model.types import Constant, Layer, Model

_Number = float | int
_Numbers = Sequence[_Number]

_REARRANGING = frozenset({"Cast", "CastLike", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"})
_LOOP_TRIPS = 4


def shaping_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return a value of a tensor that decides shapes, little-endian, one element or all; None for other tensors."""
    spec = model.spec(name)
    for use in uses.get(name, ()):
        numbers = _numbers(model, uses, use)
        if numbers is not None and len(numbers) in {1, spec.elements}:
            return as_bytes(encode(np.array(numbers), spec.dtype))
    return None


def shaping_tensors(calls: Iterable[Layer | Node], constants: Container[str]) -> frozenset[str]:
    """Return the computed tensors and inputs whose values decide the shapes of others."""
    return frozenset(
        name
        for call in calls
        if not call.domain
        for position, name in enumerate(call.inputs)
        if name and name not in constants and _shapes_by_value(call.op_type, position)
    )


def _shapes_by_value(op_type: str, position: int) -> bool:
    return (op_type, position) in _RULES or (op_type.startswith("Reduce") and position == 1)


def _numbers(model: Model, uses: Mapping[str, Sequence[Use]], use: Use) -> _Numbers | None:
    """Return numbers that suit a use; views and casts are followed to the first use behind them."""
    while use.node is None and use.operator[0] == "":
        op_type = use.operator[1]
        rule = _RULES.get((op_type, use.position))
        if op_type.startswith("Reduce") and use.position == 1:
            rule = _reduced_axes
        if _is_limit(model, use):
            rule = _trips
        if rule is not None:
            return when_known(functools.partial(rule, _Reader(model, use)))
        later = uses.get(use.layer.outputs[0], ())
        if op_type not in _REARRANGING or use.position or not later:
            return None
        use = later[0]
    return None


def selecting_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return ones, spread evenly among zeros, for the condition of NonZero or Compress; None for other tensors."""
    spec = model.spec(name)
    for use in uses.get(name, ()):
        count = selected_count(model, use)
        if count is not None and spec.elements:
            edges = np.arange(spec.elements + 1) * min(count, spec.elements) // spec.elements
            return as_bytes(encode(np.diff(edges), spec.dtype))
    return None


def selected_count(model: Model, use: Use) -> int | None:
    """Return the number of nonzero elements that the shape of the result implies; None if it does not."""
    if use.node is not None or use.operator not in {("", "NonZero"), ("", "Compress")}:
        return None
    made = model.spec(use.layer.outputs[0])
    if use.operator[1] == "NonZero":
        return when_known(lambda: made.shape[-1])
    axis = use.attribute("axis")
    return None if use.position == 0 else when_known(lambda: made.shape[axis.i if axis else 0])


def boxes_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return boxes of half the width and height of the images for RoiAlign; None for other tensors.

    Of boxes without an extent, as numbers at random are, runtimes make different things.
    """
    spec = model.spec(name)
    for use in uses.get(name, ()):
        if use.node is None and use.operator == ("", "RoiAlign") and use.position == 1:
            found = use.attribute("spatial_scale")
            scale = (found.f if found else 1.0) or 1.0
            height, width = (extent / scale for extent in model.spec(use.layer.inputs[0]).shape[2:])
            box = [width / 4, height / 4, 3 * width / 4, 3 * height / 4]
            return as_bytes(encode(np.array(box * (spec.elements // 4)), spec.dtype))
    return None


class _Reader:
    """A reader with the shapes around it."""

    def __init__(self, model: Model, use: Use) -> None:
        self.model = model
        self.use = use
        self.layer = use.layer

    def given(self, position: int) -> tuple[int, ...]:
        """Return the shape of an input."""
        return self.model.spec(self.layer.inputs[position]).shape

    @property
    def made(self) -> tuple[int, ...]:
        """Shape of the first output."""
        return self.model.spec(self.layer.outputs[0]).shape

    @property
    def count(self) -> int:
        """Elements of the operand."""
        return math.prod(self.given(self.use.position))

    def axis(self, default: int) -> int:
        """Return the extent of the first output along the layer's axis."""
        return self.made[self.use.integer("axis", default) % len(self.made)]

    def chosen_axes(self) -> list[int]:
        """Return the axes that operand 3 names, else those that change, filled up to the number of elements."""
        rank = len(self.given(0))
        name = self.layer.inputs[3] if len(self.layer.inputs) > 3 else ""
        constant = self.model.constants.get(name)
        if constant is not None:
            return [axis % rank for axis in _integers(constant)]
        pairs = zip(self.given(0), self.made, strict=True)
        changed = [axis for axis, (before, after) in enumerate(pairs) if before != after]
        if self.use.position == 3 or name:
            rest = [axis for axis in range(rank) if axis not in changed]
            return sorted((changed + rest)[: self.count])
        return list(range(rank))


def _integers(constant: Constant) -> list[int]:
    return [] if constant.values is None else [int(number) for number in array_of(constant).reshape(-1)]


def _scales(reader: _Reader) -> _Numbers:
    axes = reader.use.attribute("axes")
    wanted = list(axes.ints) if axes else list(range(len(reader.made)))
    return [reader.made[axis] / max(1, reader.given(0)[axis]) for axis in wanted]


def _sizes(reader: _Reader) -> _Numbers:
    axes = reader.use.attribute("axes")
    return [reader.made[axis] for axis in axes.ints] if axes else reader.made


def _reduced_axes(reader: _Reader) -> _Numbers:
    """Axes that become 1 or vanish: those that differ, then those of extent 1."""
    before, after = reader.given(0), reader.made
    if len(after) == len(before):
        changed = [axis for axis, extent in enumerate(before) if extent != after[axis]]
        rest = [axis for axis, extent in enumerate(before) if extent == after[axis] == 1]
        return sorted((changed + rest)[: reader.count])
    return _removed(before, after)


def _removed(longer: tuple[int, ...], shorter: tuple[int, ...]) -> list[int]:
    """Return the axes to remove from the longer shape to obtain the shorter one, found greedily from the front."""
    found, at = [], 0
    for axis, extent in enumerate(longer):
        if at < len(shorter) and shorter[at] == extent:
            at += 1
        else:
            found.append(axis)
    return found


def _padded(reader: _Reader) -> _Numbers:
    axes = reader.chosen_axes()
    return [0] * len(axes) + [reader.made[axis] - reader.given(0)[axis] for axis in axes]


def _parts(reader: _Reader) -> _Numbers:
    outputs = [reader.model.spec(name).shape for name in reader.layer.outputs if name]
    axis = reader.use.integer("axis", 0)
    return [shape[axis] for shape in outputs]


def _trips(reader: _Reader) -> _Numbers:
    """Return the length of a scanned output; loop-carried outputs come first."""
    carried = len(reader.layer.inputs) - 2
    scanned = [reader.model.spec(name).shape for name in reader.layer.outputs[carried:] if name]
    return [scanned[0][0] if scanned else _LOOP_TRIPS]


def _is_limit(model: Model, use: Use) -> bool:
    """Return whether an operand of a Loop is one whole number that its turns leave as it is, as ``while i < n`` has."""
    body = use.attribute("body") if use.operator == ("", "Loop") and use.position > 1 else None
    if body is None:
        return False
    spec = model.spec(use.layer.inputs[use.position])
    inner, result = body.g.input[use.position].name, body.g.output[use.position - 1].name
    copies = {node.output[0]: node.input[0] for node in body.g.node if node.op_type == "Identity"}
    return spec.dtype in {"int32", "int64"} and spec.elements == 1 and copies.get(result, result) == inner


def _block_shape(reader: _Reader) -> _Numbers | None:
    """Return for Col2Im the first block with as many elements and positions as the input has."""
    image, columns = reader.made[2:], reader.given(0)
    elements = columns[1] // max(1, reader.made[1])

    def numbers(name: str, default: int) -> list[int]:
        found = reader.use.attribute(name)
        return list(found.ints) if found else [default] * len(image)

    strides, dilations, pads = numbers("strides", 1), numbers("dilations", 1), numbers("pads", 0)
    sizes = [extent + sum(pads[axis :: len(image)]) for axis, extent in enumerate(image)]
    divisors = [extent for extent in range(1, elements + 1) if elements % extent == 0]
    for block in itertools.product(divisors, repeat=len(image)):
        steps = [
            (size - dilation * (extent - 1) - 1) // stride + 1
            for size, dilation, extent, stride in zip(sizes, dilations, block, strides, strict=True)
        ]
        if math.prod(block) == elements and min(steps) > 0 and math.prod(steps) == columns[2]:
            return block
    return None


def _frame_length(reader: _Reader) -> int:
    """Return for STFT the length of the window, else that which gives the number of frequencies."""
    if len(reader.layer.inputs) > 2 and reader.layer.inputs[2]:
        return reader.given(2)[0]
    bins = reader.made[-2]
    return 2 * (bins - 1) if reader.use.integer("onesided", 1) else bins


def _frame_step(reader: _Reader) -> _Numbers:
    """Return for STFT the step of frames that lie evenly over the signal."""
    return [max(1, (reader.given(0)[1] - _frame_length(reader)) // max(1, reader.made[1] - 1))]


def _transform_length(reader: _Reader) -> _Numbers:
    """Return for DFT the extent of the result along the axis, an attribute before opset 20 and an input since."""
    axis = reader.use.integer("axis", 1 if reader.layer.since_version < 20 else -2)
    if len(reader.layer.inputs) > 2 and reader.layer.inputs[2] in reader.model.constants:
        axis = _integers(reader.model.constants[reader.layer.inputs[2]])[0]
    count = reader.made[axis]
    return [2 * (count - 1) if reader.use.integer("onesided", 0) else count]


def _constant(*numbers: _Number) -> Callable[[_Reader], _Numbers]:
    return lambda _reader: numbers


_RULES: dict[tuple[str, int], Callable[[_Reader], _Numbers | None]] = {
    ("AffineGrid", 1): lambda reader: (reader.made[0], 1, *reader.made[1:-1]),
    ("CenterCropPad", 1): _sizes,
    ("Clip", 1): _constant(-0.5),
    ("Clip", 2): _constant(0.5),
    ("BlackmanWindow", 0): lambda reader: reader.made,
    ("Col2Im", 1): lambda reader: reader.made[2:],
    ("Col2Im", 2): _block_shape,
    ("ConstantOfShape", 0): lambda reader: reader.made,
    ("CumSum", 1): _constant(0),
    ("DFT", 1): _transform_length,
    ("Dropout", 1): _constant(0.5),
    ("Dropout", 2): _constant(0),
    ("Expand", 1): lambda reader: reader.made[-reader.count :],
    ("HammingWindow", 0): lambda reader: reader.made,
    ("HannWindow", 0): lambda reader: reader.made,
    ("If", 0): _constant(1),
    ("Loop", 0): _trips,
    ("Loop", 1): _constant(1),
    ("MaxUnpool", 2): lambda reader: reader.made,
    ("MelWeightMatrix", 0): lambda reader: [reader.made[1]],
    ("MelWeightMatrix", 1): lambda reader: [2 * (reader.made[0] - 1)],
    ("MelWeightMatrix", 2): _constant(16000),
    ("MelWeightMatrix", 3): _constant(0),
    ("MelWeightMatrix", 4): _constant(8000),
    ("NonMaxSuppression", 2): _constant(8),
    ("NonMaxSuppression", 3): _constant(0.5),
    ("NonMaxSuppression", 4): _constant(0.0),
    ("OneHot", 1): lambda reader: [reader.axis(-1)],
    ("Pad", 1): _padded,
    ("Pad", 3): _Reader.chosen_axes,
    ("Pow", 1): _constant(2),
    ("Range", 0): _constant(0),
    ("Range", 1): lambda reader: reader.made,
    ("Range", 2): _constant(1),
    ("Reshape", 1): lambda reader: reader.made,
    ("Resize", 1): lambda reader: [0.0] * len(_sizes(reader)) + [1.0] * len(_sizes(reader)),
    ("Resize", 2): _scales,
    ("Resize", 3): _sizes,
    ("STFT", 1): _frame_step,
    ("STFT", 3): lambda reader: [_frame_length(reader)],
    ("Slice", 1): _constant(0),
    ("Slice", 2): lambda reader: [reader.made[axis] for axis in reader.chosen_axes()][: reader.count],
    ("Slice", 3): _Reader.chosen_axes,
    ("Slice", 4): _constant(1),
    ("Split", 1): _parts,
    ("Squeeze", 1): lambda reader: _removed(reader.given(0), reader.made),
    ("Tile", 1): lambda reader: [
        after // max(1, before) for before, after in zip(reader.given(0), reader.made, strict=True)
    ],
    ("TopK", 1): lambda reader: [reader.axis(-1)],
    ("Trilu", 1): _constant(0),
    ("Unsqueeze", 1): lambda reader: _removed(reader.made, reader.given(0)),
    ("Upsample", 1): _scales,
}
"""By operator of the default domain and operand: numbers that fit the shapes."""
