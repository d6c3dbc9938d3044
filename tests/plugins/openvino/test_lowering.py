"""Target ``openvino``: layers executed as one node are not split, and a piece alone runs as in the network."""

import contextlib
import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.model.emit import (
    build_network,
    end_to_end_inputs,
    end_to_end_network,
    network_bytes,
    write_weights,
)
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.values import place_constants
from dlbricks.plugins.openvino.runtime import executed_layers
from dlbricks.sequences.split import sequences_of, split
from dlbricks.sequences.types import Granularity

pytest.importorskip("openvino", reason="openvino is not installed")

from dlbricks.model.lowering.runtime import plain_session
from dlbricks.plugins.openvino.compiler import Compiler
from dlbricks.plugins.openvino.layouts import Executed
from dlbricks.plugins.openvino.lowering import _compiled, groups_of, lower

NETWORKS = Path(__file__).parents[3] / "suites" / "networks"
MOVES = {"Const", "Convert", "Input", "Output", "Reorder", "Reshape", "Transpose"}


@functools.cache
def compiler() -> Compiler:
    """Give the process that compiles for all tests, since each takes a second to start."""
    return Compiler().__enter__()


@pytest.fixture(scope="module", autouse=True)
def lasting() -> Iterator[None]:
    """Lower networks by this process, and end it after the last test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlbricks.plugins.openvino.lowering.Compiler", lambda: contextlib.nullcontext(compiler()))
        yield
    compiler().__exit__()


@pytest.fixture(scope="module")
def shuffled() -> Model:
    """Give a network of convolutions, pooling, concatenations, splits and shuffles."""
    return read_model(NETWORKS / "tv_shufflenet_v2_x1_0.onnx")


@pytest.fixture(scope="module")
def lowered(shuffled: Model) -> Model:
    """Give it with the groups of OpenVINO."""
    return lower(shuffled)


def answer(model: Model, folder: Path) -> list[np.ndarray]:
    """Run a network as it is written, by onnxruntime."""
    network, blobs = end_to_end_network(model)
    write_weights(folder, blobs)
    session = plain_session(network_bytes(network), weights=folder)
    values: list[np.ndarray] = session.run(None, dict(end_to_end_inputs(model)))
    return values


def executed_graph(model: Model) -> Sequence[Executed]:
    """Return the nodes that OpenVINO executes for a network."""
    return _compiled(compiler(), *end_to_end_network(model), name=model.name, threads=1)


def test_changed_layouts_change_no_answer(shuffled: Model, lowered: Model, tmp_path: Path) -> None:
    """With transposes, rotated sums, concatenations and constants the outputs are the same."""
    for mine, theirs in zip(answer(lowered, tmp_path), answer(shuffled, tmp_path), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-3, atol=1e-5)
        assert np.abs(theirs).max() > 0


def test_pieces_alone_execute_what_the_network_does(shuffled: Model, lowered: Model, tmp_path: Path) -> None:
    """Kinds of executed nodes, summed over all pieces, are those of the network: no reorder comes with a cut."""
    whole = Counter(node["layerType"] for node in executed_graph(shuffled))
    parts: Counter[str] = Counter()
    seen: dict[str, Counter[str]] = {}
    for sequence in split(lowered, Granularity(1)).sequences:
        places, blobs = place_constants(lowered, sequence.layers, sequence.constants)
        network = build_network(
            lowered, sequence.layers, sequence.inputs, sequence.outputs, rename={}, constants=places
        )
        text = repr([lowered.layers[index].attributes for index in sequence.layers]) + repr(
            [lowered.spec(name).shape for name in (*sequence.inputs, *sequence.outputs, *sequence.constants)]
        )
        if text not in seen:
            write_weights(tmp_path, blobs)
            session = open_session(network_bytes(network), tmp_path, SessionSettings(runtime="openvino"))
            nodes = executed_layers(session.inference.compiled)
            seen[text] = Counter(node["layerType"] for node in nodes)
            copies = [one for one in nodes if one["layerType"] == "Reorder" and not one["name"].endswith("_fake")]
            assert len(copies) <= ("input" in sequence.inputs)
        parts += seen[text]
    assert {key: count for key, count in parts.items() if key not in MOVES} == {
        key: count for key, count in whole.items() if key not in MOVES
    }


def test_fused_layers_stay_together(shuffled: Model) -> None:
    """Each activation is in a group with its convolution, each group has at least two layers, and none share any."""
    groups = groups_of(shuffled, executed_graph(shuffled))
    inside = [index for group in groups for index in group]
    assert len(inside) == len(set(inside))
    assert min(map(len, groups)) > 1
    relus = {index for index, layer in enumerate(shuffled.layers) if layer.op_type == "Relu"}
    assert relus <= set(inside)


def test_a_sum_is_cut_from_its_convolution() -> None:
    """OpenVINO would copy what such a piece gives; the sum is a piece of its own, on channels-last tensors."""
    model = lower(read_model(NETWORKS / "tv_resnet18.onnx"))
    parts = [[model.layers[index].op_type for index in one.layers] for one in split(model, Granularity(1)).sequences]
    assert ["Add", "Relu"] in parts
    assert not any("Conv" in part and "Add" in part for part in parts)


def test_lost_names_join_what_reads_them() -> None:
    """OpenVINO names a product and its bias after the bias; both are one piece, as they run."""
    model = read_model(NETWORKS / "hf_distilbert.onnx")
    groups = groups_of(model, executed_graph(model))
    products = [
        index
        for index, layer in enumerate(model.layers)
        if layer.op_type == "MatMul" and layer.inputs[1] in model.constants
    ]
    inside = {index for group in groups for index in group}
    assert products
    assert set(products) <= inside


DETECTION = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,3,32,32] x) => (int64[n,3] y) <
  float[4,3,3,3] a, float[2,3,3,3] b, int64[3] places = {1, 4, 900}, int64[3] classes = {1, 2, 900},
  int64 most = {20}, float alike = {0.5}
> {
  c = Conv(x, a)
  r = Reshape(c, places)
  t = Transpose<perm = [0, 2, 1]>(r)
  d = Conv(x, b)
  s = Sigmoid(d)
  k = Reshape(s, classes)
  y = NonMaxSuppression(t, k, most, alike)
}"""


