"""Finds how often the bodies of If, Loop and Scan run, and which work depends on the values of inputs.

Files hold no input values, so inputs get synthetic values. A size, a number of iterations or a branch that depends on a
synthetic value is an assumption.
"""

import functools
import math
import shlex
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import onnx
from onnx import helper, shape_inference

from dlbricks.model import tensors
from dlbricks.model.bodies import bodies, body_nodes, captured, domain_of, local_names
from dlbricks.model.order import needed_for
from dlbricks.model.schemas import NEED_A_TYPE
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.table import layer_of, operator, row_of

_Operand: TypeAlias = Constant | TensorSpec


class Turns(NamedTuple):
    """Bodies that run in a call of If, Loop or Scan, and the number of iterations."""

    bodies: tuple[Model | None, ...] = (None,)
    """Possible bodies; each iteration runs one of them. A body with unknown or changing shapes is None."""
    turns: int | None = None
    """Number of iterations; None if it depends on values outside the network."""
    steady: tuple[bool, ...] = ()
    """For each loop-carried value, whether its shape never changes; empty if unknown."""


def turns_of(model: Model, layer: Layer) -> Turns:
    """Return the bodies that an If, Loop or Scan may run, and the number of iterations."""
    proto = onnx.NodeProto.FromString(layer.node)
    names = zip((*proto.input, *captured(proto)), (*layer.inputs, *layer.captured), strict=False)
    operands = tuple((inner, model.constants.get(name) or model.spec(name)) for inner, name in names if inner)
    return _turns(layer.node, operands, model.opsets)


# costs, features and texts need the same layers one after the other
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
    operands_of_body = (outer[name] for name in proto.input[first:])
    specs += [operand.spec if isinstance(operand, Constant) else operand for operand in operands_of_body]
    for place, axis in zip(range(carried, len(specs)), attributes.get("scan_input_axes", [0] * scans), strict=False):
        extents = list(specs[place].shape)
        if not -len(extents) <= axis < len(extents):  # a shape that only a run tells
            return Turns()
        count = extents.pop(axis)
        specs[place] = replace(specs[place], shape=tuple(extents))
    network = _network(body, specs, outer, opsets)
    if network is None or scans:
        return Turns() if network is None else Turns((network,), count)
    pairs = zip(body.input[first:], body.output[1:], strict=False)
    steady = tuple(network.spec(before.name).shape == network.spec(after.name).shape for before, after in pairs)
    # what a Loop lengthens in each iteration, as a list of results, has no cost per iteration
    return Turns((network,), _trips(proto, body, network, outer), steady) if all(steady) else Turns(steady=steady)


# Most iterations that are computed to count them, and most elements of a tensor on which their condition depends.
_COUNTED, _SMALL = 4096, 64


def _trips(proto: onnx.NodeProto, body: onnx.GraphProto, network: Model, outer: dict[str, _Operand]) -> int | None:
    # Return the number of iterations of a Loop; None if other values than small constants decide it.
    names, results = [entry.name for entry in body.input], [entry.name for entry in body.output]
    calls, wanted = [(layer.reads, layer.outputs) for layer in network.layers], results[:1]
    for _ in names:  # each round goes back one iteration
        places = needed_for(wanted, calls)
        read = {*wanted}.union(*(calls[at][0] for at in places))
        carried = [trio for trio in zip(names[2:], proto.input[2:], results[1:], strict=False) if trio[0] in read]
        wanted = [results[0], *(after for _, _, after in carried)]
    rows, specs = [row_of(network.layers[at]) for at in places], [network.spec(name) for name in read]
    large = [spec for spec in specs if not spec.dtype or spec.elements > _SMALL]
    most, begins = (_number(outer[name]) if name else math.inf for name in proto.input[:2])
    if most is None or begins is None or large or any(row.has_bodies or row.is_random for row in rows):
        return None
    from onnx.reference import ReferenceEvaluator  # slow to import and rarely needed

    nodes = [onnx.NodeProto.FromString(network.layers[at].node) for at in places]
    outputs = [onnx.ValueInfoProto(name=name) for name in wanted]
    values = [tensors.tensor_of(network.constants[name]) for name in read if name in network.constants]
    graph = onnx.GraphProto(node=nodes, initializer=values, output=outputs)
    inputs, starts = [*names[:2], *(name for name, _, _ in carried)], [outer[name] for _, name, _ in carried]
    with suppress(Exception):  # the evaluator raises exceptions of all kinds
        iterate = ReferenceEvaluator(graph, dict(network.opsets)).run
        state: Any = [np.array(begins), *(tensors.array_of(start) for start in starts if isinstance(start, Constant))]
        for turn in range(_COUNTED + 1):
            if turn >= most or not state[0]:
                return turn
            before, state = state, iterate(None, dict(zip(inputs, (np.array(turn), *state), strict=True)))
            if names[0] not in read and all(map(np.array_equal, before, state)):
                return None if math.isinf(most) else int(most)
    return None


