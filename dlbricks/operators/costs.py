"""Computes the costs of a call of a layer: operations, bytes read and written, and predictors of its time.

Each operand is read once, each result is written once, and views move nothing. This is the compulsory traffic of the
roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from dlbricks.model.types import Layer, Model, SequenceFeatures
from dlbricks.operators import counts
from dlbricks.operators.assumptions import turns_of
from dlbricks.operators.counts import experts_share
from dlbricks.operators.row import Cost, LayerView, if_it_fits, nothing
from dlbricks.operators.table import BLOCKED, RUNTIME, kernel, operator, per_value, row_of

# the standard's operators, onnxruntime's own, and its blocked and channels-last versions
_DOMAINS = frozenset({"", RUNTIME, BLOCKED, "com.ms.internal.nhwc"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """FLOPs of one call of a layer, and its compulsory bytes."""

    flops: int
    """Number of arithmetic and logical operations on floats and integers; a multiply-add counts as two."""
    read_bytes: int
    """Bytes of all operands, constants included; 0 for views. Of a lookup table, only the rows that are read count."""
    written_bytes: int
    """Size of all results, bytes; 0 for views."""
    parameter_bytes: int
    """Size of the constants that are read, bytes."""


def cost_of(domain: str, op_type: str) -> Cost | None:
    """Return the formulas for an operator's number of operations; None if unknown."""
    return kernel(domain, op_type).cost if domain in _DOMAINS else None


def layer_flops(model: Model, layer: Layer) -> int | None:
    """Return the FLOPs of matrix products, convolutions and the like in a layer; a multiply-add counts as two.

    All iterations of bodies count. The result is None if the formula or a shape is unknown, or if values outside the
    network decide the iterations, steps or tokens.
    """
    if kernel(layer.domain, layer.op_type).has_bodies:
        counted = _in_turns(model, layer, lambda body, inner: (layer_flops(body, inner),), (0,))
        return counted[0] if counted else None
    cost = kernel(layer.domain, layer.op_type).cost
    if cost is None:  # standard operators without formulas compute no products
        return 0 if not layer.domain and kernel("", layer.op_type) is row_of(layer) else None
    if cost.products is nothing:
        return 0
    view = LayerView(model, layer)
    return if_it_fits(lambda: cost.products(view)) if _is_certain(model, layer) else None


def sum_flops(model: Model, layers: Iterable[Layer]) -> int | None:
    """Return the sum of ``layer_flops`` over layers; None if it is unknown for any layer."""
    return _sum(layer_flops(model, layer) for layer in layers)


def least_flops(model: Model, layers: Iterable[Layer]) -> int:
    """Return the sum of ``layer_flops`` over layers; unknown FLOPs count as 0."""
    return sum(layer_flops(model, layer) or 0 for layer in layers)


def _is_certain(model: Model, layer: Layer) -> bool:
    # Return whether all types are known and no assumed value decides how many steps or tokens are computed.
    names = (*layer.reads, *filter(None, layer.outputs))
    return layer.name not in model.assumed_bodies and all(model.spec(name).dtype for name in names)


def _sum(figures: Iterable[int | None]) -> int | None:
    # Add figures; None if one is unknown.
    each = [*figures]
    return None if None in each else sum(filter(None, each))


def _in_turns(
    model: Model, layer: Layer, figures: Callable[[Model, Layer], Sequence[int | None]], zeros: Sequence[int]
) -> tuple[int, ...] | None:
    # Add figures over all iterations of a call with bodies; None if one is unknown.
    bodies, turns, _ = turns_of(model, layer)
    within = ([] if body is None else [zeros, *(figures(body, inner) for inner in body.layers)] for body in bodies)
    sums = {tuple(map(_sum, zip(*rows, strict=True))) for rows in within}
    # of branches that cost the same, either may run
    once = [figure for figure in sums.pop() if figure is not None]
    if sums or len(once) < len(zeros):
        return None
    return tuple(once) if not any(once) else None if turns is None else tuple(turns * figure for figure in once)


