"""Generates the inputs of a decoder's calls: tokens, masks, positions and caches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.dtypes import BY_NAME, storage_dtype
from dlbricks.model.emit import end_to_end_inputs
from dlbricks.model.read.decoders import (
    CACHED,
    SLIDING,
    axis_keys,
    call_axes,
    is_cache,
    is_encoders,
    logits_of,
    reads_cache,
    tokens_input,
    unnamed_caches,
)
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Model, TensorSpec

# Value of all embeddings, for networks that read embeddings instead of tokens.
_EMBEDDING = 0.02
# Parts of the names of caches before and after a call: exporters keep the rest of the name.
_CONTINUED = (("past_key_values", "present"), ("past.", "present."))
# What an axis counts: tokens in the cache, new tokens, or both.
_PAST, _NEW, _WHOLE = "past", "new", "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowingCache:
    """A cache or state of a decoder: an input whose value is an output of the previous call."""

    name: str
    output: str
    spec: TensorSpec
    axis: int | None
    """Axis that grows with the tokens; None for a state or a sliding cache, which do not grow."""
    slides: bool

    def shape(self, length: int) -> tuple[int, ...]:
        """Return the shape of the input with ``length`` tokens."""
        shape = self.spec.shape
        return shape if self.axis is None else (*shape[: self.axis], length, *shape[self.axis + 1 :])


class CallInputs:
    """Inputs of a decoder by role."""

    def __init__(self, network: Path, model: Model) -> None:
        """Find the role of each input of a network.

        Raises ``UnsupportedModelError`` for an input with unknown values, or a cache that no output continues.
        """
        graph = skim(network).graph
        self._unnamed = unnamed_caches(graph)
        self._model, axes = model, call_axes(graph.input, self._unnamed)
        counted = {} if axes is None else dict.fromkeys(axes.whole, _WHOLE) | dict.fromkeys(axes.past, _PAST)
        counted |= {} if axes is None else dict.fromkeys(axes.new, _NEW)
        self._new = 0 if axes is None else axes.fixed_new
        self._kinds = {entry.name: [counted.get(key) for key in axis_keys(entry)] for entry in graph.input}
        tokens = tokens_input(graph.input)
        self._tokens = tokens.name if tokens is not None else ""
        self.names = [entry.name for entry in graph.input]
        outputs = [entry.name for entry in graph.output]
        self.result = logits_of(outputs)
        self.caches = {cache.name: cache for cache in self._continued_caches(graph, outputs)}
        self._constant_values = self._synthetic_values()

    def _continued_caches(self, graph: Any, outputs: Sequence[str]) -> Iterator[GrowingCache]:
        # Pair inputs and outputs by name, or else in order among those with the same type and rank.
        rest = [name for name in outputs if name != self.result]
        for entry in graph.input:
            kinds, slides = self._kinds[entry.name], any(SLIDING in key for key in axis_keys(entry))
            grows = _PAST in kinds or slides
            # at most the batch of a continued cache is open, as for states and static caches; an encoder's cache is not
            # continued
            continued = grows or not (any(axis_keys(entry)[1:]) or is_encoders(entry.name))
            if not is_cache(entry, self._unnamed) or not continued:
                continue
            spec = self._model.spec(entry.name)
            named = (entry.name.replace(*pair) for pair in _CONTINUED if pair[0] in entry.name)
            output = self._unnamed.get(entry.name) or next((name for name in named if name in rest), None)
            output = output or self._alike(spec, rest, fixed=not grows)
            if output is None and grows:
                raise UnsupportedModelError(f"{self._model.name}: no output is known to continue input '{spec.name}'")
            if output is None or (not grows and self._model.spec(output).shape != spec.shape):
                continue  # the output has only the new tokens of the cache
            rest.remove(output)
            axis = kinds.index(_PAST) if _PAST in kinds else None
            yield GrowingCache(name=entry.name, output=output, spec=spec, axis=axis, slides=slides)

    def _alike(self, spec: TensorSpec, names: Sequence[str], *, fixed: bool) -> str | None:
        # Return the first output with the type and rank of a cache, and with its shape if ``fixed``.
        for output in filter(None, map(self._model.tensors.get, names)):
            ranks = len(output.shape) == len(spec.shape)
            if output.dtype == spec.dtype and ranks and (not fixed or output.shape == spec.shape):
                return output.name
        return None

    def _synthetic_values(self) -> dict[str, NDArray[Any]]:
        # Return the values of inputs that are the same in all calls, such as the output of an encoder.
        others = [name for name in self.names if name not in {self._tokens, CACHED, *self.caches}]
        fixed = [name for name in others if not any(self._kinds[name]) and not self._is_position(name)]
        values = {name: value for name, value in end_to_end_inputs(self._model) if name in fixed} if fixed else {}
        for name, value in values.items():
            if "mask" in name:
                value.fill(0 if BY_NAME[self._model.spec(name).dtype].kind == "float" else 1)
        for name in others:
            if name not in values and self._value(name, 1, 1) is None:
                raise UnsupportedModelError(f"{self._model.name}: the values of input '{name}' are unknown")
        return values

    def values(self, tokens: NDArray[np.int64], past: int) -> Mapping[str, NDArray[Any]]:
        """Return the inputs of a call without the caches. ``past`` is the number of tokens in the caches."""
        new = tokens.shape[1]
        values = {CACHED: np.array([reads_cache(past, new)]), **self._constant_values}
        for name in self.names:
            if name == self._tokens and BY_NAME[self._model.spec(name).dtype].kind == "int":
                values[name] = np.ascontiguousarray(tokens.astype(storage_dtype(self._model.spec(name).dtype)))
            elif name not in values and name not in self.caches:
                value = self._value(name, past, new)
                if value is not None:
                    values[name] = value
        return values

    def _is_position(self, name: str) -> bool:
        # Return whether an input has the positions of the new tokens.
        if "position" not in name or name not in self._model.inputs:
            return False
        fixed = self._new and self._model.spec(name).shape[-1:] == (self._new,)
        return self._kinds[name][-1:] == [_NEW] or bool(fixed and BY_NAME[self._model.spec(name).dtype].kind == "int")

    def _value(self, name: str, past: int, new: int) -> NDArray[Any] | None:
        # Return the value of a mask, positions or embeddings in a call; None for other inputs.
        if name not in self._model.inputs:
            return None
        spec, extents = self._model.spec(name), {_PAST: past, _NEW: new, _WHOLE: past + new}
        shape = tuple(
            extents[kind] if kind else extent for kind, extent in zip(self._kinds[name], spec.shape, strict=True)
        )
        kind, dtype = BY_NAME[spec.dtype].kind, storage_dtype(spec.dtype)
        if "mask" in name:
            return np.full(shape, 0 if kind == "float" else 1, dtype)
        if self._is_position(name):
            return np.broadcast_to(np.arange(past, past + new, dtype=dtype), shape).copy()
        return np.full(shape, _EMBEDDING, dtype) if kind == "float" and _NEW in self._kinds[name] else None
