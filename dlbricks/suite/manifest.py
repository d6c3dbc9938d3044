"""Defines the content of ``suite.json``; reads suites from folders and archives, and packs them.

A packed suite is a ``.tar.gz`` or ``.tar.xz`` file; the same compression library packs equal suites to equal files.
"""

import contextlib
import dataclasses
import gzip
import io
import json
import lzma
import re
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypedDict

import msgspec
from msgspec import Meta

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.files import check_directory, read_text, write_bytes
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.types import Generator, WeightBlob
from dlbricks.settings import SplitSettings
from dlbricks.typed_json import Count, Digest, Json, checked, digest_bytes, digest_json, one_of, parse_object
from dlbricks.units import format_bytes

# Name of the manifest in a suite folder.
MANIFEST = "suite.json"

SUITE_FORMAT = "dlbricks-suite"
# Since 3 ``fetched_bytes`` and ``importance`` count the rows that a call reads of a table; before, whole tables.
SUITE_SCHEMA_VERSION = 3
# Version of the oldest suites that can be read: they have the same fields.
OLDEST_SUITE = 2

# Names that exporters give to dimensions, and to inputs whose values decide sizes. Other names may be the owner's own
# and are not written to suites.
COMMON_DIMENSIONS = (
    *("batch", "batch_size", "n", "N", "channels", "num_channels", "height", "width", "h", "w", "H", "W"),
    *("frames", "time", "seq", "seq_len", "sequence", "sequence_length", "length"),
    *("past_sequence_length", "total_sequence_length", "encoder_sequence_length", "decoder_sequence_length"),
    *("encoder_sequence_length_out", "past_decoder_sequence_length"),
    *("k", "sizes", "scales", "steps", "sr", "max_length", "min_length", "num_beams", "trip_count", "timestep"),
    *("orig_im_size", "use_cache_branch", "has_mask_input"),
)

# Roles of benchmarks.
ROLES = ("sequence", "anchor", "overhead", "nodes", "curve", "network", "whole", "baseline")

Role = Annotated[str, one_of(ROLES)]
ElementTypeName = Annotated[str, one_of(BY_NAME)]
DimensionName = Annotated[str, one_of(COMMON_DIMENSIONS)]
# Numbers and booleans only: the name of a file would make the suite's receiver read that file.
VALUE_TEXT = re.compile(r"^(?:true|false|[-+.0-9eE]+)(?:, ?(?:true|false|[-+.0-9eE]+)){0,63}\Z")
ValueText = Annotated[str, Meta(pattern=VALUE_TEXT.pattern, max_length=400)]
PlainName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_]{1,80}\Z")]
OperatorName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:+-]{1,200}\Z")]
SuiteName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.+-]{1,80}\Z")]
GranularityText = Annotated[str, Meta(pattern=r"^(?:[1-9][0-9]*|inf)\Z")]
Shape = Annotated[tuple[Count, ...], Meta(max_length=16)]
# A number; NaN and infinities as strings.
Number: TypeAlias = int | float | Annotated[str, one_of(["nan", "inf", "-inf"])]


class OutputDigest(TypedDict):
    """A summary of one output, by which outputs of two machines are compared."""

    shape: Annotated[list[Count], Meta(max_length=16)]
    dtype: ElementTypeName
    finite: Annotated[float, Meta(ge=0, le=1)]
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


