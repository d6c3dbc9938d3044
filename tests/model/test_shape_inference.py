"""Shapes beyond onnx's inference: symbolic inference, declared types, one run."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper

from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.costs import layer_costs, layer_flops
from tests.model.written import F32, network, node, reading, weight

X = {"x": ("float32", (4, 8))}


def shapes(model: Model) -> dict[str, tuple[int, ...]]:
    return {name: model.spec(name).shape for layer in model.layers for name in layer.outputs}


def test_operators_of_the_runtime_leave_no_gap(tmp_path: Path) -> None:
    """com.microsoft operators have known shapes, and so has what follows; nothing had to be run."""
    nodes = [
        node("BiasGelu", "x b", "g", domain="com.microsoft"),
        node("FusedMatMul", "g w", "m", domain="com.microsoft"),
        node("Relu", "m", "y"),
    ]
    constants = {"b": weight("b", "float32", (8,)), "w": weight("w", "float32", (8, 5))}
    model = reading(network(nodes, X, {"y": None}, constants, domains=["com.microsoft"]), tmp_path)
    assert shapes(model) == {"g": (4, 8), "m": (4, 5), "y": (4, 5)}
    assert model.observed is None
    assert not any(layer.skip for layer in model.layers)


def test_operators_of_the_runtime_are_inferred_in_turns_with_folding(tmp_path: Path) -> None:
    """Each turn gives sizes that the next needs, and a custom operator beside them keeps no shape back; no run."""
    nodes = [node("Magic", "x", "m", domain="wizards")]
    for turn in range(3):
        nodes += [
            node("BiasGelu", f"x{turn} b", f"g{turn}", domain="com.microsoft"),
            node("Shape", f"g{turn}", f"s{turn}"),
            node("Expand", f"g{turn} s{turn}", f"e{turn}"),
            node("Reshape", f"e{turn} s{turn}", f"x{turn + 1}"),
        ]
    constants = {"b": weight("b", "float32", (8,))}
    made = network(nodes, {**X, "x0": X["x"]}, {"x3": None, "m": None}, constants, domains=["com.microsoft", "wizards"])
    model = reading(made, tmp_path)
    skips = {layer.op_type: layer.skip for layer in model.layers}
    assert skips.pop("Magic") == "wizards.Magic is an operator of a custom domain"
    assert not any(skips.values())
    assert {shape for name, shape in shapes(model).items() if name != "m"} == {(4, 8)}
    assert model.observed is None


def test_data_dependent_shapes_come_from_a_run(tmp_path: Path) -> None:
    """NonZero and what follows get the shapes of one real run; values that decide shapes are recorded."""
    nodes = [
        node("MatMul", "x w", "h"),
        node("Greater", "h zero", "p"),
        node("NonZero", "p", "n"),
        node("Transpose", "n", "t", perm=[1, 0]),
        node("GatherND", "h t", "g"),
        node("Shape", "g", "s"),
        node("ConstantOfShape", "s", "z"),
        node("Add", "g z", "y"),
    ]
    constants: dict[str, Any] = {"w": weight("w", "float32", (8, 6)), "zero": np.array(0, F32)}
    model = reading(network(nodes, X, {"y": None}, constants), tmp_path)
    found = shapes(model)
    assert 0 < found["n"][1] < 24
    assert found["n"] == (2, found["g"][0])
    assert found["y"] == found["g"] == found["z"]
    assert "Shape" in [layer.op_type for layer in model.layers], "a shape that depends on data is no constant"
    assert model.observed is not None
    assert model.observed["s"] == np.array(found["g"]).tobytes()
    assert not any(layer.skip for layer in model.layers)


def test_declared_types_stand_in_for_custom_operators(tmp_path: Path) -> None:
    """An operator of a custom domain is skipped; the type that the file declares for its result carries on."""
    made = network(
        [node("Magic", "x", "h", domain="wizards"), node("Relu", "h", "y")], X, {"y": None}, domains=["wizards"]
    )
    made.graph.value_info.append(helper.make_tensor_value_info("h", 1, [3, 3]))
    model = reading(made, tmp_path)
    assert [layer.skip for layer in model.layers] == ["wizards.Magic is an operator of a custom domain", None]
    assert shapes(model) == {"h": (3, 3), "y": (3, 3)}


def test_what_cannot_be_known_is_skipped_with_the_reason(tmp_path: Path) -> None:
    """Without a declared type, everything behind a custom operator is skipped, and names that operator."""
    nodes = [
        node("Magic", "x", "h", domain="wizards"),
        node("Relu", "h", "r"),
        node("Neg", "r", "y"),
        node("Relu", "x", "z"),
    ]
    model = reading(network(nodes, X, {"y": None, "z": None}, domains=["wizards"]), tmp_path)
    skips = {layer.outputs[0]: layer.skip for layer in model.layers}
    assert skips["h"] == "wizards.Magic is an operator of a custom domain"
    assert skips["r"] == skips["y"]
    assert str(skips["r"]).startswith(
        "shapes behind wizards.Magic 'Magic' cannot be known: it is an operator of a custom"
    )
    assert skips["z"] is None


@pytest.mark.parametrize("placed", ["alone", "in a body", "behind another"])
@pytest.mark.parametrize(
    ("operator", "domain", "attributes"),
    [
        ("LabelEncoder", "ai.onnx.ml", {"keys_int64s": [1, 2], "values_int64s": [3, 4]}),
        ("DictVectorizer", "ai.onnx.ml", {"string_vocabulary": ["a", "b"]}),
        ("RegexFullMatch", "", {"pattern": "a*"}),
    ],
)
def test_operators_that_end_onnx_without_a_type_are_kept_from_it(
    operator: str, domain: str, attributes: dict[str, Any], placed: str, tmp_path: Path
) -> None:
    """Behind a result of unknown type onnx 1.23 follows a null pointer; the layers around them have shapes."""
    crashing = node(operator, "h", "t", domain=domain, **attributes)
    if placed == "in a body":
        bodies = {name: helper.make_graph([crashing], name, [], [onnx.ValueInfoProto(name="t")]) for name in ("a", "b")}
        crashing = node("If", "c", "t", then_branch=bodies["a"], else_branch=bodies["b"])
    nodes = [node("Magic", "x", "h", domain="wizards"), crashing, node("Relu", "x", "z"), node("ReduceSum", "z", "y")]
    if placed == "behind another":
        nodes.insert(2, node(operator, "t", "u", domain=domain, **attributes))
    constants: dict[str, Any] = {"c": np.array(True)}
    domains = ["wizards", "ai.onnx.ml"]
    model = reading(network(nodes, X, {"y": None, "t": None}, constants, domains=domains), tmp_path)
    skips = {layer.op_type: layer.skip for layer in model.layers}
    assert skips.pop("Relu") is skips.pop("ReduceSum") is None
    assert all(skips.values())


def test_an_operator_that_needs_a_type_has_a_shape_where_it_has_one(tmp_path: Path) -> None:
    """A LabelEncoder behind a Cast is inferred as any other operator, and so is one behind it."""
    nodes = [
        node("Cast", "x", "i", to=onnx.TensorProto.INT64),
        *(
            node("LabelEncoder", one, two, domain="ai.onnx.ml", keys_int64s=[1, 2], values_int64s=[3, 4])
            for one, two in ("ij", "jk")
        ),
        node("Neg", "k", "y"),
    ]
    made = network(nodes, X, {"y": None}, domains=["ai.onnx.ml"])
    made.opset_import[1].version = 4
    model = reading(made, tmp_path)
    assert set(shapes(model).values()) == {(4, 8)}
    assert not any(layer.skip for layer in model.layers)


def test_values_that_are_missing_name_their_file(tmp_path: Path) -> None:
    """A shape that lies in a file beside the network, which is not there, is told with the file and its tensor."""
    made = network([node("Reshape", "x s", "h"), node("Relu", "h", "y")], X, {"y": None})
    made.graph.initializer.append(numpy_helper.from_array(np.array([-1]), "s"))
    onnx.save(made, tmp_path / "n.onnx", save_as_external_data=True, location="there.bin", size_threshold=0)
    (tmp_path / "there.bin").unlink()
    reasons = {layer.skip for layer in read_model(tmp_path / "n.onnx").layers}
    assert reasons == {
        "shapes behind Reshape 'Reshape' cannot be known: values of 's' lie in there.bin, which is missing"
    }


def test_shapes_that_do_not_fit_are_told(tmp_path: Path) -> None:
    """Whoever gave an input another extent than its weights have sees the layer and what onnx says."""
    made = network([node("MatMul", "x w", "y")], {"x": ("float32", (2,))}, {"y": None})
    made.graph.initializer.append(numpy_helper.from_array(np.ones((14, 3), np.float32), "w"))
    model = reading(made, tmp_path)
    assert str(model.layers[0].skip).startswith("shapes behind MatMul 'MatMul' cannot be known: ")


@pytest.mark.parametrize(
    ("op_type", "others", "attributes"),
    [
        ("MatMul", (4, 5), {}),
        ("MatMul", (3, 4, 6), {}),
        ("Gemm", (4, 5), {}),
        ("Add", (4, 6), {}),
        ("Concat", (3, 6), {"axis": 0}),
    ],
)
def test_a_declared_result_of_shapes_that_do_not_fit_counts_for_nothing(
    tmp_path: Path, op_type: str, others: tuple[int, ...], attributes: dict[str, int]
) -> None:
    """What a file declares of such a layer is as wrong as its operands; the layer beside it is known."""
    nodes = [node(op_type, "a b", "y", **attributes), node("Relu", "a", "z")]
    made = network(nodes, {"a": ("float32", (4, 5)), "b": ("float32", others)}, {"y": ("float32", (4, 5)), "z": None})
    model = reading(made, tmp_path)
    assert f"shapes behind {op_type} '{op_type}' cannot be known: " in str(model.layers[0].skip)
    assert [layer_flops(model, layer) for layer in model.layers] == [None if op_type in {"MatMul", "Gemm"} else 0, 0]
    assert (layer_costs(model, model.layers[0]), model.layers[1].skip) == (None, None)


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[onnx.NodeProto], list[int]]:
    """Draw up to three pools behind one another, with a Neg between, and the sizes of an image of one to three axes."""
    rank = draw(st.integers(1, 3))
    each = st.lists(st.integers(1, 4), min_size=rank, max_size=rank)
    nodes = []
    for number in range(draw(st.integers(1, 3))):
        attributes: dict[str, Any] = {"kernel_shape": draw(each), "ceil_mode": draw(st.integers(0, 1))}
        attributes |= {name: draw(each) for name in ("strides", "dilations") if draw(st.booleans())}
        auto = draw(st.sampled_from(["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]))
        if auto != "NOTSET":
            attributes["auto_pad"] = auto
        else:
            attributes["pads"] = [draw(st.integers(0, size - 1)) for size in 2 * attributes["kernel_shape"]]
        op_type = draw(st.sampled_from(["MaxPool", "AveragePool", "LpPool"]))
        nodes += [node(op_type, f"n{number}", f"p{number}", **attributes), node("Neg", f"p{number}", f"n{number + 1}")]
    return nodes, draw(st.lists(st.integers(1, 12), min_size=rank, max_size=rank))


@settings(max_examples=40, deadline=None)
@given(drawn=pools(), opset=st.sampled_from([19, 22]))
def test_pools_have_the_shapes_of_the_runtime(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[onnx.NodeProto], list[int]], opset: int
) -> None:
    """No window begins in the padding behind the image, and dilations reach over ``auto_pad``; onnx has both."""
    nodes, sizes = drawn
    x = np.ones((1, 2, *sizes), F32)
    names = [name for made in nodes for name in made.output]
    made = network(nodes, {"n0": ("float32", x.shape)}, dict.fromkeys(names), opset=opset)
    for entry in made.graph.output:
        entry.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    quiet = ort.SessionOptions()
    quiet.log_severity_level = 4
    try:
        values = ort.InferenceSession(made.SerializeToString(), quiet, providers=["CPUExecutionProvider"]).run(
            names, {"n0": x}
        )
    except Exception:  # noqa: BLE001 - of windows that do not fit the runtime says so in many ways
        assume(False)
    model = reading(made, tmp_path_factory.mktemp("pools"))
    assert shapes(model) == {name: value.shape for name, value in zip(names, values, strict=True)}


@pytest.mark.parametrize(("size", "window", "stride", "pad", "extent"), [(1, 2, 2, 1, 1), (5, 2, 3, 1, 2)])
def test_a_pool_has_no_window_behind_the_image(
    tmp_path: Path, size: int, window: int, stride: int, pad: int, extent: int
) -> None:
    """As in pytorch issues 71549 and 116420: what begins in the padding at the end is left out."""
    pool = node("MaxPool", "x", "y", kernel_shape=[window] * 2, strides=[stride] * 2, pads=[pad] * 4, ceil_mode=1)
    model = reading(network([pool], {"x": ("float32", (1, 3, size, size))}, {"y": None}), tmp_path)
    assert model.spec("y").shape == (1, 3, extent, extent)


@pytest.mark.parametrize("auto", ["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize(
    ("stride", "more"), [(1, {}), (2, {}), (3, {"dilations": [2, 2]}), (2, {"output_shape": [9, 8]})]
)
def test_transposed_convolutions_have_the_shapes_of_the_runtime(
    tmp_path: Path, auto: str, stride: int, more: dict[str, list[int]]
) -> None:
    """The runtime ignores ``output_padding`` beside ``auto_pad``, onnx adds it."""
    attributes = {"strides": [stride] * 2, "output_padding": [stride - 1] * 2, "auto_pad": auto, **more}
    layer = node("ConvTranspose", "x w", "y", **attributes)
    x, w = np.ones((1, 2, 4, 3), F32), np.ones((2, 3, 3, 3), F32)
    made = network([layer, node("Relu", "y", "z")], {"x": ("float32", x.shape)}, {"z": None}, {"w": w})
    model = reading(made, tmp_path)
    made.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    [z] = ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, {"x": x})
    assert shapes(model) == {"y": z.shape, "z": z.shape}


def test_a_run_that_fails_is_named(tmp_path: Path) -> None:
    """If the run fails, layers of unknown shapes carry the runtime's words as their reason, in one line."""
    nodes = [node("Reshape", "x s", "h"), node("Reshape", "h t", "y")]
    model = reading(network(nodes, {**X, "s": ("int64", (2,)), "t": ("int64", (3,))}, {"y": None}), tmp_path)
    reasons = [layer.skip for layer in model.layers]
    assert all(reason is not None and "cannot be known: " in reason and "\n" not in reason for reason in reasons)


