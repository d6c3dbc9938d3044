"""Reads decoders (folders of onnxruntime-genai, files merged by Optimum) and derives the dimensions of their calls.

Exporters agree on the inputs of a decoder, but not on the names of dimensions: onnxruntime-genai and Optimum write
``past_sequence_length``, users of torch may choose names, and torch invents others, such as ``s53``.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import onnx

from dlbricks.errors import InputError
from dlbricks.model.bodies import domain_of
from dlbricks.model.types import Model
from dlbricks.operators.row import Moves
from dlbricks.operators.table import operator
from dlbricks.units import counted

SETTINGS = "genai_config.json"
# Dimensions of a call in ``--dim``: tokens in the cache, new tokens, and inputs per call.
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
SHORT = (PAST, SEQUENCE, BATCH)
# Dimension for the elements of a head in caches of onnxruntime-genai's builder; its settings state the extent.
HEAD_SIZE = "kv_cache_dim"
ONE_INPUT = "onnxruntime takes several new tokens after a cache only for batch 1 (GroupQueryAttention)"
# File with a Hugging Face architecture: it lies beside the exported networks, or beside their folder ``onnx``.
_CONFIGURATION, _INNER = "config.json", "onnx"

# Dimension for the tokens of a cache that holds only the last ones (sliding window).
SLIDING = "past_sliding_length"
# Input of a file that Optimum merged from two networks: True selects the network that reads the cache.
CACHED = "use_cache_branch"
# Dimension for all tokens after a call, in outputs of networks from onnxruntime-genai's builder.
_ALL = "total_sequence_length"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    window_size: int
    cache_slack: int = 0
    layers: tuple[int, ...] | None = None
    """Layers with a sliding window; None if the settings do not list them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    head_size: int
    filename: str = "model.onnx"
    sliding_window: _Window | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    decoder: _Parts
    context_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    past_present_share_buffer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoder:
    """Settings of a decoder in ``genai_config.json`` that decide shapes."""

    model: _Model
    search: _Search = _Search()


def decoder_beside(path: Path) -> Decoder | None:
    """Return the settings in ``genai_config.json`` beside an ONNX file; None if there are none for this file.

    Raises:
        InputError: the settings cannot be read, or lack a field that decides shapes.
    """
    settings = path.parent / SETTINGS
    if not settings.is_file():
        return None
    try:
        decoder = msgspec.convert(json.loads(settings.read_bytes()), Decoder)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"{settings} cannot be used: {' '.join(str(error).split())}: build the folder again"
        ) from error
    return decoder if path.name == decoder.model.decoder.filename else None


def network_name(path: Path) -> str:
    """Return the name of a network: the file's stem, or for "model.onnx" beside a configuration, the folder's name.

    The name of ``NAME/onnx/model.onnx`` is NAME, too, if the folder NAME holds ``config.json``.
    """
    # exporters call most networks "model", so all would have the same name
    if path.stem != "model":
        return path.stem
    folder = path.resolve().parent
    if folder.name == _INNER and (folder.parent / _CONFIGURATION).is_file():
        return folder.parent.name
    configured = any((folder / name).is_file() for name in (SETTINGS, _CONFIGURATION))
    return folder.name if configured and folder.name else path.stem


def sliding_length(path: Path) -> int:
    """Return the number of tokens in a decoder's sliding-window caches, from ``genai_config.json``; 0 without them."""
    decoder = decoder_beside(path)
    window = decoder.model.decoder.sliding_window if decoder is not None else None
    return 0 if window is None or window.layers == () else window.window_size + window.cache_slack


