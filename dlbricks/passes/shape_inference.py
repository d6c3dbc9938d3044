"""Infers the shapes of all tensors and folds constants, in turns, since each step enables the other.

Each stage handles tensors whose shapes are still unknown. First, onnx's inference with data propagation and folding
alternate until both find nothing new. Second, if onnxruntime's own operators leave gaps, onnxruntime infers single
nodes, in turns with the first stage. Third, results of nodes that cannot be run, as of custom domains, get the types
that the file declares. Last, one run observes the remaining shapes, with declared types as guesses; if it fails, these
are used.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import helper, shape_inference
from onnx.checker import ValidationError
from onnx.shape_inference import InferenceError

from dlbricks import limits
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model import bounds
from dlbricks.model.bodies import all_nodes
from dlbricks.model.lowering.kernels import has_schema, kernel_reason
from dlbricks.model.lowering.runtime import inferred_results
from dlbricks.model.schemas import NEED_A_TYPE
from dlbricks.model.tensors import IR_VERSION, static_spec, tensor_of, value_info
from dlbricks.model.types import Constant, TensorSpec
from dlbricks.operators.row import if_it_fits
from dlbricks.operators.table import operator
from dlbricks.passes.cleanup import remove_dead, select_branches
from dlbricks.passes.fold import fold
from dlbricks.passes.freeze import freeze
from dlbricks.passes.graph import SourceGraph, SourceNode


def infer(
    graph: SourceGraph, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    """Infer shapes by onnx's shape inference with data propagation.

    Args:
        seen: further tensors by name, as from a run.

    Returns:
        Tensors with static shapes (dtype ``""`` for values other than tensors), and element types of other tensors.

    Raises:
        InputError: onnx rejects the network.
    """
    constants = {name: constant.spec for name, constant in graph.constants.items()}
    for _ in range(_POOLS):
        model = proto_of(graph, inputs)
        model.graph.value_info.extend(value_info(spec) for spec in seen.values() if spec.dtype)
        inferred = _infer_typed(model, graph.path, propagate=False)
        stated, dtypes = _stated_by(inferred)
        if _missing(graph, stated) and not _has_long_vector(inferred.graph):
            stated, dtypes = _stated_by(_infer_typed(model, graph.path, propagate=True))
        types = {**stated, **inputs, **seen, **constants}
        others = dict(_pooled_otherwise(graph, types))
        if not others:
            return types, dtypes
        seen = {**seen, **others}
    raise UnsupportedModelError(f"{graph.path}: onnx infers wrong shapes for a chain of {_POOLS} layers with windows")


# Longest chain of windows whose wrong shapes from onnx are corrected.
_POOLS = 64


def _pooled_otherwise(graph: SourceGraph, types: Mapping[str, TensorSpec]) -> Iterator[tuple[str, TensorSpec]]:
    """Yield the right shape of each pool or convolution whose shape onnx 1.23 infers wrongly."""
    # Unlike onnxruntime and PyTorch, onnx counts windows of a pool that begin in the padding behind the image, and
    # assumes that the padding of ``auto_pad`` suffices for dilated windows. Unlike onnxruntime, onnx adds
    # ``output_padding`` to the size that ``auto_pad`` of a transposed convolution states.
    for node in graph.nodes:
        row = operator(node.domain, node.op)
        if row.is_windowed and types.keys() >= {*node.reads, *node.writes}:
            attributes = {entry.name: helper.get_attribute_value(entry) for entry in node.as_proto().attribute}
            is_padded = "output_padding" in attributes and "output_shape" not in attributes
            counted = partial(_windows, attributes, types[node.reads[0]].shape[2:])
            counts = if_it_fits(counted) or () if row.weight is None or is_padded else ()
            for name in node.writes if min(counts, default=-1) >= 0 else ():
                if types[name].shape[2:] != counts:
                    yield name, replace(types[name], shape=types[name].shape[:2] + counts)


def _windows(attributes: Mapping[str, Any], sizes: Sequence[int]) -> tuple[int, ...]:
    # Count the windows of a pool along each axis, as ``PoolAttributes`` of onnxruntime do.
    rank, auto, ceils = len(sizes), attributes.get("auto_pad", b"NOTSET"), attributes.get("ceil_mode", 0)
    windows, strides, gaps = (attributes.get(name, [1] * rank) for name in ("kernel_shape", "strides", "dilations"))
    if "output_padding" in attributes:  # of a transposed convolution
        return tuple(map(math.prod, zip(sizes, strides, strict=True))) if auto.startswith(b"SAME") else ()
    pads = attributes.get("pads", [0] * 2 * rank) if auto == b"NOTSET" else [0] * 2 * rank
    counts = []
    for size, window, stride, gap, begin, end in zip(
        sizes, windows, strides, gaps, pads[:rank], pads[rank:], strict=True
    ):
        before, padding = begin, begin + end
        if auto.startswith(b"SAME"):
            padding = (-(-size // stride) - 1) * stride + window - size
            before = int((padding + (auto == b"SAME_LOWER")) / 2)
        steps = (size + padding - gap * (window - 1) - 1) / stride
        count = 1 + (math.ceil(steps) if ceils else int(steps))
        counts.append(count - (ceils and (count - 1) * stride >= size + before))
    return tuple(counts)


# Longest chain of operators in ``NEED_A_TYPE`` that is handled here; a run finds shapes behind a longer one.
_TYPING_ROUNDS = 8


def _infer_typed(model: onnx.ModelProto, path: Path, *, propagate: bool) -> onnx.ModelProto:
    # Infer shapes by onnx, with ``propagate`` also values of small integers; raises InputError if onnx fails.
    if NEED_A_TYPE.isdisjoint(call.op_type for call in all_nodes(model.graph.node)):
        return _infer_all(model, path, propagate=propagate)
    whole = [*model.graph.node]
    # calls, and those with such calls in bodies
    calls = ((at, call) for at, node in enumerate(whole) for call in all_nodes([node]))
    withheld = {at for at, call in calls if call.op_type in NEED_A_TYPE and call.input}
    for _ in range(_TYPING_ROUNDS):
        part = onnx.ModelProto()
        part.CopyFrom(model)
        del part.graph.node[:]
        part.graph.node.extend(node for position, node in enumerate(whole) if position not in withheld)
        inferred = _infer_all(part, path, propagate=propagate)
        entries = (*inferred.graph.input, *inferred.graph.value_info, *inferred.graph.output)
        typed = {entry.name for entry in entries if entry.type.WhichOneof("value")}
        typed.update(tensor.name for tensor in inferred.graph.initializer)
        ready = {at for at in withheld if whole[at].op_type in NEED_A_TYPE and whole[at].input[0] in typed}
        if not ready:
            break
        withheld -= ready
    return inferred


def _infer_all(model: onnx.ModelProto, path: Path, *, propagate: bool) -> onnx.ModelProto:
    room = limits.INFERENCE_BYTES + limits.INFERENCE_PER_BYTE * model.ByteSize()
    try:
        with bounds.memory_limit(room, f"{path}: onnx's inference of shapes"):
            return shape_inference.infer_shapes(model, data_prop=propagate)
    except (InferenceError, ValidationError, RuntimeError, ValueError, DecodeError, EncodeError) as error:
        reason = " ".join(str(error).split())[:300]
        raise InputError(f"{path}: onnx cannot infer its shapes: {reason}") from error


def _stated_by(inferred: onnx.ModelProto) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    # Return static specifications, and element types of tensors with unknown shape.
    specs: dict[str, TensorSpec] = {}
    dtypes: dict[str, str] = {}
    for entry in (*inferred.graph.value_info, *inferred.graph.output):
        spec = static_spec(entry)
        if spec is not None:
            specs.setdefault(entry.name, spec)
        elif (element := BY_ONNX.get(entry.type.tensor_type.elem_type)) is not None:
            dtypes[entry.name] = element.name
    return specs, dtypes


def _has_long_vector(graph: onnx.GraphProto) -> bool:
    # Return whether a vector is very long: data propagation makes a dimension of each element, some 60 bytes.
    if any(len(tensor.dims) == 1 and tensor.dims[0] > limits.INFERRED_VECTOR for tensor in graph.initializer):
        return True
    shapes = (entry.type.tensor_type.shape.dim for entry in (*graph.input, *graph.value_info, *graph.output))
    return any(len(dims) == 1 and dims[0].dim_value > limits.INFERRED_VECTOR for dims in shapes)


def proto_of(graph: SourceGraph, inputs: Mapping[str, TensorSpec]) -> onnx.ModelProto:
    """Convert a graph to a ModelProto, which has neither the values of weights nor the shapes of inner tensors."""
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in sorted(graph.opsets.items()):
        model.opset_import.add(domain=domain, version=version)
    model.graph.name = "graph"
    for entry in graph.entries:
        spec = inputs[entry.name]
        model.graph.input.append(value_info(spec) if spec.dtype else entry)
    model.graph.node.extend(node.as_proto() for node in graph.nodes)
    model.graph.initializer.extend(map(_stub, graph.constants.values()))
    for name in graph.output_names:
        model.graph.output.add(name=name)
    return model


def _stub(constant: Constant) -> onnx.TensorProto:
    # Convert a constant for inference, with values of integers and small constants only.
    if constant.spec.dtype != "string":
        return tensor_of(constant)
    return onnx.TensorProto(
        name=constant.spec.name,
        data_type=onnx.TensorProto.STRING,
        dims=constant.spec.shape,
        string_data=[b""] * constant.spec.elements if constant.spec.elements <= 1024 else [],
    )


def _infer_by_runtime(
    graph: SourceGraph, types: Mapping[str, TensorSpec], missing: frozenset[str]
) -> dict[str, TensorSpec]:
    """Infer shapes behind onnxruntime's own operators, which onnx lacks, by onnxruntime's schemas."""
    if not any(node.domain.startswith("com.microsoft") for node in graph.nodes):
        return {}
    specs: dict[str, TensorSpec] = {}
    for node in graph.nodes:
        operands = [specs.get(name) or types.get(name) for name in node.reads]
        usable = all(spec is not None and spec.dtype for spec in operands)
        if usable and not missing.isdisjoint(node.writes):
            # each node alone: the runtime refuses a whole network for one operator that it lacks
            network = _alone(graph, node, [spec for spec in operands if spec is not None])
            specs |= {spec.name: spec for spec in inferred_results(network) if spec.name in missing}
    return specs


def _alone(graph: SourceGraph, node: SourceNode, operands: Sequence[TensorSpec]) -> bytes:
    # Return a network of one node, with values of small integers only.
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in graph.opsets.items():
        model.opset_import.add(domain=domain, version=version)
    model.graph.name = "graph"
    model.graph.node.append(node.as_proto())
    for spec in {spec.name: spec for spec in operands}.values():
        constant = graph.constant(spec.name)
        if constant is not None and constant.values is not None:
            model.graph.initializer.append(tensor_of(constant))
        else:
            model.graph.input.append(value_info(spec))
    for name in node.writes:
        model.graph.output.add(name=name)
    return bytes(model.SerializeToString())


# a bound only: each round folds at least one node
_ROUNDS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """The result of shape inference for a network."""

    types: dict[str, TensorSpec]
    """Name, dtype and shape of tensors."""
    observed: Mapping[str, bytes] | None = None
    """Little-endian values, from a run, of tensors that decide shapes; None without a run."""
    failure: str = ""
    """Why the run for shapes failed; empty if none failed."""
    unsettled: frozenset[str] = frozenset()
    """Tensors whose shapes may depend on values of inputs."""


def infer_shapes(graph: SourceGraph, inputs: Mapping[str, TensorSpec]) -> Inferred:
    """Infer all shapes and fold all constants of a graph.

    Requires topological order and no dead nodes. Afterwards no node is dead or has constant results.
    """
    seen: dict[str, TensorSpec] = {}
    types, dtypes = _infer_and_fold(graph, inputs, seen)
    missing = _missing(graph, types)
    for look in (_infer_by_runtime, _stated):
        while missing and (specs := look(graph, types, missing)):
            seen |= specs
            types, dtypes = _infer_and_fold(graph, inputs, seen)
            missing = _missing(graph, types)
    return _observed(graph, types, dtypes, missing) if missing else Inferred(types=types)


def _stated(graph: SourceGraph, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    # Return the types that the file declares for ``missing`` results of nodes that cannot be run.
    return _declared(graph, missing - _reachable(graph, types))


def _infer_and_fold(
    graph: SourceGraph, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    nodes = graph.nodes
    select_branches(graph)
    types, dtypes = infer(graph, inputs, seen)
    for _ in range(_ROUNDS):
        before = len(graph.nodes)
        if len(fold(graph, types).nodes) == before:
            break
        select_branches(graph)
        if _missing(graph, types):
            types, dtypes = infer(graph, inputs, seen)
        else:
            types |= {name: constant.spec for name, constant in graph.constants.items()}
    if graph.nodes is not nodes:
        remove_dead(graph)
    return types, dtypes


def _missing(graph: SourceGraph, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    return frozenset(name for node in graph.nodes for name in node.writes if name not in types)


def _observed(
    graph: SourceGraph, types: dict[str, TensorSpec], dtypes: Mapping[str, str], missing: frozenset[str]
) -> Inferred:
    declared = _declared(graph, missing)
    unstated = missing & dtypes.keys() - declared.keys()
    guesses = {name: TensorSpec(name=name, dtype=dtypes[name], shape=()) for name in unstated}
    targets = missing & _reachable(graph, types)
    if not targets:
        return Inferred(types=types, unsettled=missing)
    from dlbricks.passes.run_for_shapes import run_for_shapes  # slow to import and rarely needed

    seen = run_for_shapes(freeze(graph, types, guesses={**declared, **guesses}), targets)
    if seen.failure:
        # what is declared of layers whose operands do not fit is wrong as well
        usable = _declared(graph, missing - targets) if "ShapeInferenceError" in seen.failure else declared
        return Inferred(types=types | usable, failure=seen.failure, unsettled=missing)
    return Inferred(types=types | dict(seen.types), observed=seen.values or None, unsettled=missing)


def _declared(graph: SourceGraph, missing: frozenset[str]) -> dict[str, TensorSpec]:
    specs = {name: static_spec(graph.declared[name]) for name in missing & graph.declared.keys()}
    return {name: replace(spec, name=name) for name, spec in specs.items() if spec is not None}


def _reachable(graph: SourceGraph, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    # Return the tensors that the runtime can compute: all nodes that lead to them have kernels.
    unreachable: set[str] = set()
    reachable: set[str] = set()
    for node in graph.nodes:
        version = graph.opsets.get(node.domain, 1)
        # a shape behind a layer without a kernel cannot be observed
        runs = (
            unreachable.isdisjoint(node.reads)
            and has_schema(node.domain, node.op, version)
            and kernel_reason(node.as_proto(), types, version) is None
        )
        (reachable if runs else unreachable).update(node.writes)
    return frozenset(reachable)
