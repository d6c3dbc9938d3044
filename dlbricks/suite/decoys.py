"""Decoys: random networks similar to the input, so that a suite does not disclose which sequences are in use.

A decoy is a random walk over the pairs of consecutive operators in the input (a Markov chain). Each step takes kernel,
stride, groups or normalisation from a layer of the input and its channels from another one, so single values are real
and combinations mostly new. Decoys are processed by the same passes, splitter and naming as real networks.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import onnx
from onnx import TensorProto, helper

from dlbricks.errors import InputError
from dlbricks.model.types import Layer, Model

_OPSET = 20
_IR_VERSION = 9
_FEWEST_LAYERS = 6
_MOST_LAYERS = 120
_ELEMENTWISE = frozenset({"Relu", "Sigmoid", "Tanh", "HardSwish", "HardSigmoid", "Erf", "Gelu", "Neg", "Softmax"})
_JOINS = frozenset({"Add", "Mul"})
_POOLS = frozenset({"MaxPool", "AveragePool"})
_NORMS = {"BatchNormalization": (4, 1), "LayerNormalization": (2, -1)}
"""Number of weights of a normalisation, and the axis whose extent they have."""
_WALKED = _ELEMENTWISE | _JOINS | _POOLS | set(_NORMS) | {"Conv", "MatMul", "Gemm"}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Window:
    """Parameters of a convolution or pooling in a network."""

    channels: int
    """Output channels."""
    extent: int
    """Height of its input."""
    kernel: int
    stride: int
    grouping: str
    """``one`` for a single group, ``each`` for a group per channel, or the number of groups."""
    bias: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Statistics that decoys are drawn from: shapes and operators, but no sequences of layers. Tuples are sorted."""

    layers: tuple[int, ...] = ()
    """Number of layers of each network."""
    follows: tuple[tuple[str, str], ...] = ()
    """Pairs of an operator and an operator that reads its output, with repetitions."""
    windows: tuple[tuple[str, Window], ...] = ()
    """``Conv``, ``MaxPool`` or ``AveragePool`` with its parameters."""
    joins: tuple[tuple[str, bool], ...] = ()
    """``Add`` or ``Mul``, and whether one operand is a constant."""
    products: tuple[tuple[int, int, int], ...] = ()
    """Rows, inner extent and columns of products with a two-dimensional factor."""
    images: tuple[tuple[int, int, int], ...] = ()
    """Batch, channels and height of input images."""


def statistics(model: Model) -> Statistics:
    """Collect the statistics of one network."""
    makers = {tensor: layer.op_type for layer in model.layers for tensor in layer.outputs if tensor}
    follows, windows, joins, products, images = [], [], [], [], []
    for layer in model.layers:
        if layer.domain or layer.skip or layer.op_type not in _WALKED:
            continue
        first = model.spec(layer.inputs[0]).shape
        before = makers.get(layer.inputs[0], "")
        if before in _WALKED:
            follows.append((before, layer.op_type))
        window = _window(model, layer)
        if window is not None:
            windows.append((layer.op_type, window))
            if layer.op_type == "Conv" and layer.inputs[0] in model.inputs:
                images.append((first[0], first[1], first[2]))
        if layer.op_type in _JOINS:
            joins.append((layer.op_type, any(tensor in model.constants for tensor in layer.inputs)))
        if layer.op_type in {"MatMul", "Gemm"} and len(model.spec(layer.inputs[1]).shape) == 2:
            last = model.spec(layer.outputs[0]).shape[-1]
            products.append((math.prod(first[:-1]), first[-1], last))
    return Statistics(
        layers=(len(model.layers),),
        follows=tuple(sorted(follows)),
        windows=tuple(sorted(windows)),
        joins=tuple(sorted(joins)),
        products=tuple(sorted(products)),
        images=tuple(sorted(images)),
    )


