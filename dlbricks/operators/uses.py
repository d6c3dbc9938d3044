"""Derives the role of a constant (weight, bias, scale, ...) from the operands in which layers read it.

Views, casts, transpositions and a dequantisation may lie between the constant and its reader.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import onnx

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import body_nodes, domain_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.counts import attribute_of, product_fan_in
from dlbricks.operators.row import Moves, OperandRole, Operator
from dlbricks.operators.table import operator

_FOLLOWED = Moves.RESHAPES | Moves.PERMUTES | Moves.CONVERTS | Moves.DEQUANTISES
# enough for a dequantisation, a cast, a transposition and a view between a constant and its product
_STEPS = 4


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a tensor is read: an operand of a layer, or of a node in the layer's body."""

    layer: Layer
    node: onnx.NodeProto | None
    """Node in the body; None if the layer itself reads the tensor."""
    position: int

    @property
    def operator(self) -> tuple[str, str]:
        """Domain and name of the operator."""
        user = self.node or self.layer
        return domain_of(user), user.op_type

    @property
    def row(self) -> Operator:
        """The operator's row in the table of operators."""
        return operator(*self.operator)

    @property
    def role(self) -> OperandRole:
        """Role of the tensor, such as weight, bias or scale."""
        return self.row.roles.get(self.position, OperandRole.ANY)

    def value_matters(self, spec: TensorSpec) -> bool:
        """Return whether the tensor's value decides run time or shape (function ``value_matters``)."""
        kind = BY_NAME[spec.dtype].kind
        if kind == "bool":
            return True
        if kind == "int":
            role = self.role
            return role in {OperandRole.ANY, OperandRole.POSITIVE, OperandRole.WEIGHT} or (
                role is OperandRole.BIAS and self.operator[1] in {"Add", "Sub"}
            )
        shaping = self.row.shaping.get(self.position)
        return shaping is not None and shaping.identifies

    @property
    def proto(self) -> onnx.NodeProto:
        """NodeProto of the node or layer."""
        return self.node or onnx.NodeProto.FromString(self.layer.node)

    def attribute(self, name: str) -> onnx.AttributeProto | None:
        """Return an attribute of the node or layer; None if it is not set."""
        return attribute_of(self.proto, name)


def uses_of(model: Model, layers: Iterable[int]) -> Mapping[str, Sequence[Use]]:
    """Map each tensor to the places where ``layers`` read it, in order."""
    uses: defaultdict[str, list[Use]] = defaultdict(list)
    for index in layers:
        layer = model.layers[index]
        for position, name in enumerate(layer.inputs):
            if name:
                uses[name].append(Use(layer, None, position))
        for name in layer.captured:
            uses[name] += body_uses(layer, name)
    return uses


def body_uses(layer: Layer, name: str) -> tuple[Use, ...]:
    """Return the places in a layer's bodies where nodes read the outer tensor ``name``."""
    return tuple(
        Use(layer, node, position)
        for node in body_nodes(onnx.NodeProto.FromString(layer.node))
        for position, used in enumerate(node.input)
        if used == name
    )


def value_matters(layer: Layer, position: int, spec: TensorSpec) -> bool:
    """Return whether the value of a layer's constant operand decides run time or shape.

    Integers and booleans do, except quantised data, zero points and biases. Floats do if they set shapes or select an
    algorithm, as the exponent of Pow does. Positions after ``layer.inputs`` are those of captured tensors.
    """
    if position < len(layer.inputs):
        return Use(layer, None, position).value_matters(spec)
    uses = body_uses(layer, layer.captured[position - len(layer.inputs)])
    return any(use.value_matters(spec) for use in uses) or not uses


def decides_fusion(model: Model, spec: TensorSpec) -> bool:
    """Return whether a constant's value may decide which layers are fused; it is then part of the fingerprint."""
    # OpenVINO recognises the layers of Gelu, HardSwish and other activations by constants such as 3, 6 and the root of
    # 2, fuses them, and removes factors of 1.
    return model.traits.fuses_by_values and spec.elements == 1 and BY_NAME[spec.dtype].kind == "float"


def other_zero_point(constant: Constant, uses: Iterable[Use]) -> bool:
    """Return whether a constant is an unusual zero point: zero of an unsigned type, or nonzero of a signed one."""
    # Unsigned zero points are usually the middle of the range, signed ones are zero. OpenVINO subtracts other zero
    # points, and pads convolutions with them.
    element, values = BY_NAME[constant.spec.dtype], constant.fill if constant.values is None else constant.values
    if element.kind != "int" or not values or all(use.role is not OperandRole.ZERO_POINT for use in uses):
        return False
    return any(values) == constant.spec.dtype.startswith("int")


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a constant is for."""

    role: OperandRole
    fan_in: int = 0
    product: str = ""
    """Output of the matrix product or convolution with this weight; empty for other roles and in bodies."""


def purpose_of(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> Purpose:
    """Return the purpose of a constant, which its first reader behind casts and the like decides."""
    for use, tensor in _along(uses, name):
        role = use.role
        is_scale = role is OperandRole.SCALE and use.operator[1] == "DequantizeLinear"
        if is_scale and use.layer.inputs[0] in model.constants:
            dequantised = purpose_of(model, uses, use.layer.outputs[0])
            if dequantised.role in _SCALES_OF and dequantised.fan_in:
                return Purpose(_SCALES_OF[dequantised.role], dequantised.fan_in)
        if role is not OperandRole.ANY:
            return _purpose(model, use, tensor)
    return Purpose(OperandRole.ANY)


# a dequantised weight is as large as its step, so the step takes the fan-in
_SCALES_OF = {OperandRole.WEIGHT: OperandRole.WEIGHT_SCALE, OperandRole.BIAS: OperandRole.BIAS_SCALE}


def _purpose(model: Model, use: Use, tensor: str) -> Purpose:
    # Return the purpose of a constant from which an operand with a role is made.
    role, inputs = use.role, use.layer.inputs
    if role is OperandRole.WEIGHT_SCALE:
        return Purpose(role, _scaled_fan_in(model, use))
    if role is OperandRole.WEIGHT:
        product = use.layer.outputs[0] if use.node is None else ""
        return Purpose(role, fan_in(use, model.spec(tensor).shape), product)
    weight = replace(use, position=1)
    if role is OperandRole.BIAS and use.node is None and weight.role is OperandRole.WEIGHT:
        return Purpose(role, fan_in(weight, model.spec(inputs[1]).shape))
    return Purpose(role)


def _along(uses: Mapping[str, Sequence[Use]], name: str) -> Iterator[tuple[Use, str]]:
    # Yield the first use of a tensor, then that of what views make of it, each with the tensor used there.
    for _ in range(_STEPS):
        if not uses.get(name):
            return
        use = uses[name][0]
        yield use, name
        if use.node is not None or not use.row.moves & _FOLLOWED or use.position > 0:
            return
        name = use.layer.outputs[0]


def _scaled_fan_in(model: Model, use: Use) -> int:
    # Return the fan-in of the weight that a quantisation step belongs to.
    roles = use.row.roles.items()
    data = max(position for position, role in roles if role is OperandRole.QUANTISED and position < use.position)
    return fan_in(use, model.spec(use.layer.inputs[data]).shape)


def fan_in(use: Use, shape: tuple[int, ...]) -> int:
    """Return the fan-in of an operand with this shape: the number of terms in each output value, at least 1."""
    return max(1, (use.row.fan_in or product_fan_in)(use.proto, use.position, shape)) if shape else 1
