"""Formulas of the table for values: bounds of indices, operands that decide shapes, magnitudes of results."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.schemas import GROUPED_ATTENTION
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Layer, Model
from dlbricks.operators.row import Bounds, LayerView, Numbers

IndexRule = Callable[[LayerView], Bounds]
Shaper = Callable[[LayerView, int], Numbers | None]

# Bounds of operands that must be positive.
POSITIVE = (0.5, 1.5)
# number of iterations of a loop without scanned outputs, which shapes do not decide
_LOOP_TRIPS = 4
# Operands of GroupQueryAttention that tell how many tokens its cache holds: index of the last key by input of the
# batch, and tokens after the call. Shapes do not tell it if a cache slides. A sliding cache has the length of its
# window, whatever it holds: behind few tokens most of it is empty. Once it is full each call drops as many tokens as it
# adds, and all calls with as many new tokens are alike.
LAST, TOTAL = 5, 6
_SLIDES = ("sliding_window_cache", "1")


def fixed(low: int, high: int) -> IndexRule:
    """Return a function for the bounds low <= index < high."""
    return lambda _view: (low, high)


def within(position: int, axis: int) -> IndexRule:
    """Return a function for the bounds of indices into an axis of operand ``position``."""
    return lambda view: (0, view.shape(position)[axis])


def along_axis(attribute: str = "axis") -> IndexRule:
    """Return a function for the bounds of indices into operand 0, along the axis in ``attribute``."""
    return lambda view: (0, view.extent(view.shape(0), 0, attribute))


def gathered_tuples(view: LayerView) -> Bounds:
    """Return bounds for all indices in the tuples of a GatherND or ScatterND."""
    first = view.number("batch_dims")
    return 0, min(view.shape(0)[first : first + view.shape(1)[-1]], default=1)


def reversed_length(view: LayerView) -> Bounds:
    """Return bounds for the sequence lengths of a ReverseSequence: from half the time axis to all of it."""
    length = view.extent(view.shape(0), 0, "time_axis")
    return max(1, length // 2), length + 1


def exactly(number: int) -> Bounds:
    """Return the bounds that only ``number`` meets."""
    return number, number + 1


def mask_or_length(mask: int, keys: int) -> IndexRule:
    """Return a function for the bounds of operand ``mask``: 0 or 1; if it is a vector, the length of ``keys``."""
    return lambda view: (0, 2) if len(view.shape(mask)) > 1 else exactly(view.shape(keys)[1])


def tokens(before: int = 0) -> IndexRule:
    """Return a function for the bounds of an operand that must be the ``total_tokens`` of a layer minus ``before``."""
    return lambda view: exactly((total_tokens(view.model, view.layer) or 0) - before)


def constantly(*numbers: float) -> Shaper:
    """Return a function that gives ``numbers`` for every layer."""
    return lambda _view, _position: numbers


def result_shape(view: LayerView, _: int) -> Numbers:
    """Return the value of the operand that states a layer's output shape, as in Reshape."""
    return view.output


def along_result(view: LayerView, _: int) -> Numbers:
    """Return the value of an operand that states the output's extent along the axis in ``axis`` (default: the last)."""
    return [view.extent(view.output, -1)]


def chosen_axes(view: LayerView, position: int) -> list[int]:
    """Return the axes of a Slice or Pad: those in operand 3; if unknown, axes whose extents change come first."""
    before = view.shape(0)
    rank = len(before)
    if view.is_constant(3):
        return [axis % rank for axis in view.integers(3)]
    changed = [axis for axis, (old, new) in enumerate(zip(before, view.output, strict=True)) if old != new]
    if position == 3 or view.has(3):
        rest = [axis for axis in range(rank) if axis not in changed]
        return sorted((changed + rest)[: view.elements(position)])
    return list(range(rank))


def ends(view: LayerView, position: int) -> Numbers:
    """Return the value of operand ``ends`` of a Slice that starts at 0 on each axis, from the output shape."""
    return [view.output[axis] for axis in chosen_axes(view, position)][: view.elements(position)]


def padding(view: LayerView, position: int) -> Numbers:
    """Return the value of operand ``pads`` of a Pad that pads only the ends of axes, from input and output shape."""
    axes = chosen_axes(view, position)
    return [0] * len(axes) + [view.output[axis] - view.shape(0)[axis] for axis in axes]


