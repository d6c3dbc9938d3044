"""Simulates the memory of an inference: places of tensors, and the reuse distance of each access."""

import functools
import itertools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dlbricks.construct.memory_plan import MemoryPlan, plan_memory
from dlbricks.model.types import Layer, Model
from dlbricks.operators.costs import bytes_read, shared_buffers, shared_of, view_owners
from dlbricks.operators.value_rules import used_bytes

Floats = NDArray[np.float64]
# First cell, and the one after the last.
Cells = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Memory that a layer touches for one operand or result."""

    tensor: str
    """Tensor that owns the memory; for a view, the tensor that it is a view of."""
    nbytes: int
    """Number of bytes that are read or written, 1 or more."""
    cells: Cells
    overwrites: bool = False
    """Whether this result overwrites an operand."""
    distance_bytes: int = 0
    """Mean reuse distance; 0 for a result that overwrites an operand."""
    age: int = 0
    """Mean number of layers since the last use; the number of all layers if no other layer uses the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Memory accesses of one layer, without empty tensors and views."""

    constants: tuple[Access, ...] = ()
    inputs: tuple[Access, ...] = ()
    outputs: tuple[Access, ...] = ()

    @property
    def accesses(self) -> tuple[Access, ...]:
        """All accesses: constants, inputs, outputs."""
        return self.constants + self.inputs + self.outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Memory of one inference, divided into cells: the smallest ranges that layers touch as a whole."""

    sizes: tuple[int, ...]
    """Size of each cell, bytes."""
    calls: tuple[Call, ...]
    """Memory accesses of each layer."""
    owner: Mapping[str, str]
    """For each tensor without memory of its own, such as a view: the tensor whose memory it uses."""
    order: Sequence[int]
    """Indices of layers in the order of execution."""

    @property
    def footprint_bytes(self) -> int:
        """Bytes that an inference touches."""
        return sum(self.sizes)


def layout(model: Model, *, reuses: bool | None = None) -> Layout:
    """Return where the target's runtime places tensors, and which memory each layer touches.

    ``reuses`` states whether tensors take buffers of tensors that are not read again; None for the target's default.
    """
    # Memory is divided into cells, the smallest ranges that are touched as one. Constants and the network's inputs and
    # outputs have memory of their own. Intermediate tensors lie in an arena. Views are aliases of their input. Some
    # operators write their output over an input that is not needed any more.
    owner = view_owners(model)
    plan = plan_memory(model, reuses=reuses)
    constants = _place_constants(model, owner)
    place, sizes = _arena_cells(plan)
    for name, cuts in constants.items():
        place[name] = (len(sizes), len(sizes) + len(cuts))
        sizes += [end - begin for begin, end in itertools.pairwise((0, *cuts))]
    working = [layer for layer in model.layers if layer.outputs[0] not in owner]
    touched = {owner.get(name, name) for layer in working for name in (*layer.reads, *layer.outputs)}
    shared = shared_of(model, range(len(model.layers)))
    slid = {name: used_bytes(model, name, layer) for layer in working for name in shared_buffers(model, layer).values()}
    for name in dict.fromkeys((*model.inputs, *model.outputs)):
        if shared.get(name) in place:
            place[name] = place[shared[name]]
        elif name in touched and name not in place and model.spec(name).nbytes:
            place[name] = (len(sizes), len(sizes) + 1)
            sizes.append(slid.get(name, model.spec(name).nbytes))
    calls = [_call(model, layer, owner, constants, place) for layer in model.layers]
    return Layout(sizes=tuple(sizes), calls=tuple(calls), owner=owner, order=plan.order)


def _arena_cells(plan: MemoryPlan) -> tuple[dict[str, Cells], list[int]]:
    # Return the cells of each tensor in the arena, and the bytes of each cell, between two ends of buffers.
    cuts = sorted({0, *itertools.chain.from_iterable(plan.places.values())})
    cell_of = {cut: cell for cell, cut in enumerate(cuts)}
    place = {name: (cell_of[begin], cell_of[end]) for name, (begin, end) in plan.places.items()}
    place |= {name: place[buffer] for name, buffer in plan.buffers.items() if buffer in place}
    return place, [end - begin for begin, end in itertools.pairwise(cuts)]


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
    return (
        {}
        if layer.outputs[0] in owner
        else {name: nbytes for name, nbytes in constants.items() if model.spec(name).nbytes}
    )


def _call(
    model: Model, layer: Layer, owner: Mapping[str, str], constants: Mapping[str, list[int]], place: Mapping[str, Cells]
) -> Call:
    if layer.outputs[0] in owner:
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


def reuse_distances(memory: Layout) -> tuple[Call, ...]:
    """Return each layer's memory accesses with distance and age, from a replay of two inferences.

    The distance is the footprint if the memory is touched once per inference.
    """
    # The first inference only provides earlier accesses. A layer is assumed to touch its memory evenly, so a distance
    # includes half of the memory that the earlier user touches and half of the memory that the later user touches.
    # The reuse distance (stack distance) of memory is the number of different bytes touched since its last use: a fully
    # associative LRU cache holds it if and only if the distance is smaller than the cache. Source: Mattson, Gecsei,
    # Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970).
    running = [memory.calls[index] for index in memory.order]
    calls = [_indices([access.cells for access in call.accesses]) for call in running]
    sizes = np.array(memory.sizes, np.float64)
    # time of the last use of each cell
    last = np.zeros(len(sizes), np.int64)
    for time, own in enumerate(calls):
        last[own] = time
    # Bytes by the time of their last use. They are integers below 2^53, so sums do not depend on the order of addition.
    left = np.bincount(last, weights=sizes, minlength=2 * len(calls) + 1)
    replayed = []
    for now, (own, call) in enumerate(zip(calls, running, strict=True), len(calls)):
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
    return tuple(call for _, call in sorted(zip(memory.order, replayed, strict=True), key=operator.itemgetter(0)))


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
