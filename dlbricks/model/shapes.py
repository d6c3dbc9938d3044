"""Types and shapes of all tensors, found by onnx's inference."""

from collections.abc import Mapping

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import shape_inference

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.draft import Draft
from dlbricks.model.nouns import Constant, TensorSpec
from dlbricks.model.tensors import IR_VERSION, static_spec, tensor_of, value_info

_LONGEST_VECTOR = 1 << 20


def infer(
    draft: Draft, inputs: Mapping[str, TensorSpec], seen: Mapping[str, TensorSpec]
) -> tuple[dict[str, TensorSpec], dict[str, str]]:
    """Find what onnx's inference with data propagation can find.

    Args:
        draft: The network; value_info of the file is not used, for it may be stale.
        inputs: Specification of the graph inputs.
        seen: Specifications that are known otherwise, as from a real run.

    Returns:
        Specification of every input and of every tensor of known static shape; tensors whose shape is unknown are
        missing. What is known to be no tensor has dtype ``""``. And, for tensors of unknown shape, the element types
        that are known.

    Raises:
        InputError: the inference refuses the network.
    """
    model = proto_of(draft, inputs)
    model.graph.value_info.extend(value_info(spec) for spec in seen.values() if spec.dtype)
    inferred = _infer(model, draft, propagate=False)
    if not _has_long_vector(inferred.graph):
        inferred = _infer(model, draft, propagate=True)
    found = dict(inputs)
    dtypes: dict[str, str] = {}
    for entry in (*inferred.graph.value_info, *inferred.graph.output):
        spec = static_spec(entry)
        if spec is not None:
            found.setdefault(entry.name, spec)
        elif (element := BY_ONNX.get(entry.type.tensor_type.elem_type)) is not None:
            dtypes[entry.name] = element.name
    found.update(seen)
    for name, constant in draft.constants.items():
        found[name] = constant.spec
    return found, dtypes


def _infer(model: onnx.ModelProto, draft: Draft, *, propagate: bool) -> onnx.ModelProto:
    try:
        return shape_inference.infer_shapes(model, data_prop=propagate)
    except (
        shape_inference.InferenceError,
        onnx.checker.ValidationError,
        RuntimeError,
        DecodeError,
        EncodeError,
    ) as error:
        reason = " ".join(str(error).split())[:300]
        message = f"{draft.path}: onnx cannot infer its shapes: {reason}"
        raise InputError(message) from error


def _has_long_vector(graph: onnx.GraphProto) -> bool:
    """Whether some tensor has one dimension and very many elements.

    Data propagation takes every vector for a possible shape and makes a dimension of each element, some 60 bytes.
    Without it folding does the arithmetic on shapes, in more turns.
    """
    if any(len(tensor.dims) == 1 and tensor.dims[0] > _LONGEST_VECTOR for tensor in graph.initializer):
        return True
    for entry in (*graph.input, *graph.value_info, *graph.output):
        dims = entry.type.tensor_type.shape.dim
        if len(dims) == 1 and dims[0].dim_value > _LONGEST_VECTOR:
            return True
    return False


def proto_of(draft: Draft, inputs: Mapping[str, TensorSpec]) -> onnx.ModelProto:
    """Write the draft as a ModelProto for onnx's own functions; weights point nowhere, shapes only of inputs."""
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in sorted(draft.opsets.items()):
        model.opset_import.add(domain=domain, version=version)
    graph = model.graph
    graph.name = "draft"
    for entry in draft.inputs:
        spec = inputs[entry.name]
        graph.input.append(value_info(spec) if spec.dtype else entry)
    graph.node.extend(node.proto for node in draft.nodes)
    graph.initializer.extend(map(_stub, draft.constants.values()))
    for name in draft.outputs:
        graph.output.add(name=name)
    return model


def _stub(constant: Constant) -> onnx.TensorProto:
    """Write a constant for inference: values of integers (and small ones), no others."""
    if constant.spec.dtype != "string":
        return tensor_of(constant)
    return onnx.TensorProto(
        name=constant.spec.name,
        data_type=onnx.TensorProto.STRING,
        dims=constant.spec.shape,
        string_data=[b""] * constant.spec.elements if constant.spec.elements <= 1024 else [],
    )


