"""Which open dimensions of a decoder's inputs count its tokens, whatever their names. Pure.

Exporters agree on what the inputs of a decoder are, not on the names of their dimensions: onnxruntime-genai and Optimum
write ``past_sequence_length``, whoever calls torch chooses names, and torch invents ``s53`` where none is chosen.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import onnx

from dlbricks.model.read.cache_flow import LEAST_RANK, continued_inputs
from dlbricks.model.types import Model

_TOKENS = re.compile(r"input_ids|inputs_embeds|tokens")
_CACHE = re.compile(
    r"past|cache|key_values|(^|[./_])kv([./_]|$)"
    r"|(^|[./_])(k|v|keys?|values?)[./_]?\d+([./_]|$)|\d[./_](k|v|keys?|values?)([./_]|$)"
)
"""Of the inputs; ``k`` and ``value`` alone only with the number of a layer."""
_AFTER = re.compile(rf"present|{_CACHE.pattern}")
"""Of the outputs that continue a cache."""
_SLIDING = "sliding"
_ENCODER = re.compile("encoder|cross")
_STATE = re.compile("conv|ssm|state|recurrent")
"""Of the inputs that sum up what is past, in a size that does not count tokens."""
_OTHERS = re.compile(rf"{_ENCODER.pattern}|{_SLIDING}")
"""Of the inputs and dimensions that do not grow with the tokens of the decoder."""
_LENGTH = re.compile(r"past|seq|len|token|total|time")
_INTEGERS = {onnx.TensorProto.INT32, onnx.TensorProto.INT64}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAxes:
    """Open dimensions of a decoder's inputs, each as ``--dim`` names it, by what they count."""

    batch: tuple[str, ...]
    new: tuple[str, ...]
    """New tokens of a call."""
    past: tuple[str, ...]
    """Tokens in the cache before a call; empty where all caches hold the last tokens only."""
    whole: tuple[str, ...]
    """Tokens after a call; expressions as a whole, since exporters write ``past + 1`` also where several are new."""
    fixed_new: int = 0
    """New tokens of a call where the file fixes their number, else 0."""
    room: int = 0
    """Tokens that caches of a fixed length hold; 0 if a cache is open, or there are states only."""


def call_axes(inputs: Sequence[onnx.ValueInfoProto], unnamed: Collection[str] = ()) -> CallAxes | None:
    """Return the dimensions of a decoder's call; None where no input has tokens or none is a cache.

    Tokens are in an input of that name, else in the first integer matrix; caches are inputs of rank 3 and more whose
    names tell so, or that are ``unnamed`` caches. Masks end in all tokens, positions in the new ones. A file for one
    step at a time fixes the new tokens, one with static caches their length.
    """
    tokens = tokens_input(inputs)
    if tokens is None:
        return None
    keys = axis_keys(tokens)
    batch, new = dict.fromkeys(filter(None, keys[:1])), dict.fromkeys(filter(None, keys[1:2]))
    past: dict[str, None] = {}
    fixed: list[onnx.ValueInfoProto] = []
    slides = False
    for entry in inputs:
        if is_cache(entry, unnamed):
            axis = _length_axis(entry, batch)
            if axis is None:
                fixed += [] if _ENCODER.search(entry.name) else [entry]
                continue
            keys = axis_keys(entry)
            if (found := _batch_axis(entry, keys, axis)) is not None:
                batch[keys[found]] = None
            slides = slides or _SLIDING in entry.name + keys[axis]
            if not _OTHERS.search(entry.name + keys[axis]):
                past[keys[axis]] = None
    count = 0 if new else _extents(tokens)[1]
    if not (new or count) or not (past or slides or fixed):
        return None
    whole: dict[str, None] = {}
    for entry in inputs:
        keys, name = axis_keys(entry), entry.name
        if entry is tokens or not keys or name in unnamed or _OTHERS.search(name):
            continue
        if "mask" in name and len(keys) > 1:
            batch |= dict.fromkeys(filter(None, keys[:1]))
            whole |= dict.fromkeys(key for key in keys[-1:] if key and key not in new and key not in past)
            new |= dict.fromkeys(filter(None, keys[2:-1]))
        elif "position" in name:
            batch |= dict.fromkeys(key for key in keys[:-1] if key)
            new |= dict.fromkeys(filter(None, keys[-1:]))
    return CallAxes(
        batch=tuple(batch),
        new=tuple(new),
        past=tuple(past),
        whole=tuple(whole),
        fixed_new=count,
        room=0 if past or slides else _room(fixed, inputs, count),
    )


def _room(caches: Sequence[onnx.ValueInfoProto], inputs: Sequence[onnx.ValueInfoProto], new: int) -> int:
    """Return the tokens that caches of a fixed length hold: as a mask says, else their largest extent; 0 of states."""
    extents = {extent for entry in caches for extent in _extents(entry)[1:]}
    masks = [_extents(entry)[-1] for entry in inputs if "mask" in entry.name and _extents(entry)]
    told = [length for length in masks if length and not extents.isdisjoint({length, length - new})]
    kept = [entry for entry in caches if len(_extents(entry)) > LEAST_RANK and not _STATE.search(entry.name)]
    return max(told or [max(_extents(entry)[1:]) for entry in kept], default=0)


