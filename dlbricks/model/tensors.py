"""Converts between TensorProto and Constant."""

import math
import os
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME, BY_ONNX, Numbers, byte_size, decode, from_bytes
from dlbricks.model.types import Constant, ExternalData, TensorSpec

# A constant as the file stores it; None for a constant that dlbricks computed.
Stored: TypeAlias = onnx.TensorProto | onnx.SparseTensorProto | None

# IR version of the networks that dlbricks passes to functions of onnx and onnxruntime.
IR_VERSION = 10

# Larger integers and booleans are not kept; smaller ones are indices, shapes and masks.
KEPT_INTEGER_BYTES = 16 << 20
# Larger 8-bit integers are quantised weights and not kept; smaller ones are zero points.
KEPT_BYTE_INTEGERS = 1024
# Values of any type up to this size are kept (scalars, scales of Resize).
KEPT_BYTES = 64

# Field of TensorProto and its numpy type; other types store their bits in ``int32_data``.
_TYPED_FIELD = {
    "float32": ("float_data", "<f4"),
    "complex64": ("float_data", "<f4"),
    "float64": ("double_data", "<f8"),
    "complex128": ("double_data", "<f8"),
    "int64": ("int64_data", "<i8"),
    "uint32": ("uint64_data", "<u4"),
    "uint64": ("uint64_data", "<u8"),
    "int32": ("int32_data", "<i4"),
}


def keeps_values(dtype: str, nbytes: int, elements: int) -> bool:
    """Return whether a Constant of this type and size has its values in memory, as small and integer constants do."""
    if elements <= 1 or nbytes <= KEPT_BYTES:
        return True
    if dtype in {"int8", "uint8"}:
        return nbytes <= KEPT_BYTE_INTEGERS
    return dtype in {"int16", "int32", "int64", "uint16", "uint32", "uint64", "bool"} and nbytes <= KEPT_INTEGER_BYTES


def dtype_name(number: int, what: str) -> str:
    """Return the name of an ONNX element type, as in ``float32``; raises InputError about ``what`` if undefined."""
    element = BY_ONNX.get(number)
    if element is None:
        raise InputError(f"{what} has element type {number}, which ONNX does not define")
    return element.name


def constant_of(tensor: onnx.TensorProto, path: Path, name: str | None = None) -> Constant:
    """Convert a tensor of an ONNX file to a Constant; the values of weights are not read.

    Raises:
        InputError: the type is undefined, an extent is negative, the values do not fit the shape, or their file lies
        outside the model's folder.
    """
    name = tensor.name if name is None else name
    dtype = dtype_name(tensor.data_type, f"constant '{name}' of {path}")
    shape = tuple(tensor.dims)
    if min(shape, default=0) < 0:
        raise InputError(f"constant '{name}' of {path} has a negative extent: {list(shape)}")
    spec = TensorSpec(name=name, dtype=dtype, shape=shape)
    if dtype == "string":
        return Constant(spec=spec)
    keep = keeps_values(dtype, spec.nbytes, spec.elements)
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        source = _source(tensor, path, spec)
        values = read_values(source, spec) if keep and source is not None else None
        return Constant(spec=spec, values=values, source=source)
    return Constant(spec=spec, values=_inline_values(tensor, spec, path) if keep else None)


def _source(tensor: onnx.TensorProto, path: Path, spec: TensorSpec) -> ExternalData | None:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    if any(isinstance(text, bytes) for text in (*entries, *entries.values())):
        raise InputError(f"constant '{spec.name}' of {path}: the location of its values is not UTF-8 text")
    if "location" not in entries:
        return None
    location = entries["location"].replace("\\", "/")
    # a network from someone else must not make dlbricks read other files of the user
    if location.startswith("/") or location[1:2] == ":" or ".." in location.split("/"):
        raise InputError(f"constant '{spec.name}' of {path} points outside the model's folder: '{entries['location']}'")
    try:
        offset = int(entries.get("offset") or 0)
        length = int(entries.get("length") or spec.nbytes)
    except ValueError as error:
        raise InputError(f"constant '{spec.name}' of {path} has an offset or length that is not a number") from error
    if length != spec.nbytes or offset < 0:
        raise InputError(
            f"constant '{spec.name}' of {path} has {length} bytes of values; its shape needs {spec.nbytes}"
        )
    # text: a Path object for each tensor would take half of the time of reading
    place = f"{path.parent.absolute()}/{location}" if location else os.fspath(path.absolute())
    return ExternalData(path=place, offset=offset, length=length)


