"""Small decoders: as onnxruntime-genai's model builder writes them (the script of ``benchmarks``); as exporters do."""

import dataclasses
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from tests.model.written import Spec, network, node, weight


def _writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "decoders", Path(__file__).resolve().parents[1] / "benchmarks" / "decoders.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_unknown_operator(folder: Path) -> Path:
    """Let a decoder attend by an operator that nobody knows."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    for one in made.graph.node:
        if one.op_type == "GroupQueryAttention":
            one.op_type = "BestAttention"
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def without_data(folder: Path) -> Path:
    """Let constants that decide shapes of a decoder lie in its data, which is missing."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    for one in made.graph.initializer:
        if one.data_type == onnx.TensorProto.INT64:
            one.ClearField("raw_data")
            one.data_location = onnx.TensorProto.EXTERNAL
            one.external_data.add(key="location", value="model.onnx.data")
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def with_constant_nodes(folder: Path) -> Path:
    """Let nodes make the small constants of a decoder, as the builder 0.18 does."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    constants = [one for one in made.graph.initializer if one.data_type == onnx.TensorProto.INT64]
    for one in constants:
        made.graph.initializer.remove(one)
        made.graph.node.insert(0, onnx.helper.make_node("Constant", [], [one.name], value=one))
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def with_normed_keys(folder: Path) -> Path:
    """Split what a decoder attends with, and norm the heads of its keys, as in Qwen 3 and Gemma 3."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    head = 64
    for one in [each for each in made.graph.node if each.op_type == "GroupQueryAttention"]:
        heads, groups = (
            each.i for name in ("num_heads", "kv_num_heads") for each in one.attribute if each.name == name
        )
        product, values = (
            one.input[0],
            {"sizes": [heads * head, *[groups * head] * 2], "joined": [0, -1, groups * head]},
        )
        q, k, v, apart, normed, joined = (f"{one.name}/{name}" for name in ("q", "k", "v", "apart", "normed", "keys"))
        for name, numbers in {**values, "heads": [0, -1, head]}.items():
            made.graph.initializer.append(onnx.numpy_helper.from_array(np.array(numbers), f"{one.name}/{name}"))
        made.graph.initializer.append(weight(f"{one.name}/scale", "float32", (head,)))
        added = [
            node("Split", f"{product} {one.name}/sizes", f"{q} {k} {v}", axis=-1),
            node("Reshape", f"{k} {one.name}/heads", apart),
            node("SimplifiedLayerNormalization", f"{apart} {one.name}/scale", normed),
            node("Reshape", f"{normed} {one.name}/joined", joined),
        ]
        one.input[:3] = [q, joined, v]
        place = next(place for place, each in enumerate(made.graph.node) if each.name == one.name)
        for offset, each in enumerate(added):
            made.graph.node.insert(place + offset, each)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def with_dead_layer(folder: Path) -> Path:
    """Add a layer with a weight in another file that no output depends on."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    made.graph.initializer.append(weight("unused", "float32", (512, 4)))
    made.graph.node.append(node("MatMul", "logits unused", "unread"))
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def with_positions(folder: Path) -> Path:
    """Add learned positions to the embeddings, of which the number of new tokens selects some, as in Whisper."""
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    place, embedding = next((place, one) for place, one in enumerate(made.graph.node) if "input_ids" in one.input)
    result, embedding.output[0] = embedding.output[0], "embedded"
    made.graph.initializer.append(weight("positions", "float32", (64, 192)))
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros(1, np.int64), "first"))
    added = (
        node("Shape", "input_ids", "many", start=1, end=2),
        node("Slice", "positions first many first", "chosen"),
        node("Add", "embedded chosen", result),
    )
    for offset, one in enumerate(added, 1):
        made.graph.node.insert(place + offset, one)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    return folder


def write_decoder(
    out: Path, *, int4: bool = False, layers: int = 1, window: int = 0, model: str = "smollm2-135m"
) -> Path:
    """Write a model, by default SmolLM2 135M, its vocabulary, width and layers cut short, every other with a window."""
    writer = _writer()
    out.mkdir(parents=True, exist_ok=True)
    shape = dataclasses.replace(
        writer.SHAPES[model], hidden=192, inner=256, layers=layers, vocabulary=512, window=window
    )
    (out / "model.onnx").write_bytes(writer.decoder(shape, int4=int4).SerializeToString())
    (out / "genai_config.json").write_text(json.dumps(writer.settings(shape, "llama")), encoding="utf-8")
    return out


HEADS, HEAD, WORDS = 2, 8, 32
"""Of what ``write_export`` writes."""
_TOTAL = {"flat": "past_sequence_length + sequence_length", "merged": "attention_mask_sequence_length"}


def write_export(path: Path, form: str) -> Path:
    """Write a decoder of one layer as Optimum and torch export it: standard operators, a cache that is concatenated.

    Args:
        path: the file; its weights lie in one that does not exist.
        form: ``flat``: its lengths are symbolic; ``merged``: an ``If`` holds a network with past and one without.
    """
    hidden = HEADS * HEAD
    weights = [weight("embed", "float32", (WORDS, hidden)), weight("head", "float32", (hidden, WORDS))]
    weights += [weight(name, "float32", (hidden, hidden)) for name in ("wq", "wk", "wv", "wo")]
    cache = {"past_key_values.0.key": "present.0.key", "past_key_values.0.value": "present.0.value"}
    total = _TOTAL[form]
    inputs: dict[str, Spec] = {
        "input_ids": ("int64", ("batch_size", "sequence_length")),
        "attention_mask": ("int64", ("batch_size", total)),
        **dict.fromkeys(cache, ("float32", ("batch_size", HEADS, "past_sequence_length", HEAD))),
    }
    logits: Spec = ("float32", ("batch_size", "sequence_length", WORDS))
    grown: Spec = ("float32", ("batch_size", HEADS, "past_sequence_length + 1", HEAD))
    outputs: dict[str, Spec | None] = {"logits": logits, **dict.fromkeys(cache.values(), grown)}
    if form == "flat":
        nodes, constants = _exported(past=True)
        made = network(nodes, inputs, outputs, {**constants, **{one.name: one for one in weights}})
    else:
        branches = {}
        for name, past in (("then_branch", True), ("else_branch", False)):
            nodes, constants = _exported(past=past)
            body = network(nodes, {}, outputs, constants).graph
            body.name = "with_past" if past else "no_past"
            branches[name] = body
        call = node("If", "use_cache_branch", " ".join(outputs), name="optimum::if", **branches)
        inputs["use_cache_branch"] = ("bool", (1,))
        made = network([call], inputs, outputs, {one.name: one for one in weights})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString())
    return path


def with_names(path: Path, names: Mapping[str, str]) -> Path:
    """Give the dimensions of a network's inputs and outputs other names; an empty one leaves them without."""
    made = onnx.load(path, load_external_data=False)
    for entry in (*made.graph.input, *made.graph.output):
        for dim in entry.type.tensor_type.shape.dim:
            if dim.dim_param in names:
                name = names[dim.dim_param]
                dim.Clear()
                if name:
                    dim.dim_param = name
    path.write_bytes(made.SerializeToString())
    return path


