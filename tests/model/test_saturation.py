"""Products of made-up quantised operands: the same where the processor adds pairs of them in 16 bits and saturates.

x86 processors with AVX2 or AVX-512 but without VNNI multiply unsigned by signed bytes with ``vpmaddubsw``, which adds
two neighbouring products in 16 bits. What neighbours are depends on how the runtime packs the weights.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dlbricks.harness.values import ensure_weights, fill
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Generator, Model
from dlbricks.operators.values import place_constants
from tests.model.written import F32, Spec, input_generator, network, node, reading, weight

SUITES = Path(__file__).parents[2] / "suites"
SHORTS = np.iinfo(np.int16)
MIDDLE = {"int8": 0, "uint8": 128}
"""Zero points."""
MS = {"domain": "com.microsoft"}
Bytes = NDArray[np.int64]


def saturating(data: Bytes, weights: Bytes) -> Bytes:
    """Multiply (m, k) by (k, n) as ``vpmaddubsw`` does: pairs of products are added in 16 bits, then in 32 bits."""
    products = data[:, :, None] * weights[None, :, :]
    if products.shape[1] % 2:
        products = np.pad(products, ((0, 0), (0, 1), (0, 0)))
    pairs = products[:, 0::2] + products[:, 1::2]
    sums: Bytes = np.clip(pairs, SHORTS.min, SHORTS.max).sum(axis=1)
    return sums


def worst(weights: Bytes) -> Bytes:
    """Give unsigned activations that drive the positive, then the negative products of each column to the limit."""
    return np.concatenate([np.where(weights.T > 0, 255, 0), np.where(weights.T < 0, 255, 0)])


def holds_everywhere(weights: Bytes) -> bool:
    """Whether no product of (k, n) weights saturates, whatever the activations, and whichever rows are neighbours."""
    extremes = [np.sort(weights, axis=0), np.sort(weights, axis=0)[::-1], weights]
    return all((saturating(worst(one), one) == worst(one) @ one).all() for one in extremes)


def test_the_simulation_saturates() -> None:
    """Two products fit with weights of 7 bits, in both directions; with one more than that they do not."""
    for value, fits in ((64, True), (-64, True), (65, False), (-65, False), (127, False), (-128, False)):
        assert holds_everywhere(np.full((4, 1), value)) == fits


@given(st.integers(1, 40), st.integers(1, 8), st.sampled_from(sorted(MIDDLE)), st.integers(0, 2**32))
@settings(max_examples=60)
def test_generated_weights_do_not_saturate(depth: int, width: int, dtype: str, stream: int) -> None:
    """Any shape, any stretch of a weight file, any activations."""
    generator = asdict(Generator(kind="integers", low=MIDDLE[dtype] - 64, high=MIDDLE[dtype] + 64))
    values = fill(dtype, (depth, width), generator, 0, f"{stream}").astype(np.int64) - MIDDLE[dtype]
    assert holds_everywhere(values)


PRODUCTS: Mapping[str, tuple[str, str, Spec, tuple[int, ...], dict[str, Any]]] = {
    "MatMulInteger": ("MatMulInteger", "x w u z", ("uint8", (4, 64)), (64, 32), {}),
    "ConvInteger": ("ConvInteger", "x w u z", ("uint8", (1, 8, 9, 9)), (4, 8, 3, 3), {}),
    "QLinearMatMul": ("QLinearMatMul", "x s u w s z s u", ("uint8", (4, 64)), (64, 32), {}),
    "QLinearConv": ("QLinearConv", "x s u w s z s u", ("uint8", (1, 8, 9, 9)), (4, 8, 3, 3), {}),
    "DynamicQuantizeMatMul": ("DynamicQuantizeMatMul", "x w s z", ("float32", (4, 64)), (64, 32), MS),
    "MatMulIntegerToFloat": ("MatMulIntegerToFloat", "x w s s u z", ("uint8", (4, 64)), (64, 32), MS),
    "QGemm": ("QGemm", "x s u w s z", ("uint8", (4, 64)), (64, 32), MS),
    "QAttention": ("QAttention", "x w b s s - u z", ("uint8", (1, 4, 64)), (64, 192), {**MS, "num_heads": 4}),
}
"""Operator, operands, input, shape of the weight ``w``, attributes. ``s`` is a scale, ``b`` a bias, ``u`` and ``z`` are
zero points of activations and weights."""


def product(name: str, dtype: str, folder: Path) -> Model:
    """Read a network of one quantised product."""
    op_type, operands, data, shape, attributes = PRODUCTS[name]
    constants: dict[str, Any] = {
        "w": weight("w", dtype, shape),
        "b": weight("b", "float32", (192,)),
        "s": np.array(0.1, F32),
        "u": np.array(128, np.uint8),
        "z": np.array(MIDDLE[dtype], dtype),
    }
    kept = {key: value for key, value in constants.items() if key in operands.split()}
    domains = ("com.microsoft",) if attributes else ()
    made = network([node(op_type, operands, "y", **attributes)], {"x": data}, {"y": None}, kept, domains=domains)
    return reading(made, folder)


def quantised_files(model: Model) -> dict[str, tuple[float, float]]:
    """Give the bounds of the bytes in the weight files of a network, by file."""
    _, blobs = place_constants(model, range(len(model.layers)), list(model.constants))
    return {
        blob.file: (blob.generator.low, blob.generator.high)
        for blob in blobs
        if blob.dtype in MIDDLE and blob.generator.kind == "integers"
    }


@pytest.mark.parametrize("dtype", sorted(MIDDLE))
@pytest.mark.parametrize("name", sorted(PRODUCTS))
def test_weights_of_every_product_have_seven_bits(name: str, dtype: str, tmp_path: Path) -> None:
    """Around the zero point of the weight; unsigned activations keep all 8 bits."""
    model = product(name, dtype, tmp_path)
    assert set(quantised_files(model).values()) == {(MIDDLE[dtype] - 64, MIDDLE[dtype] + 64)}
    data = input_generator(model, [0], "x")
    if data.kind == "integers":
        assert (data.low, data.high) == (0, 256)


def test_signed_inputs_have_seven_bits(tmp_path: Path) -> None:
    """A signed byte from outside may be multiplied like a weight."""
    inputs: dict[str, Spec] = {"x": ("uint8", (4, 64)), "v": ("int8", (64, 8))}
    model = reading(network([node("MatMulInteger", "x v", "y")], inputs, {"y": None}), tmp_path)
    made = input_generator(model, [0], "v")
    assert (made.low, made.high) == (-64, 64)


def test_packed_weights_keep_all_bits(tmp_path: Path) -> None:
    """Two values of 4 bits in a byte take the whole byte; one of 8 bits takes 7 of them."""
    for bits, expected in ((4, (0, 256)), (8, (64, 192))):
        constants = {"w": weight("w", "uint8", (32, 2, 32 * bits // 8)), "s": weight("s", "float32", (64,))}
        attributes = {**MS, "K": 64, "N": 32, "bits": bits, "block_size": 32}
        nodes = [node("MatMulNBits", "x w s", "y", **attributes)]
        made = network(nodes, {"x": ("float32", (4, 64))}, {"y": None}, constants, domains=["com.microsoft"])
        assert set(quantised_files(reading(made, tmp_path)).values()) == {expected}


@pytest.mark.parametrize("name", ["int8_tv_resnet18", "int8_hf_distilbert"])
def test_signed_weights_of_published_networks_have_seven_bits(name: str) -> None:
    """All of them, whatever stands between a weight and its product."""
    found = quantised_files(read_model(SUITES / "networks" / f"{name}.onnx"))
    signed = {bounds for file, bounds in found.items() if ".int8." in file}
    assert signed == {(-64, 64)}


def test_the_products_of_the_smoke_suite_do_not_saturate(tmp_path: Path) -> None:
    """Every signed weight of 8 bits in its networks, as the runner makes it up, with the worst activations."""
    suite = json.loads((SUITES / "smoke" / "suite.json").read_text(encoding="utf-8"))
    blobs = [blob for blob in suite["weights"] if blob["dtype"] == "int8"]
    ensure_weights(tmp_path, blobs, suite["seed"])
    files = {blob["file"]: np.fromfile(tmp_path / blob["file"], np.int8) for blob in blobs}
    checked = 0
    for benchmark in suite["benchmarks"]:
        path = SUITES / "smoke" / benchmark["network"]
        for tensor in onnx.load(path, load_external_data=False).graph.initializer:
            place = {entry.key: entry.value for entry in tensor.external_data}
            if tensor.data_type == onnx.TensorProto.INT8 and len(tensor.dims) > 1:
                start, size = int(place.get("offset", 0)), int(np.prod(tensor.dims))
                values = files[place["location"]][start : start + size].astype(np.int64)
                assert holds_everywhere(values.reshape(tensor.dims[0], -1).T[:, :16])
                checked += 1
    assert checked >= 5