def merge_statistics(parts: Sequence[Statistics]) -> Statistics:
    """Merge the statistics of several networks; the order does not matter."""
    names = [one.name for one in fields(Statistics)]
    return Statistics(**{name: tuple(sorted(item for part in parts for item in getattr(part, name))) for name in names})


def _window(model: Model, layer: Layer) -> Window | None:
    shape = model.spec(layer.inputs[0]).shape
    if layer.op_type not in _POOLS | {"Conv"} or len(shape) != 4 or shape[2] < 1 or shape[1] < 1:
        return None
    node = onnx.NodeProto.FromString(layer.node)
    given = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    kernel = model.spec(layer.inputs[1]).shape[2] if layer.op_type == "Conv" else given["kernel_shape"][0]
    groups = int(given.get("group", 1))
    return Window(
        channels=model.spec(layer.outputs[0]).shape[1],
        extent=shape[2],
        kernel=int(kernel),
        stride=int(given.get("strides", [1])[0]),
        grouping="one" if groups == 1 else "each" if groups == shape[1] else str(groups),
        bias=len(layer.inputs) > 2,
    )


def decoys(drawn_from: Statistics, count: int, seed: int) -> tuple[onnx.ModelProto, ...]:
    """Draw decoys; each is a function of the statistics, the seed and its number.

    Raises:
        InputError: the input has neither a convolution nor a matrix product.
    """
    if not drawn_from.products and not any(name == "Conv" for name, _ in drawn_from.windows):
        raise InputError(
            "no decoys can be drawn: the networks have no two-dimensional convolution and no matrix product"
        )
    return tuple(_RandomWalk(drawn_from, random.Random(f"{seed}/{number}")).network() for number in range(count))  # noqa: S311


