"""Finds the groups of a network for the target ``portable``: layers that runtimes fuse.

No split separates a group. A group has one exit: layers outside use only outputs of its last layer. Therefore a group
is convex: a path that leaves and re-enters it would be a cycle. Groups are formed in this order:

1. compounds: small operators that compute an activation, or a normalisation with its scale and shift;
2. quantised calls: DequantizeLinear of the operands, the operator, its activation, QuantizeLinear;
3. dynamically quantised products: DynamicQuantizeLinear, MatMulInteger or ConvInteger, Cast, the scales, the bias;
4. Conv, ConvTranspose, Gemm and MatMul with a constant bias, BatchNormalization, a residual Add (convolutions only;
   the sum of two convolutions joins the later one) and an activation;
5. a Split, a convolution of each part, and the Concat of the results: together one convolution with several kernels;
6. a channel shuffle (Reshape, Transpose, Reshape), with a Concat before it and a Split after it;
7. DequantizeLinear of a constant and its reader: on its own, DequantizeLinear would be folded into a constant.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.model.order import makers_of, readers_of
from dlbricks.model.types import Layer, Model
from dlbricks.operators.table import operator, row_of

# Attribute ``perm`` of the Transpose in a channel shuffle. Axes: batch, group of channels, channel, height, width.
_SHUFFLED = [0, 2, 1, 3, 4]


def find_groups(model: Model) -> tuple[tuple[int, ...], ...]:
    """Return the groups of layers that runtimes fuse, as two or more ascending layer indices; groups are disjoint."""
    graph = _Readers(model)
    groups = _Groups(graph)
    compounds = _find_compounds(graph)
    for compound in compounds:
        groups.form(compound.layers if compound.is_activation else _with_affine(compound, graph))
    # before chains: a convolution between DequantizeLinear and QuantizeLinear runs with them as one quantised call
    for index, layer in enumerate(model.layers):
        if layer.op_type == "QuantizeLinear":
            groups.form(_quantised(index, graph, groups))
        elif not layer.domain and row_of(layer).kind in {"integer product", "integer convolution"}:
            groups.form(_dynamic(index, graph, groups))
    activations = {compound.source: compound for compound in compounds if compound.is_activation}
    _form_chains(graph, groups, activations)
    for index, layer in enumerate(model.layers):
        if layer.op_type == "Concat":
            groups.form(_mixed(index, graph, groups))
        elif layer.op_type == "Transpose" and groups.is_free(index):
            groups.form(_shuffle(index, graph, groups))
        elif layer.op_type == "DequantizeLinear" and graph.is_weight(index):
            reader = graph.sole_reader(index)
            if reader is not None and groups.is_free(index):
                groups.form((index, reader))
    return tuple(sorted(members for members in groups.members if members))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compound:
    """Layers that together compute an activation or a normalisation of one tensor."""

    layers: tuple[int, ...]
    """Ascending indices of the layers."""
    source: str
    """Name of the tensor that is activated or normalised."""
    is_activation: bool
    """Whether the layers compute an activation; False for a normalisation."""


class _Readers:
    """Producer and readers of each tensor, and a label of each layer that may be in a compound."""

    def __init__(self, model: Model) -> None:
        self.layers: Sequence[Layer] = model.layers
        self.constants: Mapping[str, object] = model.constants
        self.outputs = frozenset(model.outputs)
        self.maker, self.readers = makers_of(model), readers_of(model)
        plain = ((index, layer) for index, layer in enumerate(model.layers) if not layer.domain and layer.skip is None)
        self.labels = {index: _label(layer, model.constants) for index, layer in plain}

    def operands(self, index: int) -> list[str]:
        """Return the inputs of a labelled layer that are not constants; the input of a Square occurs once."""
        names = [name for name in self.layers[index].inputs if name and name not in self.constants]
        return names[:1] if self.labels[index] == "Square" else names

    def exits(self, index: int, inside: set[int]) -> bool:
        """Return whether a result of a layer is a graph output, or is read outside ``inside``."""
        for name in self.layers[index].outputs:
            if name in self.outputs or not inside.issuperset(self.readers.get(name, ())):
                return True
        return False

    def sole_reader(self, index: int) -> int | None:
        """Return the only reader of a layer's results; None for several readers, none, or a graph output."""
        readers = {reader for name in self.layers[index].outputs for reader in self.readers.get(name, ())}
        if len(readers) != 1 or not self.outputs.isdisjoint(self.layers[index].outputs):
            return None
        return readers.pop()

    def makers(self, index: int) -> list[int | None]:
        """Return, for each operand that is not a constant, the layer that writes the operand, or None for an input."""
        names = (name for name in self.layers[index].reads if name not in self.constants)
        return [self.maker.get(name) for name in names]

    def is_weight(self, index: int) -> bool:
        """Return whether all operands of a layer are constants."""
        return all(name in self.constants for name in self.layers[index].reads)

    def has_constant_operand(self, index: int, op_type: str) -> bool:
        """Return whether a layer is the binary operator ``op_type`` with one constant operand."""
        layer = self.layers[index]
        if layer.op_type != op_type or layer.domain or len(layer.inputs) != 2:
            return False
        return sum(name in self.constants for name in layer.inputs) == 1


