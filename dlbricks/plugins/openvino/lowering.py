"""Lowers networks for OpenVINO: the layers of an executed node form a group, and results get OpenVINO's layouts.

OpenVINO cannot run its executed graph again, so the layers are those of the source network. Transposes at the ends of
groups (``layouts``) make a sequence begin and end as inside the network: OpenVINO eliminates such a Transpose together
with the layout change that a kernel needs.
"""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import onnx

from dlbricks.errors import UnsupportedModelError
from dlbricks.files import write_bytes
from dlbricks.model.emit import end_to_end_network, network_bytes, write_weights
from dlbricks.model.order import connected, depth_first, makers_of, readers_of
from dlbricks.model.types import Layer, Model, WeightBlob
from dlbricks.operators.costs import layer_flops
from dlbricks.operators.table import row_of
from dlbricks.plugins.openvino.compiler import Compiler
from dlbricks.plugins.openvino.identities import without_identities
from dlbricks.plugins.openvino.in_place import joining_in_place, joining_readers, with_splits
from dlbricks.plugins.openvino.layouts import (
    CHANNELS_LAST,
    PLUMBING,
    TAKEN_IN,
    VIEWS,
    Executed,
    is_relabelling,
    layouts,
    source_names,
)
from dlbricks.plugins.openvino.merging import is_altered, merged, without_circles
from dlbricks.plugins.openvino.quantised import dequantised_once, in_eight_bits, unsigned

# Suffix of the name of a convolution from which OpenVINO has separated the bias.
_APART = "/WithoutBiases"


def lower(model: Model, *, threads: int = 1) -> Model:
    """Return a network with the groups and layouts of OpenVINO on this machine.

    Args:
        model: a network for the target ``portable``.

    Raises:
        UnsupportedModelError: OpenVINO cannot compile the network, or the network is lowered already.
        HarnessError: OpenVINO is not installed.
    """
    if model.target != "portable":
        raise UnsupportedModelError(f"{model.name} is already lowered for {model.target}: use --target {model.target}")
    model = without_identities(model)
    with Compiler() as compiler:
        compiled = partial(_compiled, compiler, name=model.name, threads=threads)
        model, executed = with_splits(model, compiled(*end_to_end_network(model)))
        model = unsigned(dequantised_once(model, executed), executed)
        model, groups = in_eight_bits(model, _without_sums(model, groups_of(model, executed)), executed)
        groups = joining_readers(model, groups, layouts(model, groups, executed))
        return merged(model, groups, executed, partial(is_altered, compiled, {}))


def _compiled(
    compiler: Compiler, network: onnx.ModelProto, blobs: tuple[WeightBlob, ...], *, name: str, threads: int
) -> Sequence[Executed]:
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch)
        write_weights(folder, blobs)
        write_bytes(folder / "network.onnx", network_bytes(network))
        return compiler.executed(folder / "network.onnx", folder, name=name, threads=threads)


def groups_of(model: Model, executed: Sequence[Executed]) -> tuple[tuple[int, ...], ...]:
    """Group the layers that OpenVINO fuses into one node: disjoint, connected groups of two or more, without cycles.

    * Quantised calls stay whole, as for the target ``portable``.
    * A DequantizeLinear that no node names belongs to its only reader, since a sequence cut between the two would run
      in float32. A DequantizeLinear that a node executes together with the QuantizeLinear before it stays there.
    * A layer that no node names belongs to the node before it if that node names no layers. Otherwise it belongs to
      the only node that reads its result, unless that node reads other unnamed layers. If it does, the layer is alone.
    * Unnamed Reshapes and Transposes that OpenVINO replaces by a layout belong to the channels-last node before or
      after them.
    * Parts of a tensor that OpenVINO reads in place belong to the group that reads them (``in_place``).
    """
    node_of = _nodes_of_layers(model, executed)
    joined: list[set[int]] = [set() for _ in model.layers]
    makers = makers_of(model)
    readers = Counter(name for layer in model.layers for name in set(layer.reads))
    for index, layer in enumerate(model.layers):
        for maker in {makers[name] for name in layer.reads if name in makers}:
            before = model.layers[maker]
            if (node_of.get(maker) is not None and node_of.get(maker) == node_of.get(index)) or (
                before.op_type == "DequantizeLinear"
                and maker not in node_of
                and readers[before.outputs[0]] == 1
                and before.outputs[0] not in model.outputs
            ):
                joined[maker].add(index)
    for group in model.groups:
        if any(row_of(model.layers[index]).quantises for index in group):
            together = [index for index in group if not _is_dequantised_before(model, node_of, group, index)]
            for index in together:
                joined[index].add(together[0])
    groups = [tuple(group) for group in connected(range(len(model.layers)), joined) if len(group) > 1]
    home = {index: group for group in groups for index in group}
    for part in joining_in_place(model, executed, node_of, groups):
        whole = tuple(sorted({index for member in part for index in home.get(member, (member,))}))
        home.update(dict.fromkeys(whole, whole))
    return without_circles(model, makers, [*set(home.values())])


def _is_dequantised_before(model: Model, node_of: Mapping[int, int], group: Sequence[int], index: int) -> bool:
    # Return whether a layer of a quantised call is a DequantizeLinear that is executed with the layer before it.
    others = {node_of.get(other) for other in group if other != index}
    return model.layers[index].op_type == "DequantizeLinear" and index in node_of and node_of[index] not in others


