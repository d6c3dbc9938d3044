"""Features of the sequences of a suite, as its receiver sees them, and of public networks to compare them with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dlbricks.errors import DlbricksError
from dlbricks.model.read.decoders import network_name
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.network import network
from dlbricks.sequences.split import strip_boundary_views
from dlbricks.sequences.types import LayerSequence
from dlbricks.settings import SplitSettings
from dlbricks.suite.extraction import importances, predicted_s, seconds_of
from dlbricks.suite.manifest import Benchmark, Suite

Tensor: TypeAlias = tuple[str, tuple[int, ...]]
"""Element type and shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What a suite discloses about one sequence."""

    fingerprint: str
    operators: tuple[str, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    weight_bytes: int
    seconds: float
    """Predicted time of one call, from figures in the suite."""
    importance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNetwork:
    """A public network, split with the settings of the suite."""

    network: str
    pieces: Mapping[str, Piece]
    """By fingerprint, each with its importance in this network."""
    uses: Mapping[str, int]
    """Number of occurrences of each, by fingerprint."""
    edges: frozenset[tuple[str, str]]
    """Pairs of fingerprints: a sequence, and one that reads its outputs."""


def pieces_of(suite: Suite) -> tuple[Piece, ...]:
    """Return the features of a suite's sequences."""
    return tuple(_piece(benchmark) for benchmark in suite.benchmarks if benchmark.role == "sequence")


def _piece(benchmark: Benchmark) -> Piece:
    return Piece(
        fingerprint=benchmark.fingerprint,
        operators=benchmark.operators,
        inputs=tuple((tensor.dtype, tensor.shape) for tensor in benchmark.inputs),
        outputs=tuple((tensor.dtype, tensor.shape) for tensor in benchmark.outputs),
        weight_bytes=benchmark.weight_bytes,
        seconds=seconds_of(benchmark),
        importance=benchmark.importance,
    )


def read_public_network(path: Path, settings: SplitSettings) -> PublicNetwork | str:
    """Read and split a public network; returns the reason as text if it cannot be used."""
    try:
        parts = network(path, settings)
    except DlbricksError as error:
        return str(error)
    uses: Counter[str] = Counter()
    cores: dict[str, tuple[LayerSequence, float]] = {}
    name_of: dict[int, str] = {}
    for number, sequence in enumerate(parts.sequences):
        if sequence.skip or all(parts.model.layers[index].is_view for index in sequence.layers):
            continue
        core = strip_boundary_views(parts.model, sequence)
        name_of[number] = canonicalise(parts.model, core).fingerprint
        uses[name_of[number]] += 1
        if name_of[number] not in cores:
            cores[name_of[number]] = core, predicted_s(parts.model, core)
    shares = importances({name: count * cores[name][1] for name, count in uses.items()}, {})
    return PublicNetwork(
        network=network_name(path),
        pieces={name: _public(parts.model, core, name, shares[name], cost) for name, (core, cost) in cores.items()},
        uses=uses,
        edges=frozenset(
            (name_of[before], name_of[number])
            for number, waits in enumerate(parts.depends_on)
            if number in name_of
            for before in _sources(waits, parts.depends_on, name_of)
        ),
    )


def _sources(waits: Sequence[int], depends_on: Sequence[Sequence[int]], name_of: Mapping[int, str]) -> set[int]:
    """Return the sequences that dependencies lead to, looking through sequences of views only."""
    sources, waiting = set[int](), list(waits)
    while waiting:
        number = waiting.pop()
        if number in name_of:
            sources.add(number)
        else:
            waiting += depends_on[number]
    return sources


def _public(model: Model, core: LayerSequence, fingerprint: str, importance: float, seconds: float) -> Piece:
    def tensors(names: Sequence[str]) -> tuple[Tensor, ...]:
        return tuple((model.spec(name).dtype, model.spec(name).shape) for name in names)

    return Piece(
        fingerprint=fingerprint,
        operators=tuple(model.layers[index].op_type for index in core.layers),
        inputs=tensors(core.inputs),
        outputs=tensors(core.outputs),
        weight_bytes=sum(model.spec(name).nbytes for name in core.constants),
        seconds=seconds,
        importance=importance,
    )