def _operations(cost: Cost, view: LayerView) -> int:
    # Count all operations of a layer: of products, of all else, and of a fused activation.
    activation = view.text("activation")
    fused = per_value(activation) * view.output_elements if activation else 0
    return cost.products(view) + cost.others(view) + fused


def layer_costs(model: Model, layer: Layer) -> LayerCosts | None:
    """Return the FLOPs and bytes of one call of a layer.

    If, Loop and Scan cost as much as all iterations of their bodies. The result is None if the formula or a shape is
    unknown, or if ``layer_flops`` is None.
    """
    if kernel(layer.domain, layer.op_type).has_bodies:
        counted = _in_turns(model, layer, _figures, (0,) * len(FIGURES))
        return LayerCosts(**dict(zip(FIGURES, counted, strict=True))) if counted else None
    cost = cost_of(layer.domain, layer.op_type)
    if cost is None or not _is_certain(model, layer):
        return None
    view = LayerView(model, layer)
    flops = if_it_fits(lambda: _operations(cost, view))
    if flops is None:
        return None
    read = {} if layer.is_view else bytes_read(model, layer)
    return LayerCosts(
        flops=flops,
        read_bytes=sum(read.values()),
        written_bytes=0 if layer.is_view else sum(model.spec(name).nbytes for name in layer.outputs if name),
        parameter_bytes=sum(nbytes for name, nbytes in read.items() if name in model.constants),
    )


FIGURES = ("flops", "read_bytes", "written_bytes", "parameter_bytes")


def _figures(model: Model, layer: Layer) -> tuple[int | None, ...]:
    costs = layer_costs(model, layer)
    return tuple(None if costs is None else getattr(costs, name) for name in FIGURES)


def bytes_read(model: Model, layer: Layer) -> dict[str, int]:
    """Return how many bytes a layer reads of each operand, by the operand's name.

    Of a lookup table, only the rows that are read count. Of a mixture of experts, only the experts that tokens reach
    count (``counts.experts_share``).
    """
    row, view = kernel(layer.domain, layer.op_type), LayerView(model, layer)
    read = {name: model.spec(name).nbytes for name in layer.captured}
    for position, name in enumerate(layer.inputs):
        if name:
            nbytes = 0 if position in row.unread else model.spec(name).nbytes
            part = row.looked_up.get(position)
            if part is not None:
                part_bytes = if_it_fits(partial(part, view))
                nbytes = nbytes if part_bytes is None else min(nbytes, part_bytes)
            elif row.experts and name in model.constants:
                nbytes = round(nbytes * experts_share(view))
            read[name] = max(read.get(name, 0), nbytes)
    return read


def features(
    model: Model, layers: Sequence[Layer], *, inputs: Sequence[str], outputs: Sequence[str], constants: Sequence[str]
) -> SequenceFeatures:
    """Return operation counts, bytes and sizes of a layer sequence, from which its latency is predicted."""
    weights, read, written = (sum(model.spec(name).nbytes for name in names) for names in (constants, inputs, outputs))
    described = [kind_and_sizes(model, layer) for layer in layers if not layer.is_view] or [("views", ())]
    return SequenceFeatures(
        operators=tuple(layer.op_type for layer in layers),
        flops=sum_flops(model, layers),
        work=sum(work(model, layer) for layer in layers),
        fetched_bytes=fetched_bytes(model, layers, constants),
        weight_bytes=weights,
        input_bytes=read,
        output_bytes=written,
        kinds=tuple(kind for kind, _ in described),
        shape=tuple(figure for _, figures in described for figure in figures),
    )


def fetched_bytes(model: Model, layers: Sequence[Layer], constants: Sequence[str]) -> int:
    """Return how many bytes of ``constants`` the layers read; a constant counts once, for the layer that reads most."""
    most = dict.fromkeys(constants, 0)
    for layer in layers:
        for name, nbytes in bytes_read(model, layer).items():
            if name in most:
                most[name] = max(most[name], nbytes)
    return sum(most.values())


