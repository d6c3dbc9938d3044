"""Folders of decoders as onnxruntime-genai reads them, and the dimensions of a step that follow from a few."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dlbricks.errors import InputError

SETTINGS = "genai_config.json"
PAST, SEQUENCE, BATCH = "past", "sequence", "batch"
"""What ``--dim`` can say of a step: tokens in the cache, tokens that are new, and inputs per call."""
SHORT = (PAST, SEQUENCE, BATCH)


SLIDING = "past_sliding_length"
"""Name of the extent of a cache that holds the last tokens only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    window_size: int
    cache_slack: int = 0


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
    """What ``genai_config.json`` says; fields that decide nothing here are not read."""

    model: _Model
    search: _Search = _Search()


def decoder_beside(path: Path) -> Decoder | None:
    """Read the settings beside a network; None where there are none, or they are of another file.

    Raises:
        InputError: they cannot be read, or lack what decides shapes.
    """
    settings = path.parent / SETTINGS
    if not settings.is_file():
        return None
    try:
        found = msgspec.convert(json.loads(settings.read_bytes()), Decoder)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"{settings} cannot be used: {' '.join(str(error).split())}: build the folder again"
        ) from error
    return found if path.name == found.model.decoder.filename else None


def implied(path: Path, dims: Mapping[str, int]) -> dict[str, int]:
    """Give the dimensions of a decoder's file that follow from those of a step and from its settings.

    ``past`` and ``sequence`` are those of onnxruntime-genai's and Optimum's files. Where the cache's input and output
    share a buffer its length is that of both (``model.caches``). Layers with a sliding window have a cache of that
    length and the slack that the settings state, whatever is past.

    Raises:
        InputError: a prompt beyond the context, or settings that cannot be used.
    """
    decoder = decoder_beside(path)
    made: dict[str, int] = {} if decoder is None else {"kv_cache_dim": decoder.model.decoder.head_size}
    window = decoder.model.decoder.sliding_window if decoder is not None else None
    if window is not None:
        made |= dict.fromkeys((SLIDING, "total_sliding_length"), window.window_size + window.cache_slack)
    if PAST not in dims and SEQUENCE not in dims:
        return made
    past, new = dims.get(PAST, 0), dims.get(SEQUENCE, 1)
    if decoder is not None and past + new > decoder.model.context_length:
        most = decoder.model.context_length
        raise InputError(f"{path}: {past} tokens and {new} more are beyond its context of {most}: give fewer")
    shares = decoder is not None and decoder.search.past_present_share_buffer
    return made | {
        "batch_size": dims.get(BATCH, 1),
        "sequence_length": new,
        "past_sequence_length": past + new if shares else past,
        "total_sequence_length": past + new,
    }


def step_names(names: Collection[str]) -> tuple[str, ...]:
    """Give what ``--dim`` can say in short of a network whose open dimensions are named."""
    return SHORT if "past_sequence_length" in names and "sequence_length" in names else ()