def test_a_detector_whose_outputs_depend_on_values_is_lowered(tmp_path: Path) -> None:
    """Boxes that are kept are as many as the values say; convolutions are split as OpenVINO executes them."""
    parts = parts_of(DETECTION, tmp_path)
    assert any("NonMaxSuppression" in part for part in parts)
    assert any({"Conv", "Sigmoid"} <= set(part) for part in parts)


TOKENS = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,64,32] x, float[1,64,32] z) => (float[1,64,32] y) <
  float[32,32] a, float[32] a1, float[32,1,3,3] w, float[32] w1, float[32,32] b, float[32] b1,
  int64[4] image = {1, 32, 8, 8}, int64[3] flat = {1, 32, 64},
  float two = {1.4142}, float one = {1.0}, float half = {0.5}
> {
  p = MatMul(x, a)
  p1 = Add(p, a1)
  t = Transpose<perm = [0, 2, 1]>(p1)
  i = Reshape(t, image)
  c = Conv<group = 32, pads = [1, 1, 1, 1]>(i, w, w1)
  f = Reshape(c, flat)
  u = Transpose<perm = [0, 2, 1]>(f)
  d = Div(u, two)
  e = Erf(d)
  g1 = Add(e, one)
  m = Mul(u, g1)
  h = Mul(m, half)
  q = MatMul(h, b)
  q1 = Add(q, b1)
  y = Add(q1, z)
}
"""
POOLED = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,64,28,28] x) => (float[1,64,14,14] y, float[1,64,28,28] z) <
  float[64,64,3,3] w, float[64] w1, float[64,64,1,1] v, float[64] v1, float[64,64,1,1] u, float[64] u1
> {
  c = Conv<pads = [1, 1, 1, 1]>(x, w, w1)
  r = Relu(c)
  d = Conv(r, v, v1)
  a = Add(d, x)
  s = Relu(a)
  p = AveragePool<kernel_shape = [2, 2], strides = [2, 2]>(s)
  y = Conv(p, u, u1)
  z = Conv(s, v, v1)
}
"""


DENSE = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,16,28,28] x) => (float[1,32,28,28] y) <
  float[32,16,3,3] w, float[32] w1, float[32,32,3,3] v, float[32] v1, float[32,64,1,1] u, float[32] u1,
  float[64] scale, float[64] shift, float[64] mean, float[64] var = {VARIANCES}
> {
  a = Conv<pads = [1, 1, 1, 1]>(x, w, w1)
  b = Conv<pads = [1, 1, 1, 1]>(a, v, v1)
  c = Concat<axis = 1>(a, b)
  n = BatchNormalization(c, scale, shift, mean, var)
  r = Relu(n)
  y = Conv(r, u, u1)
}
""".replace("VARIANCES", ", ".join(["1.0"] * 64))


def parts_of(text: str, folder: Path) -> list[list[str]]:
    """Give the operators of each piece of a network, the weights of which are made up."""
    model = onnx.parser.parse_model(text)
    for weight in model.graph.value_info:
        extents = [one.dim_value for one in weight.type.tensor_type.shape.dim]
        is_float = weight.type.tensor_type.elem_type == onnx.TensorProto.FLOAT
        values = np.random.default_rng(0).uniform(-0.1, 0.1, extents).astype(np.float32)
        values = values if is_float else (1000 * values).astype(np.int8)
        model.graph.initializer.append(onnx.numpy_helper.from_array(values, weight.name))
    del model.graph.value_info[:]
    onnx.save(model, folder / "net.onnx")
    made = lower(read_model(folder / "net.onnx"))
    return [[made.layers[index].op_type for index in one.layers] for one in split(made, Granularity(1)).sequences]


def test_what_a_convolution_has_taken_in_stays_with_it(tmp_path: Path) -> None:
    """Between products OpenVINO runs shuffles of tokens, a convolution and Gelu as one node: nothing is apart."""
    parts = parts_of(TOKENS, tmp_path)
    convolving = next(part for part in parts if "Conv" in part)
    assert {"Erf", "Reshape", "Transpose"} <= set(convolving)
    assert "MatMul" not in convolving
    assert not any(set(part) <= {"Reshape", "Transpose"} for part in parts)


def test_pieces_that_were_joined_in_vain_are_parted(tmp_path: Path) -> None:
    """A pool behind a sum that others read, too, would be run with copies in either case: it stays alone."""
    parts = parts_of(POOLED, tmp_path)
    assert any("AveragePool" in part for part in parts)
    assert not any({"AveragePool", "Conv"} <= set(part) for part in parts)


EMPTY = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x) => (float[2,3] y) <int64 at = {0}> {
  none = SequenceEmpty ()
  one = SequenceInsert(none, x)
  h = SequenceAt(one, at)
  y = Relu(h)
}
"""