def read_values(source: ExternalData, spec: TensorSpec) -> bytes | None:
    """Read the values of a constant from their file, None if it is missing; raises ``InputError`` if it is damaged."""
    place = Path(source.path)
    # dlbricks reads networks without their weights, so a missing file is not an error
    if not os.path.isfile(place):  # noqa: PTH113 - Path.is_file raises where a name is too long or a folder closed
        return None
    try:
        with place.open("rb") as file:
            file.seek(source.offset)
            values = file.read(source.length)
    except OSError as error:
        raise InputError(f"cannot read {place}: {error.strerror or error}") from error
    if len(values) != source.length:
        raise InputError(f"{place} is truncated: it ends before the values of constant '{spec.name}'; copy it again")
    return values


def load_values(tensor: onnx.TensorProto, path: Path) -> bool:
    """Load a tensor's values from its external file; return whether the tensor has values now."""
    constant = constant_of(tensor, path)
    values = constant.values or (read_values(constant.source, constant.spec) if constant.source else None)
    if values is None:
        return False
    tensor.ClearField("data_location")
    tensor.ClearField("external_data")
    tensor.raw_data = values
    return True


def _inline_values(tensor: onnx.TensorProto, spec: TensorSpec, where: Path | str) -> bytes:
    values: bytes
    if tensor.HasField("raw_data"):
        values = tensor.raw_data
    else:
        field, storage = _TYPED_FIELD.get(spec.dtype, ("int32_data", "<u1" if BY_NAME[spec.dtype].bits <= 8 else "<u2"))
        # by int64, since int32_data holds unsigned bits of smaller types as signed numbers, too
        numbers = np.array(getattr(tensor, field), dtype=np.int64 if storage[1] in "iu" and storage != "<u8" else None)
        values = numbers.astype(storage).tobytes()
    if len(values) != spec.nbytes:
        raise InputError(
            f"constant '{spec.name}' of {where} has {len(values)} bytes of values; its shape needs {spec.nbytes}"
        )
    return values


def densified(sparse: onnx.SparseTensorProto, path: Path, name: str) -> Constant:
    """Convert a sparse tensor to a dense Constant; raises InputError if the indices do not fit the shape."""
    entries = constant_of(sparse.values, path, name)
    indices = constant_of(sparse.indices, path, name)
    spec = TensorSpec(name=name, dtype=entries.spec.dtype, shape=tuple(sparse.dims))
    if any(extent < 0 for extent in spec.shape):
        raise InputError(f"sparse constant '{name}' of {path} has a negative extent")
    bits = BY_NAME[spec.dtype].bits
    if not keeps_values(spec.dtype, spec.nbytes, spec.elements) or bits < 8:
        return Constant(spec=spec)
    if entries.values is None or indices.values is None or indices.spec.dtype != "int64":
        return Constant(spec=spec)
    where = np.frombuffer(indices.values, "<i8").reshape(indices.spec.shape)
    width = bits // 8
    dense = np.zeros((spec.elements, width), np.uint8)
    if where.ndim == 2:
        strides = [math.prod(spec.shape[axis + 1 :]) for axis in range(len(spec.shape))]
        fits = where.shape[1] == len(strides)
        where = where @ np.array(strides, dtype=np.int64) if fits else np.full(1, -1)
    if (
        where.ndim != 1
        or len(where) != entries.spec.elements
        or (len(where) and (where.min() < 0 or where.max() >= spec.elements))
    ):
        raise InputError(f"sparse constant '{name}' of {path} has indices that do not fit its shape")
    dense[where] = np.frombuffer(entries.values, np.uint8).reshape(-1, width)
    return Constant(spec=spec, values=dense.tobytes())


def raw_values(tensor: onnx.TensorProto) -> bytes:
    """Return a tensor as bytes of ``raw_data`` (little-endian); raises ``InputError`` if its values do not fit."""
    spec = TensorSpec(name=tensor.name, dtype=dtype_name(tensor.data_type, "a tensor"), shape=tuple(tensor.dims))
    return _inline_values(tensor, spec, "an attribute")


def tensor_of(constant: Constant) -> onnx.TensorProto:
    """Convert a Constant to a TensorProto; without values it refers to a file that does not exist."""
    spec = constant.spec
    tensor = onnx.TensorProto(name=spec.name, data_type=BY_NAME[spec.dtype].onnx, dims=spec.shape)
    if constant.values is not None:
        tensor.raw_data = constant.values
    elif constant.fill is not None and spec.nbytes == len(constant.fill):
        tensor.raw_data = constant.fill
    else:
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="none")
    return tensor


