"""Describes a split network: layers, sequences, operators, arithmetic, bytes and skipped layers. Pure."""

from collections import Counter
from dataclasses import dataclass

from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.operators.costs import layer_costs, layer_flops
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import strip_boundary_views
from dlbricks.sequences.types import Split


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFacts:
    """One layer as ``inspect`` shows it."""

    name: str
    operator: str
    """Domain and type, as in ``Conv`` or ``com.microsoft.FusedMatMul``."""
    outputs: tuple[str, ...]
    """Dtype and shape of each, as in ``float32[1,64,56,56]``."""
    flops: int
    """By ``operators.costs``."""
    weight_bytes: int
    """Of its constants."""
    activation_bytes: int
    """Of its outputs."""
    sequence: int
    """Index of its sequence."""
    skip: str | None
    """Why it cannot be part of a benchmark; None if it can."""
    operations: int | None = None
    """Of every kind, by ``operators.costs``; None if unknown, as are the bytes."""
    read_bytes: int | None = None
    """Operands, each once, constants included."""
    written_bytes: int | None = None
    """Results; 0 for a view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Everything known of a network before it is measured."""

    network: str
    target: str
    granularity: str
    splitter: str
    source_layers: int
    """Operator calls in the file, functions inlined."""
    folded: int
    """Of those, folded into constants or removed as unused."""
    layers: int
    """Remaining layers."""
    views: int
    """Layers that are aliases of memory."""
    sequences: int
    """Without those of views only."""
    unique_sequences: int
    """With different fingerprints."""
    unique_layers: int
    """Layers in the unique sequences."""
    flops: int
    parameter_bytes: int
    """All constants, each counted once."""
    activation_bytes: int
    """Outputs of all layers except views."""
    inputs: tuple[str, ...]
    """Name, dtype and shape of each."""
    outputs: tuple[str, ...]
    operators: tuple[tuple[str, int], ...]
    """Operators and their counts, most frequent first."""
    skipped: tuple[tuple[str, int], ...]
    """Reasons and numbers of layers."""
    layer_facts: tuple[LayerFacts, ...]
    invalid: str = ""
    """Error of ``onnx.checker``; empty if the file is valid."""


def inspect_split(split: Split, *, invalid: str = "") -> Inspection:
    """Describe a split network.

    Args:
        split: the network.
        invalid: see ``Inspection``.
    """
    model = split.model
    facts = _layer_facts(split)
    computing = [
        sequence for sequence in split.sequences if not all(model.layers[index].is_view for index in sequence.layers)
    ]
    unique = {
        canonicalise(model, strip_boundary_views(model, sequence)).fingerprint: sequence for sequence in computing
    }
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
        unique_layers=sum(len(one.layers) for one in unique.values()),
        flops=sum(fact.flops for fact in facts),
        parameter_bytes=sum(constant.spec.nbytes for constant in model.constants.values()),
        activation_bytes=sum(
            fact.activation_bytes for fact, layer in zip(facts, model.layers, strict=True) if not layer.is_view
        ),
        inputs=tuple(f"{name}: {describe(model.spec(name))}" for name in model.inputs),
        outputs=tuple(f"{name}: {describe(model.spec(name))}" for name in model.outputs),
        operators=_ranked(Counter(_operator(layer) for layer in model.layers)),
        skipped=_skipped(split),
        layer_facts=facts,
        invalid=invalid,
    )


def describe(spec: TensorSpec) -> str:
    """Return dtype and shape, as in ``float32[1,3,224,224]``."""
    return f"{spec.dtype or 'no tensor'}[{','.join(map(str, spec.shape))}]"


def _operator(layer: Layer) -> str:
    return f"{layer.domain}.{layer.op_type}" if layer.domain else layer.op_type


def _layer_facts(split: Split) -> tuple[LayerFacts, ...]:
    model = split.model
    home = {layer: index for index, sequence in enumerate(split.sequences) for layer in sequence.layers}
    return tuple(_facts_of(model, layer, home[index]) for index, layer in enumerate(model.layers))


def _facts_of(model: Model, layer: Layer, sequence: int) -> LayerFacts:
    costs = layer_costs(model, layer)
    return LayerFacts(
        name=layer.name,
        operator=_operator(layer),
        outputs=tuple(describe(model.spec(name)) for name in layer.outputs if name),
        flops=layer_flops(model, layer),
        weight_bytes=_constant_bytes(model, layer),
        activation_bytes=sum(model.spec(name).nbytes for name in layer.outputs if name),
        sequence=sequence,
        skip=layer.skip,
        operations=costs.flops if costs else None,
        read_bytes=costs.read_bytes if costs else None,
        written_bytes=costs.written_bytes if costs else None,
    )


def _constant_bytes(model: Model, layer: Layer) -> int:
    return sum(model.constants[name].spec.nbytes for name in set(layer.reads) if name in model.constants)


def _skipped(split: Split) -> tuple[tuple[str, int], ...]:
    reasons: Counter[str] = Counter()
    for sequence in split.sequences:
        if sequence.skip:
            reasons[sequence.skip] += len(sequence.layers)
    return _ranked(reasons)


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
