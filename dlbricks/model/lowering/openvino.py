"""Splits a network where OpenVINO does: which layers it executes as one, and in which layout their results lie.

OpenVINO's executed graph cannot be run again, so the source network is kept. Layers that it executes as one node become
a group, which is never cut. Where a result lies channels-last between nodes, the group that makes it ends with a
Transpose to that layout and each group that reads it begins with one back: a piece then begins and ends as inside the
network, for OpenVINO turns such a Transpose and the layout that a kernel wants into nothing.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import onnx
from onnx import helper

from dlbricks.errors import UnsupportedModelError
from dlbricks.files import write_bytes
from dlbricks.model.emit import build_network, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import OPENVINO
from dlbricks.model.lowering.openvino_apart import Compiler
from dlbricks.model.passes.clean import topological
from dlbricks.model.read.layers import canonical_attributes
from dlbricks.model.schemas import signature_interval
from dlbricks.model.synthesis.values import place_constants
from dlbricks.model.types import Layer, Model, TensorSpec, WeightBlob

TARGET = OPENVINO
_ROUNDS = 4
"""How often pieces that do not run alone as in the network are joined to what they read."""
_LAYOUT = "layout of "
"""Begin of the names of layers that change the layout only."""
_CHANNELS_LAST = {"acb": (0, 2, 1), "acdb": (0, 2, 3, 1), "acdeb": (0, 2, 3, 4, 1)}
"""Layouts by OpenVINO's names: which axis of the planar tensor each axis is."""
_PLUMBING = frozenset({"Const", "Input", "Output", "Reorder"})
"""Executed nodes that stand for no layer."""
_APART = "/WithoutBiases"
"""End of the name of a convolution from which OpenVINO has parted the sum with its bias."""