def array_of(constant: Constant) -> np.ndarray:
    """Return the values as an array; types below 8 bits stay packed, in one dimension. Raises ValueError if absent."""
    if constant.values is None:
        raise ValueError(f"the values of constant '{constant.spec.name}' are not kept")
    element = BY_NAME[constant.spec.dtype]
    array = np.frombuffer(constant.values, np.dtype(element.storage).newbyteorder("<"))
    return array if element.bits < 8 else array.reshape(constant.spec.shape)


def numbers_of(constant: Constant) -> Numbers | None:
    """Return the values as a flat array; a single number if ``fill`` is set, None without values."""
    dtype = constant.spec.dtype
    values, elements = (constant.fill, 1) if constant.values is None else (constant.values, constant.spec.elements)
    return None if values is None else decode(from_bytes(values, dtype, (elements,)), dtype, elements)


def from_array(name: str, dtype: str, array: np.ndarray) -> Constant:
    """Return a Constant with the values of an array; raises ValueError if the sizes differ."""
    spec = TensorSpec(name=name, dtype=dtype, shape=tuple(array.shape))
    values = np.ascontiguousarray(array).tobytes()
    if len(values) != byte_size(dtype, spec.elements):
        raise ValueError(f"{len(values)} bytes do not fit {dtype} of shape {list(spec.shape)}")
    return Constant(spec=spec, values=values)


def constant_of_node(proto: onnx.NodeProto, path: Path) -> tuple[Constant, Stored]:
    """Convert a Constant node to a Constant; also return the node's tensor, or None if the node holds plain numbers."""
    if len(proto.output) != 1 or len(proto.attribute) != 1:
        raise InputError(f"Constant node '{proto.name}' of {path} must have one output and one attribute")
    name, attribute = proto.output[0], proto.attribute[0]
    if attribute.name == "value":
        return constant_of(attribute.t, path, name), attribute.t
    if attribute.name == "sparse_value":
        return densified(attribute.sparse_tensor, path, name), attribute.sparse_tensor
    if attribute.name in {"value_string", "value_strings"}:
        is_list = attribute.name == "value_strings"
        texts, shape = (attribute.strings, (len(attribute.strings),)) if is_list else ([attribute.s], ())
        stored = onnx.TensorProto(data_type=onnx.TensorProto.STRING, dims=shape, string_data=texts)
        return Constant(spec=TensorSpec(name=name, dtype="string", shape=shape)), stored
    if attribute.name in _NUMBERS:
        field, dtype, storage = _NUMBERS[attribute.name]
        numbers = getattr(attribute, field)
        array = np.array(list(numbers) if attribute.name.endswith("s") else numbers, storage)
        return from_array(name, dtype, array), None
    raise InputError(
        f"Constant node '{proto.name}' of {path} has an attribute '{attribute.name}' that ONNX does not define"
    )


# Attribute of Constant: field of AttributeProto, dtype by the standard, numpy type.
_NUMBERS = {
    "value_float": ("f", "float32", "<f4"),
    "value_floats": ("floats", "float32", "<f4"),
    "value_int": ("i", "int64", "<i8"),
    "value_ints": ("ints", "int64", "<i8"),
}


def value_info(spec: TensorSpec) -> onnx.ValueInfoProto:
    """Return the name, type and shape of a tensor as a ValueInfoProto."""
    info = onnx.ValueInfoProto(name=spec.name)
    tensor = info.type.tensor_type
    tensor.elem_type = BY_NAME[spec.dtype].onnx
    tensor.shape.SetInParent()
    for extent in spec.shape:
        tensor.shape.dim.add(dim_value=extent)
    return info


def static_spec(entry: onnx.ValueInfoProto) -> TensorSpec | None:
    """Return name, dtype and shape of a value; dtype ``""`` if it is not a tensor, None if the shape is symbolic."""
    kind = entry.type.WhichOneof("value")
    if kind is None:
        return None
    if kind != "tensor_type":
        return TensorSpec(name=entry.name, dtype="", shape=())
    tensor = entry.type.tensor_type
    element = BY_ONNX.get(tensor.elem_type)
    if element is None or not tensor.HasField("shape"):
        return None
    shape = tuple([dim.dim_value if dim.HasField("dim_value") else -1 for dim in tensor.shape.dim])
    if min(shape, default=0) < 0:
        return None  # onnx infers negative extents, too: a window longer than its signal gives -1 frames
    return TensorSpec(name=entry.name, dtype=element.name, shape=shape)