class _Groups:
    """The groups so far; a later group may absorb them."""

    def __init__(self, graph: _Readers) -> None:
        self.graph = graph
        self.owner: dict[int, int] = {}
        self.members: list[tuple[int, ...]] = []

    def is_free(self, index: int) -> bool:
        """Return whether a layer can still join a group."""
        return index not in self.owner and self.graph.layers[index].skip is None

    def form(self, members: Iterable[int]) -> None:
        """Merge ``members`` and their groups, if the result has two or more layers and one exit."""
        chosen = set(members)
        dissolved = {self.owner[index] for index in chosen if index in self.owner}
        for number in dissolved:
            chosen.update(self.members[number])
        ordered = tuple(sorted(chosen))
        if len(ordered) < 2 or any(self.graph.layers[index].skip is not None for index in ordered):
            return
        # one exit makes a group convex (see the module)
        if any(self.graph.exits(index, chosen) for index in ordered[:-1]):
            return
        for number in dissolved:
            self.members[number] = ()
        self.owner.update(dict.fromkeys(ordered, len(self.members)))
        self.members.append(ordered)


def _with_affine(compound: _Compound, graph: _Readers) -> tuple[int, ...]:
    """Return the layers of a normalisation, and the Mul and Add behind it that have a constant operand."""
    members = list(compound.layers)
    for op_type in ("Mul", "Add"):
        reader = graph.sole_reader(members[-1])
        if reader is not None and graph.has_constant_operand(reader, op_type):
            members.append(reader)
    return tuple(members)