@dataclass(slots=True)
class _RandomWalk:
    """State of a random walk: the network so far and its current tensor."""

    seen: Statistics
    draw: random.Random
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    shape: tuple[int, ...] = ()
    tensor: str = "x"
    earlier: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def network(self) -> onnx.ModelProto:
        """Complete the walk and return the network."""
        length = min(max(self.draw.choice(self.seen.layers), _FEWEST_LAYERS), _MOST_LAYERS)
        operator = self._start()
        first = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.shape)
        steps = 0
        while len(self.nodes) < length and steps < 4 * length:
            steps += 1
            if self._step(operator):
                self.earlier.append((self.tensor, self.shape))
            operator = self._next(operator)
        last = helper.make_tensor_value_info(self.tensor, TensorProto.FLOAT, self.shape)
        graph = helper.make_graph(self.nodes, "g", [first], [last], self.weights)
        made: onnx.ModelProto = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
        )
        return made

    def _start(self) -> str:
        convolutions = [window for name, window in self.seen.windows if name == "Conv"]
        if self.draw.randrange(len(convolutions) + len(self.seen.products)) < len(convolutions):
            batch, channels, extent = self.draw.choice(self.seen.images or ((1, 3, convolutions[0].extent),))
            self.shape = (batch, channels, extent, extent)
            return "Conv"
        rows, common, _ = self.draw.choice(self.seen.products)
        self.shape = (1, rows, common)
        return "MatMul"

    def _next(self, operator: str) -> str:
        counts = Counter(after for before, after in self.seen.follows if before == operator)
        image = len(self.shape) == 4
        fitting = {name: count for name, count in counts.items() if _fits(name, image=image)}
        if not fitting:
            return "Conv" if image else "MatMul"
        names = sorted(fitting)
        return self.draw.choices(names, [fitting[name] for name in names])[0]

    def _step(self, operator: str) -> bool:
        """Append a layer; returns False if the operator cannot be used here."""
        if operator in _ELEMENTWISE:
            return self._append(operator, [self.tensor], self.shape)
        if operator in _JOINS:
            return self._join(operator)
        if operator in _POOLS:
            return self._pool(operator)
        if operator == "Conv":
            return self._convolution()
        if operator in _NORMS:
            count, axis = _NORMS[operator]
            weights = [self._weight((self.shape[axis],)) for _ in range(count)]
            return self._append(operator, [self.tensor, *weights], self.shape, {"axis": -1} if axis < 0 else None)
        return self._product()

    def _join(self, operator: str) -> bool:
        same = [name for name, shape in self.earlier[:-1] if shape == self.shape]
        wanted = self.draw.choice([constant for name, constant in self.seen.joins if name == operator])
        if not wanted and same:
            return self._append(operator, [self.tensor, self.draw.choice(same[-4:])], self.shape)
        if not wanted:
            return False
        constant = (self.shape[1], 1, 1) if len(self.shape) == 4 else (self.shape[-1],)
        return self._append(operator, [self.tensor, self._weight(constant)], self.shape)

    def _nearest(self, operator: str) -> Window:
        """Draw one of the windows with the most similar input heights."""
        near = sorted(
            (window for name, window in self.seen.windows if name == operator),
            key=lambda window: (abs(math.log2(window.extent / self.shape[2])), window),
        )
        return self.draw.choice(near[: max(4, len(near) // 8)])

    def _convolution(self) -> bool:
        taken, channels = self._nearest("Conv"), self._nearest("Conv").channels
        inside = self.shape[1]
        groups = {"one": 1, "each": inside}.get(taken.grouping) or int(taken.grouping)
        if inside % groups:
            groups = 1
        channels = max(groups, channels // groups * groups)
        weight = self._weight((channels, inside // groups, taken.kernel, taken.kernel))
        bias = [self._weight((channels,))] if taken.bias else []
        attributes: dict[str, int | list[int]] = {"group": groups, "kernel_shape": [taken.kernel] * 2}
        return self._slide("Conv", [self.tensor, weight, *bias], channels, taken, attributes)

    def _pool(self, operator: str) -> bool:
        taken = self._nearest(operator)
        if taken.kernel > self.shape[2]:
            return False
        return self._slide(operator, [self.tensor], self.shape[1], taken, {"kernel_shape": [taken.kernel] * 2})

    def _slide(
        self, operator: str, inputs: list[str], channels: int, taken: Window, attributes: dict[str, int | list[int]]
    ) -> bool:
        pad = (taken.kernel - 1) // 2
        extent = (self.shape[2] + 2 * pad - taken.kernel) // taken.stride + 1
        if extent < 1:
            return False
        more = {**attributes, "strides": [taken.stride] * 2, "pads": [pad] * 4}
        return self._append(operator, inputs, (self.shape[0], channels, extent, extent), more)

    def _product(self) -> bool:
        near = sorted(self.seen.products, key=lambda seen: (abs(math.log2(seen[1] / self.shape[-1])), seen))
        columns = self.draw.choice(near[: max(4, len(near) // 8)])[2]
        weight = self._weight((self.shape[-1], columns))
        return self._append("MatMul", [self.tensor, weight], (*self.shape[:-1], columns))

    def _weight(self, shape: tuple[int, ...]) -> str:
        name = f"w{len(self.weights)}"
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", "absent.bin"), ("offset", "0"), ("length", str(4 * math.prod(shape)))):
            tensor.external_data.add(key=key, value=value)
        self.weights.append(tensor)
        return name

    def _append(
        self,
        operator: str,
        inputs: list[str],
        shape: tuple[int, ...],
        attributes: dict[str, int | list[int]] | None = None,
    ) -> bool:
        self.tensor = f"t{len(self.nodes)}"
        node = onnx.NodeProto(op_type=operator, input=inputs, output=[self.tensor])
        node.attribute.extend(helper.make_attribute(name, value) for name, value in (attributes or {}).items())
        self.nodes.append(node)
        self.shape = shape
        return True


def _fits(operator: str, *, image: bool) -> bool:
    if image:
        return operator not in {"MatMul", "Gemm", "LayerNormalization", "Softmax", "Gelu"}
    return operator not in _POOLS | {"Conv", "BatchNormalization"}
