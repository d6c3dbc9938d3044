"""The types of splitting."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.errors import InputError
from dlbricks.model.types import Model

if TYPE_CHECKING:
    import onnx_graphsurgeon as gs


@dataclass(frozen=True, slots=True)
class Granularity:
    """The maximum number of layers in a layer sequence (H; G in the DLBricks paper); None for no limit.

    Views do not count, and a group of layers that runtimes fuse counts once.
    """

    limit: int | None

    @classmethod
    def parse(cls, text: str) -> "Granularity":
        """Parse a whole number from 1 up or ``inf``; raises ``InputError`` for other texts."""
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
    """A part of a network that is benchmarked as a whole: a connected, convex set of layers."""

    layers: tuple[int, ...]
    """Indices into ``Model.layers``, ascending."""
    inputs: tuple[str, ...]
    """Tensors that layers outside write or that enter the network, without constants, in order of first use."""
    outputs: tuple[str, ...]
    """Tensors that layers outside read or that leave the network, in the order in which layers write them."""
    constants: tuple[str, ...]
    """Constants that the layers use, in order of first use."""
    skip: str | None = None
    """Reason why the sequence cannot be benchmarked; None if it can be."""


# equal only to itself, so that it is hashable, as a model is not
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A network split into layer sequences, in dependency order; every layer is in exactly one sequence."""

    model: Model
    granularity: Granularity
    splitter: str
    sequences: tuple[LayerSequence, ...]
    depends_on: tuple[tuple[int, ...], ...]
    """For each sequence, the ascending indices of the sequences whose outputs it uses."""

    def to_graphsurgeon(self, index: int) -> "gs.Graph":
        """Return the layer sequence at ``index`` as an onnx-graphsurgeon graph without values of large weights.

        Raises ``UnsupportedModelError`` if an input or output is not a tensor.
        """
        from dlbricks.model.emit import named_network
        from dlbricks.passes.user import open_for_passes

        part = self.sequences[index]
        network, _ = named_network(self.model, part.layers, part.inputs, part.outputs, part.constants)
        return open_for_passes(network, Path(self.model.name))[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalSequence:
    """A layer sequence reduced to what decides its speed; sequences with equal ``text`` share one benchmark."""

    text: str
    """Canonical form as JSON."""
    fingerprint: str
    """SHA-256 of ``text``."""
    layers: tuple[int, ...]
    """Indices into ``Model.layers`` in canonical (and topological) order."""
    inputs: tuple[str, ...]
    """Inputs in canonical order."""
    outputs: tuple[str, ...]
    """Outputs in canonical order."""
    constants: tuple[str, ...]
    """Constants in canonical order."""
