"""Which layers can be no part of a benchmark, and why."""

from collections.abc import Mapping

from dlbricks.model.draft import Draft, Node
from dlbricks.model.fold import RANDOM_OPERATORS
from dlbricks.model.kernels import has_schema, kernel_reason
from dlbricks.model.nouns import Constant, TensorSpec


def skip_reason(node: Node, types: Mapping[str, TensorSpec], draft: Draft, failure: str = "") -> str | None:
    """Say why a layer can be no part of a benchmark; None if it can."""
    name = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
    version = draft.opsets.get(node.domain, 1)
    if not has_schema(node.domain, node.op_type, version):
        return f"{name} is an operator of a custom domain"
    if node.domain.endswith("training"):
        return f"{name} is a training operator"
    if node.op_type in RANDOM_OPERATORS and not node.domain:
        return f"{name} gives random results"
    if node.op_type == "Dropout" and _trains(node, draft.constants):
        return "Dropout in training mode gives random results"
    return _type_reason(name, node, types, failure) or kernel_reason(node, types, version)


def _type_reason(name: str, node: Node, types: Mapping[str, TensorSpec], failure: str) -> str | None:
    for tensor in (*node.reads, *node.writes):
        spec = types.get(tensor)
        if spec is None:
            return f"{name} has tensors whose shapes cannot be known" + (f": {failure}" if failure else "")
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
