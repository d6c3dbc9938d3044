"""Synthetic weights and inputs: valid for every operator, in separate ranges, determined by the layers."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from dlbricks.harness.dtypes import BY_NAME, decode
from dlbricks.harness.values import fill
from dlbricks.model.emit import write_weights
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.schemas import canonical_attributes
from dlbricks.model.types import Generator, Model, Placement, TensorSpec
from dlbricks.operators.uses import value_matters
from dlbricks.operators.values import (
    blob_file,
    grid_step,
    grid_value,
    place_constants,
)
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end
from dlbricks.suite.benchmarks import build_benchmark
from tests.model.written import F32, input_generator, network, node, reading, weight

Y: dict[str, Any] = {"y": None}
NAMES = ("Add", "Clip", "Conv", "Gather", "Mul", "Pow", "QuantizeLinear", "Reshape", "Resize")


def every_layer(model: Model) -> range:
    """All layers of a model."""
    return range(len(model.layers))


def weight_generator(model: Model, layers: Sequence[int], name: str) -> Generator:
    """The generator of a constant: of its weight file, or of the one byte that it holds throughout."""
    places, blobs = place_constants(model, layers, [name])
    place = places[name]
    if isinstance(place, bytes):
        return Generator(kind="literal", values=place[:1].hex())
    return next(blob.generator for blob in blobs if blob.file == place.file)


def step_of(generator: Generator) -> int:
    """The grid step of a uniform generator that is symmetric."""
    assert generator.kind == "uniform"
    assert generator.low == -generator.high
    return grid_step(generator.high)


@pytest.mark.parametrize(
    ("op_type", "spec", "shape", "attributes", "fan_in"),
    [
        ("Conv", (1, 8, 9, 9), (4, 8, 3, 3), {}, 72),
        ("Conv", (1, 8, 9, 9), (8, 1, 3, 3), {"group": 8}, 9),
        ("ConvTranspose", (1, 8, 9, 9), (8, 4, 4, 4), {"strides": [2, 2]}, 32),
        ("Gemm", (2, 16), (16, 5), {}, 16),
        ("Gemm", (2, 16), (5, 16), {"transB": 1}, 16),
        ("MatMul", (3, 2, 64), (64, 7), {}, 64),
        ("MatMul", (2, 64), (64,), {}, 64),
        ("Einsum", (2, 3, 4), (4, 5), {"equation": "abc,cd->abd"}, 4),
    ],
)
def test_amplitude_of_weights_follows_from_fan_in(
    op_type: str, spec: tuple[int, ...], shape: tuple[int, ...], attributes: dict[str, Any], fan_in: int, tmp_path: Path
) -> None:
    """Uniform with variance 1 / fan-in, to the nearest quarter octave."""
    made = network([node(op_type, "x w", "y", **attributes)], {"x": ("float32", spec)}, Y,
                   {"w": weight("w", "float32", shape)})  # fmt: skip
    generator = weight_generator(reading(made, tmp_path), [0], "w")
    wanted = math.sqrt(3 / fan_in)
    assert wanted / 2 ** (1 / 8) <= generator.high <= wanted * 2 ** (1 / 8)
    assert step_of(generator) == round(4 * math.log2(wanted))


def test_recurrent_weights_are_scaled_by_their_own_width(tmp_path: Path) -> None:
    """Input weights by the input's width, recurrent ones by the hidden width."""
    constants = {"w": weight("w", "float32", (1, 32, 100)), "r": weight("r", "float32", (1, 32, 8))}
    made = network([node("LSTM", "x w r", "y", hidden_size=8)], {"x": ("float32", (5, 1, 100))}, Y, constants)
    model = reading(made, tmp_path)
    assert step_of(weight_generator(model, [0], "w")) == round(4 * math.log2(math.sqrt(3 / 100)))
    assert step_of(weight_generator(model, [0], "r")) == round(4 * math.log2(math.sqrt(3 / 8)))


