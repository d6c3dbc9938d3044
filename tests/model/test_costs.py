"""Operations and bytes of single layers, computed by hand; layers without costs."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.read.network import read_model
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.costs import LayerCosts, cost_of, fetched_bytes, layer_costs, least_flops
from dlbricks.operators.table import operator

Shapes = Mapping[str, tuple[int, ...]]


def made(
    op_type: str,
    shapes: Shapes,
    *,
    domain: str = "",
    attributes: Mapping[str, str] | None = None,
    dtypes: Mapping[str, str] | None = None,
    constants: tuple[str, ...] = (),
) -> tuple[Model, Layer]:
    """Make a layer with the given shapes; names that begin with y are outputs, those with - are omitted inputs."""
    specs = {
        name: TensorSpec(name=name, dtype=(dtypes or {}).get(name, "float32"), shape=shape)
        for name, shape in shapes.items()
    }
    layer = Layer(
        name="layer",
        op_type=op_type,
        domain=domain,
        since_version=1,
        attributes=tuple(sorted((attributes or {}).items())),
        inputs=tuple("" if name.startswith("-") else name for name in shapes if not name.startswith("y")),
        outputs=tuple(name for name in shapes if name.startswith("y")),
        is_view=operator(domain, op_type).is_view,
    )
    held = {name: Constant(spec=specs[name]) for name in constants}
    inner = {name: spec for name, spec in specs.items() if name not in held}
    return Model(name="m", layers=(layer,), inputs=(), outputs=("y",), tensors=inner, constants=held, opsets=()), layer


def costs(op_type: str, shapes: Shapes, *, domain: str = "", attributes: Mapping[str, str] | None = None) -> LayerCosts:
    """Give the costs of one layer that has a rule."""
    found = layer_costs(*made(op_type, shapes, domain=domain, attributes=attributes))
    assert found is not None
    return found


MS, NCHWC = "com.microsoft", "com.microsoft.nchwc"
IMAGE = (1, 8, 10, 10)
RELU, NEAREST, LINEAR = {"activation": '"Relu"'}, {"mode": '"nearest"'}, {"mode": '"linear"'}
POOL = {"kernel_shape": "[3,3]"}
HALF = {"alpha": '"0x1.0000000000000p-1"', "beta": '"0x1.0000000000000p+0"'}
HEADS = {"num_heads": "4"}

CASES: list[tuple[str, str, dict[str, tuple[int, ...]], dict[str, str], int]] = [
    ("", "Relu", {"x": IMAGE, "y": IMAGE}, {}, 800),
    ("", "Add", {"a": (3, 1), "b": (1, 4), "y": (3, 4)}, {}, 12),
    ("", "Sum", {"a": (4,), "b": (4,), "c": (4,), "y": (4,)}, {}, 8),
    ("", "Mean", {"a": (4,), "b": (4,), "y": (4,)}, {}, 8),
    ("", "Sigmoid", {"x": (5,), "y": (5,)}, {}, 20),
    ("", "Gelu", {"x": (5,), "y": (5,)}, {"approximate": '"none"'}, 25),
    ("", "Gelu", {"x": (5,), "y": (5,)}, {"approximate": '"tanh"'}, 45),
    (MS, "FastGelu", {"x": (2, 5), "b": (5,), "y": (2, 5)}, {}, 100),
    (MS, "BiasGelu", {"x": (2, 5), "b": (5,), "y": (2, 5)}, {}, 60),
    ("", "Transpose", {"x": (2, 5), "y": (5, 2)}, {}, 0),
    ("", "Softmax", {"x": (2, 5), "y": (2, 5)}, {}, 50),
    ("", "ReduceMean", {"x": (2, 5), "y": (2, 1)}, {}, 12),
    ("", "ReduceL2", {"x": (2, 5), "y": (2, 1)}, {}, 22),
    ("", "GlobalAveragePool", {"x": IMAGE, "y": (1, 8, 1, 1)}, {}, 808),
    ("", "MaxPool", {"x": IMAGE, "y": (1, 8, 8, 8)}, POOL, 512 * 9),
    (NCHWC, "AveragePool", {"x": IMAGE, "y": (1, 8, 8, 8)}, POOL, 512 * 10),
    ("", "Resize", {"x": (1, 8, 5, 5), "-r": (), "-s": (), "n": (4,), "y": IMAGE}, NEAREST, 0),
    ("", "Resize", {"x": (1, 8, 5, 5), "-r": (), "-s": (), "n": (4,), "y": IMAGE}, LINEAR, 800 * 7),
    ("", "Resize", {"x": (1, 8, 5, 10), "-r": (), "-s": (), "n": (4,), "y": IMAGE}, LINEAR, 800 * 3),
    ("", "BatchNormalization", {"x": IMAGE, "a": (8,), "b": (8,), "m": (8,), "v": (8,), "y": IMAGE}, {}, 1640),
    ("", "LayerNormalization", {"x": (3, 6), "a": (6,), "b": (6,), "y": (3, 6)}, {"axis": "-1"}, 7 * 18 + 15),
    ("", "LayerNormalization", {"x": (3, 6), "a": (6,), "y": (3, 6)}, {"axis": "1"}, 6 * 18 + 15),
    ("", "InstanceNormalization", {"x": IMAGE, "a": (8,), "b": (8,), "y": IMAGE}, {}, 5600 + 40),
    (MS, "SkipLayerNormalization", {"x": (3, 6), "s": (3, 6), "a": (6,), "b": (6,), "y": (3, 6)}, {}, 8 * 18 + 15),
    (MS, "SkipSimplifiedLayerNormalization", {"x": (3, 6), "s": (3, 6), "a": (6,), "y": (3, 6)}, {}, 5 * 18 + 12),
    ("", "Conv", {"x": IMAGE, "w": (16, 8, 3, 3), "b": (16,), "y": (1, 16, 8, 8)}, {}, 1024 * (2 * 72 + 1)),
    (MS, "FusedConv", {"x": IMAGE, "w": (16, 8, 1, 1), "b": (16,), "y": (1, 16, 10, 10)}, RELU, 1600 * 18),
    (
        NCHWC,
        "Conv",
        {"x": IMAGE, "w": (16, 8, 1, 1), "b": (16,), "z": (1, 16, 10, 10), "y": (1, 16, 10, 10)},
        RELU,
        1600 * 19,
    ),
    (
        "",
        "QLinearConv",
        {
            "x": IMAGE,
            "s": (),
            "z": (),
            "w": (4, 8, 1, 1),
            "t": (),
            "u": (),
            "v": (),
            "q": (),
            "b": (4,),
            "y": (1, 4, 5, 5),
        },
        {},
        100 * (16 + 6),
    ),
    ("", "Gemm", {"a": (2, 3), "b": (3, 7), "c": (7,), "y": (2, 7)}, {}, 84 + 14),
    ("", "Gemm", {"a": (2, 3), "b": (3, 7), "c": (7,), "y": (2, 7)}, HALF, 84 + 28),
    (MS, "FusedMatMul", {"a": (2, 3), "b": (3, 7), "y": (2, 7)}, HALF, 84 + 14),
    (MS, "MatMulIntegerToFloat", {"a": (2, 3), "b": (3, 7), "s": (), "t": (), "y": (2, 7)}, {}, 84 + 14),
    (MS, "DynamicQuantizeMatMul", {"a": (2, 3), "b": (3, 7), "s": (), "y": (2, 7)}, {}, 84 + 14 + 42),
    (MS, "QLinearAdd", {"a": (5,), "s": (), "z": (), "b": (5,), "t": (), "u": (), "v": (), "q": (), "y": (5,)}, {}, 50),
    ("", "QuantizeLinear", {"x": (5,), "s": (), "z": (), "y": (5,)}, {}, 25),
    ("", "DequantizeLinear", {"x": (5,), "s": (), "z": (), "y": (5,)}, {}, 10),
    ("", "DynamicQuantizeLinear", {"x": (5,), "y": (5,), "ys": (), "yz": ()}, {}, 35),
    (
        "",
        "LSTM",
        {"x": (4, 2, 5), "w": (1, 12, 5), "r": (1, 12, 3), "b": (1, 24), "y": (4, 1, 2, 3)},
        {},
        2 * 8 * (60 + 36) + 24 * (8 + 14 + 4),
    ),
    (
        "",
        "GRU",
        {"x": (4, 2, 5), "w": (1, 9, 5), "r": (1, 9, 3), "y": (4, 1, 2, 3)},
        {},
        2 * 8 * (45 + 27) + 24 * (3 + 9 + 5),
    ),
    (
        MS,
        "MultiHeadAttention",
        {"q": (2, 10, 64), "k": (2, 12, 64), "v": (2, 12, 64), "y": (2, 10, 64)},
        HEADS,
        4 * 2 * 10 * 12 * 64 + 6 * 2 * 4 * 10 * 12,
    ),
    (
        MS,
        "GroupQueryAttention",
        {
            "q": (1, 1, 64),
            "k": (1, 1, 32),
            "v": (1, 1, 32),
            "y": (1, 1, 64),
            "yk": (1, 2, 20, 16),
            "yv": (1, 2, 20, 16),
        },
        HEADS,
        4 * 20 * 64 + 6 * 4 * 20,
    ),
    (
        MS,
        "MoE",
        {"x": (2, 5, 64), "p": (10, 8), "w1": (8, 96, 64), "b1": (8, 96), "w2": (8, 64, 96), "y": (2, 5, 64)},
        {"k": "2"},
        2 * 10 * 2 * (96 * 64 + 64 * 96),
    ),
    (
        MS,
        "QMoE",
        {
            "x": (3, 64),
            "p": (3, 8),
            "w1": (8, 192, 32),
            "s1": (8, 192),
            "-b1": (),
            "w2": (8, 64, 48),
            "s2": (8, 64),
            "y": (3, 64),
        },
        {"k": "4"},
        2 * 3 * 4 * (192 * 64 + 64 * 96),
    ),
    (
        MS,
        "Attention",
        {"x": (2, 10, 64), "w": (64, 192), "b": (192,), "y": (2, 10, 64)},
        HEADS,
        2 * 20 * 64 * 192 + 20 * 192 + 4 * 10 * 2 * 10 * 64 + 6 * 2 * 4 * 100,
    ),
]


@pytest.mark.parametrize(("domain", "op_type", "shapes", "attributes", "operations"), CASES)
def test_operations_of_single_layers(
    domain: str, op_type: str, shapes: Shapes, attributes: Mapping[str, str], operations: int
) -> None:
    """Counts agree with the formulas of the specifications written out by hand."""
    found = costs(op_type, shapes, domain=domain, attributes=attributes)
    assert found.flops == operations


@pytest.mark.parametrize(("domain", "op_type", "shapes", "attributes", "_"), CASES)
def test_products_are_the_floor(
    domain: str, op_type: str, shapes: Shapes, attributes: Mapping[str, str], _: int
) -> None:
    """A layer costs no fewer operations than its products."""
    model, layer = made(op_type, shapes, domain=domain, attributes=attributes)
    assert costs(op_type, shapes, domain=domain, attributes=attributes).flops >= least_flops(model, [layer])


def test_every_operand_is_read_once_and_every_result_written_once() -> None:
    """Bytes are those of operands and results; an operand used twice is read once, an omitted one is none."""
    found = costs("Conv", {"x": IMAGE, "w": (16, 8, 3, 3), "-b": (), "y": (1, 16, 8, 8)})
    assert (found.read_bytes, found.written_bytes, found.parameter_bytes) == (4 * (800 + 1152), 4 * 1024, 0)
    model, layer = made("Add", {"x": IMAGE, "y": IMAGE})
    twice = Layer(**{name: getattr(layer, name) for name in ("name", "op_type", "domain", "since_version")},
                  attributes=(), inputs=("x", "x"), outputs=("y",))  # fmt: skip
    same = layer_costs(model, twice)
    assert same is not None
    assert (same.read_bytes, same.written_bytes) == (3200, 3200)


def test_constants_are_told_apart() -> None:
    """Parameter bytes are those of the constants that a layer reads, packed as they are stored."""
    shapes, types = {"a": (2, 64), "b": (64, 8), "y": (2, 8)}, {"b": "int8", "a": "uint8", "y": "int32"}
    found = layer_costs(*made("MatMulInteger", shapes, dtypes=types, constants=("b",)))
    assert found is not None
    assert (found.read_bytes, found.written_bytes, found.parameter_bytes) == (128 + 512, 64, 512)


@given(st.integers(1, 8), st.integers(1, 64))
def test_weights_are_read_of_the_experts_that_tokens_reach(chosen: int, tokens: int) -> None:
    """One token reaches as many as are chosen for it; more tokens never fewer, and never more than there are."""

    def read(rows: int) -> int:
        shapes = {"x": (rows, 64), "p": (rows, 8), "w1": (8, 96, 64), "-b1": (), "w2": (8, 64, 96), "y": (rows, 64)}
        model, layer = made("MoE", shapes, domain=MS, attributes={"k": str(chosen)}, constants=("w1", "w2"))
        found = layer_costs(model, layer)
        assert found is not None
        assert found.parameter_bytes == fetched_bytes(model, [layer], ["w1", "w2"])
        return found.parameter_bytes

    stacked = 2 * 8 * 96 * 64 * 4
    assert read(1) == stacked * chosen // 8
    assert read(1) <= read(tokens) <= read(tokens + 1) <= min(stacked, (tokens + 1) * read(1))


def test_tables_are_read_as_far_as_they_are_looked_up() -> None:
    """Gather and Slice read as many bytes of their table as they output, and their indices; Shape reads nothing."""
    shapes = {"t": (30000, 64), "i": (2, 8), "y": (2, 8, 64)}
    found = layer_costs(*made("Gather", shapes, dtypes={"i": "int64"}, constants=("t",)))
    assert found is not None
    assert (found.read_bytes, found.written_bytes, found.parameter_bytes) == (4096 + 128, 4096, 4096)
    cut = costs("Slice", {"x": (100, 4), "s": (1,), "e": (1,), "y": (10, 4)})
    assert (cut.read_bytes, cut.written_bytes) == (160 + 8, 160)
    assert costs("Shape", {"x": (100, 4), "y": (2,)}).read_bytes == 0


@pytest.mark.parametrize("op_type", ["Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout"])
def test_views_cost_nothing(op_type: str) -> None:
    """What only renames memory neither computes nor moves."""
    found = costs(op_type, {"x": (2, 3), "y": (6,)})
    assert (found.flops, found.read_bytes, found.written_bytes) == (0, 0, 0)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_operations_grow_with_the_batch(batch: int, channels: int, side: int, window: int) -> None:
    """Twice the batch is twice the operations, and twice the bytes of what is no constant."""

    def one(size: int) -> LayerCosts:
        image = (size, channels, side, side)
        found = layer_costs(
            *made(
                "Conv", {"x": image, "w": (4, channels, window, window), "y": (size, 4, side, side)}, constants=("w",)
            )
        )
        assert found is not None
        return found

    single, double = one(batch), one(2 * batch)
    assert double.flops == 2 * single.flops
    assert double.written_bytes == 2 * single.written_bytes
    assert double.read_bytes - double.parameter_bytes == 2 * (single.read_bytes - single.parameter_bytes)
    assert double.parameter_bytes == single.parameter_bytes


def test_what_has_no_rule_has_no_figures() -> None:
    """Operators of unknown domains, those without a rule, and tensors of unknown shape give None, never 0."""
    assert layer_costs(*made("Relu", {"x": (4,), "y": (4,)}, domain="someone.else")) is None
    assert layer_costs(*made("StringConcat", {"a": (4,), "b": (4,), "y": (4,)})) is None
    assert layer_costs(*made("Relu", {"x": (4,), "y": ()}, dtypes={"y": ""})) is None
    assert cost_of("", "NonMaxSuppression") is None
    assert layer_costs(*made("Loop", {"n": (), "x": (5,), "y": (5,)})) is None


NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def flops(
    op_type: str,
    shapes: Mapping[str, tuple[int, ...]],
    *,
    domain: str = "",
    attributes: Mapping[str, str] | None = None,
) -> int:
    """Count one layer with the given shapes; the tensor named ``y`` is its output, ``""`` an omitted input."""
    specs = {name: TensorSpec(name=name, dtype="float32", shape=shape) for name, shape in shapes.items()}
    layer = Layer(
        name="layer",
        op_type=op_type,
        domain=domain,
        since_version=1,
        attributes=tuple(sorted((attributes or {}).items())),
        inputs=tuple(name for name in shapes if name != "y"),
        outputs=("y",),
    )
    model = Model(name="m", layers=(layer,), inputs=(), outputs=("y",), tensors=specs, constants={}, opsets=())
    return least_flops(model, [layer])


def test_arithmetic_of_single_layers() -> None:
    """Counts agree with the definitions written out by hand: two operations per multiply-add."""
    image, weight = (1, 8, 10, 10), (16, 4, 3, 3)
    assert flops("Conv", {"x": image, "w": weight, "y": (1, 16, 10, 10)}) == 2 * 16 * 10 * 10 * 4 * 3 * 3
    assert flops("ConvTranspose", {"x": image, "w": (8, 6, 2, 2), "y": (1, 6, 20, 20)}) == 2 * 8 * 100 * 6 * 2 * 2
    assert flops("MatMul", {"a": (5, 2, 3), "b": (3, 7), "y": (5, 2, 7)}) == 2 * 5 * 2 * 3 * 7
    assert flops("Gemm", {"a": (3, 2), "b": (3, 7), "y": (2, 7)}, attributes={"transA": "1"}) == 2 * 2 * 3 * 7
    assert flops("Gemm", {"a": (2, 3), "b": (7, 3), "y": (2, 7)}, attributes={"transA": "0"}) == 2 * 2 * 3 * 7
    assert flops("Einsum", {"a": (2, 3), "b": (3, 7), "y": (2, 7)}, attributes={"equation": '"ij, jk->ik"'}) == 84
    assert flops("LSTM", {"x": (4, 2, 5), "w": (1, 12, 5), "r": (1, 12, 3), "y": (4, 1, 2, 3)}) == 2 * 8 * (60 + 36)
    quantised = {"x": image, "s": (), "z": (), "w": weight, "y": (1, 16, 10, 10)}
    assert flops("QLinearConv", quantised) == 2 * 16 * 10 * 10 * 4 * 3 * 3
    assert flops("Relu", {"x": image, "y": image}) == 0


def test_both_attentions_count_scores_and_their_use() -> None:
    """Attention over separate tensors is two products; the packed one has the projection of q, k and v before them."""
    separate = {"q": (2, 10, 64), "k": (2, 12, 64), "v": (2, 12, 64), "y": (2, 10, 64)}
    assert flops("MultiHeadAttention", separate, domain="com.microsoft") == 2 * (2 * 10 * 12 * 64) * 2
    packed = {"x": (2, 10, 64), "w": (64, 192), "y": (2, 10, 64)}
    heads = {"num_heads": "4"}
    expected = 2 * 2 * 10 * 64 * 192 + 2 * (2 * 10 * 10 * 64) * 2
    assert flops("Attention", packed, domain="com.microsoft", attributes=heads) == expected


@pytest.mark.parametrize(
    ("network", "giga_multiply_adds"),
    [("tv_resnet50", 4.09), ("tv_squeezenet1_1", 0.349), ("tv_mobilenet_v3_small", 0.0565), ("tv_vgg11", 7.61)],
)
def test_known_networks(network: str, giga_multiply_adds: float) -> None:
    """What torchvision publishes for its networks (GFLOPS there are multiply-adds) comes out within 1 %."""
    model = read_model(NETWORKS / f"{network}.onnx")
    total = least_flops(model, model.layers)
    assert total / 2e9 == pytest.approx(giga_multiply_adds, rel=0.01)
