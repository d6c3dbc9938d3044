"""Networks drawn at random for laws, and small ones written by hand. No onnx node is in them: splitting needs none."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.table import operator
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.types import CanonicalSequence, Granularity, LayerSequence, Split

LIMITS = (1, 2, 3, 8, None)
GRANULARITIES = tuple(Granularity(limit) for limit in LIMITS)
SKIPPED = "no benchmark can hold it"

_UNARY = ("Relu", "Relu", "Sigmoid", "Softmax", "Identity", "Flatten", "Split")
_SHAPES = ((1,), (2,), (2, 2), (3, 5))


def layer(op_type: str, inputs: Iterable[str], outputs: Iterable[str], **fields: object) -> Layer:
    """Make a layer of the default domain, named after its first output."""
    made = Layer(
        name=f"make {next(iter(outputs))}",
        op_type=op_type,
        domain="",
        since_version=13,
        attributes=(),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        is_view=operator("", op_type).is_view,
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def model(
    layers: Sequence[Layer],
    outputs: Sequence[str],
    *,
    constants: Iterable[Constant] = (),
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    groups: Sequence[Sequence[int]] = (),
) -> Model:
    """Make a model; tensors that no layer makes and that are no constants are its inputs."""
    by_name = {constant.spec.name: constant for constant in constants}
    made = [name for entry in layers for name in entry.outputs if name]
    read = dict.fromkeys(name for entry in layers for name in entry.reads)
    inputs = tuple(name for name in read if name not in made and name not in by_name)
    return Model(
        name="drawn",
        layers=tuple(layers),
        inputs=inputs,
        outputs=tuple(outputs),
        tensors={
            name: TensorSpec(name=name, dtype="float32", shape=(shapes or {}).get(name, (4,)))
            for name in (*inputs, *made)
        },
        constants=by_name,
        opsets=(("", 20),),
        groups=tuple(tuple(group) for group in groups),
    )


def weight(name: str, shape: tuple[int, ...] = (4,)) -> Constant:
    """Make a float constant without values."""
    return Constant(spec=TensorSpec(name=name, dtype="float32", shape=shape))


def integers(name: str, values: Sequence[int]) -> Constant:
    """Make a constant of int64 whose values are kept."""
    spec = TensorSpec(name=name, dtype="int64", shape=(len(values),))
    return Constant(spec=spec, values=np.array(values, dtype="<i8").tobytes())


def models(*, skips: bool = True) -> st.SearchStrategy[Model]:
    """Draw networks: forks, joins, several inputs and outputs, views, captured tensors, groups, skipped layers."""
    return st.builds(drawn_model, st.integers(0, 2**32 - 1), st.integers(1, 14), skips=st.just(skips))


def drawn_model(seed: int, count: int, *, skips: bool) -> Model:
    """Draw a network of so many layers; a plain generator of numbers is far faster than a strategy for each choice."""
    chance = random.Random(seed)  # noqa: S311 - a test, not a secret
    tensors = [f"in{index}" for index in range(chance.randint(1, 3))]
    layers: list[Layer] = []
    for index in range(count):
        drawn = _drawn_layer(chance, index, tensors)
        layers.append(replace(drawn, skip=SKIPPED) if skips and chance.random() < 0.1 else drawn)
        tensors += [name for name in drawn.outputs if name]
    read = {name for entry in layers for name in entry.reads}
    made = [name for entry in layers for name in entry.outputs if name]
    return model(
        layers,
        [name for name in made if chance.random() < (0.1 if name in read else 0.9)] or made[-1:],
        constants=[weight("w0"), weight("w1", (2,)), integers("shape", (2, 2))],
        shapes={name: chance.choice(_SHAPES) for name in tensors},
        groups=_drawn_groups(chance, layers),
    )


def _drawn_layer(chance: random.Random, index: int, tensors: Sequence[str]) -> Layer:
    def some() -> str:
        return chance.choice(tensors[-6:] if chance.random() < 0.5 else tensors)

    op_type = chance.choice((*_UNARY, "Add", "Add", "Mul", "Concat", "Reshape", "RandomNormal", "If"))
    outputs = [f"t{index}"]
    operands = [some()]
    captured: list[str] = []
    match op_type:
        case "Add":
            operands.append(some())
        case "Mul":
            operands.append(chance.choice(("w0", "w1")))
        case "Concat":
            operands += [some() for _ in range(chance.randint(0, 3))]
        case "Reshape":
            operands.append("shape" if chance.random() < 0.5 else some())
        case "RandomNormal":
            operands = []
        case "If":
            captured = [some() for _ in range(chance.randint(0, 2))]
        case "Split":
            outputs += chance.choice(([f"t{index}b"], ["", f"t{index}c"], [f"t{index}b", f"t{index}c"]))
    return layer(op_type, operands, outputs, captured=tuple(dict.fromkeys(captured)))


def _drawn_groups(chance: random.Random, layers: Sequence[Layer]) -> list[list[int]]:
    """Draw groups that are connected, convex and free of circles: connected pieces of disjoint runs of the order."""
    groups, start = [], 0
    while start < len(layers):
        end = start + chance.randint(1, 4)
        pieces = connected_pieces(layers, range(start, min(end, len(layers))))
        groups += [piece for piece in pieces if len(piece) > 1 and chance.random() < 0.5]
        start = end
    return groups


def layer_edges(layers: Sequence[Layer]) -> set[tuple[int, int]]:
    """Give all pairs of layers of which the second reads what the first makes."""
    makers = {name: index for index, entry in enumerate(layers) for name in entry.outputs if name}
    return {(makers[name], index) for index, entry in enumerate(layers) for name in entry.reads if name in makers}


def connected_pieces(layers: Sequence[Layer], members: Iterable[int]) -> list[list[int]]:
    """Give the pieces that edges among the members hold together, found by spreading from each member."""
    left = set(members)
    edges = [(one, other) for one, other in layer_edges(layers) if one in left and other in left]
    pieces = []
    while left:
        piece = {min(left)}
        while more := {end for edge in edges for end in edge if piece & set(edge)} - piece:
            piece |= more
        pieces.append(sorted(piece))
        left -= piece
    return pieces


def reaches(layers: Sequence[Layer]) -> list[set[int]]:
    """Give for each layer all layers that a path leads to."""
    after: list[set[int]] = [set() for _ in layers]
    for one, other in sorted(layer_edges(layers), reverse=True):
        after[one] |= {other} | after[other]
    return after


def is_convex(layers: Sequence[Layer], members: Iterable[int]) -> bool:
    """Whether no path between two members leaves them: no layer outside lies behind one and before another."""
    inside, after = set(members), reaches(layers)
    behind = {index for member in inside for index in after[member]} - inside
    return not any(after[index] & inside for index in behind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A sequence where it was met first, and how often it was met."""

    model: Model
    sequence: LayerSequence
    canonical: CanonicalSequence
    count: int


def unique(splits: Iterable[Split]) -> dict[str, Occurrence]:
    """Find the different sequences, those that cannot be measured among them.

    Returns:
        By fingerprint, in order of first occurrence.
    """
    found: dict[str, Occurrence] = {}
    for split in splits:
        for sequence in split.sequences:
            canonical = canonicalise(split.model, sequence)
            known = found.get(canonical.fingerprint)
            found[canonical.fingerprint] = Occurrence(
                model=known.model if known else split.model,
                sequence=known.sequence if known else sequence,
                canonical=known.canonical if known else canonical,
                count=known.count + 1 if known else 1,
            )
    return found
