"""Sampling of a decoder's next token from its logits, as small networks, since the decoder's network does not do it."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dlbricks.model.lowering.targets import for_target
from dlbricks.model.read.call_axes import logits_of
from dlbricks.model.read.decoders import PAST
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity, Split

LIKELIEST, DRAWN = "the likeliest", "one of the 50 likeliest"
"""Sampling methods: greedy, and top-k with k = 50."""
_OF = 50
_OPSET, _IR_VERSION = 17, 8


def token_choices(path: Path, model: Model, dims: Mapping[str, int], *, threads: int = 1) -> dict[str, Split]:
    """Return the networks that sample a token from the logits of a decoder's step, by method, each as one sequence.

    Args:
        path: of the decoder's network.
        model: the network.
        dims: extents it was read with; without the number of past tokens it is not a step of a decoder.
        threads: that lowered networks are made for.
    """
    if PAST not in dims or not model.outputs:
        return {}
    name = logits_of(model.outputs)
    logits = model.spec(name)
    if logits.dtype != "float32" or len(logits.shape) not in (2, 3) or "hidden" in name:  # its head is another network
        return {}
    if not dimensions_of(path).short or logits.shape[-1] < _OF:
        return {}
    splits = {}
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for name, network in _networks(logits.shape[0], logits.shape[-1]).items():
            file = Path(folder) / f"choosing {name}.onnx"
            file.write_bytes(network.SerializeToString())
            splits[name] = split(for_target(read_model(file), model.target, threads=threads), Granularity(None))
    return splits


def _networks(batch: int, words: int) -> dict[str, onnx.ModelProto]:
    """Return both networks: ArgMax; and inverse transform sampling over the probabilities of the top 50 logits."""
    inputs = {"logits": (batch, words)}
    likeliest = [helper.make_node("ArgMax", ["logits"], ["token"], axis=-1, keepdims=1)]
    drawn = [
        helper.make_node("TopK", ["logits", "count"], ["greatest", "places"], axis=-1),
        helper.make_node("Softmax", ["greatest"], ["shares"], axis=-1),
        helper.make_node("CumSum", ["shares", "axis"], ["sums"]),
        helper.make_node("Less", ["sums", "number"], ["below"]),
        helper.make_node("Cast", ["below"], ["below_ints"], to=TensorProto.INT64),
        helper.make_node("ArgMin", ["below_ints"], ["rank"], axis=-1, keepdims=1),
        helper.make_node("GatherElements", ["places", "rank"], ["token"], axis=1),
    ]
    constants = {"count": np.array([_OF]), "axis": np.array(1)}
    return {
        LIKELIEST: _network(likeliest, inputs, {}, batch),
        DRAWN: _network(drawn, {**inputs, "number": (batch, 1)}, constants, batch),
    }


def _network(
    nodes: list[onnx.NodeProto], inputs: Mapping[str, tuple[int, int]], constants: Mapping[str, np.ndarray], batch: int
) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "choice",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info("token", TensorProto.INT64, (batch, 1))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    network: onnx.ModelProto = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
    )
    return network
