"""Where the tensors of one inference lie, and how far back in memory lies what a layer uses. Pure.

Memory is cut into cells, the smallest stretches that are touched as one. Every constant and every input and output of
the graph has memory of its own; what is computed on the way lies in an arena of pages, whose free stretches are taken
again by later tensors (best fit, free neighbours merged, as in onnxruntime's arena allocator). Views are other names
for their input. Some operators write their output over an input that nobody needs any more.

The reuse distance (stack distance) of memory is how many bytes of different memory were touched since it was touched
last: a fully associative cache that forgets what was used longest ago holds it if and only if the distance is smaller
than the cache. Source: Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems
Journal 9 (1970).
"""

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlbricks.model.buffers import OVERWRITING, shared_of
from dlbricks.model.types import Layer, Model

PAGE_BYTES = 4096
"""Granularity of the arena."""

_LOOKUPS: Mapping[str, tuple[int, ...]] = {
    "Gather": (0,),
    "GatherElements": (0,),
    "GatherND": (0,),
    "GatherBlockQuantized": (0, 2, 3),
    "EmbedLayerNormalization": (2, 3, 4),
    "GroupQueryAttention": (7, 8),
    "RotaryEmbedding": (1, 2, 3),
}
"""Operators that read of a constant at these positions no more than they give."""