def scales(view: LayerView, _: int) -> Numbers:
    """Return the value of operand ``scales`` of a Resize: the ratio of output to input extent along each axis."""
    axes = view.numbers("axes") or list(range(len(view.output)))
    return [view.output[axis] / max(1, view.shape(0)[axis]) for axis in axes]


def sizes(view: LayerView, _: int) -> Numbers:
    """Return the value of operand ``sizes`` of a Resize: the output's extents along the axes in ``axes``, or all."""
    axes = view.numbers("axes")
    return [view.output[axis] for axis in axes] if axes else view.output


def reduced_axes(view: LayerView, position: int) -> Numbers:
    """Return the value of operand ``axes`` of a reduction: axes that the result lacks, or that have extent 1 in it."""
    before, after = view.shape(0), view.output
    if len(after) != len(before):
        return removed_axes(before, after)
    changed = [axis for axis, extent in enumerate(before) if extent != after[axis]]
    rest = [axis for axis, extent in enumerate(before) if extent == after[axis] == 1]
    return sorted((changed + rest)[: view.elements(position)])


def removed_axes(longer: tuple[int, ...], shorter: tuple[int, ...]) -> list[int]:
    """Return the axes to remove from the shape ``longer`` to get ``shorter``."""
    axes, matched = [], 0
    for axis, extent in enumerate(longer):
        if matched < len(shorter) and shorter[matched] == extent:
            matched += 1
        else:
            axes.append(axis)
    return axes


def parts(view: LayerView, _: int) -> Numbers:
    """Return the value of operand ``split`` of a Split: the extents of its outputs along the axis."""
    return [view.model.spec(name).shape[view.number("axis")] for name in view.layer.outputs if name]


def trips(view: LayerView, _: int) -> Numbers:
    """Return the trip count of a Loop: the length of its first scanned output."""
    carried = len(view.layer.inputs) - 2
    scanned = [view.model.spec(name).shape for name in view.layer.outputs[carried:] if name]
    return [scanned[0][0] if scanned else _LOOP_TRIPS]


def frame_length(view: LayerView) -> int:
    """Return the frame length of an STFT: the length of the window operand, or a length that fits the output shape."""
    if view.has(2):
        return view.shape(2)[0]
    bins = view.output[-2]
    return 2 * (bins - 1) if view.number("onesided", 1) else bins


