"""Infers the shapes of all tensors, alternating with constant folding, since each enables the other.

Stages, each for tensors left by the previous ones:

1. onnx's inference with data propagation, and folding, until neither finds more;
2. onnxruntime's symbolic inference, if its own operators leave gaps;
3. the types that the file declares, for results of layers that cannot be run (for example of custom domains);
4. one run, in which declared types are guesses; if it fails, they are taken as they are.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import onnx
from onnx import helper

from dlbricks import limits
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.graph import Graph
from dlbricks.model.lowering.kernels import has_schema, kernel_reason
from dlbricks.model.passes import onnx_inference
from dlbricks.model.passes.branches import without_constant_branches
from dlbricks.model.passes.clean import without_dead
from dlbricks.model.passes.fold import fold
from dlbricks.model.tensors import IR_VERSION, static_spec, tensor_of, value_info
from dlbricks.model.types import Constant, Model, TensorSpec


def infer(
    graph: Graph, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    """Run onnx's inference with data propagation.

    Args:
        graph: the network; value_info of the file is not used, since it may be stale.
        inputs: specifications of the graph inputs.
        seen: specifications known otherwise, for example from a run.

    Returns:
        Static specifications (dtype ``""``: no tensor); and element types of tensors with unknown shape.

    Raises:
        InputError: onnx rejects the network.
    """
    model = proto_of(graph, inputs)
    model.graph.value_info.extend(value_info(spec) for spec in seen.values() if spec.dtype)
    inferred = onnx_inference.infer_shapes(model, graph.path, propagate=False)
    stated, dtypes = _stated_by(inferred)
    if not stated.keys() >= {*_written(graph)} and not _has_long_vector(inferred.graph):
        stated, dtypes = _stated_by(onnx_inference.infer_shapes(model, graph.path, propagate=True))
    found = {**stated, **inputs, **seen}
    for name, constant in graph.constants.items():
        found[name] = constant.spec
    return found, dtypes


def _stated_by(inferred: onnx.ModelProto) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    """Return static specifications, and element types of tensors with unknown shape."""
    found: dict[str, TensorSpec] = {}
    dtypes: dict[str, str] = {}
    for entry in (*inferred.graph.value_info, *inferred.graph.output):
        spec = static_spec(entry)
        if spec is not None:
            found.setdefault(entry.name, spec)
        elif (element := BY_ONNX.get(entry.type.tensor_type.elem_type)) is not None:
            dtypes[entry.name] = element.name
    return found, dtypes


def _has_long_vector(graph: onnx.GraphProto) -> bool:
    """Return whether a vector is very long: data propagation makes a dimension of each element, some 60 bytes."""
    if any(len(tensor.dims) == 1 and tensor.dims[0] > limits.INFERRED_VECTOR for tensor in graph.initializer):
        return True
    for entry in (*graph.input, *graph.value_info, *graph.output):
        dims = entry.type.tensor_type.shape.dim
        if len(dims) == 1 and dims[0].dim_value > limits.INFERRED_VECTOR:
            return True
    return False


def proto_of(graph: Graph, inputs: Mapping[str, TensorSpec]) -> onnx.ModelProto:
    """Convert the graph to a ModelProto for onnx's functions; weights have no values, only inputs have shapes."""
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in sorted(graph.opsets.items()):
        model.opset_import.add(domain=domain, version=version)
    made = model.graph
    made.name = "graph"
    for entry in graph.inputs:
        spec = inputs[entry.name]
        made.input.append(value_info(spec) if spec.dtype else entry)
    made.node.extend(node.proto for node in graph.nodes)
    made.initializer.extend(map(_stub, graph.constants.values()))
    for name in graph.outputs:
        made.output.add(name=name)
    return model


def _stub(constant: Constant) -> onnx.TensorProto:
    """Convert a constant for inference, with values of integers and small constants only."""
    if constant.spec.dtype != "string":
        return tensor_of(constant)
    return onnx.TensorProto(
        name=constant.spec.name,
        data_type=onnx.TensorProto.STRING,
        dims=constant.spec.shape,
        string_data=[b""] * constant.spec.elements if constant.spec.elements <= 1024 else [],
    )


_INT_MAX = 2**31 - 1


def symbolic_inference() -> Any:
    """Import onnxruntime's symbolic inference; called before forks that read decoders, none of them has to."""
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    return SymbolicShapeInference


