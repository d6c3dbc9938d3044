"""Plans the memory of an inference as onnxruntime does: order of layers, shared buffers, places of buffers.

The rules are those of onnxruntime's sources (``core/graph/graph_viewer.cc``, ``core/framework/allocation_planner.cc``
and ``mem_pattern_planner.h``). ``tests/construct/test_memory_plan.py`` compares plans to those of release 1.32.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.order import depth_first, makers_of
from dlbricks.model.types import Layer, Model
from dlbricks.operators.costs import bytes_read
from dlbricks.operators.row import nothing
from dlbricks.operators.table import BLOCKED, kernel

# Sizes of buffers are multiples of it.
ALIGNMENT = 256

# What a session takes besides weights and buffers, and for each layer, bytes (``benchmarks/memory.py``).
_SESSION_BYTES, _LAYER_BYTES = 1 << 20, 8 << 10
# malloc of glibc 2.36 maps blocks of at least the first size, which rises to that of the largest mapped block that was
# freed, up to the second. An aligned block is cut out of a block that is larger by the third.
_MAPPED, _MOST, _CUT = 1 << 17, 1 << 25, 96

# First byte, and the one after the last.
Range = tuple[int, int]
# Shape and bits per element; buffers of equal ones are exchangeable.
_Shape = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPlan:
    """Order of layers, and places of tensors in the arena; constants, inputs and outputs lie outside of it."""

    order: Sequence[int]
    """Indices of layers in the order of execution."""
    buffers: Mapping[str, str]
    """For each tensor without a buffer of its own: the tensor whose buffer it shares."""
    places: Mapping[str, Range]
    """Range of each buffer in the arena, bytes, by the tensor that owns it."""
    peak_bytes: int
    """Size of the arena, bytes."""


def plan_memory(model: Model, *, reuses: bool | None = None) -> MemoryPlan:
    """Return the order of layers and the places of buffers that onnxruntime would choose.

    Args:
        model: a network for any target.
        reuses: whether tensors reuse buffers that are free again (``enable_mem_reuse``); None for the target's default.
    """
    plans = model.traits.plans_memory
    order = run_order(model) if plans else range(len(model.layers))
    buffers, last = _shared_buffers(model, order, reuses=plans if reuses is None else reuses)
    places, peak_bytes, _ = _best_fit(model, order, buffers, last)
    return MemoryPlan(order=order, buffers=buffers, places=places, peak_bytes=peak_bytes)


def peak_memory(model: Model) -> Range | None:
    """Return the least and the most memory to load and run a network, bytes; None if not for onnxruntime-cpu."""
    # the peak with weights in separate files, minus that with an empty graph
    if model.target != "onnxruntime-cpu":
        return None
    least, most = sorted(_peak_memory(model, is_most=is_most) for is_most in (False, True))
    return least, most


def _peak_memory(model: Model, *, is_most: bool) -> int:
    # It is not known whether the remains of aligned blocks divide free memory, and whether a table that is looked up in
    # becomes resident where it is read, or whole.
    order, sizes = run_order(model), {name: constant.spec.nbytes for name, constant in model.constants.items()}
    blocked = [layer for layer in map(model.layers.__getitem__, order) if layer.domain == BLOCKED]
    filters = [sizes.pop(name) for layer in blocked for name in layer.inputs[1:2] if name in sizes]
    loading, resident, end, live = _reordered(filters, _CUT // 2 * is_most)
    left: dict[str, int] = {}
    for layer in model.layers:
        row = kernel(layer.domain, layer.op_type)
        packs = row.cost and row.cost.products is not nothing and row.kind != "convolution"
        for name, nbytes in bytes_read(model, layer).items():
            if name in sizes and packs:
                # both forms are there; matrices of later layers were not read from the file yet
                loading = max(loading, resident + 2 * sizes[name])
                resident += sizes.pop(name)
            elif name in sizes:
                left[name] = sizes[name] if is_most else max(nbytes, left.get(name, 0))
    _, block_bytes, events = _best_fit(model, order, *_shared_buffers(model, order, reuses=True))
    # the first call allocates buffers one by one, later calls a block for all; regions can lie in free memory
    for size, _, written in _regions([*events, ("", block_bytes)]):
        live.append((begin := _take(live, size, end), begin + size))
        resident += max(0, min(written, begin + written - end))
    ends = sum(model.spec(name).nbytes for name in (*model.inputs, *model.outputs, *model.outputs))
    return max(loading, resident + sum(left.values()) + ends) + _SESSION_BYTES + _LAYER_BYTES * len(order)


def _reordered(filters: Iterable[int], apart: int) -> tuple[int, int, int, list[Range]]:
    # Return the peak of the memory that filters of these sizes take, the rest, and end and used ranges of the heap.
    # Each is there as read, reordered, as a message, and as a tensor, which stays; a filter larger than all before is
    # mapped. At both ends of an aligned block ``apart`` bytes stay.
    live, peak, end, mapped, threshold = list[Range](), 0, 0, 0, _MAPPED
    for nbytes in filters:
        if nbytes >= threshold:
            peak, mapped, threshold = max(peak, end + mapped + 4 * nbytes), mapped + nbytes, min(nbytes + 1, _MOST)
            continue
        for cut in (_CUT, 0, 0, _CUT):
            live.append((begin := _take(live, nbytes + cut, end), begin + nbytes + cut))
            end = max(end, live[-1][1])
        (begin, behind), live[-4:] = live[-4], live[-1:]
        live += [(begin, begin + apart), (behind - apart, behind)][: 2 * apart]
    return max(peak, end + mapped), end + mapped, end, live


def _regions(events: Iterable[tuple[str, int]]) -> list[list[int]]:
    # Return size, used bytes and written bytes of each region of the arena (``core/framework/bfc_arena.h``). A buffer
    # lies in the fullest region that holds it, and takes all that is free there if that is less than twice its size.
    # The next region is twice as large, or more if the buffer is larger.
    regions, held, grows = list[list[int]](), dict[str, tuple[list[int], int]](), 1 << 20
    for name, nbytes in events:
        if name in held:
            region, taken = held.pop(name)
            region[1] -= taken
            continue
        fitting = [region for region in regions if region[0] - region[1] >= nbytes]
        if not fitting:
            regions += (fitting := [[max(grows, 1 << (nbytes - 1).bit_length()), 0, 0]])
            grows = fitting[0][0] << (nbytes <= grows)
        free, region = min(((region[0] - region[1], region) for region in fitting), key=lambda each: each[0])
        held[name] = region, nbytes if free >= 2 * nbytes else free
        region[1:] = region[1] + held[name][1], max(region[2], region[1] + nbytes)
    return regions


def run_order(model: Model) -> list[int]:
    """Return the indices of layers in onnxruntime's order: depth first from the outputs."""
    makers = makers_of(model)
    before = [sorted({makers[name] for name in layer.reads if name in makers}, reverse=True) for layer in model.layers]
    read = {index for indices in before for index in indices}
    return depth_first((index for index in reversed(range(len(before))) if index not in read), before.__getitem__)


