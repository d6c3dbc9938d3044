"""Which layers can be no part of a benchmark, and why."""

from collections.abc import Mapping

from dlbricks.model.draft import Node
from dlbricks.model.fold import RANDOM_OPERATORS
from dlbricks.model.nouns import Constant, TensorSpec

_STANDARD_DOMAINS = frozenset({"", "ai.onnx.ml"})


def skip_reason(
    node: Node, types: Mapping[str, TensorSpec], constants: Mapping[str, Constant], *, has_schema: bool
) -> str | None:
    """Say why a layer can be no part of a benchmark; None if it can."""
    name = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
    if not has_schema:
        return f"{name} is an operator of a custom domain"
    if node.domain.endswith("training"):
        return f"{name} is a training operator"
    if node.op_type in RANDOM_OPERATORS and not node.domain:
        return f"{name} gives random results"
    if node.op_type == "Dropout" and _trains(node, constants):
        return "Dropout in training mode gives random results"
    for tensor in (*node.reads, *node.writes):
        spec = types.get(tensor)
        if spec is None:
            return f"{name} has tensors whose shapes cannot be known"
        if spec.dtype == "":
            return f"{name} handles a sequence, optional or map"
        if spec.dtype == "string":
            return f"{name} handles strings"
    return None


def _trains(node: Node, constants: Mapping[str, Constant]) -> bool:
    if len(node.inputs) < 3 or not node.inputs[2]:
        return False
    mode = constants.get(node.inputs[2])
    return mode is None or mode.values is None or any(mode.values)
