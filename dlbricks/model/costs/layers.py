"""Minimum cost of one call of a layer: operations of every kind, bytes read and written. Pure.

Each operand is read once, each result written once, views move nothing: the compulsory traffic of the roofline model
(Williams, Waterman, Patterson, CACM 52(4), 2009).

Bodies of If, Loop and Scan are networks of their own with a number of iterations. Layers of operators without a rule
have no costs.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import onnx

from dlbricks.errors import InputError
from dlbricks.model.bodies import bodies, captured
from dlbricks.model.buffers import view_owners
from dlbricks.model.costs.flops import LayerView, apply_formula, experts_share
from dlbricks.model.costs.rules import RULES, OperationRule
from dlbricks.model.graph import graph_of
from dlbricks.model.passes.clean import ordered
from dlbricks.model.passes.shape_inference import infer
from dlbricks.model.read.layers import model_of
from dlbricks.model.read.tensors import IR_VERSION, array_of, constant_of, value_info
from dlbricks.model.types import Constant, Layer, Model, TensorSpec

_DOMAINS = frozenset({"", "com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc"})


_TABLES: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("Gather", "GatherElements", "GatherND", "Slice", "Compress", "CenterCropPad", "Trilu"), (0,)),
    "EmbedLayerNormalization": (2, 3, 4),
}
"""Operators that read no more bytes of these operands than they output."""
_UNREAD: Mapping[str, tuple[int, ...]] = {"Shape": (0,), "Size": (0,), "CastLike": (1,), "EyeLike": (0,)}
"""Operators that need the shape or type of these operands, not their values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """Minimum cost of one call of a layer."""

    flops: int
    """Arithmetic and logical operations on floats or integers, a multiply-add counts as two."""
    read_bytes: int
    """Operands, each once, constants included; of a lookup table at most the bytes of the result."""
    written_bytes: int
    """Results."""
    parameter_bytes: int
    """Bytes read of constants."""
    rule: str
    """Formula in words, and its source after a semicolon."""

    @property
    def intensity(self) -> float | None:
        """Operations per byte; None if no bytes are moved."""
        moved = self.read_bytes + self.written_bytes
        return self.flops / moved if moved else None


def rule_of(domain: str, op_type: str) -> OperationRule | None:
    """Return the rule of an operator; None if there is none."""
    return RULES.get(op_type) if domain in _DOMAINS else None


def layer_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Return the costs of a layer.

    None for operators without a rule, for control flow with an unknown number of iterations, and for shapes that are
    unknown or have ranks outside of the rule.
    """
    if not _all_known(model, layer):
        return None
    if layer.domain == "" and layer.op_type in CONTROL:
        return _control_costs(model, layer)
    rule = rule_of(layer.domain, layer.op_type)
    if rule is None:
        return None
    view = LayerView(model, layer)
    flops = apply_formula(rule.count, view)
    if flops is None:
        return None
    read: dict[str, int] = {}
    if not layer.is_view:
        for position, name in enumerate(layer.inputs):
            if name:
                read[name] = max(read.get(name, 0), _read(view, position))
        read |= {name: model.spec(name).nbytes for name in layer.captured}
    return LayerCosts(
        flops=flops,
        read_bytes=sum(read.values()),
        written_bytes=0 if layer.is_view else sum(model.spec(name).nbytes for name in layer.outputs if name),
        parameter_bytes=sum(nbytes for name, nbytes in read.items() if name in model.constants),
        rule=f"{rule.formula}; {rule.source}",
    )


def _read(view: LayerView, position: int) -> int:
    operator, spec = view.layer.op_type, view.spec(position)
    if spec is None or position in _UNREAD.get(operator, ()):
        return 0
    looked_up = position in _TABLES.get(operator, ()) or (position == 0 and _takes_the_nearest(view))
    if looked_up:
        return min(spec.nbytes, _given_bytes(view))
    return round(spec.nbytes * experts_share(view)) if spec.name in view.model.constants else spec.nbytes


def _takes_the_nearest(view: LayerView) -> bool:
    return view.layer.op_type in {"Resize", "Upsample"} and view.text("mode") == "nearest"


def _given_bytes(view: LayerView) -> int:
    return view.model.spec(next(filter(None, view.layer.outputs))).nbytes


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


def _all_known(model: Model, layer: Layer) -> bool:
    """Return whether every operand and result is a tensor of known shape."""
    return all(model.spec(name).dtype for name in (*layer.reads, *filter(None, layer.outputs)))


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


def live_bytes(model: Model, order: Sequence[str] | None = None) -> Mapping[str, int]:
    """Return the bytes of live tensors, network inputs and outputs included, during each layer, by layer name.

    A tensor lives from the layer that produces it to its last reader, inputs and outputs of the network until the end;
    a view shares the memory of its input. ``order`` names the executed layers in order; by default those of the model.
    """
    by_name = {layer.name: layer for layer in model.layers}
    layers = [by_name[name] for name in order if name in by_name] if order is not None else list(model.layers)
    owner = view_owners(model)
    last_use: dict[str, int] = {}
    for step, layer in enumerate(layers):
        for tensor in (*layer.reads, *layer.outputs):
            last_use[owner.get(tensor, tensor)] = step
    for tensor in (*model.inputs, *model.outputs):
        last_use[owner.get(tensor, tensor)] = len(layers)
    dying: dict[int, list[str]] = {}
    for tensor, step in last_use.items():
        dying.setdefault(step, []).append(tensor)
    alive = dict.fromkeys(model.inputs)
    held = sum(model.tensors[tensor].nbytes for tensor in alive)
    found = {}
    for step, layer in enumerate(layers):
        for tensor in layer.outputs:
            root = owner.get(tensor, tensor)
            if tensor and root not in alive and root not in model.constants:
                alive[root] = None
                held += model.tensors[root].nbytes
        found[layer.name] = held
        for root in dying.get(step, ()):
            if root in alive:
                del alive[root]
                held -= model.tensors[root].nbytes
    return found
