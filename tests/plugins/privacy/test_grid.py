"""Networks of the grid around a private one: they tell the cells of its sizes and nothing else of them."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from dlbricks.harness.run.progress import silent
from dlbricks.model.read.network import read_model
from dlbricks.plugins.privacy.evaluation import evaluate, read_public_network, read_zoo
from dlbricks.plugins.privacy.grid_networks import LEAST, STEPS, Grid, GridNetworks, grid_networks, write_grid
from dlbricks.settings import SplitSettings, SuiteOptions
from dlbricks.suite.generate import generate

NETWORKS = Path(__file__).parents[3] / "suites" / "networks"


def _asked(path: Path, steps: int = 2) -> GridNetworks:
    return grid_networks(path, SplitSettings(target="portable"), Grid(steps=steps))


@given(st.integers(LEAST, 1 << 20), st.sampled_from(STEPS))
def test_a_size_lies_between_neighbours_of_the_grid(size: int, steps: int) -> None:
    """The points around a size are neighbours, no further apart than the steps say, and depend on the cell alone."""
    grid = Grid(steps=steps)
    low, high = grid.below(size), grid.above(size)
    assert low <= size < high <= low * (steps + 1) // steps
    assert grid.points.index(high) == grid.points.index(low) + 1
    assert (grid.below(low), grid.above(low)) == (low, high)


@pytest.mark.parametrize("steps", STEPS)
def test_a_finer_grid_has_all_points_of_a_coarser_one(steps: int) -> None:
    """Each grid has its steps for each doubling, whole numbers from 8 up, and holds the powers of 2."""
    points = Grid(steps=steps).points
    assert list(points) == sorted(set(points))
    assert points[0] == LEAST
    assert {LEAST << power for power in range(20)} <= set(points)
    assert sum(64 <= point < 128 for point in points) == steps


def _convolutions(path: Path, channels: int, width: int, extent: int, *, pooled: bool) -> Path:
    """Two convolutions, one joined to what it reads, and a product of means, or of all places, whose number is none."""
    rows = channels if pooled else channels * extent * extent
    shapes = {"a": (channels, 3, 3, 3), "b": (channels, channels, 1, 1), "c": (rows, width), "s": (channels,)}
    kinds = TensorProto.FLOAT
    weights = [
        TensorProto(name=name, data_type=kinds, dims=shape, data_location=TensorProto.EXTERNAL)
        for name, shape in shapes.items()
    ]
    for tensor in weights:
        tensor.external_data.add(key="location", value="none")
    root = numpy_helper.from_array(np.array(width**-0.5, "float32"), "root")
    nodes = [
        helper.make_node("Conv", ["x", "a", "s"], ["p"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["p"], ["q"]),
        helper.make_node("Conv", ["q", "b"], ["r"]),
        helper.make_node("Add", ["r", "q"], ["t"]),
        helper.make_node("GlobalAveragePool" if pooled else "Relu", ["t"], ["u"]),
        helper.make_node("Flatten", ["u"], ["v"]),
        helper.make_node("MatMul", ["v", "c"], ["w"]),
        helper.make_node("Mul", ["w", "root"], ["y"]),
    ]
    first = helper.make_tensor_value_info("x", kinds, (1, 3, extent, extent))
    last = helper.make_tensor_value_info("y", kinds, (1, width))
    graph = helper.make_graph(nodes, "g", [first], [last], [*weights, root])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    path.write_bytes(made.SerializeToString())
    return path


@pytest.mark.parametrize(("pooled", "steps"), [(True, 1), (True, 2), (False, 2)])
def test_networks_of_equal_cells_ask_for_the_same_bytes(pooled: bool, steps: int, tmp_path: Path) -> None:
    """What is asked for depends on nothing but the cells: anywhere in them, the same networks come out."""
    draw = random.Random(1)  # noqa: S311 - the same in every run
    made = [_asked(_convolutions(tmp_path / "0.onnx", 64, 128, 24, pooled=pooled), steps)]
    for number in range(1, 9 if pooled else 4):  # without it, what does not fit is seen by a run
        sizes = (draw.randrange(64, 96), draw.randrange(128, 192), draw.randrange(24, 26))
        made.append(_asked(_convolutions(tmp_path / f"{number}.onnx", *sizes, pooled=pooled), steps))
    if not pooled:  # the rows of the product have cells of their own, so that networks agree on all but these
        made = [replace(one, networks=tuple(net for net in one.networks if b"MatMul" not in net)) for one in made]
    assert len(made[0].networks) == 4
    assert set(made) == {made[0]}
    assert _asked(_convolutions(tmp_path / "other.onnx", 130, 128, 24, pooled=True), steps) != made[0]


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "hf_llama_small"])
def test_no_size_off_the_grid_is_left(name: str, tmp_path: Path) -> None:
    """Of a network of odd sizes every size of what is asked for, kernel windows aside, is a point or follows from some.

    All operators of the network occur in what is asked for.
    """
    path = NETWORKS / f"{name}.onnx"
    asked, points = _asked(path), Grid().points
    assert asked.without == ()
    original = read_model(path)
    sizes = {extent for constant in original.constants.values() for extent in constant.spec.shape}
    assert any(size >= LEAST and size not in points for size in sizes)
    kinds = set[str]()
    for data in asked.networks:
        place = tmp_path / "one.onnx"
        place.write_bytes(data)
        model = read_model(place)
        kinds |= {layer.op_type for layer in model.layers}
        given_sizes = [
            dim.dim_value
            for entry in onnx.ModelProto.FromString(data).graph.input
            for dim in entry.type.tensor_type.shape.dim
        ]
        held = [constant.spec.shape for constant in model.constants.values()]
        assert all(size < LEAST or size in points for size in given_sizes)
        assert all(size < LEAST or size in points for shape in held for size in shape)
    assert kinds >= {layer.op_type for layer in original.layers if not layer.is_view}


def test_a_grid_hides_the_depth_and_not_the_family(tmp_path: Path) -> None:
    """ResNet-18 with the blocks of ResNet-34 repeated asks for the same sequences; another family asks for others."""
    model = onnx.load(str(NETWORKS / "tv_resnet18.onnx"), load_external_data=False)
    nodes, made = list(model.graph.node), list[onnx.NodeProto]()
    ends = {"relu_4": 1, "relu_8": 2, "relu_12": 4, "relu_16": 1}
    later: dict[str, str] = {}
    for place, node in enumerate(nodes):
        made.append(onnx.NodeProto.FromString(node.SerializeToString()))
        made[-1].input[:] = [later.get(name, name) for name in node.input]
        for copy in range(ends.get(node.output[0], 0)):
            block, entered = nodes[place - 4 : place + 1], made[-1].output[0]
            renamed = {name: f"{name}.{copy}" for one in block for name in one.output}
            renamed[block[0].input[0]] = entered
            for one in block:
                made.append(onnx.NodeProto.FromString(one.SerializeToString()))
                made[-1].input[:] = [renamed.get(name, name) for name in one.input]
                made[-1].output[:] = [renamed[name] for name in one.output]
                made[-1].name = f"{one.name}.{copy}"
        if node.output[0] in ends:
            later[node.output[0]] = made[-1].output[0]
    del model.graph.node[:]
    model.graph.node.extend(made)
    deeper = tmp_path / "deeper.onnx"
    onnx.save(model, str(deeper))
    shallow, deep, other = (
        read_public_network(path, SplitSettings(target="portable", granularity="1"), steps=2)
        for path in (NETWORKS / "tv_resnet18.onnx", deeper, NETWORKS / "tv_alexnet.onnx")
    )
    assert not isinstance(shallow, str)
    assert not isinstance(deep, str)
    assert not isinstance(other, str)
    assert shallow.pieces == deep.pieces
    assert len(other.pieces.keys() & shallow.pieces.keys()) < 0.1 * len(other.pieces)


def test_sizes_of_a_grid_are_not_called_right(tmp_path: Path) -> None:
    """The true network is found by the grid around it; its sizes lie between the points that the suite has."""
    (tmp_path / "asked").mkdir()
    (tmp_path / "zoo").mkdir()
    true, settings = tmp_path / "zoo" / "true.onnx", SplitSettings(target="portable", granularity="1")
    _convolutions(tmp_path / "zoo" / "other.onnx", 320, 512, 12, pooled=False)
    write_grid(
        [_convolutions(true, 70, 130, 25, pooled=True)],
        settings,
        tmp_path / "asked",
        grid=Grid(steps=2),
        progress=silent,
    )
    suite, _ = generate([str(tmp_path / "asked")], settings, SuiteOptions(), out=tmp_path / "suite")
    found = evaluate(suite, read_zoo([str(tmp_path / "zoo")], suite, dims={}), ["true"])
    assert (found.grid, found.identification.first) == (2, 1)
    assert found.sizes
    assert {size.chance for size in found.sizes} == {None}
