"""Finds a user's own passes by name, and applies them to a network before all other passes.

A pass is a function on a graph of onnx-graphsurgeon. Parts of a network that a pass did not change are copied.
"""

import contextlib
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import onnx
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.exporters.onnx_exporter import OnnxExporter
from onnx_graphsurgeon.importers.onnx_importer import OnnxImporter
from onnx_graphsurgeon.ir.tensor import LazyValues
from onnx_graphsurgeon.logger import G_LOGGER

from dlbricks.errors import DlbricksError, InputError
from dlbricks.extensions import load, module_of, offered
from dlbricks.model.bodies import is_external, tensors_within
from dlbricks.model.emit import network_bytes
from dlbricks.model.read.checker import complete_imports, inline_functions
from dlbricks.model.read.network import METADATA_KEY
from dlbricks.model.read.skim import in_place_of, skim
from dlbricks.model.tensors import IR_VERSION, constant_of, keeps_values, load_values
from dlbricks.passes.graph import SourceGraph
from dlbricks.typed_json import digest_bytes

# A function that returns the graph for the next pass, and may change its argument.
Pass = Callable[[gs.Graph], gs.Graph]

# onnx-graphsurgeon 0.6 drops metadata, doc strings, optional types, and types and sparse tensors in attributes. It
# cannot write empty lists and 4-bit values, confuses two 8-bit types, and writes twice a tensor that two bodies share.
# So parts that no pass changed are copied.

# Group of entry points.
GROUP = "dlbricks.passes"


def pass_of(text: str) -> Pass:
    """Return the function that ``text`` names, as ``FILE.py:NAME`` or as an installed graph pass.

    Raises:
        InputError: the pass does not exist, or is not a function.
        MissingDependencyError: the installed pass cannot be imported.
    """
    file, _, name = text.rpartition(":")
    if file:
        function = getattr(module_of(Path(file), "passes"), name, None)
        if not isinstance(function, FunctionType):
            raise InputError(f"{file} has no function '{name}': use the name of one of its functions")
        return function
    points = offered(GROUP)
    if text not in points:
        installed = ", ".join(points) or "none"
        raise InputError(f"unknown pass '{text}': expected FILE.py:NAME or an installed pass ({installed})")
    return load(points[text], FunctionType)


def pass_digest(text: str) -> str:
    """Return the SHA-256 of a pass, that is of its name and source file. Raises as ``pass_of``."""
    function = pass_of(text)
    file = inspect.getsourcefile(function)  # for a function of a user's file its own, for an installed one its module
    source = Path(file).read_bytes() if file is not None else b""
    return digest_bytes(function.__name__.encode() + b"\0" + source)


_changed: set[Path] = set()


@contextlib.contextmanager
def applied(paths: Sequence[Path], passes: Sequence[Pass | str]) -> Iterator[None]:
    """Apply passes to every network that this process or its forks read inside the ``with`` block.

    Functions of a network are inlined first. An inner block does not change networks of an outer one.

    Args:
        passes: functions on an onnx-graphsurgeon graph, or names as in ``pass_of``; applied in this order.

    Raises:
        InputError: a file is not a network, or is lowered already; or a pass fails or does not return a graph.
    """
    functions = [
        (step, pass_of(step)) if isinstance(step, str) else (getattr(step, "__name__", type(step).__name__), step)
        for step in passes
    ]
    # a command has applied the passes before it reads dimensions; a worker on another machine applies them here
    left = [path for path in paths if path not in _changed] if functions else []
    with in_place_of({path: network_bytes(_change(path, functions)) for path in left}):
        _changed.update(left)
        try:
            yield
        finally:
            _changed.difference_update(left)


def _change(path: Path, functions: Sequence[tuple[str, Pass]]) -> onnx.ModelProto:
    network = skim(path)
    if any(entry.key == METADATA_KEY for entry in network.metadata_props):
        raise InputError(f"{path} is lowered already: apply passes to the network before it is lowered")
    # first: a pass that adds a node needs the imported operator sets
    complete_imports(network)
    graph, origin = open_for_passes(inline_functions(network, path), path)
    for name, function in functions:
        try:
            graph = function(graph)
        except DlbricksError:
            raise
        except Exception as error:  # code of others may raise anything
            raise InputError(f"pass '{name}' fails on {path}: {type(error).__name__}: {error}") from error
        if not isinstance(graph, gs.Graph):
            raise InputError(f"pass '{name}' returns {type(graph).__name__}: return the onnx_graphsurgeon.Graph")
    return export_network(graph, origin, path)


