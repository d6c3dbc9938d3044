"""Represents networks as graphs of onnx-graphsurgeon, without functions, Constant nodes and values of weights.

A node keeps the NodeProto of the file unless a pass changed its tensors (``as_proto``). So emitted networks do not
depend on the release of onnx-graphsurgeon.
"""

import contextlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.importers.onnx_importer import OnnxImporter
from onnx_graphsurgeon.ir.tensor import LazyValues, SparseValues
from onnx_graphsurgeon.logger import G_LOGGER
from onnx_graphsurgeon.util.misc import SynchronizedList

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import (
    bodies,
    captured,
    domain_of,
    is_external,
    lift_weights,
    names_within,
    rename_captured,
    tensors_within,
)
from dlbricks.model.tensors import (
    Stored,
    constant_of,
    constant_of_node,
    densified,
    keeps_values,
    load_values,
    read_values,
    tensor_of,
)
from dlbricks.model.types import Constant


class Values(LazyValues):  # type: ignore[misc]
    """Values of a constant in a graph, which ``load`` reads from their file if necessary."""

    def __init__(self, constant: Constant, stored: Stored = None) -> None:
        """Set shape and size from the constant, without reading values."""
        self.constant = constant
        self.stored = stored
        self.shape = list(constant.spec.shape)
        self.nbytes = constant.spec.nbytes

    @property
    def dtype(self) -> Any:
        """Numpy type of the elements."""
        return onnx.helper.tensor_dtype_to_np_dtype(BY_NAME[self.constant.spec.dtype].onnx)

    @property
    def tensor(self) -> onnx.TensorProto | onnx.SparseTensorProto:
        """The tensor that represents the constant in an exported network."""
        return tensor_of(self.constant) if self.stored is None else self.stored

    def raw(self) -> bytes | None:
        """Return the values as bytes of ``raw_data``; None if they are missing.

        Raises:
            InputError: their file ends too early, or cannot be read.
        """
        constant = self.constant
        if constant.values is None and constant.source is not None:
            return read_values(constant.source, constant.spec)
        inline = self.stored.raw_data if isinstance(self.stored, onnx.TensorProto) else b""
        return constant.values or inline or None

    def load(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the values as an array, read from their file if necessary; raises InputError without the file."""
        if isinstance(self.stored, onnx.SparseTensorProto):
            return np.array(SparseValues(self.stored).load())
        values, tensor = self.raw(), self.tensor
        if values is not None:
            tensor = onnx.TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=values)
        elif is_external(tensor):
            raise InputError(f"a pass reads the values of '{self.constant.spec.name}', but their file is missing")
        return np.array(onnx.numpy_helper.to_array(tensor))


class SourceNode(gs.Node):  # type: ignore[misc]
    """A node with its NodeProto, whose attributes are decoded on first use."""

    captured: "list[gs.Tensor]"
    """Tensors that bodies read, in order of first use."""
    _attrs: Any
    _graph: "SourceGraph"
    _proto: onnx.NodeProto
    _stated: tuple[str, list[str], list[str], list[str]]

    def __init__(self, proto: onnx.NodeProto, graph: "SourceGraph") -> None:
        """Make a node from a NodeProto, which must not change afterwards."""
        name, inputs, outputs, captures = stated = _stated_by(proto)
        own: dict[str, Any] = {"_attrs": None, "_graph": graph, "_proto": proto, "_stated": stated}
        own |= {"op": proto.op_type, "name": name, "domain": domain_of(proto)}
        own["captured"] = [graph.tensor(name) for name in captures] if captures else []
        named, new = graph.named, graph.tensor
        _fill(self, own, *([named.get(name) or new(name) for name in names] for names in (inputs, outputs)))

    __eq__ = object.__eq__  # gs.Node.__eq__ compares all operands, and each search in a list of readers calls it
    __hash__ = object.__hash__

    @property
    def attrs(self) -> Any:
        """Attributes of the node in the form of onnx-graphsurgeon."""
        if self._attrs is None:
            self._attrs, graph = {}, self._graph
            for attribute in self._proto.attribute:
                # the library warns of kinds of attributes that it lacks, or fails; the NodeProto keeps them
                with G_LOGGER.suppress(), contextlib.suppress(LookupError, ValueError, gs.OnnxGraphSurgeonException):
                    self._attrs |= OnnxImporter.import_attributes(
                        [attribute], graph.named, {}, graph.opset, graph.import_domains
                    )
        return self._attrs

    @attrs.setter
    def attrs(self, attributes: Any) -> None:
        self._attrs = attributes

    @property
    def operands(self) -> tuple[str, ...]:
        """Names of the node's inputs by position; ``""`` stands for an omitted input, except at the end."""
        return trimmed([tensor.name for tensor in self.inputs])

    @property
    def results(self) -> tuple[str, ...]:
        """Names of the node's outputs by position; ``""`` stands for an omitted output, except at the end."""
        return trimmed([tensor.name for tensor in self.outputs])

    @property
    def used(self) -> "list[gs.Tensor]":
        """All tensors that the node or its bodies read, captured tensors last."""
        used = [tensor for tensor in self.inputs if tensor.name]
        return used + self.captured if self.captured else used

    @property
    def reads(self) -> list[str]:
        """Names of all tensors that the node or its bodies read, captured tensors last."""
        return [tensor.name for tensor in self.used]

    @property
    def writes(self) -> list[str]:
        """Names of all tensors that the node writes."""
        return [tensor.name for tensor in self.outputs if tensor.name]

    def read_instead(self, others: "Mapping[str, gs.Tensor]") -> None:
        """Replace the tensors that the node and its bodies read; ``others`` maps a name to a tensor."""
        if not others or others.keys().isdisjoint(self.reads):
            return
        for position, tensor in enumerate(self.inputs):
            if tensor.name in others:
                self.inputs[position] = others[tensor.name]
        self.captured = [others.get(tensor.name, tensor) for tensor in self.captured]

    def as_proto(self) -> onnx.NodeProto:
        """Return the NodeProto of the file, or a new one if a pass changed the node's name or tensors."""
        inputs, outputs = [tensor.name for tensor in self.inputs], [tensor.name for tensor in self.outputs]
        now = (self.name, inputs, outputs, [tensor.name for tensor in self.captured] if self.captured else [])
        if now != self._stated:
            renamed = {old: new for old, new in zip(self._stated[3], now[3], strict=True) if old != new}
            proto = rename_captured(self._proto, renamed)
            proto.name, proto.input[:], proto.output[:] = now[:3]
            self._proto, self._stated = proto, _stated_by(proto)
            self.captured = [self._graph.tensor(name) for name in self._stated[3]]
        return self._proto

    def remove(self) -> None:
        """Disconnect the node from its tensors; the caller removes it from the graph's list of nodes."""
        self.inputs.clear()
        self.outputs.clear()


def _stated_by(proto: onnx.NodeProto) -> tuple[str, list[str], list[str], list[str]]:
    # Return name, inputs, outputs and captured tensors, as Python lists: protobuf's lists are slower to compare.
    return proto.name, list(proto.input), list(proto.output), list(captured(proto))


def _fill(part: Any, own: Mapping[str, Any], inputs: Sequence[Any] = (), outputs: Sequence[Any] = ()) -> None:
    # Set the fields of a new node or tensor directly; onnx-graphsurgeon's constructors call a function for each.
    part.__dict__.update(own, inputs=_linked(part, inputs, "outputs"), outputs=_linked(part, outputs, "inputs"))


def _linked(part: Any, others: Sequence[Any], back: str) -> SynchronizedList:
    linked = SynchronizedList.__new__(SynchronizedList)
    linked.parent_obj, linked.field_name = part, back
    if others:
        list.extend(linked, others)
        for other in others:
            list.append(getattr(other, back), part)
    return linked


def trimmed(names: Sequence[str]) -> tuple[str, ...]:
    """Return operand names without the empty names (omitted operands) at the end."""
    end = len(names)
    while end and not names[end - 1]:
        end -= 1
    return tuple(names[:end])


class SourceGraph(gs.Graph):  # type: ignore[misc]
    """A graph of an ONNX file without functions and Constant nodes; shapes may be unknown."""

    def __init__(self, network: onnx.ModelProto, path: Path) -> None:
        """Make a graph from a network that ``skim`` read, and that has no functions.

        Ensures: all constants, also in bodies, are tensors of the graph; nodes are in the order of the file.

        Raises:
            InputError: a constant is malformed, or an element type is undefined.
        """
        super().__init__(name=network.graph.name, import_domains=network.opset_import, ir_version=network.ir_version)
        self.path = path
        """The file from which the network was read."""
        self.opsets: dict[str, int] = {} if network.opset_import else {"": 1}
        """Imported operator sets; ``""`` is ``ai.onnx``."""
        for entry in network.opset_import:
            domain = domain_of(entry)
            self.opsets[domain] = max(entry.version, self.opsets.get(domain, 0))
        self.opset: int = self.opsets.get("", gs.Graph.DEFAULT_OPSET)
        self.named: dict[str, gs.Tensor] = {}
        """All tensors by name, unused ones included."""
        self.declared: dict[str, onnx.ValueInfoProto] = {}
        """Types that the file states for outputs and inner tensors; they may be wrong."""
        # constants first: older files list them among the inputs, too
        self.nodes = self.add(network.graph)
        self.entries = tuple(entry for entry in network.graph.input if not self.is_constant(entry.name))
        """Graph inputs without constants, as in the file."""
        self.inputs = [self.tensor(entry.name) for entry in self.entries]
        self.outputs = [self.tensor(name) for name in dict.fromkeys(entry.name for entry in network.graph.output)]
        self.source_layers = len(self.nodes)
        """Operator calls in the file, functions inlined, without Constant nodes."""

    def tensor(self, name: str) -> "gs.Tensor":
        """Return the tensor called ``name``, and create it if missing; an empty name means an omitted operand."""
        if not name:
            return gs.Variable.empty()
        tensor = self.named.get(name)
        if tensor is None:
            tensor = self.named[name] = gs.Variable.__new__(gs.Variable)
            _fill(tensor, {"name": name, "dtype": None, "shape": None, "type": "tensor_type"})
        return tensor

    def is_constant(self, name: str) -> bool:
        """Return whether the tensor called ``name`` is a constant."""
        return isinstance(self.named.get(name), gs.Constant)

    def constant(self, name: str) -> Constant | None:
        """Return the constant called ``name``; None if no constant has this name."""
        tensor = self.named.get(name)
        return constant_in(tensor) if isinstance(tensor, gs.Constant) else None

    @property
    def constants(self) -> dict[str, Constant]:
        """Constants that nodes or outputs of the graph use, by name."""
        tensors = [tensor for node in self.nodes for tensor in node.inputs + node.captured]
        tensors += self.outputs
        return {tensor.name: constant_in(tensor) for tensor in tensors if isinstance(tensor, gs.Constant)}

    @property
    def output_names(self) -> tuple[str, ...]:
        """Names of the graph's outputs, each once."""
        return tuple(tensor.name for tensor in self.outputs)

    def put(self, constant: Constant, stored: Stored = None) -> "gs.Tensor":
        """Add a constant and return its tensor; an existing tensor with its name becomes the constant."""
        name, values = constant.spec.name, Values(constant, stored)
        tensor = self.named.get(name)
        if tensor is None:
            tensor = self.named[name] = gs.Constant.__new__(gs.Constant)
            _fill(tensor, {"name": name, "_values": values, "data_location": None, "_export_dtype": None})
        elif isinstance(tensor, gs.Variable):
            tensor.to_constant(values)
        else:
            tensor.values = values
        return tensor

    def dissolve(self) -> None:
        """Remove all references between nodes and tensors, which frees memory without garbage collection."""
        for part in (*self.nodes, *self.named.values()):
            part.__dict__.clear()
        self.nodes.clear()

    def add(self, source: onnx.GraphProto) -> list[SourceNode]:
        """Add the constants of ``source``; return new nodes for its nodes."""
        for tensor in source.initializer:
            self.put(constant_of(tensor, self.path), tensor)
        for sparse in source.sparse_initializer:
            self.put(densified(sparse, self.path, sparse.values.name), sparse)
        self.declared |= {entry.name: entry for entry in (*source.value_info, *source.output)}
        # names of moved weights must be new in the whole graph
        taken = {*self.named, *(entry.name for entry in source.input)}
        taken.update(name for proto in source.node for name in proto.output)
        calls: list[onnx.NodeProto] = []
        for proto in source.node:
            if proto.op_type == "Constant" and not domain_of(proto):
                self.put(*constant_of_node(proto, self.path))
                continue
            whole, lifted = _without_weights(proto, self.path, taken)
            for tensor in lifted:
                self.put(constant_of(tensor, self.path), tensor)
            calls.append(whole)
        # nodes last: they make a variable for each name that is not yet a constant
        return [SourceNode(proto, self) for proto in calls]


def constant_in(tensor: "gs.Constant") -> Constant:
    """Return dlbricks' Constant of a constant tensor, without reading values."""
    constant: Constant = tensor._values.constant  # noqa: SLF001 - tensor.values would load them
    return constant


def _without_weights(
    proto: onnx.NodeProto, path: Path, taken: set[str]
) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    # Return a call without the weights in its bodies, and the weights; tensors that stay in it get their values.
    if not proto.attribute:
        return proto, []

    def is_weight(tensor: onnx.TensorProto) -> bool:
        spec = constant_of(tensor, path).spec
        return spec.dtype != "string" and not keeps_values(spec.dtype, spec.nbytes, spec.elements)

    lifted: list[onnx.TensorProto] = []
    inner = [name for body in bodies(proto) for name in names_within(body)]
    if inner:
        taken.update(inner)
        proto, lifted = lift_weights(proto, is_weight, taken)
    if any(is_external(tensor) for tensor in tensors_within(proto)):
        proto = deepcopy(proto)
        for tensor in filter(is_external, tensors_within(proto)):
            if not load_values(tensor, path):
                what = f"the file with the values of tensor '{tensor.name}', an attribute of an operator"
                raise InputError(f"{path}: {what}, is missing")
    return proto, lifted
