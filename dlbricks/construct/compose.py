"""Describes a split network: its composition, and the facts that ``dlbricks inspect`` shows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from dlbricks.construct.memory_layout import Access, Call, Layout, layout, reuse_distances
from dlbricks.construct.types import Composition, CompositionPair, CompositionStep, Reuses
from dlbricks.model.order import topological
from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.operators.assumptions import assumed_by, assumption_lines
from dlbricks.operators.costs import features, layer_costs, layer_flops, modelled_work, shared_of, sum_flops
from dlbricks.sequences.canonical import canonicalise, readable_name, without_bias
from dlbricks.sequences.split import pairs as adjacent
from dlbricks.sequences.split import split as split_model
from dlbricks.sequences.split import strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence, Split

# Bytes of the runtime's own data for a layer (kernel, entry of the execution plan): they are read once per inference,
# like a constant. The figure matters only for sequences with few or no constants.
RUNTIME_BYTES = 1024


def compose(split: Split, *, pairs: bool = False, parts: bool = False, memory_reuse: bool | None = None) -> Composition:
    """Return the composition of a split network: layer sequences, dependencies and reuse distances.

    ``pairs`` adds pairs of adjacent sequences, ``parts`` the layers of each sequence. ``memory_reuse`` states whether
    tensors may take buffers that are free again; None for the runtime's default.
    """
    laid = layout(split.model, reuses=memory_reuse)
    order = _steps_in_order(split, laid)
    step_of = {number: step for step, number in enumerate(order)}
    place = _places(split, laid, step_of)
    alone = compose(split_model(split.model, Granularity(1))).steps if parts and split.granularity.limit != 1 else ()
    part_at = {step.layers[0]: step for step in alone if step.features}
    steps = []
    for number in order:
        sequence = split.sequences[number]
        layers = [split.model.layers[index] for index in sequence.layers]
        core = strip_boundary_views(split.model, sequence)
        canonical = canonicalise(split.model, core)
        free = all(layer.is_view for layer in layers)
        constants, inputs, outputs = place(core)
        computing = [split.model.layers[index] for index in canonical.layers]
        ends = {name: getattr(canonical, name) for name in ("inputs", "outputs", "constants")}
        within = tuple(part_at[layer.name] for layer in layers if layer.name in part_at)
        figures = None if free or sequence.skip else features(split.model, computing, **ends)
        steps.append(
            CompositionStep(
                fingerprint=canonical.fingerprint,
                without_bias=without_bias(split.model, core),
                name=readable_name([layer.op_type for layer in layers if not layer.is_view]),
                layers=tuple(layer.name for layer in layers),
                depends_on=tuple(sorted(step_of[waited] for waited in split.depends_on[number])),
                skip=sequence.skip,
                free=free,
                assumed=next(filter(None, (assumed_by(split.model, layer) for layer in layers)), ""),
                constants=constants,
                inputs=inputs,
                outputs=outputs,
                features=figures,
                work=modelled_work(split.model, computing, figures) if figures else 0,
                parts=within if len(within) > 1 else (),
            )
        )
    return Composition(
        model=split.model.name,
        target=split.model.target,
        granularity=str(split.granularity),
        splitter=split.splitter,
        layers=len(split.model.layers),
        steps=tuple(steps),
        pairs=tuple(_pairs(split, place, step_of)) if pairs else (),
        made_for=split.model.made_for,
        assumed=assumption_lines(split.model),
    )


def _steps_in_order(split: Split, laid: Layout) -> list[int]:
    # Return the sequences as they run, which is by their first layers; one whose first layer runs before the sequences
    # that it waits for comes after them.
    time_of = {index: time for time, index in enumerate(laid.order)}
    feeds: list[set[int]] = [set() for _ in split.sequences]
    for number, waits in enumerate(split.depends_on):
        for waited in waits:
            feeds[waited].add(number)
    return topological(feeds, [(min(time_of[index] for index in sequence.layers), 0) for sequence in split.sequences])


def _places(
    split: Split, laid: Layout, steps: Mapping[int, int]
) -> Callable[[LayerSequence], tuple[Reuses, Reuses, Reuses]]:
    # Return a function from a sequence to its constants, inputs and outputs with their reuse distances; ``steps`` has
    # the step of each sequence.
    distances, owner = reuse_distances(laid), laid.owner
    step_of = {index: steps[number] for number, sequence in enumerate(split.sequences) for index in sequence.layers}
    time_of = {index: time for time, index in enumerate(laid.order)}
    # the runtime reads its own data of a layer once per inference, so their reuse distance is the whole footprint
    own = (RUNTIME_BYTES, laid.footprint_bytes, len(split.sequences))
    inside = _inside_nodes(split.model) if split.model.traits.groups_are_nodes else frozenset()

    def first_uses(sequence: LayerSequence, chosen: Callable[[Call], Iterable[Access]]) -> Reuses:
        # Return the tensors at their first use: later uses within the sequence find them in the caches.
        reuses: dict[str, tuple[int, int, int]] = {}
        for index in sorted(sequence.layers, key=time_of.__getitem__):
            for access in chosen(distances[index]):
                # it was touched in the previous inference if negative
                before = time_of[index] - access.age
                behind = step_of[index] - step_of[laid.order[before]] + len(steps) * (before < 0)
                age = max(0, behind) if access.age else 0
                reuses.setdefault(access.tensor, (access.nbytes, access.distance_bytes, age))
        return tuple(reuses.values())

    def place(sequence: LayerSequence) -> tuple[Reuses, Reuses, Reuses]:
        computed = {name for index in sequence.layers for name in split.model.layers[index].outputs}
        leaving = {owner.get(name, name) for name in sequence.outputs}
        continued = {owner.get(name, name) for name in shared_of(split.model, sequence.layers).values()}
        apart = leaving | (inside & computed)
        constants = (
            *first_uses(sequence, lambda call: call.constants),
            *first_uses(sequence, lambda call: (access for access in call.inputs if access.tensor in continued)),
            *first_uses(sequence, lambda call: (use for use in call.outputs if use.tensor not in apart)),
            own,
        )
        inputs = first_uses(
            sequence, lambda call: (access for access in call.inputs if access.tensor not in computed | continued)
        )
        outputs = first_uses(sequence, lambda call: (access for access in call.outputs if access.tensor in leaving))
        return constants, inputs, outputs

    return place


def _inside_nodes(model: Model) -> frozenset[str]:
    # Return the tensors inside groups of layers: a group runs as one node, which never writes them to memory.
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


def _pairs(
    split: Split, place: Callable[[LayerSequence], tuple[Reuses, Reuses, Reuses]], step_of: Mapping[int, int]
) -> Iterator[CompositionPair]:
    for first, second, union in adjacent(split):
        constants, inputs, outputs = place(union)
        yield CompositionPair(
            first=step_of[first],
            second=step_of[second],
            fingerprint=canonicalise(split.model, union).fingerprint,
            constants=constants,
            inputs=inputs,
            outputs=outputs,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFacts:
    """A layer of a network as ``dlbricks inspect`` shows it."""

    name: str
    operator: str
    """Operator with its domain, as in ``com.microsoft.FusedMatMul``."""
    outputs: tuple[str, ...]
    """Dtype and shape of each output, as in ``float32[1,64,56,56]``."""
    flops: int | None
    """FLOPs of matrix products, convolutions and the like; None if unknown."""
    weight_bytes: int
    """Size of the layer's constants, bytes."""
    activation_bytes: int
    """Size of the layer's outputs, bytes."""
    sequence: int
    """Index of the layer sequence that contains the layer."""
    skip: str | None
    """Why the layer cannot be benchmarked (``Layer.skip``); None if it can be."""
    operations: int | None = None
    """Number of arithmetic operations. This and the next two fields are None if unknown."""
    read_bytes: int | None = None
    """Size of the operands, constants included, bytes."""
    written_bytes: int | None = None
    """Size of the results, bytes; 0 for a view."""
    assumed: str = ""
    """Input with an assumed value that decides sizes, iterations or a branch; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Facts about a network."""

    network: str
    target: str
    granularity: str
    splitter: str
    source_layers: int
    """Number of operator calls in the file, with functions inlined."""
    folded: int
    """Number of operator calls that became constants or that nothing uses."""
    layers: int
    """Number of layers after folding."""
    views: int
    """Number of views."""
    sequences: int
    """Number of layer sequences, without sequences of views only."""
    unique_sequences: int
    """Number of unique layer sequences."""
    unique_layers: int
    """Number of layers in unique sequences."""
    flops: int | None
    """FLOPs of matrix products, convolutions and the like in all layers; None if a layer's are unknown."""
    parameter_bytes: int
    """Size of all constants, bytes; each constant counts once."""
    activation_bytes: int
    """Size of the outputs of all layers except views, bytes."""
    inputs: tuple[str, ...]
    """Name, dtype and shape of each input."""
    outputs: tuple[str, ...]
    operators: tuple[tuple[str, int], ...]
    """Operators with their number of layers, most frequent first."""
    skipped: tuple[tuple[str, int], ...]
    """Reasons why layers cannot be benchmarked, with the number of layers."""
    layer_facts: tuple[LayerFacts, ...]
    invalid: str = ""
    """Error of ``onnx.checker``; empty if the file is valid."""
    assumed: tuple[str, ...] = ()
    """A sentence for each input whose assumed value decides sizes or iterations."""