def test_a_layer_without_inputs_is_lowered(tmp_path: Path) -> None:
    """A sequence begins empty; OpenVINO takes it away."""
    (tmp_path / "empty.onnx").write_bytes(onnx.parser.parse_model(EMPTY).SerializeToString())
    assert [layer.op_type for layer in lower(read_model(tmp_path / "empty.onnx")).layers][-1] == "Relu"


def test_a_normalisation_of_its_own_works_channels_last(tmp_path: Path) -> None:
    """Behind a concatenation it is a product and a sum along the last axis: between Transposes OpenVINO would copy."""
    assert ["Mul", "Add", "Relu"] in parts_of(DENSE, tmp_path)


RELABELLED = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,128,64] x) => (float[1,64,128] y, float[1,64,128] z) <
  float[64] scale, float[64] shift, float[64,64,1] v, float[64] v1, float[64,64,1] w, float[64] w1
> {
  n = LayerNormalization<axis = -1>(x, scale, shift)
  t = Transpose<perm = [0, 2, 1]>(n)
  y = Conv(t, v, v1)
  c = Conv(t, w, w1)
  z = Add(c, t)
}
"""


def test_a_transpose_that_is_a_layout_stays_with_its_input(tmp_path: Path) -> None:
    """OpenVINO reads the normalised tensor in another layout: both convolutions start with it, without a copy."""
    parts = parts_of(RELABELLED, tmp_path)
    (normalising,) = (part for part in parts if "LayerNormalization" in part)
    assert normalising == ["LayerNormalization", "Transpose", "Transpose"]
    assert sum(part[:2] == ["Transpose", "Conv"] for part in parts) == 2


PATCHES = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,3,64,64] x) => (float[1,64,64] y) <
  float[32,3,4,4] p, float[32] scale, float[32] shift, float[64,32,2,2] w, float[64] scale1, float[64] shift1,
  float[32,32] a, float[64,64] b, int64[3] flat = {1, 32, 256}, int64[4] image = {1, 32, 16, 16},
  int64[3] less = {1, 64, 64}
> {
  c = Conv<strides = [4, 4]>(x, p)
  r = Reshape(c, flat)
  t = Transpose<perm = [0, 2, 1]>(r)
  n = LayerNormalization<axis = -1>(t, scale, shift)
  m = MatMul(n, a)
  u = Transpose<perm = [0, 2, 1]>(m)
  i = Reshape(u, image)
  d = Conv<strides = [2, 2]>(i, w)
  s = Reshape(d, less)
  v = Transpose<perm = [0, 2, 1]>(s)
  o = LayerNormalization<axis = -1>(v, scale1, shift1)
  y = MatMul(o, b)
}"""


def test_images_that_become_tokens_are_copied_by_no_piece(tmp_path: Path) -> None:
    """OpenVINO reads a convolution's result as tokens, and tokens as an image, where they lie: so do the pieces."""
    parts = parts_of(PATCHES, tmp_path)
    assert [part for part in parts if "Conv" in part] == [
        ["Conv", "Reshape", "Transpose"],
        ["Transpose", "Reshape", "Conv", "Reshape", "Transpose"],
    ]
    source = read_model(tmp_path / "net.onnx")
    assert copies(executed_alone(lower(source))) == copies(executed_graph(source))


ACTIVATED = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,32,28,28] x) => (float[1,32,28,28] y) <
  float[32,32,3,3] w, float[32] w1, float[32,32,3,3] v, float[32] v1, float[32,1,3,3] u, float[32] u1,
  float three = {3.0}, float zero = {0.0}, float six = {6.0}, float root = {1.4142135}, float one = {1.0},
  float half = {0.5}
