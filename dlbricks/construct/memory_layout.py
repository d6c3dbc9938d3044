"""Simulates the memory of an inference: where tensors lie, what each layer touches, and its reuse distances. Pure."""

import bisect
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dlbricks.model.types import Layer, Model
from dlbricks.operators.costs import bytes_read, shared_buffers, shared_of, view_owners
from dlbricks.operators.table import kernel
from dlbricks.operators.value_rules import used_bytes

# Allocation unit of the arena.
PAGE_BYTES = 4096

Floats = NDArray[np.float64]
# First cell, and the one after the last.
Cells = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Memory that a layer touches for one operand or result."""

    tensor: str
    """Owner of the memory: for a view, the tensor that it is a view of."""
    nbytes: int
    """Read or written, >= 1."""
    cells: Cells
    overwrites: bool = False
    """Whether it is a result written over an operand of the same layer."""
    distance_bytes: int = 0
    """Reuse distance, mean over its memory, by ``reuse_distances``; 0 if it overwrites an operand."""
    age: int = 0
    """Layers since the last use, likewise; the number of layers of the network if that was the same layer of the
    previous inference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Accesses of one layer; none for views and empty tensors."""

    constants: tuple[Access, ...] = ()
    inputs: tuple[Access, ...] = ()
    outputs: tuple[Access, ...] = ()

    @property
    def accesses(self) -> tuple[Access, ...]:
        """All of them."""
        return self.constants + self.inputs + self.outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Memory of one inference."""

    sizes: tuple[int, ...]
    """Bytes of each cell."""
    calls: tuple[Call, ...]
    """One per layer of the model."""
    owner: Mapping[str, str]
    """By name of a view, the tensor whose memory it is."""

    @property
    def footprint_bytes(self) -> int:
        """All memory that an inference touches."""
        return sum(self.sizes)


def layout(model: Model) -> Layout:
    """Allocate the tensors of a network for a run of its layers in order."""
    # Memory is divided into cells, the smallest ranges that are touched as one. Constants and the network's inputs and
    # outputs have memory of their own. Intermediate tensors lie in an arena of pages; free ranges are reused (best fit,
    # free neighbours merged, as in onnxruntime's arena allocator). Views are aliases of their input. Some operators
    # write their output over an input that is not needed any more.
    owner = view_owners(model)
    pages, top = _place_computed(model, owner)
    constants = _place_constants(model, owner)
    sizes = [PAGE_BYTES] * top
    fixed: dict[str, Cells] = {}
    for name, cuts in constants.items():
        fixed[name] = (len(sizes), len(sizes) + len(cuts))
        sizes += [end - begin for begin, end in pairwise((0, *cuts))]
    working = [layer for layer in model.layers if not layer.is_view]
    touched = {owner.get(name, name) for layer in working for name in (*layer.reads, *layer.outputs)}
    shared = shared_of(model, range(len(model.layers)))
    slid = {name: used_bytes(model, name, layer) for layer in working for name in shared_buffers(model, layer).values()}
    for name in dict.fromkeys((*model.inputs, *(owner.get(name, name) for name in model.outputs))):
        if shared.get(name) in fixed:
            fixed[name] = fixed[shared[name]]
        elif name in touched and name not in fixed and model.spec(name).nbytes:
            fixed[name] = (len(sizes), len(sizes) + 1)
            sizes.append(slid.get(name, model.spec(name).nbytes))
    place = pages | fixed
    calls = [_call(model, layer, owner, constants, place) for layer in model.layers]
    return Layout(sizes=tuple(sizes), calls=tuple(calls), owner=owner)


@dataclass(slots=True, eq=False)
class _Buffer:
    # Memory of one tensor, and of those written over it.
    nbytes: int
    # Layer that produces it.
    begin: int
    # Last layer that reads it.
    end: int