# For each tensor: bytes, reuse distance in bytes, and age in steps, as in ``construct.types``.
Touches = tuple[tuple[Count, Count, Count], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkStep:
    """One occurrence of a layer sequence in a reference network, and the memory that its layers read and write."""

    fingerprint: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{64})?\Z")] = ""
    """Empty for a sequence that only renames memory."""
    constants: Touches = ()
    inputs: Touches = ()
    outputs: Touches = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A standalone network in a suite, with what is needed to run and time it."""

    fingerprint: Digest
    name: PlainName
    network: Annotated[str, Meta(pattern=r"^networks/[0-9a-f]{64}\.onnx\Z")]
    digest: Digest
    optimization: Annotated[str, one_of(["all", "none"])]
    role: Role
    """``sequence``, ``anchor``, ``overhead`` (an empty graph), ``nodes`` (a chain of empty nodes), ``curve`` (measured
    at several reuse distances) or ``network`` (a reference network as a whole). Only in validations: ``whole`` (another
    network as a whole) and ``baseline`` (a part that DLBricks' published method measures)."""
    operators: tuple[OperatorName, ...]
    layers: Count
    inputs: tuple[TensorContract, ...]
    outputs: tuple[TensorContract, ...]
    weight_bytes: Count
    activation_bytes: Count
    flops: Count | None
    """FLOPs of matrix products, convolutions and the like in one call; None if unknown."""
    importance: Annotated[float, Meta(gt=0, le=1)]
    """Share of a network's predicted time that the sequence takes, rounded down to a power of 2. Of several networks,
    the largest share counts. Benchmarks of other roles have 1."""
    reference: tuple[OutputDigest, ...] | None
    """One digest per output; None if the benchmark has no reference outputs."""
    reference_note: str
    overwrites: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_]{0,80}\Z")]
    """Name of the input whose buffer receives the only output, as inside a network; empty if no input's buffer does."""
    shared: dict[str, str] = field(default_factory=dict)
    """Maps an output to the input whose buffer it shares (a cache that grows in place); not written if empty."""
    work: Count = 0
    """``flops`` without operations on padding. In older suites this and all later fields are 0 or empty."""
    fetched_bytes: Count = 0
    """Bytes of the weights that a call reads, at most ``weight_bytes``."""
    kinds: tuple[str, ...] = ()
    """Kind of computation and element type of each layer that is not a view."""
    shape: tuple[Count, ...] = ()
    """Sizes of all layers; benchmarks with equal ``kinds`` list them in the same order."""
    assumed: bool = False
    """Whether sizes, loop counts or a branch depend on the assumed value of an input; not written if false."""
    steps: tuple[NetworkStep, ...] = ()
    """Layer sequences of a reference network, in the order in which they run; not written if empty."""
    block: Count = 0
    """Only processors that keep this number of channels together need the benchmark; not written if 0: all do."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if the path of the network is wrong, or tensors that share a buffer differ in size."""
        if self.network != f"networks/{self.fingerprint}.onnx":
            raise ValueError(f"'network' is {self.network[:99]!r}: it must be 'networks/{self.fingerprint}.onnx'")
        shared = [tensor for tensor in self.inputs if tensor.name == self.overwrites]
        same = len(self.outputs) == 1 and all(
            (tensor.dtype, tensor.shape) == (self.outputs[0].dtype, self.outputs[0].shape) for tensor in shared
        )
        if self.overwrites and not (len(shared) == 1 and same):
            raise ValueError(f"'overwrites' is {self.overwrites[:80]!r}: expected an input as large as the only output")
        inputs, outputs = (
            {tensor.name: (tensor.dtype, tensor.shape) for tensor in many} for many in (self.inputs, self.outputs)
        )
        for after, before in self.shared.items():
            if after not in outputs or outputs[after] != inputs.get(before):
                raise ValueError(f"'shared' maps {after[:80]!r} to {before[:80]!r}: expected an output and equal input")
        if len({*self.shared.values()}) < len(self.shared):
            raise ValueError("'shared' maps two outputs to the same input")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Runtime and hardware for which the networks of a suite were lowered."""

    name: str
    runtime: str
    """Version of the runtime, as in ``1.31.1``; empty for the target ``portable``."""
    instruction_set: tuple[str, ...]
    """Architecture and vector extensions that a machine needs, or the GPU's compute capability, as in ``sm_90``; empty
    for the target ``portable``. With ``blocks`` those of the machine that made the suite and its references."""
    blocks: tuple[Count, ...] = ()
    """The suite is for processors that keep any of these numbers of channels together; not written if empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Content of ``suite.json``: benchmarks and settings."""

    name: SuiteName
    granularity: GranularityText
    """Maximum number of layers in a sequence, as in ``5`` or ``inf``."""
    splitter: str
    target: Target
    seed: Count
    weights: tuple[WeightBlob, ...]
    benchmarks: tuple[Benchmark, ...]
    """Fixed benchmarks first, such as that of call overhead; then layer sequences by fingerprint."""
    generator_version: Annotated[str, Meta(pattern=r"^[0-9A-Za-z.+-]{1,40}\Z")]
    digest: Digest
    """SHA-256 of the canonical JSON of all other fields; empty until ``with_digest`` sets it."""
    dims: dict[DimensionName, Count] = field(default_factory=dict)
    """Extents of symbolic dimensions with names in common use (``COMMON_DIMENSIONS``); not written if empty."""
    values: dict[DimensionName, ValueText] = field(default_factory=dict)
    """Values of inputs with names in ``COMMON_DIMENSIONS``, except values from files; not written if empty."""
    batch: Count = 0
    """Batch size that replaces the one in the network files; not written if 0."""
    passes: tuple[Digest, ...] = ()
    """SHA-256 of each of the owner's passes that changed the networks; not written if empty."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if a fingerprint or a weight file occurs twice."""
        _refuse_twice((benchmark.fingerprint for benchmark in self.benchmarks), "fingerprint")
        _refuse_twice((blob.file for blob in self.weights), "weight file")

    @property
    def sequences(self) -> tuple[str, ...]:
        """Fingerprints of the benchmarks with role ``sequence``."""
        return tuple(benchmark.fingerprint for benchmark in self.benchmarks if benchmark.role == "sequence")

    @property
    def settings(self) -> SplitSettings:
        """Settings by which networks were split, as far as the suite discloses them."""
        return SplitSettings(
            granularity=self.granularity,
            target=self.target.name,
            splitter=self.splitter,
            dims=self.dims,
            values=self.values,
            batch=self.batch or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkReport:
    """Report on one network, which stays with the owner and is not part of the suite."""

    network: str
    source_layers: int = 0
    """Number of operator calls in the file."""
    folded: int = 0
    """Number of operator calls that were folded into constants or are unused."""
    layers: int = 0
    sequences: int = 0
    unique_sequences: int = 0
    skipped: tuple[tuple[str, int], ...] = ()
    """Number of layers in sequences without a benchmark, by reason, sorted."""
    pairs: int = 0
    unsupported: str = ""
    """Reason why the network is not in the suite; empty if the suite includes it."""
    assumed: tuple[str, ...] = ()
    """Sizes, loop counts and branches that depend on assumed values, as one sentence per input."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Fingerprint and reason of each sequence whose benchmark did not run."""


def _refuse_twice(values: Iterable[str], what: str) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"{what} {twice[0]} occurs twice")