@contextlib.contextmanager
def as_file(graph: gs.Graph) -> Iterator[Path]:
    """Yield a path that stands for ``graph`` inside the ``with`` block; reading it gives no values of weights."""
    name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in graph.name)
    path = Path("onnx_graphsurgeon.Graph") / f"{name or 'graph'}.onnx"
    with in_place_of({path: network_bytes(export_network(graph, Origin(), path))}):
        yield path


# Bytes up to which a weight is written with its values: the reader tests whether all values of such a weight are equal.
_WRITTEN_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Parts of an ONNX network, to restore what passes did not change."""

    network: onnx.ModelProto = field(default_factory=onnx.ModelProto)
    nodes: Mapping[int | str, tuple[onnx.NodeProto, Any]] = field(default_factory=dict)
    """Original nodes and their state after import, by ``id`` of the graph's node; in a copied graph, by its output."""
    constants: frozenset[str] = frozenset()
    """Names of the constants in the original network, Constant nodes and bodies included."""
    alive: tuple[object, ...] = ()
    """Objects whose ``id`` is a key of ``nodes``, so that no other object gets it."""


def open_for_passes(network: onnx.ModelProto, path: Path) -> tuple[gs.Graph, Origin]:
    """Convert an ONNX network without large values to an onnx-graphsurgeon graph.

    Args:
        network: the network, which must not change afterwards.

    Raises:
        InputError: a constant is malformed, or an element type is undefined.
    """
    graph = SourceGraph(network, path)
    for stated in (*graph.declared.values(), *graph.entries):
        tensor = graph.named.get(stated.name)
        if isinstance(tensor, gs.Variable):
            with G_LOGGER.suppress(), contextlib.suppress(LookupError):  # it has no form for undefined types
                typed = OnnxImporter.import_tensor(stated)
                tensor.dtype, tensor.shape, tensor.type = typed.dtype, typed.shape, typed.type
    nodes: dict[int | str, tuple[onnx.NodeProto, Any]] = {}
    for node in graph.nodes:
        proto = node.as_proto()
        nodes[id(node)] = entry = (proto, _state(node))
        # a copy has other nodes, but results of the same names
        if proto.output:
            nodes.setdefault(proto.output[0], entry)
        nodes |= {id(inner): (call, _state(inner)) for inner, call in _within(node, proto)}
    return graph, Origin(
        network=network,
        nodes=nodes,
        constants=frozenset(filter(graph.is_constant, graph.named)),
        alive=(*graph.nodes, *(constant._values for constant in _constants(graph))),  # noqa: SLF001 - would load them
    )


def export_network(graph: gs.Graph, origin: Origin, path: Path) -> onnx.ModelProto:
    """Convert an onnx-graphsurgeon graph to an ONNX network; unchanged parts come from ``origin``.

    Args:
        graph: the graph, which callers must not use again.
        origin: parts of the network; empty unless ``open_for_passes`` made the graph.
        path: the original ONNX file, which holds or refers to values of tensors.

    Raises:
        InputError: onnx-graphsurgeon cannot export a part of the graph.
    """
    model = onnx.ModelProto()
    model.CopyFrom(origin.network)
    model.ClearField("opset_import")
    model.ir_version = model.ir_version or graph.ir_version or IR_VERSION
    model.opset_import.extend(graph.import_domains or [onnx.helper.make_opsetid("", graph.opset)])
    try:
        model.functions.extend(OnnxExporter.export_function(function) for function in graph.functions)
        model.graph.CopyFrom(_Writer(origin).graph(graph, origin.network.graph, frozenset(), origin.constants))
    except (AttributeError, LookupError, TypeError, ValueError, gs.OnnxGraphSurgeonException) as error:
        raise InputError(f"onnx-graphsurgeon cannot export the graph '{graph.name}': {error}") from error
    _place_values(model, path, is_file=bool(origin.nodes))
    return model


def _constants(graph: gs.Graph) -> Iterator[gs.Constant]:
    # Yield every constant in a graph, also in attributes and bodies, some several times.
    yield from (tensor for tensor in graph.outputs if isinstance(tensor, gs.Constant))
    for node in graph.nodes:
        for value in (*node.inputs, *node.attrs.values()):
            if isinstance(value, gs.Constant):
                yield value
            elif isinstance(value, gs.Graph):
                yield from _constants(value)