def infer_symbolically(graph: Graph, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Find shapes behind the runtime's own operators by onnxruntime's symbolic inference, which is slow to import.

    Its public function raises if it cannot infer everything, and writes a file; partial results are used here.
    """
    inference = symbolic_inference()(_INT_MAX, auto_merge=True, guess_output_rank=False, verbose=0)
    _unpack_gathered(inference)
    _skip_values_of_weights(inference)
    _add_rules(inference)
    try:
        inference._preprocess(proto_of(graph, types))  # noqa: SLF001 - see the docstring
        while inference.run_:
            inference._infer_impl()  # noqa: SLF001
    except Exception:  # noqa: BLE001, S110 - it raises bare exceptions; what it did not find the next stage looks for
        pass
    found: dict[str, TensorSpec] = {}
    for name, entry in inference.known_vi_.items():
        if name in missing and isinstance(entry, onnx.ValueInfoProto):
            spec = static_spec(entry)
            if spec is not None and spec.dtype:
                found[name] = TensorSpec(name=name, dtype=spec.dtype, shape=spec.shape)
    return found


# Of each operator that onnxruntime's symbolic inference does not know (1.32) the input whose type and shape each output
# has, by their places. They are those of its model builder for decoders with experts, of Qwen 2.5 VL and newer, and of
# LFM 2. As the schemas of the runtime say, most results have the shape of an input; states keep theirs over calls.
_SHAPES_KEPT: Mapping[str, Mapping[int, int]] = {
    "CausalConvWithState": {0: 0, 1: 3},
    "GatedAdd": {0: 0},
    "GatedRMSNorm": {0: 0},
    "LinearAttention": {1: 3},
    "LinearAttentionGate": {0: 0, 1: 3},
    "MRotaryEmbedding": {0: 0},
    "QMoE": {0: 0},
}


def _add_rules(inference: Any) -> None:
    """Add these operators to an inference of onnxruntime's; what it knows itself stays."""

    def kept(node: onnx.NodeProto) -> None:
        for output, given in _SHAPES_KEPT[node.op_type].items():
            if len(node.output) > output and node.output[output] and len(node.input) > given and node.input[given]:
                inference._propagate_shape_and_type(node, given, output)  # noqa: SLF001
        if node.op_type == "LinearAttention":
            _attended(inference, node)
        elif node.op_type == "CausalConvWithState":
            _convolved(inference, node)

    for name in _SHAPES_KEPT:
        inference.dispatcher_.setdefault(name, kept)


def _attended(inference: Any, node: onnx.NodeProto) -> None:
    """Values of each head, of the queries or of the keys, whichever are more."""
    given = {one.name: one.i for one in node.attribute}
    value = inference.known_vi_[node.input[2]].type.tensor_type
    batch, length, wide = (one.dim_value for one in value.shape.dim)
    heads = given["kv_num_heads"]
    extent = wide // heads * max(heads, given["q_num_heads"])
    made = helper.make_tensor_value_info(node.output[0], value.elem_type, (batch, length, extent))
    inference.known_vi_[node.output[0]].CopyFrom(made)


def _convolved(inference: Any, node: onnx.NodeProto) -> None:
    """Only the chosen channels, which are the last extent then."""
    channels = next((one.i for one in node.attribute if one.name == "input_channels"), 0)
    if channels > 0:
        inference.known_vi_[node.output[0]].type.tensor_type.shape.dim[-1].dim_value = channels


def _unpack_gathered(inference: Any) -> None:
    """Correct the inference of GatherBlockQuantized, which counts bytes instead of elements (onnxruntime 1.32)."""
    usual = inference.dispatcher_.get("GatherBlockQuantized")

    def infer_unpacked(node: onnx.NodeProto) -> None:
        usual(node)
        given = {one.name: one.i for one in node.attribute}
        data, indices = (inference.known_vi_[name].type.tensor_type for name in node.input[:2])
        if data.elem_type == onnx.TensorProto.UINT8:
            axis, gathered = (
                given.get(name, fallback) for name, fallback in (("quantize_axis", 1), ("gather_axis", 0))
            )
            axis += len(indices.shape.dim) - 1 if axis > gathered else 0
            inference.known_vi_[node.output[0]].type.tensor_type.shape.dim[axis].dim_value *= 8 // given.get("bits", 4)

    if usual is not None:
        inference.dispatcher_["GatherBlockQuantized"] = infer_unpacked


def _skip_values_of_weights(inference: Any) -> None:
    """Say that values of weights are unknown, which arithmetic asks for: they are not there, and it would end."""
    usual = inference._try_get_value  # noqa: SLF001

    def value(node: onnx.NodeProto, index: int) -> Any:
        weight = inference.initializers_.get(node.input[index]) if index < len(node.input) else None
        if weight is not None and weight.data_location == onnx.TensorProto.EXTERNAL:
            return None
        return usual(node, index)

    inference._try_get_value = value  # noqa: SLF001


ModelOf = Callable[[Graph, Mapping[str, TensorSpec], str, Mapping[str, TensorSpec]], Model]
"""Makes a Model of a graph, known specifications, the reason for unknown ones, and guesses of these."""

_ROUNDS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """A network with all shapes that can be known."""

    graph: Graph
    types: Mapping[str, TensorSpec]
    """Every tensor of known shape."""
    observed: Mapping[str, bytes] | None = None
    """Values that decide shapes, from a run; None if there was none."""
    failure: str = ""
    """Why a necessary run failed."""


def infer_shapes(graph: Graph, inputs: Mapping[str, TensorSpec], model_of: ModelOf) -> Inferred:
    """Find all shapes and fold all constants.

    Args:
        graph: the network, in topological order.
        inputs: specifications of the graph inputs, with all dimensions bound.
        model_of: makes a Model of a graph, for the run.
    """
    known: dict[str, TensorSpec] = {}
    graph, types, dtypes = _infer_and_fold(graph, inputs, known)
    for look in (_symbolic, _stated):
        missing = _missing(graph, types)
        found = look(graph, types, missing) if missing else {}
        if found:
            known |= found
            graph, types, dtypes = _infer_and_fold(graph, inputs, known)
    if not _missing(graph, types):
        return Inferred(graph=graph, types=types)
    return _observed(graph, types, dtypes, model_of)


def _symbolic(graph: Graph, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Use symbolic inference if the network has operators of the runtime."""
    if not any(node.domain.startswith("com.microsoft") for node in graph.nodes):
        return {}
    return infer_symbolically(graph, types, missing)


def _stated(graph: Graph, types: Mapping[str, TensorSpec], missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Return declared types of layers that cannot be run."""
    return _declared(graph, missing - _reachable(graph, types))


def _infer_and_fold(
    graph: Graph, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[Graph, dict[str, TensorSpec], dict[str, str]]:
    """Infer shapes and fold constants until neither finds more."""
    graph = without_constant_branches(graph)
    types, dtypes = infer(graph, inputs, seen)
    for _ in range(_ROUNDS):
        folded = without_constant_branches(fold(graph, types))
        if folded is graph:
            break
        graph = folded
        if _missing(graph, types):
            types, dtypes = infer(graph, inputs, seen)
        else:
            types |= {name: constant.spec for name, constant in graph.constants.items()}
    return without_dead(graph), types, dtypes


def _missing(graph: Graph, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    return frozenset(name for name in _written(graph) if name not in types)


def _written(graph: Graph) -> Iterator[str]:
    return (name for node in graph.nodes for name in node.writes)


def _observed(
    graph: Graph,
    types: dict[str, TensorSpec],
    dtypes: Mapping[str, str],
    model_of: ModelOf,
) -> Inferred:
    """Run the network to observe missing shapes."""
    missing = _missing(graph, types)
    declared = _declared(graph, missing)
    unstated = missing & dtypes.keys() - declared.keys()
    guesses = {name: TensorSpec(name=name, dtype=dtypes[name], shape=()) for name in unstated}
    targets = missing & _reachable(graph, types)
    if not targets:
        return Inferred(graph=graph, types=types)
    from dlbricks.model.passes.run_for_shapes import run_for_shapes  # slow to import and rarely needed

    seen = run_for_shapes(model_of(graph, types, "", {**declared, **guesses}), targets)
    if seen.failure:
        return Inferred(graph=graph, types={**types, **declared}, failure=seen.failure)
    return Inferred(graph=graph, types={**types, **seen.types}, observed=seen.values or None)


def _declared(graph: Graph, missing: frozenset[str]) -> dict[str, TensorSpec]:
    """Return the static types that the file declares for missing tensors."""
    specs = {name: static_spec(graph.declared[name]) for name in missing & graph.declared.keys()}
    return {name: replace(spec, name=name) for name, spec in specs.items() if spec is not None}


def _reachable(graph: Graph, types: Mapping[str, TensorSpec]) -> frozenset[str]:
    """Return the tensors that the runtime can compute: all layers that lead to them have kernels."""
    unreachable: set[str] = set()
    reachable: set[str] = set()
    for node in graph.nodes:
        version = graph.opsets.get(node.domain, 1)
        runs = (
            unreachable.isdisjoint(node.reads)
            and has_schema(node.domain, node.op_type, version)
            and kernel_reason(node, types, version) is None
        )
        (reachable if runs else unreachable).update(node.writes)
    return frozenset(reachable)
