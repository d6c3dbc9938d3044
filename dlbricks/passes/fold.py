"""The pass that replaces tensors by constants if they do not depend on the network's inputs.

The runtime computes results of values in memory. A result of weights becomes a weight without values. A large
ConstantOfShape becomes a ``fill``. Random operators, DequantizeLinear (runtimes compute with the quantised weight),
operators of custom domains and results other than tensors are never folded.
"""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import onnx
import onnx_graphsurgeon as gs

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME, BY_ONNX, byte_size
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.lowering.runtime import RUNTIME_FAILURES, plain_session
from dlbricks.model.tensors import IR_VERSION, array_of, from_array, raw_values, tensor_of, value_info
from dlbricks.model.types import Constant, TensorSpec
from dlbricks.operators.row import Moves
from dlbricks.operators.table import kernel
from dlbricks.passes.graph import SourceGraph, SourceNode, constant_in

# Folded floats of more bytes keep no values.
MATERIALISED_FLOAT_BYTES = 64 << 10

# Exceptions for a layer that cannot be computed; the last three mean that numpy has no such array.
_FAILURES = (*RUNTIME_FAILURES, ValueError, TypeError, OverflowError)

# operators of other domains may have side effects, or need libraries
_FOLDED_DOMAINS = frozenset({"", "ai.onnx.ml", "com.microsoft"})
_SAME_FILL = Moves.RESHAPES | Moves.PERMUTES | Moves.REPEATS | Moves.CUTS
_COMPUTABLE = frozenset(
    name for name, element in BY_NAME.items() if name == element.storage and element.kind in {"float", "int", "bool"}
)


@dataclass(slots=True)
class _Round:
    """State of one pass over all nodes."""

    graph: SourceGraph
    types: Mapping[str, TensorSpec]
    computed: set[str] = field(default_factory=set)
    """Results of the nodes in ``batch``, which ``_compute`` will compute together."""
    batch: list[SourceNode] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    """Identities of the nodes that became constants."""

    def has_values(self, tensor: gs.Tensor) -> bool:
        keeps = isinstance(tensor, gs.Constant) and constant_in(tensor).values is not None
        return tensor.name in self.computed or keeps

    def is_constant(self, tensor: gs.Tensor) -> bool:
        return tensor.name in self.computed or isinstance(tensor, gs.Constant)

    def fold(self, node: SourceNode, constants: Sequence[Constant]) -> None:
        """Replace the results of a node by constants, and remove the node."""
        node.remove()
        for constant in constants:
            self.graph.put(constant)
        self.folded.add(id(node))


def fold(graph: SourceGraph, types: Mapping[str, TensorSpec]) -> SourceGraph:
    """Replace nodes that depend only on constants, or on static shapes (Shape, Size), by their results.

    Requires topological order, and keeps it. ``types`` must have no shapes that were observed in a run.
    """
    state = _Round(graph=graph, types=types)
    for node in graph.nodes:
        _visit(node, state)
    if state.batch:
        inside = {id(node) for node in state.batch} | state.folded
        used = {name for node in graph.nodes if id(node) not in inside for name in node.reads}
        used.update(graph.output_names)
        _compute([name for node in state.batch for name in node.writes if name in used], state)
    if state.folded:
        graph.nodes = [node for node in graph.nodes if id(node) not in state.folded]
    return graph


def _visit(node: SourceNode, state: _Round) -> None:
    # Decide whether to keep a node, to compute its results, or to replace them by constants without values.
    used, measures = node.used, node.op in {"Shape", "Size"}
    if not (measures or (used and all(map(state.is_constant, used)))):
        return
    specs = [state.types.get(name) for name in node.writes]
    row = kernel(node.domain, node.op)
    if (
        node.domain not in _FOLDED_DOMAINS
        or row.is_random
        or Moves.DEQUANTISES in row.moves
        or any(spec is not None and not spec.dtype for spec in specs)
        or (measures and _fold_shape(node, state))
        or not all(map(state.is_constant, used))
    ):
        return
    if _is_computable(node, specs, state):
        state.batch.append(node)
        state.computed.update(node.writes)
    elif _is_specifiable(node, specs, state):
        state.fold(node, [*_specified(node, state)])


