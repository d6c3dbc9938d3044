"""Defines the types of splitting: Granularity, LayerSequence, Split and CanonicalSequence."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.errors import InputError
from dlbricks.model.types import Model

if TYPE_CHECKING:
    import onnx_graphsurgeon as gs


@dataclass(frozen=True, slots=True)
class Granularity:
    """The maximum number of layers in a sequence (H; G in the DLBricks paper); None for no limit.

    Views do not count, and a group of layers that runtimes fuse counts once.
    """

    limit: int | None

    @classmethod
    def parse(cls, text: str) -> "Granularity":
        """Read a whole number from 1 up or ``inf``; raises ``InputError`` for any other text."""
        if text == "inf":
            return cls(None)
        if text.isascii() and text.isdigit() and int(text) >= 1:
            return cls(int(text))
        raise InputError(f"invalid granularity '{text}': expected a whole number from 1 up, or inf")

    def __str__(self) -> str:
        """Return the text that ``parse`` reads."""
        return "inf" if self.limit is None else str(self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSequence:
    """A connected, convex set of layers of one model."""

    layers: tuple[int, ...]
    """Indices into ``Model.layers``, ascending."""
    inputs: tuple[str, ...]
    """Non-constant tensors produced outside, in order of first use."""
    outputs: tuple[str, ...]
    """Tensors that are read outside or are outputs of the model, in order of production."""
    constants: tuple[str, ...]
    """Constants used, in order of first use."""
    skip: str | None = None
    """Reason why the sequence cannot be benchmarked; None if it can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A model split into sequences, in dependency order; every layer is in exactly one sequence."""

    model: Model
    granularity: Granularity
    splitter: str
    sequences: tuple[LayerSequence, ...]
    depends_on: tuple[tuple[int, ...], ...]
    """For each sequence, the indices of the sequences whose outputs it uses, ascending."""

    def to_graphsurgeon(self, index: int) -> "gs.Graph":
        """Return one sequence as a graph of onnx-graphsurgeon, in which large weights have no values.

        Raises ``UnsupportedModelError`` if an input or output is not a tensor.
        """
        from dlbricks.model.emit import named_network
        from dlbricks.passes.user import open_for_passes

        part = self.sequences[index]
        network, _ = named_network(self.model, part.layers, part.inputs, part.outputs, part.constants)
        return open_for_passes(network, Path(self.model.name))[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalSequence:
    """The canonical form of a sequence, which has only what decides its speed; equal sequences have equal ``text``."""

    text: str
    """The canonical form of the sequence as JSON."""
    fingerprint: str
    """SHA-256 of ``text``."""
    layers: tuple[int, ...]
    """Layer indices in canonical order (topological)."""
    inputs: tuple[str, ...]
    """The sequence's inputs in canonical order."""
    outputs: tuple[str, ...]
    """The sequence's outputs in canonical order."""
    constants: tuple[str, ...]
    """The sequence's constants in canonical order."""
