"""Reads the graph of an ONNX file without loading the values of its tensors.

protobuf for Python copies every bytes field. Therefore ``skim`` scans the wire format of the mapped file, cuts large
values out, and parses the rest as usual. A tensor without its values is marked as external data: an empty location is
the model file itself; no location means that the values were in a typed field. Typed fields of attributes stay, except
in Constant nodes, since operators need them when they are created.
"""

import contextlib
import functools
import itertools
import mmap
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import onnx
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.harness.model_file import DELIMITED, NODE_OPERATOR, RAW, TYPE, VARINT, encode_field, varints, wire_fields
from dlbricks.model.order import depth_first
from dlbricks.model.read.decoders import SETTINGS
from dlbricks.model.tensors import keeps_values

# small values decide shapes; the mark that replaces larger ones takes about as many bytes
_INLINE_RAW = 64
# values that are cut out of a typed field cannot be read later, so more of them is kept
_INLINE_TYPED = 4096
# protobuf's own limit on nested messages
_DEPTH = 100
_LARGEST_VERSION = 2**31 - 1


# Contents by path: of files in ``reading_once`` (without large values; None before they are read), and ``in_place_of``.
_held: dict[Path, bytes | None] = {}


@contextlib.contextmanager
def reading_once(paths: Sequence[Path]) -> Iterator[None]:
    """Read each network file at most once inside the ``with`` block; no file may change meanwhile."""
    added = [path for path in paths if path not in _held]
    _held.update(dict.fromkeys(added))
    try:
        yield
    finally:
        for path in added:
            del _held[path]


