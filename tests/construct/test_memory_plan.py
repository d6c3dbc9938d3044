import functools
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import compared, empty_bytes
from onnx import TensorProto, helper, numpy_helper

from dlbricks.construct.memory_plan import peak_memory, plan_memory
from dlbricks.model.lowering.targets import for_target
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.table import BLOCKED
from dlbricks.sequences.split import read_network
from dlbricks.settings import SplitSettings
from tests.construct.arena_oracle import as_run
from tests.construct.made_up import network, work_of

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
STREAMING = Path(__file__).parents[1] / "data" / "memory"
# Operators by what they do with memory: results over an operand, new ones, views.
KEEPING = ("Relu", "Sigmoid", "Softmax", "Sqrt", "Erf", "Gelu", "Neg")


def names(model: Model, order: Sequence[int]) -> list[str]:
    return [model.layers[index].name for index in order]


def check(model: Model) -> None:
    """Compare with onnxruntime: order of layers, and size of the arena with and without buffers taken again."""
    plan = plan_memory(model)
    assert (names(model, plan.order), plan.peak_bytes) == as_run(model)
    assert plan_memory(model, reuses=False).peak_bytes == as_run(model, reuses=False)[1]


@pytest.mark.parametrize("path", sorted([*NETWORKS.glob("*.onnx"), *STREAMING.iterdir()]), ids=lambda path: path.stem)
def test_networks_run_and_take_memory_as_planned(path: Path) -> None:
    """Order of layers and size of the arena, of the graph that is executed on this processor."""
    dims = {"batch": 1, "seq": 64} if path.stem.startswith("leg_") else {}
    source = read_network(path, SplitSettings(target="onnxruntime-cpu", dims=dims))
    with tempfile.TemporaryDirectory() as weights:
        model = for_target(source, "onnxruntime-cpu", scratch=Path(weights))
        plan = plan_memory(model)
        assert (names(model, plan.order), plan.peak_bytes) == as_run(model, weights=Path(weights))


base_bytes = functools.cache(empty_bytes)


@pytest.mark.parametrize("name", ["tv_squeezenet1_1", "tv_densenet121", "hf_whisper_tiny_enc", "misc_lstm_lm"])
def test_memory_of_a_process_is_predicted(name: str) -> None:
    """Reordered filters, small and large; buffers larger than all weights; packed cells. Other targets: no figure."""
    (least, most), measured = compared(NETWORKS / f"{name}.onnx", base_bytes())
    assert least / 1.08 <= measured <= most * 1.08
    assert most <= 1.25 * least
    assert peak_memory(read_model(NETWORKS / f"{name}.onnx")) is None


@pytest.mark.parametrize(
    ("operator", "domain", "constants", "results", "expected"),
    [
        # read, reordered, as a message and as a tensor: each mapped, and unmapped but for the tensor
        ("Conv", BLOCKED, [40, 40], [], [200, 200]),
        # the second lies in the heap
        ("Conv", BLOCKED, [4, 4], [], [20, 20]),
        # the third lies where the second was read, reordered and a message, or its message does not fit there
        ("Conv", BLOCKED, [4, 4, 4], [], [24, 28]),
        ("MatMul", "", [8, 16], [], [40, 40]),
        ("LSTM", "", [16], [], [32, 32]),
        ("Gather", "", [64], [], [0, 64]),
        # regions of 4 MiB for each, then one for both
        ("Transpose", "", [], [3, 3], [12, 12]),
        # the first takes all of a region, in which the block for both lies later
        ("Transpose", "", [], [5, 2], [9, 9]),
        # regions lie where filters were reordered
        ("Conv", BLOCKED, [9, 9], [3, 3], [45, 45]),
    ],
)
def test_memory_is_that_of_filters_matrices_tables_and_regions(
    operator: str, domain: str, constants: list[int], results: list[int], expected: list[int]
) -> None:
    """The least and the most in MiB, less that of the session."""
    sizes = {f"c{place}": each << 20 for place, each in enumerate(constants)}
    sizes |= {f"t{place}": each << 20 for place, each in enumerate(results)}
    count = max(len(constants), len(results) + 1)
    chain = ["x", *(f"t{place}" for place in range(count - 1)), "y"]
    operations = [
        (operator, [f"c{place}", before][:: 1 if operator == "Gather" else -1] if constants else [before], [after])
        for place, (before, after) in enumerate(pairwise(chain))
    ]
    model = replace(network(operations, sizes, outputs=["y"], domain=domain), target="onnxruntime-cpu")
    span = peak_memory(model)
    assert span is not None
    assert [round(each / 2**20) - 1 for each in span] == expected


def test_work_grows_with_the_layers_and_not_with_their_square() -> None:
    """A plan of twice as many filters and results, all in use until the end, takes about twice the work."""

    def work(count: int) -> int:
        results = [f"t{index}" for index in range(count)]
        operations = [("Conv", ["x", f"c{index}"], [name]) for index, name in enumerate(results)]
        model = network([*operations, ("Concat", results, ["y"])], {}, outputs=["y"], domain=BLOCKED)
        return work_of(lambda: peak_memory(replace(model, target="onnxruntime-cpu")))

    # the first call of all does more
    _, few, many = map(work, (1, 100, 200))
    assert many < 2.5 * few