def test_extents_below_zero_are_no_shape(tmp_path: Path) -> None:
    """A window longer than its signal has -1 frames by onnx's inference; the runtime says what is wrong."""
    constants: dict[str, Any] = {
        "step": np.array(160),
        "window": weight("window", "float32", (400,)),
        "length": np.array(400),
    }
    nodes = [node("STFT", "x step window length", "y", onesided=1), node("Relu", "x", "z")]
    model = reading(network(nodes, {"x": ("float32", (2, 5))}, {"y": None, "z": None}, constants, opset=18), tmp_path)
    assert "window_size <= signal_size" in str(model.layers[0].skip)
    assert model.layers[1].skip is None


def test_a_crash_of_the_run_is_survived(tmp_path: Path) -> None:
    """Kernels that end their process (the smallest integer divided by -1) cost the run, not the reader."""
    nodes = [
        node("Sub", "i i", "zero"),
        node("Add", "zero low", "a"),
        node("Div", "a minus", "d"),
        node("NonZero", "d", "n"),
        node("Cast", "n", "y", to=1),
    ]
    constants = {"low": np.array(np.iinfo(np.int64).min), "minus": np.array(-1)}
    model = reading(network(nodes, {"i": ("int64", (4,))}, {"y": None}, constants), tmp_path)
    assert [layer.skip is None for layer in model.layers] == [True, True, True, False, False]
    assert "ended with code" in str(model.layers[3].skip)