def with_new_tokens(path: Path, count: int) -> Path:
    """Fix the new tokens of a call of ``write_export``."""
    made = onnx.load(path, load_external_data=False)
    for entry in (*made.graph.input, *made.graph.output):
        for dim in entry.type.tensor_type.shape.dim:
            if dim.dim_param == "sequence_length":
                dim.dim_value = count
    path.write_bytes(made.SerializeToString())
    return path


STEP_FORMS, ROOM = ("open", "joined", "replaced"), 16
"""Of ``write_step``."""


def write_step(path: Path, form: str) -> Path:
    """Write the decoder of ``write_export`` for one new token per call, as exports for phones are.

    Args:
        path: the file.
        form: ``open``: its cache is as long as what is past; ``joined``: all inputs have fixed extents, and what is
            new in the cache comes out; ``replaced``: the cache of a fixed length comes out, a position replaced.
    """
    made = onnx.load(write_export(path, "flat"), load_external_data=False)
    past = ROOM if form == "replaced" else ROOM - 1
    extents = {"sequence_length": 1}
    if form != "open":
        extents |= {"batch_size": 1, "past_sequence_length": past, _TOTAL["flat"]: ROOM}
    for entry in (*made.graph.input, *made.graph.output):
        for dim in entry.type.tensor_type.shape.dim:
            if dim.dim_param in extents:
                dim.dim_value = extents[dim.dim_param]
    kinds = {} if form == "open" else {"key": made.graph.output[1], "value": made.graph.output[2]}
    for kind, output in kinds.items():
        length = output.type.tensor_type.shape.dim[2]
        if form == "joined":
            output.name, length.dim_value = f"{kind}_out", 1
            made.graph.node.append(node("Identity", f"{kind}_new", output.name))
            continue
        length.dim_value = ROOM
        join = next(one for one in made.graph.node if one.output[0] == output.name)
        join.CopyFrom(node("Where", f"here {kind}_new past_key_values.0.{kind}", output.name))
    if form == "replaced":
        made.graph.input.append(onnx.helper.make_tensor_value_info("position_ids", onnx.TensorProto.INT64, (1, 1)))
        made.graph.initializer.append(onnx.numpy_helper.from_array(np.arange(ROOM).reshape(ROOM, 1), "places"))
        made.graph.node.insert(0, node("Equal", "places position_ids", "here"))
    path.write_bytes(made.SerializeToString())
    return path


