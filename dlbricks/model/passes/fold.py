"""Folds layers that do not depend on the network's inputs into constants.

Only kept values enter computations by the runtime. Results of weights become weights with type and shape only, a large
ConstantOfShape becomes a ``fill``. Never folded: random operators, DequantizeLinear (runtimes compute with the
quantised weight), custom domains, results that are no tensors.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME, BY_ONNX, byte_size
from dlbricks.model.graph import Graph, Node
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.lowering.runtime import RUNTIME_FAILURES, plain_session
from dlbricks.model.tensors import IR_VERSION, array_of, from_array, raw_values, tensor_of, value_info
from dlbricks.model.types import Constant, TensorSpec
from dlbricks.operators.row import Moves
from dlbricks.operators.table import kernel

MATERIALISED_FLOAT_BYTES = 64 << 10
"""Larger folded floats keep no values."""

_FAILURES = (*RUNTIME_FAILURES, ValueError, TypeError, OverflowError)
"""Of a layer that cannot be computed; the last three if numpy has no such array."""

_FOLDED_DOMAINS = frozenset({"", "ai.onnx.ml", "com.microsoft"})
_SAME_FILL = Moves.RESHAPES | Moves.PERMUTES | Moves.REPEATS | Moves.CUTS
_COMPUTABLE = frozenset(
    name for name, element in BY_NAME.items() if name == element.storage and element.kind in {"float", "int", "bool"}
)


@dataclass(slots=True)
class _Round:
    """State of one pass over the layers."""

    types: Mapping[str, TensorSpec]
    constants: dict[str, Constant]
    computed: set[str] = field(default_factory=set)
    """Outputs of ``batch``."""
    batch: list[Node] = field(default_factory=list)
    kept: list[Node] = field(default_factory=list)

    def has_values(self, name: str) -> bool:
        constant = self.constants.get(name)
        return name in self.computed or (constant is not None and constant.values is not None)

    def is_constant(self, name: str) -> bool:
        return name in self.computed or name in self.constants


def fold(graph: Graph, types: Mapping[str, TensorSpec]) -> Graph:
    """Turn layers that depend on constants only, and Shape and Size of static shapes, into constants; one pass.

    ``types`` has no observed shapes that depend on data. Unused constants remain.
    """
    state = _Round(types=types, constants=dict(graph.constants))
    for node in graph.nodes:
        _visit(node, state)
    if state.batch:
        used = {name for node in state.kept for name in node.reads} | set(graph.outputs)
        wanted = [name for node in state.batch for name in node.writes if name in used]
        values, left = _compute(state.batch, wanted, graph, state)
        state.kept += left
        state.constants.update(values)
    if len(state.kept) == len(graph.nodes):
        return graph
    return replace(graph, nodes=_in_order(graph.nodes, state.kept), constants=state.constants)


def _in_order(nodes: Sequence[Node], kept: Sequence[Node]) -> tuple[Node, ...]:
    chosen = {id(node) for node in kept}
    return tuple(node for node in nodes if id(node) in chosen)


def _visit(node: Node, state: _Round) -> None:
    """Decide whether to keep, compute or specify a layer."""
    specs = [state.types.get(name) for name in node.writes]
    row = kernel(node.domain, node.op_type)
    if (
        node.domain not in _FOLDED_DOMAINS
        or row.is_random
        or row.moves & Moves.DEQUANTISES
        or any(spec is not None and not spec.dtype for spec in specs)
    ):
        state.kept.append(node)
    elif node.op_type in {"Shape", "Size"} and _shape(node, state):
        pass
    elif not node.reads or not all(map(state.is_constant, node.reads)):
        state.kept.append(node)
    elif _is_computable(node, specs, state):
        state.batch.append(node)
        state.computed.update(node.writes)
    elif _is_specifiable(node, specs, state):
        _specify(node, state)
    else:
        state.kept.append(node)


def _is_specifiable(node: Node, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    """Return whether a layer's results can be replaced by type and shape; what texts decide cannot be made up."""
    if node.captured or not all(spec is not None and spec.dtype != "string" for spec in specs):
        return False
    if any(state.types[name].dtype == "string" for name in node.reads if name in state.types):
        return all(spec is not None and BY_NAME[spec.dtype].kind == "float" for spec in specs)
    return not (node.op_type in {"Div", "Mod"} and all(map(state.has_values, node.reads)))


def _shape(node: Node, state: _Round) -> bool:
    """Fold Shape or Size if the shape is static."""
    spec = state.types.get(node.inputs[0])
    if spec is None or not spec.dtype or node.inputs[0] in state.computed:
        return False
    (output,) = node.writes
    if node.op_type == "Size":
        state.constants[output] = from_array(output, "int64", np.array(spec.elements, "<i8"))
        return True
    bounds = {attribute.name: attribute.i for attribute in node.proto.attribute}
    shape = spec.shape[bounds.get("start", 0) : bounds.get("end")]
    state.constants[output] = from_array(output, "int64", np.array(shape, "<i8"))
    return True