def implied(path: Path, graph: onnx.GraphProto, dims: Mapping[str, int]) -> dict[str, int]:
    """Return the extents that follow from ``dims`` and from ``genai_config.json`` of a decoder.

    Each of ``past``, ``sequence`` and ``batch`` sets all dimensions with this meaning. If input and output of a cache
    share a buffer, both have its length. The cache of a layer with a sliding window has the length of the window plus
    the slack in the settings, for every ``past``.

    Raises:
        InputError: a prompt exceeds the context, or settings cannot be used.
    """
    decoder = decoder_beside(path)
    extents: dict[str, int] = {} if decoder is None else {HEAD_SIZE: decoder.model.decoder.head_size}
    if length := sliding_length(path):
        extents |= dict.fromkeys((SLIDING, "total_sliding_length"), length)
    axes = call_axes(graph.input, unnamed_caches(graph))
    if axes is None or (PAST not in dims and SEQUENCE not in dims):
        return extents
    past, new = dims.get(PAST, 0), dims.get(SEQUENCE, axes.fixed_new or 1)
    if axes.fixed_new and new != axes.fixed_new:
        is_step = axes.fixed_new == 1
        raise InputError(
            f"{path} takes {counted(axes.fixed_new, 'new token')} per call, not {new}: "
            + ("leave --chunk out" if is_step else "give --generate 1 (only the prompt)")
            + f", or give --dim sequence={axes.fixed_new}"
        )
    many, fewer = f"{path}: {past} past and {new} new tokens exceed its", "tokens: reduce --prompt, --generate or --dim"
    if axes.room and past + new > axes.room:
        raise InputError(f"{many} cache of {axes.room} {fewer}")
    if decoder is not None and past + new > decoder.model.context_length:
        raise InputError(f"{many} context of {decoder.model.context_length} {fewer}")
    shares = decoder is not None and decoder.search.past_present_share_buffer
    batch = next((dims[name] for name in (BATCH, *axes.batch) if name in dims), 1)
    return extents | {
        **dict.fromkeys(axes.batch, batch),
        **dict.fromkeys((_ALL, *axes.whole, *(f"{name} + 1" for name in axes.past)), past + new),
        **dict.fromkeys(axes.new, new),
        **dict.fromkeys(axes.past, past + new if shares else past),
    }


def reads_cache(past: int, new: int) -> bool:
    """Return whether a call of a decoder merged by Optimum uses the branch with a cache."""
    return past > 0 or new == 1


def in_branch(network: onnx.ModelProto, dims: Mapping[str, int]) -> onnx.ModelProto:
    """Return the branch that a call selects in a decoder merged by Optimum; ``network`` for any other network."""
    graph = network.graph
    places = [index for index, node in enumerate(graph.node) if node.op_type == "If" and list(node.input) == [CACHED]]
    if len(places) != 1 or CACHED not in {entry.name for entry in graph.input}:
        return network
    (place,) = places
    call = graph.node[place]
    axes = call_axes(graph.input)
    past, new = ("", "") if axes is None else (next(iter(some), "") for some in (axes.past, axes.new))
    cached = reads_cache(dims.get(past or PAST, 0), dims.get(new or SEQUENCE, 1))
    wanted = "then_branch" if cached else "else_branch"
    body = next((entry.g for entry in call.attribute if entry.name == wanted), None)
    if body is None or [entry.name for entry in body.output] != list(call.output):
        return network
    branch = onnx.ModelProto()
    branch.CopyFrom(network)
    del branch.graph.node[place:]
    branch.graph.node.extend((*body.node, *graph.node[place + 1 :]))
    branch.graph.initializer.extend(body.initializer)
    branch.graph.sparse_initializer.extend(body.sparse_initializer)
    del branch.graph.input[:]
    branch.graph.input.extend(entry for entry in graph.input if entry.name != CACHED)
    return branch


def refuse_no_decoder(path: Path, short: Sequence[str]) -> None:
    """Raise InputError for ``--prompt`` if a network is not a decoder, that is if ``Dimensions.short`` is empty."""
    if not short:
        raise InputError(
            f"--prompt needs a decoder with a cache: {path} lacks an input for tokens (such as input_ids) or for a "
            "cache (such as past_key_values.0.key); export it with such names"
        )


# Inputs of fewer axes are not caches.
LEAST_RANK = 3

_TOKENS = re.compile(r"input_ids|inputs_embeds|tokens")
# Names of caches; ``k`` and ``value`` count only beside the number of a layer.
_CACHE = re.compile(
    r"past|cache|key_values|(^|[./_])kv([./_]|$)"
    r"|(^|[./_])(k|v|keys?|values?)[./_]?\d+([./_]|$)|\d[./_](k|v|keys?|values?)([./_]|$)"
)
# Names of outputs that continue a cache.
_AFTER = re.compile(rf"present|{_CACHE.pattern}")
_SLIDING = "sliding"
_ENCODER = re.compile("encoder|cross")
# Names of inputs that summarise past tokens in a fixed size (states).
_STATE = re.compile("conv|ssm|state|recurrent")
# Names of inputs and dimensions that do not grow with the tokens of the decoder.
_OTHERS = re.compile(rf"{_ENCODER.pattern}|{_SLIDING}")
_LENGTH = re.compile(r"past|seq|len|token|total|time")
_INTEGERS = {onnx.TensorProto.INT32, onnx.TensorProto.INT64}
_NO_TOKENS = re.compile(r"mask|position|past|cache|type")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAxes:
    """Symbolic dimensions of a decoder's inputs, by the tokens that they count."""

    batch: tuple[str, ...]
    new: tuple[str, ...]
    """Dimensions that count new tokens."""
    past: tuple[str, ...]
    """Dimensions that count tokens in the cache before a call; empty if all caches slide."""
    whole: tuple[str, ...]
    """Dimensions that count the new tokens plus those in the cache."""
    fixed_new: int = 0
    """Number of new tokens per call if the file fixes it, otherwise 0."""
    room: int = 0
    """Number of tokens in caches of a fixed length; 0 without caches or if a length is open."""


