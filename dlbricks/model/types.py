"""Types of a network: tensors, constants, generators of synthetic values, layers, and the model of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from dlbricks.harness.dtypes import BY_NAME, byte_size
from dlbricks.typed_json import Count, one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSpec:
    """Element type and shape of a tensor."""

    name: str
    dtype: str
    """Element type by its name in ``harness.dtypes``; ``""`` for values other than tensors (sequence, optional, map).
    """
    shape: tuple[int, ...]
    """Extents, >= 0."""

    @property
    def elements(self) -> int:
        """Number of values."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all values, packed; 0 for strings and values other than tensors."""
        return byte_size(self.dtype, self.elements) if self.dtype in BY_NAME else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalData:
    """Location of the values of a constant, which are not read."""

    path: str
    """Absolute path of the file, which need not exist."""
    offset: int
    """Byte at which the values start."""
    length: int
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A tensor whose values belong to the network.

    At most one of ``values`` and ``fill`` is set. Kept are integers, booleans, single floats and all values of at most
    64 bytes (they decide shapes, indices and scales), and floats of at most 64 KiB computed from such values. All
    others are weights.
    """

    spec: TensorSpec
    values: bytes | None = None
    """Kept values, little-endian, packed as in ONNX ``raw_data``."""
    fill: bytes | None = None
    """One element, little-endian, that all values equal (of a folded ConstantOfShape)."""
    source: ExternalData | None = None
    """Location of the values of a weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Distribution of the values of an input or a weight, drawn by ``harness.values``."""

    kind: Annotated[str, one_of(["uniform", "integers", "bool", "literal"])]
    """``uniform`` (floats in [low, high)), ``integers`` (low <= value < high), ``bool`` (true with probability
    ``density``), ``literal`` (``values``, little-endian hexadecimal)."""
    low: Annotated[float, Meta(ge=-1e300, le=1e300)] = 0.0
    high: Annotated[float, Meta(ge=-1e300, le=1e300)] = 1.0
    density: Annotated[float, Meta(ge=0, le=1)] = 1.0
    values: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2})*\Z")] = ""

    def __post_init__(self) -> None:
        """Refuse an empty range."""
        if self.low > self.high:
            raise ValueError("low must not exceed high")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBlob:
    """A file of synthetic weights, which follow from dtype, generator and seed; longer files extend shorter ones.

    Constants of one benchmark refer to disjoint ranges of it; those of different benchmarks share ranges.
    """

    file: Annotated[str, Meta(pattern=r"^weights\.[A-Za-z0-9_.+-]{1,80}\.bin\Z")]
    """Plain file name, as in ``weights.float32.u-5.bin``; follows from dtype and generator."""
    dtype: Annotated[str, one_of(BY_NAME)]
    nbytes: Count
    generator: Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Location of the values of a constant in a weight file beside the network."""

    file: str
    """Plain file name."""
    offset: int
    """Byte at which the values start; their number follows from dtype and shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One operator call of the network."""

    name: str
    """Unique within the model."""
    op_type: str
    domain: str
    """``""`` is ``ai.onnx``."""
    since_version: int
    """Oldest version of the operator's schema with the same signature (attributes, defaults, inputs, outputs) as the
    one in effect, so that versions that only allow more types count as one; 1 where no schema is known."""
    attributes: tuple[tuple[str, str], ...]
    """Name and canonical JSON of every attribute, defaults included, sorted by name; floats as ``float.hex``; tensors
    as dtype, shape and sha256; bodies (If, Loop, Scan) in canonical form without names."""
    inputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional input."""
    outputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional output."""
    captured: tuple[str, ...] = ()
    """Tensors of the outer graph that bodies use, in order of first use inside the bodies, without duplicates."""
    node: bytes = b""
    """The serialised NodeProto, with defaults that the standard states in words, without documentation."""
    opset: int = 1
    """Version of ``domain`` that the model imports."""
    skip: str | None = None
    """Why the layer cannot be part of a benchmark; None if it can."""
    is_view: bool = False
    """Whether the layer only renames memory inside a network (``operators.table.layer_of``)."""

    @property
    def reads(self) -> tuple[str, ...]:
        """All tensors used, by position, without omitted ones, captured ones last."""
        return (*filter(None, self.inputs), *self.captured)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceFeatures:
    """Predictors of the cost of a sequence (``operators.costs``)."""

    operators: tuple[str, ...]
    flops: Count | None
    """Of one call; None if unknown, as for a loop whose turns an input decides."""
    weight_bytes: Count
    """Constants."""
    input_bytes: Count
    output_bytes: Count
    work: Count = 0
    """Of ``flops``, those that a kernel executes: without those on the padding of a convolution; of known ones."""
    fetched_bytes: Count = 0
    """Of ``weight_bytes``, those that are read: of a lookup table, at most the bytes of the result."""
    kinds: tuple[str, ...] = ()
    """Kind of computation and element type of each layer, without views; empty if unknown."""
    shape: tuple[Annotated[int, Meta(ge=1, le=2**63 - 1)], ...] = ()
    """Sizes >= 1 that count by their logarithms; equal ``kinds`` have the same ones in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringTarget:
    """Where a lowered graph is what the runtime executes."""

    runtime: str
    """Version, as in ``1.31.1``."""
    instruction_set: tuple[str, ...]
    """Extensions of the processor; for a GPU its compute capability, as in ``sm_90``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTraits:
    """What decides fingerprints and memory traffic of networks that were split for a target."""

    fuses_by_values: bool = False
    """Whether the runtime fuses layers by the values of single floats, such as the 3 and 6 of HardSwish."""
    groups_are_nodes: bool = False
    """Whether a group runs as one node, which writes no tensor inside it to memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A network with fixed shapes, constants apart, layers in topological order; the mappings are not to be changed."""

    name: str
    """File stem."""
    layers: tuple[Layer, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: Mapping[str, TensorSpec]
    """Of every input and layer output."""
    constants: Mapping[str, Constant]
    """Constants that layers (or graph outputs) use, by tensor name."""
    opsets: tuple[tuple[str, int], ...]
    """Imported operator sets, sorted: domain and version."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Layers (ascending indices) that runtimes fuse and that are never split; disjoint, at least two layers each."""
    observed: Mapping[str, bytes] | None = None
    """Values, little-endian, of tensors that decide shapes, observed in a run; None if none was needed."""
    target: str = "portable"
    """Target of the graph (``lowering.targets``)."""
    traits: TargetTraits = TargetTraits()
    """Of the target; part of the model, so that no fingerprint depends on what is installed."""
    made_for: LoweringTarget | None = None
    """Of a lowered graph read from a file; None for one lowered on this machine."""
    source_layers: int = 0
    """Operator calls in the file, before folding and lowering (functions inlined, Constant not counted)."""
    folded: int = 0
    """Of those, the number folded into constants or removed as unused."""
    assumed: Mapping[str, str] = field(default_factory=dict)
    """Tensors whose shapes follow from a value of an input that was made up, with the name of the input."""
    assumed_bodies: Mapping[str, str] = field(default_factory=dict)
    """Layers whose turns, branch or sizes inside follow from such a value, with the name of the input."""

    def spec(self, tensor: str) -> TensorSpec:
        """Return the specification of a tensor or constant."""
        constant = self.constants.get(tensor)
        return constant.spec if constant is not None else self.tensors[tensor]
