"""Costs of layers, those with bodies included.

Bodies of If, Loop and Scan are networks of their own with a number of iterations.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import onnx

from dlbricks.errors import InputError
from dlbricks.model.bodies import bodies, captured
from dlbricks.model.graph import graph_of
from dlbricks.model.passes.clean import ordered
from dlbricks.model.passes.shape_inference import infer
from dlbricks.model.read.layers import model_of
from dlbricks.model.tensors import IR_VERSION, array_of, constant_of, value_info
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators import costs
from dlbricks.operators.costs import LayerCosts
from dlbricks.operators.view import LayerView


def layer_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Return the costs of a layer.

    None for operators without a rule, for control flow with an unknown number of iterations, and for shapes that are
    unknown or have ranks outside of the rule.
    """
    if layer.domain or layer.op_type not in CONTROL:
        return costs.layer_costs(model, layer)
    known = all(model.spec(name).dtype for name in (*layer.reads, *filter(None, layer.outputs)))
    return _control_costs(model, layer) if known else None


def total_costs(model: Model) -> LayerCosts | None:
    """Return the sum over all layers of a network; None if one of them has no costs."""
    found = [layer_costs(model, layer) for layer in model.layers]
    known = [one for one in found if one is not None]
    return _times(1, known, "sum over layers") if len(known) == len(found) else None


def _times(iterations: int, found: Sequence[LayerCosts], rule: str) -> LayerCosts:
    return LayerCosts(
        flops=iterations * sum(one.flops for one in found),
        read_bytes=iterations * sum(one.read_bytes for one in found),
        written_bytes=iterations * sum(one.written_bytes for one in found),
        parameter_bytes=iterations * sum(one.parameter_bytes for one in found),
        rule=rule,
    )


def _control_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Return the costs of a body over all iterations; of two branches those of the one with more operations."""
    inside = bodies_of(model, layer)
    sums = [total_costs(body.model) for body in inside or ()]
    known = [one for one in sums if one is not None]
    if not inside or len(known) < len(sums):
        return None
    if layer.op_type == "If":
        return _times(1, [max(known, key=lambda one: one.flops)], "layers of the costlier branch")
    return _times(inside[0].iterations, known, f"layers of the body, {inside[0].iterations} iterations")


CONTROL = frozenset({"If", "Loop", "Scan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """One body of a layer."""

    model: Model
    iterations: int
    """Number of runs in one call of the layer, if it runs."""


def bodies_of(model: Model, layer: Layer) -> tuple[Body, ...] | None:
    """Return the bodies of If (one of two runs), Loop or Scan, ordered by attribute name.

    None if the number of iterations or inner shapes are unknown, for example of a runtime's own operators.
    """
    node = onnx.NodeProto.FromString(layer.node)
    view = LayerView(model, layer)
    iterations = {"If": _once, "Loop": _loop_iterations, "Scan": _scan_iterations}[layer.op_type](view, node)
    if iterations is None:
        return None
    found = []
    for graph in bodies(node):
        inside = _network(model, graph, captured(node), _entering(view, graph))
        if inside is None:
            return None
        found.append(Body(model=inside, iterations=iterations))
    return tuple(found)


def _once(_: LayerView, __: onnx.NodeProto) -> int:
    return 1


def _loop_iterations(view: LayerView, node: onnx.NodeProto) -> int | None:
    """Return the trip count of a Loop that ends by its count only."""
    count = view.model.constants.get(view.layer.inputs[0]) if view.layer.inputs else None
    if count is None or count.values is None or not _goes_on(next(bodies(node))):
        return None
    condition = view.spec(1)
    if condition is not None:
        given = view.model.constants.get(condition.name)
        if given is None or given.values is None:
            return None
        if not array_of(given).item():
            return 0
    return max(0, int(array_of(count).item()))


def _goes_on(body: onnx.GraphProto) -> bool:
    """Return whether a body passes its condition on unchanged, or returns a constant."""
    wanted = body.output[0].name
    makers = {node.output[0]: node for node in body.node if node.output}
    while wanted in makers and makers[wanted].op_type == "Identity":
        wanted = makers[wanted].input[0]
    constant = next((tensor for tensor in body.initializer if tensor.name == wanted), None)
    if constant is None and wanted in makers and makers[wanted].op_type == "Constant":
        constant = next((entry.t for entry in makers[wanted].attribute if entry.name == "value"), None)
    if constant is not None:
        return bool(array_of(constant_of(constant, Path("body"))).item())
    return bool(wanted == body.input[1].name)


def _scan_iterations(view: LayerView, _: onnx.NodeProto) -> int | None:
    """Return the extent of the scanned axis."""
    scanned = view.number("num_scan_inputs")
    first = len(view.layer.inputs) - scanned
    axes = view.numbers("scan_input_axes") or [0]
    shape = view.shape(first)
    return shape[axes[0]] if scanned and shape else None


def _entering(view: LayerView, body: onnx.GraphProto) -> list[TensorSpec | None]:
    """Return the known specifications of the inputs of a body, by position."""
    given = [view.spec(position) for position in range(len(view.layer.inputs))]
    if view.layer.op_type == "If":
        return []
    if view.layer.op_type == "Loop":
        counters = [TensorSpec(name="", dtype=dtype, shape=()) for dtype in ("int64", "bool")]
        return [*counters, *given[2:]]
    scanned = view.number("num_scan_inputs")
    axes = itertools.chain(view.numbers("scan_input_axes"), itertools.repeat(0))
    states, slices = given[: len(given) - scanned], given[len(given) - scanned :]
    return [*states, *(_without_axis(spec, axis) for spec, axis in zip(slices, axes, strict=False))][: len(body.input)]


def _without_axis(spec: TensorSpec | None, axis: int) -> TensorSpec | None:
    if spec is None:
        return None
    shape = list(spec.shape)
    del shape[axis]
    return replace(spec, shape=tuple(shape))


def _network(
    model: Model, graph: onnx.GraphProto, outer: Sequence[str], entering: Sequence[TensorSpec | None]
) -> Model | None:
    """Make a network of a body; None if onnx cannot infer its shapes."""
    proto = onnx.ModelProto(ir_version=IR_VERSION, graph=graph)
    for domain, version in model.opsets:
        proto.opset_import.add(domain=domain, version=version)
    inputs: dict[str, TensorSpec] = {}
    for entry, known in zip(graph.input, entering, strict=False):
        if known is None or not known.dtype:
            return None
        inputs[entry.name] = replace(known, name=entry.name)
    constants = {name: model.constants[name] for name in outer if name in model.constants}
    inputs |= {name: model.spec(name) for name in outer if name not in constants and name not in inputs}
    if not all(spec.dtype for spec in inputs.values()):
        return None
    del proto.graph.input[:]
    proto.graph.input.extend(value_info(spec) for spec in inputs.values())
    return _inferred(proto, model, constants, inputs)


def _inferred(
    proto: onnx.ModelProto, model: Model, constants: Mapping[str, Constant], inputs: Mapping[str, TensorSpec]
) -> Model | None:
    graph = graph_of(proto, Path(model.name))
    graph = ordered(replace(graph, constants={**graph.constants, **constants}))
    try:
        types, _ = infer(graph, inputs, {})
    except InputError:
        return None
    return replace(model_of(graph, types), opsets=model.opsets, target=model.target)
