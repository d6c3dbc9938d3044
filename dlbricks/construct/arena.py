"""Where the tensors of one inference lie, and which share memory, much as the runtime would have it. Pure.

Memory is cut into cells, the smallest stretches that are touched as one. Every constant and every input and output of
the graph has memory of its own; what is computed on the way lies in an arena of pages, whose free stretches are taken
again by later tensors (best fit, free neighbours merged, as in onnxruntime's arena allocator). Views are other names
for their input. Some operators write their output over an input that nobody needs any more.
"""

import bisect
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from dlbricks.model.types import Layer, Model

PAGE_BYTES = 4096
"""Granularity of the arena."""

OVERWRITING: Mapping[str, int] = {
    **dict.fromkeys(("Relu", "LeakyRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Clip"), 0),
    **dict.fromkeys(("Sigmoid", "HardSigmoid", "Tanh", "Softplus", "Softsign"), 0),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Cast"), 0),
    **dict.fromkeys(("Conv", "FusedConv", "NhwcFusedConv"), 3),
}
"""Operators whose CPU kernel may make its output in the buffer of an input, and the position of that input. Seen in
how far the arena of onnxruntime 1.31 grows; arithmetic on two tensors is not among them. The fourth operand of a
convolution is what it adds to (``com.microsoft`` and its blocked layout only)."""

_LOOKUPS: Mapping[str, tuple[int, ...]] = {
    "Gather": (0,),
    "GatherElements": (0,),
    "GatherND": (0,),
    "EmbedLayerNormalization": (2, 3, 4),
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

    @property
    def footprint_bytes(self) -> int:
        """All memory that an inference touches."""
        return sum(self.sizes)


def layout(model: Model) -> Layout:
    """Place the tensors of a model as a run of its layers in their order would."""
    owner = owners(model)
    pages, top = _place_computed(model, owner)
    constants = _place_constants(model, owner)
    sizes = [PAGE_BYTES] * top
    fixed: dict[str, Cells] = {}
    for name, cuts in constants.items():
        fixed[name] = (len(sizes), len(sizes) + len(cuts))
        sizes += [end - begin for begin, end in pairwise((0, *cuts))]
    working = [layer for layer in model.layers if not layer.is_view]
    touched = {owner.get(name, name) for layer in working for name in (*layer.reads, *layer.outputs)}
    for name in dict.fromkeys((*model.inputs, *(owner.get(name, name) for name in model.outputs))):
        if name in touched and name not in fixed and model.spec(name).nbytes:
            fixed[name] = (len(sizes), len(sizes) + 1)
            sizes.append(model.spec(name).nbytes)
    place = pages | fixed
    calls = [_call(model, layer, owner, constants, place) for layer in model.layers]
    return Layout(sizes=tuple(sizes), calls=tuple(calls))


def owners(model: Model) -> dict[str, str]:
    """Tell for every tensor that a view makes whose memory it is."""
    found: dict[str, str] = {}
    for layer in model.layers:
        if layer.is_view and layer.reads:
            found[layer.outputs[0]] = found.get(layer.reads[0], layer.reads[0])
    return found


def _place_computed(model: Model, owner: Mapping[str, str]) -> tuple[dict[str, Cells], int]:
    """Give the pages of every computed tensor that is no output of the graph, and how many pages there are."""
    buffers = _plan_buffers(model, owner)
    begins: dict[int, list[_Buffer]] = {}
    ends: dict[int, list[_Buffer]] = {}
    for buffer in dict.fromkeys(buffers.values()):
        begins.setdefault(buffer.begin, []).append(buffer)
        ends.setdefault(buffer.end, []).append(buffer)
    arena = _Arena()
    place: dict[_Buffer, Cells] = {}
    for index in range(len(model.layers)):
        for buffer in begins.get(index, ()):
            place[buffer] = arena.take(-(-buffer.nbytes // PAGE_BYTES))
        for stretch in sorted(place[buffer] for buffer in ends.get(index, ())):
            arena.give(stretch)
    return {name: place[buffer] for name, buffer in buffers.items()}, arena.top


@dataclass(slots=True, eq=False)
class _Buffer:
    """Memory of one tensor, and later of others of the same shape."""

    shape: tuple[int, ...]
    nbytes: int
    begin: int
    """Layer whose result it is made for."""
    end: int
    """Last layer that reads it, for any of the tensors that lie in it."""


def _plan_buffers(model: Model, owner: Mapping[str, str]) -> dict[str, _Buffer]:
    """Give the buffer of every computed tensor that is no output of the graph, as onnxruntime plans them.

    Before anything runs its planner goes through the layers in order. A result takes over the buffer of an operand
    (``OVERWRITING``), else the one set free last of those whose first tensor had the same shape and element size, else
    a new one. A buffer that will be taken over is kept until then, however long that is: the tensors of one place in a
    repeated block share theirs, and find them as cold as a whole block leaves them.
    """
    fixed = {owner.get(name, name) for name in model.outputs}
    last = {owner.get(name, name): index for index, layer in enumerate(model.layers) for name in layer.reads}
    found: dict[str, _Buffer] = {}
    free: dict[tuple[int, ...], list[_Buffer]] = {}
    for index, layer in enumerate(model.layers):
        own = () if layer.is_view else layer.outputs
        made = [name for name in own if name and name not in fixed and model.spec(name).nbytes]
        victim = _overwritten(model, layer, owner)
        over = victim in found and last[victim] == index and len(made) == 1
        for name in made:
            spec = model.spec(name)
            same = free.get((*spec.shape, spec.nbytes))
            if over:
                found[name] = found[victim]
            elif same:
                found[name] = same.pop()
            else:
                found[name] = _Buffer(spec.shape, spec.nbytes, index, index)
        read = dict.fromkeys(owner.get(name, name) for name in layer.reads)
        for name in (*read, *made):
            if name in found and last.get(name, -1) <= index and not (over and name == victim):
                buffer = found[name]
                buffer.end = index
                free.setdefault((*buffer.shape, buffer.nbytes), []).append(buffer)
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


@dataclass(slots=True)
class _Arena:
    """Pages in a row: the smallest free stretch that is large enough is taken, free neighbours become one."""

    top: int = 0
    """Pages there are."""
    _free: list[Cells] = field(default_factory=list)
    """Ascending, no two of them neighbours."""

    def take(self, pages: int) -> Cells:
        """Take a stretch; the lowest of equally good ones."""
        fitting = [(end - begin, begin) for begin, end in self._free if end - begin >= pages]
        if not fitting:
            self.top += pages
            return self.top - pages, self.top
        size, begin = min(fitting)
        at = bisect.bisect_left(self._free, (begin, begin + size))
        self._free[at : at + 1] = [(begin + pages, begin + size)] if size > pages else []
        return begin, begin + pages

    def give(self, stretch: Cells) -> None:
        """Give a stretch back."""
        begin, end = stretch
        at = bisect.bisect_left(self._free, stretch)
        if at < len(self._free) and self._free[at][0] == end:
            end = self._free.pop(at)[1]
        if at and self._free[at - 1][1] == begin:
            begin = self._free.pop(at - 1)[0]
            at -= 1
        self._free.insert(at, (begin, end))