def inspect_split(split: Split, *, invalid: str = "") -> Inspection:
    """Return the facts about a split network; ``invalid`` is the error of ``onnx.checker``."""
    model = split.model
    home = {layer: index for index, sequence in enumerate(split.sequences) for layer in sequence.layers}
    facts = tuple(_layer_facts(model, layer, home[index]) for index, layer in enumerate(model.layers))
    computing = [
        sequence for sequence in split.sequences if not all(model.layers[index].is_view for index in sequence.layers)
    ]
    unique = {
        canonicalise(model, strip_boundary_views(model, sequence)).fingerprint: sequence for sequence in computing
    }
    skipped: Counter[str] = Counter()
    for sequence in split.sequences:
        if sequence.skip:
            skipped[sequence.skip] += len(sequence.layers)
    return Inspection(
        network=model.name,
        target=model.target,
        granularity=str(split.granularity),
        splitter=split.splitter,
        source_layers=model.source_layers,
        folded=model.folded,
        layers=len(model.layers),
        views=sum(layer.is_view for layer in model.layers),
        sequences=len(computing),
        unique_sequences=len(unique),
        unique_layers=sum(len(sequence.layers) for sequence in unique.values()),
        flops=sum_flops(model, model.layers),
        parameter_bytes=sum(constant.spec.nbytes for constant in model.constants.values()),
        activation_bytes=sum(
            fact.activation_bytes for fact, layer in zip(facts, model.layers, strict=True) if not layer.is_view
        ),
        inputs=tuple(f"{name}: {describe(model.spec(name))}" for name in model.inputs),
        outputs=tuple(f"{name}: {describe(model.spec(name))}" for name in model.outputs),
        operators=_ranked(Counter(_operator(layer) for layer in model.layers)),
        skipped=_ranked(skipped),
        layer_facts=facts,
        invalid=invalid,
        assumed=assumption_lines(model),
    )


def describe(spec: TensorSpec) -> str:
    """Return dtype and shape, as in ``float32[1,3,224,224]``."""
    return f"{spec.dtype}[{','.join(map(str, spec.shape))}]" if spec.dtype else "no tensor, or unknown"


def _operator(layer: Layer) -> str:
    return f"{layer.domain}.{layer.op_type}" if layer.domain else layer.op_type


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _layer_facts(model: Model, layer: Layer, sequence: int) -> LayerFacts:
    costs = layer_costs(model, layer)
    return LayerFacts(
        name=layer.name,
        operator=_operator(layer),
        outputs=tuple(describe(model.spec(name)) for name in layer.outputs if name),
        flops=layer_flops(model, layer),
        weight_bytes=sum(model.constants[name].spec.nbytes for name in set(layer.reads) if name in model.constants),
        activation_bytes=sum(model.spec(name).nbytes for name in layer.outputs if name),
        sequence=sequence,
        skip=layer.skip,
        operations=costs.flops if costs else None,
        read_bytes=costs.read_bytes if costs else None,
        written_bytes=costs.written_bytes if costs else None,
        assumed=assumed_by(model, layer),
    )
