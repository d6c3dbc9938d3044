"""Finds functions composed of small operators: GELU, SiLU, hard-swish, mish, layer and RMS normalisation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.model.types import Layer

_COMPOUNDS = (
    # RMS normalisation, and the second half of layer normalisation
    "s=Square|Pow_c x; v=ReduceMean s; e=Add_c v; r=Sqrt e; q=Reciprocal r; n=Mul x q",
    "s=Square|Pow_c x; v=ReduceMean s; e=Add_c v; r=Sqrt e; n=Div x r",
    # GELU by Erf: the half is applied to the product, or to either factor
    "a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul x c; e=Mul_c|Div_c d",
    "a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul_c|Div_c c; e=Mul x d",
    "h=Mul_c|Div_c x; a=Div_c|Mul_c x; b=Erf a; c=Add_c b; d=Mul h c",
    # GELU by Tanh; the cube as a power or as products
    "p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; y=Mul x w; z=Mul_c y",
    "p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; v=Mul_c w; z=Mul x v",
    "h=Mul_c x; p=Pow_c x; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul h w",
    "o=Square x; p=Mul x o; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; y=Mul x w; z=Mul_c y",
    "h=Mul_c x; o=Square x; p=Mul x o; q=Mul_c p; s=Add x q; t=Mul_c s; u=Tanh t; w=Add_c u; z=Mul h w",
    # hard-swish
    "a=Add_c x; b=Clip a; c=Mul x b; d=Div_c|Mul_c c",
    "a=Add_c x; b=Clip a; c=Div_c|Mul_c b; d=Mul x c",
    "a=HardSigmoid x; b=Mul x a",
    # SiLU, and GELU by Sigmoid; mish
    "a=Mul_c x; b=Sigmoid a; c=Mul x b",
    "a=Sigmoid x; b=Mul x a",
    "a=Softplus x; b=Tanh a; c=Mul x b",
)
"""Each is a list of ``result=label|label operands``; ``x`` is the only input, the last result is the only output."""

_BINARY = frozenset({"Add", "Sub", "Mul", "Div", "Pow"})
_COMMUTATIVE = frozenset({"Add", "Mul"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Compound:
    """Layers that compute one function of one tensor."""

    layers: tuple[int, ...]
    """Ascending indices; only the output of the last one is used outside."""
    source: str
    """The argument of the function."""
    is_activation: bool
    """False for normalisations."""


_Pattern = dict[str, tuple[frozenset[str], list[str]]]
"""Labels and operands by result; the last result is the output."""


def _pattern(text: str) -> _Pattern:
    words = {result: definition.split() for result, definition in (line.split("=") for line in text.split("; "))}
    return {result: (frozenset(labels.split("|")), operands) for result, (labels, *operands) in words.items()}


_PATTERNS = tuple(sorted(map(_pattern, _COMPOUNDS), key=lambda pattern: -len(pattern)))


def find_compounds(
    layers: Sequence[Layer], constants: Mapping[str, object], outputs: Sequence[str]
) -> tuple[Compound, ...]:
    """Find compounds, the largest first where they overlap; no layer is in two of them.

    Args:
        layers: in topological order.
        constants: names of constants.
        outputs: of the network; never inside a compound.
    """
    network = _LabelledGraph(layers, constants, outputs)
    taken: set[int] = set()
    found: list[Compound] = []
    for pattern in _PATTERNS:
        exits, _ = next(reversed(pattern.values()))
        for index in sorted(index for label in exits for index in network.labelled.get(label, ())):
            match = network.match(pattern, index) if index not in taken else None
            if match is None:
                continue
            source, members = match
            is_activation = all("ReduceMean" not in labels for labels, _ in pattern.values())
            if not is_activation:
                source, members = network.with_centring(source, members)
            if taken.isdisjoint(members):
                taken.update(members)
                found.append(Compound(layers=tuple(sorted(members)), source=source, is_activation=is_activation))
    return tuple(found)


class _LabelledGraph:
    """Labels of layers, and producer and readers of each tensor."""

    def __init__(self, layers: Sequence[Layer], constants: Mapping[str, object], outputs: Sequence[str]) -> None:
        self.labels: dict[int, str] = {}
        self.labelled: dict[str, list[int]] = {}
        self.operands: dict[int, list[str]] = {}
        self.made: dict[str, int] = {}
        self.results = [tuple(filter(None, layer.outputs)) for layer in layers]
        self.readers: dict[str, set[int]] = {name: {-1} for name in outputs}
        for index, layer in enumerate(layers):
            for name in layer.reads:
                self.readers.setdefault(name, set()).add(index)
            if layer.domain or layer.skip is not None:
                continue
            label = _label(layer, constants)
            self.labels[index] = label
            self.labelled.setdefault(label, []).append(index)
            operands = [name for name in layer.inputs if name and name not in constants]
            self.operands[index] = operands[:1] if label == "Square" else operands
            self.made.update(dict.fromkeys(self.results[index], index))

    def match(self, pattern: _Pattern, index: int) -> tuple[str, set[int]] | None:
        """Match a pattern that ends in a layer; return its argument and its layers."""
        for bound in self._fitting(pattern, next(reversed(pattern)), self.results[index][0], {}):
            members = {self.made[tensor] for result, tensor in bound.items() if result != "x"}
            if all(self._inside(member, members) for member in members - {index}):
                return bound["x"], members
        return None

    def _inside(self, index: int, members: set[int]) -> bool:
        """Return whether only ``members`` read the results of a layer."""
        return all(self.readers.get(name, members) <= members for name in self.results[index])

    def _fitting(self, pattern: _Pattern, result: str, tensor: str, bound: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yield the bindings with which a tensor is a result of the pattern, extending ``bound``."""
        if result in bound:
            if bound[result] == tensor:
                yield bound
            return
        bound = {**bound, result: tensor}
        if result == "x":
            yield bound
            return
        index = self.made.get(tensor, -1)
        labels, wanted = pattern[result]
        if self.labels.get(index) not in labels or len(self.operands[index]) != len(wanted):
            return
        given = self.operands[index]
        orders = [given, given[::-1]] if len(given) == 2 and self.labels[index] in _COMMUTATIVE else [given]
        for order in orders:
            ways = [bound]
            for name, operand in zip(wanted, order, strict=True):
                ways = [fitting for way in ways for fitting in self._fitting(pattern, name, operand, way)]
            yield from ways

    def with_centring(self, source: str, members: set[int]) -> tuple[str, set[int]]:
        """Add ``x - mean(x)`` if it is the argument of a normalisation and nothing else uses it."""
        difference = self.made.get(source, -1)
        if self.labels.get(difference) != "Sub" or not self._inside(difference, members):
            return source, members
        given, mean = self.operands[difference]
        averaging = self.made.get(mean, -1)
        alone = self.labels.get(averaging) == "ReduceMean" and self._inside(averaging, {difference})
        if alone and self.operands[averaging][0] == given:
            return given, members | {difference, averaging}
        return source, members


def _label(layer: Layer, constants: Mapping[str, object]) -> str:
    """Label an operator, marking a constant operand (``_c``) and the product of a tensor with itself."""
    if layer.op_type not in _BINARY:
        return layer.op_type
    if any(name in constants for name in layer.inputs):
        return f"{layer.op_type}_c" if layer.inputs[0] not in constants or layer.op_type in _COMMUTATIVE else ""
    return "Square" if layer.op_type == "Mul" and layer.inputs[0] == layer.inputs[1] else layer.op_type
