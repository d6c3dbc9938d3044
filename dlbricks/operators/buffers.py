"""Aliases of memory: views, outputs that kernels write over an operand, and caches that grow in place. Pure."""

from collections.abc import Collection, Mapping, Sequence

from dlbricks.model.types import Layer, Model
from dlbricks.operators.table import operator


def shared_buffers(model: Model, layer: Layer) -> dict[str, str]:
    """Return the outputs of a layer that share an input's buffer: graph outputs and inputs of one type and shape.

    A cache whose input is as long as its output is a buffer with room for new values (``past_present_share_buffer`` of
    onnxruntime-genai); a shorter one has to be copied.
    """
    found = {}
    row = operator(layer.domain, layer.op_type)
    for position, output in row.caches.items() if row.grows_in_place else ():
        if output >= len(layer.outputs) or position >= len(layer.inputs):
            continue
        after, before = layer.outputs[output], layer.inputs[position]
        if after in model.outputs and before in model.inputs:
            mine, theirs = model.spec(after), model.spec(before)
            if (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape):
                found[after] = before
    return found


def shared_of(model: Model, layers: Collection[int]) -> dict[str, str]:
    """Return the shared buffers of some layers."""
    return {after: one for index in layers for after, one in shared_buffers(model, model.layers[index]).items()}


def view_owners(model: Model) -> dict[str, str]:
    """Map the output of each view to the tensor whose memory it is."""
    found: dict[str, str] = {}
    for layer in model.layers:
        if layer.is_view and layer.reads and layer.outputs:
            found[layer.outputs[0]] = found.get(layer.reads[0], layer.reads[0])
    return found


def live_bytes(model: Model, order: Sequence[str] | None = None) -> Mapping[str, int]:
    """Return the bytes of live tensors, network inputs and outputs included, during each layer, by layer name.

    A tensor lives from the layer that produces it to its last reader, inputs and outputs of the network until the end;
    a view shares the memory of its input. ``order`` names the executed layers in order; by default those of the model.
    """
    by_name = {layer.name: layer for layer in model.layers}
    layers = [by_name[name] for name in order if name in by_name] if order is not None else list(model.layers)
    owner = view_owners(model)
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