def call_axes(inputs: Sequence[onnx.ValueInfoProto], unnamed: Collection[str] = ()) -> CallAxes | None:
    """Return the dimensions of a decoder's inputs that count tokens; None without an input of tokens or a cache.

    The input of tokens has a usual name, or is the first integer matrix. A cache is in ``unnamed``, or has a cache's
    name and rank 3 or more. The last axis of a mask counts all tokens, that of positions new tokens.
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
            if (batch_axis := _batch_axis(entry, keys, axis)) is not None:
                batch[keys[batch_axis]] = None
            slides = slides or _SLIDING in entry.name + keys[axis]
            if not _OTHERS.search(entry.name + keys[axis]):
                past[keys[axis]] = None
    # a file for one step at a time fixes the number of new tokens
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
    # Return the tokens that caches of a fixed length hold: a mask's length, else their largest extent; 0 without.
    extents = {extent for entry in caches for extent in _extents(entry)[1:]}
    masks = [_extents(entry)[-1] for entry in inputs if "mask" in entry.name and _extents(entry)]
    masked = [length for length in masks if length and not extents.isdisjoint({length, length - new})]
    others = [entry for entry in caches if len(_extents(entry)) > LEAST_RANK and not _STATE.search(entry.name)]
    return max(masked or [max(_extents(entry)[1:]) for entry in others], default=0)


def _extents(entry: onnx.ValueInfoProto) -> list[int]:
    # Return the extents of an input, 0 for open dimensions.
    return [max(0, dim.dim_value) for dim in entry.type.tensor_type.shape.dim]


def is_cache(entry: onnx.ValueInfoProto, unnamed: Collection[str] = ()) -> bool:
    """Return whether an input is in ``unnamed``, or has the name and rank of a key-value cache."""
    return entry.name in unnamed or (bool(_CACHE.search(entry.name)) and len(axis_keys(entry)) >= LEAST_RANK)


def unnamed_caches(graph: onnx.GraphProto) -> dict[str, str]:
    """Map key-value caches with unusual names to their outputs; empty if any cache has a usual name."""
    if tokens_input(graph.input) is None or any(map(is_cache, graph.input)):
        return {}
    return continued_inputs(graph.node, graph.input, graph.output)


def logits_of(outputs: Sequence[str]) -> str:
    """Return the output with a decoder's logits: ``logits``, or else the first output."""
    return "logits" if "logits" in outputs else outputs[0]


def cache_bytes(model: Model) -> int:
    """Return the bytes of a decoder's key-value caches after a call, including caches of an encoder.

    The larger of inputs and outputs counts: a network may return only a part of a cache.
    """
    others = [name for name in model.outputs if name != logits_of(model.outputs)]
    after = [name for name in others if _AFTER.search(name)] or others
    before = [name for name in model.inputs if _CACHE.search(name)]

    def nbytes(names: Sequence[str], *, encoder: bool) -> int:
        chosen = (model.spec(name) for name in names if is_encoders(name) == encoder)
        return sum(spec.nbytes for spec in chosen if len(spec.shape) >= LEAST_RANK)

    return sum(max(nbytes(after, encoder=which), nbytes(before, encoder=which)) for which in (True, False))


def is_encoders(name: str) -> bool:
    """Return whether an input's name is that of an encoder's key-value cache."""
    return bool(_ENCODER.search(name))


def tokens_input(inputs: Sequence[onnx.ValueInfoProto]) -> onnx.ValueInfoProto | None:
    """Return a decoder's input of token ids, preferably with an open second axis; None without one."""
    matrices = [entry for entry in inputs if len(axis_keys(entry)) > 1 and not _OTHERS.search(entry.name)]
    for entries in ([entry for entry in matrices if axis_keys(entry)[1]], matrices):
        named = (entry for entry in entries if _TOKENS.search(entry.name))
        integers = (entry for entry in entries if entry.type.tensor_type.elem_type in _INTEGERS)
        others = (entry for entry in integers if len(axis_keys(entry)) == 2 and not _NO_TOKENS.search(entry.name))
        if (tokens := next(named, None) or next(others, None)) is not None:
            return tokens
    return None