def to_document(suite: Suite) -> dict[str, Json]:
    """Return the JSON document of ``suite.json``."""
    content: dict[str, Any] = msgspec.to_builtins(suite)
    written = {
        key: value for key, value in content.items() if value or key not in ("dims", "values", "batch", "passes")
    }
    for part in (content["target"], *content["benchmarks"]):
        for key in ("shared", "assumed", "steps", "block", "blocks"):
            if not part.get(key, True):
                del part[key]
    return {"format": SUITE_FORMAT, "schema_version": SUITE_SCHEMA_VERSION, **written}


def content_digest(document: dict[str, Json]) -> str:
    """Return the SHA-256 of a document without its field ``digest``."""
    return digest_json({key: value for key, value in document.items() if key != "digest"})


def with_digest(suite: Suite) -> Suite:
    """Return the suite with its ``digest``."""
    return dataclasses.replace(suite, digest=content_digest(to_document(suite)))


def render_manifest(suite: Suite) -> str:
    """Return the text of ``suite.json``, one field, weight file or benchmark per line."""
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
    """Convert the document of ``suite.json`` to a suite, without its digest and unknown fields.

    Raises ``InputError`` about the file ``where`` if the format, the schema version or a field is invalid.
    """
    if document.get("format") != SUITE_FORMAT:
        raise InputError(f'{where} is not a dlbricks suite: "format" is not "{SUITE_FORMAT}"')
    version = checked(_Version, document, where)["schema_version"]
    if version > SUITE_SCHEMA_VERSION:
        raise InputError(
            f"{where} was written by a newer dlbricks: schema version {version}, this one reads up to "
            f"{SUITE_SCHEMA_VERSION}; update dlbricks"
        )
    if version < OLDEST_SUITE:
        raise InputError(f"{where} was written by an older dlbricks: generate the suite again")
    return checked(Suite, document, where)