CACHE_FORMS = ("tokens first", "stacked", "short", "unnamed")


def write_cache_form(path: Path, form: str) -> Path:
    """Write the decoder of ``write_export`` with caches as those write them who call torch themselves.

    Args:
        path: the file.
        form: ``tokens first``: [past, batch, heads, dim], as ChatGLM keeps them, its dimensions named as torch invents
            them; ``stacked``: one cache [layers, 2, batch, heads, past, dim]; ``short``: called ``k_0`` and ``v_0``;
            ``unnamed``: called ``c0`` and ``c1``.
    """
    made = onnx.load(write_export(path, "flat"), load_external_data=False)
    caches = {one.name: one for one in made.graph.input if one.name.startswith("past")}
    before, after = ("batch_size", HEADS, "past_sequence_length", HEAD), ("batch_size", HEADS, "total", HEAD)
    given, returned = [], []

    def value(name: str, shape: tuple[int | str, ...]) -> onnx.ValueInfoProto:
        return onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)

    if form == "stacked":
        inner = [*caches], [one.replace("past_key_values", "present") for one in caches]
        split = node("Split", "kv_cache", "key_part value_part", axis=1, num_outputs=2)
        parts = [
            node("Squeeze", f"{kind}_part two_axes", one) for kind, one in zip(("key", "value"), inner[0], strict=True)
        ]
        wide = [node("Unsqueeze", f"{one} two_axes", f"{one}_wide") for one in inner[1]]
        joined = node("Concat", " ".join(f"{one}_wide" for one in inner[1]), "new_kv_cache", axis=1)
        first, last = [split, *parts], [*wide, joined]
        made.graph.initializer.append(onnx.numpy_helper.from_array(np.array([0, 1]), "two_axes"))
        given, returned = [value("kv_cache", (1, 2, *before))], [value("new_kv_cache", (1, 2, *after))]
    else:
        first, last = [], []
        for index, inner_name in enumerate(caches):
            kind, output = inner_name.rpartition(".")[2], inner_name.replace("past_key_values", "present")
            name = {"short": f"{kind[0]}_0", "unnamed": f"c{index}"}.get(form, f"{kind}_cache_0")
            order = (2, 0, 1, 3) if form == "tokens first" else (0, 1, 2, 3)
            first.append(node("Transpose", name, inner_name, perm=[*np.argsort(order)]))
            last.append(node("Transpose", output, f"new_{name}", perm=[*order]))
            lengths = before if form == "short" else ("batch_size", HEADS, f"s{index}", HEAD)
            given.append(value(name, tuple(lengths[axis] for axis in order)))
            returned.append(value(f"new_{name}", tuple(after[axis] for axis in order)))
    nodes = [*first, *made.graph.node, *last]
    kept = [one for one in made.graph.input if one.name not in caches], [made.graph.output[0]]
    for field, values in (("node", nodes), ("input", [*kept[0], *given]), ("output", [*kept[1], *returned])):
        made.graph.ClearField(field)
        getattr(made.graph, field).extend(values)
    path.write_bytes(made.SerializeToString())
    return path


