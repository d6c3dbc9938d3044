"""Makes the composition of a split network: sequences, dependencies, and reuse distances of their memory. Pure."""

from collections.abc import Callable, Iterable, Mapping

from dlbricks.construct.memory_layout import Access, Call, layout
from dlbricks.construct.reuse import reuse_distances
from dlbricks.construct.types import Composition, CompositionPair, CompositionStep, Reuses
from dlbricks.model.types import Model, SequenceFeatures
from dlbricks.operators.costs import features, shared_of
from dlbricks.sequences.canonical import canonicalise, readable_name
from dlbricks.sequences.split import pairs as adjacent
from dlbricks.sequences.split import strip_boundary_views
from dlbricks.sequences.types import CanonicalSequence, LayerSequence, Split

RUNTIME_BYTES = 1024
"""Bytes of a layer's runtime data (kernel, entry of the execution plan), read once per inference like a constant. The
figure matters only for sequences with few or no constants."""


def compose(split: Split, *, pairs: bool = False) -> Composition:
    """Describe each step by fingerprint, dependencies, reuse distances and features.

    Args:
        split: of the network.
        pairs: whether to add the unions of adjacent sequences, for the rule ``pairs``.
    """
    place = _places(split)
    steps = []
    for sequence, waits in zip(split.sequences, split.depends_on, strict=True):
        layers = [split.model.layers[index] for index in sequence.layers]
        core = strip_boundary_views(split.model, sequence)
        canonical = canonicalise(split.model, core)
        free = all(layer.is_view for layer in layers)
        constants, inputs, outputs = place(core)
        steps.append(
            CompositionStep(
                fingerprint=canonical.fingerprint,
                name=readable_name([layer.op_type for layer in layers if not layer.is_view]),
                layers=tuple(layer.name for layer in layers),
                depends_on=waits,
                skip=sequence.skip,
                free=free,
                constants=constants,
                inputs=inputs,
                outputs=outputs,
                features=None if free or sequence.skip else _features(split, canonical),
            )
        )
    return Composition(
        model=split.model.name,
        target=split.model.target,
        granularity=str(split.granularity),
        splitter=split.splitter,
        layers=len(split.model.layers),
        steps=tuple(steps),
        pairs=_pairs(split, place) if pairs else (),
        made_for=split.model.made_for,
    )


def _places(split: Split) -> Callable[[LayerSequence], tuple[Reuses, Reuses, Reuses]]:
    """Return a function from a sequence to its constants, inputs and outputs with their reuse distances."""
    laid = layout(split.model)
    distances, owner = reuse_distances(laid), laid.owner
    step_of = {index: step for step, sequence in enumerate(split.sequences) for index in sequence.layers}
    own = (RUNTIME_BYTES, laid.footprint_bytes, len(split.sequences))
    inside = _inside_nodes(split.model) if split.model.traits.groups_are_nodes else frozenset()
    steps = max(step_of.values(), default=0) + 1

    def first(sequence: LayerSequence, chosen: Callable[[Call], Iterable[Access]]) -> Reuses:
        """List tensors by their first use: later uses within the sequence find them in the caches."""
        found: dict[str, tuple[int, int, int]] = {}
        for index in sequence.layers:
            for one in chosen(distances[index]):
                age = _steps_before(index, one.age, step_of, steps)
                found.setdefault(one.tensor, (one.nbytes, one.distance_bytes, age))
        return tuple(found.values())

    def place(sequence: LayerSequence) -> tuple[Reuses, Reuses, Reuses]:
        made = {name for index in sequence.layers for name in split.model.layers[index].outputs}
        leaving = {owner.get(name, name) for name in sequence.outputs}
        unseen = inside | leaving
        kept = {owner.get(name, name) for name in shared_of(split.model, sequence.layers).values()}
        return (
            (
                *first(sequence, lambda layer: layer.constants),
                *first(sequence, lambda layer: (one for one in layer.inputs if one.tensor in kept)),
                *first(sequence, lambda layer: (output for output in layer.outputs if output.tensor not in unseen)),
                own,
            ),
            first(sequence, lambda layer: (one for one in layer.inputs if one.tensor not in made | kept)),
            first(sequence, lambda layer: (output for output in layer.outputs if output.tensor in leaving)),
        )

    return place


def _inside_nodes(model: Model) -> frozenset[str]:
    """Name the tensors that stay inside a group of layers, which runs as one node and never writes them to memory."""
    group_of = {index: group for group in model.groups for index in group}
    readers: dict[str, set[tuple[int, ...] | None]] = {name: {None} for name in model.outputs}
    for index, layer in enumerate(model.layers):
        for name in layer.reads:
            readers.setdefault(name, set()).add(group_of.get(index))
    return frozenset(
        name
        for index, group in group_of.items()
        for name in model.layers[index].outputs
        if readers.get(name, {group}) == {group}
    )


def _steps_before(layer: int, age: int, step_of: Mapping[int, int], steps: int) -> int:
    """Return the number of steps from the layer ``age`` layers earlier to this layer's step."""
    if age == 0:
        return 0
    behind = step_of[layer] - step_of[(layer - age) % len(step_of)]
    return behind + steps if age > layer else max(0, behind)


def _features(split: Split, sequence: CanonicalSequence) -> SequenceFeatures:
    """Return the features of a sequence, as its benchmark records them."""
    return features(
        split.model,
        [split.model.layers[index] for index in sequence.layers],
        inputs=sequence.inputs,
        outputs=sequence.outputs,
        constants=sequence.constants,
    )


def _pairs(
    split: Split, place: Callable[[LayerSequence], tuple[Reuses, Reuses, Reuses]]
) -> tuple[CompositionPair, ...]:
    found = []
    for first, second, union in adjacent(split):
        constants, inputs, outputs = place(union)
        found.append(
            CompositionPair(
                first=first,
                second=second,
                fingerprint=canonicalise(split.model, union).fingerprint,
                constants=constants,
                inputs=inputs,
                outputs=outputs,
            )
        )
    return tuple(found)
