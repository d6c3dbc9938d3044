"""Writes decoders of published shapes as onnxruntime-genai's model builder lays them out, without their weights.

``python benchmarks/decoders.py smollm2-135m out/smollm2 --int4`` writes a folder with ``genai_config.json`` and
``model.onnx`` (some 100 KB): its weights are external data in a file that does not exist. ``--layers 4`` cuts it short,
``--words 32000`` its vocabulary, which may be most of what is left then.

Shapes are those of each model's published ``config.json``. Grouped-query attention rotates its queries and keys, the
cache is an input and an output of each layer, and norms add the residual, as the builder fuses them for the processor.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BLOCK = 32
"""Weights that share a scale in int4."""
MS = "com.microsoft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a configuration says of a decoder of the Llama family, of Gemma 2 or of gpt-oss."""

    hidden: int
    inner: int
    layers: int
    heads: int
    groups: int
    """Heads of keys and values."""
    head: int
    """Extent of a head."""
    vocabulary: int
    context: int
    tied: bool
    """Whether the head of the vocabulary is the embedding."""
    bias: bool = False
    """Whether products to queries, keys and values have one."""
    window: int = 0
    """Tokens that every other layer attends to; 0: all do to all."""
    softcap: float = 0.0
    """Limit of attention's scores; 0: none."""
    sandwiched: bool = False
    """Whether what attention and the multilayer perceptron give is normed, too, before it is added, as in Gemma 2."""
    experts: int = 0
    """Perceptrons among which a router chooses, packed to four bits in either form, as in gpt-oss, whose heads have
    sinks; 0: there is one, and no router."""
    chosen: int = 0
    """How many of them a token takes."""

    def slides(self, layer: int) -> bool:
        """Say whether a layer attends to the last tokens only."""
        return bool(self.window) and layer % 2 == 0


SHAPES = {
    "smollm2-135m": Shape(
        hidden=576, inner=1536, layers=30, heads=9, groups=3, head=64, vocabulary=49152, context=8192, tied=True
    ),
    "qwen2.5-0.5b": Shape(
        hidden=896,
        inner=4864,
        layers=24,
        heads=14,
        groups=2,
        head=64,
        vocabulary=151936,
        context=32768,
        tied=True,
        bias=True,
    ),
    "qwen2.5-1.5b": Shape(
        hidden=1536,
        inner=8960,
        layers=28,
        heads=12,
        groups=2,
        head=128,
        vocabulary=151936,
        context=32768,
        tied=True,
        bias=True,
    ),
    "llama-3.2-1b": Shape(
        hidden=2048, inner=8192, layers=16, heads=32, groups=8, head=64, vocabulary=128256, context=131072, tied=True
    ),
    "phi-3-mini": Shape(
        hidden=3072, inner=8192, layers=32, heads=32, groups=32, head=96, vocabulary=32064, context=4096, tied=False
    ),
    "gemma-2-2b": Shape(
        hidden=2304,
        inner=9216,
        layers=26,
        heads=8,
        groups=4,
        head=256,
        vocabulary=256000,
        context=8192,
        tied=True,
        window=4096,
        softcap=50.0,
        sandwiched=True,
    ),
    "gpt-oss-20b": Shape(
        hidden=2880,
        inner=2880,
        layers=24,
        heads=64,
        groups=8,
        head=64,
        vocabulary=201088,
        context=131072,
        tied=False,
        bias=True,
        window=128,
        experts=32,
        chosen=4,
    ),
}
"""By name."""


