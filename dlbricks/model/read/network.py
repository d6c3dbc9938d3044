"""Reads networks: from paths on the command line to a Model, with a given batch size."""

import glob
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx

from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.files import refuse_undecoded
from dlbricks.harness.dtypes import storage_dtype
from dlbricks.model.bounds import allow_reading, check_sizes
from dlbricks.model.export.huggingface import PREFIX, exported
from dlbricks.model.graph import Graph, Node, graph_of, rename_inputs
from dlbricks.model.passes.clean import (
    duplicate_shared_dequantize,
    duplicate_uniform_constants,
    ordered,
    without_aliases,
    without_dead,
)
from dlbricks.model.passes.fusion import grouped
from dlbricks.model.passes.shape_inference import infer_shapes
from dlbricks.model.read.call_axes import is_anonymous, unnamed_caches
from dlbricks.model.read.checker import blamed
from dlbricks.model.read.decoders import implied, in_branch
from dlbricks.model.read.dimensions import bind, continued_caches, with_values
from dlbricks.model.read.formats import hint
from dlbricks.model.read.functions import inline_functions
from dlbricks.model.read.imports import complete_imports
from dlbricks.model.read.layers import check_operands, check_opset, model_of
from dlbricks.model.read.lowered import lowered_model
from dlbricks.model.read.skim import skim
from dlbricks.model.tensors import from_array
from dlbricks.model.types import Constant, Model
from dlbricks.operators.costs import layer_flops
from dlbricks.operators.table import operator
from dlbricks.units import plain


def find_networks(paths: Sequence[str]) -> tuple[Path, ...]:
    """Find ONNX files: a file of any name, all ``*.onnx`` below a folder, or matches of a glob; sorted, each once.

    ``hf:FOLDER`` is the architecture of a Hugging Face configuration, exported on first use.

    Raises:
        InputError: a path does not exist, a folder or pattern has no network, a name is not UTF-8, or an architecture
            cannot be exported.
        MissingDependencyError: the packages for exporting architectures are not installed.
    """
    found: dict[Path, None] = {}
    for text in paths:
        path = Path(text)
        if text.startswith(PREFIX):
            matches = [exported(text)]
        elif path.is_dir():
            matches = sorted(path.rglob("*.onnx"))
        elif path.exists():
            matches = [path]
        else:
            names = glob.glob(text, recursive=True)  # noqa: PTH207 - Path.glob refuses absolute patterns
            matches = [Path(name) for name in sorted(names) if Path(name).is_file()]
        if not matches:
            reason = "holds no .onnx file" if path.is_dir() else "does not exist"
            known = hint(path) if path.is_dir() else None
            raise InputError(
                f"{text} {reason}" + (f"; {known}" if known else ": give an ONNX file, a folder or a pattern")
            )
        found.update(dict.fromkeys(matches))
    for path in found:
        refuse_undecoded(str(path))
    return tuple(sorted(found))


def read_model(
    path: Path, *, dims: Mapping[str, int] | None = None, change: Callable[[Graph], Graph] | None = None
) -> Model:
    """Read a network for the target ``portable``: shapes known, constants folded, layers in topological order.

    A file of a lowered network is read without changes, for its own target (``model.read.lowered``).

    Args:
        path: the ONNX file; its weights may be missing and are never loaded.
        dims: values of symbolic dimensions, by name or by ``input:axis``.
        change: applied to the graph before shapes are inferred.

    Raises:
        InputError: the file is no valid network, or a dimension is unbound.
        UnsupportedModelError: it needs more than the installed libraries support.
    """
    try:
        with blamed(path):
            return _read(path, dims or {}, change)
    except DlbricksError as error:
        if str(error).isprintable():
            raise
        raise type(error)(plain(str(error))) from error


def _read(path: Path, dims: Mapping[str, int], change: Callable[[Graph], Graph] | None) -> Model:
    network = skim(path)
    allow_reading(len(network.graph.node))
    lowered = lowered_model(network, path)
    if lowered is not None:
        return lowered
    complete_imports(network)
    known = {**implied(path, network.graph, dims), **dims}
    graph = graph_of(inline_functions(with_values(in_branch(network, known), known), path), path)
    check_operands(graph)
    graph = without_dead(without_aliases(ordered(graph)))
    if change is not None:
        graph = change(graph)
    check_opset(graph)
    inputs = bind(graph, known, unnamed_caches(network.graph))
    check_sizes(path, (*inputs.values(), *(constant.spec for constant in graph.constants.values())))
    inferred = infer_shapes(duplicate_uniform_constants(graph), inputs, model_of)
    types = {**inferred.types, **continued_caches(inferred.graph, inferred.types, known)}
    check_sizes(path, types.values())
    graph, types = duplicate_shared_dequantize(inferred.graph, types)
    model = model_of(graph, types, inferred.failure)
    folded = graph.source_layers - len(inferred.graph.nodes)
    return replace(grouped(model), observed=inferred.observed, folded=folded)