@pytest.mark.parametrize(
    ("op_type", "inputs", "low", "high"),
    [
        ("BatchNormalization", "x b b b w", 0.5, 1.5),
        ("BatchNormalization", "x w b b b", 0.5, 1.5),
        ("InstanceNormalization", "x w b", 0.5, 1.5),
        ("Div", "x w", 0.5, 1.5),
        ("Mul", "w x", 0.5, 1.5),
        ("PRelu", "x w", 0.5, 1.5),
        ("Add", "x w", -grid_value(-17), grid_value(-17)),
        ("Max", "x w", -1.0, 1.0),
    ],
)
def test_other_floats_follow_their_role(op_type: str, inputs: str, low: float, high: float, tmp_path: Path) -> None:
    """Variances, scales and divisors lie around one, what is added is small, all else lies between -1 and 1."""
    constants = {"w": weight("w", "float32", (32,)), "b": weight("b", "float32", (32,))}
    made = network([node(op_type, inputs, "y")], {"x": ("float32", (1, 32, 4, 32))}, Y, constants)
    assert weight_generator(reading(made, tmp_path), [0], "w") == Generator(kind="uniform", low=low, high=high)


def test_products_that_go_into_a_logarithm_have_positive_weights(tmp_path: Path) -> None:
    """A filter bank is positive, the weight after the logarithm and one whose product is squared are not."""
    nodes = [
        node("MatMul", "x a", "s"),
        node("Mul", "s s", "p"),
        node("MatMul", "p b", "m"),
        node("Add", "m e", "n"),
        node("Log", "n", "l"),
        node("MatMul", "l c", "y"),
    ]
    constants: dict[str, Any] = {name: weight(name, "float32", (64, 64)) for name in "abc"}
    made = network(nodes, {"x": ("float32", (2, 64))}, Y, {**constants, "e": np.array(1e-6, F32)})
    model = reading(made, tmp_path)
    made_of = {name: weight_generator(model, every_layer(model), name) for name in "abc"}
    assert made_of["b"] == Generator(kind="uniform", low=1 / 128, high=1 / 32)
    assert made_of["a"] == made_of["c"] == Generator(kind="uniform", low=-grid_value(-9), high=grid_value(-9))
    assert lower(model).source_layers == len(nodes)


def test_a_role_is_found_behind_views_and_casts(tmp_path: Path) -> None:
    """A weight that is dequantised, cast or transposed on its way is scaled for the product that it ends in."""
    nodes = [
        node("DequantizeLinear", "q s z", "d", axis=0),
        node("Transpose", "d", "t", perm=[1, 0]),
        node("MatMul", "x t", "y"),
    ]
    constants = {
        "q": weight("q", "int8", (40, 3000)),
        "s": weight("s", "float32", (40,)),
        "z": weight("z", "int8", (40,)),
    }
    model = reading(network(nodes, {"x": ("float32", (2, 3000))}, Y, constants), tmp_path)
    names = {name[0]: name for name in model.constants}
    layers = every_layer(model)
    data = weight_generator(model, layers, names["q"])
    assert (data.kind, data.low, data.high) == ("integers", -64, 64)
    step = grid_step(math.sqrt(3 / 3000) / 64)
    expected = Generator(kind="uniform", low=grid_value(step - 1), high=grid_value(step + 1))
    assert weight_generator(model, layers, names["s"]) == expected
    assert weight_generator(model, layers, names["z"]) == Generator(kind="literal", values="00")


ZERO_POINTS = [
    ("uint8", 3, "80"),
    ("uint8", 0, "00"),
    ("int8", 0, "00"),
    ("int8", -128, "01"),
    ("uint16", 3, "0080"),
    ("uint16", 0, "0000"),
]


@pytest.mark.parametrize(("dtype", "own", "expected"), ZERO_POINTS)
def test_zero_points_are_zero_where_those_of_the_network_are(
    dtype: str, own: int, expected: str, tmp_path: Path
) -> None:
    """Else in the middle of unsigned types; always embedded when small."""
    constants: dict[str, Any] = {"s": np.array(0.1, F32), "z": np.array(own, dtype)}
    made = network([node("QuantizeLinear", "x s z", "y")], {"x": ("float32", (2, 3))}, Y, constants)
    model = reading(made, tmp_path)
    places, _ = place_constants(model, [0], ["s", "z"])
    assert places["z"] == bytes.fromhex(expected)
    step = np.frombuffer(_embedded(places["s"]), F32)[0]
    assert 1 / 64 <= step <= 1 / 32


