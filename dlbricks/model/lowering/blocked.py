"""Rewrites a graph of onnxruntime's level ``extended`` as its processor-specific level would for any block of channels.

The runtime's CPU provider keeps the channels of images in blocks: 8 with AVX2, 16 with AVX-512. Channels are padded to
whole blocks, and some layers stay in plain layout because of the block. Before ``lowering.onnxruntime_cpu`` uses a
result for another machine, it checks that this module reproduces the runtime's own graph for this machine.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from onnx import helper

from dlbricks.model.types import Constant, TensorSpec
from dlbricks.passes.graph import SourceGraph, SourceNode

DOMAIN = "com.microsoft.nchwc"
"""Domain of operators in blocked layout. Their results may have the names of source tensors, but have other shapes."""
# channels of plain tensors that are put into blocks are multiples of this number
_ALIGNMENT = 4
_FROM_LAST, _TO_LAST = [0, 3, 1, 2], [0, 2, 3, 1]
# factors of HardSigmoid in HardSwish, x * HardSigmoid(x)
_HARD_SWISH = (1 / 6, 0.5)


@dataclass(slots=True)
class _Call:
    # A node of the new graph.
    op: str
    name: str
    inputs: list[str]
    output: str
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Blocked:
    # A tensor in blocked layout, for a tensor of the source.
    maker: _Call | None
    tensor: str
    channels: int
    uses: int
    left: int

    @property
    def convolution(self) -> _Call | None:
        # The convolution that makes the tensor, if it has no activation yet.
        free = self.maker is not None and self.maker.op == "Conv" and "activation" not in self.maker.attributes
        return self.maker if free else None


class Blocking:
    """The rewriting of one graph."""

    def __init__(self, graph: SourceGraph, types: Mapping[str, TensorSpec], block: int) -> None:
        """Take a graph of the extended level, the types of its tensors and the channels in a block."""
        self.graph, self.types, self.block = graph, dict(types), block
        self.uses = Counter(name for node in graph.nodes for name in node.reads)
        self.uses.update(graph.output_names)
        self.makers = {name: node for node in graph.nodes for name in node.writes}
        self.blocked: dict[str, _Blocked] = {}
        self.reordered: dict[str, str] = {}
        self.calls: list[_Call | SourceNode] = []
        self.gone: set[int] = set()

    def rewritten(self) -> tuple[SourceGraph, dict[str, TensorSpec]]:
        """Rewrite the graph in place; return the graph, and the types of its tensors."""
        old = self.graph.nodes
        for node in old:
            if id(node) in self.gone:
                continue
            attributes = {} if node.domain not in {"", "com.microsoft"} else _attributes(node)
            if not self._rewrites(node, attributes):
                self.calls.append(node)
        for name, blocked in self.blocked.items():
            if blocked.left > 0:
                reorder = {"channels": blocked.channels, "channels_last": 0}
                self.calls.append(_Call("ReorderOutput", "", [blocked.tensor], name, reorder))
        staying = [call for call in self.calls if id(call) not in self.gone]
        for node in {id(node): node for node in old if node not in staying}.values():
            node.remove()
        self.graph.nodes = [call if isinstance(call, SourceNode) else self._node(call) for call in staying]
        self.graph.opsets[DOMAIN] = 1
        return self.graph, self.types

    def _node(self, call: _Call) -> SourceNode:
        proto = helper.make_node(call.op, call.inputs, [call.output], call.name, domain=DOMAIN, **call.attributes)
        return SourceNode(proto, self.graph)

    def _padded(self, channels: int) -> int:
        return -(-channels // self.block) * self.block

    def _rewrites(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        # Put the node into blocked layout; return whether it was replaced.
        rule = self.RULES.get((node.domain, node.op))
        blocked = bool(node.operands) and node.operands[0] in self.blocked
        return rule is not None and (blocked or node.op in _STARTING) and rule(self, node, attributes)

    def _makes(self, node: SourceNode, call: _Call | None, tensor: str, channels: int) -> None:
        # Record a blocked tensor, whose other extents are those of the node's result.
        name = node.results[0]
        uses = self.uses[name]
        self.blocked[name] = _Blocked(maker=call, tensor=tensor, channels=channels, uses=uses, left=uses)
        batch, _, *others = self.types[name].shape
        shape = (batch, self._padded(channels), *others)
        self.types[tensor] = TensorSpec(name=tensor, dtype="float32", shape=shape)

    def _replaces(
        self, node: SourceNode, op: str, inputs: list[str], attributes: dict[str, Any], channels: int
    ) -> bool:
        name = node.results[0]
        call = _Call(op, f"{name}_nchwc", inputs, f"{name}_blocked", attributes)
        self.calls.append(call)
        self._makes(node, call, call.output, channels)
        return True

    def _input(self, name: str) -> str:
        # Return the blocked tensor for a tensor of the source, which is reordered if necessary.
        if name in self.blocked:
            self.blocked[name].left -= 1
            return self.blocked[name].tensor
        if name not in self.reordered:
            batch, channels, *others = self.types[name].shape
            maker, source = self.makers.get(name), name
            if (
                maker
                and maker.op == "Transpose"
                and _attributes(maker).get("perm") == _FROM_LAST
                and self.uses[name] == 1
            ):
                source = maker.operands[0]
                self.gone.add(id(maker))
            to = self.reordered[name] = f"{name}_reordered"
            self.types[to] = TensorSpec(name=to, dtype="float32", shape=(batch, self._padded(channels), *others))
            self.calls.append(_Call("ReorderInput", "", [source], to, {"channels_last": int(source != name)}))
        return self.reordered[name]

    def _weight(self, name: str, rank: int) -> tuple[int, ...]:
        # Return the shape of a constant of floats; an empty one for other tensors.
        constant = self.graph.constant(name)
        is_weight = constant is not None and constant.spec.dtype == "float32" and len(constant.spec.shape) == rank
        return constant.spec.shape if constant is not None and is_weight else ()

    def _constant(self, name: str, shape: tuple[int, ...]) -> str:
        # Return a constant of another shape in place of the constant ``name``.
        if self.types[name].shape == shape:
            return name
        other = f"{name}_{'x'.join(map(str, shape))}"
        self.types[other] = TensorSpec(name=other, dtype="float32", shape=shape)
        self.graph.put(Constant(spec=self.types[other]))
        return other

    def _convolution(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        names, block = list(node.operands), self.block
        shape, group = self._weight(names[1], 4), attributes.get("group", 1)
        if not shape or len(names) > 3:
            return False
        out, into, *window = shape
        direct, padded_into = group == 1 and into < block, into
        if group > 1:
            depthwise = into == 1 and out == group
            if out % _ALIGNMENT if depthwise else into % block or out % group or out // group % block:
                return False
            attributes["group"] = self._padded(out) if depthwise else group
        elif not direct:
            if into % _ALIGNMENT:
                return False
            padded_into = self._padded(into)
        if len(names) > 2 and self._weight(names[2], 1) != (out,):
            return False
        names[1] = self._constant(names[1], (self._padded(out), padded_into, *window))
        if len(names) > 2:
            names[2] = self._constant(names[2], (self._padded(out),))
        if not direct:
            names[0] = self._input(names[0])
        return self._replaces(node, "Conv", names, attributes, out)

    def _pool(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        name = node.operands[0]
        spec = self.types[name]
        if len(node.results) > 1 or spec.dtype != "float32" or len(spec.shape) != 4 or spec.shape[1] % self.block:
            return False
        return self._replaces(node, node.op, [self._input(name)], attributes, spec.shape[1])

    def _sum(self, node: SourceNode, _: dict[str, Any]) -> bool:
        names = node.operands
        if any(name not in self.blocked for name in names):
            return False
        arguments = [self.blocked[name] for name in names]
        if len({self.types[name].shape for name in names}) > 1:
            return False
        tensors = [self._input(name) for name in names]
        for place, argument in enumerate(arguments) if node.op != "Mul" and len(names) == 2 else ():
            maker = argument.convolution
            if maker is not None and len(maker.inputs) < 4 and argument.uses == 1:
                maker.inputs += [""] * (3 - len(maker.inputs)) + [tensors[1 - place]]
                self._makes(node, maker, maker.output, argument.channels)
                return True
        return self._stays(node, tensors, arguments[0].channels)

    def _stays(self, node: SourceNode, tensors: Sequence[str], channels: int) -> bool:
        # Keep a node whose inputs and output become blocked.
        proto = helper.make_node(node.op, tensors, [f"{node.results[0]}_blocked"], node.name, domain=node.domain)
        proto.attribute.extend(node.as_proto().attribute)
        self.calls.append(SourceNode(proto, self.graph))
        self._makes(node, None, proto.output[0], channels)
        return True

    def _concat(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        names = node.operands
        whole = all(name in self.blocked and not self.blocked[name].channels % self.block for name in names)
        if attributes.get("axis") != 1 or not whole:
            return False
        channels = sum(self.blocked[name].channels for name in names)
        return self._stays(node, [self._input(name) for name in names], channels)

    def _elementwise(self, node: SourceNode, _: dict[str, Any]) -> bool:
        first = self.blocked[node.operands[0]]
        return self._stays(node, [self._input(node.operands[0])], first.channels)

    def _to_last(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        if attributes.get("perm") != _TO_LAST:
            return False
        reorder = {"channels": self.blocked[node.operands[0]].channels, "channels_last": 1}
        self.calls.append(_Call("ReorderOutput", "", [self._input(node.operands[0])], node.results[0], reorder))
        return True

    def _activation(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        first = self.blocked[node.operands[0]]
        maker, name = first.convolution, node.results[0]
        if node.op == "HardSigmoid":
            readers = [reader for reader in self.graph.nodes if name in reader.operands]
            factors = (attributes.get("alpha", 0.2), attributes.get("beta", 0.5))
            swish = np.allclose(factors, _HARD_SWISH, rtol=1e-6) and first.uses == 2 and len(readers) == 1
            if maker is None or not swish or {*readers[0].operands} != {name, node.operands[0]}:
                return False
            maker.attributes["activation"] = "HardSwish"
            first.left = 0
            self.gone.add(id(readers[0]))
            self._makes(readers[0], maker, first.tensor, first.channels)
            return True
        self._input(node.operands[0])
        if maker is not None and first.uses == 1:
            maker.attributes["activation"] = node.op
            self._makes(node, maker, first.tensor, first.channels)
            return True
        return self._stays(node, [first.tensor], first.channels)

    def _normalisation(self, node: SourceNode, _: dict[str, Any]) -> bool:
        names = node.operands
        first = self.blocked[names[0]]
        if len(node.results) > 1 or any(self._weight(name, 1) != (first.channels,) for name in names[1:]):
            return False
        channels = self._padded(first.channels)
        inputs = [self._input(names[0]), self._constant(names[1], (channels, 1, 1, 1))]
        inputs.append(self._constant(names[2], (channels,)))
        self._replaces(node, "Conv", inputs, {"group": channels, "auto_pad": "NOTSET"}, first.channels)
        self.calls[-1].name = f"{node.results[0]}_bn_nchwc"
        return True

    def _resize(self, node: SourceNode, attributes: dict[str, Any]) -> bool:
        first = self.blocked[node.operands[0]]
        mode, where = attributes.get("mode", "nearest"), attributes.get("coordinate_transformation_mode", "half_pixel")
        nearest = mode == "nearest" and where == "asymmetric" and attributes.get("nearest_mode") == "floor"
        if not nearest and (mode, where) != ("linear", "half_pixel"):
            return False
        before, after = self.types[node.operands[0]].shape, self.types[node.results[0]].shape
        constant = all(self.graph.is_constant(name) for name in node.operands[1:] if name)
        whole = len(before) == 4 and all(new % old == 0 for old, new in zip(before, after, strict=True))
        if not constant or not whole or before[:2] != after[:2]:
            return False
        scales = [new // old for old, new in zip(before, after, strict=True)]
        more = {"mode": mode, "coordinate_transformation_mode": where, "scales": scales}
        return self._replaces(node, "Upsample", [self._input(node.operands[0])], more, first.channels)

    RULES: ClassVar[Mapping[tuple[str, str], Callable[["Blocking", SourceNode, dict[str, Any]], bool]]] = {
        **dict.fromkeys([("", "Conv"), ("com.microsoft", "FusedConv")], _convolution),
        **dict.fromkeys([("", f"{kind}Pool") for kind in ("Max", "Average", "GlobalMax", "GlobalAverage")], _pool),
        **dict.fromkeys([("", name) for name in ("Add", "Sum", "Mul")], _sum),
        **dict.fromkeys([("", name) for name in ("Relu", "Sigmoid", "Tanh", "HardSigmoid")], _activation),
        **dict.fromkeys([("", "Gelu"), ("com.microsoft", "Gelu"), ("com.microsoft", "QuickGelu")], _elementwise),
        **dict.fromkeys([("", "Resize"), ("", "Upsample")], _resize),
        ("", "Concat"): _concat,
        ("", "BatchNormalization"): _normalisation,
        ("", "Transpose"): _to_last,
    }
    """The rule for each operator that can be put into blocked layout, by domain and name."""


# operators that are put into blocked layout even if what they read is not
_STARTING = {"Conv", "FusedConv", "MaxPool", "AveragePool"}


def _attributes(node: SourceNode) -> dict[str, Any]:
    values = {entry.name: helper.get_attribute_value(entry) for entry in node.as_proto().attribute}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}
