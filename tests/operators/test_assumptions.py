"""Sizes, iterations and branches that follow from a made-up value of an input are marked, and a given value is used."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from dlbricks.construct.compose import inspect_split
from dlbricks.errors import InputError
from dlbricks.model.lowering.targets import for_target, save_lowered, this_machine
from dlbricks.model.read.network import read_batched, read_model
from dlbricks.model.types import Model
from dlbricks.operators.assumptions import assumption_lines
from dlbricks.operators.costs import kind_and_sizes, layer_costs, layer_flops
from dlbricks.sequences.split import network
from dlbricks.settings import SplitSettings

FILES = Path("tests/data/decided_by_values")
_USE = "use_cache_branch"


@pytest.mark.parametrize(
    ("name", "values", "shape", "line"),
    [
        (
            "o31_loop_input_trips",
            {"M": "50"},
            (1, 64),
            "input M decides iterations of Loop; its value is assumed: set it by --value M=N",
        ),
        (
            "o32_range_input",
            {"n": "7"},
            (7,),
            "input n decides size of r, rf, y; its value is assumed: set it by --value n=N",
        ),
        (
            "o33_topk_input",
            {"k": "100"},
            (8, 100),
            "input k decides size of v, i, y; its value is assumed: set it by --value k=N",
        ),
        (
            "o35_resize_input",
            {"s": "1,3,256,256"},
            (1, 3, 256, 256),
            "input s decides size of r, y; its value is assumed: set it by --value s=N,N,N,N",
        ),
        (
            "o38_if_unequal",
            {"use": "false"},
            (64, 64),
            "input use decides branch of If; its value is assumed: set it by --value use=true",
        ),
        (
            "o40_merged_decoder",
            {_USE: "false"},
            (1, 1, 256),
            f"input {_USE} decides branch of If; its value is assumed: set it by --value {_USE}=true",
        ),
        (
            "o41_orig_im_size",
            {"orig_im_size": "1024,700.0"},
            (1, 4, 1024, 700),
            "input orig_im_size decides size of masks; its value is assumed: set it by --value orig_im_size=N,N",
        ),
    ],
)
def test_a_made_up_value_is_said_and_a_given_one_used(
    name: str, values: dict[str, str], shape: tuple[int, ...], line: str
) -> None:
    """With a value nothing is assumed, and the input is gone."""
    path = FILES / f"{name}.onnx"
    assert assumption_lines(read_model(path)) == (line,)
    inspection = inspect_split(network(path, SplitSettings(target="portable")))
    assert inspection.assumed == (line,)
    assert any(facts.assumed for facts in inspection.layer_facts)
    model = read_model(path, values=values)
    assert (model.assumed, model.assumed_bodies) == ({}, {})
    assert model.spec(model.outputs[0]).shape == shape
    assert not values.keys() & set(model.inputs)


@pytest.mark.parametrize(("use", "products"), [("true", 1), ("false", 20)])
def test_the_operations_are_those_of_the_branch(use: str, products: int) -> None:
    """A product of 64 x 64 matrices each."""
    inspection = inspect_split(
        network(FILES / "o38_if_unequal.onnx", SplitSettings(target="portable", values={"use": use}))
    )
    assert inspection.flops == products * 2 * 64**3


def test_what_is_assumed_survives_lowering_and_its_file(tmp_path: Path) -> None:
    """Layers that the runtime renames or fuses are marked like those of the file."""
    for name in ("o31_loop_input_trips", "o35_resize_input", "o38_if_unequal"):
        model = read_model(FILES / f"{name}.onnx")
        lowered = for_target(model, "onnxruntime-cpu")
        assert lowered.assumed_bodies.keys() == model.assumed_bodies.keys()
        assert set(lowered.assumed.values()) == set(model.assumed.values())
        save_lowered(lowered, tmp_path / "lowered.onnx", this_machine("onnxruntime-cpu"))
        read = read_batched(tmp_path / "lowered.onnx", batch=None)
        assert (read.assumed, read.assumed_bodies) == (lowered.assumed, lowered.assumed_bodies)
    with pytest.raises(InputError, match=r"is lowered: give --value use=true to 'dlbricks lower'$"):
        read_model(tmp_path / "lowered.onnx", values={"use": "true"})


@pytest.mark.parametrize(
    ("name", "values", "error"),
    [
        (
            "o35_resize_input",
            {"s": "1,3,256"},
            r"^--value s=1,3,256: shape \[3\] does not fit the input's \[4\]$",
        ),
        (
            "o35_resize_input",
            {"s": "1,3,2.5,4"},
            r"^--value s=1,3,2.5,4: give a value of the input's type, int64$",
        ),
        (
            "o38_if_unequal",
            {"use": "maybe"},
            r"^--value use=maybe: expected numbers, true or false, separated by commas, or a file \(.npy, .pb\)$",
        ),
        ("o41_orig_im_size", {"orig_im_size": "a,b"}, r"^--value orig_im_size=a,b: expected numbers"),
        (
            "o41_orig_im_size",
            {"orig_im_size": "gone.npy"},
            r"^--value orig_im_size=gone.npy: No such file or directory$",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_one_line(name: str, values: dict[str, str], error: str) -> None:
    """It says which."""
    with pytest.raises(InputError, match=error) as refused:
        read_model(FILES / f"{name}.onnx", values=values)
    assert "\n" not in str(refused.value)


def test_a_value_may_be_a_file(tmp_path: Path) -> None:
    """Of numpy or a TensorProto, of the type and shape of the input."""
    path, sizes = FILES / "o35_resize_input.onnx", np.array([1, 3, 64, 48])
    np.save(tmp_path / "s.npy", sizes)
    (tmp_path / "s.pb").write_bytes(numpy_helper.from_array(sizes).SerializeToString())
    for file in ("s.npy", "s.pb"):
        model = read_model(path, values={"s": str(tmp_path / file)})
        assert model.spec("y").shape == (1, 3, 64, 48)
    np.save(tmp_path / "s.npy", sizes + 0.5)
    with pytest.raises(InputError, match=r"give a value of the input's type, int64$"):
        read_model(path, values={"s": str(tmp_path / "s.npy")})


WHILE = ["Add k one k2", "Less k2 limit on", "MatMul h w h2"]
DOWN = ["Sub k one k2", "Greater k2 zero on", "MatMul h w h2"]
DATA = ["Add k one k2", "MatMul h w h2", "Reshape h2 row s", "Gather s zero t", "Less t large on"]


@pytest.mark.parametrize(
    ("inner", "start", "limit", "turns"),
    [
        (WHILE, "zero", "n1", 10),
        (DOWN, "n1", "zero", 10),
        (["Add k one k2", "Less turn limit on", "MatMul h w h2"], "zero", "n1", 11),
        (["Add k one k2", "Identity go on", "MatMul h w h2"], "n1", "zero", 30),
        (DATA, "n1", "zero", None),
    ],
    ids=["carried", "down", "turn", "always", "data"],
)
def test_iterations_that_a_given_value_decides_are_counted(
    tmp_path: Path, inner: list[str], start: str, limit: str, turns: int | None
) -> None:
    """A Loop whose condition is computed from constants has operations; one that data ends has none, never 0."""
    value = helper.make_tensor_value_info
    parts = [text.replace("limit", limit).split() for text in inner]
    calls = [helper.make_node(op, reads, [result]) for op, *reads, result in parts]
    entries = [value("turn", 7, []), value("go", 9, []), value("h", 1, [1, 64]), value("k", 7, [])]
    turn = helper.make_graph(calls, "b", entries, [value("on", 9, []), value("h2", 1, [1, 64]), value("k2", 7, [])])
    nodes = [
        helper.make_node("Add", ["n", "one"], ["n1"]),
        helper.make_node("Loop", ["most", "", "x", start], ["h0", "last"], body=turn, name="loop"),
        helper.make_node("Relu", ["h0"], ["y"]),
    ]
    constants = {"one": np.array(1), "zero": np.array(0), "most": np.array(30), "large": np.float32(100)}
    constants |= {"w": np.zeros((64, 64), np.float32), "row": np.array([64])}
    path = saved(tmp_path / "net.onnx", nodes, {"x": (1, [1, 64]), "n": (7, [])}, **constants)
    model = read_model(path, values={"n": "9"})
    flops = layer_flops(model, next(layer for layer in model.layers if layer.op_type == "Loop"))
    assert flops == (None if turns is None else turns * 2 * 64 * 64)
    assert inspect_split(network(path, SplitSettings(target="portable", values={"n": "9"}))).flops == flops


def test_content_that_no_small_value_fixes_is_named(tmp_path: Path) -> None:
    """How many elements of an image are not zero; what follows from its shape alone is not assumed."""
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Cast", ["places"], ["far"], to=TensorProto.FLOAT),
        helper.make_node("Shape", ["x"], ["extents"]),
        helper.make_node("Reshape", ["x", "extents"], ["same"]),
        helper.make_node("Relu", ["same"], ["fixed"]),
    ]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("far", "fixed")]
    entry = helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, 8])
    made = helper.make_model(
        helper.make_graph(nodes, "g", [entry], outputs), opset_imports=[helper.make_opsetid("", 17)]
    )
    onnx.save(made, tmp_path / "net.onnx")
    model = read_model(tmp_path / "net.onnx")
    assert model.assumed == {"places": "x", "far": "x"}
    assert assumption_lines(model) == (
        "input x decides size of places, far; its value is assumed: set it by --value x=FILE.npy",
    )


@pytest.mark.parametrize(
    ("op_type", "reads", "line"),
    [
        (
            "GreedySearch",
            "ids most",
            "input most decides iterations of GreedySearch, size of y; its value is assumed: set it by --value most=N",
        ),
        (
            "Sampling",
            "ids most",
            "input most decides iterations of Sampling, size of y; its value is assumed: set it by --value most=N",
        ),
        (
            "BeamSearch",
            "ids ten one beams one",
            "input beams decides iterations of BeamSearch, size of y; its value is assumed: set it by --value beams=N",
        ),
    ],
)
def test_searches_take_as_many_turns_as_an_input_says(tmp_path: Path, op_type: str, reads: str, line: str) -> None:
    """The runtime's own loops over a decoder: their longest result, beams and results are operands."""
    nodes = [helper.make_node("Identity", ["input_ids"], ["logits"])]
    entry = helper.make_tensor_value_info("input_ids", TensorProto.INT32, [1, 4])
    decoder = helper.make_graph(nodes, "decoder", [entry], [helper.make_empty_tensor_value_info("logits")])
    attributes: dict[str, Any] = {"decoder": decoder, "eos_token_id": 0, "pad_token_id": 0}
    search = helper.make_node(op_type, reads.split(), ["y"], op_type, domain="com.microsoft", **attributes)
    entries = [("ids", [1, 4]), *((name, [1]) for name in reads.split() if name in {"most", "beams"})]
    constants = [numpy_helper.from_array(np.array([size], np.int32), name) for size, name in ((10, "ten"), (1, "one"))]
    graph = helper.make_graph(
        [search],
        "g",
        [helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name, shape in entries],
        [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 10])],
        [constant for constant in constants if constant.name in reads.split()],
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8), tmp_path / "net.onnx")
    assert assumption_lines(read_model(tmp_path / "net.onnx")) == (line,)