def axis_keys(entry: onnx.ValueInfoProto) -> list[str]:
    """Return a text for each axis of an input: the dimension as ``--dim`` names it, or empty if it is fixed."""
    dims = entry.type.tensor_type.shape.dim
    return [_key(f"{entry.name}:{axis}", dim) for axis, dim in enumerate(dims)]


def _key(other: str, dim: onnx.TensorShapeProto.Dimension) -> str:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return ""
    return other if is_anonymous(dim.dim_param) else dim.dim_param


def is_anonymous(text: str) -> bool:
    """Return whether a dimension is unnamed (``?``, ``-1`` or ``None``); options then call it ``input:axis``."""
    return text == "None" or not any(map(str.isalnum, text)) or (text.startswith("-") and text[1:].isdigit())


def _length_axis(entry: onnx.ValueInfoProto, batch: Iterable[str]) -> int | None:
    # Return the axis of a cache that counts tokens: of several open ones the one so named, else the last but one.
    keys = axis_keys(entry)
    axes = [axis for axis, key in enumerate(keys) if key and key not in batch and (axis or _leads(entry, keys, batch))]
    named = [axis for axis in axes if _tells_length(entry, keys, axis)]
    # exporters leave heads open, too; tokens are last but one in nearly all caches
    if len(axes) > 1:
        axes = named[:1] or [axis for axis in axes if axis == len(keys) - 2] or axes
    return axes[0] if axes else None


def _tells_length(entry: onnx.ValueInfoProto, keys: Sequence[str], axis: int) -> bool:
    return keys[axis] != f"{entry.name}:{axis}" and bool(_LENGTH.search(keys[axis]))


def _leads(entry: onnx.ValueInfoProto, keys: Sequence[str], batch: Iterable[str]) -> bool:
    # Return whether axis 0 of a cache counts tokens (ChatGLM): the batch follows or is fixed, or the name shows it.
    named = [axis for axis in range(len(keys)) if _tells_length(entry, keys, axis)]
    return keys[1] in batch or not (any(batch) or any(keys[1:])) or named == [0]


def _batch_axis(entry: onnx.ValueInfoProto, keys: Sequence[str], length: int) -> int | None:
    # Return the open axis of a cache that counts the inputs of a call (the batch); None if there is none.
    axis = next((axis for axis, key in enumerate(keys) if key and axis != length), None)
    if axis is None or len(keys) <= LEAST_RANK or (axis and length and len(keys) == LEAST_RANK + 1):
        return None
    return axis if keys[axis] == f"{entry.name}:{axis}" or keys[axis].isidentifier() else None


_MOVED = Moves.RESHAPES | Moves.PERMUTES | Moves.CUTS | Moves.SELECTS | Moves.CONVERTS


def continued_inputs(
    nodes: Sequence[onnx.NodeProto], inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
) -> dict[str, str]:
    """Map each input that a decoder uses as a key-value cache to the output that returns the cache.

    The network appends new values to a cache, or scatters them into it, and returns the result.

    Args:
        nodes: nodes of a network, in topological order.
    """
    kinds = {entry.name: _kind(entry) for entry in inputs}
    source = {name: (name, False) for name, kind in kinds.items() if kind is not None}
    for node in nodes:
        for position, name in enumerate(node.input):
            if name not in source:
                continue
            start, grown = source[name]
            key = (domain_of(node), node.op_type)
            place = operator(*key).caches.get(position)
            if place is not None:
                source |= {name: (start, True) for name in node.output[place : place + 1] if name}
            elif key == ("", "Concat") and len(node.input) > 1:
                source.setdefault(node.output[0], (start, True))
            elif not key[0] and position == 0 and operator(*key).moves & _MOVED:
                source |= {name: (start, grown) for name in node.output if name}
    return _reached(source, kinds, outputs)


def _reached(
    source: Mapping[str, tuple[str, bool]],
    kinds: Mapping[str, tuple[int, int] | None],
    outputs: Sequence[onnx.ValueInfoProto],
) -> dict[str, str]:
    """Map each input to the first output of the same type and rank that holds the input's elements and further ones.

    Args:
        source: maps a tensor to the input whose elements it holds, and to whether further elements joined them.
        kinds: maps an input to its type and rank; None for other inputs.
    """
    continued: dict[str, str] = {}
    for entry in outputs:
        start, grown = source.get(entry.name, ("", False))
        if grown and _kind(entry) == kinds[start]:
            continued.setdefault(start, entry.name)
    return continued


def _kind(entry: onnx.ValueInfoProto) -> tuple[int, int] | None:
    # Return the type and rank of a tensor; None if its rank is too low for a cache.
    tensor = entry.type.tensor_type
    rank = len(tensor.shape.dim)
    return (tensor.elem_type, rank) if rank >= LEAST_RANK else None
