"""Control flow taken apart: the bodies of If, Loop and Scan as networks of their own, and how often each runs.

Shapes inside a body follow from those of what goes in, by onnx's inference; a body that onnx cannot infer, as one with
operators of a runtime, has no shapes. Pure.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import onnx

from dlbricks.errors import InputError
from dlbricks.model.bodies import bodies, captured
from dlbricks.model.clean import ordered
from dlbricks.model.draft import draft_of
from dlbricks.model.layers import model_of
from dlbricks.model.nouns import Constant, Layer, Model, TensorSpec
from dlbricks.model.shapes import infer
from dlbricks.model.tensors import IR_VERSION, array_of, constant_of, value_info
from dlbricks.model.view import LayerView

CONTROL = frozenset({"If", "Loop", "Scan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """One body of a layer."""

    model: Model
    turns: int
    """How often it runs in one call of the layer, if it runs."""


def bodies_of(model: Model, layer: Layer) -> tuple[Body, ...] | None:
    """Take a layer apart that holds bodies.

    Args:
        model: whose layer it is; shapes of what the layer reads known.
        layer: If (two bodies of which one runs), Loop or Scan (one body).

    Returns:
        Its bodies, ordered by attribute name; None where the number of turns or the shapes inside are not known.
    """
    node = onnx.NodeProto.FromString(layer.node)
    view = LayerView(model, layer)
    turns = {"If": _once, "Loop": _loop_turns, "Scan": _scan_turns}[layer.op_type](view, node)
    if turns is None:
        return None
    found = []
    for graph in bodies(node):
        inside = _network(model, graph, captured(node), _entering(view, graph))
        if inside is None:
            return None
        found.append(Body(model=inside, turns=turns))
    return tuple(found)


def _once(_: LayerView, __: onnx.NodeProto) -> int:
    return 1


def _loop_turns(view: LayerView, node: onnx.NodeProto) -> int | None:
    """Trip count of a Loop that nothing but its count ends."""
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
    """Whether the condition that a body gives is the one it was given, or a constant: then only the count ends it."""
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


def _scan_turns(view: LayerView, _: onnx.NodeProto) -> int | None:
    """Extent of the axis that is gone along."""
    scanned = view.number("num_scan_inputs")
    first = len(view.layer.inputs) - scanned
    axes = view.numbers("scan_input_axes") or [0]
    shape = view.shape(first)
    return shape[axes[0]] if scanned and shape else None


def _entering(view: LayerView, body: onnx.GraphProto) -> list[TensorSpec | None]:
    """Give what is known of the inputs of a body, by position."""
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
    """Make a network of a body; None where onnx cannot infer its shapes."""
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
    return _settled(proto, model, constants, inputs)


def _settled(
    proto: onnx.ModelProto, model: Model, constants: Mapping[str, Constant], inputs: Mapping[str, TensorSpec]
) -> Model | None:
    draft = draft_of(proto, Path(model.name))
    draft = ordered(replace(draft, constants={**draft.constants, **constants}))
    try:
        types, _ = infer(draft, inputs, {})
    except InputError:
        return None
    return replace(model_of(draft, types), opsets=model.opsets, target=model.target)
