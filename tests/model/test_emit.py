"""Emission: a pure function from layers to a network that runs alone."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from google.protobuf.message import EncodeError
from numpy.typing import NDArray
from onnx import helper
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

from dlbricks.errors import UnsupportedModelError
from dlbricks.model.emit import build_network, network_bytes
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.schemas import choose_opset
from dlbricks.model.types import Model, Placement
from tests.model.written import F32, network, node, reading, weight

X = {"x": ("float32", (2, 3))}
Y: dict[str, Any] = {"y": None}


def emitted(
    model: Model, rename: Mapping[str, str] | None = None, values: Mapping[str, bytes] | None = None
) -> onnx.ModelProto:
    """Emit all layers; constants are embedded."""
    given = values or {}
    constants = {name: given.get(name, constant.values or b"") for name, constant in model.constants.items()}
    layers = range(len(model.layers))
    return build_network(model, layers, model.inputs, model.outputs, rename=rename or {}, constants=constants)


def outputs_of(made: onnx.ModelProto, **feeds: NDArray[Any]) -> list[NDArray[Any]]:
    """Run a network as it is."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(network_bytes(made), options, providers=["CPUExecutionProvider"])
    results: list[NDArray[Any]] = session.run(None, feeds)
    return results


def test_what_is_equal_but_for_names_and_notation_gives_the_same_bytes(tmp_path: Path) -> None:
    """Names of tensors and nodes, documentation, explicit defaults and the order of attributes do not show."""
    plain = node("LRN", "x", "y", size=3)
    spelled = node("LRN", "image", "result", beta=0.75, bias=1.0, alpha=0.0001, size=3)
    spelled.name, spelled.doc_string = "secret_layer", "of a secret network"
    spelled.metadata_props.add(key="origin", value="secret")
    spec = ("float32", (1, 4, 3, 3))
    first = reading(network([plain], {"x": spec}, Y), tmp_path)
    second = reading(network([spelled], {"image": spec}, {"result": None}), tmp_path)
    one = network_bytes(emitted(first, {"x": "x0", "y": "y0"}))
    assert one == network_bytes(emitted(second, {"image": "x0", "result": "y0"}))
    assert b"secret" not in one


def test_opset_numbers_of_the_source_do_not_show(tmp_path: Path) -> None:
    """Networks that differ only in an opset number that changes nothing for their layers give the same bytes."""
    nodes = [node("Conv", "x w", "h"), node("Relu", "h", "y")]
    spec = {"x": ("float32", (1, 2, 5, 5))}
    kept = np.ones((1, 2, 3, 3), F32)
    made = [reading(network(nodes, spec, Y, {"w": kept}, opset=number), tmp_path) for number in (14, 17, 20, 22)]
    assert len({network_bytes(emitted(model, values={"w": kept.tobytes()})) for model in made}) == 1


@pytest.mark.parametrize(
    ("made", "opset", "expected"),
    [
        (node("Relu", "x", "y"), 14, 21),
        (node("Softmax", "x", "y"), 12, 12),
        (node("Softmax", "x", "y"), 13, 21),
        (node("ReduceMean", "x", "y", axes=[0]), 13, 17),
        (node("Gelu", "x", "y"), 20, 21),
        (node("RMSNormalization", "x x", "y"), 23, 23),
    ],
)
def test_opset_is_the_nearest_to_the_preferred_one_in_which_the_layer_means_the_same(
    made: onnx.NodeProto, opset: int, expected: int, tmp_path: Path
) -> None:
    """Versions with the same signature are one class; within it the one nearest to 21 is declared."""
    model = reading(network([made], X, Y, opset=opset), tmp_path)
    assert choose_opset(model, range(len(model.layers))) == (("", expected),)


def test_layers_inside_bodies_limit_the_opset(tmp_path: Path) -> None:
    """A body's layers are emitted under the same opset, so their versions count too."""
    body = helper.make_graph([node("ReduceMean", "x", "z", axes=[0])], "body", [], [onnx.ValueInfoProto(name="z")])
    made = network([node("If", "c", "y", then_branch=body, else_branch=body)], {**X, "c": ("bool", ())}, Y, opset=13)
    assert choose_opset(reading(made, tmp_path), [0]) == (("", 17),)