class Drawing:
    """A network of float tensors that grows by drawn operators."""

    def __init__(self, draw: st.DrawFn) -> None:
        """Begin with an input."""
        self.draw = draw
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.shapes: dict[str, tuple[int, ...]] = {"x": draw(st.sampled_from([(64, 16), (8, 128), (1024,)]))}

    def constant(self, values: object) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(values), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def add(self, operator: str, inputs: Sequence[str], *shapes: tuple[int, ...], **attributes: Any) -> list[str]:
        made = [f"t{len(self.nodes)}_{number}" for number in range(len(shapes))]
        self.nodes.append(helper.make_node(operator, inputs, made, **attributes))
        return made

    def grow(self) -> None:
        """Add an operator that reads a tensor of the last few."""
        read = self.draw(st.sampled_from(list(self.shapes)[-5:]))
        shape = self.shapes[read]
        elements = int(np.prod(shape))
        rows, others = shape[0], shape[1:]
        alike = [name for name, other in self.shapes.items() if other == shape]
        kind = self.draw(
            st.sampled_from([*KEEPING, "Transpose", "Reshape", "Add", "bias", "Concat", "Split", "TopK", "Cast", "Max"])
        )
        if kind in KEEPING:
            shapes = [shape]
            made = self.add(kind, [read], *shapes)
        elif kind == "Transpose":
            shapes = [shape[::-1]]
            made = self.add(kind, [read], *shapes)
        elif kind == "Reshape":
            shapes = [self.draw(st.sampled_from([(elements,), (1, elements), (*shape, 1)]))]
            made = self.add(kind, [read, self.constant(np.array(shapes[0]))], *shapes)
        elif kind in {"Add", "bias"}:
            other = self.constant(np.ones(1, np.float32)) if kind == "bias" else self.draw(st.sampled_from(alike))
            shapes = [shape]
            made = self.add("Add", [read, other], *shapes)
        elif kind == "Concat" and elements < 10**5:
            shapes = [(2 * rows, *others)]
            made = self.add(kind, [read, read], *shapes, axis=0)
        elif kind == "Split" and rows % 2 == 0:
            shapes = [(rows // 2, *others)] * 2
            made = self.add(kind, [read], *shapes, axis=0, num_outputs=2)
        elif kind == "TopK":
            # nobody reads the places
            shapes = [shape]
            made = self.add(kind, [read, self.constant(np.array([shape[-1]]))], shape, shape)
        elif kind == "Cast":
            shapes = [shape]
            # chains of Casts would be joined even without optimisations
            integers = self.add("Neg", self.add(kind, [read], shape, to=TensorProto.INT32), shape)
            made = self.add("Neg", self.add(kind, integers, shape, to=TensorProto.FLOAT), shape)
        else:
            shapes = [(1, *others)]
            made = self.add("ReduceMax", [read, self.constant(np.array([0]))], *shapes)
        self.shapes |= dict(zip(made, shapes, strict=False))

    def outputs(self) -> list[str]:
        """Name the tensors that are drawn to be outputs, in any order; at least one that nobody reads."""
        read = {name for node in self.nodes for name in node.input}
        last = [name for name in self.shapes if name not in read]
        chosen = self.draw(st.sets(st.sampled_from(last), min_size=1))
        others = self.draw(st.sets(st.sampled_from(list(self.shapes)), max_size=2)) - {"x"}
        return self.draw(st.permutations(sorted(chosen | others)))


@st.composite
def real_networks(draw: st.DrawFn) -> onnx.ModelProto:
    """Draw a network that runs: forks, views, results over operands, unread ones, constants, several outputs."""
    drawing = Drawing(draw)
    for _ in range(draw(st.integers(2, 24))):
        drawing.grow()
    inputs, outputs = (
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, drawing.shapes[name]) for name in end]
        for end in (["x"], drawing.outputs())
    )
    graph = helper.make_graph(drawing.nodes, "drawn", inputs, outputs, drawing.constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@given(real_networks())
def test_drawn_networks_run_and_take_memory_as_planned(
    tmp_path_factory: pytest.TempPathFactory, drawn: onnx.ModelProto
) -> None:
    """Order of layers and size of the arena, to the byte."""
    path = tmp_path_factory.mktemp("drawn") / "drawn.onnx"
    onnx.save(drawn, path)
    check(read_model(path))


def test_freed_memory_is_taken_again_where_it_fits_best() -> None:
    """A later tensor lies in the smallest gap that holds it; adjacent gaps are one."""
    operations = [
        ("Add", ["x"], ["a", "b", "d", "e"]),
        ("Add", ["a", "d"], ["f"]),
        ("Add", ["b", "e", "f"], ["g"]),
        ("Add", ["g"], ["y"]),
    ]
    sizes = {"a": 3 * 256, "b": 256, "d": 2 * 256, "e": 256, "f": 200, "g": 2 * 256}
    placed = plan_memory(network(operations, sizes, outputs=["y"]), reuses=False).places
    assert placed["f"] == (7 * 256, 8 * 256)
    assert placed["g"] == (4 * 256, 6 * 256)


def test_a_buffer_that_is_taken_again_is_kept_in_between() -> None:
    """The last of a row of layers takes the buffer of the first, so the ones in between cannot lie there."""
    sizes = {"a": 1024, "b": 256, "d": 1000, "e": 300, "f": 1024}
    chain = ["x", *sizes, "y"]
    model = network([("Add", [before], [after]) for before, after in pairwise(chain)], sizes, outputs=["y"])
    assert plan_memory(model).buffers == {"f": "a"}
    assert plan_memory(model).peak_bytes == 1024 + 256 + 1024 + 512
    assert plan_memory(model, reuses=False).peak_bytes == 1024 + 512