def _extents(entry: onnx.ValueInfoProto) -> list[int]:
    """Return the extents of an input, 0 for open ones."""
    return [max(0, dim.dim_value) for dim in entry.type.tensor_type.shape.dim]


def is_cache(entry: onnx.ValueInfoProto, unnamed: Collection[str] = ()) -> bool:
    """Return whether an input is a cache by its name and rank, also one of an encoder, or an ``unnamed`` one."""
    return entry.name in unnamed or (bool(_CACHE.search(entry.name)) and len(axis_keys(entry)) >= LEAST_RANK)


def unnamed_caches(graph: onnx.GraphProto) -> dict[str, str]:
    """Return the caches of a network with tokens none of whose inputs is a cache by name, and what continues them."""
    if tokens_input(graph.input) is None or any(map(is_cache, graph.input)):
        return {}
    return continued_inputs(graph.node, graph.input, graph.output)


def logits_of(outputs: Sequence[str]) -> str:
    """Return the output that the next token is chosen by: the one of that name, else the first."""
    return "logits" if "logits" in outputs else outputs[0]


def cache_bytes(model: Model) -> int:
    """Return the bytes of a decoder's caches after a call: those that it continues, and those of an encoder.

    A network that reads the caches of an encoder need not return them, or returns empty ones; one with caches of a
    fixed length may return only what is new in them.
    """
    others = [name for name in model.outputs if name != logits_of(model.outputs)]
    after = [name for name in others if _AFTER.search(name)] or others
    before = [name for name in model.inputs if _CACHE.search(name)]

    def nbytes(names: Sequence[str], *, encoder: bool) -> int:
        chosen = (model.spec(name) for name in names if is_encoders(name) == encoder)
        return sum(spec.nbytes for spec in chosen if len(spec.shape) >= LEAST_RANK)

    return sum(max(nbytes(after, encoder=one), nbytes(before, encoder=one)) for one in (True, False))


def is_encoders(name: str) -> bool:
    """Return whether a cache is that of an encoder by its name."""
    return bool(_ENCODER.search(name))


def tokens_input(inputs: Sequence[onnx.ValueInfoProto]) -> onnx.ValueInfoProto | None:
    """Return the input with the tokens, whose second axis is open if there is such a one."""
    found = [entry for entry in inputs if len(axis_keys(entry)) > 1 and not _OTHERS.search(entry.name)]
    for some in ([entry for entry in found if axis_keys(entry)[1]], found):
        named = (entry for entry in some if _TOKENS.search(entry.name))
        others = (entry for entry in some if entry.type.tensor_type.elem_type in _INTEGERS and _plain(entry))
        if (one := next(named, None) or next(others, None)) is not None:
            return one
    return None


def _plain(entry: onnx.ValueInfoProto) -> bool:
    return len(axis_keys(entry)) == 2 and not re.search(r"mask|position|past|cache|type", entry.name)


def axis_keys(entry: onnx.ValueInfoProto) -> list[str]:
    """Name the open dimensions of an input by axis, as ``--dim`` does; empty where one is fixed."""
    dims = entry.type.tensor_type.shape.dim
    return [_key(f"{entry.name}:{axis}", dim) for axis, dim in enumerate(dims)]


def _key(other: str, dim: onnx.TensorShapeProto.Dimension) -> str:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return ""
    return other if is_anonymous(dim.dim_param) else dim.dim_param


def is_anonymous(text: str) -> bool:
    """Return whether a symbol says only that an extent is open: ``?``, ``-1`` or ``None``, as exporters write for any.

    Two of them need not be equal, so that each is bound as ``input:axis``.
    """
    return text == "None" or not any(map(str.isalnum, text)) or (text.startswith("-") and text[1:].isdigit())


def _length_axis(entry: onnx.ValueInfoProto, batch: Iterable[str]) -> int | None:
    """Return the axis of a cache with its tokens: the open one, or that whose name tells so, or the last but one."""
    keys = axis_keys(entry)
    found = [axis for axis, key in enumerate(keys) if key and key not in batch and (axis or _leads(entry, keys, batch))]
    named = [axis for axis in found if _tells_length(entry, keys, axis)]
    if len(found) > 1:
        found = named[:1] or [axis for axis in found if axis == len(keys) - 2] or found
    return found[0] if found else None


def _tells_length(entry: onnx.ValueInfoProto, keys: Sequence[str], axis: int) -> bool:
    return keys[axis] != f"{entry.name}:{axis}" and bool(_LENGTH.search(keys[axis]))


def _leads(entry: onnx.ValueInfoProto, keys: Sequence[str], batch: Iterable[str]) -> bool:
    """Return whether a cache begins with its tokens, as of ChatGLM: the batch is behind them, or fixed, or named so."""
    named = [axis for axis in range(len(keys)) if _tells_length(entry, keys, axis)]
    return keys[1] in batch or not (any(batch) or any(keys[1:])) or named == [0]


def _batch_axis(entry: onnx.ValueInfoProto, keys: Sequence[str], length: int) -> int | None:
    """Return the open axis of a cache that counts inputs: the first, or behind the tokens, or within stacked caches."""
    axis = next((axis for axis, key in enumerate(keys) if key and axis != length), None)
    if axis is None or len(keys) <= LEAST_RANK or (axis and length and len(keys) == LEAST_RANK + 1):
        return None
    return axis if keys[axis] == f"{entry.name}:{axis}" or keys[axis].isidentifier() else None