> {
  c = Conv<pads = [1, 1, 1, 1]>(x, w, w1)
  a = Add(c, three)
  k = Clip(a, zero, six)
  m = Mul(c, k)
  s = Div(m, six)
  i = Identity(s)
  d = Conv<pads = [1, 1, 1, 1]>(i, v, v1)
  j = Identity(d)
  q = Div(j, root)
  e = Erf(q)
  o = Add(e, one)
  h = Mul(j, o)
  g1 = Mul(h, half)
  f = Identity(g1)
  y = Conv<group = 32, pads = [1, 1, 1, 1]>(f, u, u1)
}"""


def test_activations_written_as_arithmetic_are_taken_in_alone_as_in_the_network(tmp_path: Path) -> None:
    """OpenVINO knows HardSwish and Gelu by their numbers, which pieces keep; layers that do nothing cut no layout."""
    parts = parts_of(ACTIVATED, tmp_path)
    assert not any("Identity" in part for part in parts)
    source = read_model(tmp_path / "net.onnx")
    kinds = [
        Counter(node["layerType"] for node in nodes)
        for nodes in (executed_alone(lower(source)), executed_graph(source))
    ]
    assert kinds[0]["Convolution"] == kinds[1]["Convolution"] == 3
    assert all(kinds[0][kind] == kinds[1][kind] == 0 for kind in ("Eltwise", "Math", "Subgraph", "Transpose"))


SPECTRUM = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,640] x) => (float[1,4] z) <
  float[258,1,256] b, float[64,129,3] w, float[64] w1, float[1,64,3] v, float[1] v1,
  int64[1] zero = {0}, int64[1] half = {129}, int64[1] most = {9000000000}, int64[1] axis = {1}, float two = {2.0},
  int64[2] flat = {1, 4}
> {
  c = Conv<strides = [128]>(x, b)
  all = Slice(c, zero, most, axis)
  i = Slice(all, half, most, axis)
  r = Slice(all, zero, half, axis)
  r2 = Pow(r, two)
  i2 = Pow(i, two)
  s = Add(r2, i2)
  m = Sqrt(s)
  d = Conv<pads = [1, 1]>(m, w, w1)
  y = Relu(d)
  e = Conv<pads = [1, 1]>(y, v, v1)
  f = Reshape(e, flat)
  z = Softmax(f)
}"""


def test_slices_that_are_one_split_and_views_of_layouts_cost_no_copy(tmp_path: Path) -> None:
    """Parts of a spectrum are one node alone, too, with channels last; a row is the same in any layout."""
    parts = parts_of(SPECTRUM, tmp_path)
    assert ["Split"] in parts
    assert ["Pow", "Pow", "Add", "Sqrt"] in parts
    assert ["Transpose", "Reshape"] in parts
    assert not any("Slice" in part for part in parts)
    source = read_model(tmp_path / "net.onnx")
    changed = lower(source)
    alone, whole = executed_alone(changed), executed_graph(source)
    assert sum(node["layerType"] == "Split" for node in alone) == 1
    assert copies(alone)["Transpose"] == copies(whole)["Transpose"]
    for mine, theirs in zip(answer(changed, tmp_path), answer(source, tmp_path), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-4, atol=1e-6)
        assert np.abs(theirs).max() > 0


MASKED = """<ir_version: 8, opset_import: ["" : 17]>
g (int64[1,64] n, float[1,64,8] x) => (float[1,64,8] y) <
  int64[1,1,8] classes = {1, 2, 3, 4, 5, 6, 7, 8}, int64[3] place = {1, 64, 1}, float[8,8] w, float low = {0.0}
> {
  p = Reshape(n, place)
  b = Equal(p, classes)
  no = Not(b)
  m = MatMul(x, w)
  t = Where(no, low, m)
  y = MatMul(t, w)
}"""


def test_types_that_openvino_converts_at_ends_of_networks_cross_no_cut(tmp_path: Path) -> None:
    """A comparison lies in a piece with the only one that reads it: none converts what the network does not."""
    parts = parts_of(MASKED, tmp_path)
    assert any({"Equal", "Not", "Where"} <= set(part) for part in parts)
    source = read_model(tmp_path / "net.onnx")
    converted = [
        sum(node["layerType"] == "Convert" for node in nodes)
        for nodes in (executed_alone(lower(source)), executed_graph(source))
    ]
    assert converted[0] == converted[1]


POOLS = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,3,64,64] x) => (float[1,32] y) <
  float[32,3,3,3] a, float[32] a1, float[32,32,3,3] b, float[32] b1, float[32,32,3,3] c, float[32] c1