class Writer:
    """Collects the nodes and weights of a network."""

    def __init__(self, *, int4: bool, half: bool) -> None:
        """Begin with nothing."""
        self.int4, self.kind = int4, TensorProto.FLOAT16 if half else TensorProto.FLOAT
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(
        self, operator: str, inputs: Sequence[str], name: str, outputs: int = 1, domain: str = "", **given: Any
    ) -> str:
        """Add a node; give its first output."""
        made = [f"{name}/output_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, made, name=name, domain=domain, **given))
        return made[0]

    def weight(self, name: str, shape: Sequence[int], kind: int | None = None) -> str:
        """Add a weight that lies in another file, in the type of activations unless another is given."""
        made = TensorProto(name=name, data_type=kind or self.kind, dims=shape, data_location=TensorProto.EXTERNAL)
        made.external_data.add(key="location", value="model.onnx.data")
        self.weights.append(made)
        return name

    def number(self, name: str, values: object, kind: type[np.generic] = np.int64) -> str:
        """Add a constant with its values."""
        self.weights.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def real(self, name: str, value: float) -> str:
        """Add a constant in the type of activations."""
        return self.number(name, value, np.float16 if self.kind == TensorProto.FLOAT16 else np.float32)

    def product(self, given: str, name: str, wide: int, out: int, *, bias: bool = False) -> str:
        """Add a product with a matrix of weights, packed to four bits if asked for."""
        if self.int4:
            blocks = -(-wide // BLOCK)
            packed = self.weight(f"{name}.weight_Q4", (out, blocks, BLOCK // 2), TensorProto.UINT8)
            scales = self.weight(f"{name}.weight_scales", (out, blocks))
            made = self.node(
                "MatMulNBits",
                [given, packed, scales],
                f"{name}/MatMulNBits",
                domain=MS,
                K=wide,
                N=out,
                bits=4,
                block_size=BLOCK,
                accuracy_level=4,
            )
        else:
            made = self.node("MatMul", [given, self.weight(f"{name}.weight", (wide, out))], f"{name}/MatMul")
        return self.node("Add", [made, self.weight(f"{name}.bias", (out,))], f"{name}/Add") if bias else made


def decoder(shape: Shape, *, int4: bool, half: bool = False) -> onnx.ModelProto:
    """Make the network of a decoder."""
    to = Writer(int4=int4, half=half)
    mask = "/model/attn_mask_reformat"
    summed = to.node("ReduceSum", ["attention_mask", to.number(f"{mask}/axes", [1])], f"{mask}/ReduceSum", keepdims=0)
    last = to.node("Sub", [summed, to.number(f"{mask}/one", 1)], f"{mask}/Sub")
    lengths = to.node("Cast", [last], f"{mask}/Cast", to=TensorProto.INT32)
    extents = to.node("Shape", ["attention_mask"], f"{mask}/Shape")
    extent = to.node("Gather", [extents, to.number(f"{mask}/axis", 1)], f"{mask}/Gather", axis=0)
    total = to.node("Cast", [extent], f"{mask}/total/Cast", to=TensorProto.INT32)
    residual = _embedded(to, shape)
    if shape.sandwiched:
        scale = to.real("/model/embed_tokens/scale", round(shape.hidden**0.5, 2))
        residual = to.node("Mul", [residual, scale], "/model/embed_tokens/Mul")
    angles = [to.weight(name, (shape.context, shape.head // 2)) for name in ("cos_cache", "sin_cache")]
    normed = _alone(to, residual, "/model/layers.0/input_layernorm", shape.hidden)
    inputs, outputs = _inputs(), [_value("logits", ("batch_size", "sequence_length", shape.vocabulary), to.kind)]
    for index in range(shape.layers):
        place = f"/model/layers.{index}"
        kind = "sliding" if shape.slides(index) else "sequence"
        pasts = [f"past_key_values.{index}.{one}" for one in ("key", "value")]
        wide = shape.heads * shape.head
        three = wide + 2 * shape.groups * shape.head
        packed = to.product(normed, f"model.layers.{index}.attn.qkv_proj", shape.hidden, three, bias=shape.bias)
        sinks = ["", "", to.weight(f"model.layers.{index}.attn.sinks", (shape.heads,))] if shape.experts else []
        attended = to.node(
            "GroupQueryAttention",
            [packed, "", "", *pasts, lengths, total, *angles, *sinks],
            f"{place}/attn/GroupQueryAttention",
            3,
            MS,
            num_heads=shape.heads,
            kv_num_heads=shape.groups,
            scale=shape.head**-0.5,
            do_rotary=1,
            rotary_interleaved=0,
            local_window_size=shape.window if shape.slides(index) else -1,
            softcap=shape.softcap,
            **({"sliding_window_cache": 1} if shape.slides(index) else {}),
        )
        to.nodes[-1].output[1:] = presents = [f"present.{index}.{one}" for one in ("key", "value")]
        grown = ("batch_size", shape.groups, f"total_{kind}_length", "kv_cache_dim")
        inputs += [
            _value(one, ("batch_size", shape.groups, f"past_{kind}_length", "kv_cache_dim"), to.kind) for one in pasts
        ]
        outputs += [_value(one, grown, to.kind) for one in presents]
        attended = to.product(attended, f"{place}/attn/o_proj", wide, shape.hidden, bias=bool(shape.experts))
        if shape.sandwiched:
            attended = _alone(to, attended, f"{place}/post_attention_layernorm", shape.hidden)
        before = "pre_feedforward_layernorm" if shape.sandwiched else "post_attention_layernorm"
        normed, residual = _normed(to, residual, attended, f"{place}/{before}", shape.hidden)
        down = _experts(to, shape, normed, index) if shape.experts else _perceptron(to, shape, normed, index)
        if shape.sandwiched:
            down = _alone(to, down, f"{place}/post_feedforward_layernorm", shape.hidden)
        after = f"/model/layers.{index + 1}/" + (
            "input_layernorm" if index + 1 < shape.layers else "final_norm_layernorm"
        )
        normed, residual = _normed(to, residual, down, after, shape.hidden)
    logits = to.product(normed, "/lm_head", shape.hidden, shape.vocabulary)
    if shape.sandwiched:
        limit = to.real("/lm_head/softcap", 30.0)
        small = to.node("Tanh", [to.node("Div", [logits, limit], "/lm_head/softcap/Div")], "/lm_head/softcap/Tanh")
        to.node("Mul", [small, limit], "/lm_head/softcap/Mul")
    to.nodes[-1].output[0] = "logits"
    graph = helper.make_graph(to.nodes, "main_graph", inputs, outputs, to.weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="dlbricks")


def _perceptron(to: Writer, shape: Shape, normed: str, layer: int) -> str:
    place = f"/model/layers.{layer}/mlp"
    gate = to.product(normed, f"{place}/gate_proj", shape.hidden, shape.inner)
    up = to.product(normed, f"{place}/up_proj", shape.hidden, shape.inner)
    if shape.sandwiched:
        gated = to.node("Gelu", [gate], f"{place}/act_fn/Gelu", approximate="tanh")
    else:
        gated = to.node("Mul", [gate, to.node("Sigmoid", [gate], f"{place}/act_fn/Sigmoid")], f"{place}/act_fn/Mul")
    product = to.node("Mul", [gated, up], f"{place}/Mul")
    return to.product(product, f"{place}/down_proj", shape.inner, shape.hidden)


def _experts(to: Writer, shape: Shape, normed: str, layer: int) -> str:
    """Let a router choose among perceptrons: one operator of the runtime, their weights packed to four bits."""
    place, name = f"/model/layers.{layer}/moe", f"model.layers.{layer}.moe.experts"
    scores = to.product(normed, f"{place}/router", shape.hidden, shape.experts, bias=True)
    rows = to.node("Reshape", [scores, to.number(f"{place}/rows", [-1, shape.experts])], f"{place}/router/Reshape")
    given = [normed, rows]
    for one, wide, out in (("gate_up_proj", shape.hidden, 2 * shape.inner), ("down_proj", shape.inner, shape.hidden)):
        given += [
            to.weight(f"{name}.{one}.qweight", (shape.experts, out, wide // 2), TensorProto.UINT8),
            to.weight(f"{name}.{one}.scales", (shape.experts, out, wide // BLOCK)),
            to.weight(f"{name}.{one}.bias", (shape.experts, out)),
        ]
    return to.node(
        "QMoE",
        given,
        f"{place}/QMoE",
        domain=MS,
        k=shape.chosen,
        activation_type="swiglu",
        activation_alpha=1.702,
        activation_beta=1.0,
        swiglu_limit=7.0,
        swiglu_fusion=1,
        normalize_routing_weights=1,
        expert_weight_bits=4,
        block_size=BLOCK,
    )


def _alone(to: Writer, given: str, name: str, hidden: int) -> str:
    """Norm without a residual."""
    weight = to.weight(f"{name}.weight", (hidden,))
    return to.node(
        "SimplifiedLayerNormalization", [given, weight], f"{name}/LayerNorm", axis=-1, epsilon=1e-5, stash_type=1
    )


def _embedded(to: Writer, shape: Shape) -> str:
    """Look tokens up, in the weights of the last product where a model ties them."""
    place, rows = "/model/embed_tokens", shape.vocabulary
    if not shape.tied:
        table = to.weight("model.embed_tokens.weight", (rows, shape.hidden))
        return to.node("Gather", [table, "input_ids"], f"{place}/Gather")
    if not to.int4:
        turned = to.node("Transpose", ["/lm_head.weight"], f"{place}/Transpose", perm=[1, 0])
        return to.node("Gather", [turned, "input_ids"], f"{place}/Gather")
    extents = to.number(f"{place}/extents", [rows, shape.hidden // 2])
    flat = to.node("Reshape", ["/lm_head.weight_Q4", extents], f"{place}/Reshape")
    return to.node(
        "GatherBlockQuantized",
        [flat, "input_ids", "/lm_head.weight_scales"],
        f"{place}/GatherBlockQuantized",
        domain=MS,
        bits=4,
        block_size=BLOCK,
        gather_axis=0,
        quantize_axis=1,
    )


def _normed(to: Writer, residual: str, added: str, name: str, hidden: int) -> tuple[str, str]:
    """Add what a block made to the residual and norm the sum; give the norm and the sum."""
    weight = to.weight(f"{name}.weight", (hidden,))
    made = to.node(
        "SkipSimplifiedLayerNormalization", [residual, added, weight], f"{name}/SkipLayerNorm", 4, MS, epsilon=1e-5
    )
    outputs = to.nodes[-1].output
    outputs[1] = outputs[2] = ""
    return made, outputs[3]


def _value(name: str, shape: Sequence[int | str], kind: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def _inputs() -> list[onnx.ValueInfoProto]:
    return [
        _value("input_ids", ("batch_size", "sequence_length"), TensorProto.INT64),
        _value("attention_mask", ("batch_size", "total_sequence_length"), TensorProto.INT64),
    ]


def settings(shape: Shape, name: str) -> dict[str, object]:
    """Give ``genai_config.json``."""
    cache = {
        f"{kind}_{one}_names": f"{stem}.%d.{one}"
        for kind, stem in (("past", "past_key_values"), ("present", "present"))
        for one in ("key", "value")
    }
    inputs = {"input_ids": "input_ids", "attention_mask": "attention_mask"}
    split = {key: value for key, value in cache.items() if key.startswith("past")}
    made = {key: value for key, value in cache.items() if key.startswith("present")}
    local = [layer for layer in range(shape.layers) if shape.slides(layer)]
    window = {"window_size": shape.window, "slide_key_value_cache": False, "slide_inputs": False, "layers": local}
    return {
        "model": {
            "bos_token_id": 1,
            "context_length": shape.context,
            "decoder": {
                "session_options": {"log_id": "onnxruntime-genai", "provider_options": []},
                "filename": "model.onnx",
                "head_size": shape.head,
                "hidden_size": shape.hidden,
                "inputs": inputs | split,
                "outputs": {"logits": "logits"} | made,
                "num_attention_heads": shape.heads,
                "num_hidden_layers": shape.layers,
                "num_key_value_heads": shape.groups,
                **({"sliding_window": window | {"cache_slack": 0}} if local else {}),
            },
            "eos_token_id": 2,
            "pad_token_id": 2,
            "type": name,
            "vocab_size": shape.vocabulary,
        },
        "search": {"max_length": shape.context, "past_present_share_buffer": True},
    }


def write(
    name: str, out: Path, *, int4: bool, half: bool = False, layers: int | None = None, words: int | None = None
) -> None:
    """Write a folder."""
    whole = SHAPES[name]
    shape = replace(whole, layers=layers or whole.layers, vocabulary=words or whole.vocabulary)
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(decoder(shape, int4=int4, half=half).SerializeToString())
    kind = "gptoss" if shape.experts else "gemma2" if shape.sandwiched else "qwen2" if shape.bias else "llama"
    (out / "genai_config.json").write_text(json.dumps(settings(shape, kind), indent=4) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=SHAPES)
    parser.add_argument("out", type=Path)
    parser.add_argument("--int4", action="store_true")
    parser.add_argument("--half", action="store_true", help="16-bit floating point, which GPUs need")
    parser.add_argument("--layers", type=int, help="fewer than the model has")
    parser.add_argument("--words", type=int, help="a smaller vocabulary")
    given = parser.parse_args()
    write(given.name, given.out, int4=given.int4, half=given.half, layers=given.layers, words=given.words)


if __name__ == "__main__":
    main()