def _shared_buffers(model: Model, order: Sequence[int], *, reuses: bool) -> tuple[dict[str, str], dict[str, int]]:
    # Return ``MemoryPlan.buffers``, and by buffer the last layer that reads what lies in it, after which it is free.
    # A buffer that no layer reads is never free.
    #
    # Uses count the layers that read and write, and the caller. A result is put over an operand that has no other use,
    # if the kernel allows it; else into the dead buffer of its shape that died last. Such a buffer stays allocated
    # between its uses.
    uses = Counter(name for layer in model.layers for name in (*layer.reads, *layer.outputs))
    read = {name for layer in model.layers for name in layer.reads}
    uses.update((*model.inputs, *model.constants, *model.outputs))
    outputs = frozenset(model.outputs)
    buffers: dict[str, str] = {}
    dead: defaultdict[_Shape, list[str]] = defaultdict(list)
    last: dict[str, int] = {}
    for index in order:
        layer = model.layers[index]
        for place, name in enumerate(layer.outputs):
            if not name or name in outputs:
                continue
            over, shape = _operand(layer, place), _shape(model, name)
            victim = buffers.get(over, over)
            in_place = layer.is_view or (uses[victim] == 1 and _shape(model, over) == shape)
            if not over or not in_place:
                # scalars, strings, and results that no layer reads have a buffer of their own
                victim = dead[shape].pop() if reuses and all(shape) and name in read and dead[shape] else ""
            if victim:
                buffers[name] = victim
                uses[victim] += uses[name]
        last.update((buffers.get(name, name), index) for name in layer.reads)
        for name in (*layer.reads, *filter(None, layer.outputs)):
            buffer = buffers.get(name, name)
            uses[buffer] -= 1
            if not uses[buffer]:
                dead[_shape(model, buffer)].append(buffer)
    return buffers, last


def _operand(layer: Layer, place: int) -> str:
    # Name the operand over which a kernel may write a result; else empty.
    position = 0 if layer.is_view else kernel(layer.domain, layer.op_type).overwrites
    return layer.inputs[position] if not place and position is not None and position < len(layer.inputs) else ""


def _shape(model: Model, name: str) -> _Shape:
    spec = model.spec(name)
    return spec.shape, BY_NAME[spec.dtype].bits if spec.dtype in BY_NAME else 0


def _best_fit(
    model: Model, order: Sequence[int], buffers: Mapping[str, str], last: Mapping[str, int]
) -> tuple[dict[str, Range], int, list[tuple[str, int]]]:
    # Place each buffer in the smallest gap that holds it, the lowest of equal ones. The gap before the end of the arena
    # counts as one, and grows if no gap is large enough. Return ``MemoryPlan.places``, ``peak_bytes``,
    # and in order of time each buffer with its size, and again when it is free.
    elsewhere = {*model.outputs, *buffers}
    places, live, events, peak = dict[str, Range](), dict[str, Range](), list[tuple[str, int]](), 0
    for index in order:
        for name in model.layers[index].outputs:
            nbytes = -(-model.spec(name).nbytes // ALIGNMENT) * ALIGNMENT if name and name not in elsewhere else 0
            if nbytes:
                begin = _take(live.values(), nbytes, peak)
                places[name] = live[name] = (begin, begin + nbytes)
                peak = max(peak, begin + nbytes)
                events.append((name, nbytes))
        events += [(name, 0) for name in live if last.get(name) == index]
        live = {name: place for name, place in live.items() if last.get(name) != index}
    return places, peak, events


def _take(live: Iterable[Range], nbytes: int, peak: int) -> int:
    # Return where a buffer begins.
    gaps = [(begin - end, end) for (_, end), (begin, _) in pairwise(sorted([(0, 0), *live, (peak, peak)]))]
    return min((gap for gap in gaps if gap[0] >= nbytes), default=gaps[-1])[1]