def _number(operand: _Operand | None) -> int | None:
    values = tensors.numbers_of(operand) if isinstance(operand, Constant) else None
    return int(values[0]) if values is not None and len(values) else None


def _network(
    body: onnx.GraphProto, specs: list[TensorSpec], outer: dict[str, _Operand], opsets: tuple[tuple[str, int], ...]
) -> Model | None:
    # Make a network of a body; None if onnx rejects it, or if it reads other things than tensors of numbers.
    stated = {node.output[0]: node for node in body.node if node.op_type == "Constant"}
    nodes = [node for node in body.node if node.output[0] not in stated]
    constants = {tensor.name: tensors.constant_of(tensor, Path()) for tensor in body.initializer}
    constants |= {name: tensors.constant_of_node(node, Path())[0] for name, node in stated.items()}
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
    entries, values = map(tensors.value_info, types.values()), map(tensors.tensor_of, constants.values())
    outputs = [onnx.ValueInfoProto(name=entry.name) for entry in body.output]
    graph = onnx.GraphProto(name="body", node=nodes, input=entries, initializer=values, output=outputs)
    imports = [helper.make_opsetid(*entry) for entry in opsets]
    try:
        proto = onnx.ModelProto(ir_version=tensors.IR_VERSION, opset_import=imports, graph=graph)
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
        outputs=tuple(entry.name for entry in outputs),
        tensors=types,
        constants=constants,
        opsets=opsets,
    )


# For each tensor: the input whose value decides its shape or values.
_Deciders = dict[str, str]
# Most names in a sentence, and most elements that an option lists.
_NAMES, _LISTED = 3, 8


def with_assumptions(model: Model, settled: Collection[str]) -> Model:
    """Return the network with ``assumed`` and ``assumed_bodies``; no input value decides the shapes of ``settled``."""
    values: _Deciders = {name: name for name in model.inputs}
    shapes: _Deciders = {}
    turns: _Deciders = {}
    # what a sequence holds has extents that no specification states
    settled = {*settled} - {name for name, spec in model.tensors.items() if not spec.dtype}
    for layer in model.layers:
        if layer.op_type == "Loop" and not layer.skip:
            # onnx infers nothing of what a Loop hands on
            operands = zip(layer.inputs[2:], layer.outputs, turns_of(model, layer).steady, strict=False)
            settled |= {after for before, after, steady in operands if steady and before not in shapes}
        # inputs that are lengths; a mask, longer but for one token, follows from the extents of the call
        lengths = [name for at, name in enumerate(layer.inputs) if at in row_of(layer).lengths and name in values]
        long = (name for name in lengths if model.spec(values[name]).elements <= model.spec(name).elements)
        inside = _follow(layer, values, shapes, settled) or _first(values, [*long])
        if inside:
            turns[layer.name] = inside
    return replace(model, assumed=shapes, assumed_bodies=turns)


def as_in(source: Model, lowered: Model) -> Model:
    """Return ``lowered`` with the assumptions (``assumed``, ``assumed_bodies``) of ``source``."""
    if lowered is source or not (source.assumed or source.assumed_bodies):
        return lowered
    return with_assumptions(lowered, source.tensors.keys() - source.assumed.keys())