> {
  d = Conv<pads = [1, 1, 1, 1]>(x, a, a1)
  r = Relu(d)
  e = Conv<pads = [1, 1, 1, 1]>(r, b, b1)
  s = Relu(e)
  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(s)
  f = Conv<pads = [1, 1, 1, 1]>(p, c, c1)
  q = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(f)
  t = Transpose<perm = [0, 2, 3, 1]>(q)
  y = ReduceMax<axes = [1, 2], keepdims = 0>(t)
}"""


def test_pools_stay_with_convolutions_whatever_else_cannot_be_joined(tmp_path: Path) -> None:
    """A pool alone would be run with copies; a Transpose to the layout that its input has is no layer of a piece."""
    parts = parts_of(POOLS, tmp_path)
    assert sum({"Conv", "MaxPool"} <= set(part) for part in parts) == 2
    assert ["ReduceMax"] in parts
    source = read_model(tmp_path / "net.onnx")
    changed = lower(source)
    assert copies(executed_alone(changed))["Transpose"] == copies(executed_graph(source))["Transpose"] == 0
    for mine, theirs in zip(answer(changed, tmp_path), answer(source, tmp_path), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-4, atol=1e-6)
        assert np.abs(theirs).max() > 0


def executed_alone(lowered: Model) -> list[Executed]:
    """Return the nodes that OpenVINO executes for all pieces, each compiled alone."""
    alone: list[Executed] = []
    divided = split(lowered, Granularity(1))
    lowered = divided.model
    for part in divided.sequences:
        places, blobs = place_constants(lowered, part.layers, part.constants)
        names = (part.layers, part.inputs, part.outputs)
        network = build_network(lowered, *names, rename={}, constants=places)
        alone += _compiled(compiler(), network, blobs, name="part", threads=1)
    return alone


def copies(executed: Sequence[Executed]) -> Counter[str]:
    """Count the nodes that change a layout in memory."""
    moving = (node for node in executed if node["layerType"] in {"Reorder", "Transpose"})
    return Counter(node["layerType"] for node in moving if not node["name"].endswith("_fake"))


ATTENTION = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,50,64] x) => (float[1,50,64] y) <
  float[64,192] a, float[64,64] b, int64[5] heads = {1, 50, 3, 4, 16}, int64[3] tokens = {1, 50, 64},
  int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] at0 = {0}, int64[1] at1 = {1}, int64[1] at2 = {2},
  int64[1] at3 = {3}, float half = {0.5}
> {
  m = MatMul(x, a)
  r = Reshape(m, heads)
  s = Transpose<perm = [2, 0, 3, 1, 4]>(r)
  PARTS
  t = Transpose<perm = [0, 1, 3, 2]>(k)
  qs = Mul(q, half)
  ts = Mul(t, half)
  p = MatMul(qs, ts)
  w = Softmax(p)
  o = MatMul(w, v)
  u = Transpose<perm = [0, 2, 1, 3]>(o)
  f = Reshape(u, tokens)
  y = MatMul(f, b)
}"""
PARTS = {
    "Gather": "q = Gather(s, zero) k = Gather(s, one) v = Gather(s, two)",
    "Slice": """
      q5 = Slice(s, at0, at1, at0) q = Squeeze(q5, at0) k5 = Slice(s, at1, at2, at0) k = Squeeze(k5, at0)
      v5 = Slice(s, at2, at3, at0) v = Squeeze(v5, at0)
    """,
    "Split": "q5, k5, v5 = Split(s) q = Squeeze(q5, at0) k = Squeeze(k5, at0) v = Squeeze(v5, at0)",
}


@pytest.mark.parametrize("operator", PARTS)
def test_parts_taken_in_place_are_taken_by_the_piece_that_uses_them(operator: str, tmp_path: Path) -> None:
    """Query, key and value are read where they lie in the result of one product: no piece makes one of them alone."""
    parts = parts_of(ATTENTION.replace("PARTS", PARTS[operator]), tmp_path)
    (attention,) = (part for part in parts if "Softmax" in part)
    assert all((operator in part) == (part is attention) for part in parts)
    source = read_model(tmp_path / "net.onnx")
    kinds = [
        Counter(node["layerType"] for node in nodes)
        for nodes in (executed_alone(lower(source)), executed_graph(source))
    ]
    assert all(kinds[0][kind] == kinds[1][kind] for kind in ("Gather", "Split", "StridedSlice", "Subgraph"))


def test_a_lowered_network_is_not_lowered_again(lowered: Model) -> None:
    """It says for what it was lowered."""
    with pytest.raises(UnsupportedModelError, match="already lowered for openvino"):
        lower(lowered)


def test_sequences_of_a_lowered_network_cover_it(lowered: Model) -> None:
    """Every layer lies in one sequence, those that change layouts, too."""
    parts = split(lowered, Granularity(1)).sequences
    assert sorted(index for part in parts for index in part.layers) == list(range(len(lowered.layers)))
    assert sequences_of(lowered, [parts[0].layers])[0].layers == parts[0].layers


def test_a_network_that_openvino_refuses_is_named(tmp_path: Path) -> None:
    """What it cannot compile, and what ends its process, is one line with the reason."""
    with Compiler() as own:
        broken = tmp_path / "network.onnx"
        broken.write_bytes(b"no network")
        with pytest.raises(UnsupportedModelError, match="OpenVINO cannot compile net: "):
            own.executed(broken, tmp_path, name="net", threads=1)
        own.process.kill()
        own.process.wait()
        with pytest.raises(UnsupportedModelError, match="it crashed"):
            own.executed(broken, tmp_path, name="net", threads=1)


ENDLESS = """
from dlbricks.model.bounds import allow, enforce_limits
enforce_limits(lambda _: None)
allow(0)
while True: pass
"""