def test_only_whether_a_zero_point_is_zero_identifies_layers(tmp_path: Path) -> None:
    """Not which other value it has, nor one per channel or for all."""

    def fingerprint(dtype: str, value: int) -> str:
        constants: dict[str, Any] = {"s": np.full(3, 0.1, F32), "z": np.full(3, value, dtype)}
        made = network([node("QuantizeLinear", "x s z", "y")], {"x": ("float32", (2, 3))}, Y, constants)
        model = reading(made, tmp_path)
        return canonicalise(model, end_to_end(model)).fingerprint

    for dtype, other in (("uint8", 255), ("int8", -128)):
        assert fingerprint(dtype, 3) == fingerprint(dtype, other) != fingerprint(dtype, 0)


@pytest.mark.parametrize("channels", [(), (32,)])
@pytest.mark.parametrize("op_type", ["Gemm", "Conv"])
def test_quantised_biases_are_the_same_fused_and_by_themselves(
    op_type: str, channels: tuple[int, ...], tmp_path: Path
) -> None:
    """onnxruntime adds a bias to the integer product, whatever its scale: it has to be that of the product."""
    more = () if op_type == "Gemm" else (3, 3)
    constants: dict[str, Any] = {
        "w": weight("w", "int8", (32, 64, *more)),
        "b": weight("b", "int32", (32,)),
        "s": np.array(0.1, F32),
        "ws": weight("ws", "float32", channels) if channels else np.array(0.01, F32),
        "bs": weight("bs", "float32", channels) if channels else np.array(0.001, F32),
        "z": np.array(3, np.uint8),
        "wz": np.zeros(channels, np.int8),
        "bz": np.zeros(channels, np.int32),
    }
    nodes = [
        node("DequantizeLinear", "x s z", "d"),
        node("DequantizeLinear", "w ws wz", "e", axis=0),
        node("DequantizeLinear", "b bs bz", "f", axis=0),
        node(op_type, "d e f", "g", **({"transB": 1} if op_type == "Gemm" else {})),
        node("QuantizeLinear", "g s z", "y"),
    ]
    data = ("uint8", (4, 64, *(9 for _ in more)))
    model = reading(network(nodes, {"x": data}, Y, constants), tmp_path)
    assert weight_generator(model, every_layer(model), "b").high == 16
    built = build_benchmark(model, canonicalise(model, end_to_end(model)))
    write_weights(tmp_path, built.weights)
    (tmp_path / "built.onnx").write_bytes(built.network)
    values = np.random.default_rng(0).integers(0, 256, data[1]).astype(np.uint8)
    answers = []
    levels = onnxruntime.GraphOptimizationLevel
    for level in (levels.ORT_DISABLE_ALL, levels.ORT_ENABLE_ALL):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        session = onnxruntime.InferenceSession(tmp_path / "built.onnx", options)
        answers.append(session.run(None, {session.get_inputs()[0].name: values})[0].astype(np.int64))
    assert np.abs(answers[0] - answers[1]).max() <= 1
    assert np.mean((answers[0] > 0) & (answers[0] < 255)) > 0.5


def _embedded(place: Placement | bytes) -> bytes:
    assert isinstance(place, bytes)
    return place


def test_single_values_are_real_ones_only_on_demand(tmp_path: Path) -> None:
    """An epsilon that does not count is made up for a benchmark and kept for a whole network."""
    epsilon = np.array(1e-6, F32)
    model = reading(network([node("Add", "x e", "y")], {"x": ("float32", (2, 3))}, Y, {"e": epsilon}), tmp_path)
    assert place_constants(model, [0], ["e"], real_values=True)[0]["e"] == epsilon.tobytes()
    made_up = np.frombuffer(_embedded(place_constants(model, [0], ["e"])[0]["e"]), F32)
    assert made_up.size == 1
    assert 0 < abs(made_up[0]) <= grid_value(-17)


def test_what_counts_is_embedded_as_it_is(tmp_path: Path) -> None:
    """Integers that are indices or shapes, and exponents, keep their values in every benchmark."""
    constants: dict[str, Any] = {"e": np.array(2.5, F32), "s": np.array([3, 2], np.int64)}
    nodes = [node("Pow", "x e", "h"), node("Reshape", "h s", "y")]
    model = reading(network(nodes, {"x": ("float32", (2, 3))}, Y, constants), tmp_path)
    places, blobs = place_constants(model, every_layer(model), ["e", "s"])
    assert places == {"e": constants["e"].tobytes(), "s": constants["s"].tobytes()}
    assert not blobs


