"""Bodies of If, Loop and Scan as networks of their own, and how often they run. Pure."""

import functools
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import onnx
from onnx import helper, shape_inference

from dlbricks.model import tensors
from dlbricks.model.bodies import body_nodes, captured
from dlbricks.model.schemas import NEED_A_TYPE, layer_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec

# Operators that run networks which their attributes hold.
WITH_BODIES = frozenset(
    ["If", "Loop", "Scan", "SequenceMap", "BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch"]
)
_Operand: TypeAlias = Constant | TensorSpec


class Turns(NamedTuple):
    """What runs inside a call."""

    bodies: tuple[Model | None, ...] = (None,)
    """Each turn runs one of them; None where shapes are unknown, or differ from turn to turn."""
    turns: int | None = None
    """Of a call; None if they depend on values that are not part of the network."""


def turns_of(model: Model, layer: Layer) -> Turns:
    """Return the bodies of a call and how often they run, from shapes and constants alone."""
    proto = onnx.NodeProto.FromString(layer.node)
    names = zip((*proto.input, *captured(proto)), (*layer.inputs, *layer.captured), strict=False)
    operands = tuple((inner, model.constants.get(name) or model.spec(name)) for inner, name in names if inner)
    return _turns(layer.node, operands, model.opsets)


# costs, features and texts ask for the same layers in turn
@functools.lru_cache(maxsize=64)
def _turns(node: bytes, operands: tuple[tuple[str, _Operand], ...], opsets: tuple[tuple[str, int], ...]) -> Turns:
    proto, outer = onnx.NodeProto.FromString(node), dict(operands)
    is_old = proto.op_type == "Scan" and dict(opsets).get("", 1) < 9  # with a length for each sequence of a batch
    withheld = any(call.op_type in NEED_A_TYPE for call in body_nodes(proto))
    attributes = {entry.name: helper.get_attribute_value(entry) for entry in proto.attribute}
    needed = {"If": {"else_branch", "then_branch"}, "Loop": {"body"}, "Scan": {"body", "num_scan_inputs"}}
    # networks that the checker refuses are inspected, too
    if not needed.get(proto.op_type, {""}) <= attributes.keys() or is_old or withheld:
        return Turns()
    if proto.op_type == "If":
        condition, branches = _number(outer.get(proto.input[0])), ["else_branch", "then_branch"]
        chosen = branches if condition is None else [branches[bool(condition)]]
        return Turns(tuple(_network(attributes[name], [], outer, opsets) for name in chosen), 1)
    body, scans = attributes["body"], attributes.get("num_scan_inputs", 0)
    first, carried, count = (0 if scans else 2), len(proto.input) - scans, None
    specs = [TensorSpec(name="", dtype=dtype, shape=()) for dtype in ("int64", "bool")][:first]
    specs += [_spec(outer[name]) for name in proto.input[first:]]
    for place, axis in zip(range(carried, len(specs)), attributes.get("scan_input_axes", [0] * scans), strict=True):
        extents = list(specs[place].shape)
        count = extents.pop(axis)
        specs[place] = replace(specs[place], shape=tuple(extents))
    network = _network(body, specs, outer, opsets)
    begins = [entry.name for entry in body.input[first:carried]]
    ends = [entry.name for entry in body.output[first // 2 :]]
    # what a Loop grows from turn to turn, as a list of results, has no cost of one turn; a Scan keeps shapes
    unlike = (
        not scans
        and network
        and [network.spec(name).shape for name in begins] != [network.spec(name).shape for name in ends[: len(begins)]]
    )
    if network is None or unlike:
        return Turns()
    return Turns((network,), count if scans else _trips(proto, body, network, outer))


def _trips(proto: onnx.NodeProto, body: onnx.GraphProto, network: Model, outer: dict[str, _Operand]) -> int | None:
    """Return the count of a Loop whose condition holds in every turn."""
    most, begins = (_number(outer.get(name)) for name in proto.input[:2])
    copies = {node.output[0]: node.input[0] for node in body.node if node.op_type in {"Identity", "Cast"}}
    name = body.output[0].name
    for _ in copies:
        name = copies.get(name, name)
    goes_on = name == body.input[1].name or _number(network.constants.get(name))
    return most if goes_on and (begins or not proto.input[1]) else None


def _number(operand: _Operand | None) -> int | None:
    values = tensors.numbers_of(operand) if isinstance(operand, Constant) else None
    return int(values[0]) if values is not None and len(values) else None


def _spec(operand: _Operand) -> TensorSpec:
    return operand.spec if isinstance(operand, Constant) else operand


def _network(
    body: onnx.GraphProto, specs: list[TensorSpec], outer: dict[str, _Operand], opsets: tuple[tuple[str, int], ...]
) -> Model | None:
    """Make a network of a body; None if onnx rejects it, or if it reads other things than tensors of numbers."""
    nodes_of_constants = {node.output[0]: node for node in body.node if node.op_type == "Constant"}
    constants = {tensor.name: tensors.constant_of(tensor, Path()) for tensor in body.initializer}
    constants |= {name: tensors.constant_of_node(node, Path())[0] for name, node in nodes_of_constants.items()}
    types = {entry.name: spec for entry, spec in zip(body.input, specs, strict=True)}
    for name, operand in outer.items():
        if isinstance(operand, Constant):
            constants.setdefault(name, operand)
        elif name not in constants:
            types.setdefault(name, operand)
    # names within are those of the body
    types = {name: replace(spec, name=name) for name, spec in types.items()}
    constants = {name: replace(entry, spec=replace(entry.spec, name=name)) for name, entry in constants.items()}
    if {"", "string"} & {spec.dtype for spec in (*types.values(), *(entry.spec for entry in constants.values()))}:
        return None
    nodes, outputs = (
        [node for node in body.node if node.output[0] not in nodes_of_constants],
        [entry.name for entry in body.output],
    )
    graph = onnx.GraphProto(name="body", node=nodes, input=map(tensors.value_info, types.values()))
    graph.initializer.extend(map(tensors.tensor_of, constants.values()))
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    imports = [helper.make_opsetid(*entry) for entry in opsets]
    proto = onnx.ModelProto(ir_version=tensors.IR_VERSION, opset_import=imports, graph=graph)
    try:
        inferred = shape_inference.infer_shapes(proto, data_prop=True).graph
    except (shape_inference.InferenceError, RuntimeError, ValueError):
        return None
    inferred_specs = {entry.name: tensors.static_spec(entry) for entry in (*inferred.value_info, *inferred.output)}
    for name in (name for node in nodes for name in node.output if name):
        types[name] = inferred_specs.get(name) or TensorSpec(name=name, dtype="", shape=())
    return Model(
        layers=tuple(layer_of(node.name, node, dict(opsets)) for node in nodes),
        name="body",
        inputs=(),
        outputs=tuple(outputs),
        tensors=types,
        constants=constants,
        opsets=opsets,
    )
