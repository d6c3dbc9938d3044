"""What a layer costs, from its operator and shapes alone: operations, bytes read and written, by a table of rules.

``flops`` counts products only, as networks are usually quoted, and is what estimates rest upon. Here every operation
counts, so that an element-wise layer, too, has its place under a roof. Rules are kept for every operator of ONNX that
is arithmetic on tensors or moves them, and for those that onnxruntime fuses or lays out anew. A layer of any other
operator has no figures rather than wrong ones. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.model.arithmetic import ELEMENTWISE, Count
from dlbricks.model.nouns import Layer, Model
from dlbricks.model.products import PRODUCTS
from dlbricks.model.traffic import traffic
from dlbricks.model.turns import CONTROL, bodies_of
from dlbricks.model.view import LayerView

_DOMAINS = frozenset({"", "com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc"})
_COUNTS: Mapping[str, Count] = {**ELEMENTWISE, **PRODUCTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """What one call of a layer costs at the least."""

    flops: int
    """Arithmetic and logical operations on floats or integers, a multiply-add as two."""
    read_bytes: int
    """Operands, each once, constants included; of a table that is looked up in, as much as is given."""
    written_bytes: int
    """Results."""
    parameter_bytes: int
    """Of the bytes read, those of constants."""
    rule: str
    """How operations are counted, in words, and after a semicolon where the formula is from."""

    @property
    def intensity(self) -> float | None:
        """Operations per byte moved; None where nothing is moved."""
        moved = self.read_bytes + self.written_bytes
        return self.flops / moved if moved else None


def rule_of(domain: str, op_type: str) -> Count | None:
    """Give the rule of an operator; None where there is none."""
    return _COUNTS.get(op_type) if domain in _DOMAINS else None


def layer_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Give what a layer costs.

    Args:
        model: whose layer it is; shapes of all its tensors known.
        layer: one of its layers.

    Returns:
        The figures; None for an operator without a rule, for control flow whose number of turns is not known, and
        for layers whose tensors have no known shape.
    """
    if not _all_known(model, layer):
        return None
    if layer.domain == "" and layer.op_type in CONTROL:
        return _control_costs(model, layer)
    rule = rule_of(layer.domain, layer.op_type)
    if rule is None:
        return None
    view = LayerView(model, layer)
    moved = traffic(view)
    return LayerCosts(
        flops=rule.count(view),
        read_bytes=moved.read_bytes,
        written_bytes=moved.written_bytes,
        parameter_bytes=moved.parameter_bytes,
        rule=f"{rule.formula}; {rule.source}",
    )


def total_costs(model: Model) -> LayerCosts | None:
    """Give the sum over all layers of a network; None where one of them has no figures."""
    found = [layer_costs(model, layer) for layer in model.layers]
    known = [one for one in found if one is not None]
    return _times(1, known, "sum over layers") if len(known) == len(found) else None


def _times(turns: int, found: Sequence[LayerCosts], rule: str) -> LayerCosts:
    return LayerCosts(
        flops=turns * sum(one.flops for one in found),
        read_bytes=turns * sum(one.read_bytes for one in found),
        written_bytes=turns * sum(one.written_bytes for one in found),
        parameter_bytes=turns * sum(one.parameter_bytes for one in found),
        rule=rule,
    )


def _control_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Give what the layers inside cost together, in all turns; of two branches the one with more operations."""
    inside = bodies_of(model, layer)
    sums = [total_costs(body.model) for body in inside or ()]
    known = [one for one in sums if one is not None]
    if not inside or len(known) < len(sums):
        return None
    if layer.op_type == "If":
        return _times(1, [max(known, key=lambda one: one.flops)], "layers of the costlier branch")
    return _times(inside[0].turns, known, f"layers of the body, {inside[0].turns} turns")


def _all_known(model: Model, layer: Layer) -> bool:
    """Whether every operand and result is a tensor of known shape."""
    return all(model.spec(name).dtype for name in (*layer.reads, *filter(None, layer.outputs)))