@pytest.mark.parametrize(
    ("op_type", "inputs", "position", "dtype", "expected"),
    [
        ("Add", "x k", 1, "float32", False),
        ("Add", "x k", 1, "int64", True),
        ("Clip", "x k", 1, "float32", True),
        ("Conv", "x k", 1, "float32", False),
        ("DequantizeLinear", "k s", 0, "int32", False),
        ("Gather", "x k", 1, "int64", True),
        ("Pow", "x k", 1, "float32", True),
        ("Pow", "k x", 0, "float32", False),
        ("QLinearConv", "x s z w s z s z k", 8, "int32", False),
        ("QuantizeLinear", "x s k", 2, "uint8", False),
        ("Resize", "x - k", 2, "float32", True),
        ("Where", "k x x", 0, "bool", True),
    ],
)
def test_which_values_count(op_type: str, inputs: str, position: int, dtype: str, *, expected: bool) -> None:
    """Integers and booleans count unless they are quantised; floats only where they set shapes or an algorithm."""
    layer = _layer(node(op_type, inputs, "y"))
    assert value_matters(layer, position, TensorSpec(name="k", dtype=dtype, shape=())) is expected


def _layer(made: onnx.NodeProto) -> Any:
    from dlbricks.model.types import Layer

    return Layer(
        name="l", op_type=made.op_type, domain=made.domain, since_version=1,
        attributes=canonical_attributes(made, {"": 20}), inputs=tuple(made.input),
        outputs=tuple(made.output), node=made.SerializeToString(),
    )  # fmt: skip


def test_captured_constants_have_the_role_of_their_use_in_the_body(tmp_path: Path) -> None:
    """A weight that a body uses is scaled like one outside; an exponent in a body counts."""
    body = helper.make_graph(
        [node("MatMul", "x w", "h"), node("Pow", "h e", "z")], "b", [], [onnx.ValueInfoProto(name="z")]
    )
    made = network(
        [node("If", "c", "y", then_branch=body, else_branch=body)],
        {"x": ("float32", (2, 64)), "c": ("bool", ())},
        {"y": ("float32", (2, 32))},
        {"w": weight("w", "float32", (64, 32)), "e": np.array(2, F32)},
    )
    model = reading(made, tmp_path)
    layer = model.layers[0]
    assert step_of(weight_generator(model, [0], "w")) == round(4 * math.log2(math.sqrt(3 / 64)))
    position = {name: len(layer.inputs) + index for index, name in enumerate(layer.captured)}
    assert value_matters(layer, position["e"], model.constants["e"].spec)
    assert not value_matters(layer, position["w"], model.constants["w"].spec)


generators = st.one_of(
    st.integers(-60, 8).map(lambda step: Generator(kind="uniform", low=-grid_value(step), high=grid_value(step))),
    st.integers(-60, 8).map(lambda k: Generator(kind="uniform", low=grid_value(k), high=grid_value(k + 2))),
    st.tuples(st.floats(-8, 8), st.floats(0.125, 8)).map(
        lambda pair: Generator(kind="uniform", low=pair[0], high=pair[0] + pair[1])
    ),
    st.tuples(st.integers(-128, 128), st.integers(1, 256)).map(
        lambda pair: Generator(kind="integers", low=pair[0], high=pair[0] + pair[1])
    ),
    st.floats(0, 1).map(lambda density: Generator(kind="spaced", density=density)),
    st.binary(min_size=1, max_size=8).map(lambda data: Generator(kind="literal", values=data.hex())),
)


@given(generators, generators)
def test_weight_files_have_equal_names_only_for_equal_numbers(one: Generator, other: Generator) -> None:
    """A file name says which numbers are in the file."""
    assert (blob_file("float32", one) == blob_file("float32", other)) == (one == other)
    assert blob_file("float32", one) != blob_file("float16", one)