_QUANTISING = frozenset({"DequantizeLinear", "DynamicQuantizeLinear", "QuantizeLinear"})
_TURNABLE = frozenset({"bfloat16", "float16", "float32"})
"""Element types that are turned: behind a Transpose of integers OpenVINO computes a quantised call in float32."""
_WITH_AXIS = frozenset({"Concat", "Split"})
_ELEMENTWISE = """
Abs Add Cast Ceil Clip Cos Div Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Log Max Min Mish Mul Neg Pow PRelu
Reciprocal Relu Round Selu Sigmoid Sin Softplus Softsign Sqrt Sub Swish Tanh
"""
_NORMALISING = "BatchNormalization"
"""Becomes a product and a sum along the last axis, as it does in OpenVINO."""
_TURNED = _WITH_AXIS.union(_ELEMENTWISE.split(), (_NORMALISING,))
"""Operators that compute the same on turned tensors; OpenVINO gives them the layout of what they read."""
_TAKEN_IN = frozenset({*_ELEMENTWISE.split(), "Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})
"""Operators that are executed as a part of the node before them, or not at all."""

Executed = Mapping[str, str]
"""A node that OpenVINO executes (``harness.openvino_session.executed_layers``)."""


def lower(model: Model, *, threads: int = 1) -> Model:
    """Give a network with the groups that OpenVINO makes of it here, and the layouts between them.

    Args:
        model: A network for the target ``portable``.
        threads: that it is compiled for.

    Raises:
        UnsupportedModelError: OpenVINO cannot compile it, or it was lowered already.
        HarnessError: OpenVINO is not installed.
    """
    if model.target != "portable":
        raise UnsupportedModelError(
            f"{model.name} is lowered already, for {model.target}: give --target {model.target}"
        )
    with Compiler() as compiler:
        executed = _executed(compiler, model, threads)
        groups = alone = _without_sums(model, groups_of(model, executed))
        compile_piece = partial(_compiled, compiler, name=model.name, threads=threads)
        known: dict[str, bool] = {}
        for _ in range(_ROUNDS):
            made = _Rewriting(model, groups, _layouts(model, groups, executed))
            lowered = replace(made.model(), target=TARGET)
            altered = [
                group
                for group, layers in made.members.items()
                if len(layers) > 1 and _is_altered(lowered, layers, compile_piece, known)
            ]
            merged = _merged(model, groups, [made.source(group) for group in altered], made.makers)
            if merged == groups:
                break
            groups = merged
        parted = _parted(alone, groups, [made.source(group) for group in altered])
        if parted != groups:
            lowered = replace(_Rewriting(model, parted, _layouts(model, parted, executed)).model(), target=TARGET)
    return lowered


def executed_graph(model: Model, *, threads: int = 1) -> Sequence[Executed]:
    """Give the nodes that OpenVINO executes of a network, in their order.

    Raises:
        UnsupportedModelError: it cannot compile it.
        HarnessError: OpenVINO is not installed.
    """
    with Compiler() as compiler:
        return _executed(compiler, model, threads)


def _executed(compiler: Compiler, model: Model, threads: int) -> Sequence[Executed]:
    return _compiled(compiler, *end_to_end_network(model), name=model.name, threads=threads)


def _compiled(
    compiler: Compiler, network: onnx.ModelProto, blobs: tuple[WeightBlob, ...], *, name: str, threads: int
) -> Sequence[Executed]:
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch)
        write_weights(folder, blobs)
        write_bytes(folder / "network.onnx", network_bytes(network))
        return compiler.executed(folder / "network.onnx", folder, name=name, threads=threads)


def groups_of(model: Model, executed: Iterable[Executed]) -> tuple[tuple[int, ...], ...]:
    """Give the layers that are executed as one: disjoint, connected, of at least two, without circles among them.

    Quantised calls stay whole as for the target ``portable``: OpenVINO tells little of the layers around them, and cut
    between a DequantizeLinear and what reads it a piece would run in float32.

    A layer whose name is lost belongs to the node behind which it stands, if that node has names of no layer: it has
    taken something in. Else it belongs to what reads its result, if that is one node that reads nothing from a node
    without a name; else the lost layers are taken to be nodes of their own.
    """
    node_of = _nodes_of_layers(model, executed)
    parent = list(range(len(model.layers)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    makers = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
    for index, layer in enumerate(model.layers):
        for maker in {makers[name] for name in layer.reads if name in makers}:
            if node_of.get(maker) is not None and node_of.get(maker) == node_of.get(index):
                parent[root(maker)] = root(index)
    for group in model.groups:
        if any(model.layers[index].op_type in _QUANTISING for index in group):
            for index in group[1:]:
                parent[root(index)] = root(group[0])
    members: defaultdict[int, list[int]] = defaultdict(list)
    for index in range(len(model.layers)):
        members[root(index)].append(index)
    return _without_circles(model, makers, [tuple(group) for group in members.values() if len(group) > 1])


def _nodes_of_layers(model: Model, executed: Iterable[Executed]) -> dict[int, int]:
    """Give for each layer the executed node that it is a part of, by a number; none for what is not known."""
    by_name = {layer.name: index for index, layer in enumerate(model.layers)}
    by_name |= {
        name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name in model.outputs
    }
    found: dict[int, int] = {}
    after_unnamed: set[int] = set()
    unnamed: set[str] = set()
    taking: set[int] = set()
    """Nodes with a name that no layer has."""
    fixed: set[str] = set()
    """Nodes that follow from constants alone."""
    for number, node in enumerate(executed):
        reads = set(node["inputs"].split(","))
        if node["layerType"] == "Const" or (node["layerType"] != "Input" and reads <= fixed):
            fixed.add(node["name"])
        if node["layerType"] in _PLUMBING or node["name"] in fixed:
            continue
        names = [name.removesuffix(_APART) for name in node["originalLayersNames"].split(",")]
        layers = {by_name[name] for name in names if name in by_name}
        if not layers:
            unnamed.add(node["name"])
        own = next((found[index] for index in sorted(layers) if index in found), number)
        found.update(dict.fromkeys(layers, own))
        if layers and not all(name in by_name for name in names):
            taking.add(own)
        if not unnamed.isdisjoint(reads):
            after_unnamed.add(own)
    _join_behind(model, found, taking)
    readers: defaultdict[str, set[int]] = defaultdict(set)
    for index in range(len(model.layers) - 1, -1, -1):
        layer = model.layers[index]
        behind = {found.get(reader) for name in layer.outputs for reader in readers[name]}
        leaves = not set(layer.outputs).isdisjoint(model.outputs)
        if index not in found and not leaves and len(behind) == 1:
            joined = behind.pop()
            if joined is not None and joined not in after_unnamed:
                found[index] = joined
        for name in layer.reads:
            readers[name].add(index)
    return found


def _join_behind(model: Model, found: dict[int, int], taking: Collection[int]) -> None:
    """Give lost layers that can be taken in to the node that makes all that they read, if it has taken something in."""
    makers = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
    for index, layer in enumerate(model.layers):
        behind = {found.get(makers[name]) for name in layer.reads if name in makers}
        if index not in found and layer.op_type in _TAKEN_IN and len(behind) == 1:
            node = behind.pop()
            if node is not None and node in taking:
                found[index] = node


def layers_of_nodes(model: Model, executed: Sequence[Executed]) -> dict[str, str]:
    """Give for each executed node, by name, the layer with the largest constants of those that it executes."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for index, number in _nodes_of_layers(model, executed).items():
        members[number].append(index)

    def weight(index: int) -> tuple[int, int]:
        layer = model.layers[index]
        constants = (model.constants[name].spec.nbytes for name in layer.reads if name in model.constants)
        return sum(constants), -index

    return {executed[number]["name"]: model.layers[max(found, key=weight)].name for number, found in members.items()}


def _without_circles(
    model: Model, makers: Mapping[str, int], groups: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, ...], ...]:
    """Dissolve the smallest groups that depend on each other in a circle until none does."""
    kept = list(groups)
    while True:
        home = {index: number for number, group in enumerate(kept) for index in group}
        free = iter(range(len(kept), len(kept) + len(model.layers)))
        place = [home[index] if index in home else next(free) for index in range(len(model.layers))]
        count = len(kept) + len(model.layers) - len(home)
        feeds: list[set[int]] = [set() for _ in range(count)]
        for index, layer in enumerate(model.layers):
            for name in layer.reads:
                if name in makers and place[makers[name]] != place[index]:
                    feeds[place[makers[name]]].add(place[index])
        order = set(topological(feeds, [(0, number) for number in range(count)]))
        stuck = [group for number, group in enumerate(kept) if number not in order]
        if not stuck:
            return tuple(sorted(kept))
        kept.remove(min(stuck, key=lambda group: (len(group), group)))


def _layouts(model: Model, groups: Sequence[tuple[int, ...]], executed: Iterable[Executed]) -> dict[str, str]:
    """Give the tensors that lie channels-last where they pass from one group to another, with their layouts."""
    by_name = {layer.name: index for index, layer in enumerate(model.layers)}
    home = {index: group for group in groups for index in group}
    last: dict[int, str] = {}
    for node in executed:
        layouts = set(node["outputLayouts"].split(","))
        layers = [by_name[name] for name in node["originalLayersNames"].split(",") if name in by_name]
        if node["layerType"] in _PLUMBING or len(layouts) != 1 or not layers:
            continue
        layout = layouts.pop()
        last.update({index: layout for layer in layers for index in home.get(layer, (layer,))})
    captured = {name for layer in model.layers for name in layer.captured}
    return {
        name: last[index]
        for index, layer in enumerate(model.layers)
        for name in layer.outputs
        if last.get(index) in _CHANNELS_LAST and name and name not in captured and model.spec(name).dtype in _TURNABLE
        if len(model.spec(name).shape) == len(last[index])
    }


class _Rewriting:
    """A network whose tensors lie between its groups as they do inside OpenVINO."""

    def __init__(self, model: Model, groups: Sequence[tuple[int, ...]], layouts: Mapping[str, str]) -> None:
        self._model, self._layouts = model, layouts
        self.layers: list[Layer] = []
        self.tensors, self.constants = dict(model.tensors), dict(model.constants)
        self.members: defaultdict[int, list[int]] = defaultdict(list)
        home = {index: number for number, group in enumerate(groups) for index in group}
        self._home = {index: home.get(index, -1 - index) for index in range(len(model.layers))}
        self.makers = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
        crossing = {
            name
            for index, layer in enumerate(model.layers)
            for name in layer.inputs
            if name in layouts and self._home[self.makers[name]] != self._home[index]
        }
        of_group: defaultdict[int, list[Layer]] = defaultdict(list)
        for index, layer in enumerate(model.layers):
            of_group[self._home[index]].append(layer)
        self._crossing = crossing
        self._turned = {group for group, layers in of_group.items() if self._can_turn(layers)}
        self._here: dict[tuple[str, int], str] = {}
        for index, layer in enumerate(model.layers):
            self._add_layer(layer, self._home[index])

    def model(self) -> Model:
        """Give the network."""
        groups = sorted(tuple(group) for group in self.members.values() if len(group) > 1)
        layers = tuple(self.layers)
        return replace(self._model, layers=layers, tensors=self.tensors, constants=self.constants, groups=tuple(groups))

    def source(self, group: int) -> tuple[int, ...]:
        """Give the layers of the source that a group holds."""
        return tuple(index for index, home in self._home.items() if home == group)

    def _can_turn(self, layers: Sequence[Layer]) -> bool:
        """Whether layers compute the same on tensors turned channels-last, at the same places of memory."""
        made = {name for layer in layers for name in layer.outputs if name}
        if not all(layer.op_type in _TURNED and not layer.domain and not layer.captured for layer in layers):
            return False
        if not made or not all(name in self._layouts for name in made):
            return False
        if any(layer.op_type == _NORMALISING and len(layer.outputs) > 1 for layer in layers):
            return False
        read = {name for layer in layers for name in layer.inputs if name} - made
        rank = len(self._layouts[next(iter(made))])
        return all(self._turns(name, rank, layers) for name in read)

    def _turns(self, name: str, rank: int, layers: Sequence[Layer]) -> bool:
        """Whether a tensor that such layers read can be turned for nothing."""
        spec = self._model.spec(name)
        if name in self._model.constants:
            sizes = any(name in layer.inputs[1:] for layer in layers if layer.op_type == "Split")
            return sizes or spec.elements == 1 or (len(spec.shape) <= rank and _extents(spec) == 1)
        lies_last = self._layouts.get(name, "") in _CHANNELS_LAST and name in self._crossing
        return len(spec.shape) == rank and (lies_last or _extents(spec) <= 1)

    def _add_layer(self, layer: Layer, group: int) -> None:
        if group in self._turned:
            self._add_turned(layer, group)
            return
        for name in layer.inputs:
            if name in self._crossing and self._home[self.makers[name]] != group and (name, group) not in self._here:
                axes = _CHANNELS_LAST[self._layouts[name]]
                self._here[name, group] = f"{name}/in{group}"
                back = [axes.index(axis) for axis in range(len(axes))]
                self._transpose(f"{name}/last", self._here[name, group], back, group)
        self._add(replace(layer, inputs=tuple(self._here.get((name, group), name) for name in layer.inputs)), group)
        for name in layer.outputs:
            if name in self._crossing:
                self._transpose(name, f"{name}/last", _CHANNELS_LAST[self._layouts[name]], group)

    def _add_turned(self, layer: Layer, group: int) -> None:
        """Add a layer of a group that works on turned tensors."""
        axes = _CHANNELS_LAST[self._layouts[next(filter(None, layer.outputs))]]
        for name in filter(None, layer.outputs):
            self._specify(f"{name}/last", name, axes)
        if layer.op_type == _NORMALISING:
            self._add_scaled(layer, axes, group)
        else:
            self._add_with_axis(layer, axes, group)
        back = [axes.index(axis) for axis in range(len(axes))]
        for name in layer.outputs:
            if name in self._model.outputs:
                self._transpose(f"{name}/last", name, back, group)

    def _add_scaled(self, layer: Layer, axes: Sequence[int], group: int) -> None:
        """Add a normalisation as the product and the sum that OpenVINO makes of it; channels are the last axis."""
        read, (scale, shift), (made, *_) = (
            self._turned_name(layer.inputs[0], axes, group),
            layer.inputs[1:3],
            layer.outputs,
        )
        self._specify(f"{made}/scaled", made, axes)
        self._add(_plain(self._model, "Mul", (read, scale), f"{made}/scaled", layer.name + "/scale"), group)
        self._add(_plain(self._model, "Add", (f"{made}/scaled", shift), f"{made}/last", layer.name), group)

    def _add_with_axis(self, layer: Layer, axes: Sequence[int], group: int) -> None:
        """Add a layer as it is but for the axis along which it works, if it has one."""
        read = [self._turned_name(name, axes, group, sizes=layer.op_type == "Split") for name in layer.inputs]
        outputs = tuple(f"{name}/last" if name else "" for name in layer.outputs)
        made = replace(layer, inputs=tuple(read), outputs=outputs)
        if layer.op_type in _WITH_AXIS:
            node = onnx.NodeProto.FromString(layer.node)
            for attribute in node.attribute:
                if attribute.name == "axis":
                    attribute.i = axes.index(attribute.i % len(axes))
            if not any(attribute.name == "axis" for attribute in node.attribute):
                node.attribute.append(helper.make_attribute("axis", axes.index(0)))
            made = replace(
                made,
                node=node.SerializeToString(deterministic=True),
                attributes=canonical_attributes(node, dict(self._model.opsets)),
            )
        self._add(made, group)

    def _turned_name(self, name: str, axes: Sequence[int], group: int, *, sizes: bool = False) -> str:
        """Give the name under which a turned layer reads a tensor; made here where there is none yet."""
        if not name or (name in self._model.constants and (sizes or self._model.spec(name).elements == 1)):
            return name
        if name in self._model.constants:
            constant = self._model.constants[name]
            shape = (*(1,) * (len(axes) - len(constant.spec.shape)), *constant.spec.shape)
            spec = replace(constant.spec, name=f"{name}/last", shape=tuple(shape[axis] for axis in axes))
            self.constants[spec.name] = replace(constant, spec=spec)
            return spec.name
        if name in self._crossing or self._home.get(self.makers.get(name, -1)) == group:
            return f"{name}/last"
        if (name, group) not in self._here:
            self._here[name, group] = f"{name}/in{group}"
            self._transpose(name, self._here[name, group], axes, group)
        return self._here[name, group]

    def _specify(self, made: str, name: str, axes: Sequence[int]) -> None:
        shape = tuple(self.tensors[name].shape[axis] for axis in axes)
        self.tensors[made] = TensorSpec(name=made, dtype=self.tensors[name].dtype, shape=shape)

    def _transpose(self, read: str, made: str, axes: Sequence[int], group: int) -> None:
        self._specify(made, read, axes)
        self._add(_transpose(self._model, read, made, axes), group)

    def _add(self, layer: Layer, group: int) -> None:
        self.members[group].append(len(self.layers))
        self.layers.append(layer)


def _extents(spec: TensorSpec) -> int:
    """Count the axes along which a tensor extends."""
    return sum(size > 1 for size in spec.shape)


def _without_sums(model: Model, groups: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Cut groups before a sum that a convolution writes into: alone, OpenVINO would copy what such a group gives.

    Inside a network the sum costs little, for the convolution's output has to be fetched to be written anyway.
    """
    kept = []
    for group in groups:
        made = {name for index in group for name in model.layers[index].outputs}
        convolves = any(model.layers[index].op_type == "Conv" for index in group)
        for place, index in enumerate(group if convolves else ()):
            layer = model.layers[index]
            outside = [name for name in layer.inputs if name not in made and name not in model.constants]
            if layer.op_type == "Add" and len(layer.inputs) == 2 and len(outside) == 1:
                kept += [group[:place], group[place:]]
                break
        else:
            kept.append(group)
    return tuple(sorted(group for group in kept if len(group) > 1))


def _is_altered(
    model: Model, layers: Sequence[int], compile_piece: Callable[..., Sequence[Executed]], known: dict[str, bool]
) -> bool:
    """Whether OpenVINO, given a group alone, changes layouts for it that it has not to change inside the network.

    ``known`` holds answers by what the group is, and gets this one.
    """
    inserted = {f"n{place}" for place, index in enumerate(layers) if model.layers[index].name.startswith(_LAYOUT)}
    if not inserted:
        return False
    made = {name: None for index in layers for name in model.layers[index].outputs if name}
    read = {name: None for index in layers for name in model.layers[index].reads if name not in made}
    constants = [name for name in read if name in model.constants]
    inputs = [name for name in read if name not in model.constants]
    outside = {name for index, layer in enumerate(model.layers) if index not in layers for name in layer.reads}
    outputs = [name for name in made if name in outside or name in model.outputs]
    text = repr(
        [
            *[(model.layers[index].op_type, model.layers[index].attributes) for index in layers],
            *[(model.spec(name).dtype, model.spec(name).shape) for name in (*read, *outputs)],
        ]
    )
    if text not in known:
        places, blobs = place_constants(model, layers, constants)
        network = build_network(model, layers, inputs, outputs, rename={}, constants=places)
        nodes = compile_piece(network, blobs)
        ends = {name: f"n{place}" for place, index in enumerate(layers) for name in model.layers[index].outputs}
        known[text] = any(
            node["layerType"] == "Transpose"
            and not inserted.isdisjoint(ends.get(name, name) for name in node["originalLayersNames"].split(","))
            for node in nodes
        )
    return known[text]


def _merged(
    model: Model,
    groups: tuple[tuple[int, ...], ...],
    altered: Sequence[Sequence[int]],
    makers: Mapping[str, int],
) -> tuple[tuple[int, ...], ...]:
    """Join each of some parts with all that makes what it reads, or with one of that, where that makes no circle."""
    for part in altered:
        home = {index: group for group in groups for index in group}
        own = home.get(part[0], tuple(part))
        read = (makers[name] for index in own for name in model.layers[index].inputs if name in makers)
        before = dict.fromkeys(home.get(index, (index,)) for index in read)
        before.pop(own, None)
        for joining in (tuple(before), *((one,) for one in reversed(before))) if before else ():
            whole = tuple(sorted({index for one in (own, *joining) for index in one}))
            joined = (*(group for group in groups if set(whole).isdisjoint(group)), whole)
            if set(_without_circles(model, makers, joined)) == set(joined):
                groups = tuple(sorted(joined))
                break
    return groups


def _parted(
    alone: Sequence[tuple[int, ...]], groups: Sequence[tuple[int, ...]], altered: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Take groups that were joined in vain apart again: what is altered as a whole is least so in its parts."""
    spoilt = {index for part in altered for index in part}
    kept = [group for group in groups if group in alone or spoilt.isdisjoint(group)]
    inside = {index for group in groups if group not in kept for index in group}
    return tuple(sorted([*kept, *(group for group in alone if not inside.isdisjoint(group))]))


def _transpose(model: Model, read: str, made: str, axes: Sequence[int]) -> Layer:
    return _plain(model, "Transpose", (read,), made, f"{_LAYOUT}{made}", perm=list(axes))


def _plain(model: Model, operator: str, read: tuple[str, ...], made: str, name: str, **attributes: list[int]) -> Layer:
    """Make a layer of a standard operator."""
    opsets = dict(model.opsets)
    node: onnx.NodeProto = helper.make_node(operator, read, [made], **attributes)
    return Layer(
        name=name,
        op_type=operator,
        domain="",
        since_version=signature_interval("", operator, opsets.get("", 1))[0],
        attributes=canonical_attributes(node, opsets),
        inputs=read,
        outputs=(made,),
        node=node.SerializeToString(deterministic=True),
        opset=opsets.get("", 1),
    )
