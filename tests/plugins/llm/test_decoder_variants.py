"""Decoders with packed weights or fewer key-value heads: onnxruntime runs them, and their shapes are right."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from dlbricks.errors import InputError
from dlbricks.harness.session import SessionSettings
from dlbricks.model.read.network import read_batched
from dlbricks.plugins.llm.decoder_loop import PlainLoop, filled
from dlbricks.plugins.llm.decoder_variants import DecoderChange, write_variant
from tests.decoders import with_constant_nodes, with_normed_keys, write_decoder

PROMPT = 5


@pytest.mark.parametrize("int4", [True, False])
@pytest.mark.parametrize("model", ["smollm2-135m", "qwen2.5-0.5b"])
@pytest.mark.parametrize(("weights", "groups"), [("int8", None), (None, 1), ("int8", 1)])
def test_a_variant_answers(tmp_path: Path, weights: str | None, groups: int | None, model: str, *, int4: bool) -> None:
    """In a loop, packed products or not, with a bias and without; its cache and its weights are as asked for."""
    folder = write_decoder(tmp_path / "decoder", int4=int4, model=model)
    made = write_variant(folder / "model.onnx", DecoderChange(weights=weights, groups=groups), tmp_path)
    read = read_batched(made, dims={"past": PROMPT, "sequence": 1}, batch=None)
    kinds = [layer.op_type for layer in read.layers]
    assert ("MatMul" in kinds) == (weights is None and not int4)
    heads = groups or {"smollm2-135m": 3, "qwen2.5-0.5b": 2}[model]
    assert read.spec("present.0.key").shape == (1, heads, PROMPT + 1, 64)
    (tmp_path / "filled").mkdir()
    loop = PlainLoop(filled(made, read, tmp_path / "filled", batch=1), SessionSettings(), room=PROMPT + 2)
    logits, _ = loop.call(np.ones((1, PROMPT), np.int64), 0, turn=0)
    assert np.isfinite(logits).all()


@pytest.mark.parametrize("int4", [True, False])
@pytest.mark.parametrize("groups", [1, 9])
def test_heads_of_normed_keys_change(tmp_path: Path, groups: int, *, int4: bool) -> None:
    """Where one product is split and the heads of keys are normed, as in Qwen 3 and Gemma 3: fewer or more answer."""
    folder = with_normed_keys(write_decoder(tmp_path / "decoder", int4=int4, layers=2))
    made = write_variant(folder / "model.onnx", DecoderChange(groups=groups), tmp_path)
    read = read_batched(made, dims={"past": PROMPT, "sequence": 1}, batch=None)
    assert {read.spec(f"present.{layer}.key").shape for layer in (0, 1)} == {(1, groups, PROMPT + 1, 64)}
    (tmp_path / "filled").mkdir()
    loop = PlainLoop(filled(made, read, tmp_path / "filled", batch=1), SessionSettings(), room=PROMPT + 2)
    logits, _ = loop.call(np.ones((1, PROMPT), np.int64), 0, turn=0)
    assert np.isfinite(logits).all()


def test_the_shape_of_a_shared_embedding_may_come_from_a_node(tmp_path: Path) -> None:
    """As the builder 0.18 writes it: packed to eight bits, the embedding keeps its own four."""
    folder = with_constant_nodes(write_decoder(tmp_path / "decoder", int4=True))
    made = write_variant(folder / "model.onnx", DecoderChange(weights="int8"), tmp_path)
    read = read_batched(made, dims={"past": PROMPT, "sequence": 1}, batch=None)
    assert read.spec("logits").shape == (1, 1, 512)
    assert not [layer.skip for layer in read.layers if layer.skip]


def test_a_variant_is_named_for_what_differs(tmp_path: Path) -> None:
    """Behind the decoder's own name, that of its folder."""
    folder = write_decoder(tmp_path / "small")
    made = write_variant(folder / "model.onnx", DecoderChange(weights="int4", groups=1), tmp_path)
    assert made == tmp_path / "small-int4-1-kv-heads" / "model.onnx"


def test_weights_behind_dequantize_linear_are_refused(tmp_path: Path) -> None:
    """As the builder writes them with ``use_qdq``: they have few bits already, which no product shows."""
    path = write_decoder(tmp_path / "decoder") / "model.onnx"
    network = onnx.load(path, load_external_data=False)
    products = [one for one in network.graph.node if one.op_type == "MatMul"]
    for weight in [one for one in network.graph.initializer if one.name in {each.input[1] for each in products}]:
        readers = [one for one in products if one.input[1] == weight.name]
        network.graph.node.insert(
            0, onnx.helper.make_node("DequantizeLinear", [weight.name, "scale"], [f"{weight.name}/whole"])
        )
        for one in readers:
            one.input[1] = f"{weight.name}/whole"
    path.write_bytes(network.SerializeToString())
    with pytest.raises(InputError, match="reads weights by DequantizeLinear: build it with MatMulNBits"):
        write_variant(path, DecoderChange(weights="int8"), tmp_path)