def test_domains_of_the_runtime_are_version_one(tmp_path: Path) -> None:
    """com.microsoft has no versions; the default domain is declared even where no layer is of it."""
    made = network([node("QuickGelu", "x", "y", domain="com.microsoft")], X, Y, domains=["com.microsoft"])
    model = reading(made, tmp_path)
    assert choose_opset(model, [0]) == (("", 21), ("com.microsoft", 1))
    assert outputs_of(emitted(model), x=np.zeros((2, 3), F32))[0].shape == (2, 3)


def test_ceilings_are_those_of_the_runtime() -> None:
    """The runtime accepts a network at its ceilings and refuses one above."""
    opset, ir_version = runtime_ceilings()
    assert opset >= 21
    assert ir_version >= 10

    def load(opset: int, ir_version: int) -> None:
        made = network([node("Abs", "x", "y")], X, {"y": X["x"]}, opset=opset)
        made.ir_version = ir_version
        ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])

    load(opset, ir_version)
    for above in ((opset + 1, ir_version), (opset, ir_version + 1)):
        with pytest.raises(Fail):
            load(*above)


def test_captured_names_are_renamed_at_every_depth_and_shadowed_ones_are_not(tmp_path: Path) -> None:
    """A Loop in an If: both use an outer tensor; the loop also names a tensor of its own like another outer one."""
    float_spec, bool_spec, int_spec = ("float32", (2, 3)), ("bool", ()), ("int64", ())
    loop_body = helper.make_graph(
        [node("Add", "h shared", "next"), node("Identity", "again", "again_out")],
        "loop",
        [helper.make_tensor_value_info(name, number, shape) for name, number, shape in _LOOP_INPUTS],
        [
            helper.make_tensor_value_info("again_out", onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", onnx.TensorProto.FLOAT, [2, 3]),
        ],
    )
    then = helper.make_graph(
        [node("Loop", "trips c shared", "branch", body=loop_body)], "then", [], [onnx.ValueInfoProto(name="branch")]
    )
    other = helper.make_graph(
        [node("Identity", "shared", "branch2")], "else", [], [onnx.ValueInfoProto(name="branch2")]
    )
    made = network(
        [node("Abs", "x", "shared"), node("If", "c", "y", then_branch=then, else_branch=other)],
        {"x": float_spec, "c": bool_spec, "trips": int_spec},
        {"y": ("float32", (2, 3))},
    )
    model = reading(made, tmp_path)
    renamed = emitted(model, {"x": "b0", "c": "x1", "trips": "x2", "shared": "t0", "y": "y0"})
    text = str(renamed)
    assert not re.search(r'"(shared|branch2?|again|again_out|trips|loop|then|else)"', text)
    feeds = {"b0": np.full((2, 3), -2, F32), "x1": np.array(1, bool), "x2": np.array(3, np.int64)}
    np.testing.assert_array_equal(outputs_of(renamed, **feeds)[0], np.full((2, 3), 8, F32))


_LOOP_INPUTS: list[tuple[str, int, list[int]]] = [
    ("i", onnx.TensorProto.INT64, []),
    ("again", onnx.TensorProto.BOOL, []),
    ("h", onnx.TensorProto.FLOAT, [2, 3]),
]


def test_a_body_tensor_named_like_an_outer_one_hides_it(tmp_path: Path) -> None:
    """The body's own ``x`` is not the captured ``x`` after renaming either."""
    scan_body = helper.make_graph(
        [node("Neg", "x", "negated")],
        "scan",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [3])],
        [helper.make_tensor_value_info("negated", onnx.TensorProto.FLOAT, [3])],
    )
    made = network([node("Scan", "x", "y", body=scan_body, num_scan_inputs=1)], X, Y)
    model = reading(made, tmp_path)
    result = outputs_of(emitted(model, {"x": "x0", "y": "y0"}), x0=np.ones((2, 3), F32))
    np.testing.assert_array_equal(result[0], -np.ones((2, 3), F32))