@pytest.mark.parametrize("declared", [(2, 3), (7, 7)])
def test_a_run_overrules_what_is_declared(tmp_path: Path, declared: tuple[int, int]) -> None:
    """Declared shapes of results that depend on data are guesses; the run has the last word."""
    made = network([node("NonZero", "b", "n"), node("Cast", "n", "y", to=1)], {"b": ("bool", (10,))}, {"y": None})
    made.graph.value_info.append(helper.make_tensor_value_info("n", 7, declared))
    model = reading(made, tmp_path)
    assert model.spec("n").shape[0] == 1
    assert model.spec("y").shape == model.spec("n").shape


def test_weights_in_a_run_cost_one_stretch(tmp_path: Path) -> None:
    """A run with many large weights that are nowhere works: they share one stretch of one file."""
    nodes: list[onnx.NodeProto] = []
    constants = {}
    for index in range(20):
        constants[f"w{index}"] = weight(f"w{index}", "float32", (1024, 1024))
        nodes.append(node("MatMul", f"t{index} w{index}", f"t{index + 1}"))
    nodes += [node("NonZero", "t20", "n"), node("Cast", "n", "y", to=1)]
    model = reading(network(nodes, {"t0": ("float32", (1, 1024))}, {"y": None}, constants), tmp_path)
    assert model.spec("y").shape[0] == 2
    assert not any(layer.skip for layer in model.layers)