def _place_computed(model: Model, owner: Mapping[str, str]) -> tuple[dict[str, Cells], int]:
    # Return the pages of every intermediate tensor, and the number of pages of the arena.
    buffers = _buffers(model, owner)
    begins: dict[int, list[_Buffer]] = {}
    ends: dict[int, list[_Buffer]] = {}
    for buffer in dict.fromkeys(buffers.values()):
        begins.setdefault(buffer.begin, []).append(buffer)
        ends.setdefault(buffer.end, []).append(buffer)
    free: list[Cells] = []
    top = 0
    place: dict[_Buffer, Cells] = {}
    for index in range(len(model.layers)):
        for buffer in begins.get(index, ()):
            place[buffer] = _take(free, -(-buffer.nbytes // PAGE_BYTES), top)
            top = max(top, place[buffer][1])
        for stretch in sorted(place[buffer] for buffer in ends.get(index, ())):
            _give_back(free, stretch)
    return {name: place[buffer] for name, buffer in buffers.items()}, top


def _buffers(model: Model, owner: Mapping[str, str]) -> dict[str, _Buffer]:
    # Return the buffers of intermediate tensors: new ones, or those of operands written over.
    fixed = {owner.get(name, name) for name in model.outputs}
    last = {owner.get(name, name): index for index, layer in enumerate(model.layers) for name in layer.reads}
    buffers: dict[str, _Buffer] = {}
    for index, layer in enumerate(model.layers):
        own = () if layer.is_view else layer.outputs
        computed = [name for name in own if name and name not in fixed and model.spec(name).nbytes]
        victim = _overwritten(model, layer, owner)
        over = victim in buffers and last[victim] == index and len(computed) == 1
        for name in computed:
            buffers[name] = buffers[victim] if over else _Buffer(model.spec(name).nbytes, index, index)
            buffers[name].end = last.get(name, index)
    return buffers


def _overwritten(model: Model, layer: Layer, owner: Mapping[str, str]) -> str:
    # Name the operand that a layer writes its output over if no later layer reads it; else empty.
    position = kernel(layer.domain, layer.op_type).overwrites
    if position is None or position >= len(layer.inputs) or not layer.inputs[position]:
        return ""
    name = owner.get(layer.inputs[position], layer.inputs[position])
    return name if model.spec(name).nbytes == model.spec(layer.outputs[0]).nbytes else ""


def _place_constants(model: Model, owner: Mapping[str, str]) -> dict[str, list[int]]:
    # Return the cells of each constant, by their ends: the numbers of bytes that its readers read of it.
    sizes: dict[str, set[int]] = {}
    for layer in model.layers:
        for name, nbytes in _constants_read(model, layer, owner).items():
            sizes.setdefault(name, set()).add(nbytes)
    return {name: sorted(ends) for name, ends in sizes.items()}


def _constants_read(model: Model, layer: Layer, owner: Mapping[str, str]) -> dict[str, int]:
    # Return the bytes that a layer reads of each constant.
    read = {owner.get(tensor, tensor): nbytes for tensor, nbytes in bytes_read(model, layer).items()}
    constants = {name: max(1, nbytes) for name, nbytes in read.items() if name in model.constants}
    return {} if layer.is_view else {name: nbytes for name, nbytes in constants.items() if model.spec(name).nbytes}


def _call(
    model: Model, layer: Layer, owner: Mapping[str, str], constants: Mapping[str, list[int]], place: Mapping[str, Cells]
) -> Call:
    if layer.is_view:
        return Call()
    read = [
        Access(tensor=name, nbytes=nbytes, cells=(place[name][0], place[name][0] + constants[name].index(nbytes) + 1))
        for name, nbytes in _constants_read(model, layer, owner).items()
    ]
    taken = dict.fromkeys(owner.get(tensor, tensor) for tensor in layer.reads)
    inputs = [
        Access(tensor=name, nbytes=used_bytes(model, name, layer), cells=place[name])
        for name in taken
        if name not in model.constants and name in place
    ]
    beneath = {access.cells for access in inputs}
    outputs = [
        Access(tensor=name, nbytes=used_bytes(model, name, layer), cells=place[name], overwrites=place[name] in beneath)
        for name in layer.outputs
        if name in place
    ]
    return Call(constants=tuple(read), inputs=tuple(inputs), outputs=tuple(outputs))


def _take(free: list[Cells], pages: int, top: int) -> Cells:
    # Allocate pages in an arena of ``top`` pages: in the smallest free range that is large enough, else new ones.
    # Free ranges ascend, no two are adjacent; of equally large ones the lowest is taken.
    fitting = [(end - begin, begin) for begin, end in free if end - begin >= pages]
    if not fitting:
        return top, top + pages
    size, begin = min(fitting)
    at = bisect.bisect_left(free, (begin, begin + size))
    free[at : at + 1] = [(begin + pages, begin + size)] if size > pages else []
    return begin, begin + pages


def _give_back(free: list[Cells], stretch: Cells) -> None:
    # Free a range and merge it with free neighbours.
    begin, end = stretch
    at = bisect.bisect_left(free, stretch)
    if at < len(free) and free[at][0] == end:
        end = free.pop(at)[1]
    if at and free[at - 1][1] == begin:
        begin = free.pop(at - 1)[0]
        at -= 1
    free.insert(at, (begin, end))


def reuse_distances(memory: Layout) -> tuple[Call, ...]:
    """Replay the layers of a network in order; return its calls with reuse distance and age of each access.

    They are those of the second inference. The first only fills the state, so what is touched once per inference has
    the footprint as its distance. A layer touches its memory evenly over its call: on average half of what the earlier
    user touched comes after the tensor, and half of what the later user touches comes before; bytes are counted once.
    """
    # The reuse distance (stack distance) of memory is the number of different bytes touched since its last use: a fully
    # associative LRU cache holds it if and only if the distance is smaller than the cache. Source: Mattson, Gecsei,
    # Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970).
    calls = [_indices([access.cells for access in call.accesses]) for call in memory.calls]
    sizes = np.array(memory.sizes, np.float64)
    # time of the last use of each cell
    last = np.zeros(len(sizes), np.int64)
    for time, own in enumerate(calls):
        last[own] = time
    # Bytes by the time of their last use. They are integers below 2^53, so sums do not depend on the order of addition.
    left = np.bincount(last, weights=sizes, minlength=2 * len(calls) + 1)
    replayed = []
    for now, (own, call) in enumerate(zip(calls, memory.calls, strict=True), len(calls)):
        times, at = np.unique(last[own], return_inverse=True)
        touched = np.bincount(at, weights=sizes[own], minlength=len(times))
        # from the earliest of these times on, since nothing before it counts
        recent = left[times[:1].sum() : now]
        since = recent.sum() - recent.cumsum()[times - times[:1]] + (left[times] + touched.cumsum()) / 2
        measure = functools.partial(_measured, now, sizes, last, times, since)
        replayed.append(
            Call(
                constants=tuple(map(measure, call.constants)),
                inputs=tuple(map(measure, call.inputs)),
                outputs=tuple(map(measure, call.outputs)),
            )
        )
        left[times] -= touched
        left[now] += touched.sum()
        last[own] = now
    return tuple(replayed)


def _measured(
    now: int, sizes: Floats, last: NDArray[np.int64], times: NDArray[np.int64], since: Floats, access: Access
) -> Access:
    # Return an access with the mean reuse distance of its cells and the mean number of calls since their last use.
    if access.overwrites:
        return access
    cells = slice(*access.cells)
    weights, total = sizes[cells], sizes[cells].sum()
    far = since[np.searchsorted(times, last[cells])]
    # the quotient of a single cell would be rounded
    distance = far[0] if len(far) == 1 else far @ weights / total
    return replace(access, distance_bytes=round(float(distance)), age=now - round(float(last[cells] @ weights / total)))


def _indices(cells: Sequence[Cells]) -> NDArray[np.int64]:
    # List the cells of some ranges, each once.
    stretches = [np.arange(begin, end) for begin, end in dict.fromkeys(cells)]
    return np.concatenate(stretches) if stretches else np.zeros(0, np.int64)
