"""Reads the graph of an ONNX file without loading the values of its tensors.

protobuf for Python copies every bytes field, and onnx and onnx-ir load inline values. So the wire format of the mapped
file is scanned with the descriptors of ``onnx``: only messages that can contain a TensorProto are entered, large values
are cut out, the rest is parsed as usual. A tensor without its values is marked as external data: an empty location is
the model file itself; no location means that the values were in a typed field and cannot be referred to. Typed fields
of attributes, which operators need when they are created, are not cut out, except those of Constant nodes.

Of files of other formats messages say how they are converted to ONNX (``hint``).
"""

import contextlib
import itertools
import mmap
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import onnx
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.read.decoders import SETTINGS
from dlbricks.model.tensors import keeps_values

# small values decide shapes; the mark that replaces larger ones takes about as many bytes
_INLINE_RAW = 64
# typed fields cannot be referred to, so more of them is kept
_INLINE_TYPED = 4096
# protobuf's own limit on nested messages
_DEPTH = 100
_LARGEST_VERSION = 2**31 - 1
# Smallest tag of a field; without this check a file of zeros would be a sequence of fields.
_FIRST_TAG = 8
_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5


# Files of ``reading_once`` (their graphs without large values, None before they are read) and of ``in_place_of``.
_held: dict[Path, bytes | None] = {}


@contextlib.contextmanager
def reading_once(paths: Sequence[Path]) -> Iterator[None]:
    """Read each of some files at most once inside the block, in this process and its forks; they must not change."""
    added = [path for path in paths if path not in _held]
    _held.update(dict.fromkeys(added))
    try:
        yield
    finally:
        for path in added:
            del _held[path]