def test_sequences_are_skipped_and_tensors_behind_them_known(tmp_path: Path) -> None:
    """Layers that handle sequences are skipped by name; what comes out as a tensor again is seen in the run."""
    nodes = [
        node("SplitToSequence", "x", "s", axis=0, keepdims=0),
        node("ConcatFromSequence", "s", "c", axis=0),
        node("Relu", "c", "y"),
    ]
    model = reading(network(nodes, X, {"y": None}), tmp_path)
    assert [layer.skip for layer in model.layers] == [
        "SplitToSequence handles a sequence, optional or map",
        "ConcatFromSequence handles a sequence, optional or map",
        None,
    ]
    assert model.spec("s").dtype == ""
    assert shapes(model)["y"] == (32,)


def test_strings_are_skipped(tmp_path: Path) -> None:
    """Layers that handle strings are skipped by name."""
    made = network([node("StringNormalizer", "t", "y")], {}, {"y": None})
    made.graph.input.append(helper.make_tensor_value_info("t", onnx.TensorProto.STRING, [3]))
    assert [layer.skip for layer in reading(made, tmp_path).layers] == ["StringNormalizer handles strings"]


def test_embedded_indices_are_used_in_the_run(tmp_path: Path) -> None:
    """A gather by constant indices in front of a data-dependent layer runs on those indices."""
    constants = {"i": numpy_helper.from_array(np.array([3, 0, 2]), "i")}
    nodes = [node("Gather", "x i", "g"), node("Unique", "g", "u"), node("Relu", "u", "y")]
    model = reading(network(nodes, X, {"y": None}, constants), tmp_path)
    assert 8 < shapes(model)["y"][0] <= 24
