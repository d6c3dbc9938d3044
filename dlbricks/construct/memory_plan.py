"""Plans the memory of an inference as onnxruntime does: order of layers, shared buffers, places of buffers.

The rules are those of onnxruntime's sources (``core/graph/graph_viewer.cc``, ``core/framework/allocation_planner.cc``
and ``mem_pattern_planner.h``). ``tests/construct/test_memory_plan.py`` compares plans to those of release 1.32.
"""

import bisect
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.order import depth_first, makers_of
from dlbricks.model.types import Layer, Model
from dlbricks.operators.table import kernel

# Sizes of buffers are multiples of it.
ALIGNMENT = 256

# What onnxruntime takes on processors besides weights, inputs and outputs, fitted to 37 networks
# (``benchmarks/memory.py``): bytes of the session; share of the filters of convolutions that stays allocated after they
# were reordered; size of the arena with and without such filters. The first call allocates buffers one by one, later
# calls a block for all of them beside these.
_SESSION_BYTES, _REORDERED, _ARENAS_BESIDE, _ARENAS = 3 << 20, 0.7, 0.8, 2.1

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
    places, peak_bytes = _best_fit(model, order, buffers, last)
    return MemoryPlan(order=order, buffers=buffers, places=places, peak_bytes=peak_bytes)


def peak_memory(model: Model) -> int | None:
    """Return how much memory onnxruntime takes to load and run a lowered network, bytes; None for other targets.

    The result is the peak with one session, minus the peak with an empty graph. Weights are in separate files.
    """
    if model.target != "onnxruntime-cpu":
        return None
    sizes = {name: constant.spec.nbytes for name, constant in model.constants.items()}
    weights, arena = sum(sizes.values()), plan_memory(model).peak_bytes
    read = {
        name: kernel(layer.domain, layer.op_type).kind
        for layer in reversed(model.layers)
        for name in layer.reads
        if name in sizes
    }
    filters = sum(sizes[name] for name, kind in read.items() if kind == "convolution")
    # while a matrix is packed, both forms are there; matrices of later layers were not read from the file yet
    loading, packed = 0.0, (1 + _REORDERED) * filters
    for name in dict.fromkeys(name for layer in model.layers for name in layer.reads if read.get(name) == "product"):
        loading, packed = max(loading, packed + 2 * sizes[name]), packed + sizes[name]
    ends = sum(model.spec(name).nbytes for name in (*model.inputs, *model.outputs))
    running = weights + ends + max(_REORDERED * filters + _ARENAS_BESIDE * arena, _ARENAS * arena)
    return round(max(loading, running)) + _SESSION_BYTES


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
) -> tuple[dict[str, Range], int]:
    # Place each buffer in the smallest gap that holds it, the lowest of equal ones. The gap before the end of the arena
    # counts as one, and grows if no gap is large enough. Return ``MemoryPlan.places`` and ``peak_bytes``.
    elsewhere = {*model.outputs, *buffers}
    places: dict[str, Range] = {}
    # they ascend, no two are adjacent
    gaps: list[Range] = []
    peak = 0
    freed: defaultdict[int, list[str]] = defaultdict(list)
    for name, index in last.items():
        freed[index].append(name)
    for index in order:
        for name in model.layers[index].outputs:
            nbytes = -(-model.spec(name).nbytes // ALIGNMENT) * ALIGNMENT if name and name not in elsewhere else 0
            if nbytes:
                begin = _take(gaps, nbytes, peak)
                places[name] = (begin, begin + nbytes)
                peak = max(peak, begin + nbytes)
        for name in freed[index]:
            if name in places:
                _give_back(gaps, places[name])
    return places, peak


def _take(gaps: list[Range], nbytes: int, peak: int) -> int:
    # Return where a buffer begins, and close the gap.
    fitting = [(end - begin, begin) for begin, end in gaps if end - begin >= nbytes]
    if not fitting:
        return gaps.pop()[0] if gaps and gaps[-1][1] == peak else peak
    size, begin = min(fitting)
    at = bisect.bisect_left(gaps, (begin, begin + size))
    gaps[at : at + 1] = [(begin + nbytes, begin + size)] if size > nbytes else []
    return begin


def _give_back(gaps: list[Range], freed: Range) -> None:
    # Open a gap, and join it to those beside it.
    begin, end = freed
    at = bisect.bisect_left(gaps, freed)
    if at < len(gaps) and gaps[at][0] == end:
        end = gaps.pop(at)[1]
    if at and gaps[at - 1][1] == begin:
        begin = gaps.pop(at - 1)[0]
        at -= 1
    gaps.insert(at, (begin, end))
