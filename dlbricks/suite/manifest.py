"""``suite.json``: what a suite holds, from there to JSON and back, and the digest that seals it."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias, TypedDict

import msgspec
from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json, digest_json
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.types import Generator, WeightBlob
from dlbricks.typed_json import Count, Digest, checked, one_of

MANIFEST = "suite.json"
"""Name of the manifest in a suite folder."""

SUITE_FORMAT = "dlbricks-suite"
SUITE_SCHEMA_VERSION = 2

COMMON_DIMENSIONS = (
    *(
        "batch",
        "batch_size",
        "n",
        "N",
        "channels",
        "num_channels",
        "height",
        "width",
        "h",
        "w",
        "H",
        "W",
        "frames",
        "time",
    ),
    *("seq", "seq_len", "sequence", "sequence_length", "length", "past_sequence_length", "total_sequence_length"),
    *(
        "encoder_sequence_length",
        "decoder_sequence_length",
        "encoder_sequence_length_out",
        "past_decoder_sequence_length",
    ),
)
"""Names of dimensions that exporters write; any other may be the owner's own word, and stays with the owner."""

ROLES = ("sequence", "anchor", "overhead", "nodes", "curve", "whole", "baseline")
"""What a benchmark can be for."""

Role = Annotated[str, one_of(ROLES)]
ElementTypeName = Annotated[str, one_of(BY_NAME)]
DimensionName = Annotated[str, one_of(COMMON_DIMENSIONS)]
PlainName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_]{1,80}\Z")]
OperatorName = Annotated[str, Meta(pattern=r"^[!-~]{1,200}\Z")]
SuiteName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.+-]{1,80}\Z")]
GranularityText = Annotated[str, Meta(pattern=r"^(?:[1-9][0-9]*|inf)\Z")]
Shape = Annotated[tuple[Count, ...], Meta(max_length=16)]
Number: TypeAlias = int | float | Annotated[str, one_of(["nan", "inf", "-inf"])]
"""A number, or what JSON has no number for."""


class OutputDigest(TypedDict):
    """Summary of one output, to compare answers by (``harness.output_digest``)."""

    shape: Annotated[list[Count], Meta(max_length=16)]
    dtype: ElementTypeName
    finite: Annotated[float, Meta(ge=0, le=1)]
    """Share of finite values."""
    norm1: Number
    norm2: Number
    samples: Annotated[list[Number], Meta(max_length=128)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorContract:
    """An input or output of a benchmark's network."""

    name: PlainName
    dtype: ElementTypeName
    shape: Shape
    generator: Generator | None
    """None for outputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One standalone network and all that is needed to run it."""

    fingerprint: Digest
    name: PlainName
    """Readable, from operators, as in ``Conv_Relu``; says nothing of the model."""
    network: Annotated[str, Meta(pattern=r"^networks/[0-9a-f]{64}\.onnx\Z")]
    """Path in the suite, ``networks/<fingerprint>.onnx``."""
    digest: Digest
    """sha256 of the network file."""
    optimization: Annotated[str, one_of(["all", "none"])]
    """``all`` or ``none``: graph optimisations of the runtime."""
    role: Role
    """``sequence``, ``anchor``, ``overhead`` (an empty graph), ``curve`` (measured at several reuse distances) or, in
    validations only, ``whole`` (a network end to end) and ``baseline`` (a part as a published recipe cuts it)."""
    operators: tuple[OperatorName, ...]
    layers: Count
    """Layers that count for H."""
    inputs: tuple[TensorContract, ...]
    outputs: tuple[TensorContract, ...]
    weight_bytes: Count
    activation_bytes: Count
    """Inputs and outputs."""
    flops: Count
    """Operations of one call (``model.costs.flops``)."""
    importance: Annotated[float, Meta(gt=0, le=1)]
    """Greatest share, over the networks of the suite, of a network's predicted time that all uses of this sequence have
    together; a power of 2, rounded down. 1 for what is no sequence."""
    reference: tuple[OutputDigest, ...] | None
    """A digest per output; None when no reference can be given."""
    reference_note: str
    """Why ``reference`` is None."""
    overwrites: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_]{0,80}\Z")]
    """Name of the input in whose buffer the only output is made, as it is inside a network; empty if there is none."""
    shared: dict[str, str] = field(default_factory=dict)
    """By output the input in whose buffer it is made: caches that grow in place. Empty, and not written, for others."""
    work: Count = 0
    """Of ``flops``, those that are made: none on padding. This and the following are 0 and empty in older suites."""
    fetched_bytes: Count = 0
    """Of ``weight_bytes``, those that a call reads."""
    kinds: tuple[str, ...] = ()
    """What each layer computes and on which element type, views left out."""
    shape: tuple[Count, ...] = ()
    """Figures of the layers one after another; of equal kinds equally many in equal order."""

    def __post_init__(self) -> None:
        """Refuse a network elsewhere, and an input that cannot be the buffer of the output."""
        if self.network != f"networks/{self.fingerprint}.onnx":
            raise ValueError(f"network is {self.network[:99]!r}, it must be 'networks/{self.fingerprint}.onnx'")
        shared = [one for one in self.inputs if one.name == self.overwrites]
        same = len(self.outputs) == 1 and all(
            (one.dtype, one.shape) == (self.outputs[0].dtype, self.outputs[0].shape) for one in shared
        )
        if self.overwrites and not (len(shared) == 1 and same):
            raise ValueError(f"'overwrites' is {self.overwrites[:80]!r}, no input of the size of the only output")
        inputs, outputs = ({one.name: (one.dtype, one.shape) for one in many} for many in (self.inputs, self.outputs))
        for after, before in self.shared.items():
            if after not in outputs or outputs[after] != inputs.get(before):
                raise ValueError(f"'shared' has {after[:80]!r}: {before[:80]!r}, no output and an input of its size")
        if len({*self.shared.values()}) < len(self.shared):
            raise ValueError("'shared' names an input twice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the networks of a suite were made for."""

    name: str
    """``portable``, ``onnxruntime-cpu``, ``onnxruntime-cuda`` or ``openvino``."""
    runtime: str
    """Version of the runtime that lowered the networks, as in ``1.31.1``; empty for portable."""
    instruction_set: tuple[str, ...]
    """Machine and vector extensions that a machine must have, or the GPU's compute capability, as in ``sm_90``; empty
    for portable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """The content of ``suite.json``."""

    name: SuiteName
    granularity: GranularityText
    """H, the most layers in one sequence, as in ``5`` or ``inf``."""
    splitter: str
    target: Target
    seed: Count
    """Of weights and inputs."""
    weights: tuple[WeightBlob, ...]
    benchmarks: tuple[Benchmark, ...]
    """Anchors and the overhead benchmark first, then sequences by fingerprint."""
    generator_version: Annotated[str, Meta(pattern=r"^[0-9A-Za-z.+!-]{1,40}\Z")]
    """dlbricks version that made the suite."""
    digest: Digest
    """sha256 of the canonical JSON of everything else in ``suite.json`` (network files enter by their digests);
    empty until it is ``sealed``."""
    dims: dict[DimensionName, Count] = field(default_factory=dict)
    """Extents that dimensions with names in ``COMMON_DIMENSIONS`` were given, which shapes show, too; of others nothing
    is written, and nothing at all where decoys or covers are to hide what is whose. Left out of the file when empty."""
    batch: Count = 0
    """Inputs per call where files were given another batch; left out of the file when 0."""

    def __post_init__(self) -> None:
        """Refuse what occurs twice."""
        _refuse_twice((one.fingerprint for one in self.benchmarks), "fingerprint")
        _refuse_twice((blob.file for blob in self.weights), "weight file")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkReport:
    """What became of one network; it stays with the network's owner and is no part of a suite."""

    network: str
    """File stem."""
    source_layers: int = 0
    """Operator calls in the file as read."""
    folded: int = 0
    """Of those, folded into constants or dead."""
    layers: int = 0
    """Layers that were split."""
    sequences: int = 0
    """Layer sequences that cover them."""
    unique_sequences: int = 0
    """Different ones among those that became benchmarks."""
    skipped: tuple[tuple[str, int], ...] = ()
    """Reason and number of layers, for sequences of which no benchmark can be made; sorted by reason."""
    pairs: int = 0
    """Different unions of two adjacent sequences that became benchmarks too."""
    unsupported: str = ""
    """Why nothing of the network is in the suite; empty if it is."""
    uncovered: tuple[str, ...] = ()
    """Operators that no network of the cover has, where there is one."""


def _refuse_twice(values: Iterable[str], what: str) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"{what} {twice[0]} occurs twice")