class _Version(TypedDict):
    schema_version: int


# Suffixes of packed suites. Benchmarks repeat each other beyond the window of gzip, so xz is 40 % smaller.
SUFFIXES = (".tar.gz", ".tar.xz")

# in this order: small files that are read first come first; other files of a folder are not packed
_PACKED = (
    MANIFEST,
    "README.md",
    "AUDIT.md",
    "run.py",
    "harness/**/*.py",
    "harness/**/*.onnx",
    "networks/*.onnx",
    "benchmarks/*.py",
)
_TOO_LARGE = f"it unpacks to more than {format_bytes(limits.SUITE_BYTES)} or {limits.SUITE_MEMBERS:,} files"
_XZ, _GZIP = b"\xfd7zXZ\x00", b"\x1f\x8b"
# zipfile raises RuntimeError for an encrypted file or an unsupported compression
_DAMAGES = (
    tarfile.TarError,
    zipfile.BadZipFile,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    RuntimeError,
)


def pack(folder: Path, out: Path) -> None:
    """Pack a suite's folder into the archive ``out`` (``.tar.gz``, ``.tar.xz``), without generated weights and results.

    Equal suites give equal files if the archives have the same name, since owners and times in them are fixed.
    """
    buffer, name = io.BytesIO(), out.name.partition(".tar.")[0]
    try:
        with (
            _compressed(buffer, out) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for pattern in _PACKED:
                for path in sorted(folder.glob(pattern)):
                    member, data = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}"), path.read_bytes()
                    member.size, member.mode = len(data), 0o644
                    archive.addfile(member, io.BytesIO(data))
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    if out.is_file() and out.stat().st_size and out.read_bytes() != buffer.getvalue():
        raise InputError(f"{out} holds another suite: choose another path, or remove it")
    write_bytes(out, buffer.getvalue())


def _compressed(buffer: io.BytesIO, out: Path) -> gzip.GzipFile | lzma.LZMAFile:
    if out.name.endswith(".xz"):
        return lzma.LZMAFile(buffer, "wb", preset=9 | lzma.PRESET_EXTREME)
    return gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0)


@contextlib.contextmanager
def unpacked_suite(path: Path) -> Iterator[Path]:
    """Yield the folder of a suite; ``path`` is a folder, its ``suite.json``, or an archive to unpack.

    Raises ``InputError`` if an archive is damaged or too large, or has links, duplicate or absolute paths.
    """
    if not path.is_file() or path.name == MANIFEST:
        yield path.parent if path.is_file() else path
        return
    if path.suffix == ".onnx":
        raise InputError(f"{path} is not a suite: write a suite of a network with 'dlbricks generate {path}'")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch).resolve()
        try:
            if zipfile.is_zipfile(path):
                check_directory(path)
                _unzip(path, folder)
            else:
                with _uncompressed(path) as stream, tarfile.open(fileobj=_Bounded(stream), mode="r|") as archive:
                    _unpack(archive, folder)
        except _DAMAGES as error:
            raise InputError(f"{path} is not a packed suite, or is damaged: {error}") from error
        manifests = sorted([*folder.glob(MANIFEST), *folder.glob(f"*/{MANIFEST}")])
        if len(manifests) != 1:
            raise InputError(f"{path} is not a packed suite: it has no {MANIFEST}")
        yield manifests[0].parent