@contextlib.contextmanager
def in_place_of(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Read ``contents`` instead of files inside the ``with`` block, in this process and its forks."""
    before = {path: _held[path] for path in contents if path in _held}
    _held.update(contents)
    try:
        yield
    finally:
        for path in contents:
            del _held[path]
        _held.update(before)


def skim(path: Path) -> onnx.ModelProto:
    """Read an ONNX file without the values of large tensors; raises ``InputError`` if it is not a whole ONNX file."""
    content = _held.get(path)
    if content is None:
        content = _read(path)
        if path in _held:
            _held[path] = content
    return parse(content, path)


def _read(path: Path) -> bytes:
    # Return the bytes of a file without large values.
    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                raise InputError(f"{path} is empty: give an ONNX file")
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        return _without_values(data, _MODEL, 0, 0) or bytes(data)
    except ValueError as error:
        raise _no_onnx(path) from error


def parse(content: bytes, path: Path) -> onnx.ModelProto:
    """Parse the content of an ONNX file; raises ``InputError`` if it is not an ONNX model, or has no graph."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(content)
    except DecodeError as error:
        raise _no_onnx(path) from error
    if not model.HasField("graph") or not (model.graph.node or model.graph.output):
        raise InputError(f"{path} does not contain a graph; {hint(path) or 'give an ONNX file'}")
    _check_text_and_versions(model, path)
    return model


def _check_text_and_versions(model: onnx.ModelProto, path: Path) -> None:
    # Check that names are text (protobuf returns bytes if they are not UTF-8) and versions are possible.
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
    # Yield every name in a graph, bodies included.
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


_MODEL, _NODE, _TENSOR = onnx.ModelProto.DESCRIPTOR, onnx.NodeProto.DESCRIPTOR, onnx.TensorProto.DESCRIPTOR
_ATTRIBUTE_TENSORS = frozenset(onnx.AttributeProto.DESCRIPTOR.fields_by_name[name].number for name in ("t", "tensors"))
_TYPED = frozenset(
    _TENSOR.fields_by_name[name].number
    for name in ("float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")
)


@functools.cache
def _children(kind: Descriptor) -> dict[int, Descriptor]:
    """Map each field number whose messages can contain a tensor to the type of these messages."""

    def messages(kind: Descriptor) -> list[tuple[int, Descriptor]]:
        return [(entry.number, entry.message_type) for entry in kind.fields if entry.message_type is not None]

    within = {child: depth_first([child], lambda kind: [of for _, of in messages(kind)]) for _, child in messages(kind)}
    return {number: child for number, child in messages(kind) if _TENSOR in within[child]}


def _without_values(
    message: memoryview, kind: Descriptor, start: int, depth: int, *, needed: bool = False
) -> bytes | None:
    """Return a message without its large values; None if the message has none.

    Args:
        depth: number of enclosing messages.
        needed: whether an operator needs the values when it is created.

    Raises:
        ValueError: the message is damaged, or messages in it are nested too deeply.
    """
    if kind is _TENSOR:
        return _tensor_without_values(message, start, needed=needed)
    if depth > _DEPTH:
        raise ValueError("messages are nested too deeply")
    children, is_node, operator = _children(kind), kind is _NODE, b""
    pieces: list[bytes] = []
    copied = 0
    for number, content, begin, end in wire_fields(message):
        child = children.get(number)
        if is_node and number == NODE_OPERATOR:
            operator = bytes(content)
        if child is None or len(content) <= _INLINE_RAW or message[begin] & 7 != DELIMITED:
            continue
        inside = operator != b"Constant" if is_node else needed and number in _ATTRIBUTE_TENSORS
        cut = _without_values(content, child, start + end - len(content), depth + 1, needed=inside)
        if cut is not None:
            pieces += (bytes(message[copied:begin]), encode_field(number, cut))
            copied = end
    return b"".join((*pieces, message[copied:])) if pieces else None


def _tensor_without_values(tensor: memoryview, start: int, *, needed: bool) -> bytes | None:
    # Return a TensorProto without its values; None if they are small, kept, or needed and in a typed field.
    dtype, offset, length, typed = "", 0, 0, 0
    for number, content, begin, end in wire_fields(tensor):
        if number == RAW and tensor[begin] & 7 == DELIMITED:
            offset, length = start + end - len(content), len(content)
        elif number in _TYPED:
            typed += len(content)
        elif number == TYPE and tensor[begin] & 7 == VARINT:
            element = BY_ONNX.get(next(varints(content)))
            dtype = element.name if element else ""
    keep_typed = needed or typed <= _INLINE_TYPED or keeps_values(dtype, typed, typed)
    if length <= _INLINE_RAW and keep_typed:
        return None
    pieces: list[bytes] = []
    copied = 0
    for number, _, begin, end in wire_fields(tensor):
        if number == RAW or (number in _TYPED and not keep_typed):
            pieces.append(bytes(tensor[copied:begin]))
            copied = end
    mark = onnx.TensorProto(data_location=onnx.TensorProto.EXTERNAL)
    if length:
        for key, value in (("location", ""), ("offset", str(offset)), ("length", str(length))):
            mark.external_data.add(key=key, value=value)
    return b"".join((*pieces, tensor[copied:], mark.SerializeToString()))


_MODULE = (
    "call dlbricks.export_torch(module, args, 'model.onnx') where its module is built (weights are not needed), or "
    "torch.onnx.export(module, args, 'model.onnx', dynamo=True)"
)
_SOURCE = "export the original model to ONNX"
_KERAS = "a model of Keras: call keras.saving.load_model(file, compile=False).export('model.onnx', format='onnx')"
_CONFIG, _SAVED_MODEL, SUITE = "config.json", "saved_model.pb", "suite.json"
# By suffix, what a file is and how it becomes an ONNX file.
_FORMATS: Mapping[str, str] = {
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), f"a file of PyTorch without a graph: {_MODULE}"),
    **dict.fromkeys((".safetensors", ".gguf"), f"a file of weights without a graph: {_MODULE}"),
    ".json": "JSON, such as a result or a trace: name the network that was measured",
    ".h5": _KERAS,
    ".keras": _KERAS,
    ".tflite": "a model of TensorFlow Lite: run python -m tf2onnx.convert --tflite FILE --output model.onnx",
    ".mlmodel": "a model of Core ML: convert it with onnxmltools.convert_coreml",
    ".mlpackage": f"a package of Core ML: {_SOURCE}",
    ".ort": f"a model in onnxruntime's own format: {_SOURCE}",
    ".engine": f"an engine of TensorRT: {_SOURCE}",
    ".xml": f"a model of OpenVINO: {_SOURCE}",
}


def hint(path: Path) -> str:
    """Return what a file or folder holds instead of ONNX, and how to convert it; empty if unknown."""
    folder = path if path.is_dir() else path.parent
    if (path / SUITE).is_file():
        return f"it is a suite, to be measured: dlbricks run {shlex.quote(str(path))} -o RESULT.json"
    # weights beside a configuration are those of an architecture that can be exported
    if path.is_dir() or path.name == _CONFIG or path.suffix.lower() in {".bin", ".safetensors", ".pt", ".pth"}:
        if (folder / SETTINGS).is_file():
            return "it is a folder of onnxruntime-genai without its network: copy the whole folder, or build it again"
        if (folder / _CONFIG).is_file():
            command = f"dlbricks inspect {shlex.quote(f'hf:{folder}')}"
            return f"it is a Hugging Face model: to read its architecture, run {command}"
    if path.name == _SAVED_MODEL or (path.is_dir() and (folder / _SAVED_MODEL).is_file()):
        command = f"python -m tf2onnx.convert --saved-model {shlex.quote(str(folder))} --output model.onnx"
        return f"it is a SavedModel of TensorFlow: run {command}"
    of_suffix = _FORMATS.get(path.suffix.lower())
    return f"it is {of_suffix}" if of_suffix else ""
