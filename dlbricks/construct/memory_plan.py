"""Plans the memory of an inference as onnxruntime does: order of layers, shared buffers, places of buffers.

The rules are those of onnxruntime's sources (``core/graph/graph_viewer.cc``, ``core/framework/allocation_planner.cc``
and ``mem_pattern_planner.h``). ``tests/construct/test_memory_plan.py`` compares plans to those of release 1.32.
"""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
    events: Sequence[tuple[str, int]]
    """Buffers with their sizes in the order of allocation, and each again with size 0 when it is free."""


def plan_memory(model: Model, *, reuses: bool | None = None) -> MemoryPlan:
    """Return the order of layers and the places of buffers that onnxruntime would choose.

    Args:
        model: a network for any target.
        reuses: whether tensors reuse buffers that are free again (``enable_mem_reuse``); None for the target's default.
    """
    plans = model.traits.plans_memory
    order = run_order(model) if plans else range(len(model.layers))
    buffers, last = _shared_buffers(model, order, reuses=plans if reuses is None else reuses)
    elsewhere, arena = {*model.outputs, *buffers}, Arena()
    places, events, ending = dict[str, Range](), list[tuple[str, int]](), defaultdict[int, list[str]](list)
    for index in order:
        for name in model.layers[index].outputs:
            nbytes = -(-model.spec(name).nbytes // ALIGNMENT) * ALIGNMENT if name and name not in elsewhere else 0
            if nbytes:
                places[name] = (begin := arena.take(nbytes), begin + nbytes)
                events.append((name, nbytes))
                ending[last.get(name, -1)].append(name)
        for name in ending[index]:
            arena.free(*places[name])
            events.append((name, 0))
    return MemoryPlan(order=order, buffers=buffers, places=places, peak_bytes=arena.end, events=events)


def peak_memory(model: Model) -> Range | None:
    """Return the least and the most memory to load and run a network, bytes; None if not for onnxruntime-cpu."""
    # the peak with weights in separate files, minus that with an empty graph
    if model.target != "onnxruntime-cpu":
        return None
    plan = plan_memory(model)
    # the first call allocates buffers one by one, later calls a block for all
    regions = _regions([*plan.events, ("", plan.peak_bytes)])
    least, most = sorted(_peak_memory(model, plan.order, regions, is_most=is_most) for is_most in (False, True))
    return least, most


def _peak_memory(model: Model, order: Sequence[int], regions: Sequence[Sequence[int]], *, is_most: bool) -> int:
    # It is not known whether the remains of aligned blocks divide free memory, and whether a table that is looked up in
    # becomes resident where it is read, or whole.
    sizes = {name: constant.spec.nbytes for name, constant in model.constants.items()}
    blocked = [layer for layer in map(model.layers.__getitem__, order) if layer.domain == BLOCKED]
    filters = [sizes.pop(name) for layer in blocked for name in layer.inputs[1:2] if name in sizes]
    loading, resident, heap = _reordered(filters, _CUT // 2 * is_most)
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
    end = heap.end
    for size, _, written in regions:  # they can lie in free memory
        resident += max(0, min(written, heap.take(size) + written - end))
    ends = sum(model.spec(name).nbytes for name in (*model.inputs, *model.outputs, *model.outputs))
    return max(loading, resident + sum(left.values()) + ends) + _SESSION_BYTES + _LAYER_BYTES * len(order)


def _reordered(filters: Iterable[int], apart: int) -> tuple[int, int, "Arena"]:
    # Return the peak of the memory that filters of these sizes take, the rest, and the heap.
    # Each is there as read, reordered, as a message, and as a tensor, which stays; a filter larger than all before is
    # mapped. At both ends of an aligned block ``apart`` bytes stay.
    heap, peak, mapped, threshold = Arena(), 0, 0, _MAPPED
    for nbytes in filters:
        if nbytes >= threshold:
            peak, mapped, threshold = max(peak, heap.end + mapped + 4 * nbytes), mapped + nbytes, min(nbytes + 1, _MOST)
            continue
        read, reordered, message, _ = (heap.take(nbytes + cut) for cut in (_CUT, 0, 0, _CUT))
        heap.free(read + apart, read + nbytes + _CUT - apart)
        heap.free(reordered, reordered + nbytes)
        heap.free(message, message + nbytes)
    return max(peak, heap.end + mapped), heap.end + mapped, heap


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


class Arena:
    """Memory in which a buffer takes the smallest gap that holds it, the lowest of equal ones."""

    # the gap before the end counts as one, and grows if no gap is large enough
    def __init__(self) -> None:
        """Begin without memory."""
        self.end = 0
        # size and beginning of each gap, ascending; and the other side of each gap, by its beginning and by its end
        self._gaps, self._ends, self._begins = list[Range](), dict[int, int](), dict[int, int]()

    def take(self, nbytes: int) -> int:
        """Return where a buffer begins."""
        place = bisect_left(self._gaps, (nbytes, 0))
        begin = self._gaps[place][1] if place < len(self._gaps) else self._begins.get(self.end, self.end)
        end = self._closed(begin)
        self.end = max(self.end, begin + nbytes)
        self.free(begin + nbytes, end)
        return begin

    def free(self, begin: int, end: int) -> None:
        """Make a range a gap, together with the gaps beside it."""
        if begin < end:
            begin, end = self._begins.get(begin, begin), self._closed(end)
            self._closed(begin)
            self._ends[begin], self._begins[end] = end, begin
            insort(self._gaps, (end - begin, begin))

    def _closed(self, begin: int) -> int:
        # Remove the gap that begins at a place, if there is one, and return its end.
        end = self._ends.pop(begin, begin)
        if end > begin:
            del self._begins[end], self._gaps[bisect_left(self._gaps, (end - begin, begin))]
        return end
