"""Converts a graph of onnx-graphsurgeon to a Model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os.path import relpath

import onnx

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.limits import BODIES
from dlbricks.model.bodies import bodies, body_nodes, domain_of
from dlbricks.model.lowering.kernels import kernel_reason, operand_reason, unknown_reason
from dlbricks.model.read.decoders import network_name
from dlbricks.model.tensors import keeps_values
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.row import Moves
from dlbricks.operators.table import layer_of, operator
from dlbricks.passes.graph import SourceGraph, SourceNode


def freeze(
    graph: SourceGraph,
    types: Mapping[str, TensorSpec],
    failure: str = "",
    guesses: Mapping[str, TensorSpec] | None = None,
) -> Model:
    """Convert a graph in topological order to a Model.

    Args:
        types: dtypes and shapes of tensors; layers that use any other tensor are skipped.
        failure: why dtypes and shapes of other tensors are unknown.
        guesses: guessed dtypes and shapes of other tensors; layers that use these are skipped, too.
    """
    constants = graph.constants
    names = unique_names([node.name or node.op for node in graph.nodes])
    written = [node.writes for node in graph.nodes]
    unknown = {} if types.keys() >= {*chain(*written)} else _unknown_shapes(graph, names, types, failure)
    # of inputs, also of those that nothing reads: they are part of the network
    tensors = {entry.name: types[entry.name] for entry in graph.entries}
    for name in chain(*written):
        tensors[name] = types.get(name) or (guesses or {}).get(name) or TensorSpec(name=name, dtype="", shape=())
    return Model(
        name=network_name(graph.path),
        layers=tuple(_layer(node, name, graph, types, unknown) for node, name in zip(graph.nodes, names, strict=True)),
        inputs=tuple(entry.name for entry in graph.entries),
        outputs=graph.output_names,
        tensors=tensors,
        constants=constants,
        opsets=tuple(sorted(graph.opsets.items())),
        source_layers=graph.source_layers,
        folded=max(0, graph.source_layers - len(names)),
    )


def unique_names(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return a unique name for each layer; a number is added to a wanted name that repeats."""
    counts = Counter(wanted)
    taken = {name for name, count in counts.items() if count == 1}
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for name in wanted:
        chosen = name
        while chosen in taken if counts[name] > 1 else False:
            numbers[name] += 1
            chosen = f"{name}_{numbers[name]}"
        taken.add(chosen)
        names.append(chosen)
    return tuple(names)


def _unknown_shapes(
    graph: SourceGraph, names: Sequence[str], types: Mapping[str, TensorSpec], failure: str
) -> dict[str, str]:
    # Map tensors of unknown shape to the reason, which names the first layer with unknown results.
    reasons: dict[str, str] = {}
    for node, name in zip(graph.nodes, names, strict=True):
        missing = [tensor for tensor in node.writes if tensor not in types]
        if missing:
            before = next((reasons[tensor] for tensor in node.reads if tensor in reasons), None)
            begin = f"shapes behind {node.domain and f'{node.domain}.'}{node.op} '{name}' cannot be known"
            reasons.update(dict.fromkeys(missing, before or begin + _why_unknown(node, graph, failure)))
    return reasons


def _why_unknown(node: SourceNode, graph: SourceGraph, failure: str) -> str:
    unknown = unknown_reason(node.domain, node.op, graph.opsets.get(node.domain, 1))
    if unknown:
        return f": it {unknown}, and the file does not give the shape of its output"
    for name in node.reads:
        constant = graph.constant(name)
        source = constant.source if constant and constant.values is None else None
        if constant and source and keeps_values(constant.spec.dtype, constant.spec.nbytes, constant.spec.elements):
            return f": values of '{name}' lie in {relpath(source.path, graph.path.parent)}, which is missing"
    return f": {failure}" if failure else ""


def check_opset(graph: SourceGraph) -> SourceGraph:
    """Check that the installed onnx supports the opsets of a graph; return the graph unchanged.

    Raises:
        UnsupportedModelError: onnx does not support an opset.
    """
    opset, newest = graph.opsets.get("", 0), onnx.defs.onnx_opset_version()
    if opset > newest:
        raise UnsupportedModelError(
            f"{graph.path} imports opset {opset}; the installed onnx supports {newest} at most: install a newer onnx"
        )
    return graph


def check_operands(graph: SourceGraph) -> SourceGraph:
    """Check the number of operands of every node, bodies included; return the graph unchanged.

    Raises:
        InputError: an operand is missing, or a node has too many.
        UnsupportedModelError: bodies are nested deeper than the limit.
    """
    for node in graph.nodes:
        proto = node.as_proto()
        within = [*body_nodes(proto)] if proto.attribute else []
        # before anything descends into bodies
        if within and _depth(proto) > BODIES:
            name = node.name or node.op
            raise UnsupportedModelError(f"{graph.path}: layer '{name}' has nested bodies, more than {BODIES} deep")
        for call in (proto, *within):
            domain = domain_of(call)
            reason = operand_reason(call, domain, graph.opsets.get(domain, 1))
            if reason:
                raise InputError(f"{graph.path}: {call.op_type} (layer '{call.name or call.op_type}') {reason}")
    return graph


