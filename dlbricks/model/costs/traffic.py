"""Bytes that a layer reads and writes at the least, and bytes alive while it runs, from shapes alone. Pure.

Each operand is read once, each result written once: the compulsory traffic of the roofline model (Williams, Waterman,
Patterson, CACM 52(4), 2009).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.model.costs.flops import LayerView
from dlbricks.model.types import VIEW_OPERATORS, Layer, Model

_TABLES: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("Gather", "GatherElements", "GatherND", "Slice", "Compress", "CenterCropPad", "Trilu"), (0,)),
    "EmbedLayerNormalization": (2, 3, 4),
}
"""Operators that read of these operands no more than they give."""
_UNREAD: Mapping[str, tuple[int, ...]] = {"Shape": (0,), "Size": (0,), "CastLike": (1,), "EyeLike": (0,)}
"""Operators that look at the shape or type of these operands, not at their values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Bytes that a layer moves."""

    read_bytes: int
    """Operands, constants included."""
    written_bytes: int
    parameter_bytes: int
    """Of the bytes read, those of constants."""


NOTHING = Traffic(read_bytes=0, written_bytes=0, parameter_bytes=0)


def traffic(view: LayerView) -> Traffic:
    """Give the bytes that a layer moves: an operand used twice is read once, views move nothing."""
    layer, model = view.layer, view.model
    if layer.op_type in VIEW_OPERATORS and layer.domain == "":
        return NOTHING
    read: dict[str, int] = {}
    for position, name in enumerate(layer.inputs):
        if name:
            read[name] = max(read.get(name, 0), _read(view, position))
    read |= {name: model.spec(name).nbytes for name in layer.captured}
    return Traffic(
        read_bytes=sum(read.values()),
        written_bytes=sum(model.spec(name).nbytes for name in layer.outputs if name),
        parameter_bytes=sum(nbytes for name, nbytes in read.items() if name in model.constants),
    )


def _read(view: LayerView, position: int) -> int:
    operator, spec = view.layer.op_type, view.spec(position)
    if spec is None or position in _UNREAD.get(operator, ()):
        return 0
    looked_up = position in _TABLES.get(operator, ()) or (position == 0 and _takes_the_nearest(view))
    return min(spec.nbytes, _given_bytes(view)) if looked_up else spec.nbytes


def _takes_the_nearest(view: LayerView) -> bool:
    return view.layer.op_type in {"Resize", "Upsample"} and view.text("mode") == "nearest"


def _given_bytes(view: LayerView) -> int:
    return view.model.spec(next(filter(None, view.layer.outputs))).nbytes


def live_bytes(model: Model, order: Sequence[str] | None = None) -> Mapping[str, int]:
    """Give the bytes of inputs, outputs and waiting tensors while each layer runs, by name of the layer.

    A tensor lives from the layer that makes it to its last reader, inputs and outputs of the network to the end; a view
    is its input. ``order`` names the layers that run, in order; the model's own by default.
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