def test_weight_files_are_named_by_the_grid() -> None:
    """As the documentation of WeightBlob has it."""
    a = grid_value(-5)
    assert blob_file("float32", Generator(kind="uniform", low=-a, high=a)) == "weights.float32.u-5.bin"
    assert a == pytest.approx(2 ** (-5 / 4), rel=1e-15)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Add", "Mul", "Max"]), st.sampled_from([(3,), (2, 1, 3), (700, 1), (700, 3), (2, 700, 3)])
        ),
        min_size=1,
        max_size=12,
    )
)
def test_constants_of_a_network_lie_apart(parts: list[tuple[str, tuple[int, ...]]]) -> None:
    """Stretches of one file do not overlap, begin at multiples of 64 (4096 for large ones), and fit in the file."""
    import tempfile

    nodes, constants, last = [], {}, "x"
    for number, (op_type, shape) in enumerate(parts):
        nodes.append(node(op_type, f"{last} w{number}", f"h{number}"))
        constants[f"w{number}"] = weight(f"w{number}", "float64", shape)
        last = f"h{number}"
    made = network(nodes, {"x": ("float64", (2, 700, 3))}, {last: None}, constants)
    with tempfile.TemporaryDirectory() as folder:
        model = reading(made, Path(folder))
    names = [name for name in constants if model.constants[name].values is None]
    places, blobs = place_constants(model, every_layer(model), names)
    ends = {blob.file: blob.nbytes for blob in blobs}
    taken: dict[str, int] = {}
    for name in names:
        place, size = places[name], model.constants[name].spec.nbytes
        assert isinstance(place, Placement)
        assert place.offset % (4096 if size >= 4096 else 64) == 0
        assert place.offset >= taken.get(place.file, 0)
        taken[place.file] = place.offset + size
    assert taken == ends


def test_places_do_not_depend_on_names(tmp_path: Path) -> None:
    """The same layers under other names get the same files and offsets."""

    def places(prefix: str) -> tuple[list[Placement | bytes], Any]:
        nodes = [
            node("MatMul", f"{prefix}x {prefix}w", f"{prefix}h"),
            node("Add", f"{prefix}b {prefix}h", f"{prefix}y"),
        ]
        constants = {f"{prefix}b": weight(f"{prefix}b", "float32", (99,)),
                     f"{prefix}w": weight(f"{prefix}w", "float32", (50, 99))}  # fmt: skip
        made = network(nodes, {f"{prefix}x": ("float32", (2, 50))}, {f"{prefix}y": None}, constants)
        placed, blobs = place_constants(reading(made, tmp_path), [0, 1], [f"{prefix}w", f"{prefix}b"])
        return list(placed.values()), blobs

    assert places("a_") == places("z_")


def test_large_filled_integers_are_a_file_of_one_value(tmp_path: Path) -> None:
    """ConstantOfShape folded to a fill takes no room in the network: a weight file holds the value throughout."""
    zeros = onnx.numpy_helper.from_array(np.array([7], np.int64))
    nodes = [node("ConstantOfShape", "s", "k", value=zeros), node("Add", "x k", "y")]
    shape = (3, 1 << 20)
    model = reading(network(nodes, {"x": ("int64", shape)}, Y, {"s": np.array(shape, np.int64)}), tmp_path)
    places, (blob,) = place_constants(model, [0], ["k"])
    assert places == {"k": Placement(file=blob.file, offset=0)}
    assert blob.nbytes == 3 * 8 << 20
    assert set(fill("int64", (5,), asdict(blob.generator), 0, "s").tolist()) == {7}


INDEXED = [
    ([node("Gather", "i table", "y")], (0, 2)),
    ([node("Gather", "table i", "y")], (0, 50)),
    ([node("Cast", "i", "j", to=6), node("Gather", "table j", "y")], (0, 50)),
    ([node("Unsqueeze", "i one", "j"), node("Gather", "table j", "h"), node("Gather", "small i", "y")], (0, 9)),
    ([node("Add", "i three", "j"), node("Gather", "table j", "y")], (-3, 47)),
    ([node("Sub", "i three", "j"), node("Gather", "table j", "y")], (3, 53)),
    ([node("Mul", "i three", "j"), node("Gather", "table j", "y")], (0, 17)),
    ([node("Concat", "i i", "j", axis=0), node("GatherElements", "table2 j", "y")], (0, 12)),
    ([node("OneHot", "i depth values", "y")], (0, 6)),
    ([node("CumSum", "i one", "j"), node("Sub", "j three", "h"), node("Gather", "table h", "y")], (0, 2)),
    ([node("Mod", "three i", "y")], (1, 8)),
]