def _within(node: gs.Node, proto: onnx.NodeProto) -> Iterator[tuple[gs.Node, onnx.NodeProto]]:
    # Yield every node in the bodies of an imported node, with its NodeProto.
    for attribute in proto.attribute:
        body = node.attrs.get(attribute.name)
        if isinstance(body, gs.Graph):
            for inner, call in zip(body.nodes, attribute.g.node, strict=True):
                yield inner, call
                yield from _within(inner, call)


def _state(node: gs.Node) -> tuple[Any, ...]:
    # Return the content of a node, in a form that ``==`` compares.
    names = [tuple(tensor.name for tensor in tensors) for tensors in (node.inputs, node.outputs)]
    return node.op, node.domain or "", node.name, *names, {name: _value(value) for name, value in node.attrs.items()}


def _value(value: Any) -> Any:
    # Return the value of an attribute, in a form that ``==`` compares.
    if isinstance(value, gs.Constant):
        return value.name, id(value._values)  # noqa: SLF001
    if isinstance(value, gs.Graph):
        names = [tuple(tensor.name for tensor in tensors) for tensors in (value.inputs, value.outputs)]
        constants = [_value(constant) for constant in _constants(value)]
        return names, constants, [_state(node) for node in value.nodes]
    return repr(value)  # of numbers, texts and lists of them; 1 and 1.0 differ, NaN equals itself


@dataclass(frozen=True, slots=True)
class _Writer:
    """Converts a graph to ONNX: copies unchanged parts, and lets onnx-graphsurgeon export the others."""

    origin: Origin

    def graph(
        self, graph: gs.Graph, before: onnx.GraphProto, outer: frozenset[str], own: Collection[str] = ()
    ) -> onnx.GraphProto:
        """Return a graph or body as a GraphProto.

        Args:
            before: the original GraphProto; empty for a new graph.
            outer: names of the constants in enclosing graphs.
            own: further constants to write, even if nothing in the graph reads them.
        """
        declared = {entry.name: entry for entry in (*before.value_info, *before.output, *before.input)}
        own = {*own, *(tensor.name for tensor in before.initializer)}
        own |= {sparse.values.name for sparse in before.sparse_initializer}
        written = onnx.GraphProto()
        written.CopyFrom(before)
        for part in ("node", "initializer", "sparse_initializer", "input", "output", "value_info"):
            written.ClearField(part)
        written.name = graph.name
        if graph.doc_string:
            written.doc_string = graph.doc_string
        tensors = graph.tensors()
        constants = {name: tensor for name, tensor in tensors.items() if isinstance(tensor, gs.Constant)}
        # A constant belongs to a body unless a graph around the body has it.
        constants |= {constant.name: constant for constant in _constants(graph) if constant.name in own}
        constants = {name: constant for name, constant in constants.items() if name not in outer or name in own}
        for node in graph.nodes:
            written.node.append(self.node(node, outer | constants.keys()))
        ends = {tensor.name for tensor in (*graph.inputs, *graph.outputs)}
        written.input.extend(_entry(tensor, declared) for tensor in graph.inputs)
        written.output.extend(_entry(tensor, declared) for tensor in graph.outputs)
        written.value_info.extend(
            _entry(tensor, declared)
            for name, tensor in tensors.items()
            if name not in ends and isinstance(tensor, gs.Variable) and (name in declared or tensor.dtype is not None)
        )
        for stored in map(_tensor, constants.values()):
            is_sparse = isinstance(stored, onnx.SparseTensorProto)
            (written.sparse_initializer if is_sparse else written.initializer).append(stored)
        return written

    def node(self, node: gs.Node, outer: frozenset[str]) -> onnx.NodeProto:
        """Return an operator call as a NodeProto; ``outer`` names the constants around its bodies."""
        first = node.outputs[0].name if node.outputs else ""
        before, state = self.origin.nodes.get(id(node)) or self.origin.nodes.get(first) or (onnx.NodeProto(), ())
        now = _state(node)
        if state == now:
            return before
        # an attribute has another meaning for another operator
        if before.op_type != node.op:
            before, state = onnx.NodeProto(), ()
        call = onnx.NodeProto()
        call.CopyFrom(before)
        call.op_type, call.name = node.op, node.name
        if node.domain or before.domain:
            call.domain = node.domain or ""
        call.input[:], call.output[:] = now[3:5]
        call.ClearField("attribute")
        decoded = state[-1] if state else {}
        old = {attribute.name: attribute for attribute in before.attribute}
        call.attribute.extend(entry for name, entry in old.items() if name not in decoded and name not in node.attrs)
        for name, value in node.attrs.items():
            same = name in decoded and decoded[name] == now[-1][name]
            call.attribute.append(old[name] if same else self.attribute(name, value, old.get(name), outer))
        return call

    def attribute(
        self, name: str, value: Any, before: onnx.AttributeProto | None, outer: frozenset[str]
    ) -> onnx.AttributeProto:
        """Return an attribute that a pass changed or added; ``before`` is the original one, or None."""
        if isinstance(value, gs.Constant):
            return onnx.helper.make_attribute(name, _tensor(value))
        if isinstance(value, gs.Graph):
            return onnx.helper.make_attribute(name, self.graph(value, before.g if before else onnx.GraphProto(), outer))
        # onnx-graphsurgeon cannot tell the type of an empty list
        if isinstance(value, list | tuple) and not value:
            return onnx.AttributeProto(name=name, type=before.type if before else onnx.AttributeProto.INTS)
        attribute: onnx.AttributeProto = OnnxExporter.export_attributes({name: value})[0]
        return attribute