def _is_specifiable(node: SourceNode, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    # Return whether constants without values can replace a node's results; False if results depend on strings.
    if node.captured or not all(spec is not None and spec.dtype != "string" for spec in specs):
        return False
    if any(state.types[name].dtype == "string" for name in node.reads if name in state.types):
        return all(spec is not None and BY_NAME[spec.dtype].kind == "float" for spec in specs)
    return not (node.op in {"Div", "Mod"} and all(map(state.has_values, node.used)))


def _fold_shape(node: SourceNode, state: _Round) -> bool:
    # Fold a Shape or Size node if the shape of its input is static; return whether it was folded.
    spec = state.types.get(node.inputs[0].name)
    if spec is None or not spec.dtype or node.inputs[0].name in state.computed:
        return False
    (output,) = node.writes
    if node.op == "Size":
        numbers = np.array(spec.elements, "<i8")
    else:
        bounds = {attribute.name: attribute.i for attribute in node.as_proto().attribute}
        numbers = np.array(spec.shape[bounds.get("start", 0) : bounds.get("end")], "<i8")
    state.fold(node, [from_array(output, "int64", numbers)])
    return True


def _is_computable(node: SourceNode, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    # Return whether all operands have values, and the results are small and of types that numpy has.
    if node.captured or not all(map(state.has_values, node.used)) or _may_trap(node, specs, state):
        return False
    if None in specs:
        sizes = [constant_in(tensor).spec.nbytes for tensor in node.used if isinstance(tensor, gs.Constant)]
        # computing a small result also gives its shape, which depends on data
        return kernel(node.domain, node.op).depends_on_data and sum(sizes) <= MATERIALISED_FLOAT_BYTES
    stated = [spec for spec in specs if spec is not None]
    if node.op == "ConstantOfShape":
        return stated[0].nbytes <= MATERIALISED_FLOAT_BYTES and stated[0].dtype in _COMPUTABLE
    return all(spec.nbytes <= limits.FOLDED_BYTES and spec.dtype in _COMPUTABLE for spec in stated)


def _may_trap(node: SourceNode, specs: Sequence[TensorSpec | None], state: _Round) -> bool:
    # Return whether an integer division could end the process: by zero, by -1, or by an unknown value.
    if node.op not in {"Div", "Mod"} or (specs[0] is not None and BY_NAME[specs[0].dtype].kind != "int"):
        return False
    divisor = state.graph.constant(node.inputs[1].name)
    return divisor is None or divisor.values is None or bool(np.isin(array_of(divisor), (0, -1)).any())


def _specified(node: SourceNode, state: _Round) -> Iterator[Constant]:
    # Yield a constant for each result of a node: with type and shape only, or with one value for all elements.
    first = state.graph.constant(node.inputs[0].name)
    moves = kernel(node.domain, node.op).moves
    for name in node.writes:
        spec = state.types[name]
        fill = source = None
        if node.op == "ConstantOfShape":
            fill = next((_single(attribute.t, node) for attribute in node.as_proto().attribute), bytes(4))
        elif first is not None and moves & _SAME_FILL:
            fill = first.fill
        if first is not None and moves & Moves.RESHAPES and spec.nbytes == first.spec.nbytes:
            source = first.source
        yield Constant(spec=replace(spec, name=name), fill=fill, source=source)


def _single(value: onnx.TensorProto, node: SourceNode) -> bytes:
    # Return the element that a ConstantOfShape repeats; raises InputError if it is not a single one.
    element, values = BY_ONNX.get(value.data_type), b""
    if element is not None and math.prod(value.dims) == 1:
        values = raw_values(value)
    if element is None or len(values) != byte_size(element.name, 1):
        raise InputError(f"ConstantOfShape (layer '{node.name}') has a value that is not a single element")
    return values


def _compute(wanted: Sequence[str], state: _Round) -> None:
    # Compute the ``wanted`` results of the batch in one network; node by node if that fails.
    # one session for all: opening one takes longer than computing
    try:
        arrays = _run(state.batch, wanted, state)
    except _FAILURES:
        for node in state.batch:
            _compute_alone(node, state)
        return
    for node in state.batch:
        state.fold(node, [_constant(name, arrays[name], state) for name in node.writes if name in arrays])


def _compute_alone(node: SourceNode, state: _Round) -> None:
    # Replace the results of a node by computed constants; keep the node if the runtime cannot compute it.
    constants = [state.graph.constant(tensor.name) for tensor in node.used]
    if any(constant is None or constant.values is None for constant in constants):
        return
    with contextlib.suppress(*_FAILURES):
        arrays = _run([node], node.writes, state)
        state.fold(node, [_constant(name, array, state) for name, array in arrays.items()])


def _network(
    batch: Sequence[SourceNode], wanted: Sequence[str], types: Mapping[str, TensorSpec], graph: SourceGraph
) -> onnx.ModelProto:
    inner = {name for node in batch for name in node.writes}
    used = dict.fromkeys(name for node in batch for name in node.reads if name not in inner)
    model = onnx.ModelProto(ir_version=IR_VERSION)
    for domain, version in sorted(graph.opsets.items()):
        model.opset_import.add(domain=domain, version=min(version, runtime_ceilings()[0]) if not domain else version)
    model.graph.name = "constants"
    model.graph.node.extend(node.as_proto() for node in batch)
    model.graph.initializer.extend(tensor_of(constant_in(graph.named[name])) for name in used)
    for name in wanted:
        spec = types.get(name)
        model.graph.output.append(onnx.ValueInfoProto(name=name) if spec is None else value_info(spec))
    return model


def _run(batch: Sequence[SourceNode], wanted: Sequence[str], state: _Round) -> dict[str, np.ndarray]:
    if not wanted:
        return {}
    session = plain_session(_network(batch, wanted, state.types, state.graph).SerializeToString())
    return dict(zip(wanted, session.run(list(wanted), {}), strict=True))


def _constant(name: str, array: np.ndarray, state: _Round) -> Constant:
    # Return the constant for a computed tensor; large floats become a weight, or a fill if all are equal.
    spec = state.types.get(name)
    dtype = spec.dtype if spec is not None else array.dtype.name
    constant = from_array(name, dtype, np.asarray(array))
    if BY_NAME[dtype].kind != "float" or constant.spec.nbytes <= MATERIALISED_FLOAT_BYTES:
        return constant
    # such as a mask of an attention, all but zeros
    flat = array.reshape(-1)
    fill = flat[:1].tobytes() if bool((flat == flat[0]).all()) else None
    return replace(constant, values=None, fill=fill)