def _dequantizers(index: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return the free DequantizeLinear layers that write operands of this layer only."""
    return [
        maker
        for maker in graph.makers(index)
        if maker is not None
        and graph.layers[maker].op_type == "DequantizeLinear"
        and groups.is_free(maker)
        and graph.sole_reader(maker) == index
    ]


def _quantised(last: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return the layers of the quantised call that ends in the QuantizeLinear ``last``; empty if none does."""
    members = [last]
    maker = graph.maker.get(graph.layers[last].inputs[0])
    rectified = maker is not None and row_of(graph.layers[maker]).rectifies
    if maker is not None and rectified and len(_dequantizers(maker, graph, groups)) < len(graph.makers(maker)):
        members.append(maker)
        maker = graph.maker.get(graph.layers[maker].inputs[0])
    if maker is None or row_of(graph.layers[maker]).quantises:
        return []
    operands = _dequantizers(maker, graph, groups)
    return [*operands, maker, *members] if 0 < len(operands) == len(graph.makers(maker)) else []


def _dynamic(product: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return the group of a MatMulInteger or ConvInteger; empty unless a Cast and a Mul scale the result."""
    cast = graph.sole_reader(product)
    scaled = graph.sole_reader(cast) if cast is not None and graph.layers[cast].op_type == "Cast" else None
    if cast is None or scaled is None or graph.layers[scaled].op_type != "Mul":
        return []
    members = [product, cast, scaled]
    for maker in graph.makers(scaled):
        is_scale = maker is not None and maker != cast and graph.layers[maker].op_type == "Mul"
        if maker is not None and is_scale and graph.sole_reader(maker) == scaled and groups.is_free(maker):
            members.append(maker)
    bias = graph.sole_reader(scaled)
    if bias is not None and graph.has_constant_operand(bias, "Add") and groups.is_free(bias):
        members.append(bias)
    for maker in {maker for member in members for maker in graph.makers(member) if maker is not None}:
        if graph.layers[maker].op_type == "DynamicQuantizeLinear" and not graph.exits(maker, set(members)):
            members.append(maker)
    return members


def _mixed(concat: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return a Split, the groups of convolutions of its parts, and their Concat ``concat``; empty if any is missing."""
    branches = [
        groups.members[groups.owner[tail]] if tail in groups.owner else (tail,)
        for tail in graph.makers(concat)
        if tail is not None
    ]
    convolutions = [branch[0] for branch in branches if row_of(graph.layers[branch[0]]).kind == "convolution"]
    splits = {maker for convolution in convolutions for maker in graph.makers(convolution)}
    split = splits.pop() if len(splits) == 1 else None
    if split is None or graph.layers[split].op_type != "Split" or not groups.is_free(split):
        return []
    if not len(convolutions) == len(graph.layers[split].outputs) == len(graph.layers[concat].inputs) > 1:
        return []
    return [split, *(index for branch in branches for index in branch), concat]


def _shuffle(transpose: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return a channel shuffle with its Concat and Split; empty if ``transpose`` is in none."""
    before, after = graph.maker.get(graph.layers[transpose].inputs[0]), graph.sole_reader(transpose)
    if before is None or after is None or not (groups.is_free(before) and groups.is_free(after)):
        return []
    if graph.layers[before].op_type != "Reshape" or graph.layers[after].op_type != "Reshape":
        return []
    order = json.loads(dict(graph.layers[transpose].attributes)["perm"])
    if order != _SHUFFLED:
        return []
    members = [before, transpose, after]
    joined, parted = graph.maker.get(graph.layers[before].inputs[0]), graph.sole_reader(after)
    if joined is not None and graph.layers[joined].op_type == "Concat" and groups.is_free(joined):
        members.append(joined)
    if parted is not None and graph.layers[parted].op_type == "Split" and groups.is_free(parted):
        members.append(parted)
    return members


def _form_chains(graph: _Readers, groups: _Groups, activations: Mapping[str, _Compound]) -> None:
    chains: dict[int, list[int]] = {}
    for index, layer in enumerate(graph.layers):
        row = row_of(layer)
        if (row.convolves or row.kind == "product") and not layer.domain and groups.is_free(index):
            chain = _normalised(index, graph, groups)
            chains[chain[-1]] = chain
    for tail in list(chains):
        chain = chains[tail]
        if row_of(graph.layers[chain[0]]).convolves:
            reader = graph.sole_reader(tail)
            if reader is not None and groups.is_free(reader) and _is_residual(reader, tail, graph, chains):
                chain.append(reader)
    for chain in chains.values():
        weights = _dequantizers(chain[0], graph, groups)
        groups.form([*weights, *chain, *_activation(chain[-1], graph, groups, activations)])


def _normalised(anchor: int, graph: _Readers, groups: _Groups) -> list[int]:
    """Return a product or convolution, with the constant bias and the BatchNormalization behind it, if any."""
    chain = [anchor]
    reader = graph.sole_reader(anchor)
    if reader is not None and groups.is_free(reader) and graph.has_constant_operand(reader, "Add"):
        chain.append(reader)
        reader = graph.sole_reader(reader)
    if reader is not None and groups.is_free(reader) and graph.layers[reader].op_type == "BatchNormalization":
        chain.append(reader)
    return chain


def _is_residual(add: int, tail: int, graph: _Readers, chains: Mapping[int, Sequence[int]]) -> bool:
    """Return whether ``add`` is a residual Add whose later operand comes from the convolution that ends at ``tail``."""
    layer = graph.layers[add]
    if layer.op_type != "Add" or layer.domain or len(set(layer.inputs)) != 2:
        return False
    makers = graph.makers(add)
    rivals = [
        maker
        for maker in makers
        if maker is not None
        and maker in chains
        and row_of(graph.layers[chains[maker][0]]).convolves
        and graph.sole_reader(maker) == add
    ]
    # the convolution that runs last can add, since the other result exists by then
    return len(makers) == 2 and max(rivals) == tail


def _activation(tail: int, graph: _Readers, groups: _Groups, activations: Mapping[str, _Compound]) -> Sequence[int]:
    """Return the activation that is the only reader of a layer's result; empty without one."""
    compound = activations.get(graph.layers[tail].outputs[0])
    if compound is not None:
        return compound.layers if not graph.exits(tail, set(compound.layers)) else ()
    reader = graph.sole_reader(tail)
    if reader is None or not groups.is_free(reader):
        return ()
    layer = graph.layers[reader]
    return (reader,) if row_of(layer).activates and not layer.domain else ()


# Functions that exporters compose of small operators, each a list of ``result=label|label operands``: ``x`` is the only
# input, the last result is the only output.
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
# Labels and operands by result; the last result is the output.
_Pattern = dict[str, tuple[frozenset[str], list[str]]]


def _pattern(text: str) -> _Pattern:
    words = {result: definition.split() for result, definition in (line.split("=") for line in text.split("; "))}
    return {result: (frozenset(labels.split("|")), operands) for result, (labels, *operands) in words.items()}


# the largest first: a layer normalisation contains the pattern of RMS normalisation
_PATTERNS = tuple(sorted(map(_pattern, _COMPOUNDS), key=lambda pattern: -len(pattern)))


def _find_compounds(graph: _Readers) -> tuple[_Compound, ...]:
    """Return the compounds of a model; of two that overlap, the larger one."""
    taken: set[int] = set()
    compounds: list[_Compound] = []
    for pattern in _PATTERNS:
        ends, _ = next(reversed(pattern.values()))
        for index in [index for index, label in graph.labels.items() if label in ends]:
            match = _match(graph, pattern, index) if index not in taken else None
            if match is None:
                continue
            source, members = match
            is_activation = all("ReduceMean" not in labels for labels, _ in pattern.values())
            if not is_activation:
                source, members = _with_centring(graph, source, members)
            if taken.isdisjoint(members):
                taken.update(members)
                compounds.append(_Compound(layers=tuple(sorted(members)), source=source, is_activation=is_activation))
    return tuple(compounds)


def _match(graph: _Readers, pattern: _Pattern, index: int) -> tuple[str, set[int]] | None:
    """Match a pattern that ends at a layer; return the name of its argument, and its layers."""
    for bound in _fitting(graph, pattern, next(reversed(pattern)), next(filter(None, graph.layers[index].outputs)), {}):
        members = {graph.maker[tensor] for result, tensor in bound.items() if result != "x"}
        if not any(graph.exits(member, members) for member in members - {index}):
            return bound["x"], members
    return None


def _fitting(
    graph: _Readers, pattern: _Pattern, result: str, tensor: str, bound: dict[str, str]
) -> Iterator[dict[str, str]]:
    """Match the tensor ``result`` of a pattern to ``tensor``; yield ``bound`` with the names of each match added."""
    if result in bound:
        if bound[result] == tensor:
            yield bound
        return
    bound = {**bound, result: tensor}
    if result == "x":
        yield bound
        return
    index = graph.maker.get(tensor, -1)
    labels, wanted = pattern[result]
    operands = graph.operands(index) if graph.labels.get(index) in labels else []
    if len(operands) != len(wanted):
        return
    swaps = len(operands) == 2 and operator("", graph.labels[index]).commutes
    for order in [operands, operands[::-1]] if swaps else [operands]:
        ways = [bound]
        for name, operand in zip(wanted, order, strict=True):
            ways = [fitting for way in ways for fitting in _fitting(graph, pattern, name, operand, way)]
        yield from ways


def _with_centring(graph: _Readers, source: str, members: set[int]) -> tuple[str, set[int]]:
    """Add the layers of ``x - mean(x)`` that write the argument of a normalisation, unless other layers use them."""
    difference = graph.maker.get(source, -1)
    if graph.labels.get(difference) != "Sub" or graph.exits(difference, members):
        return source, members
    centred, mean = graph.operands(difference)
    averaging = graph.maker.get(mean, -1)
    alone = graph.labels.get(averaging) == "ReduceMean" and not graph.exits(averaging, {difference})
    if alone and graph.operands(averaging)[0] == centred:
        return centred, members | {difference, averaging}
    return source, members


def _label(layer: Layer, constants: Mapping[str, object]) -> str:
    """Return a layer's label in patterns: ``_c`` marks a constant operand, ``Square`` is a tensor times itself."""
    commutes = row_of(layer).commutes
    if commutes is None:
        return layer.op_type
    if any(name in constants for name in layer.inputs):
        return f"{layer.op_type}_c" if layer.inputs[0] not in constants or commutes else ""
    return "Square" if layer.op_type == "Mul" and layer.inputs[0] == layer.inputs[1] else layer.op_type
