"""What stands around each sequence of a split network. Pure."""

from dlbricks.construct.inspection import describe
from dlbricks.construct.validation_nouns import StepContext
from dlbricks.model.types import Model
from dlbricks.sequences.split import bare
from dlbricks.sequences.types import LayerSequence, Split


def contexts(split: Split) -> tuple[StepContext, ...]:
    """Give producers, consumers and shapes of every sequence, views looked through."""
    model = split.model
    makers = {tensor: index for index, layer in enumerate(model.layers) for tensor in layer.outputs if tensor}
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for tensor in layer.reads:
            readers.setdefault(tensor, []).append(index)
    return tuple(_context(model, bare(model, sequence), makers, readers) for sequence in split.sequences)


def _context(
    model: Model, sequence: LayerSequence, makers: dict[str, int], readers: dict[str, list[int]]
) -> StepContext:
    inside = set(sequence.layers)
    return StepContext(
        inputs=tuple(describe(model.spec(tensor)) for tensor in sequence.inputs),
        outputs=tuple(describe(model.spec(tensor)) for tensor in sequence.outputs),
        constant_bytes=sum(model.spec(tensor).nbytes for tensor in sequence.constants),
        producers=tuple(_maker(model, tensor, makers) for tensor in sequence.inputs),
        consumers=tuple(
            dict.fromkeys(name for tensor in sequence.outputs for name in _users(model, tensor, readers, inside))
        ),
    )


def _maker(model: Model, tensor: str, makers: dict[str, int]) -> str:
    while tensor in makers and model.layers[makers[tensor]].is_view:
        tensor = model.layers[makers[tensor]].inputs[0]
    if tensor in makers:
        return model.layers[makers[tensor]].op_type
    return "constant" if tensor in model.constants else "input"


def _users(model: Model, tensor: str, readers: dict[str, list[int]], inside: set[int]) -> list[str]:
    """Name what reads a tensor outside a sequence; a view stands for what reads its result."""
    found, waiting = [], [tensor]
    while waiting:
        name = waiting.pop()
        if name in model.outputs:
            found.append("output")
        for index in readers.get(name, ()):
            layer = model.layers[index]
            if index in inside:
                continue
            if layer.is_view:
                waiting += [output for output in layer.outputs if output]
            else:
                found.append(layer.op_type)
    return found