def test_a_compiler_that_hangs_or_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says which: too much processor time, or none for a long while."""
    with (
        Compiler(("-c", ENDLESS)) as own,
        pytest.raises(UnsupportedModelError, match="net: it took more than 60 s"),
    ):
        own.executed(tmp_path / "network.onnx", tmp_path, name="net", threads=1)
    monkeypatch.setattr("dlbricks.plugins.openvino.compiler.IDLE_WALL_SECONDS", 1)
    sleeping = ("-c", "import time; time.sleep(600)")
    with Compiler(sleeping) as own, pytest.raises(UnsupportedModelError, match="nor answered for 1 s"):
        own.executed(tmp_path / "network.onnx", tmp_path, name="net", threads=1)


HALF = """<ir_version: 8, opset_import: ["" : 17]>
g (float16[1,8,8,8] x) => (float16[1,8,8,8] y) < float16[8,8,1,1] w > { c = Conv(x, w) y = Relu(c) }
"""


def test_a_network_in_another_precision_is_not_for_this_target(tmp_path: Path) -> None:
    """Pieces would convert at their ends; the refusal names a target and an option that do measure it."""
    half = onnx.parser.parse_model(HALF)
    del half.graph.value_info[:]
    half.graph.initializer.append(onnx.numpy_helper.from_array(np.ones((8, 8, 1, 1), np.float16), "w"))
    onnx.save(half, tmp_path / "net.onnx")
    advice = "use --target portable .* --session-option INFERENCE_PRECISION_HINT=f32"
    with pytest.raises(
        UnsupportedModelError, match=f"^net: OpenVINO computes in .*, but the network states f16; .*{advice}"
    ):
        lower(read_model(tmp_path / "net.onnx"))
    network, blobs = end_to_end_network(read_model(tmp_path / "net.onnx"))
    write_weights(tmp_path, blobs)
    settings = SessionSettings(runtime="openvino", config=(("INFERENCE_PRECISION_HINT", "f32"),))
    assert open_session(network_bytes(network), tmp_path, settings).inference.compiled


def quantised_branches(*, shared: bool) -> str:
    """Give a network of quantised convolutions, pools and concatenations, whose tensors may share one scale."""
    kept: list[str] = []
    lines: list[str] = []

    def quantised(made: str) -> None:
        own = "" if shared else made
        step = 0.1 + 0.001 * len(kept)
        kept.extend([] if shared and kept else [f"float scale{own} = {{{step}}}", f"uint8 zero{own} = {{128}}"])
        lines.append(f"{made}q = QuantizeLinear({made}, scale{own}, zero{own})")

    def read(name: str, by: str) -> str:
        own = "" if shared else name
        lines.append(f"{name}for{by} = DequantizeLinear({name}q, scale{own}, zero{own})")
        return f"{name}for{by}"

    def convolved(name: str, made: str, channels: int, kernel: int) -> None:
        kept.extend([f"int8[32,{channels},{kernel},{kernel}] w{made}", f"float step{made} = {{0.01}}"])
        kept.append(f"int8 at{made} = {{0}}")
        lines.append(f"w{made}f = DequantizeLinear(w{made}, step{made}, at{made})")
        pads = f"<pads = [{', '.join([str(kernel // 2)] * 4)}]>"
        lines.append(f"{made} = Conv{pads}({read(name, made)}, w{made}f)")
        quantised(made)

    def pooled(name: str, made: str, stride: int) -> None:
        given = f"kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [{stride}, {stride}]"
        lines.append(f"{made} = MaxPool<{given}>({read(name, made)})")
        quantised(made)

    quantised("x")
    convolved("x", "a", 3, 3)
    pooled("a", "p", 2)
    convolved("p", "b", 32, 1)
    convolved("p", "c", 32, 3)
    pooled("p", "q", 1)
    lines.append(f"k = Concat<axis = 1>({read('b', 'k')}, {read('c', 'k')}, {read('q', 'k')})")
    quantised("k")
    pooled("k", "r", 2)
    convolved("r", "d", 96, 3)
    lines.append(f"y = GlobalAveragePool({read('d', 'y')})")
    head = '<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,64,64] x) => (float[1,32,1,1] y)'
    return f"{head} <{', '.join(kept)}> {{ {' '.join(lines)} }}"


@pytest.mark.parametrize("shared", [False, True], ids=["own scales", "one scale"])
def test_quantised_pools_and_concatenations_run_as_in_the_network(shared: bool, tmp_path: Path) -> None:
    """Where nothing is quantised anew no piece does so; all kinds of executed nodes, copies, too, are the network's."""
    made = parts_of(quantised_branches(shared=shared), tmp_path)
    joined = next(part for part in made if "Concat" in part)
    assert joined == (["Concat"] if shared else [*["DequantizeLinear"] * 3, *["QuantizeLinear"] * 3, "Concat"])
    source = read_model(tmp_path / "net.onnx")
    model = lower(source)
    for mine, theirs in zip(answer(model, tmp_path), answer(source, tmp_path), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-5, atol=1e-6)
        assert np.abs(theirs).max() > 0
    alone, whole = executed_alone(model), executed_graph(source)
    assert copies(alone)["Transpose"] == copies(whole)["Transpose"] == 0
    for kind in ("Convolution", "Pooling", "Concatenation"):
        precisions = [
            [one["outputPrecisions"] for one in nodes if one["layerType"] == kind] for nodes in (alone, whole)
        ]
        assert precisions[0] == precisions[1] == ["u8"] * len(precisions[1])


PRODUCTS = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,32,64] x) => (float[1,32,64] y) <
  int8[64,64] a, int8[64,64] b, float s = {0.1}, uint8 z = {128}, float t = {0.01}, int8 v = {0},
  float[64] scale, float[64] shift