def _uncompressed(path: Path) -> gzip.GzipFile | lzma.LZMAFile:
    with path.open("rb") as file:
        begin, more = file.read(len(_XZ)), file.read(100)
    if b'"dlbricks-submission"' in more:
        raise InputError(f"{path} is a result, not a suite: 'dlbricks submit' adds it to a store")
    if begin != _XZ and not begin.startswith(_GZIP):
        raise ValueError("expected a .tar.gz, .tar.xz or zip file, as 'dlbricks generate NETWORK --pack' writes")
    return lzma.LZMAFile(path) if begin == _XZ else gzip.GzipFile(path)


def _unzip(path: Path, folder: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > limits.SUITE_BYTES or len(members) > limits.SUITE_MEMBERS:
            raise ValueError(_TOO_LARGE)
        for member in members:
            _place(folder, member.filename, None if member.is_dir() else archive.read(member))


# A stream with a limit on the bytes that are read, independent of sizes stated in the archive.
class _Bounded(io.RawIOBase):
    def __init__(self, stream: gzip.GzipFile | lzma.LZMAFile) -> None:
        self._stream = stream
        self._left = limits.SUITE_BYTES

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ValueError(_TOO_LARGE)
        return data


# Unpack regular files without their metadata (filters of tarfile need Python 3.11.4).
def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    for number, member in enumerate(archive):
        if not (member.isfile() or member.isdir()):
            raise ValueError(f"member {member.name} is not a regular file")
        if number >= limits.SUITE_MEMBERS or member.size > limits.SUITE_BYTES:
            raise ValueError(_TOO_LARGE)
        data = archive.extractfile(member)
        _place(folder, member.name, None if data is None else data.read())


# Write a file of an archive below a folder; without data, create a folder.
def _place(folder: Path, name: str, data: bytes | None) -> None:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise ValueError(f"member {name} is outside of the folder of the suite")
    if data is None:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        raise ValueError(f"member {name} occurs twice")
    path.write_bytes(data)


def read_suite(path: Path) -> Suite:
    """Read a suite from a folder or an archive and check its networks; the harness may be missing.

    Raises ``InputError`` if a network is missing or was changed.
    """
    with unpacked_suite(path) as folder:
        suite = read_manifest(folder)
        for finding in _differences(folder, suite):
            raise InputError(f"{path}: {finding}; generate the suite again")
    return suite


def read_manifest(folder: Path) -> Suite:
    """Read ``suite.json`` from a suite's folder and check its digest."""
    file = folder / MANIFEST
    if not folder.is_dir():
        raise InputError(f"{folder} does not exist: name a folder or an archive of a suite")
    if not file.is_file():
        raise InputError(f"{folder} is not a suite: it has no {MANIFEST}; of a network, 'dlbricks generate' writes one")
    document = parse_object(read_text(file, what="suite"), str(file))
    suite = from_document(document, str(file))
    if content_digest(document) != suite.digest:
        raise InputError(f"{file} was changed after it was written: its digest differs; generate the suite again")
    return suite


def read_network(folder: Path, fingerprint: str) -> bytes:
    """Return the ONNX file of a benchmark in a suite's folder."""
    file = folder / "networks" / f"{fingerprint}.onnx"
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read network {file}: {error.strerror}") from error


def _differences(folder: Path, suite: Suite) -> Iterator[str]:
    for benchmark in suite.benchmarks:
        file = folder / benchmark.network
        if not file.is_file():
            yield f"{benchmark.network} is missing"
        elif digest_bytes(read_network(folder, benchmark.fingerprint)) != benchmark.digest:
            yield f"{benchmark.network} was changed after it was written: its digest differs"
    listed = {benchmark.network for benchmark in suite.benchmarks}
    for file in sorted((folder / "networks").glob("*")):
        if f"networks/{file.name}" not in listed:
            yield f"networks/{file.name} is not listed in {MANIFEST}"
