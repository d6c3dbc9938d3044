"""From a split model to its composition: which sequences it is made of, and in what graph. Pure."""

from collections.abc import Sequence

from dlbricks.construct.nouns import Composition, CompositionStep
from dlbricks.model.nouns import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.nouns import LayerSequence, Split

_NAME_OPERATORS = 3


def compose(split: Split) -> Composition:
    """Name the sequences of a split by their fingerprints and keep who waits for whom."""
    steps = []
    for sequence, waits in zip(split.sequences, split.depends_on, strict=True):
        layers = [split.model.layers[index] for index in sequence.layers]
        steps.append(
            CompositionStep(
                fingerprint=canonicalise(split.model, sequence).fingerprint,
                name=operator_name(split.model, sequence),
                layers=tuple(layer.name for layer in layers),
                depends_on=waits,
                skip=sequence.skip,
                free=all(layer.is_view for layer in layers),
            )
        )
    return Composition(
        model=split.model.name,
        target=split.model.target,
        granularity=str(split.granularity),
        splitter=split.splitter,
        layers=len(split.model.layers),
        steps=tuple(steps),
    )


def operator_name(model: Model, sequence: LayerSequence) -> str:
    """Join the operators of a sequence, views left out where there is anything else, as in ``Conv_Relu``."""
    operators = [model.layers[index].op_type for index in sequence.layers if not model.layers[index].is_view]
    return _shortened(operators or [model.layers[index].op_type for index in sequence.layers])


def _shortened(operators: Sequence[str]) -> str:
    shown = "_".join(operators[:_NAME_OPERATORS])
    return shown if len(operators) <= _NAME_OPERATORS else f"{shown}_and_{len(operators) - _NAME_OPERATORS}"