@pytest.mark.parametrize(("nodes", "bounds"), INDEXED)
def test_indices_lie_within_their_axis(nodes: list[onnx.NodeProto], bounds: tuple[int, int], tmp_path: Path) -> None:
    """The smallest axis that the index reaches bounds it, through casts, views, joins and arithmetic."""
    constants: dict[str, Any] = {
        "table": weight("table", "float32", (50, 30)),
        "table2": weight("table2", "float32", (12, 30)),
        "small": weight("small", "float32", (9, 30)),
        "three": np.array(3, np.int64),
        "one": np.array([1], np.int64),
        "depth": np.array(6, np.int64),
        "values": np.array([0, 1], F32),
    }
    used = {name for made in nodes for name in made.input}
    shape = (12, 30) if "table2" in used else (4,)
    kept = {name: value for name, value in constants.items() if name in used}
    outputs = {name: None for made in nodes for name in made.output if name in {"y", "h"}}
    model = reading(network(nodes, {"i": ("int64", shape)}, outputs, kept), tmp_path)
    generator = input_generator(model, every_layer(model), "i")
    assert (generator.kind, generator.low, generator.high) == ("integers", *bounds)


def test_values_are_followed_through_thousands_of_layers(tmp_path: Path) -> None:
    """A long chain with side branches at every layer is followed in linear work and without recursion."""
    nodes = [node("Add", f"{f'h{number}' if number else 'i'} {f'h{number}' if number else 'i'}", f"h{number + 1}")
             for number in range(3000)]  # fmt: skip
    made = network([*nodes, node("Gather", "table h3000", "y")], {"i": ("int64", (4,))}, Y,
                   {"table": weight("table", "float32", (50, 30))})  # fmt: skip
    model = reading(made, tmp_path)
    generator = input_generator(model, every_layer(model), "i")
    assert (generator.low, generator.high) == (0, 1)


@pytest.mark.parametrize(
    ("nodes", "low", "high"),
    [
        ([node("Log", "x", "y")], 0.5, 1.5),
        ([node("Add", "x x", "h"), node("Sqrt", "h", "y")], 0.5, 1.5),
        ([node("ReduceMean", "x", "h"), node("Reciprocal", "h", "y")], 0.5, 1.5),
        ([node("Acosh", "x", "y")], 1.0, 2.0),
        ([node("Reshape", "x s", "h"), node("Asin", "h", "y")], -0.9, 0.9),
        ([node("Relu", "x", "y")], -1.0, 1.0),
    ],
)
def test_floats_suit_the_functions_they_reach(
    nodes: list[onnx.NodeProto], low: float, high: float, tmp_path: Path
) -> None:
    """Logarithms and roots get positive numbers, inverse functions their domain."""
    kept = {"s": np.array([3, 2], np.int64)} if nodes[0].op_type == "Reshape" else {}
    model = reading(network(nodes, {"x": ("float32", (2, 3))}, Y, kept), tmp_path)
    assert input_generator(model, every_layer(model), "x") == Generator(kind="uniform", low=low, high=high)


@pytest.mark.parametrize(
    ("made", "inputs", "output", "name", "expected"),
    [
        (node("Reshape", "x s", "y"), {"s": ("int64", (2,))}, (6, 4), "s", [6, 4]),
        (node("Expand", "x s", "y"), {"s": ("int64", (3,))}, (5, 4, 6), "s", [5, 4, 6]),
        (node("Tile", "x s", "y"), {"s": ("int64", (2,))}, (8, 18), "s", [2, 3]),
        (node("Slice", "x a b", "y"), {"a": ("int64", (2,)), "b": ("int64", (2,))}, (2, 5), "b", [2, 5]),
        (node("Pad", "x s", "y"), {"s": ("int64", (4,))}, (4, 9), "s", [0, 0, 0, 3]),
        (node("ReduceSum", "x s", "y", keepdims=0), {"s": ("int64", (1,))}, (6,), "s", [0]),
        (node("Unsqueeze", "x s", "y"), {"s": ("int64", (1,))}, (4, 1, 6), "s", [1]),
        (node("Split", "x s", "y z", axis=1), {"s": ("int64", (2,))}, (4, 2), "s", [2, 4]),
        (node("TopK", "x s", "y z", axis=1), {"s": ("int64", (1,))}, (4, 5), "s", [5]),
    ],
)
def test_shape_like_inputs_are_worked_out_from_the_shapes(
    made: onnx.NodeProto, inputs: dict[str, Any], output: tuple[int, ...], name: str, expected: list[int]
) -> None:
    """An operand that decides the output's shape gets a value that gives the shape known."""
    from dlbricks.model.types import Layer

    layer = Layer(
        name="l", op_type=made.op_type, domain="", since_version=13,
        attributes=canonical_attributes(made, {"": 20}), inputs=tuple(made.input),
        outputs=tuple(made.output), node=made.SerializeToString(), opset=20,
    )  # fmt: skip
    specs = {"x": ("float32", (4, 6)), "y": ("float32", output), "z": ("float32", (4, 4)), **inputs}
    tensors = {key: TensorSpec(name=key, dtype=dtype, shape=shape) for key, (dtype, shape) in specs.items()}
    model = Model(
        name="m",
        layers=(layer,),
        inputs=("x", *inputs),
        outputs=("y",),
        tensors=tensors,
        constants={},
        opsets=(("", 20),),
    )
    generator = input_generator(model, [0], name)
    spec = tensors[name]
    values = fill(spec.dtype, spec.shape, asdict(generator), 0, "s")
    assert values.tolist() == expected