def test_omitted_operands_keep_their_places(tmp_path: Path) -> None:
    """An omitted optional input stays omitted, also where others follow it."""
    model = reading(network([node("Clip", "x - m", "y")], X, Y, {"m": np.array(0.5, F32)}), tmp_path)
    made = emitted(model, {"x": "x0", "m": "c0", "y": "y0"})
    assert list(made.graph.node[0].input) == ["x0", "", "c0"]
    assert outputs_of(made, x0=np.ones((2, 3), F32))[0].max() == F32(0.5)


def test_placed_constants_are_read_from_their_stretch(tmp_path: Path) -> None:
    """A Placement becomes external data with the offset given and the length that dtype and shape ask for."""
    model = reading(network([node("Mul", "x w", "y")], X, Y, {"w": weight("w", "float32", (2, 3))}), tmp_path)
    values = np.arange(6, dtype=F32)
    (tmp_path / "weights.bin").write_bytes(b"\xff" * 64 + values.tobytes() + b"\xff" * 8)
    places = {"w": Placement(file="weights.bin", offset=64)}
    made = build_network(model, [0], ["x"], ["y"], rename={"x": "x0", "y": "y0", "w": "c0"}, constants=places)
    (tmp_path / "emitted.onnx").write_bytes(network_bytes(made))
    session = ort.InferenceSession(tmp_path / "emitted.onnx", providers=["CPUExecutionProvider"])
    result = session.run(None, {"x0": np.ones((2, 3), F32)})[0]
    np.testing.assert_array_equal(result.reshape(-1), values)


@pytest.mark.parametrize("dtype", ["int4", "uint4", "float8e4m3fn", "float8e5m2", "int8"])
def test_narrow_types_are_embedded_as_they_are(dtype: str, tmp_path: Path) -> None:
    """Types that numpy lacks are emitted with their own element type and packed bytes; the runtime takes them."""
    constants: dict[str, Any] = {"w": weight("w", dtype, (2, 4)), "s": np.array(2, F32)}
    made = network([node("DequantizeLinear", "w s", "d"), node("Add", "x d", "y")], {"x": ("float32", (2, 4))}, Y,
                   constants, opset=21)  # fmt: skip
    model = reading(made, tmp_path)
    size = model.constants[next(name for name in model.constants if name.startswith("w"))].spec.nbytes
    values = {name: b"\0" * size for name, constant in model.constants.items() if constant.values is None}
    result = outputs_of(emitted(model, values=values), x=np.ones((2, 4), F32))[0]
    np.testing.assert_array_equal(result, np.ones((2, 4), F32))


def test_what_is_no_tensor_cannot_cross_the_boundary(tmp_path: Path) -> None:
    """A sequence as an output is refused in one line that names it."""
    made = network([node("SequenceConstruct", "x x", "s"), node("SequenceLength", "s", "y")], X, {"y": ("int64", ())})
    model = reading(made, tmp_path)
    with pytest.raises(UnsupportedModelError, match="'s' is not a tensor"):
        build_network(model, [0], ["x"], ["s"], rename={}, constants={})


def test_constants_of_strings_become_other_texts(tmp_path: Path) -> None:
    """As many different texts take their place; those of the network are written nowhere."""
    made = network([node("Equal", "x k", "y")], {"x": ("string", (2,))}, Y, {"k": np.array(["secret", "word"])})
    (kept,) = emitted(reading(made, tmp_path)).graph.initializer
    assert list(kept.string_data) == [b"0", b"1"]


def test_what_no_file_can_hold_is_refused() -> None:
    """protobuf cannot write more than 2 GiB; it says so in an error of its own."""

    class Huge:
        def SerializeToString(self, **_: Any) -> bytes:  # noqa: N802 - its name
            message = "Failed to serialize proto"
            raise EncodeError(message)

    with pytest.raises(UnsupportedModelError, match="larger than 2 GiB"):
        network_bytes(cast("onnx.ModelProto", Huge()))