def body(turn: str) -> onnx.GraphProto:
    """A turn of a Loop over one row, which hands it on, writes it out, and may make it longer."""
    value = helper.make_tensor_value_info
    grown = helper.make_node("Concat", ["row", "row"], ["next"], axis=1) if turn == "grow" else None
    nodes = [
        helper.make_node("Identity", ["go"], ["on"]),
        grown or helper.make_node("Tanh", ["row"], ["next"]),
        helper.make_node("ReduceSum", ["row"], ["seen"], keepdims=0),
    ]
    entries = [value("turn", 7, []), value("go", 9, []), value("row", 1, [1, None])]
    return helper.make_graph(
        nodes, "body", entries, [value("on", 9, []), value("next", 1, [1, None]), value("seen", 1, [])]
    )


def branch(name: str, extent: int) -> onnx.GraphProto:
    """A branch with a result of some length."""
    constant = numpy_helper.from_array(np.ones(extent, np.float32), f"{name}0")
    nodes = [helper.make_node("Neg", [f"{name}0"], [name])]
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(name, 1, [extent])], [constant])


class Drawn:
    """A network of float matrices, whose sizes follow from the input ``n`` (a number), ``go`` or from shapes alone."""

    def __init__(self) -> None:
        """Begin with the input ``x``."""
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.last = "x"
        self.bodies: set[str] = set()

    def put(self, op: str, *reads: str, outputs: int = 1, **attributes: Any) -> str:
        """Add a node, and return its first result."""
        names = [f"t{len(self.nodes)}_{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(op, reads, names, name=f"{op}{len(self.nodes)}", **attributes))
        return names[0]

    def constant(self, value: Any) -> str:
        """Add a constant."""
        self.constants.append(numpy_helper.from_array(np.array(value), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def number(self, how: str) -> str:
        """Return a vector of one number: the input, what is computed of it, or an extent of the last tensor."""
        if how == "value":
            return self.put("Add", "n", self.constant([1]))
        if how == "n":
            return "n"
        return self.put("Min", self.put("Shape", self.last, end=1), self.constant([3]))

    def add(self, kind: str, how: str) -> None:
        """Add a layer to a matrix [a, b], which gives one again."""
        one, flat = self.constant([1]), self.last
        if kind == "relu":
            self.last = self.put("Relu", flat)
        elif kind == "tile":
            self.last = self.put("Tile", flat, self.put("Concat", one, self.number(how), axis=0))
        elif kind == "slice":
            self.last = self.put("Slice", flat, self.constant([0]), self.number(how), one)
        elif kind == "range":
            end = self.put("Squeeze", self.number(how))
            numbers = self.put("Range", self.constant(0), end, self.constant(1))
            self.last = self.put("Unsqueeze", self.put("Cast", numbers, to=1), self.constant([0]))
        elif kind == "sum":
            self.last = self.put("ReduceSum", flat, one, keepdims=1)
        elif kind in ("loop", "grow"):
            count = self.put("Squeeze", self.number(how))
            row = self.put("ReduceSum", flat, keepdims=1)
            handed = self.put("Loop", count, "", row, outputs=2, body=body(kind))
            self.bodies |= {self.nodes[-1].name} if how != "shape" else set()
            # what is written out in each turn is as long as there are turns
            seen = self.put("Unsqueeze", handed.replace("_0", "_1"), self.constant([0]))
            self.last = self.put("Concat", handed, seen, axis=1)
        elif kind == "if":
            chosen = self.put("If", "go", then_branch=branch(f"a{flat}", 2), else_branch=branch(f"b{flat}", 5))
            self.bodies.add(self.nodes[-1].name)
            self.last = self.put("Unsqueeze", chosen, self.constant([0]))

    def save(self, path: Path) -> None:
        """Write the network, with each tensor as an output."""
        value = helper.make_tensor_value_info
        self.put("Identity", self.last)
        graph = helper.make_graph(
            self.nodes,
            "drawn",
            [value("x", 1, [4, 3]), value("n", 7, [1]), value("go", 9, [])],
            [helper.make_empty_tensor_value_info(self.nodes[-1].output[0])],
            self.constants,
        )
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


LAYERS = st.tuples(
    st.sampled_from(["relu", "tile", "slice", "range", "sum", "loop", "grow", "if"]),
    st.sampled_from(["n", "value", "shape"]),
)


def shapes_of(path: Path, feeds: Mapping[str, np.ndarray[Any, Any]], model: Model) -> dict[str, tuple[int, ...]]:
    """Run a network in onnxruntime; the shape of each tensor of a model."""
    made = onnx.load(path)
    names = [
        name
        for layer in model.layers
        for name in layer.outputs
        if name in {n for e in made.graph.node for n in e.output}
    ]
    if not names:
        return {}
    del made.graph.output[:]
    made.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    quiet = ort.SessionOptions()
    quiet.log_severity_level = 3
    session = ort.InferenceSession(made.SerializeToString(), quiet, providers=["CPUExecutionProvider"])
    used = {entry.name for entry in session.get_inputs()}
    found = session.run(names, {name: value for name, value in feeds.items() if name in used})
    return {name: value.shape for name, value in zip(names, found, strict=True)}


@settings(max_examples=30, deadline=None)
@given(layers=st.lists(LAYERS, min_size=1, max_size=5), n=st.integers(1, 6), go=st.booleans())
def test_what_is_not_marked_has_its_real_size(
    tmp_path_factory: pytest.TempPathFactory, layers: list[tuple[str, str]], n: int, go: bool
) -> None:
    """With made-up values unmarked tensors have the shapes of any real call; with those of a call all have them."""
    drawn, path = Drawn(), tmp_path_factory.mktemp("drawn") / "net.onnx"
    for kind, how in layers:
        drawn.add(kind, how)
    drawn.save(path)
    feeds = {"x": np.ones((4, 3), np.float32), "n": np.array([n]), "go": np.array(go)}
    made_up = read_model(path)
    real = shapes_of(path, feeds, made_up)
    for name, shape in real.items():
        if name not in made_up.assumed:
            assert made_up.spec(name).shape == shape, name
        else:
            assert made_up.assumed[name] in {"n", "go"}
    present = {layer.name for layer in made_up.layers}
    assert drawn.bodies & present <= made_up.assumed_bodies.keys()
    given_values = read_model(path, values={"n": str(n), "go": str(go).lower()})
    assert (given_values.assumed, given_values.assumed_bodies) == ({}, {})
    for name, shape in shapes_of(path, feeds, given_values).items():
        assert given_values.spec(name).shape == shape, name
    if not {kind for kind, _ in layers} & {"if"} and all(
        how == "shape" for kind, how in layers if kind not in ("relu", "sum")
    ):
        assert (made_up.assumed, made_up.assumed_bodies) == ({}, {})


def saved(path: Path, nodes: list[onnx.NodeProto], entries: dict[str, tuple[int, list[int]]], **constants: Any) -> Path:
    """Write a network of some nodes, whose last one has the result."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, dtype, shape) for name, (dtype, shape) in entries.items()],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array(value), name) for name, value in constants.items()],
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8), path)
    return path


@pytest.mark.parametrize(
    ("op_type", "reads", "decides"),
    [
        ("Pad", {"x": (1, [4, 8]), "s": (7, [4])}, "s: --value s=N,N,N,N"),
        ("ExpandDims", {"x": (1, [4, 8]), "s": (6, [])}, "s: --value s=N"),
        ("Unique", {"x": (1, [64])}, "x: --value x=FILE.npy"),
        (
            "CropAndResize",
            {"x": (1, [1, 3, 8, 8]), "r": (1, [2, 4]), "b": (6, [2]), "s": (6, [2])},
            "s: --value s=N,N",
        ),
    ],
)
def test_sizes_of_the_runtimes_own_operators_are_marked(
    tmp_path: Path, op_type: str, reads: dict[str, tuple[int, list[int]]], decides: str
) -> None:
    """They pad, cut and extend by operands like the standard's."""
    results = ["y", "i", "n"] if op_type == "Unique" else ["y"]
    nodes = [
        helper.make_node(op_type, [*reads], results, domain="com.microsoft"),
        helper.make_node("Relu", ["y"], ["z"]),
    ]
    [line] = assumption_lines(read_model(saved(tmp_path / "net.onnx", nodes, reads)))
    assert line.startswith(f"input {decides.partition(':')[0]} decides ")
    assert line.endswith(decides.partition(":")[2])


def test_only_the_condition_decides_how_much_is_left(tmp_path: Path) -> None:
    """Of what Compress chooses from, no value counts."""
    nodes = [helper.make_node("Compress", ["x", "b"], ["y"], axis=0)]
    path = saved(tmp_path / "net.onnx", nodes, {"x": (1, [3, 8]), "b": (9, [3])})
    assert assumption_lines(read_model(path)) == (
        "input b decides size of y; its value is assumed: set it by --value b=true,true,true",
    )
    assert assumption_lines(read_model(path, values={"b": "true,false,true"})) == ()


@pytest.mark.parametrize(
    ("split", "given", "extent"), [([4], "20,20,20,4", 20), ([], "20", 20), ([1], "64", 64)], ids=str
)
def test_parts_of_a_sequence_are_marked(tmp_path: Path, split: list[int], given: str, extent: int) -> None:
    """How long the parts are an input says, and which part is taken; parts that are equal in any case are not."""
    nodes = [
        helper.make_node("SplitToSequence", ["x", "s"], ["q"]),
        helper.make_node("SequenceAt", ["q", "first"], ["y"]),
    ]
    path = saved(tmp_path / "net.onnx", nodes, {"x": (1, [64, 3]), "s": (7, split)}, first=0)
    numbers = ",".join("N" * sum(split or [1]))
    assert assumption_lines(read_model(path)) == (
        f"input s decides size of q, y; its value is assumed: set it by --value s={numbers}",
    )
    model = read_model(path, values={"s": given})
    assert (model.spec("y").shape, assumption_lines(model)) == ((extent, 3), ())
    nodes = [
        helper.make_node("SequenceConstruct", ["a", "b"], ["q"]),
        helper.make_node("SequenceAt", ["q", "place"], ["y"]),
    ]
    for rows, lines in (
        (4, ()),
        (400, ("input place decides size of y; its value is assumed: set it by --value place=N",)),
    ):
        entries = {"a": (1, [4, 3]), "b": (1, [rows, 3]), "place": (7, [])}
        assert assumption_lines(read_model(saved(tmp_path / "net.onnx", nodes, entries))) == lines


@pytest.mark.parametrize(("op_type", "gates"), [("GRU", 3), ("LSTM", 4), ("RNN", 1)])
def test_lengths_of_sequences_are_marked(tmp_path: Path, op_type: str, gates: int) -> None:
    """A recurrent layer computes as many steps as its fifth operand says; a mask is as long as the call."""
    weights = {name: np.ones((1, gates * 8, 8), np.float32) for name in ("W", "R")}
    cell = helper.make_node(op_type, ["x", "W", "R", "", "n"], ["y"], hidden_size=8)
    path = saved(tmp_path / "net.onnx", [cell], {"x": (1, [50, 2, 8]), "n": (6, [2])}, **weights)
    model = read_model(path)
    assert assumption_lines(model) == (
        f"input n decides length of {op_type}; its value is assumed: set it by --value n=N,N",
    )
    assert (layer_flops(model, model.layers[0]), layer_costs(model, model.layers[0])) == (None, None)
    model = read_model(path, values={"n": "3,7"})
    assert assumption_lines(model) == ()
    assert layer_flops(model, model.layers[0]) == 2 * (3 + 7) * 2 * gates * 8 * 8
    assert kind_and_sizes(model, model.layers[0])[1][0] == 5
    summed = helper.make_node("ReduceSum", ["mask", "axes"], ["n"], keepdims=0)
    entries = {"x": (1, [50, 2, 8]), "mask": (6, [2, 50])}
    path = saved(tmp_path / "net.onnx", [summed, cell], entries, axes=np.array([1]), **weights)
    assert assumption_lines(read_model(path)) == ()


def test_tokens_in_a_cache_are_marked(tmp_path: Path) -> None:
    """Attention to one token of a cache of 2,048 takes a twentieth of that to all."""
    places = ["q", "k", "v", "pk", "pv", "last", "total"]
    heads: dict[str, Any] = {"num_heads": 2, "kv_num_heads": 2}
    node = helper.make_node("GroupQueryAttention", places, ["y", "nk", "nv"], domain="com.microsoft", **heads)
    entries = {name: (1, [1, 1, 16]) for name in "qkv"} | {name: (1, [1, 2, 32, 8]) for name in ("pk", "pv")}
    path = saved(tmp_path / "net.onnx", [node], entries | {"last": (6, [1]), "total": (6, [1])})
    [line] = assumption_lines(read_model(path))
    assert line == "input last decides length of GroupQueryAttention; its value is assumed: set it by --value last=N"
    model = read_model(path, values={"last": "4", "total": "5"})
    assert model.assumed_bodies == {}
    assert layer_flops(model, model.layers[0]) == 2 * 2 * 5 * 16
    assert layer_flops(read_model(path), model.layers[0]) is None
    entries = {name: (1, [2, *shape[1:]]) for name, (_, shape) in entries.items()}
    path = saved(tmp_path / "net.onnx", [node], entries | {"last": (6, [2]), "total": (6, [1])})
    model = read_model(path, values={"last": "4,10", "total": "11"})
    assert layer_flops(model, model.layers[0]) == 2 * 2 * (5 + 11) * 16


def test_a_scan_whose_length_is_made_up_is_read(tmp_path: Path) -> None:
    """Its operand has no shape until it is run."""
    body = helper.make_graph(
        [helper.make_node("Add", ["h", "s"], ["after"]), helper.make_node("Tanh", ["after"], ["out"])],
        "body",
        [helper.make_tensor_value_info("h", 1, [4]), helper.make_tensor_value_info("s", 1, [])],
        [helper.make_tensor_value_info(name, 1, [4]) for name in ("after", "out")],
    )
    nodes = [
        helper.make_node("Range", ["zero", "n", "step"], ["numbers"]),
        helper.make_node("Scan", ["h0", "numbers"], ["last", "all"], num_scan_inputs=1, body=body),
        helper.make_node("Relu", ["all"], ["y"]),
    ]
    steps = {"zero": np.float32(0), "step": np.float32(1)}
    path = saved(tmp_path / "net.onnx", nodes, {"h0": (1, [4]), "n": (1, [])}, **steps)
    [line] = assumption_lines(read_model(path))
    assert line.startswith("input n decides ")
    assert line.endswith("set it by --value n=N")
    model = read_model(path, values={"n": "9"})
    assert (model.spec("y").shape, model.assumed, model.assumed_bodies) == ((9, 4), {}, {})


@pytest.mark.parametrize("op_type", ["RandomUniformLike", "Bernoulli"])
def test_a_size_that_random_values_decide_is_not_known(tmp_path: Path, op_type: str) -> None:
    """Each run finds other elements that are not zero; the shape alone of random values decides nothing random."""
    drawn = helper.make_node(op_type, ["x"], ["u"])
    nodes = [drawn, helper.make_node("NonZero", ["u"], ["z"]), helper.make_node("Cast", ["z"], ["y"], to=1)]
    model = read_model(saved(tmp_path / "net.onnx", nodes, {"x": (1, [20])}))
    assert f"random values of {op_type} decide them" in str(model.layers[-1].skip)
    nodes = [drawn, helper.make_node("NonZero", ["x"], ["z"]), helper.make_node("Cast", ["z"], ["y"], to=1)]
    assert read_model(saved(tmp_path / "net.onnx", nodes, {"x": (1, [20])})).layers[-1].skip is None


def test_hints_name_only_values_that_can_be_given(tmp_path: Path) -> None:
    """No option gives strings; the mode of a Dropout is one."""
    nodes = [helper.make_node("Cast", ["n"], ["k"], to=7), helper.make_node("Expand", ["x", "k"], ["y"])]
    path = saved(tmp_path / "net.onnx", nodes, {"x": (1, [1]), "n": (8, [1])})
    assert assumption_lines(read_model(path)) == (
        "input n decides size of y; its value is assumed, and no option sets it",
    )
    drop = helper.make_node("Dropout", ["x", "ratio", "t"], ["y"])
    path = saved(tmp_path / "net.onnx", [drop], {"x": (1, [4]), "t": (9, [])}, ratio=np.float32(0.5))
    assert str(read_model(path).layers[0].skip).endswith("random results: --value t=false turns it off")
    assert read_model(path, values={"t": "false"}).layers[-1].skip is None
