"""Which sizes, turns of loops and branches follow from the values of a network's inputs, which a file does not give.

Values are followed from the inputs through all calls, also those in bodies. An operand that decides a shape hands its
input on to the shape of the results; from there it goes to the shapes behind and to what Shape reads of them.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import onnx

from dlbricks.model.bodies import bodies, captured, domain_of, local_names
from dlbricks.model.tensors import static_spec, value_info
from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.operators.table import operator

# By tensor the input that decides something of it.
_Deciders = dict[str, str]
_WITH_BODIES = frozenset({"If", "Loop", "Scan", "SequenceMap"})
# Names in a sentence, and elements that an option lists.
_NAMES, _LISTED = 3, 8


def with_assumptions(model: Model, settled: Collection[str]) -> Model:
    """Return a network with ``Model.assumed`` and ``Model.assumed_bodies``; inputs with a value are constants.

    Args:
        model: the network.
        settled: tensors whose shapes are the same for all values.
    """
    values: _Deciders = {name: name for name in model.inputs}
    shapes: _Deciders = {}
    turns: _Deciders = {}
    settled = {*settled}
    for layer in model.layers:
        if layer.op_type == "Loop" and not layer.skip:
            settled |= _unchanged(model, layer, shapes)
        inside = _follow(layer, values, shapes, settled)
        if inside:
            turns[layer.name] = inside
    return replace(model, assumed=shapes, assumed_bodies=turns)


def _unchanged(model: Model, layer: Layer, shapes: _Deciders) -> set[str]:
    # Return what a Loop hands from turn to turn in one shape: a turn keeps that of the operand. onnx infers none of it.
    (body,) = bodies(onnx.NodeProto.FromString(layer.node))
    turn = onnx.GraphProto(name="turn", node=body.node, initializer=body.initializer)
    names = [*zip(layer.inputs, (entry.name for entry in body.input), strict=False)]
    names += [(name, name) for name in layer.captured]
    turn.input.extend(value_info(replace(model.spec(outer), name=inner)) for outer, inner in names if outer)
    turn.output.extend(onnx.ValueInfoProto(name=entry.name) for entry in body.output)
    opsets = [onnx.helper.make_opsetid(domain, version) for domain, version in model.opsets]
    inferred = onnx.shape_inference.infer_shapes(onnx.helper.make_model(turn, opset_imports=opsets), data_prop=True)
    return {
        after
        for before, result, after in zip(layer.inputs[2:], inferred.graph.output[1:], layer.outputs, strict=False)
        if before not in shapes and (spec := static_spec(result)) and spec.shape == model.spec(before).shape
    }


def as_in(source: Model, lowered: Model) -> Model:
    """Return a network that was lowered from ``source`` with what is assumed of it; kept tensors keep what is known."""
    if lowered is source or not (source.assumed or source.assumed_bodies):
        return lowered
    return with_assumptions(lowered, source.tensors.keys() - source.assumed.keys())


def assumed_by(model: Model, layer: Layer) -> str:
    """Return the input whose made-up value decides the work of a layer, or an empty text."""
    return model.assumed_bodies.get(layer.name, "") or _first(model.assumed, (*layer.reads, *layer.outputs))


def assumption_lines(model: Model) -> tuple[str, ...]:
    """Return a sentence for each input whose made-up value decides something, with the option that gives a value."""
    decided: dict[str, dict[str, list[str]]] = {}
    for layer in model.layers:
        if layer.name in model.assumed_bodies:
            kinds = decided.setdefault(model.assumed_bodies[layer.name], {})
            kinds.setdefault("branch" if layer.op_type == "If" else "turns", []).append(layer.name)
        for name in layer.outputs:
            if name in model.assumed:
                decided.setdefault(model.assumed[name], {}).setdefault("size", []).append(name)
    return tuple(
        f"{'; '.join(f'{what} of {_listed(names)}' for what, names in kinds.items())} assumed from input {name}: "
        f"--value {shlex.quote(f'{name}={_form(model.spec(name))}')}"
        for name, kinds in decided.items()
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def _form(spec: TensorSpec) -> str:
    # Return how a value is written.
    if spec.elements > _LISTED:
        return "FILE.npy"
    return ",".join(["true" if spec.dtype == "bool" else "N"] * max(1, spec.elements))


def _follow(call: Layer | onnx.NodeProto, values: _Deciders, shapes: _Deciders, settled: Collection[str]) -> str:
    # Follow a call; return the input that decides what its bodies do, or an empty text.
    if isinstance(call, Layer):
        inputs, outputs, outer = call.inputs, call.outputs, call.captured
        node = onnx.NodeProto.FromString(call.node) if call.op_type in _WITH_BODIES else None
    else:
        inputs, outputs, outer, node = tuple(call.input), tuple(call.output), captured(call), call
    row = operator(domain_of(call), call.op_type)
    inside = _in_bodies(node, inputs, values, shapes) if node is not None and call.op_type in _WITH_BODIES else ""
    deciding = [at for at, use in row.shaping.items() if use.discloses and at < len(inputs)]
    operands = inputs if row.depends_on_data else [inputs[at] for at in sorted(deciding)]
    shape = inside or _first(values, operands) or _first(shapes, (*inputs, *outer))
    read = [name for at, name in enumerate(inputs) if at not in row.unread]
    value = _first(values, (*read, *outer)) or shape
    for name in filter(None, outputs):
        if value:
            values.setdefault(name, value)
        if shape and name not in settled:
            shapes.setdefault(name, shape)
    return inside


def _first(deciders: Mapping[str, str], names: Sequence[str]) -> str:
    return next((deciders[name] for name in names if name in deciders), "")


def _in_bodies(node: onnx.NodeProto, inputs: Sequence[str], values: _Deciders, shapes: _Deciders) -> str:
    # Return the input that decides the branch, the turns, or a size inside. The turns of a Scan follow from shapes.
    is_loop = node.op_type == "Loop"
    carried = len(inputs) - next((entry.i for entry in node.attribute if entry.name == "num_scan_inputs"), 0)
    decided = _first(values, inputs[: {"If": 1, "Loop": 2}.get(node.op_type, 0)])
    for body in bodies(node):
        own, first = local_names(body), ""
        inner, sizes = ({name: each[name] for name in each.keys() - own} for each in (values, shapes))
        entries = [*zip(inputs, (entry.name for entry in body.input), strict=False)][2 * is_loop :]
        results = [entry.name for entry in body.output][is_loop:]
        # what a turn hands on: in the order of the operands, without number of turns and condition
        handed = [*zip(results, (name for _, name in entries), strict=False)][: carried - 2 * is_loop]
        before = -1
        while before < len(inner) + len(sizes):
            before = len(inner) + len(sizes)
            for deciders in (inner, sizes):
                deciders |= {
                    name: deciders[source]
                    for source, name in chain(entries, handed)
                    if source in deciders and name not in deciders
                }
            # a body without shapes has none that are settled: sizes inside count where a value decides them
            first = next(filter(None, [first, *(_follow(call, inner, sizes, ()) for call in body.node)]), "")
        new = next((entry for name, entry in sizes.items() if name in own), "")
        decided = decided or first or new or (_first(inner, [body.output[0].name]) if is_loop else "")
    return decided
