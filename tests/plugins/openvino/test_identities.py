"""Layers that give what they read are removed, and nothing else changes."""

from pathlib import Path

import numpy as np
import onnx

from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.runtime import plain_session
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.plugins.openvino.identities import without_identities

NETWORK = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2,6] x, bool on) => (float[2,6] y, float[2,6] z, float[2,6] same, int64[2,6] n, float[2,3] v) <
  int64[2] shape = {2, 6}, int64[2] other = {2, 3}, int64[2] turned = {6, 2}
> {
  a = Identity(x)
  b = Relu(a)
  c = Identity(b)
  d = Dropout(c)
  e = Reshape(d, shape)
  f = Cast<to = 1>(e)
  g1 = Tanh(f)
  y = Identity(g1)
  h = Concat<axis = 0>(y)
  z = Exp(h)
  same = Identity(x)
  k = Cast<to = 7>(z)
  n = Identity(k)
  t = Reshape(z, turned)
  s = Slice(t, zero, three, zero)
  v1 = Reshape(s, other)
  i1 = Identity(v1)
  v = If(on) <
    then_branch = g2 () => (float[2,3] p) { p = Neg(i1) }, else_branch = g3 () => (float[2,3] q) { q = Abs(i1) }
  >
}
"""


def answers(model: Model, folder: Path) -> list[np.ndarray]:
    """Run a network as it is written, by onnxruntime."""
    network, blobs = end_to_end_network(model)
    onnx.checker.check_model(network)
    write_weights(folder, blobs)
    values: list[np.ndarray] = plain_session(network_bytes(network), weights=folder).run(
        None, dict(end_to_end_inputs(model))
    )
    return values


def read(text: str, folder: Path) -> Model:
    """Read a network that is given as text."""
    model = onnx.parser.parse_model(text)
    for name, value in (("zero", 0), ("three", 3)):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([value], np.int64), name))
    onnx.save(model, folder / "net.onnx")
    return read_model(folder / "net.onnx")


def test_what_is_left_computes_the_same(tmp_path: Path) -> None:
    """Inputs and outputs keep their names; an output that is an input, and what a body reads, keep their Identity."""
    model = read(NETWORK, tmp_path)
    changed = without_identities(model)
    kinds = [layer.op_type for layer in changed.layers]
    assert kinds == ["Relu", "Tanh", "Exp", "Identity", "Cast", "Reshape", "Slice", "Reshape", "Identity", "If"]
    assert (changed.inputs, changed.outputs) == (model.inputs, model.outputs)
    assert set(changed.tensors) == {*changed.inputs, *(name for layer in changed.layers for name in layer.outputs)}
    for mine, theirs in zip(answers(changed, tmp_path), answers(model, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)
        assert np.abs(theirs).max() > 0


def test_two_outputs_of_one_result_stay_two(tmp_path: Path) -> None:
    """Only one of them can have the name of what both are."""
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y, float[4] z) {'
    model = read(text + " r = Relu(x) y = Identity(r) z = Identity(r) }", tmp_path)
    changed = without_identities(model)
    assert [layer.op_type for layer in changed.layers] == ["Relu", "Identity"]
    assert changed.outputs == ("y", "z")
    for mine, theirs in zip(answers(changed, tmp_path), answers(model, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_network_without_them_is_the_same_object(tmp_path: Path) -> None:
    """There is nothing to do."""
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) { y = Relu(x) }'
    model = read(text, tmp_path)
    assert without_identities(model) is model


def test_neutral_numbers_and_expansions_for_sums_and_products_vanish(tmp_path: Path) -> None:
    """Numbers stay where the result gets more dimensions, and an expansion that others read, too."""
    text = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,4,3,3] x, float[1,4,1,1] w) => (float[1,4,3,3] y, float[1,4,3,3] z, float[1,1,4,1,1] u) <
      float one = {1}, float nil = {0}, float two = {2}, float[1,1,1,1,1] ones = {1}, int64[4] shape = {1, 4, 3, 3}
    > {
      e = Expand(w, shape)
      m = Mul(x, e)
      a = Add(nil, m)
      b = Div(a, one)
      c = Sub(nil, b)
      d = Mul(c, two)
      y = Sub(d, nil)
      f = Expand(w, shape)
      g0 = Add(f, x)
      h = Neg(f)
      z = Mul(g0, h)
      k = Abs(w)
      u = Mul(k, ones)
    }"""
    model = read(text, tmp_path)
    changed = without_identities(model)
    kinds = [layer.op_type for layer in changed.layers]
    assert kinds == ["Mul", "Sub", "Mul", "Expand", "Add", "Neg", "Mul", "Abs", "Mul"]
    for mine, theirs in zip(answers(changed, tmp_path), answers(model, tmp_path), strict=True):
        assert np.array_equal(mine, theirs)
        assert np.abs(theirs).max() > 0