def _is_computable(node: Node, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    """Return whether all operands have values, and the results are small and of types that numpy has."""
    if node.captured or not all(map(state.has_values, node.reads)) or _may_trap(node, specs, state):
        return False
    if None in specs:
        sizes = [state.constants[name].spec.nbytes for name in node.reads if name in state.constants]
        return kernel(node.domain, node.op_type).depends_on_data and sum(sizes) <= MATERIALISED_FLOAT_BYTES
    known = [spec for spec in specs if spec is not None]
    if node.op_type == "ConstantOfShape":
        return known[0].nbytes <= MATERIALISED_FLOAT_BYTES and known[0].dtype in _COMPUTABLE
    return all(spec.nbytes <= limits.FOLDED_BYTES and spec.dtype in _COMPUTABLE for spec in known)


def _may_trap(node: Node, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    """Return whether an integer division could end the process: by zero, by -1, or by an unknown value."""
    if node.op_type not in {"Div", "Mod"} or (specs[0] is not None and BY_NAME[specs[0].dtype].kind != "int"):
        return False
    divisor = state.constants.get(node.inputs[1])
    return divisor is None or divisor.values is None or bool(np.isin(array_of(divisor), (0, -1)).any())


def _specify(node: Node, state: _Round) -> None:
    """Add constants with type and shape only, or with one value for all elements."""
    first = state.constants.get(node.inputs[0])
    moves = kernel(node.domain, node.op_type).moves
    for name in node.writes:
        spec = state.types[name]
        fill = source = None
        if node.op_type == "ConstantOfShape":
            fill = next((_single(attribute.t, node) for attribute in node.proto.attribute), bytes(4))
        elif first is not None and moves & _SAME_FILL:
            fill = first.fill
        if first is not None and moves & Moves.RESHAPES and spec.nbytes == first.spec.nbytes:
            source = first.source
        state.constants[name] = Constant(spec=replace(spec, name=name), fill=fill, source=source)


def _single(value: onnx.TensorProto, node: Node) -> bytes:
    """Return the element that a ConstantOfShape repeats."""
    element, values = BY_ONNX.get(value.data_type), b""
    if element is not None and math.prod(value.dims) == 1:
        values = raw_values(value)
    if element is None or len(values) != byte_size(element.name, 1):
        raise InputError(f"ConstantOfShape (layer '{node.proto.name}') has a value that is no single element")
    return values


def _compute(
    batch: Sequence[Node], wanted: Sequence[str], graph: Graph, state: _Round
) -> tuple[dict[str, Constant], list[Node]]:
    """Compute tensors from kept values, in one network or layer by layer; also return layers that failed."""
    try:
        arrays = _run(batch, wanted, graph, state.constants, state.types)
    except _FAILURES:
        return _compute_singly(batch, graph, state)
    return {name: _constant(name, array, state.types.get(name)) for name, array in arrays.items()}, []


def _compute_singly(batch: Sequence[Node], graph: Graph, state: _Round) -> tuple[dict[str, Constant], list[Node]]:
    """Compute layer by layer; a layer that neither the runtime nor onnx's reference can compute is kept."""
    known = dict(state.constants)
    found: dict[str, Constant] = {}
    left: list[Node] = []
    for node in batch:
        arrays: dict[str, np.ndarray] = {}
        if all(name in known and known[name].values is not None for name in node.reads):
            try:
                arrays = _run([node], node.writes, graph, known, state.types)
            except _FAILURES:
                arrays = _reference(node, graph, known)
        if not arrays:
            left.append(node)
        for name, array in arrays.items():
            known[name] = found[name] = _constant(name, array, state.types.get(name))
    return found, left


def _network(
    batch: Sequence[Node],
    wanted: Sequence[str],
    graph: Graph,
    constants: Mapping[str, Constant],
    types: Mapping[str, TensorSpec],
) -> onnx.ModelProto:
    made = {name for node in batch for name in node.writes}
    used = dict.fromkeys(name for node in batch for name in node.reads if name not in made)
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in sorted(graph.opsets.items()):
        model.opset_import.add(domain=domain, version=min(version, runtime_ceilings()[0]) if not domain else version)
    model.graph.name = "constants"
    model.graph.node.extend(node.proto for node in batch)
    model.graph.initializer.extend(tensor_of(constants[name]) for name in used)
    for name in wanted:
        spec = types.get(name)
        model.graph.output.append(onnx.ValueInfoProto(name=name) if spec is None else value_info(spec))
    return model


def _run(
    batch: Sequence[Node],
    wanted: Sequence[str],
    graph: Graph,
    constants: Mapping[str, Constant],
    types: Mapping[str, TensorSpec],
) -> dict[str, np.ndarray]:
    if not wanted:
        return {}
    session = plain_session(_network(batch, wanted, graph, constants, types).SerializeToString())
    return dict(zip(wanted, session.run(list(wanted), {}), strict=True))


def _reference(node: Node, graph: Graph, constants: Mapping[str, Constant]) -> dict[str, np.ndarray]:
    """Compute one layer by onnx's reference implementation; empty if it cannot."""
    network = _network([node], node.writes, graph, constants, {})
    try:
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(network).run(None, {})
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError, AttributeError, KeyError):
        return {}
    return dict(zip(node.writes, results, strict=True))


def _constant(name: str, array: np.ndarray, spec: TensorSpec | None) -> Constant:
    """Make the constant of a computed tensor; a large float is a weight, or a fill if all values are equal."""
    dtype = spec.dtype if spec is not None else array.dtype.name
    constant = from_array(name, dtype, np.asarray(array))
    if BY_NAME[dtype].kind != "float" or constant.spec.nbytes <= MATERIALISED_FLOAT_BYTES:
        return constant
    flat = array.reshape(-1)
    fill = flat[:1].tobytes() if bool((flat == flat[0]).all()) else None
    return replace(constant, values=None, fill=fill)
