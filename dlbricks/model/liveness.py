"""How many bytes of activations are alive while each layer runs, as the graph has it. Pure.

A tensor lives from the layer that makes it to the last layer that reads it; inputs and outputs of the network belong to
the caller and live to its end. A view is another name for its input. Constants, working memory, and what an allocator
keeps beyond need are not in it; where a runtime writes an output over an input it needs less.
"""

from collections.abc import Mapping, Sequence

from dlbricks.model.nouns import Layer, Model


def live_bytes(model: Model, order: Sequence[str] | None = None) -> Mapping[str, int]:
    """Give the bytes of inputs, outputs and waiting tensors while each layer runs, by name of the layer.

    Args:
        model: any.
        order: names of layers in the order in which they run; what it leaves out runs nowhere. The model's by default.
    """
    by_name = {layer.name: layer for layer in model.layers}
    layers = [by_name[name] for name in order if name in by_name] if order is not None else list(model.layers)
    owner = _owners(model)
    last_use: dict[str, int] = {}
    for step, layer in enumerate(layers):
        for tensor in (*layer.reads, *layer.outputs):
            last_use[owner.get(tensor, tensor)] = step
    for tensor in (*model.inputs, *model.outputs):
        last_use[owner.get(tensor, tensor)] = len(layers)
    dying: dict[int, list[str]] = {}
    for tensor, step in last_use.items():
        dying.setdefault(step, []).append(tensor)
    alive = dict.fromkeys(model.inputs)
    held = sum(model.tensors[tensor].nbytes for tensor in alive)
    found = {}
    for step, layer in enumerate(layers):
        for tensor in layer.outputs:
            root = owner.get(tensor, tensor)
            if tensor and root not in alive and root not in model.constants:
                alive[root] = None
                held += model.tensors[root].nbytes
        found[layer.name] = held
        for root in dying.get(step, ()):
            if root in alive:
                del alive[root]
                held -= model.tensors[root].nbytes
    return found


def _owners(model: Model) -> Mapping[str, str]:
    """Give for each output of a view the tensor whose memory it is."""
    owner: dict[str, str] = {}
    for layer in filter(_renames, model.layers):
        owner[layer.outputs[0]] = owner.get(layer.inputs[0], layer.inputs[0])
    return owner


def _renames(layer: Layer) -> bool:
    return layer.is_view and bool(layer.inputs and layer.outputs)