@contextlib.contextmanager
def in_place_of(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Read networks from memory instead of their files inside the block, in this process and its forks."""
    before = {path: _held[path] for path in contents if path in _held}
    _held.update(contents)
    try:
        yield
    finally:
        for path in contents:
            del _held[path]
        _held.update(before)


def skim(path: Path) -> onnx.ModelProto:
    """Read the graph of an ONNX file without large values; memory and time depend on the graph only.

    Raises:
        InputError: the file is missing, unreadable, empty, truncated, or not ONNX.
    """
    content = _held.get(path)
    if content is None:
        content = _read(path)
        if path in _held:
            _held[path] = content
    return parse(content, path)


def _read(path: Path) -> bytes:
    """Read a file without large values."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size == 0:
                raise InputError(f"{path} is empty: give an ONNX file")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                reader = _WireReader(data, path)
                pieces = reader.message(_kind(onnx.ModelProto.DESCRIPTOR), 0, size, 0)
                return data[:] if pieces is None else b"".join(pieces)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def parse(content: bytes, path: Path) -> onnx.ModelProto:
    """Parse the bytes of a model; raises InputError if they are none or have no graph."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(content)
    except DecodeError as error:
        raise _no_onnx(path) from error
    if not model.HasField("graph") or not (model.graph.node or model.graph.output):
        raise InputError(f"{path} holds no graph; {hint(path) or 'give an ONNX file'}")
    _check_text_and_versions(model, path)
    return model


def _check_text_and_versions(model: onnx.ModelProto, path: Path) -> None:
    """Check that names are text (protobuf returns bytes if they are not UTF-8) and versions are possible."""
    for entry in model.opset_import:
        if not 1 <= entry.version <= _LARGEST_VERSION:
            raise InputError(
                f"{path} imports version {entry.version} of operator set '{entry.domain}', which does not exist"
            )
    functions = ((function.name, function.domain, function.overload) for function in model.functions)
    try:
        "".join(entry.domain for entry in model.opset_import)
        "".join(itertools.chain.from_iterable(functions))
        for graph in (model.graph, *model.functions):
            "".join(_names(graph))
    except TypeError as error:
        raise InputError(f"{path} is damaged: a name in it is not UTF-8 text") from error


def _names(graph: onnx.GraphProto | onnx.FunctionProto) -> Iterator[str]:
    """Yield every name in a graph, bodies included."""
    if isinstance(graph, onnx.GraphProto):
        for entries in (graph.input, graph.output, graph.value_info, graph.initializer):
            for entry in entries:
                yield entry.name
        for sparse in graph.sparse_initializer:
            yield sparse.values.name
    else:
        yield from (*graph.input, *graph.output)
    for node in graph.node:
        yield from (node.op_type, node.domain, node.name, *node.input, *node.output)
        for attribute in node.attribute:
            yield attribute.name
            yield attribute.ref_attr_name
            for body in (attribute.g, *attribute.graphs) if attribute.HasField("g") else attribute.graphs:
                yield from _names(body)


def _no_onnx(path: Path) -> InputError:
    advice = hint(path)
    return InputError(f"{path} is not an ONNX file" + (f"; {advice}" if advice else ", or it is truncated"))


@dataclass(frozen=True, slots=True)
class _MessageType:
    """What the scan needs to know of a message type."""

    is_tensor: bool
    is_node: bool
    children: dict[int, "_MessageType"] = field(default_factory=dict)
    """By field number, the message types that can contain a tensor."""


_KINDS: dict[str, _MessageType] = {}
_TENSOR = onnx.TensorProto.DESCRIPTOR.fields_by_name
_RAW = _TENSOR["raw_data"].number
_TYPE = _TENSOR["data_type"].number
_NODE = onnx.NodeProto.DESCRIPTOR
_OPERATOR = _NODE.fields_by_name["op_type"].number
_ATTRIBUTE_TENSORS = frozenset(onnx.AttributeProto.DESCRIPTOR.fields_by_name[name].number for name in ("t", "tensors"))
_TYPED = frozenset(
    _TENSOR[name].number
    for name in ("float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")
)


def _kind(descriptor: Descriptor) -> _MessageType:
    """Return the cached knowledge of a message type."""
    kind_before = _KINDS.get(descriptor.full_name)
    if kind_before is not None:
        return kind_before
    is_tensor = descriptor.full_name == onnx.TensorProto.DESCRIPTOR.full_name
    kind = _MessageType(is_tensor=is_tensor, is_node=descriptor.full_name == _NODE.full_name)
    _KINDS[descriptor.full_name] = kind
    if not is_tensor:
        for entry in descriptor.fields:
            if entry.message_type is not None and _holds_tensor(entry.message_type, set()):
                kind.children[entry.number] = _kind(entry.message_type)
    return kind


def _holds_tensor(descriptor: Descriptor, seen: set[str]) -> bool:
    if descriptor.full_name == onnx.TensorProto.DESCRIPTOR.full_name:
        return True
    if descriptor.full_name in seen:
        return False
    seen.add(descriptor.full_name)
    return any(
        entry.message_type is not None and _holds_tensor(entry.message_type, seen) for entry in descriptor.fields
    )


class _WireReader:
    """One scan of a mapped file."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self.data = data
        self.path = path

    def message(
        self, kind: _MessageType, start: int, end: int, depth: int, *, needed: bool = False
    ) -> list[bytes] | None:
        """Return the pieces of a message without large values; None if it has none.

        Args:
            kind: what it is.
            start: of its content.
            end: of its content.
            depth: of messages around it.
            needed: whether it is an attribute whose values an operator needs when it is created.
        """
        if kind.is_tensor:
            return self._tensor(start, end, needed=needed)
        if depth > _DEPTH:
            raise _no_onnx(self.path)
        pieces: list[bytes] = []
        copied = start
        children = kind.children
        operator = b""
        for number, wire, begin, at, stop in self._fields(start, end):
            child = children.get(number)
            if kind.is_node and number == _OPERATOR:
                operator = self.data[at:stop]
            if child is None or wire != _DELIMITED or stop - at <= _INLINE_RAW:
                continue
            inside = operator != b"Constant" if kind.is_node else needed and number in _ATTRIBUTE_TENSORS
            cut = self.message(child, at, stop, depth + 1, needed=inside)
            if cut is None:
                continue
            pieces += (self.data[copied:begin], _encode(number << 3 | wire), _encode(sum(map(len, cut))), *cut)
            copied = stop
        if not pieces:
            return None
        pieces.append(self.data[copied:end])
        return pieces

    def _tensor(self, start: int, end: int, *, needed: bool) -> list[bytes] | None:
        """Cut the values out of a TensorProto unless they are small or kept, or needed and typed."""
        dtype, raw, typed = "", (0, 0), 0
        for number, wire, _begin, at, stop in self._fields(start, end):
            if number == _RAW and wire == _DELIMITED:
                raw = (at, stop - at)
            elif number in _TYPED:
                typed += stop - at
            elif number == _TYPE and wire == _VARINT:
                element = BY_ONNX.get(self._varint(at, end)[0])
                dtype = element.name if element else ""
        keep_typed = needed or typed <= _INLINE_TYPED or keeps_values(dtype, typed, typed)
        if raw[1] <= _INLINE_RAW and keep_typed:
            return None
        pieces: list[bytes] = []
        copied = start
        for number, _wire, begin, _at, stop in self._fields(start, end):
            if number == _RAW or (number in _TYPED and not keep_typed):
                pieces.append(self.data[copied:begin])
                copied = stop
        pieces.append(self.data[copied:end])
        mark = onnx.TensorProto(data_location=onnx.TensorProto.EXTERNAL)
        if raw[1]:
            for key, value in (("location", ""), ("offset", str(raw[0])), ("length", str(raw[1]))):
                mark.external_data.add(key=key, value=value)
        pieces.append(mark.SerializeToString())
        return pieces

    def _fields(self, start: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield number, wire type, start (of the tag), start and end of the content of each field."""
        at = start
        while at < end:
            begin = at
            tag, at = self._varint(at, end)
            wire = tag & 7
            if wire == _DELIMITED:
                length, at = self._varint(at, end)
                stop = at + length
            elif wire == _VARINT:
                stop = self._varint(at, end)[1]
            elif wire == _FIXED32:
                stop = at + 4
            elif wire == _FIXED64:
                stop = at + 8
            else:
                raise _no_onnx(self.path)
            if stop > end or tag < _FIRST_TAG:
                raise _no_onnx(self.path)
            yield tag >> 3, wire, begin, at, stop
            at = stop

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        """Read a base-128 number; return it and its end."""
        data = self.data
        value = shift = 0
        # ten bytes of seven bits hold 64 bits; a longer number is damage
        while at < end and shift < 70:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, at
            shift += 7
        raise _no_onnx(self.path)


def _encode(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_MODULE = (
    "call dlbricks.export_torch(module, args, 'model.onnx') where its module is built (weights are not needed), or "
    "torch.onnx.export(module, args, 'model.onnx', dynamo=True)"
)
_SOURCE = "export the model that it was made from to ONNX"
_KERAS = "a model of Keras: call keras.saving.load_model(file, compile=False).export('model.onnx', format='onnx')"
_CONFIG, _SAVED_MODEL = "config.json", "saved_model.pb"
# By suffix, what a file is and how it becomes an ONNX file.
_FORMATS: Mapping[str, str] = {
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), f"a file of PyTorch without a graph: {_MODULE}"),
    **dict.fromkeys((".safetensors", ".gguf"), f"a file of weights without a graph: {_MODULE}"),
    ".pt2": "an exported program of PyTorch: call torch.onnx.export(torch.export.load(file), f='model.onnx')",
    ".h5": _KERAS,
    ".keras": _KERAS,
    ".tflite": "a model of TensorFlow Lite: run python -m tf2onnx.convert --tflite FILE --output model.onnx",
    ".mlmodel": "a model of Core ML: convert it by onnxmltools.convert_coreml",
    ".mlpackage": f"a package of Core ML: {_SOURCE}",
    ".ort": f"a model in onnxruntime's own format: {_SOURCE}",
    ".engine": f"an engine of TensorRT: {_SOURCE}",
    ".xml": f"a model of OpenVINO: {_SOURCE}",
}


def hint(path: Path) -> str:
    """Say what a file or folder without ONNX is, and how it is converted; empty if unknown."""
    folder = path if path.is_dir() else path.parent
    # weights beside a configuration are those of an architecture that can be exported
    if path.is_dir() or path.name == _CONFIG or path.suffix.lower() in {".bin", ".safetensors", ".pt", ".pth"}:
        if (folder / SETTINGS).is_file():
            return "it is a folder of onnxruntime-genai without its network: build it again, or copy it whole"
        if (folder / _CONFIG).is_file():
            command = f"dlbricks inspect {shlex.quote(f'hf:{folder}')}"
            return f"it is a Hugging Face model, whose architecture is read without weights: run {command}"
    if path.name == _SAVED_MODEL or (path.is_dir() and (folder / _SAVED_MODEL).is_file()):
        command = f"python -m tf2onnx.convert --saved-model {shlex.quote(str(folder))} --output model.onnx"
        return f"it is a SavedModel of TensorFlow: run {command}"
    of_suffix = _FORMATS.get(path.suffix.lower())
    return f"it is {of_suffix}" if of_suffix else ""
