"""Operations inside Scan, Loop and If are those of the body times turns, and absent where these are unknown."""

from pathlib import Path

import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import parser

from dlbricks import limits
from dlbricks.api.networks import inspect
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.read.network import read_batched, read_model
from dlbricks.model.types import Model
from dlbricks.operators.costs import features, layer_costs, sum_flops
from dlbricks.settings import SplitSettings

_WEIGHT = "float[8,8] W={" + ",".join(["1"] * 64) + "}"
# Two operations for each product of [1,8] and [8,8].
_ONE = 2 * 8 * 8


def written(folder: Path, graph: str) -> Path:
    """Write a network from onnx's text."""
    path = folder / "network.onnx"
    onnx.save(parser.parse_model(f'<ir_version: 10, opset_import: ["" : 17]> {graph}'), path)
    return path


def read(folder: Path, graph: str) -> Model:
    """Read a network from onnx's text."""
    return read_model(written(folder, graph))


def loop(
    count: str, condition: str, *, entries: str = "", constants: str = "", next_one: str = "co = Identity(c)"
) -> str:
    """Write a Loop of one product."""
    return (
        f"g (float[1,8] h0{entries}) => (float[1,8] y) <{_WEIGHT}{constants}> {{ y = Loop({count}, {condition}, h0) "
        f"<body=b (int64 i, bool c, float[1,8] h) => (bool co, float[1,8] ho) {{ {next_one} ho = MatMul(h, W) }}> }}"
    )


def scan(turns: int, inner: str = "h2 = MatMul(h1, W)", constants: str = "") -> str:
    """Write a Scan of the second axis of its input."""
    return (
        f"g (float[1,8] h0, float[1,{turns},8] x) => (float[1,8] y) <{_WEIGHT}{constants}> {{ y = Scan(h0, x) "
        "<num_scan_inputs=1, scan_input_axes=[1], body=b (float[1,8] h, float[1,8] xt) => (float[1,8] h2) "
        f"{{ h1 = Add(h, xt) {inner} }}> }}"
    )


def branches(second: str) -> str:
    """Write an If, whose condition is an input, with a product in its first branch."""
    return (
        f"g (float[1,8] x, bool c) => (float[1,8] y) <{_WEIGHT}> {{ y = If(c) <then_branch=t () => (float[1,8] a) "
        f"{{ a = MatMul(x, W) }}, else_branch=e () => (float[1,8] b) {{ {second} }}> }}"
    )


TIMES = ", int64 M={7}"
NESTED = (
    "h2 = Loop(M, , h1) <body=b2 (int64 i, bool c, float[1,8] q) => (bool co, float[1,8] qo) "
    "{ co = Identity(c) qo = MatMul(q, W) }>"
)


@pytest.mark.parametrize(
    ("graph", "products"),
    [
        (loop("M", "", constants=TIMES), 7),
        (loop("M", "C", constants=f"{TIMES}, bool C={{1}}"), 7),
        (loop("M", "", constants=TIMES, next_one="co = Constant<value = bool {1}>()"), 7),
        (loop("M", "", constants=TIMES, next_one="s = ReduceSum<keepdims=0>(h) co = Less(s, s)"), None),
        (loop("M", "", entries=", int64 M"), None),
        (loop("", ""), None),
        (scan(5, NESTED, TIMES), 35),
        (scan(5, "h2 = Relu(h1)"), 0),
        (branches("b = MatMul(x, W)"), 1),
        (branches("b = Identity(x)"), None),
    ],
)
def test_bodies_count_once_for_each_turn(
    tmp_path: Path, graph: str, products: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Constant counts, shapes and branches that cost the same decide; values of inputs leave the figure out."""
    monkeypatch.setattr(limits, "PROBE_SECONDS", 1)  # one of the loops never ends
    model = read(tmp_path, graph)
    expected = None if products is None else products * _ONE
    assert sum_flops(model, model.layers) == expected
    facts = features(model, model.layers, inputs=model.inputs, outputs=model.outputs, constants=())
    assert (facts.flops, facts.work) == (expected, expected or 0)
    (shown,) = inspect([tmp_path / "network.onnx"], SplitSettings(target="portable"))[0].values()
    assert shown.flops == shown.layer_facts[0].flops == expected


@settings(max_examples=15, deadline=None)
@given(turns=st.integers(1, 40), repeats=st.integers(1, 9))
def test_turns_multiply(turns: int, repeats: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A loop in a scan runs the product of both counts; all costs grow with them."""
    model = read(tmp_path_factory.mktemp("turns"), scan(turns, NESTED, f", int64 M={{{repeats}}}"))
    assert sum_flops(model, model.layers) == turns * repeats * _ONE


def test_a_scan_reads_and_writes_in_every_turn(tmp_path: Path) -> None:
    """Bytes are those of the layers of the body: sum, product and their operands, in each of 50 turns."""
    model = read(tmp_path, scan(50))
    costs = layer_costs(model, model.layers[0])
    assert costs is not None
    assert (costs.flops, costs.parameter_bytes) == (50 * (_ONE + 8), 50 * 256)
    assert (costs.read_bytes, costs.written_bytes) == (50 * (64 + 32 + 256), 50 * 64)


def test_an_ellipsis_of_einsum_is_counted(tmp_path: Path) -> None:
    """Labels within an ellipsis count as written out ones, and an extent of 1 takes that of the other operand."""
    call = 'y = Einsum<equation="...ij,...jk->...ik">(a, b)'
    graph = f"g (float[2,1,4,5] a, float[1,3,5,6] b) => (float[2,3,4,6] y) {{ {call} }}"
    model = read(tmp_path, graph)
    assert sum_flops(model, model.layers) == 2 * (2 * 3 * 4 * 5 * 6)


def test_an_einsum_that_onnx_cannot_read_is_refused(tmp_path: Path) -> None:
    """Two ellipses in a term made onnx's inference run until the limit of 12 s."""
    graph = (
        'g (float[3,3,3] a, float[3,3,3] b) => (float[3,3,3] y) { y = Einsum<equation="......ii,...jj->...ij">(a, b) }'
    )
    with pytest.raises(InputError, match="terms have letters and one"):
        inspect([written(tmp_path, graph)], SplitSettings(target="portable"))


def test_a_network_without_batch_says_so(tmp_path: Path) -> None:
    """A vector that no output follows has no batch."""
    path = written(
        tmp_path,
        f"g (float[8] x) => (float[8,1] y) <{_WEIGHT}, int64[1] s={{1}}> {{ h = MatMul(x, W) y = Unsqueeze(h, s) }}",
    )
    with pytest.raises(UnsupportedModelError, match="fixes its batch of 8"):
        read_batched(path, batch=4)
    path = written(
        tmp_path,
        "g (float[8] x) => (float[4] y) <float[8,4] W> { y = MatMul(x, W) }".replace(
            "W>", "W={" + ",".join(["1"] * 32) + "}>"
        ),
    )
    with pytest.raises(UnsupportedModelError, match="has no batch"):
        read_batched(path, batch=4)


def test_shapes_that_do_not_fit_are_said_behind_other_faults(tmp_path: Path) -> None:
    """The checker ends at a missing type; that the operands of a product do not fit is said, too, and not counted."""
    path = written(tmp_path, "g (float[4,5] a, float[4,5] b) => (float[4,4] y) { y = MatMul(a, b) }")
    network = onnx.load(path)
    network.graph.output[0].ClearField("type")
    onnx.save(network, path)
    (shown,) = inspect([path], SplitSettings(target="portable"))[0].values()
    assert "missing" in shown.invalid
    assert "Incompatible dimensions" in shown.invalid
    assert shown.flops is None
