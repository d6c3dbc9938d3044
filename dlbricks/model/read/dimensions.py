"""Finds the symbolic dimensions of a file, and binds them to extents."""

import ast
import json
import math
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import onnx
from google.protobuf.message import DecodeError

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.limits import TERMS
from dlbricks.model.read.decoders import PAST, SHORT, call_axes, is_anonymous, unnamed_caches
from dlbricks.model.read.skim import skim
from dlbricks.model.tensors import dtype_name
from dlbricks.model.types import TensorSpec
from dlbricks.operators.table import operator
from dlbricks.passes.graph import SourceGraph

_Of = TypeVar("_Of")
_NUMBER = r"(true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?)"


def inputs_of(graph: onnx.GraphProto) -> tuple[onnx.ValueInfoProto, ...]:
    """Return the inputs of a network, without the initializers that older files list as inputs."""
    constants = {tensor.name for tensor in graph.initializer}
    constants |= {sparse.values.name for sparse in graph.sparse_initializer}
    return tuple(entry for entry in graph.input if entry.name not in constants)


def bind(
    inputs: Sequence[onnx.ValueInfoProto], path: Path, dims: Mapping[str, int], unnamed: Collection[str] = ()
) -> dict[str, TensorSpec]:
    """Return name, dtype and static shape of every input; dtype ``""`` for inputs other than tensors.

    Args:
        inputs: inputs of the network, without constants.
        dims: extents by dimension name or ``input:axis``; unknown names are ignored.
        unnamed: key-value caches with unusual names.

    Raises:
        InputError: dimensions have no extent (the message names all), or an extent is negative or contradicts the file.
    """
    for name, value in dims.items():
        if value < 0:
            raise InputError(f"--dim {name}={value}: expected a whole number from 0 up")
    unbound: dict[str, None] = {}
    specs = {entry.name: _bind_input(entry, dims, unbound, path) for entry in inputs}
    if unbound:
        axes = call_axes(inputs, unnamed)
        named = () if axes is None else (*axes.batch, *axes.new, *axes.past, *axes.whole)
        rest = [name for name in unbound if name not in named]
        short = SHORT if len(rest) < len(unbound) and axes is not None else ()
        options = " ".join(f"--dim {shlex.quote(name)}=N" for name in (*short, *rest))
        advice = " (or --batch N for all)" if len(unbound) > 1 and all(name.endswith(":0") for name in unbound) else ""
        raise InputError(f"{path} has unbound dimensions: {', '.join(unbound)}: give {options}{advice}")
    return specs