def test_observed_values_come_first(tmp_path: Path) -> None:
    """What was seen in a real run is used as it was."""
    model = reading(network([node("Neg", "x", "y")], {"x": ("int64", (2,))}, Y), tmp_path)
    from dataclasses import replace

    seen = np.array([5, 9], np.int64).tobytes()
    assert input_generator(replace(model, observed={"x": seen}), [0], "x") == Generator(
        kind="literal", values=seen.hex()
    )


@pytest.mark.parametrize("count", [0, 1, 5, 12])
def test_what_selects_selects_as_many_as_seen(count: int) -> None:
    """NonZero and Compress get exactly as many true values as gave the shape of their result."""
    from dlbricks.model.types import Layer

    layer = Layer(
        name="l", op_type="NonZero", domain="", since_version=9, attributes=(), inputs=("x",), outputs=("y",),
        node=node("NonZero", "x", "y").SerializeToString(), opset=20,
    )  # fmt: skip
    tensors = {
        "x": TensorSpec(name="x", dtype="bool", shape=(3, 4)),
        "y": TensorSpec(name="y", dtype="int64", shape=(2, count)),
    }
    model = Model(
        name="m", layers=(layer,), inputs=("x",), outputs=("y",), tensors=tensors, constants={}, opsets=(("", 20),)
    )
    assert fill("bool", (3, 4), asdict(input_generator(model, [0], "x")), 0, "s").sum() == count


def test_boxes_have_an_extent(tmp_path: Path) -> None:
    """RoiAlign gets boxes of half the width and height of the images, in the coordinates of its scale."""
    made = network(
        [node("RoiAlign", "x b i", "y", output_height=2, output_width=2, spatial_scale=0.5)],
        {"x": ("float32", (1, 3, 8, 16)), "b": ("float32", (2, 4)), "i": ("int64", (2,))}, Y, {},
    )  # fmt: skip
    generator = input_generator(reading(made, tmp_path), [0], "b")
    assert fill("float32", (2, 4), asdict(generator), 0, "s").tolist() == [[8, 4, 24, 12]] * 2


def test_the_extents_of_an_expansion_are_the_last_of_its_result(tmp_path: Path) -> None:
    """An operand with fewer extents than the result states those at its end."""
    made = network([node("Expand", "x s", "y")], {"x": ("float32", (1, 3, 1)), "s": ("int64", (2,))},
                   {"y": ("float32", (1, 3, 4))})  # fmt: skip
    generator = input_generator(reading(made, tmp_path), [0], "s")
    assert fill("int64", (2,), asdict(generator), 0, "s").tolist() == [3, 4]


@pytest.mark.parametrize("dtype", [name for name, element in BY_NAME.items() if element.kind != "string"])
def test_every_type_can_be_made(dtype: str, tmp_path: Path) -> None:
    """Weights and inputs of every element type have a generator that its type obeys."""
    made = network([node("Concat", "x w", "y", axis=0)], {"x": (dtype, (2, 70))}, Y, {"w": weight("w", dtype, (3, 70))},
                   opset=25)  # fmt: skip
    made.ir_version = 13
    model = reading(made, tmp_path)
    for spec, generator in (
        (model.constants["w"].spec, weight_generator(model, [0], "w")),
        (model.spec("x"), input_generator(model, [0], "x")),
    ):
        storage = fill(dtype, spec.shape, asdict(generator), 0, "s")
        numbers = decode(storage, dtype, spec.elements)
        assert np.isfinite(numbers.astype(np.complex128)).all()
        assert len(np.unique(numbers)) > 1
