"""Shapes behind operators of onnxruntime that its symbolic inference does not know (1.32), for that inference.

They are those of its model builder for decoders with experts, of Qwen 2.5 VL and newer, and of LFM 2. As the schemas of
the runtime say, most results have the shape of an input; states keep theirs from call to call.
"""

from collections.abc import Mapping
from typing import Any

import onnx
from onnx import helper

_KEPT: Mapping[str, Mapping[int, int]] = {
    "CausalConvWithState": {0: 0, 1: 3},
    "GatedAdd": {0: 0},
    "GatedRMSNorm": {0: 0},
    "LinearAttention": {1: 3},
    "LinearAttentionGate": {0: 0, 1: 3},
    "MRotaryEmbedding": {0: 0},
    "QMoE": {0: 0},
}
"""For each operator, the input whose type and shape each output has, by their places."""


def add_rules(inference: Any) -> None:
    """Add these operators to an inference of onnxruntime's; what it knows itself stays."""

    def kept(node: onnx.NodeProto) -> None:
        for output, given in _KEPT[node.op_type].items():
            if len(node.output) > output and node.output[output] and len(node.input) > given and node.input[given]:
                inference._propagate_shape_and_type(node, given, output)  # noqa: SLF001
        if node.op_type == "LinearAttention":
            _attended(inference, node)
        elif node.op_type == "CausalConvWithState":
            _convolved(inference, node)

    for name in _KEPT:
        inference.dispatcher_.setdefault(name, kept)


def _attended(inference: Any, node: onnx.NodeProto) -> None:
    """Values of each head, of the queries or of the keys, whichever are more."""
    given = {one.name: one.i for one in node.attribute}
    value = inference.known_vi_[node.input[2]].type.tensor_type
    batch, length, wide = (one.dim_value for one in value.shape.dim)
    heads = given["kv_num_heads"]
    extent = wide // heads * max(heads, given["q_num_heads"])
    made = helper.make_tensor_value_info(node.output[0], value.elem_type, (batch, length, extent))
    inference.known_vi_[node.output[0]].CopyFrom(made)


def _convolved(inference: Any, node: onnx.NodeProto) -> None:
    """Only the chosen channels, which are the last extent then."""
    channels = next((one.i for one in node.attribute if one.name == "input_channels"), 0)
    if channels > 0:
        inference.known_vi_[node.output[0]].type.tensor_type.shape.dim[-1].dim_value = channels