> {
  xq = QuantizeLinear(x, s, z)
  xd = DequantizeLinear(xq, s, z)
  ad = DequantizeLinear(a, t, v)
  m = MatMul(xd, ad)
  n = LayerNormalization<axis = -1>(m, scale, shift)
  nq = QuantizeLinear(n, s, z)
  nd = DequantizeLinear(nq, s, z)
  bd = DequantizeLinear(b, t, v)
  o = MatMul(nd, bd)
  y = Add(o, m)
}"""


def quantised_shuffle(dtype: str, zero: int) -> str:
    """Give quantised convolutions, one of half of the channels, which a Concat, Reshape and Transpose mix."""
    kept = [f"float s = {{0.1}}, {dtype} z = {{{zero}}}, float t = {{0.01}}, int8 v = {{0}}"]
    kept += ["int64[5] five = {1, 2, 16, 32, 32}, int64[4] four = {1, 32, 32, 32}, int64[2] halves = {16, 16}"]
    kept += [f"int8[{made},{read},3,3] w{number}" for number, (made, read) in enumerate([(32, 3), (16, 16), (8, 32)])]
    lines = ["q0 = QuantizeLinear(x, s, z)"]
    numbers = itertools.count(1)

    def quantised(call: str, *read: str) -> str:
        number = next(numbers)
        names = [f"d{number}x{place}" for place in range(len(read))]
        lines.extend(f"{name} = DequantizeLinear({one}, s, z)" for name, one in zip(names, read, strict=True))
        lines.append(f"f{number} = {call.replace('DATA', ', '.join(names))}")
        lines.append(f"q{number} = QuantizeLinear(f{number}, s, z)")
        return f"q{number}"

    def convolved(read: str, number: int) -> str:
        lines.append(f"e{number} = DequantizeLinear(w{number}, t, v)")
        return quantised(f"Conv<pads = [1, 1, 1, 1]>(DATA, e{number})", read)

    whole = convolved("q0", 0)
    lines.append(f"h = DequantizeLinear({whole}, s, z)")
    lines.append("h0, h1 = Split<axis = 1>(h, halves)")
    lines += ["p0 = QuantizeLinear(h0, s, z)", "p1 = QuantizeLinear(h1, s, z)"]
    mixed = quantised("Concat<axis = 1>(DATA)", convolved("p0", 1), "p1")
    mixed = quantised("Transpose<perm = [0, 2, 1, 3, 4]>(DATA)", quantised("Reshape(DATA, five)", mixed))
    lines.append(f"y = DequantizeLinear({convolved(quantised('Reshape(DATA, four)', mixed), 2)}, s, z)")
    head = '<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,32,32] x) => (float[1,8,32,32] y)'
    return f"{head} <{', '.join(kept)}> {{ {' '.join(lines)} }}"


@pytest.mark.parametrize(("dtype", "zero"), [("uint8", 128), ("uint8", 0), ("int8", 0), ("int8", -128)])
def test_quantised_tensors_have_the_type_that_openvino_gives_them(dtype: str, zero: int, tmp_path: Path) -> None:
    """Signed ones, too, and between views, of which none computes in floats. The answer is the same."""
    parts_of(quantised_shuffle(dtype, zero), tmp_path)
    source = read_model(tmp_path / "net.onnx")
    model = lower(source)
    for mine, theirs in zip(answer(model, tmp_path), answer(source, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)
        assert len(np.unique(theirs)) > 2
    if zero == -128 and "amx_int8" in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        # OpenVINO 2026 on a Xeon with AMX: the first convolution of the network gives floats, which is not modelled
        pytest.skip("types of signed tensors with a zero point differ on processors with AMX")
    # the last convolution's result is dequantised with it in the network
    alone, whole = (
        [
            (one["layerType"], one["runtimePrecision"], one["outputPrecisions"].split(",")[0])
            for one in nodes
            if one["layerType"] in {"Concatenation", "Convolution", "Split"}
        ]
        for nodes in (executed_alone(model), executed_graph(source))
    )
    assert alone[:-1] == whole[:-1]


STATED = """<ir_version: 10, opset_import: ["" : 21]>
g (float[1,3,32,32] x) => (float[1,8,32,32] y) <
  int8[16,3,3,3] a, int8[8,16,3,3] b, float s = {0.1}, int8 z = {-128}, float t = {0.01}, int8 v = {0}
> {
  q = QuantizeLinear<output_dtype = 3>(x, s, z)
  d = DequantizeLinear(q, s, z)
  ad = DequantizeLinear(a, t, v)
  m = Conv<pads = [1, 1, 1, 1]>(d, ad)
  n = QuantizeLinear<output_dtype = 3>(m, s, z)
  e = DequantizeLinear(n, s, z)
  bd = DequantizeLinear(b, t, v)
  y = Conv<pads = [1, 1, 1, 1]>(e, bd)
}"""


def test_a_type_that_a_layer_states_is_kept(tmp_path: Path) -> None:
    """A zero point of another type would contradict it."""
    parts_of(STATED, tmp_path)
    source = read_model(tmp_path / "net.onnx")
    model = lower(source)
    assert {model.spec(one.outputs[0]).dtype for one in model.layers if one.op_type == "QuantizeLinear"} == {"int8"}
    for mine, theirs in zip(answer(model, tmp_path), answer(source, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)


RESIDUAL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,32,64] x) => (float[1,32,64] y) <
  int8[64,64] a, int8[64,64] b, float s = {0.1}, int8 z = {3}, float t = {0.01}, int8 v = {0},
  float[64] scale, float[64] shift
> {
  xq = QuantizeLinear(x, s, z)
  xa = DequantizeLinear(xq, s, z)
  ad = DequantizeLinear(a, t, v)
  m = MatMul(xa, ad)
  mq = QuantizeLinear(m, s, z)
  mr = DequantizeLinear(mq, s, z)
  n = LayerNormalization<axis = -1>(mr, scale, shift)
  nq = QuantizeLinear(n, s, z)
  nd = DequantizeLinear(nq, s, z)
  bd = DequantizeLinear(b, t, v)
  o = MatMul(nd, bd)
  oq = QuantizeLinear(o, s, z)
  od = DequantizeLinear(oq, s, z)
  r = Add(mr, od)
  rq = QuantizeLinear(r, s, z)
  rr = DequantizeLinear(rq, s, z)
  k = LayerNormalization<axis = -1>(rr, scale, shift)
  kq = QuantizeLinear(k, s, z)
  kd = DequantizeLinear(kq, s, z)
  y = Add(kd, rr)
}"""