def to_document(suite: Suite) -> dict[str, Json]:
    """Give the JSON document of a suite, ``format`` and ``schema_version`` first."""
    content: dict[str, Any] = msgspec.to_builtins(suite)
    written = {key: value for key, value in content.items() if value or key not in ("dims", "batch")}
    for benchmark in content["benchmarks"]:
        if not benchmark["shared"]:
            del benchmark["shared"]
    return {"format": SUITE_FORMAT, "schema_version": SUITE_SCHEMA_VERSION, **written}


def content_digest(document: dict[str, Json]) -> str:
    """Give the sha256 of the canonical JSON of everything but the field ``digest``."""
    return digest_json({key: value for key, value in document.items() if key != "digest"})


def sealed(suite: Suite) -> Suite:
    """Give the suite with its digest filled in."""
    return dataclasses.replace(suite, digest=content_digest(to_document(suite)))


def render_manifest(suite: Suite) -> str:
    """Write ``suite.json``: one field per line, one weight file per line, one benchmark per line."""
    lines = []
    for key, value in to_document(suite).items():
        if key in {"weights", "benchmarks"} and isinstance(value, Sequence):
            rows = ",\n".join(_compact(row) for row in value)
            text = f"[\n{rows}\n]" if rows else "[]"
        else:
            text = _compact(value)
        lines.append(f'"{key}": {text}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def from_document(document: dict[str, Any], where: str = MANIFEST) -> Suite:
    """Read a suite from its JSON document; unknown fields are ignored, so that newer minor versions can be read.

    Args:
        document: content of ``suite.json``.
        where: the file, for messages.

    Raises:
        InputError: no suite, of another version, or a field is missing, of a wrong type or out of range; the message
            names the field. The digest is not compared here.
    """
    if document.get("format") != SUITE_FORMAT:
        raise InputError(f'{where} is no dlbricks suite: "format" is not "{SUITE_FORMAT}"')
    version = checked(_Version, document, where)["schema_version"]
    if version > SUITE_SCHEMA_VERSION:
        raise InputError(
            f"{where} was written by a newer dlbricks: schema version {version}, this one reads up to "
            f"{SUITE_SCHEMA_VERSION}; update dlbricks"
        )
    if version < SUITE_SCHEMA_VERSION:
        raise InputError(f"{where} was made by an older dlbricks: generate it again")
    return checked(Suite, document, where)


class _Version(TypedDict):
    schema_version: int