def with_values(
    network: onnx.ModelProto, dims: Mapping[str, int], values: Mapping[str, str]
) -> tuple[onnx.ModelProto, dict[str, int]]:
    """Turn inputs with values into constants; return the network, and ``dims`` with the extents that values imply.

    ``values`` are as in ``SplitSettings.values``; ``dims`` may also set an input of a single whole number. Raises
    ``InputError`` if a value does not fit the input, or the file with the value cannot be read.
    """
    extents = dict(dims)
    numbers = [entry.name for entry in network.graph.input if entry.name in dims and _is_number(entry)]
    texts = {**{name: str(dims[name]) for name in numbers}, **values}
    if not texts:
        return network, extents
    changed = onnx.ModelProto()
    changed.CopyFrom(network)
    for entry in [entry for entry in inputs_of(network.graph) if entry.name in texts]:
        name, text = entry.name, texts[entry.name]
        try:
            array = _value(entry, text, extents)
        except (ValueError, OverflowError, OSError, DecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            option = "--value" if name in values else "--dim"
            raise InputError(f"{option} {name}={text[:80]}: {reason}") from error
        changed.graph.input.remove(entry)
        changed.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return changed, extents


def _value(entry: onnx.ValueInfoProto, text: str, extents: dict[str, int]) -> np.ndarray[Any, Any]:
    # Return the value of an input, and add extents that follow from it; raises ValueError if it does not fit.
    tensor = entry.type.tensor_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type) if tensor.elem_type in BY_ONNX else np.dtype(object)
    if dtype.kind == "O":
        raise ValueError("it sets only inputs of numbers: leave this option out")
    if text.endswith(".npy"):
        array = np.load(text, allow_pickle=False)
    elif text.endswith(".pb"):
        array = onnx.numpy_helper.to_array(onnx.load_tensor(text))
    elif re.fullmatch(rf"{_NUMBER}(, ?{_NUMBER})*", text):
        array = np.array(json.loads(f"[{text}]"))
    else:
        raise ValueError("expected numbers, true or false, separated by commas, or a file (.npy, .pb)")
    if dtype.kind in "biu" and not np.array_equal(array.astype(dtype), array):
        raise ValueError(f"give a value of the input's type, {dtype}")
    stated = [_stated(dim, extents) for dim in tensor.shape.dim] if tensor.HasField("shape") else [*array.shape]
    fixed = math.prod(extent for extent in stated if extent is not None)
    # a list fills the only open extent
    if array.ndim == 1 and stated.count(None) <= 1 and array.size % max(1, fixed) == 0:
        shape = [array.size // max(1, fixed) if extent is None else extent for extent in stated]
        array = array.reshape(shape) if math.prod(shape) == array.size else array
    fits = (extent in (None, size) for extent, size in zip(stated, array.shape, strict=False))
    if array.ndim != len(stated) or not all(fits):
        raise ValueError(f"shape {[*array.shape]} does not fit the input's {stated}".replace("None", "?"))
    extents |= {dim.dim_param: size for dim, size in zip(tensor.shape.dim, array.shape, strict=False) if dim.dim_param}
    return np.asarray(array, dtype)


def _is_number(entry: onnx.ValueInfoProto) -> bool:
    # Return whether an input is a single whole number or a truth value.
    tensor = entry.type.tensor_type
    return (
        tensor.elem_type in _WHOLE
        and tensor.HasField("shape")
        and all(dim.HasField("dim_value") and dim.dim_value == 1 for dim in tensor.shape.dim)
    )


_WHOLE = frozenset(
    getattr(onnx.TensorProto, name)
    for name in ("BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64")
)


def continued_caches(
    graph: SourceGraph, types: Mapping[str, TensorSpec], dims: Mapping[str, int]
) -> dict[str, TensorSpec]:
    """Return dtypes and shapes of a decoder's key-value caches after a call, as the file states them.

    Args:
        dims: extents by dimension name.
    """
    caches = {}
    for node in graph.nodes:
        for name in node.results[1:3] if operator(node.domain, node.op).grows_in_place else ():
            declared = graph.declared.get(name)
            if declared is not None and name in types:
                shape = [_stated(dim, dims) for dim in declared.type.tensor_type.shape.dim]
                if len(shape) == len(types[name].shape) and None not in shape:
                    caches[name] = replace(types[name], shape=tuple(extent or 0 for extent in shape))
    return caches


def _bind_input(
    entry: onnx.ValueInfoProto, dims: Mapping[str, int], unbound: dict[str, None], path: Path
) -> TensorSpec:
    kind = entry.type.WhichOneof("value")
    if kind is None:
        raise InputError(f"input '{entry.name}' of {path} has no type: onnx.shape_inference adds types to a file")
    if kind != "tensor_type":
        return TensorSpec(name=entry.name, dtype="", shape=())
    tensor = entry.type.tensor_type
    dtype = dtype_name(tensor.elem_type, f"input '{entry.name}' of {path}")
    if not tensor.HasField("shape"):
        return TensorSpec(name=entry.name, dtype=dtype, shape=_whole_shape(entry.name, dims, unbound))
    shape: list[int] = []
    for axis, dim in enumerate(tensor.shape.dim):
        key = f"{entry.name}:{axis}"
        stated = _stated(dim, dims)
        wanted = dims.get(key)
        if stated is not None and wanted is not None and stated != wanted:
            raise InputError(f"--dim {key}={wanted}: {path} fixes this dimension to {stated}")
        value = wanted if stated is None else stated
        if value is not None and value < 0:
            extent = f"'{dim.dim_param}' = {value}" if dim.dim_param else str(value)
            raise InputError(f"{path}: dimension {key} is {extent}, below zero: give larger values by --dim")
        if value is None:
            unbound[_missing(dim, dims) or key] = None
        shape.append(value or 0)
    return TensorSpec(name=entry.name, dtype=dtype, shape=tuple(shape))


def _whole_shape(name: str, dims: Mapping[str, int], unbound: dict[str, None]) -> tuple[int, ...]:
    # Return the shape of an input of unknown rank, from ``name:0``, ``name:1``, ...
    shape: list[int] = []
    while (value := dims.get(f"{name}:{len(shape)}")) is not None:
        shape.append(value)
    if not shape:
        unbound[f"{name}:0"] = None
    return tuple(shape)


def _stated(dim: onnx.TensorShapeProto.Dimension, dims: Mapping[str, int]) -> int | None:
    # Return the extent that follows from the file and the bound names; None if the dimension stays open.
    if dim.HasField("dim_value"):
        # old exporters write -1 for an open extent
        return dim.dim_value if dim.dim_value >= 0 else None
    if not dim.dim_param:
        return None
    if dim.dim_param in dims:
        return dims[dim.dim_param]
    tree = _expression(dim.dim_param)
    return None if tree is None else _evaluate(tree, dims)


def _missing(dim: onnx.TensorShapeProto.Dimension, dims: Mapping[str, int]) -> str | None:
    # Return the name that a user must bind, in ``past + seq`` the first unbound one; None without a name.
    if is_anonymous(dim.dim_param):
        return None
    tree = _expression(dim.dim_param)
    if tree is None or isinstance(tree, ast.Name):
        return dim.dim_param
    return next((name for name in names_in(dim.dim_param) if name not in dims), dim.dim_param)


def names_in(text: str) -> tuple[str, ...]:
    """Return the symbols in a dimension: all names in an expression such as ``a + b``, or the text itself."""
    tree = _expression(text)
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)] if tree is not None else []
    return tuple(dict.fromkeys(names or [text]))