def _nodes_of_layers(model: Model, executed: Sequence[Executed]) -> dict[int, int]:
    # Return for each layer the index of the executed node that contains it; layers of unknown nodes are missing.
    by_name = {layer.name: index for index, layer in enumerate(model.layers)}
    by_name |= {
        name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name in model.outputs
    }
    node_of: dict[int, int] = {}
    after_unnamed: set[int] = set()
    unnamed: set[str] = set()
    # Nodes with a name that no layer has.
    taking: set[int] = set()
    # Nodes that depend only on constants.
    fixed: set[str] = set()
    for number, node in enumerate(executed):
        reads = set(node["inputs"].split(","))
        if node["layerType"] == "Const" or (node["layerType"] != "Input" and reads <= fixed):
            fixed.add(node["name"])
        if node["layerType"] in PLUMBING or node["name"] in fixed:
            continue
        names = [name.removesuffix(_APART) for name in source_names(node)]
        layers = {by_name[name] for name in names if name in by_name}
        if not layers:
            unnamed.add(node["name"])
        own = next((node_of[index] for index in sorted(layers) if index in node_of), number)
        node_of.update(dict.fromkeys(layers, own))
        if layers and not all(name in by_name for name in names):
            taking.add(own)
        if not unnamed.isdisjoint(reads):
            after_unnamed.add(own)
    written, reading = _relabelling(executed)
    _join_before(model, node_of, lambda index, node: node in reading and model.layers[index].op_type in VIEWS)
    _join_behind(model, node_of, taking | written)
    _join_before(
        model,
        node_of,
        lambda index, node: node not in after_unnamed and model.layers[index].op_type != "QuantizeLinear",
    )
    return node_of


def _relabelling(executed: Sequence[Executed]) -> tuple[set[int], set[int]]:
    # Return the channels-last nodes whose result, and those whose input, is read in another layout without a copy.
    by_name = {node["name"]: number for number, node in enumerate(executed)}
    fake = {node["name"]: node for node in executed if is_relabelling(node)}
    written = {by_name[node["inputs"]] for node in fake.values() if node["inputs"] in by_name}
    reading = {number for number, node in enumerate(executed) if not fake.keys().isdisjoint(node["inputs"].split(","))}
    last = {number for number, node in enumerate(executed) if node["outputLayouts"] in CHANNELS_LAST}
    return written & last, reading & last


def _join_before(model: Model, node_of: dict[int, int], joins: Callable[[int, int], bool]) -> None:
    # Assign an unnamed layer to the only node that reads its results, if `joins(layer, node)` is true.
    readers = readers_of(model)
    for index in range(len(model.layers) - 1, -1, -1):
        layer = model.layers[index]
        behind = {node_of.get(reader) for name in layer.outputs for reader in readers.get(name, ())}
        leaves = not set(layer.outputs).isdisjoint(model.outputs)
        if index not in node_of and not leaves and len(behind) == 1:
            joined = behind.pop()
            if joined is not None and joins(index, joined):
                node_of[index] = joined


def _join_behind(model: Model, node_of: dict[int, int], taking: Collection[int]) -> None:
    # Assign an unnamed layer to the node that writes all its inputs, if that node has absorbed layers.
    makers = makers_of(model)
    for index, layer in enumerate(model.layers):
        behind = {node_of.get(makers[name]) for name in layer.reads if name in makers}
        if index not in node_of and layer.op_type in TAKEN_IN and len(behind) == 1:
            node = behind.pop()
            if node is not None and node in taking:
                node_of[index] = node


def layers_of_nodes(model: Model, executed: Sequence[Executed]) -> dict[str, str]:
    """Return the main layer of each executed node, by name: the layer with most FLOPs, then most constant bytes."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for index, number in _nodes_of_layers(model, executed).items():
        members[number].append(index)

    def weight(index: int) -> tuple[bool, int, int, int]:
        layer = model.layers[index]
        constants = (model.constants[name].spec.nbytes for name in layer.reads if name in model.constants)
        return not row_of(layer).quantises, layer_flops(model, layer) or 0, sum(constants), -index

    return {executed[number]["name"]: model.layers[max(layers, key=weight)].name for number, layers in members.items()}


def _without_sums(model: Model, groups: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    # Split a group before a sum that a convolution writes into: alone, OpenVINO would copy the input of such a group.
    # Inside a network the sum costs little, since the convolution's output is fetched for writing anyway. Between
    # quantised tensors the cut is where the convolution's result has 8 bits.
    groups_left = []
    for group in groups:
        makers = {name: index for index in group for name in model.layers[index].outputs}
        convolves = any(row_of(model.layers[index]).kind == "convolution" for index in group)
        for place, index in enumerate(group if convolves else ()):
            layer = model.layers[index]
            outside = [name for name in layer.inputs if name not in makers and name not in model.constants]
            if layer.op_type != "Add" or len(layer.inputs) != 2:
                continue
            if len(outside) == 1:
                groups_left += [group[:place], group[place:]]
                break
            first = _before_quantised_sum(model, makers, layer)
            if first:
                groups_left += [first, tuple(index for index in group if index not in first)]
                break
        else:
            groups_left.append(group)
    return tuple(sorted(group for group in groups_left if len(group) > 1))


def _before_quantised_sum(model: Model, makers: Mapping[str, int], total: Layer) -> tuple[int, ...]:
    # Return the layers that compute the 8-bit summand inside a group; empty unless exactly one of two is inside.
    summands = []
    for name in total.inputs:
        reading = model.layers[makers[name]] if name in makers else None
        if reading is None or reading.op_type != "DequantizeLinear":
            return ()
        if reading.inputs[0] in makers:
            summands.append(makers[reading.inputs[0]])
    if len(summands) != 1:
        return ()
    part = depth_first(summands, lambda index: (makers[name] for name in model.layers[index].reads if name in makers))
    return tuple(sorted(part))