def assumed_by(model: Model, layer: Layer) -> str:
    """Return the name of the input whose synthetic value decides a layer's work; empty if no input decides it."""
    return model.assumed_bodies.get(layer.name, "") or _first(model.assumed, (*layer.reads, *layer.outputs))


def assumption_lines(model: Model) -> tuple[str, ...]:
    """Return a sentence for each input whose synthetic value decides work; it names the option that sets the value."""
    decided: dict[str, dict[str, list[str]]] = {}
    for layer in model.layers:
        if layer.name in model.assumed_bodies:
            kinds = decided.setdefault(model.assumed_bodies[layer.name], {})
            what = "branch" if layer.op_type == "If" else "length" if row_of(layer).lengths else "iterations"
            # a Loop with a constant count, and a Scan, have a body in which an input decides
            what = "operations" if what == "iterations" and turns_of(model, layer).turns is not None else what
            kinds.setdefault(what, []).append(layer.name)
        for name in layer.outputs:
            if name in model.assumed:
                decided.setdefault(model.assumed[name], {}).setdefault("size", []).append(name)
    return tuple(
        f"input {name} decides {', '.join(f'{what} of {_listed(names)}' for what, names in kinds.items())}"
        + _option(name, model.spec(name))
        for name, kinds in decided.items()
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def _option(name: str, spec: TensorSpec) -> str:
    # Return the option that gives a value; strings and sequences have none.
    if spec.dtype in ("", "string"):
        return "; its value is assumed, and no option sets it"
    numbers = ",".join(["true" if spec.dtype == "bool" else "N"] * max(1, spec.elements))
    value = numbers if spec.elements <= _LISTED else "FILE.npy"
    return f"; its value is assumed: set it by --value {shlex.quote(f'{name}={value}')}"


def _follow(call: Layer | onnx.NodeProto, values: _Deciders, shapes: _Deciders, settled: Collection[str]) -> str:
    # Follow a call; return the input that decides what its bodies do, or an empty text.
    if isinstance(call, Layer):
        inputs, outputs, outer = call.inputs, call.outputs, call.captured
    else:
        inputs, outputs, outer = tuple(call.input), tuple(call.output), captured(call)
    row = operator(domain_of(call), call.op_type)
    deciding = [at for at in sorted(row.shaping) if at < len(inputs)] if row.shaping else []
    inside = ""
    if row.has_bodies:
        node = onnx.NodeProto.FromString(call.node) if isinstance(call, Layer) else call
        inside = _first(values, [inputs[at] for at in deciding]) or _in_bodies(node, inputs, values, shapes)
    # a value that is neither shown nor implied decides the parts of a sequence
    operands = [inputs[at] for at in deciding if row.shaping[at].discloses or row.shaping[at].numbers is None]
    if row.depends_on_data:
        operands = [inputs[at] for at in row.selects] or [*inputs]
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
    for name in names:  # a generator would take twice as long
        if name in deciders:
            return deciders[name]
    return ""


def _in_bodies(node: onnx.NodeProto, inputs: Sequence[str], values: _Deciders, shapes: _Deciders) -> str:
    # Return the input that decides whether a Loop goes on, or a size inside. Shapes decide a Scan's iterations.
    is_loop = node.op_type == "Loop"
    carried = len(inputs) - next((entry.i for entry in node.attribute if entry.name == "num_scan_inputs"), 0)
    decided = ""
    # what the runtime's own operators hand to their bodies they compute themselves
    for body in () if domain_of(node) else bodies(node):
        own, first = local_names(body), ""
        inner, sizes = ({name: each[name] for name in each.keys() - own} for each in (values, shapes))
        entries = [*zip(inputs, (entry.name for entry in body.input), strict=False)][2 * is_loop :]
        results = [entry.name for entry in body.output][is_loop:]
        # what an iteration hands on: in the order of the operands, without iteration count and condition
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
