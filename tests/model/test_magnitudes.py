"""Networks of any depth stay finite with synthetic weights, and shallow ones keep their weights."""

import tempfile
from pathlib import Path

import numpy as np
import onnx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlbricks.model.emit import end_to_end_network
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.types import Model
from tests.model.whole_runs import run_model
from tests.model.written import network, node, reading, weight

WIDTH, ROWS = 32, 8
BLOCKS = ("no_norm", "feed_forward", "attention", "gated", "scaled", "layer_norm", "squared")


class _Deep:
    """A residual stream with the blocks of a list, one after the other."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.constants)}"
        self.constants[name] = weight(name, self.dtype, shape)
        return name

    def call(self, op_type: str, *inputs: str, **attributes: list[int]) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(node(op_type, " ".join(inputs), name, **attributes))
        return name

    def product(self, x: str) -> str:
        return self.call("MatMul", x, self.weight(WIDTH, WIDTH))

    def block(self, kind: str, x: str) -> str:
        """Add one block to the stream."""
        if kind == "attention":
            scores = self.call("MatMul", self.product(x), self.call("Transpose", self.product(x), perm=[1, 0]))
            made = self.call("MatMul", self.call("Softmax", scores), self.product(x))
        elif kind == "gated":
            made = self.product(self.call("Mul", self.product(x), self.product(x)))
        elif kind == "squared":
            inner = self.call("Relu", self.product(x))
            made = self.product(self.call("Mul", inner, inner))
        elif kind == "layer_norm":
            made = self.product(self.call("LayerNormalization", x, self.weight(WIDTH), self.weight(WIDTH)))
        elif kind == "scaled":
            return self.call("Mul", x, self.weight(WIDTH))
        else:
            made = self.product(self.call("Relu", self.product(x)))
        added = self.call("Add", x, made)
        return (
            self.call("Add", self.call("Mul", added, self.weight(WIDTH)), self.weight(WIDTH))
            if kind == "no_norm"
            else added
        )

    def read(self, blocks: list[str], folder: Path) -> Model:
        """Give the network of some blocks."""
        x = "x"
        for kind in blocks:
            x = self.block(kind, x)
        self.nodes.append(node("MatMul", f"{x} {self.weight(WIDTH, WIDTH)}", "y"))
        spec = {"x": (self.dtype, (ROWS, WIDTH))}
        return reading(network(self.nodes, spec, {"y": None}, self.constants), folder)


@settings(max_examples=12, deadline=None)
@example(["layer_norm", "squared", "no_norm", "no_norm", "gated"], 10)  # a row four times as large as the others
@example(["gated", "no_norm", "layer_norm", "feed_forward", "squared", "gated"], 24)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6), st.integers(1, 40))
def test_deep_networks_stay_finite(period: list[str], times: int) -> None:
    """A network repeats some blocks, up to 240 of them."""
    with tempfile.TemporaryDirectory() as folder:
        model = _Deep("float32").read(period * times, Path(folder))
        made = run_model(model, Path(folder))["y"].astype(np.float64)
    assert np.isfinite(made).all()
    assert np.abs(made).max() > 2.0**-100


def test_a_deep_network_of_16_bits_stays_finite(tmp_path: Path) -> None:
    """As in MobileBERT; of other blocks, squares above all, float16 holds less than an estimate can promise."""
    model = _Deep("float16").read(["feed_forward", "no_norm"] * 40, tmp_path)
    assert np.isfinite(run_model(model, tmp_path)["y"].astype(np.float64)).all()


def test_no_norm_of_24_layers_stays_finite_in_both_targets(tmp_path: Path) -> None:
    """As in MobileBERT: attention and four feed-forward networks a layer, normalised by a scale and a shift."""
    model = _Deep("float32").read(["attention", *["no_norm"] * 4] * 24, tmp_path)
    for target in (model, lower(model)):
        assert np.isfinite(run_model(target, tmp_path)["y"]).all()


def test_weights_of_shallow_networks_follow_from_their_roles(tmp_path: Path) -> None:
    """What stays below the limit is as the fan-in gives it, and as large blocks normalise."""
    for blocks in (list(BLOCKS), ["layer_norm"] * 60):
        _, blobs = end_to_end_network(_Deep("float32").read(blocks, tmp_path))
        assert {blob.file for blob in blobs} <= {
            "weights.float32.u-7.bin",
            "weights.float32.u-17.bin",
            "weights.float32.r0.5_1.5.bin",
        }


def test_smaller_weights_lie_in_files_of_the_grid(tmp_path: Path) -> None:
    """Names of files tell their bounds, also of those that were made smaller."""
    _, blobs = end_to_end_network(_Deep("float32").read(["no_norm", "scaled"] * 60, tmp_path))
    smaller = [blob for blob in blobs if blob.generator.high < 2.0**-10]
    assert smaller
    assert all(blob.file.split(".")[2][0] in "ug" for blob in smaller)