def _entry(tensor: gs.Tensor, declared: Mapping[str, onnx.ValueInfoProto]) -> onnx.ValueInfoProto:
    # Return the type of a tensor as a ValueInfoProto: the declared one unless the graph changed the type.
    before = declared.get(tensor.name)
    if before is not None:
        imported = OnnxImporter.import_tensor(before)
        # A copy of a graph takes every tensor for one of type tensor_type.
        if isinstance(tensor, gs.Constant) or _type(tensor) in {_type(imported), (*_type(imported)[:2], "tensor_type")}:
            return before
    entry: onnx.ValueInfoProto = OnnxExporter.export_value_info_proto(tensor, do_type_check=False)
    if before is not None:
        if before.doc_string:
            entry.doc_string = before.doc_string
        entry.metadata_props.extend(before.metadata_props)
    return entry


def _type(tensor: gs.Variable) -> tuple[str, str, str]:
    return str(tensor.dtype), str(tensor.shape), tensor.type


def _tensor(constant: gs.Constant) -> onnx.TensorProto | onnx.SparseTensorProto:
    values = constant._values  # noqa: SLF001 - constant.values would load them
    if isinstance(values, LazyValues):
        tensor: onnx.TensorProto | onnx.SparseTensorProto = deepcopy(values.tensor)
    elif constant.export_dtype == constant.dtype:
        tensor = onnx.numpy_helper.from_array(values, constant.name)
    else:
        tensor = OnnxExporter.export_tensor_proto(constant)
    (tensor.values if isinstance(tensor, onnx.SparseTensorProto) else tensor).name = constant.name
    return tensor


def _place_values(model: onnx.ModelProto, path: Path, *, is_file: bool) -> None:
    # Write the values that reading a network needs into it; drop the values of weights that lie in no file.
    for tensor, is_weight in _tensors(model.graph):
        if tensor.data_type == onnx.TensorProto.STRING or tensor.data_type not in onnx.TensorProto.DataType.values():
            continue
        spec = constant_of(tensor, path).spec
        if not is_weight or spec.nbytes <= _WRITTEN_BYTES or keeps_values(spec.dtype, spec.nbytes, spec.elements):
            if is_external(tensor) and not load_values(tensor, path):
                del tensor.external_data[:]
        elif not (is_file and is_external(tensor)):
            stub = onnx.TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
            stub.data_location = onnx.TensorProto.EXTERNAL
            tensor.CopyFrom(stub)


def _tensors(graph: onnx.GraphProto) -> Iterator[tuple[onnx.TensorProto, bool]]:
    # Yield every tensor of a graph, and whether it is a weight: tensors in attributes are not, except a Constant's.
    yield from ((tensor, True) for tensor in graph.initializer)
    for node in graph.node:
        bodies = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
        for body in bodies:
            yield from _tensors(body)
        if not bodies:
            constant = node.op_type == "Constant" and all(entry.name == "value" for entry in node.attribute)
            yield from ((tensor, constant) for tensor in tensors_within(node))