def open_leading(path: Path) -> tuple[str, ...]:
    """Name the symbolic leading dimension of the first input and unnamed ones of others; empty if the file fixes it."""
    found: dict[str, None] = {}
    for entry in graph_of(skim(path), path).inputs:
        dims = entry.type.tensor_type.shape.dim
        if not dims:
            continue
        if dims[0].HasField("dim_value") and dims[0].dim_value >= 0:
            if not found:
                break
            continue
        name = dims[0].dim_param
        if not found or is_anonymous(name):
            found[name if name.isidentifier() and not is_anonymous(name) else f"{entry.name}:0"] = None
    return tuple(found)


def batch_of(model: Model) -> int:
    """Return the batch size: the leading extent of the first input that has one; 1 if none has."""
    shapes = (model.spec(name).shape for name in model.inputs)
    return next((shape[0] for shape in shapes if shape), 1)


def read_batched(path: Path, *, dims: Mapping[str, int] | None = None, batch: int | None) -> Model:
    """Read a network for the target ``portable``, with a given batch size.

    A fixed batch size is replaced in the inputs and in constants that repeat it (targets of Reshape and Expand, sizes
    of Resize); outputs and operations must grow in proportion.

    Raises:
        InputError: as ``read_model``; or ``dims`` contradicts the batch size.
        UnsupportedModelError: the network has no batch dimension, or fixes it elsewhere.
    """
    if batch is None:
        return read_model(path, dims=dims)
    given = dict(dims or {})
    names = open_leading(path)
    for name in names:
        if given.setdefault(name, batch) != batch:
            raise InputError(f"--dim {name}={given[name]} and --batch {batch} contradict each other: give one of them")
    model = read_model(path, dims=given)
    if names or batch_of(model) == batch:
        return model
    before = batch_of(model)
    if before < 1 or not any(model.spec(name).shape for name in model.inputs):
        raise UnsupportedModelError(f"{path} has no batch: its inputs have no leading extent; leave --batch out")
    try:
        made = read_model(path, dims=given, change=lambda graph: _rebatched(graph, model, batch))
    except DlbricksError as error:
        raise _fixed(path, before, str(error)) from error
    reason = _mismatch(model, made, before, batch)
    if reason:
        raise _fixed(path, before, reason)
    return made


def _fixed(path: Path, before: int, reason: str) -> UnsupportedModelError:
    return UnsupportedModelError(
        f"{path} is made for batch {before} and cannot be given another: {reason}; export it with an open batch"
    )


def _rebatched(graph: Graph, model: Model, batch: int) -> Graph:
    """Replace the batch size of a graph; ``model`` has the shapes of the present one."""
    before = batch_of(model)
    inputs = tuple(_with_leading(entry, before, batch) for entry in graph.inputs)
    flowing = {
        entry.name for entry, old in zip(inputs, graph.inputs, strict=True) if entry is not old
    }  # tensors with a batch dimension
    constants, nodes = dict(graph.constants), []
    for node in graph.nodes:
        made = node
        if not flowing.isdisjoint(node.reads):
            if node.op_type not in {"Shape", "Size"}:
                flowing.update(node.writes)
            made = _with_new_extent(node, constants, flowing, before, batch)
        nodes.append(made)
    return replace(graph, inputs=inputs, nodes=tuple(nodes), constants=constants, declared={})


def _with_leading(entry: onnx.ValueInfoProto, before: int, batch: int) -> onnx.ValueInfoProto:
    dims = entry.type.tensor_type.shape.dim
    if not dims or dims[0].dim_value != before:
        return entry
    made = deepcopy(entry)
    made.type.tensor_type.shape.dim[0].dim_value = batch
    return made


def _with_new_extent(node: Node, constants: dict[str, Constant], flowing: set[str], before: int, batch: int) -> Node:
    """Return a call with the new batch size in its constant extents, if it has them."""
    position = operator(node.domain, node.op_type).extents
    if position is None or len(node.inputs) <= position or node.inputs[0] not in flowing:
        return node
    constant = constants.get(node.inputs[position])
    if constant is None or constant.values is None or constant.spec.dtype != "int64":
        return node
    extents = np.frombuffer(constant.values, storage_dtype("int64")).copy()
    if not extents.size or extents[0] <= 0 or extents[0] % before:
        return node
    extents[0] = extents[0] // before * batch
    name = f"{constant.spec.name}/batch"
    constants[name] = from_array(name, "int64", extents)
    return rename_inputs(node, {constant.spec.name: name})


def _mismatch(old: Model, new: Model, before: int, batch: int) -> str:
    """Return what has not grown with the batch size; empty if everything has."""
    skipped = next((layer.skip for layer in new.layers if layer.skip), None)
    if skipped and not any(layer.skip for layer in old.layers):
        return skipped
    for name in old.outputs:
        was, is_now = old.spec(name).shape, new.spec(name).shape
        if was and was[0] == before and is_now != (batch, *was[1:]):
            return f"output '{name}' of shape {list(was)} became {list(is_now)}"
    flops, grown = (sum(layer_flops(model, layer) for layer in model.layers) for model in (old, new))
    return "" if flops * batch == grown * before else f"{flops} operations per call became {grown}"
