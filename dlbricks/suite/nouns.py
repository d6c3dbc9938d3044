"""The nouns of a suite folder: TensorContract, Benchmark, Target, Suite, ModelReport. Data only."""

from dataclasses import dataclass

from dlbricks.fingerprint import Json
from dlbricks.model.types import Generator, WeightBlob

SUITE_FORMAT = "dlbricks-suite"
SUITE_SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorContract:
    """An input or output of a benchmark's network."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    generator: Generator | None = None
    """None for outputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One standalone network and all that is needed to run it."""

    fingerprint: str
    name: str
    """Readable, from operators, as in ``Conv_Relu``; says nothing of the model."""
    network: str
    """Path in the suite, ``networks/<fingerprint>.onnx``."""
    digest: str
    """sha256 of the network file."""
    optimization: str
    """``all`` or ``none``: graph optimisations of the runtime."""
    role: str
    """``sequence``, ``anchor``, ``overhead`` (an empty graph), ``curve`` (measured at several reuse distances) or, in
    validations only, ``whole`` (a network end to end) and ``baseline`` (a part as a published recipe cuts it)."""
    operators: tuple[str, ...]
    layers: int
    """Layers that count for H."""
    inputs: tuple[TensorContract, ...]
    outputs: tuple[TensorContract, ...]
    weight_bytes: int
    activation_bytes: int
    """Inputs and outputs."""
    flops: int
    """Operations of one call (``model.flops``)."""
    importance: float
    """Greatest share, over the networks of the suite, of a network's predicted time that all uses of this sequence have
    together; a power of 2, rounded down (``suite.importance``). 1 for what is no sequence."""
    reference: tuple[Json, ...] | None
    """A sketch per output (``harness.output_digest``); None when no reference can be given."""
    reference_note: str = ""
    """Why ``reference`` is None."""
    overwrites: str = ""
    """Name of the input in whose buffer the only output is made, as it is inside a network; empty if there is none."""
    work: int = 0
    """This and the following as in ``SequenceFeatures``; 0 and empty in suites that do not tell."""
    fetched_bytes: int = 0
    kinds: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the networks of a suite were made for."""

    name: str
    """``portable`` or ``onnxruntime-cpu``."""
    runtime: str = ""
    """Version of the runtime that lowered the networks, as in ``1.31.1``; empty for portable."""
    instruction_set: tuple[str, ...] = ()
    """Machine and vector extensions, as ``harness.machine.facts.instruction_set`` names them; empty for portable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """The content of ``suite.json``."""

    name: str
    granularity: str
    splitter: str
    target: Target
    seed: int
    weights: tuple[WeightBlob, ...]
    benchmarks: tuple[Benchmark, ...]
    """Anchors and the overhead benchmark first, then sequences by fingerprint."""
    generator_version: str
    """dlbricks version that made the suite."""
    digest: str = ""
    """sha256 of the canonical JSON of everything else in ``suite.json`` (network files enter by their digests)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """What became of one network; it stays with the network's owner and is no part of a suite."""

    model: str
    """File stem."""
    source_layers: int
    """Operator calls in the file as read."""
    folded: int
    """Of those, folded into constants or dead."""
    layers: int
    """Layers that were split."""
    sequences: int
    """Layer sequences that cover them."""
    unique: int
    """Different ones among those that became benchmarks."""
    skipped: tuple[tuple[str, int], ...]
    """Reason and number of layers, for sequences of which no benchmark can be made; sorted by reason."""
    pairs: int = 0
    """Different unions of two adjacent sequences that became benchmarks beside them."""
    unsupported: str = ""
    """Why nothing of the network is in the suite; empty if it is."""
