"""How many tokens the caches of GroupQueryAttention hold, which shapes do not tell if a cache slides. Pure.

A sliding cache has the length of its window, whatever it holds: behind few tokens most of it is empty. Once it is full
each call drops as many tokens as it adds, and all calls with as many new tokens are alike.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Layer, Model

ATTENTION = ("com.microsoft", "GroupQueryAttention")
LAST, TOTAL = 5, 6
"""Operands: index of the last key by input of the batch, and tokens after the call."""
_SLIDES = ("sliding_window_cache", "1")


def total_tokens(model: Model, layer: Layer) -> int | None:
    """Return the tokens after the call of a GroupQueryAttention; None for other operators.

    A constant operand tells; without one the cache is full.
    """
    if (layer.domain, layer.op_type) != ATTENTION:
        return None
    constant = model.constants.get(layer.inputs[TOTAL]) if len(layer.inputs) > TOTAL else None
    numbers = None if constant is None else numbers_of(constant)
    room = _room(model, layer)
    if numbers is None or not numbers.size or numbers.reshape(-1)[0] < 1:
        return room if room is not None else _new(model, layer)
    total = int(numbers.reshape(-1)[0])
    return total if room is None or _SLIDES in layer.attributes else min(total, room)


def held_tokens(model: Model, layer: Layer) -> int | None:
    """Return the tokens that the new ones attend to: all, or those that a sliding cache kept and the new ones."""
    total, most = total_tokens(model, layer), _most(model, layer)
    return total if total is None or most is None else min(total, most)


def tells_tokens(layer: Layer, position: int) -> bool:
    """Return whether an operand says how many tokens a sliding cache holds, which is the user's and of no training."""
    return position == TOTAL and (layer.domain, layer.op_type) == ATTENTION and _SLIDES in layer.attributes


def last_key(model: Model, layers: Sequence[int], tensor: str) -> int | None:
    """Return the index of the last key that some layers read in a tensor; None unless a sliding cache is not full.

    A full one, or one that does not slide, has as many tokens as its shape says.
    """
    for layer in (model.layers[index] for index in layers):
        if len(layer.inputs) > LAST and layer.inputs[LAST] == tensor and _most(model, layer) is not None:
            total = total_tokens(model, layer)
            if total is not None and total != _room(model, layer):
                return total - 1
    return None


def used_bytes(model: Model, tensor: str, layer: Layer) -> int:
    """Return the bytes of an operand or result that a layer touches; of a sliding cache only places with tokens."""
    spec = model.spec(tensor)
    held = held_tokens(model, layer) if tensor in (*layer.inputs[3:5], *layer.outputs[1:3]) else None
    if held is None or len(spec.shape) != 4 or _most(model, layer) is None:
        return spec.nbytes
    return spec.nbytes * min(held, spec.shape[2]) // max(1, spec.shape[2])


def with_full_windows(model: Model, layers: Sequence[int]) -> Model:
    """Let all calls of some layers be the same once their sliding caches are full, by the number of tokens they get.

    Only where that number is for sliding caches alone and the layers do not compute the index of the last key from it.
    """
    attending = [layer for layer in map(model.layers.__getitem__, layers) if layer.op_type == ATTENTION[1]]
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
    """Return the length of the cache after the call; None if there is none."""
    name = layer.outputs[1] if len(layer.outputs) > 1 else ""
    shape = model.spec(name).shape if name else ()
    return max(shape[2], _new(model, layer)) if len(shape) == 4 else None


def _most(model: Model, layer: Layer) -> int | None:
    """Return the most tokens that a call with a sliding cache works on: those kept, and the new ones; else None."""
    if (layer.domain, layer.op_type) != ATTENTION or _SLIDES not in layer.attributes:
        return None
    before = layer.inputs[3] if len(layer.inputs) > 3 else ""
    shape = model.spec(before).shape if before else ()
    return shape[2] + _new(model, layer) if len(shape) == 4 else None
