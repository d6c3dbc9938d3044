"""Finds functions that are spelled out in small operators: GELU, SiLU, hard-swish, mish, layer and RMS normalisation.

graph-surgeon's GraphPattern sees a skeleton only: nodes with labels, tensors with names; layer numbers come back. What
graph-surgeon loses or alters (attributes, types, data) is not in it. GraphPattern compares inputs by position, so
operands of Add and Mul are sorted by the order in which they are made; it wants equal numbers of inputs, so constants
are noted in the label (``Add_c``); it gives up where an inner tensor has two readers and one is reached through the
other, so mean and difference of layer normalisation are looked for here.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

from dlbricks.model.types import Layer

_COMPOUNDS = (
    # RMS normalisation, and the second half of layer normalisation
    "s=Square|Pow_c x; v=ReduceMean s; e=Add_c v; r=Sqrt e; q=Reciprocal r; n=Mul x q",
    "s=Square|Pow_c x; v=ReduceMean s; e=Add_c v; r=Sqrt e; n=Div x r",
    # GELU by Erf: the half is applied to the product, or to either factor
    "a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul x c; e=Mul_c|Div_c d",
    "a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul_c|Div_c c; e=Mul x d",
    "h=Mul_c|Div_c x; a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul h c",
    "h=Mul_c|Div_c x; a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul c h",
    # GELU by Tanh; the cube as a power or as products
    "p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; y=Mul x w; z=Mul_c y",
    "p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; v=Mul_c w; z=Mul x v",
    "h=Mul_c x; p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul h w",
    "h=Mul_c x; p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul w h",
    "o=Square x; p=Mul x o; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; y=Mul x w; z=Mul_c y",
    "h=Mul_c x; o=Square x; p=Mul x o; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul h w",
    "h=Mul_c x; o=Square x; p=Mul x o; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul w h",
    # hard-swish
    "a=Add_c x; b=Clip a; c=Mul x b; d=Div_c|Mul_c c",
    "a=Add_c x; b=Clip a; c=Div_c|Mul_c b; d=Mul x c",
    "a=HardSigmoid x; b=Mul x a",
    # SiLU, and GELU by Sigmoid; mish
    "a=Mul_c x; b=Sigmoid a; c=Mul x b",
    "a=Sigmoid x; b=Mul x a",
    "a=Softplus x; b=Tanh a; c=Mul x b",
)
"""Each is a list of ``result=label|label operands``; ``x`` is what comes in, the last result is all that goes out."""

_NORMALISATION = "ReduceMean"
_CENTRING = frozenset({"Sub", "ReduceMean"})
_BINARY = frozenset({"Add", "Sub", "Mul", "Div", "Pow"})
_COMMUTATIVE = frozenset({"Add", "Mul"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Compound:
    """Layers that spell out one function of one tensor."""

    layers: tuple[int, ...]
    """Indices, ascending; only the last one's output is used outside."""
    source: str
    """The tensor that the function is applied to."""
    is_activation: bool
    """False for normalisations."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    labels: tuple[str, ...]
    matcher: gs.GraphPattern
    is_activation: bool


def find_compounds(
    layers: Sequence[Layer], constants: Mapping[str, object], outputs: Sequence[str]
) -> tuple[Compound, ...]:
    """Find compounds, the largest first where they overlap; no layer is in two of them.

    ``outputs`` of the network never lie inside one. Cost is linear: only layers that can begin a compound are asked
    for.
    """
    labels = {index: _label(layer, constants) for index, layer in enumerate(layers) if not layer.domain}
    wanted = {index: label for index, label in labels.items() if label in _ALPHABET and layers[index].skip is None}
    starts: dict[str, list[int]] = {}
    for index, label in wanted.items():
        starts.setdefault(label, []).append(index)
    patterns = [pattern for pattern in _PATTERNS if all(label in starts for label in pattern.labels)]
    if not patterns:
        return ()
    nodes, graph, closed = _skeleton(layers, wanted, constants, outputs)
    taken: set[int] = set()
    found: list[Compound] = []
    with graph.node_ids(), G_LOGGER.suppress(G_LOGGER.CRITICAL):
        for pattern in patterns:
            for start in starts[pattern.labels[0]]:
                if start in taken:
                    continue
                match = pattern.matcher.match(nodes[start], True, 0, set(), closed)
                if match is None:
                    continue
                source, members = match.inputs[0], {int(part.onnx_node.name) for part in match.values()}
                if not pattern.is_activation:
                    source, members = _with_centring(source, members, closed)
                if taken.isdisjoint(members):
                    taken.update(members)
                    layer_numbers = tuple(sorted(members))
                    found.append(
                        Compound(layers=layer_numbers, source=source.name, is_activation=pattern.is_activation)
                    )
    return tuple(found)


def _with_centring(source: gs.Variable, members: set[int], closed: set[str]) -> tuple[gs.Variable, set[int]]:
    """Add ``x - mean(x)`` if that is what a normalisation is applied to and nothing else uses it."""
    for difference in source.inputs:
        inside = source.name not in closed and members.issuperset(int(node.name) for node in source.outputs)
        if difference.op != "Sub" or not inside:
            continue
        given, mean = difference.inputs
        for averaging in mean.inputs:
            alone = len(mean.outputs) == 1 and mean.name not in closed
            if averaging.op == "ReduceMean" and alone and averaging.inputs[0] is given:
                return given, members | {int(difference.name), int(averaging.name)}
    return source, members


def _label(layer: Layer, constants: Mapping[str, object]) -> str:
    """Name an operator, noting a constant operand (``_c``), a product with itself, and a power as it stands."""
    if layer.op_type not in _BINARY:
        return layer.op_type
    if any(name in constants for name in layer.inputs):
        return f"{layer.op_type}_c" if layer.inputs[0] not in constants or layer.op_type in _COMMUTATIVE else ""
    return "Square" if layer.op_type == "Mul" and layer.inputs[0] == layer.inputs[1] else layer.op_type


def _skeleton(
    layers: Sequence[Layer], wanted: Mapping[int, str], constants: Mapping[str, object], outputs: Sequence[str]
) -> tuple[dict[int, gs.Node], gs.Graph, set[str]]:
    """Build the skeleton of the wanted layers; give it with the tensors that are used outside of it."""
    made = {name: index for index, layer in enumerate(layers) for name in layer.outputs if name}
    tensors: dict[str, gs.Variable] = {}

    def tensor(name: str) -> gs.Variable:
        if name not in tensors:
            tensors[name] = gs.Variable(name)
        return tensors[name]

    nodes: dict[int, gs.Node] = {}
    closed = set(outputs)
    for index, layer in enumerate(layers):
        if index not in wanted:
            closed.update(layer.reads)
            continue
        operands = [name for name in layer.inputs if name and name not in constants]
        if wanted[index] == "Square":
            operands = operands[:1]
        elif layer.op_type in _COMMUTATIVE:
            operands.sort(key=lambda name: made.get(name, -1))
        results = [name for name in layer.outputs if name]
        nodes[index] = gs.Node(
            op=wanted[index],
            name=str(index),
            inputs=[tensor(name) for name in operands],
            outputs=[tensor(name) for name in results],
        )
    return nodes, gs.Graph(nodes=list(nodes.values())), closed


def _patterns() -> Iterator[_Pattern]:
    for text in _COMPOUNDS:
        lines = [line.split("=") for line in text.split("; ")]
        results = [result.strip() for result, _ in lines]
        operands = [definition.split()[1:] for _, definition in lines]
        choices = [definition.split()[0].split("|") for _, definition in lines]
        for labels in itertools.product(*choices):
            yield _Pattern(labels, _matcher(results, labels, operands), is_activation=_NORMALISATION not in labels)


def _matcher(results: Sequence[str], labels: Sequence[str], operands: Sequence[Sequence[str]]) -> gs.GraphPattern:
    pattern = gs.GraphPattern()
    tensors = {"x": pattern.variable()}
    for result, label, names in zip(results, labels, operands, strict=True):
        tensors[result] = pattern.add(result, label, inputs=[tensors[name] for name in names])
    pattern.set_output_tensors([tensors[results[-1]]])
    return pattern


_PATTERNS = tuple(sorted(_patterns(), key=lambda pattern: -len(pattern.labels)))
_ALPHABET = _CENTRING.union(*(pattern.labels for pattern in _PATTERNS))