def write_fused(path: Path) -> Path:
    """Write a decoder of one layer with the runtime's MultiHeadAttention; see ``write_export``."""
    hidden, domain = HEADS * HEAD, "com.microsoft"
    shapes = {"embed": (WORDS, hidden), "head": (hidden, WORDS), "cos": (64, HEAD // 2), "sin": (64, HEAD // 2)}
    shapes |= dict.fromkeys(("wq", "wk", "wv", "wo"), (hidden, hidden))
    nodes = [node("Gather", "embed input_ids", "x"), *(node("MatMul", f"x w{one}", one) for one in "qkv")]
    for one in "qk":
        given = f"{one} position_ids cos sin"
        nodes.append(node("RotaryEmbedding", given, f"{one}_turned", domain=domain, num_heads=HEADS))
    caches = [f"past_key_values.0.{kind}" for kind in ("key", "value")]
    attention = node(
        "MultiHeadAttention", "q_turned k_turned v", "mixed", domain=domain, num_heads=HEADS, unidirectional=1
    )
    attention.input.extend(("", "", "", *caches))
    attention.output.extend(one.replace("past_key_values", "present") for one in caches)
    nodes += [attention, node("MatMul", "mixed wo", "p"), node("Add", "x p", "y"), node("MatMul", "y head", "logits")]
    asked: Spec = ("int64", ("batch_size", "sequence_length"))
    before, after = (
        ("float32", ("batch_size", HEADS, length, HEAD)) for length in ("past_sequence_length", "total_sequence_length")
    )
    outputs: dict[str, Spec | None] = {"logits": ("float32", ("batch_size", "sequence_length", WORDS))}
    made = network(
        nodes,
        {"input_ids": asked, "position_ids": asked, **dict.fromkeys(caches, before)},
        outputs | dict.fromkeys(attention.output[1:], after),
        {name: weight(name, "float32", shape) for name, shape in shapes.items()},
    )
    made.opset_import.append(onnx.helper.make_opsetid(domain, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString())
    return path


STATES = ("past.0.conv", "past.0.recurrent")
"""Of ``write_hybrid``: inputs that a call replaces."""


def write_hybrid(path: Path) -> Path:
    """Write a decoder as the builder 0.18 writes Qwen 3.5 and LFM 2: a layer with states, one with a cache.

    Its convolution and its linear attention carry states of a fixed size; each token has three positions. It has no
    settings; without past, states must be zero.
    """
    hidden, domain = HEADS * HEAD, "com.microsoft"
    shapes: dict[str, tuple[int, ...]] = {"embed": (WORDS, hidden), "head": (hidden, WORDS)}
    shapes |= {"cos": (64, HEAD // 2), "sin": (64, HEAD // 2), "kernel": (hidden, 1, 3), "scale": (HEAD,)}
    shapes |= {"wa": (hidden, HEADS), "wb": (hidden, HEADS), "bias": (HEADS,), "decay_scale": (HEADS,)}
    heads = {"q_num_heads": HEADS, "kv_num_heads": HEADS}
    turned = {"num_heads": HEADS, "mrope_section": [2, 1, 1], "domain": domain}
    nodes = [
        node("Gather", "embed input_ids", "x"),
        node("Transpose", "x", "x_t", perm=[0, 2, 1]),
        node("CausalConvWithState", f"x_t kernel - {STATES[0]}", "c_t present.0.conv", domain=domain),
        node("Transpose", "c_t", "c", perm=[0, 2, 1]),
        node("MatMul", "x wa", "a"),
        node("MatMul", "x wb", "b"),
        node("LinearAttentionGate", "a bias decay_scale b", "decay beta", domain=domain),
        node(
            "LinearAttention", f"c c c {STATES[1]} decay beta", "l present.0.recurrent", domain=domain, **heads,
            update_rule="gated_delta",
        ),
        node("GatedRMSNorm", "l scale x", "n", domain=domain),
        node("MRotaryEmbedding", "n position_ids cos sin", "q", **turned),
        node("MRotaryEmbedding", "x position_ids cos sin", "k", **turned),
        node("ReduceSum", "attention_mask axis", "summed", keepdims=0),
        node("Sub", "summed one", "last"),
        node("Cast", "last", "lengths", to=onnx.TensorProto.INT32),
        node("Shape", "attention_mask", "extents"),
        node("Gather", "extents one", "extent"),
        node("Cast", "extent", "total", to=onnx.TensorProto.INT32),
        node(
            "GroupQueryAttention", "q k x past_key_values.1.key past_key_values.1.value lengths total",
            "mixed present.1.key present.1.value", domain=domain, num_heads=HEADS, kv_num_heads=HEADS,
        ),
        node("MatMul", "mixed head", "logits"),
    ]  # fmt: skip
    asked: Spec = ("int64", ("batch_size", "sequence_length"))
    before: Spec = ("float32", ("batch_size", HEADS, "past_sequence_length", HEAD))
    after: Spec = ("float32", ("batch_size", HEADS, "total_sequence_length", HEAD))
    states: dict[str, Spec] = {
        STATES[0]: ("float32", ("batch_size", hidden, 2)),
        STATES[1]: ("float32", ("batch_size", HEADS, HEAD, HEAD)),
    }
    outputs: dict[str, Spec | None] = {"logits": ("float32", ("batch_size", "sequence_length", WORDS))}
    outputs |= {name.replace("past", "present"): spec for name, spec in states.items()}
    outputs |= dict.fromkeys(("present.1.key", "present.1.value"), after)
    made = network(
        nodes,
        {
            "input_ids": asked,
            "attention_mask": ("int64", ("batch_size", "total_sequence_length")),
            "position_ids": ("int64", (3, *asked[1])),
            **dict.fromkeys(("past_key_values.1.key", "past_key_values.1.value"), before),
            **states,
        },
        outputs,
        {
            **{name: weight(name, "float32", shape) for name, shape in shapes.items()},
            "axis": np.array([1]),
            "one": np.array(1),
        },
        domains=[domain],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.SerializeToString())
    return path


def _exported(*, past: bool) -> tuple[list[onnx.NodeProto], dict[str, NDArray[Any]]]:
    """Give the nodes of that layer and their small constants."""
    nodes = [node("Gather", "embed input_ids", "x")]
    for one, kept in (("q", "query"), ("k", "key"), ("v", "value")):
        made = kept if one == "q" else (f"{kept}_new" if past else f"present.0.{kept}")
        nodes += [
            node("MatMul", f"x w{one}", f"{one}_flat"),
            node("Reshape", f"{one}_flat to_heads", f"{one}_heads"),
            node("Transpose", f"{one}_heads", made, perm=[0, 2, 1, 3]),
        ]
        if one != "q" and past:
            nodes.append(node("Concat", f"past_key_values.0.{kept} {made}", f"present.0.{kept}", axis=2))
    nodes += [
        node("Transpose", "present.0.key", "turned", perm=[0, 1, 3, 2]),
        node("MatMul", "query turned", "scores"),
        node("Shape", "present.0.key", "extents"),
        node("Gather", "extents two", "all", axis=0),
        node("Shape", "input_ids", "asked"),
        node("Gather", "asked one", "new", axis=0),
        node("Sub", "all new", "before"),
        node("Range", "before all one", "rows"),
        node("Range", "zero all one", "columns"),
        node("Unsqueeze", "rows axis", "rows_down"),
        node("LessOrEqual", "columns rows_down", "seen"),
        node("Unsqueeze", "attention_mask axes", "masked"),
        node("Cast", "masked", "kept", to=onnx.TensorProto.BOOL),
        node("And", "seen kept", "allowed"),
        node("Where", "allowed scores least", "limited"),
        node("Softmax", "limited", "shares", axis=-1),
        node("MatMul", "shares present.0.value", "mixed"),
        node("Transpose", "mixed", "mixed_back", perm=[0, 2, 1, 3]),
        node("Reshape", "mixed_back to_hidden", "joined"),
        node("MatMul", "joined wo", "projected"),
        node("Add", "x projected", "y"),
        node("MatMul", "y head", "logits"),
    ]
    return nodes, {
        "to_heads": np.array([0, 0, HEADS, HEAD]),
        "to_hidden": np.array([0, 0, HEADS * HEAD]),
        "zero": np.array(0),
        "one": np.array(1),
        "two": np.array(2),
        "axis": np.array([1]),
        "axes": np.array([1, 2]),
        "least": np.array(-1e9, np.float32),
    }