def frame_step(view: LayerView, _: int) -> Numbers:
    """Return the value of operand ``frame_step`` of an STFT with which frames cover the signal evenly."""
    return [max(1, (view.shape(0)[1] - frame_length(view)) // max(1, view.output[1] - 1))]


def transform_length(view: LayerView, _: int) -> Numbers:
    """Return the ``dft_length`` with which a DFT outputs the whole spectrum: the output's extent along the axis."""
    axis = view.number("axis", 1 if view.layer.since_version < 20 else -2)
    if view.is_constant(2):
        axis = view.integers(2)[0]
    count = view.output[axis]
    return [2 * (count - 1) if view.number("onesided") else count]


def bounded(_: LayerView, __: Sequence[float]) -> float | None:
    """Return None, for operators such as Sigmoid whose results have magnitude 1 for any operands."""
    return None


def multiplied(_: LayerView, operands: Sequence[float]) -> float:
    """Return log2 of the magnitude of a product of two operands."""
    return operands[0] + operands[1]


def as_first(_: LayerView, operands: Sequence[float]) -> float:
    """Return log2 of the magnitude of operand 0."""
    return operands[0]


def about(power: float) -> Callable[[LayerView, Sequence[float]], float]:
    """Return a function that returns ``power``, the log2 of a constant magnitude."""
    return lambda _view, _operands: power


def summed_operands(_: LayerView, operands: Sequence[float]) -> float:
    """Return log2 of the magnitude of a sum of operands with random signs."""
    return max(operands) + math.log2(sum(4.0 ** (size - max(operands)) for size in operands)) / 2


def power(view: LayerView, operands: Sequence[float]) -> float:
    """Return log2 of the magnitude of a Pow; an unknown exponent counts as 2."""
    constant = view.model.constants.get(view.layer.inputs[1])
    numbers = None if constant is None or constant.values is None else numbers_of(constant)
    return operands[0] * (2.0 if numbers is None or not numbers.size else float(numbers[0]))


def summed(exponent: int, root: int) -> Callable[[LayerView, Sequence[float]], float]:
    """Return a function for log2 of the magnitude of a reduction, which takes a root of a sum of powers."""

    def rule(view: LayerView, operands: Sequence[float]) -> float:
        behind_one = view.elements(0) / max(1, view.output_elements)
        return (exponent * operands[0] + math.log2(max(1, behind_one))) / root

    return rule


def total_tokens(model: Model, layer: Layer) -> int | None:
    """Return the number of cached tokens after a call of GroupQueryAttention; None for other operators.

    If no constant operand states the number, the cache counts as full.
    """
    if (layer.domain, layer.op_type) != GROUPED_ATTENTION:
        return None
    total, room = (LayerView(model, layer).integers(TOTAL) or [0])[0], _room(model, layer)
    if total < 1:
        return room if room is not None else _new(model, layer)
    return total if room is None or _SLIDES in layer.attributes else min(total, room)


def held_tokens(model: Model, layer: Layer) -> int | None:
    """Return the number of tokens to which a GroupQueryAttention attends, which a sliding window may limit."""
    total, most = total_tokens(model, layer), _most(model, layer)
    return total if total is None or most is None else min(total, most)


def tells_tokens(layer: Layer, position: int) -> bool:
    """Return whether an operand states the number of tokens in a sliding-window cache."""
    return position == TOTAL and (layer.domain, layer.op_type) == GROUPED_ATTENTION and _SLIDES in layer.attributes


def last_key(model: Model, layers: Sequence[int], tensor: str) -> int | None:
    """Return the index of the last key if ``tensor`` states it and the sliding-window cache is not full, or None."""
    for layer in (model.layers[index] for index in layers):
        if len(layer.inputs) > LAST and layer.inputs[LAST] == tensor and _most(model, layer) is not None:
            total = total_tokens(model, layer)
            if total is not None and total != _room(model, layer):
                return total - 1
    return None


def used_bytes(model: Model, tensor: str, layer: Layer) -> int:
    """Return the bytes of a tensor that a layer reads or writes; of a sliding-window cache, only its tokens count."""
    spec = model.spec(tensor)
    held = held_tokens(model, layer) if tensor in (*layer.inputs[3:5], *layer.outputs[1:3]) else None
    if held is None or len(spec.shape) != 4 or _most(model, layer) is None:
        return spec.nbytes
    return spec.nbytes * min(held, spec.shape[2]) // max(1, spec.shape[2])


def with_full_windows(model: Model, layers: Sequence[int]) -> Model:
    """Return the model with constants that count tokens limited to what its sliding-window caches hold.

    Calls with longer pasts then give equal models. A constant stays if one of its readers has another cache, or reads
    an index of the last key that a layer computes.
    """
    attending = [layer for layer in map(model.layers.__getitem__, layers) if layer.op_type == GROUPED_ATTENTION[1]]
    if not attending:
        return model
    computed = {name for index in layers for name in model.layers[index].outputs}
    constants = dict(model.constants)
    for name in dict.fromkeys(layer.inputs[TOTAL] for layer in attending if len(layer.inputs) > TOTAL):
        if name not in constants:
            continue
        readers = [model.layers[index] for index in layers if name in model.layers[index].reads]
        limits = [None if layer.inputs[LAST] in computed else _most(model, layer) for layer in readers]
        most = max((limit for limit in limits if limit is not None), default=0)
        totals = [total_tokens(model, layer) or 0 for layer in readers]
        if None not in limits and min(totals) > most:
            spec = constants[name].spec
            constants[name] = Constant(spec=spec, values=as_bytes(encode(np.full(spec.elements, most), spec.dtype)))
    return replace(model, constants=constants)


def _new(model: Model, layer: Layer) -> int:
    shape = model.spec(layer.inputs[0]).shape
    return shape[1] if len(shape) > 1 else 1


def _room(model: Model, layer: Layer) -> int | None:
    # Return the length of the cache after the call; None if there is none.
    name = layer.outputs[1] if len(layer.outputs) > 1 else ""
    shape = model.spec(name).shape if name else ()
    return max(shape[2], _new(model, layer)) if len(shape) == 4 else None


def _most(model: Model, layer: Layer) -> int | None:
    # Return the most tokens that a call with a sliding cache works on: those kept, and the new ones; else None.
    if (layer.domain, layer.op_type) != GROUPED_ATTENTION or _SLIDES not in layer.attributes:
        return None
    before = layer.inputs[3] if len(layer.inputs) > 3 else ""
    shape = model.spec(before).shape if before else ()
    return shape[2] + _new(model, layer) if len(shape) == 4 else None
