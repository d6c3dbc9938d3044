"""The types of a network: TensorSpec, Constant, Generator, WeightBlob, Layer, Model; which provider a target is for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from dlbricks.harness.dtypes import BY_NAME, byte_size
from dlbricks.typed_json import Count, one_of

OPENVINO = "openvino"
"""Name of the target that splits where OpenVINO does."""
VIEW_OPERATORS = frozenset({"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout"})
"""Operators of the default domain that only rename memory inside a network (Dropout: at inference)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSpec:
    """What is known of a tensor without its values."""

    name: str
    dtype: str
    """Element type by its name in ``harness.dtypes``; ``""`` for what is no tensor (sequence, optional, map)."""
    shape: tuple[int, ...]
    """Extents, all bound, all >= 0."""

    @property
    def elements(self) -> int:
        """Number of values."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all values, packed; 0 for strings and for values that are no tensor."""
        return byte_size(self.dtype, self.elements) if self.dtype in BY_NAME else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalData:
    """Where the values of a constant lie; they are not read."""

    path: str
    """File, absolute; need not exist."""
    offset: int
    """Byte at which the values begin."""
    length: int
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A tensor whose values belong to the network.

    At most one of ``values`` and ``fill`` is set. Kept are integers, booleans, single floats and all of at most 64
    bytes (they decide shapes, indices and scales), and floats of at most 64 KiB computed from such alone. All else is a
    weight.
    """

    spec: TensorSpec
    values: bytes | None = None
    """Kept values, little-endian, packed as in ONNX ``raw_data``."""
    fill: bytes | None = None
    """One element, little-endian: all values equal it (ConstantOfShape folded to a specification)."""
    source: ExternalData | None = None
    """Where the values of a weight would be found, for those who need the real ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """How the values of an input or of a weight are made; ``harness.values`` obeys it."""

    kind: Annotated[str, one_of(["uniform", "integers", "bool", "literal"])]
    """``uniform`` (floats in [low, high)), ``integers`` (low <= value < high), ``bool`` (share ``density`` is true),
    ``literal`` (``values``, little-endian hexadecimal)."""
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
    """One file of synthetic weights: a function of dtype, generator and seed alone; longer ones extend shorter.

    Constants of one benchmark point to distinct stretches of it, those of different benchmarks share it.
    """

    file: Annotated[str, Meta(pattern=r"^weights\.[A-Za-z0-9_.+-]{1,80}\.bin\Z")]
    """Plain file name, as in ``weights.float32.u-5.bin``; a pure function of dtype and generator."""
    dtype: Annotated[str, one_of(BY_NAME)]
    nbytes: Count
    generator: Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where the values of a constant lie: a stretch of a weight file beside the network."""

    file: str
    """Plain file name."""
    offset: int
    """Byte at which the values begin; how many follow is known from dtype and shape."""


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
    one that holds, so that versions which only allow more types count as one; 1 where no schema is known."""
    attributes: tuple[tuple[str, str], ...]
    """Name and canonical JSON text of every attribute, defaults filled in, sorted by name; floats as ``float.hex``;
    tensors as dtype, shape and sha256; bodies (If, Loop, Scan) in canonical form free of names."""
    inputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional input."""
    outputs: tuple[str, ...]
    """Tensor names by position; ``""`` is an omitted optional output."""
    captured: tuple[str, ...] = ()
    """Tensors of the outer graph that bodies use, in order of first use inside the bodies; no duplicates."""
    node: bytes = b""
    """The serialised NodeProto; defaults that the standard states in words are written out, documentation is gone."""
    opset: int = 1
    """Version of ``domain`` that the model imports."""
    skip: str | None = None
    """Why this layer can be no part of a benchmark; None if it can."""

    @property
    def is_view(self) -> bool:
        """Whether the layer only renames memory inside a network."""
        return self.domain == "" and self.op_type in VIEW_OPERATORS

    @property
    def reads(self) -> tuple[str, ...]:
        """All tensors used, by position, omitted ones left out, captured ones last."""
        return tuple(name for name in self.inputs if name) + self.captured


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceFeatures:
    """What can be said of the cost of a sequence without measuring it (``model.costs.features``)."""

    operators: tuple[str, ...]
    flops: int
    """Of one call."""
    weight_bytes: int
    """Constants."""
    input_bytes: int
    output_bytes: int
    work: int = 0
    """Of ``flops``, those that a kernel makes: none on the padding of a convolution."""
    fetched_bytes: int = 0
    """Of ``weight_bytes``, those that are read: of a table that is looked up in, as much as it gives."""
    kinds: tuple[str, ...] = ()
    """What is computed, on which element type, layer by layer, views left out; empty when it is not known."""
    shape: tuple[int, ...] = ()
    """Figures that count by their logarithms, each >= 1; of equal ``kinds`` equally many in equal order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFor:
    """Where a lowered graph is what the runtime executes."""

    runtime: str
    """Version, as in ``1.31.1``."""
    instruction_set: tuple[str, ...]
    """Extensions of the processor; of a GPU its compute capability, as in ``sm_90``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A network with every dimension bound, constants apart, layers in topological order.

    The mappings are not to be changed.
    """

    name: str
    """File stem."""
    layers: tuple[Layer, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: Mapping[str, TensorSpec]
    """Specification of every input and of every layer output."""
    constants: Mapping[str, Constant]
    """Constants that layers (or graph outputs) use, by tensor name."""
    opsets: tuple[tuple[str, int], ...]
    """Imported operator sets, sorted: domain and version."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Layers (indices, ascending) that runtimes fuse and that are never cut apart; disjoint; singles are not listed."""
    observed: Mapping[str, bytes] | None = None
    """Values, little-endian, of tensors that decide shapes and were seen in a real run; None if none was needed."""
    target: str = "portable"
    """What the graph was made for: ``portable``, ``onnxruntime-cpu``, ``onnxruntime-cuda`` or ``openvino``."""
    made_for: MadeFor | None = None
    """Of a lowered graph that was read from a file; None for one that was lowered here, for this machine."""
    source_layers: int = 0
    """Operator calls in the file as read, before folding and lowering (functions inlined, Constant not counted)."""
    folded: int = 0
    """Of those, how many were folded into constants or found dead."""

    def spec(self, tensor: str) -> TensorSpec:
        """Return the specification of a tensor or constant."""
        constant = self.constants.get(tensor)
        return constant.spec if constant is not None else self.tensors[tensor]


def provider_of(target: str) -> str:
    """Return the short name of the provider that executes what is made for a target; ``cpu`` for ``portable``."""
    return target.removeprefix("onnxruntime-") if target.startswith("onnxruntime-") else "cpu"