Cells = tuple[int, int]
"""First cell and the one behind the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Memory that a layer touches for one of its operands or results."""

    tensor: str
    """Whose memory it is: for a view, what it is a view of."""
    nbytes: int
    """That are read or written, at least 1."""
    cells: Cells
    overwrites: bool = False
    """Whether it is a result that lies where an operand of the same layer lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What one layer touches; nothing for a view and for what has no bytes."""

    constants: tuple[Access, ...] = ()
    inputs: tuple[Access, ...] = ()
    outputs: tuple[Access, ...] = ()

    @property
    def accesses(self) -> tuple[Access, ...]:
        """All of them."""
        return self.constants + self.inputs + self.outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The memory of one inference."""

    sizes: tuple[int, ...]
    """Bytes of each cell."""
    calls: tuple[Call, ...]
    """One per layer of the model."""
    owner: Mapping[str, str]
    """For every tensor that a view makes, whose memory it is."""

    @property
    def footprint_bytes(self) -> int:
        """All memory that an inference touches."""
        return sum(self.sizes)


def layout(model: Model) -> Layout:
    """Place the tensors of a model as a run of its layers in their order would."""
    owner = _owners(model)
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
    for name in dict.fromkeys((*model.inputs, *(owner.get(name, name) for name in model.outputs))):
        if shared.get(name) in fixed:
            fixed[name] = fixed[shared[name]]
        elif name in touched and name not in fixed and model.spec(name).nbytes:
            fixed[name] = (len(sizes), len(sizes) + 1)
            sizes.append(model.spec(name).nbytes)
    place = pages | fixed
    calls = [_call(model, layer, owner, constants, place) for layer in model.layers]
    return Layout(sizes=tuple(sizes), calls=tuple(calls), owner=owner)


def _owners(model: Model) -> dict[str, str]:
    """Tell for every tensor that a view makes whose memory it is."""
    found: dict[str, str] = {}
    for layer in model.layers:
        if layer.is_view and layer.reads:
            found[layer.outputs[0]] = found.get(layer.reads[0], layer.reads[0])
    return found


@dataclass(slots=True, eq=False)
class _Buffer:
    """Memory of one tensor, and of those that are written over it."""

    nbytes: int
    begin: int
    """Layer whose result it is made for."""
    end: int
    """Last layer that reads it."""


def _place_computed(model: Model, owner: Mapping[str, str]) -> tuple[dict[str, Cells], int]:
    """Give the pages of every computed tensor that is no output of the graph, and how many pages there are."""
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
    """Give the buffer of every computed tensor that is no output of the graph.

    It is that of an operand which is written over (``OVERWRITING``), or a new one.
    """
    fixed = {owner.get(name, name) for name in model.outputs}
    last = {owner.get(name, name): index for index, layer in enumerate(model.layers) for name in layer.reads}
    found: dict[str, _Buffer] = {}
    for index, layer in enumerate(model.layers):
        own = () if layer.is_view else layer.outputs
        made = [name for name in own if name and name not in fixed and model.spec(name).nbytes]
        victim = _overwritten(model, layer, owner)
        over = victim in found and last[victim] == index and len(made) == 1
        for name in made:
            found[name] = found[victim] if over else _Buffer(model.spec(name).nbytes, index, index)
            found[name].end = last.get(name, index)
    return found


def _overwritten(model: Model, layer: Layer, owner: Mapping[str, str]) -> str:
    """Name the memory that a layer writes its output over if nobody needs it any more; empty if there is none."""
    position = OVERWRITING.get(layer.op_type)
    if position is None or position >= len(layer.inputs) or not layer.inputs[position]:
        return ""
    name = owner.get(layer.inputs[position], layer.inputs[position])
    return name if model.spec(name).nbytes == model.spec(layer.outputs[0]).nbytes else ""


def _place_constants(model: Model, owner: Mapping[str, str]) -> dict[str, list[int]]:
    """Give for every constant the ends of its stretches: where each of those who read it stops reading."""
    found: dict[str, set[int]] = {}
    for layer in model.layers:
        for name, nbytes in _constants_read(model, layer, owner):
            found.setdefault(name, set()).add(nbytes)
    return {name: sorted(ends) for name, ends in found.items()}


def _constants_read(model: Model, layer: Layer, owner: Mapping[str, str]) -> list[tuple[str, int]]:
    """List the constants that a layer reads, each once, and the bytes it reads of each."""
    if layer.is_view:
        return []
    looked_up = {layer.inputs[position] for position in _LOOKUPS.get(layer.op_type, ()) if position < len(layer.inputs)}
    given = model.spec(layer.outputs[0]).nbytes if looked_up else 0
    found: dict[str, int] = {}
    for tensor in layer.reads:
        name = owner.get(tensor, tensor)
        if name in model.constants and model.spec(name).nbytes:
            nbytes = model.spec(name).nbytes
            found[name] = max(1, min(nbytes, given)) if tensor in looked_up else nbytes
    return list(found.items())


def _call(
    model: Model, layer: Layer, owner: Mapping[str, str], constants: Mapping[str, list[int]], place: Mapping[str, Cells]
) -> Call:
    if layer.is_view:
        return Call()
    read = [
        Access(tensor=name, nbytes=nbytes, cells=(place[name][0], place[name][0] + constants[name].index(nbytes) + 1))
        for name, nbytes in _constants_read(model, layer, owner)
    ]
    taken = dict.fromkeys(owner.get(tensor, tensor) for tensor in layer.reads)
    inputs = [
        Access(tensor=name, nbytes=model.spec(name).nbytes, cells=place[name])
        for name in taken
        if name not in model.constants and name in place
    ]
    beneath = {one.cells for one in inputs}
    outputs = [
        Access(tensor=name, nbytes=model.spec(name).nbytes, cells=place[name], overwrites=place[name] in beneath)
        for name in layer.outputs
        if name in place
    ]
    return Call(constants=tuple(read), inputs=tuple(inputs), outputs=tuple(outputs))


def _take(free: list[Cells], pages: int, top: int) -> Cells:
    """Take a stretch of an arena that has ``top`` pages: the smallest free one that is large enough, else new pages.

    Args:
        free: ascending, no two of them neighbours; the lowest of equally good ones is taken.
        pages: wanted.
        top: pages that there are.
    """
    fitting = [(end - begin, begin) for begin, end in free if end - begin >= pages]
    if not fitting:
        return top, top + pages
    size, begin = min(fitting)
    at = bisect.bisect_left(free, (begin, begin + size))
    free[at : at + 1] = [(begin + pages, begin + size)] if size > pages else []
    return begin, begin + pages


def _give_back(free: list[Cells], stretch: Cells) -> None:
    """Give a stretch back; free neighbours become one."""
    begin, end = stretch
    at = bisect.bisect_left(free, stretch)
    if at < len(free) and free[at][0] == end:
        end = free.pop(at)[1]
    if at and free[at - 1][1] == begin:
        begin = free.pop(at - 1)[0]
        at -= 1
    free.insert(at, (begin, end))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """One tensor that a layer touches."""

    tensor: str
    """Whose memory it is: for a view, what it is a view of."""
    nbytes: int
    """That are read or written."""
    distance_bytes: int
    """Mean over its memory; 0 for a result that is written over an operand of the same layer."""
    age: int
    """How many layers before this one its memory was touched last, mean over its memory; as many as the network has
    where that was the same layer of the inference before, 0 where ``distance_bytes`` is 0 for being overwritten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerDistances:
    """What one layer touches; nothing for a view."""

    constants: tuple[Reuse, ...] = ()
    inputs: tuple[Reuse, ...] = ()
    outputs: tuple[Reuse, ...] = ()