def _expression(text: str) -> ast.expr | None:
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    # deeply nested text in a file would exhaust the stack of Python
    return tree if sum(isinstance(node, ast.operator | ast.unaryop) for node in ast.walk(tree)) < TERMS else None


def _evaluate(tree: ast.expr, dims: Mapping[str, int]) -> int | None:
    # Compute a sum, difference, product or quotient of names and numbers; None for anything else.
    match tree:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return dims.get(name)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b = _evaluate(left, dims), _evaluate(right, dims)
            compute = _ARITHMETIC.get(type(operator))
            return None if a is None or b is None or compute is None else compute(a, b)
    return None


_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int | None]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a // b if b else None,
    ast.FloorDiv: lambda a, b: a // b if b else None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """The dimensions of a network that ``--dim`` can set."""

    names: tuple[str, ...]
    """Names of symbolic dimensions, in the order of inputs; ``input:axis`` for a dimension without a name."""
    sums: frozenset[str]
    """Dimensions that are expressions, as ``past + seq``; they can be set as a whole, too."""
    ranks: Mapping[str, int | None]
    """Rank of each input; None if unknown."""
    numbers: frozenset[str] = frozenset()
    """Inputs of a single integer, whose value can be set."""
    past: tuple[str, ...] = ()
    """Dimensions that count tokens in a decoder's cache; they may be 0."""
    short: tuple[str, ...] = ()
    """Short names of a decoder's dimensions; empty unless the network is a decoder with a cache."""
    fixed_new: int = 0
    """Number of new tokens per call if a decoder's file fixes it, otherwise 0."""

    def has(self, name: str) -> bool:
        """Return whether option ``--dim`` can set ``name``, as in ``batch``, ``past + seq`` or ``input:0``."""
        if any(name in names for names in (self.names, self.sums, self.short, self.numbers)):
            return True
        entry, _, axis = name.rpartition(":")
        if entry not in self.ranks or not (axis.isascii() and axis.isdigit()):
            return False
        rank = self.ranks[entry]
        return rank is None or int(axis) < rank

    def may_be_zero(self, name: str) -> bool:
        """Return whether ``name`` may be 0: an input of one number, or the length of a cache."""
        return name in self.numbers or name in self.past


