"""Adjacent sequences taken together, for composition rules that need to know what two of them cost in a row. Pure.

Two sequences are adjacent if the second waits for the first and no third has to run between them: none that the second
waits for waits, at whatever distance, for the first. Then their union is convex. A path that left it and came back
would lead from the first to the second, since sequences feed each other without circles, and would pass such a third.
What else the two read is no matter: an attention mask that all blocks use is an input of both and of their union.
"""

from dlbricks.sequences.nouns import LayerSequence, Split
from dlbricks.sequences.splitters import sequences_of
from dlbricks.sequences.trim import bare


def pairs(split: Split) -> tuple[tuple[int, int, LayerSequence], ...]:
    """Give every two adjacent sequences, and their union, bare of views at its ends.

    Left out are pairs with a sequence that no benchmark can be made of or that consists of views only. Time grows with
    the number of sequences times that of pairs, in bits.

    Returns:
        Indices into ``split.sequences`` and the union, ordered by the second index and then the first.
    """
    chosen = []
    before: list[int] = []
    usable = [_is_usable(split, sequence) for sequence in split.sequences]
    for second, waits in enumerate(split.depends_on):
        longer = 0
        for first in waits:
            longer |= before[first]
        before.append(longer | sum(1 << first for first in waits))
        if usable[second]:
            chosen += [(first, second) for first in waits if usable[first] and not longer >> first & 1]
    layers = [sorted((*split.sequences[one].layers, *split.sequences[other].layers)) for one, other in chosen]
    unions = sequences_of(split.model, layers)
    return tuple(
        (first, second, bare(split.model, union))
        for (first, second), union in zip(chosen, unions, strict=True)
        if union.skip is None
    )


def _is_usable(split: Split, sequence: LayerSequence) -> bool:
    return sequence.skip is None and not all(split.model.layers[index].is_view for index in sequence.layers)
