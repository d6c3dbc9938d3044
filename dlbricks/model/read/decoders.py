"""Reads decoders: folders of onnxruntime-genai, files merged by Optimum, dimensions that follow from a call."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import onnx

from dlbricks.errors import InputError
from dlbricks.model.read.call_axes import call_axes, unnamed_caches
from dlbricks.units import counted

SETTINGS = "genai_config.json"
# Dimensions of a call in ``--dim``: tokens in the cache, new tokens, and inputs per call.
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
SHORT = (PAST, SEQUENCE, BATCH)
# Name of the elements of a head in caches of onnxruntime-genai's builder, which its settings have.
HEAD_SIZE = "kv_cache_dim"
ONE_INPUT = "onnxruntime takes several new tokens behind a cache for one input at a time (GroupQueryAttention)"
# Configuration of an architecture of Hugging Face, beside networks exported from it or above a folder of these.
_CONFIGURATION, _INNER = "config.json", "onnx"

# Name of the extent of a cache that holds only the last tokens.
SLIDING = "past_sliding_length"
# Input by which a file that Optimum merged of two networks selects the one that reads the cache.
CACHED = "use_cache_branch"
# Name for all tokens after a call, of outputs of onnxruntime-genai's builder.
_ALL = "total_sequence_length"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    window_size: int
    cache_slack: int = 0
    layers: tuple[int, ...] | None = None
    """Those that slide; None if the settings do not list them."""


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
    """The fields of ``genai_config.json`` that decide shapes."""

    model: _Model
    search: _Search = _Search()


def decoder_beside(path: Path) -> Decoder | None:
    """Read the settings beside a network; None if there are none, or they belong to another file.

    Raises:
        InputError: they cannot be read, or lack a field that decides shapes.
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
    """Return the name of a network: its file's, or its folder's if it is called model and lies beside a configuration.

    So onnxruntime-genai and Optimum write networks; a folder ``onnx`` in one with a configuration has that one's name.
    """
    # so exporters call most networks, which would give all the same name
    if path.stem != "model":
        return path.stem
    folder = path.resolve().parent
    if folder.name == _INNER and (folder.parent / _CONFIGURATION).is_file():
        return folder.parent.name
    configured = any((folder / name).is_file() for name in (SETTINGS, _CONFIGURATION))
    return folder.name if configured and folder.name else path.stem


def settings_advice(path: Path, unbound: Collection[str]) -> str:
    """Return the end of a message on unbound dimensions that settings beside a network would bind; empty for others."""
    if not {HEAD_SIZE, SLIDING}.intersection(unbound):
        return ""
    settings = path.parent / SETTINGS
    if settings.is_file():
        return f", as {settings} is for another file"
    return f", or {settings}, which binds these and is missing: onnxruntime-genai's builder writes it"


def sliding_length(path: Path) -> int:
    """Return the extent of caches of the last tokens only, by the settings beside a network; 0: there are none."""
    decoder = decoder_beside(path)
    window = decoder.model.decoder.sliding_window if decoder is not None else None
    return 0 if window is None or window.layers == () else window.window_size + window.cache_slack


def implied(path: Path, graph: onnx.GraphProto, dims: Mapping[str, int]) -> dict[str, int]:
    """Return the dimensions of a decoder's file that follow from those of a call and from its settings.

    ``past``, ``sequence`` and ``batch`` apply to all dimensions that count the same (``model.read.call_axes``). If the
    cache's input and output share a buffer, both have its length (``buffers``). Layers with a sliding window have
    have a cache of the length of the window plus the slack in the settings, whatever the past.

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
            + ("leave --chunk out" if is_step else "give --generate 1, its prompt alone")
            + f", or give --dim sequence={axes.fixed_new}"
        )
    if axes.room and past + new > axes.room:
        raise InputError(f"{path}: {past} tokens and {new} more are beyond its cache of {axes.room}: give fewer")
    if decoder is not None and past + new > decoder.model.context_length:
        most = decoder.model.context_length
        raise InputError(f"{path}: {past} tokens and {new} more are beyond its context of {most}: give fewer")
    shares = decoder is not None and decoder.search.past_present_share_buffer
    batch = next((dims[name] for name in (BATCH, *axes.batch) if name in dims), 1)
    return extents | {
        **dict.fromkeys(axes.batch, batch),
        **dict.fromkeys((_ALL, *axes.whole, *(f"{name} + 1" for name in axes.past)), past + new),
        **dict.fromkeys(axes.new, new),
        **dict.fromkeys(axes.past, past + new if shares else past),
    }


def reads_cache(past: int, new: int) -> bool:
    """Return whether a call selects the network with a cache, in a file merged by Optimum."""
    return past > 0 or new == 1


def in_branch(network: onnx.ModelProto, dims: Mapping[str, int]) -> onnx.ModelProto:
    """Return the network that a call with these extents selects in a file merged by Optimum; any other file unchanged.

    Its only ``If`` returns the tensors of the same names of either body, so the body replaces it.
    """
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
    """Refuse a prompt to a network without short names for the dimensions of its call (``dimensions_of``).

    Raises:
        InputError: there are none.
    """
    if not short:
        raise InputError(
            f"--prompt is for a decoder with a cache, not {path}: it lacks an input of tokens (as input_ids) or inputs "
            "of a cache (as past_key_values.0.key): export it with such names"
        )
