"""The types of a network: tensors, constants, generators of synthetic values, layers, and the Model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from dlbricks.harness.dtypes import BY_NAME, byte_size
from dlbricks.typed_json import Count, one_of

_TYPE_NAMES = {"float32": "float", "float64": "double"}


def type_text(dtype: str) -> str:
    """Return the name of a tensor type in schemas, as in ``tensor(float)``."""
    return f"tensor({_TYPE_NAMES.get(dtype, dtype)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSpec:
    """Name, element type and shape of a tensor."""

    name: str
    dtype: str
    """Element type by its name in ``harness.dtypes``; ``""`` for values that are not tensors (sequence, map)."""
    shape: tuple[int, ...]
    """Extents, each 0 or more."""

    @property
    def elements(self) -> int:
        """Number of values."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Size of all packed values, bytes; 0 for strings and values other than tensors."""
        return byte_size(self.dtype, self.elements) if self.dtype in BY_NAME else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalData:
    """Range of a file with the values of a constant."""

    path: str
    """Absolute path of the file; the file need not exist."""
    offset: int
    """Byte at which the values start."""
    length: int
    """Length of the values, bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A tensor whose values belong to the network.

    At most one of ``values`` and ``fill`` is set. Values that may decide shapes, indices or scales are in memory:
    integers, booleans, single floats, values of at most 64 bytes, and floats of at most 64 KiB that were computed from
    such values. All other constants are weights.
    """

    spec: TensorSpec
    values: bytes | None = None
    """Values in memory, little-endian, packed as in ONNX ``raw_data``; None for weights."""
    fill: bytes | None = None
    """The element, little-endian, to which all values are equal (of a folded ConstantOfShape)."""
    source: ExternalData | None = None
    """Range of a file with the values; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Distribution of the synthetic values of an input or a weight."""

    kind: Annotated[str, one_of(["uniform", "integers", "spaced", "bool", "literal"])]
    """``uniform`` (floats in [low, high)), ``integers`` (low <= value < high), ``spaced`` (booleans, of which a share
    ``density`` is true, evenly spaced), ``bool`` (booleans at random, in older suites) or ``literal`` (``values``,
    little-endian hexadecimal)."""
    low: Annotated[float, Meta(ge=-1e300, le=1e300)] = 0.0
    high: Annotated[float, Meta(ge=-1e300, le=1e300)] = 1.0
    density: Annotated[float, Meta(ge=0, le=1)] = 1.0
    values: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2})*\Z")] = ""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for an empty range."""
        if self.low > self.high:
            raise ValueError("low must not exceed high")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBlob:
    """A file of synthetic weights, which follow from dtype, generator and seed.

    Constants of one benchmark refer to disjoint ranges of the file; constants of different benchmarks share ranges.
    """

    file: Annotated[str, Meta(pattern=r"^weights\.[A-Za-z0-9_.+-]{1,80}\.bin\Z")]
    """File name without folder, as in ``weights.float32.u-5.bin``, which follows from dtype and generator."""
    dtype: Annotated[str, one_of(BY_NAME)]
    nbytes: Count
    generator: Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The place of a constant's values in a weight file beside the network."""

    file: str
    """File name without folder."""
    offset: int
    """Byte at which the values start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """An operator call of a network."""

    name: str
    """Name, which is unique within the model."""
    op_type: str
    domain: str
    """Domain of the operator; ``""`` is ``ai.onnx``."""
    since_version: int
    """Oldest version of the operator with the same signature; 1 if no schema is known."""
    attributes: tuple[tuple[str, str], ...]
    """Names and canonical JSON of all attributes, defaults included, sorted by name: floats as ``float.hex``; tensors
    as dtype, shape and sha256; bodies (If, Loop, Scan) in canonical form without names."""
    inputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional input."""
    outputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional output."""
    captured: tuple[str, ...] = ()
    """Outer tensors that the layer's bodies use, each once, in order of first use."""
    node: bytes = b""
    """The serialised NodeProto, without documentation, with defaults that the standard states only in prose."""
    opset: int = 1
    """Version of ``domain`` that the model imports."""
    skip: str | None = None
    """Reason why the layer cannot be part of a benchmark; None if it can be."""
    is_view: bool = False
    """Whether the layer moves no data inside a network: its output uses the memory of its input."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of all tensors that the layer reads; outer tensors that bodies read come last."""
        return (*filter(None, self.inputs), *self.captured)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceFeatures:
    """Operation counts, bytes and sizes of a layer sequence, from which its latency is predicted."""

    operators: tuple[str, ...]
    flops: Count | None
    """FLOPs of matrix products, convolutions and the like in a call; None if unknown."""
    weight_bytes: Count
    """Size of all constants of the sequence, bytes."""
    input_bytes: Count
    output_bytes: Count
    work: Count = 0
    """``flops`` of the layers with known FLOPs, without operations on padding."""
    fetched_bytes: Count = 0
    """Bytes of constants that a call reads; of a lookup table, at most the size of the result."""
    kinds: tuple[str, ...] = ()
    """Kind of computation and element type of each layer that is not a view; empty if unknown."""
    shape: tuple[Annotated[int, Meta(ge=1, le=2**63 - 1)], ...] = ()
    """Sizes of all layers, each 1 or more; sequences with equal ``kinds`` list them in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringTarget:
    """Runtime version and processor of a lowered graph."""

    runtime: str
    """Version of the runtime, as in ``1.31.1``."""
    instruction_set: tuple[str, ...]
    """Architecture and extensions of the processor; for a GPU, its compute capability, as in ``sm_90``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTraits:
    """Properties of a runtime that decide fingerprints and memory traffic."""

    fuses_by_values: bool = False
    """Whether the runtime fuses layers by the values of single floats, such as the 3 and 6 of HardSwish."""
    groups_are_nodes: bool = False
    """Whether fused layers run as one node, which writes no inner tensor to memory."""
    plans_memory: bool = True
    """Whether onnxruntime's plan (``construct.memory_plan``) decides the order of layers and the use of memory.
    Otherwise layers run in the model's order, and no buffer outlives its tensor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A network with fixed shapes, and layers in topological order; never change its mappings."""

    name: str
    """Name of the file without suffix."""
    layers: tuple[Layer, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: Mapping[str, TensorSpec]
    """Name, dtype and shape of all inputs and layer outputs, by name."""
    constants: Mapping[str, Constant]
    """Constants that layers or graph outputs use, by tensor name."""
    opsets: tuple[tuple[str, int], ...]
    """Imported operator sets: domain and version, sorted."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Groups of two or more layers that runtimes fuse, as ascending indices; no layer is in two groups."""
    observed: Mapping[str, bytes] | None = None
    """Values (little-endian) of tensors that decide shapes, as a run computed them; None without a run."""
    target: str = "portable"
    """Name of the runtime and provider that the graph is for, as in ``onnxruntime-cpu``; ``portable`` for any."""
    traits: TargetTraits = TargetTraits()
    """Properties of the target's runtime."""
    made_for: LoweringTarget | None = None
    """Runtime and processor of a graph that ``dlbricks lower`` wrote; None for other graphs."""
    source_layers: int = 0
    """Number of operator calls in the file, without Constant nodes; calls inside inlined functions count."""
    folded: int = 0
    """Number of operator calls that were folded into constants or removed as unused."""
    assumed: Mapping[str, str] = field(default_factory=dict)
    """Maps a tensor to the input whose synthetic value decides the tensor's shape."""
    assumed_bodies: Mapping[str, str] = field(default_factory=dict)
    """Maps a layer to the input whose synthetic value decides the layer's iterations, branch or inner sizes."""

    def spec(self, tensor: str) -> TensorSpec:
        """Return name, dtype and shape of a tensor or constant."""
        constant = self.constants.get(tensor)
        return constant.spec if constant is not None else self.tensors[tensor]