def dimensions_of(path: Path) -> Dimensions:
    """Read the dimensions of a network's inputs; raises InputError if the file is not a valid network."""
    names: dict[str, None] = {}
    sums: set[str] = set()
    ranks: dict[str, int | None] = {}
    network = skim(path)
    inputs = SourceGraph(network, path).entries  # checks constants, too
    for entry in inputs:
        tensor = entry.type.tensor_type
        ranks[entry.name] = len(tensor.shape.dim) if tensor.HasField("shape") else None
        if ranks[entry.name] is None:
            names[f"{entry.name}:0"] = None
        for axis, dim in enumerate(tensor.shape.dim):
            if dim.dim_param:
                sums.add(dim.dim_param)
            if dim.HasField("dim_value") and dim.dim_value >= 0:
                continue
            named = not is_anonymous(dim.dim_param)
            names.update(dict.fromkeys(names_in(dim.dim_param) if named else (f"{entry.name}:{axis}",)))
    axes = call_axes(inputs, unnamed_caches(network.graph))
    short, past = ((), ()) if axes is None else (SHORT, (PAST, *axes.past))
    numbers = frozenset(entry.name for entry in inputs if _is_number(entry))
    return Dimensions(
        names=tuple(names),
        sums=frozenset(sums),
        ranks=ranks,
        short=short,
        numbers=numbers,
        past=past,
        fixed_new=0 if axes is None else axes.fixed_new,
    )


def known_to(paths: Sequence[Path], names: Mapping[str, _Of]) -> dict[str, _Of]:
    """Return the entries of ``names`` for dimensions and inputs of some file; empty if a file is unreadable."""
    networks = _dimensions_of_all(paths) if names else ()
    return {name: of for name, of in names.items() if any(each.has(name) or name in each.ranks for each in networks)}


def _dimensions_of_all(paths: Sequence[Path]) -> Sequence[Dimensions]:
    # Read the dimensions of networks; none if one of them cannot be read.
    try:
        return [dimensions_of(path) for path in paths]
    except InputError:
        return []


def check_given(
    paths: Sequence[Path], dims: Mapping[str, int], values: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Check that each dimension in ``dims`` and each input in ``values`` occurs in at least one network.

    Returns:
        A line for each name that only some of the networks have.

    Raises:
        InputError: a name is unknown, or an extent is zero but not the length of a cache.
    """
    networks = _dimensions_of_all(paths) if dims or values else ()
    lines = []
    for name, text in (values or {}).items() if networks else ():
        holding = [network for network in networks if name in network.ranks]
        if not holding:
            names = dict.fromkeys(each for network in networks for each in network.ranks)
            raise InputError(f"--value {name}={text[:80]}: unknown input '{name}': expected one of {', '.join(names)}")
        lines += _unused(f"--value {name}={text[:80]}", paths, [network in holding for network in networks])
    for name, value in dims.items() if networks else ():
        having = [network for network in networks if network.has(name)]
        if not having:
            names = dict.fromkeys(each for network in networks for each in (*network.names, *network.short))
            numbers = dict.fromkeys(each for network in networks for each in sorted(network.numbers))
            whose = f"{paths[0]} has no" if len(paths) == 1 else f"none of {len(paths)} networks has a"
            listed = f"; inputs of one number: {', '.join(numbers)}" if numbers else ""
            opened = ", ".join(names) or "none"
            raise InputError(f"--dim {name}={value}: {whose} dimension '{name}'; open dimensions: {opened}{listed}")
        if not value and not all(network.may_be_zero(name) for network in having):
            raise InputError(f"--dim {name}=0: the extent must be a whole number from 1 up")
        lines += _unused(f"--dim {name}={value}", paths, [network in having for network in networks])
    return tuple(lines)


def _unused(option: str, paths: Sequence[Path], used: Sequence[bool]) -> list[str]:
    others = [path.name for path, uses in zip(paths, used, strict=True) if not uses]
    listed = ", ".join(others[:_LISTED]) + (f" and {len(others) - _LISTED} more" if others[_LISTED:] else "")
    return [f"{option} is used by {sum(used)} of {len(paths)} networks, not by {listed}"] if others else []


# names of networks in a message; more would hide the rest of it
_LISTED = 3