def reuse_distances(made: Layout) -> tuple[LayerDistances, ...]:
    """Run the layers of a network in their order over and over, and look at the memory as one inference finds it.

    The first inference only leaves its traces; the second is the one that is looked at, so what is touched once per
    inference is as far away as everything that an inference touches.

    A layer touches all of its memory evenly over its call. So of what the earlier user of a tensor touched, itself
    included, one half comes after it, and of what the later user touches one half comes before; bytes that were
    counted already are not counted again. Time grows with layers and pages, and with the logarithm of layers.

    Returns:
        For each layer, its constants, inputs and outputs of at least one byte, each tensor once.
    """
    replay = _Replay(np.array(made.sizes, np.float64), [[one.cells for one in call.accesses] for call in made.calls])
    found = []
    for call in made.calls:
        replay.advance()
        found.append(
            LayerDistances(
                constants=tuple(_reuse(one, replay) for one in call.constants),
                inputs=tuple(_reuse(one, replay) for one in call.inputs),
                outputs=tuple(_reuse(one, replay) for one in call.outputs),
            )
        )
    return tuple(found)


def _reuse(access: Access, replay: "_Replay") -> Reuse:
    distance, age = (0, 0) if access.overwrites else (replay.distance(access.cells), replay.age(access.cells))
    return Reuse(tensor=access.tensor, nbytes=access.nbytes, distance_bytes=distance, age=age)


class _Replay:
    """The second of two equal rounds of calls; ``advance`` goes to the next call, before anything of it is touched.

    Bytes are whole numbers below 2^53, so that their sums do not depend on the order they are added in.
    """

    def __init__(self, sizes: NDArray[np.float64], calls: Sequence[Sequence[Cells]]) -> None:
        self._sizes = sizes
        self._calls = [_indices(cells) for cells in calls]
        self._last = np.zeros(len(sizes), np.int64)
        """When each cell was touched last."""
        for time, cells in enumerate(self._calls):
            self._last[cells] = time
        self._left = _Sums(np.bincount(self._last, weights=sizes, minlength=2 * len(calls) + 1).tolist())
        """Bytes that were touched last at each point in time."""
        self._call = -1
        self._times: NDArray[np.int64] = np.zeros(0, np.int64)
        """When what the call touches was touched last, ascending."""
        self._bytes: NDArray[Any] = np.zeros(0)
        """Of the call, touched last at each of these times."""
        self._since: NDArray[np.float64] = np.zeros(0)
        """Distance of what was touched last at each of these times."""

    def advance(self) -> None:
        if self._call >= 0:
            self._touch(self._call)
        self._call += 1
        own = self._calls[self._call]
        self._times, at = np.unique(self._last[own], return_inverse=True)
        self._bytes = np.bincount(at, weights=self._sizes[own], minlength=len(self._times))
        until = np.array([self._left.until(time) for time in self._times.tolist()])
        left = until - np.array([self._left.until(time - 1) for time in self._times.tolist()])
        self._since = self._left.total - until + (left + self._bytes.cumsum()) / 2

    def distance(self, cells: Cells) -> int:
        """Give the mean distance over some cells of the call."""
        begin, end = cells
        since = self._since[np.searchsorted(self._times, self._last[begin:end])]
        if end - begin == 1:
            return round(float(since[0]))
        sizes = self._sizes[begin:end]
        return round(float(since @ sizes / sizes.sum()))

    def age(self, cells: Cells) -> int:
        """Give the mean number of calls since some cells were touched."""
        begin, end = cells
        mean = float(self._last[begin:end] @ self._sizes[begin:end] / self._sizes[begin:end].sum())
        return self._call + len(self._calls) - round(mean)

    def _touch(self, call: int) -> None:
        now = call + len(self._calls)
        for time, nbytes in zip(self._times.tolist(), self._bytes.tolist(), strict=True):
            self._left.add(time, -nbytes)
        self._left.add(now, float(self._bytes.sum()))
        self._last[self._calls[call]] = now


class _Sums:
    """Numbers whose sum from the first up to any is known in logarithmic time (a Fenwick tree)."""

    def __init__(self, values: Sequence[float]) -> None:
        self.total = sum(values)
        self._tree = [0.0, *values]
        for place in range(1, len(self._tree)):
            above = place + (place & -place)
            if above < len(self._tree):
                self._tree[above] += self._tree[place]

    def add(self, index: int, value: float) -> None:
        self.total += value
        place = index + 1
        while place < len(self._tree):
            self._tree[place] += value
            place += place & -place

    def until(self, index: int) -> float:
        """Sum up to a number, itself included; 0 for -1."""
        found, place = 0.0, index + 1
        while place:
            found += self._tree[place]
            place &= place - 1
        return found


def _indices(cells: Sequence[Cells]) -> NDArray[np.int64]:
    """List the cells of some stretches, each once."""
    stretches = [np.arange(begin, end) for begin, end in dict.fromkeys(cells)]
    return np.concatenate(stretches) if stretches else np.zeros(0, np.int64)