def _depth(proto: onnx.NodeProto) -> int:
    return max((1 + max(map(_depth, body.node), default=0) for body in bodies(proto)), default=0)


def _layer(
    node: SourceNode, name: str, graph: SourceGraph, types: Mapping[str, TensorSpec], unknown: Mapping[str, str]
) -> Layer:
    version = graph.opsets.get(node.domain, 1)
    proto = node.as_proto()
    layer = layer_of(name, _completed(proto, types, version), graph.opsets)
    reason = _skip_reason(layer, proto, types, graph, unknown)
    return replace(layer, skip=reason) if reason else layer


def _skip_reason(
    layer: Layer,
    proto: onnx.NodeProto,
    types: Mapping[str, TensorSpec],
    graph: SourceGraph,
    unknown: Mapping[str, str],
) -> str | None:
    # Return why a layer cannot be part of a benchmark; None if it can. ``unknown`` has reasons for missing types.
    name = f"{layer.domain}.{layer.op_type}" if layer.domain else layer.op_type
    unsupported_reason = unknown_reason(layer.domain, layer.op_type, layer.opset)
    if unsupported_reason:
        return f"{name} {unsupported_reason}"
    for call in body_nodes(proto) if proto.attribute else ():
        unsupported_reason = unknown_reason(domain_of(call), call.op_type, graph.opsets.get(domain_of(call), 1))
        if unsupported_reason:
            return f"a body of {name} calls {call.op_type}, which {unsupported_reason}"
    if layer.domain.endswith("training"):
        return f"{name} is a training operator"
    if layer.op_type == "Dropout" and _trains(layer, graph):
        mode = layer.inputs[2]
        hint = f": --value {mode}=false turns it off" if mode in (entry.name for entry in graph.entries) else ""
        return f"Dropout in training mode gives random results{hint}"
    return _type_reason(name, layer, types, unknown) or kernel_reason(proto, types, layer.opset)


def _type_reason(name: str, layer: Layer, types: Mapping[str, TensorSpec], unknown: Mapping[str, str]) -> str | None:
    for tensor in filter(None, (*layer.inputs, *layer.captured, *layer.outputs)):
        spec = types.get(tensor)
        if spec is None:
            return unknown[tensor]
        if spec.dtype == "":
            return f"{name} handles a sequence, optional or map"
        if spec.dtype == "string":
            return f"{name} handles strings"
    return None


def _trains(layer: Layer, graph: SourceGraph) -> bool:
    if len(layer.inputs) < 3 or not layer.inputs[2]:
        return False
    mode: Constant | None = graph.constant(layer.inputs[2])
    return mode is None or mode.values is None or any(mode.values)


def _completed(original: onnx.NodeProto, types: Mapping[str, TensorSpec], version: int) -> onnx.NodeProto:
    """Add defaults that the standard states only in prose, so that equal calls have equal attributes.

    Sliding windows get strides, dilations, pads and kernel_shape, and Transpose gets perm, if ``version`` has these
    attributes. Documentation, metadata and omitted operands at the end are dropped.
    """
    proto = onnx.NodeProto()
    proto.CopyFrom(original)
    # neither decides what is computed; both may tell whose network it is
    proto.ClearField("doc_string")
    proto.ClearField("metadata_props")
    proto.domain = domain_of(original)
    operands = proto.input
    for names in (operands, proto.output):
        while names and not names[-1]:
            del names[-1]
    row = operator("", proto.op_type)
    transposes = Moves.PERMUTES in row.moves
    if proto.domain or not (row.is_windowed or transposes) or operands[0] not in types:
        return proto
    rank = len(types[operands[0]].shape)
    present = {attribute.name for attribute in proto.attribute}
    wanted: dict[str, list[int]] = {}
    if transposes:
        wanted["perm"] = list(reversed(range(rank)))
    else:
        wanted |= {"strides": [1] * (rank - 2), "dilations": [1] * (rank - 2)}
        auto = next((attribute.s for attribute in proto.attribute if attribute.name == "auto_pad"), b"NOTSET")
        if auto == b"NOTSET" and "output_shape" not in present:
            wanted["pads"] = [0] * (2 * (rank - 2))
            wanted["output_padding"] = [0] * (rank - 2)
        weight = types.get(operands[row.weight]) if row.weight is not None else None
        if weight is not None:
            wanted["kernel_shape"] = list(weight.shape[2:])
    allowed = onnx.defs.get_schema(proto.op_type, max_inclusive_version=version, domain="").attributes
    for name, values in wanted.items():
        if name not in present and name in allowed:
            proto.attribute.add(name=name, type=onnx.AttributeProto.INTS, ints=values)
    return proto
