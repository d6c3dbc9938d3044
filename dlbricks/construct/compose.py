"""From a split model to its composition: which sequences it is made of, and in what graph. Pure."""

from dlbricks.construct.nouns import Composition, CompositionStep
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.nouns import LayerSequence, Split
from dlbricks.sequences.trim import bare
from dlbricks.suite.bricks import readable_name


def compose(split: Split) -> Composition:
    """Name the sequences of a split by their fingerprints and keep who waits for whom."""
    steps = []
    for sequence, waits in zip(split.sequences, split.depends_on, strict=True):
        layers = [split.model.layers[index] for index in sequence.layers]
        steps.append(
            CompositionStep(
                fingerprint=canonicalise(split.model, bare(split.model, sequence)).fingerprint,
                name=_name(split, sequence),
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


def _name(split: Split, sequence: LayerSequence) -> str:
    """Name a sequence as its benchmark is named: by its operators, views left out."""
    layers = [split.model.layers[index] for index in sequence.layers]
    return readable_name([layer.op_type for layer in layers if not layer.is_view])