def work(model: Model, layer: Layer) -> int:
    """Return a layer's FLOPs as ``layer_flops`` does, but without operations on padding; 0 if unknown."""
    flops = layer_flops(model, layer) or 0
    if kernel(layer.domain, layer.op_type).kind != "convolution":
        return flops
    view = LayerView(model, layer)
    extents, shape, out = view.shape(1)[2:], view.shape(0)[2:], view.output[2:]
    ones = [1] * len(extents)
    strides, dilations = view.numbers("strides") or ones, view.numbers("dilations") or ones
    pads = view.numbers("pads") or [0] * len(extents)
    for window, extent, places, stride, gap, pad in zip(extents, shape, out, strides, dilations, pads, strict=False):
        inside = sum(0 <= place * stride + tap * gap - pad < extent for place in range(places) for tap in range(window))
        flops = flops * max(1, inside) // max(1, places * window)
    return flops


# FLOPs that take as long as a byte, and as a call of a kernel. The first was fitted to ten networks on one core of a
# Xeon; on six others 3 to 19 % of the time of sequences of 4 layers went to another layer than in their traces.
_PER_BYTE, _PER_CALL = 8, 50_000


def modelled_work(model: Model, layers: Iterable[Layer], figures: SequenceFeatures) -> int:
    """Return in FLOPs what the time of layers is about proportional to: products, bytes and calls of kernels."""
    again = sum(if_it_fits(partial(row_of(layer).read_again, LayerView(model, layer))) or 0 for layer in layers)
    moved = figures.fetched_bytes + figures.input_bytes + figures.output_bytes + again
    return _PER_CALL + figures.work + _PER_BYTE * moved


def kind_and_sizes(model: Model, layer: Layer) -> tuple[str, tuple[int, ...]]:
    """Return the kind of a layer's computation, and the sizes that decide its time."""
    row, view = kernel(layer.domain, layer.op_type), LayerView(model, layer)
    kind, describe = row.kind or layer.op_type, row.sizes or counts.generic_sizes
    blocked = layer.domain == BLOCKED
    if kind == "convolution" and model.target != "portable" and not blocked and counts.is_product(view):
        kind, describe = "product", counts.as_product
    marks = (
        view.text("mode"),
        "last" if any(view.numbers("channels_last")) else "",
        "blocked" if blocked else "",
        view.dtype,
    )
    return " ".join((kind, *filter(None, marks))), describe(view)


def shared_buffers(model: Model, layer: Layer) -> dict[str, str]:
    """Map each output that a layer writes into the buffer of an input to this input.

    The buffer is a key-value cache with room for new values (``past_present_share_buffer`` of onnxruntime-genai).
    """
    shared = {}
    row = operator(layer.domain, layer.op_type)
    for position, output in row.caches.items() if row.grows_in_place else ():
        if output >= len(layer.outputs) or position >= len(layer.inputs):
            continue
        after, before = layer.outputs[output], layer.inputs[position]
        if after in model.outputs and before in model.inputs:
            mine, theirs = model.spec(after), model.spec(before)
            if (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape):
                shared[after] = before
    return shared


def shared_of(model: Model, layers: Collection[int]) -> dict[str, str]:
    """Return the ``shared_buffers`` of all ``layers`` together."""
    return {after: before for index in layers for after, before in shared_buffers(model, model.layers[index]).items()}


def view_owners(model: Model) -> dict[str, str]:
    """Map each output of a view, such as Reshape, to the tensor whose memory it uses."""
    owners: dict[str, str] = {}
    for layer in model.layers:
        if layer.is_view and layer.reads and layer.outputs and layer.outputs[0] not in model.outputs:
            owners[layer.outputs[0]] = owners.get(layer.reads[0], layer.reads[0])
    return owners