def test_floats_that_two_layers_read_are_dequantised_once(tmp_path: Path) -> None:
    """With what they are quantised by, as in the network. The answer is the same."""
    made = parts_of(RESIDUAL, tmp_path)
    assert any(part[-2:] == ["QuantizeLinear", "DequantizeLinear"] for part in made)
    assert all(part[0] != "DequantizeLinear" for part in made[-4:] if "LayerNormalization" in part)
    source = read_model(tmp_path / "net.onnx")
    model = lower(source)
    for mine, theirs in zip(answer(model, tmp_path), answer(source, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)
    kinds = [
        Counter(one["layerType"] for one in nodes if one["layerType"] in {"FullyConnected", "MVN"})
        for nodes in (executed_alone(model), executed_graph(source))
    ]
    assert kinds[0] == kinds[1]


def test_products_whose_results_are_not_quantised_compute_in_integers_alone(tmp_path: Path) -> None:
    """A piece without a QuantizeLinear runs as in the network."""
    parts_of(PRODUCTS, tmp_path)
    source = read_model(tmp_path / "net.onnx")
    for nodes in (executed_alone(lower(source)), executed_graph(source)):
        products = [one for one in nodes if one["layerType"] == "FullyConnected"]
        assert [one["runtimePrecision"] for one in products] == ["u8", "u8"]


def test_quantised_calls_compute_in_integers_alone(tmp_path: Path) -> None:
    """As pieces, too: convolutions, and sums cut from them where they have 8 bits; a cut adds no copy. Same answer."""
    source = read_model(NETWORKS / "int8_tv_resnet18.onnx")
    model = lower(source)
    assert all(
        np.array_equal(mine, theirs)
        for mine, theirs in zip(answer(model, tmp_path), answer(source, tmp_path), strict=True)
    )
    parts = [
        (one, kinds)
        for one in split(model, Granularity(1)).sequences
        if "QuantizeLinear" in (kinds := {model.layers[index].op_type for index in one.layers})
        if not kinds.isdisjoint({"Conv", "Add"})
    ]
    assert {"Add", "DequantizeLinear", "QuantizeLinear"} in (kinds for _, kinds in parts)
    assert not any({"Add", "Conv"} <= kinds for _, kinds in parts)
    for part, kinds in parts[1:]:
        places, blobs = place_constants(model, part.layers, part.constants)
        write_weights(tmp_path, blobs)
        network = build_network(model, part.layers, part.inputs, part.outputs, rename={}, constants=places)
        nodes = executed_layers(
            open_session(network_bytes(network), tmp_path, SessionSettings(runtime="openvino")).inference.compiled
        )
        assert {one["outputPrecisions"] for one in nodes if one["layerType"] in {"Convolution", "Subgraph"}} == {"u8"}
        assert ["u8"] * ("Conv" in kinds) == [
            one["runtimePrecision"] for one in nodes if one["layerType"] == "Convolution"
        ]
        moves = {"Reorder", "Transpose"}
        assert not [one for one in nodes if one["layerType"] in moves and not one["name"].endswith("_fake")]


ATTENDED = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,8,16,16] x) => (float[1,8,14,14] y) <
  float[16,8,3,3] w, float[16] w1, float[16,16,3,3] u, float[16] u1, float[1,1,3] k, float[8,16,3,3] h,
  int64[3] row = {1, 1, 16}, int64[4] one = {1, 16, 1, 1}, int64[4] all = {1, 16, 16, 16}
> {
  a = Conv<pads = [1, 1, 1, 1]>(x, w, w1)
  r = Relu(a)
  c = Conv<pads = [1, 1, 1, 1]>(r, u, u1)
  m = GlobalAveragePool(c)
  s = Reshape(m, row)
  t = Conv<pads = [1, 1]>(s, k)
  g1 = Sigmoid(t)
  v = Reshape(g1, one)
  e = Expand(v, all)
  p = Mul(c, e)
  q = Add(p, r)
  o = Relu(q)
  y = Conv(o, h)
}"""


def test_channels_are_weighted_without_a_copy(tmp_path: Path) -> None:
    """OpenVINO takes an Expand before a product away, and what scales channels is the same in each layout (ECA-Net)."""
    parts = parts_of(ATTENDED, tmp_path)
    assert not any("Expand" in part for part in parts)
    source = read_model(tmp_path / "net.onnx")
    changed = lower(source)
    assert copies(executed_alone(changed))["Transpose"] == copies(executed_graph(source))["Transpose"]
    for mine, theirs in zip(answer(changed, tmp_path), answer(source, tmp_path), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-4, atol=1e-6)
        assert np.abs(theirs).max() > 0
