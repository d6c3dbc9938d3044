"""Decoders of onnxruntime-genai's model builder: read, split and run, with a cache that grows in place."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from dlbricks import RunOptions, generate, read, run
from dlbricks.construct.memory_layout import layout
from dlbricks.errors import InputError
from dlbricks.harness.network import Bound
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.read.checker import complaint
from dlbricks.model.read.decoders import (
    cache_bytes,
    call_axes,
    continued_inputs,
    is_cache,
    logits_of,
    network_name,
    sliding_length,
    unnamed_caches,
)
from dlbricks.model.read.dimensions import check_given, dimensions_of
from dlbricks.model.read.network import find_networks
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Model
from dlbricks.operators.value_rules import with_full_windows
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import build_benchmark
from dlbricks.suite.extraction import token_choices
from dlbricks.suite.manifest import Benchmark
from tests.decoders import (
    CACHE_FORMS,
    HEAD,
    HEADS,
    ROOM,
    STEP_FORMS,
    WORDS,
    with_constant_nodes,
    with_names,
    write_cache_form,
    write_decoder,
    write_export,
    write_fused,
    write_hybrid,
    write_step,
)

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


@pytest.fixture(scope="module", params=[False, True], ids=["fp32", "int4"])
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Write one of either form."""
    return write_decoder(tmp_path_factory.mktemp("decoder"), int4=request.param)


def step(folder: Path, **dims: int) -> Model:
    """Read a step of it."""
    return read(find_networks([str(folder)])[0], dims=dims, target="portable")


def called(model: Model, folder: Path, *, shared: bool) -> tuple[Bound, Mapping[str, Any]]:
    """Call a whole network once, its cache in one buffer or in two."""
    network, blobs = end_to_end_network(model)
    write_weights(folder / "weights", blobs)
    contract = end_to_end_contract(model)
    if not shared:
        contract["shared"] = {}
    bound = Bound(
        open_session(network_bytes(network), folder / "weights", SessionSettings()),
        contract,
        dict(end_to_end_inputs(model)),
    )
    bound.visit(2)
    return bound, contract


def test_a_step_is_read_from_what_is_past_and_what_is_new(folder: Path) -> None:
    """Two numbers bind every dimension; the cache is a buffer with room for what is new."""
    model = step(folder, past=12, sequence=3)
    assert model.spec("logits").shape == (1, 3, 512)
    assert {model.spec(name).shape for name in (*model.inputs, *model.outputs) if "key" in name} == {(1, 3, 15, 64)}
    assert model.spec("attention_mask").shape == (1, 15)
    assert not [layer.skip for layer in model.layers if layer.skip]
    assert step(folder, past=0, batch=2).spec("logits").shape == (2, 1, 512)


def test_open_lengths_are_asked_for_by_their_short_names(folder: Path) -> None:
    """Three numbers bind all dimensions of a decoder; that is what the error says."""
    with pytest.raises(InputError, match=r"past_sequence_length: give --dim past=N --dim sequence=N --dim batch=N$"):
        step(folder)


def test_settings_that_are_missing_are_named(tmp_path: Path) -> None:
    """The size of a head is open in the file: settings bind it, else the message names the options that do."""
    path = write_decoder(tmp_path, window=8, layers=2) / "model.onnx"
    settings = tmp_path / "genai_config.json"
    settings.rename(tmp_path / "other.json")
    with pytest.raises(InputError, match=r"give --dim past_sliding_length=N --dim kv_cache_dim=N$"):
        read(path, dims={"past": 8, "sequence": 1}, target="portable")
    given = {"past": 8, "sequence": 1, "kv_cache_dim": 64, "past_sliding_length": 8, "total_sliding_length": 8}
    assert read(path, dims=given, target="portable").spec("past_key_values.0.key").shape[-1] == 64
    # settings of another file bind nothing
    (tmp_path / "other.json").rename(settings)
    path.rename(tmp_path / "renamed.onnx")
    with pytest.raises(InputError, match=r"give --dim past_sliding_length=N --dim kv_cache_dim=N$"):
        read(tmp_path / "renamed.onnx", dims={"past": 8, "sequence": 1}, target="portable")


@pytest.mark.parametrize(("past", "new"), [(0, 5), (9, 1)])
def test_a_cache_in_one_buffer_gives_the_same_numbers(folder: Path, tmp_path: Path, past: int, new: int) -> None:
    """Call after call, as what is written has its place; the output lies where the input does."""
    model = step(folder, past=past, sequence=new)
    one, contract = called(model, tmp_path, shared=True)
    two, _ = called(model, tmp_path, shared=False)
    assert contract["shared"] == {f"present.0.{each}": f"past_key_values.0.{each}" for each in ("key", "value")}
    for name, mine, theirs in zip(model.outputs, one.outputs(), two.outputs(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5, err_msg=name)
    assert len(one.places()) == len(two.places()) - 2


def test_biases_do_not_hide_shapes_behind_attention(tmp_path: Path) -> None:
    """Their values are not there; with several inputs and several new tokens no run could tell the shapes."""
    folder = write_decoder(tmp_path, int4=True, layers=2, model="qwen2.5-0.5b")
    network = read(folder / "model.onnx", dims={"past": 64, "sequence": 16}, batch=2, target="portable")
    made = {name for layer in network.layers for name in layer.outputs if name}
    unknown = [name for name in made if not network.spec(name).dtype]
    assert not unknown
    assert {network.spec(name).shape for name in network.outputs if "present" not in name} == {(2, 16, 512)}


@pytest.mark.parametrize(("past", "new"), [(0, 1), (0, 700), (3000, 1), (40, 16)])
def test_states_of_a_fixed_size_hide_no_shapes(tmp_path: Path, past: int, new: int) -> None:
    """Of convolutions, linear attention and rotations by three positions, which onnxruntime's inference does not know.

    No run finds them, which would be refused for long prompts, and fails where made up masks are empty.
    """
    network = read(
        write_hybrid(tmp_path / "hybrid.onnx"), dims={"past": past, "sequence": new}, batch=2, target="portable"
    )
    assert not [layer.skip for layer in network.layers if layer.skip]
    assert not [name for layer in network.layers for name in layer.outputs if name and not network.spec(name).dtype]
    assert {network.spec(f"present.0.{one}").shape for one in ("conv", "recurrent")} == {(2, 16, 2), (2, 2, 8, 8)}
    assert network.spec("logits").shape == (2, new, WORDS)


def test_constants_of_the_builder_are_valid(folder: Path, tmp_path: Path) -> None:
    """It states no extents of a vector that a node makes; the value says what it has, and nothing else is read."""
    path = tmp_path / "model.onnx"
    path.write_bytes((folder / "model.onnx").read_bytes())
    with_constant_nodes(tmp_path)
    made = onnx.load(path, load_external_data=False)
    for one in [each.output[0] for each in made.graph.node if each.op_type == "Constant"]:
        made.graph.value_info.append(onnx.helper.make_tensor_value_info(one, onnx.TensorProto.INT64, ()))
    path.write_bytes(made.SerializeToString())
    assert not complaint(path)


def test_a_sliding_cache_is_as_long_as_its_window(tmp_path: Path) -> None:
    """Whatever is past: of the layers that see the last tokens only; pieces run, and prompts longer than it."""
    folder = write_decoder(tmp_path / "decoder", layers=2, window=8)
    for past, new in ((0, 5), (0, 20), (30, 1)):
        model = step(folder, past=past, sequence=new)
        shapes = {name: model.spec(name).shape[2] for name in model.inputs if name.endswith("key")}
        assert shapes == {"past_key_values.0.key": 8, "past_key_values.1.key": past + new}
        bound, _ = called(model, tmp_path, shared=True)
        assert np.isfinite(bound.outputs()[0]).all()
    generate([folder], tmp_path / "suite", SplitSettings(target="portable", dims={"past": 30, "sequence": 1}))
    ran = run(tmp_path / "suite", tmp_path / "result.json", RunOptions(smoke=True))
    assert {one["status"] for one in ran["benchmarks"]} == {"ok"}


def attentions(model: Model) -> list[Benchmark]:
    """Build the benchmarks of the layers that attend."""
    parts = split(model, Granularity(1))
    return [
        build_benchmark(parts.model, canonicalise(parts.model, one)).benchmark
        for one in parts.sequences
        if any("GroupQuery" in parts.model.layers[index].op_type for index in one.layers)
    ]


def test_a_window_is_measured_as_full_as_it_is(tmp_path: Path) -> None:
    """Each length has a benchmark of its own until the window is full, and one all lengths behind that.

    Its values say how many tokens there are, its operations and the memory that it touches grow with them; a cache that
    does not slide grows on.
    """
    folder = write_decoder(tmp_path / "decoder", layers=2, window=80)
    made = {past: attentions(step(folder, past=past)) for past in (0, 64, 78, 79, 80, 300, 301)}
    sliding, whole = ({past: found[at] for past, found in made.items()} for at in (0, 1))
    assert len({one.fingerprint for one in sliding.values()}) == 5
    assert sliding[80] == sliding[300] == sliding[301]
    assert len({one.fingerprint for one in whole.values()}) == len(made)
    for past, (one, other) in made.items():
        for each, total in ((one, min(past + 1, 81)), (other, past + 1)):
            (last,) = (given.generator for given in each.inputs if given.shape == (1,))
            assert last is not None
            assert (last.low, last.high) == (total - 1, total)
            # a mask of one token could as well be an input of lengths
            assert each.flops == (2 * 2 * 576 * total if total > 1 else None)
    touched = [
        access.nbytes
        for past in (64, 79, 300)
        for call, layer in zip(layout(step(folder, past=past)).calls, step(folder, past=past).layers, strict=True)
        if "GroupQuery" in layer.op_type
        for access in call.inputs
        if access.tensor == "past_key_values.0.key"
    ]
    assert touched == [each * 3 * 64 * 4 for each in (65, 80, 80)]


def test_prompts_longer_than_a_window_are_told_apart(tmp_path: Path) -> None:
    """A first call attends to all of its tokens; a later one to those that the window kept, and its own."""
    folder = write_decoder(tmp_path / "decoder", layers=1, window=80)
    calls = [(0, 80), (0, 200), (40, 50), (80, 50), (300, 50)]
    found = [attentions(step(folder, past=past, sequence=new))[0] for past, new in calls]
    assert [(one.flops or 0) // (2 * 2 * 576) for one in found] == [80 * 80, 200 * 200, 50 * 90, 50 * 130, 50 * 130]
    assert len({one.fingerprint for one in found}) == 4


def test_layers_that_attend_alike_share_their_lengths(tmp_path: Path) -> None:
    """In one piece with a cache that does not slide a full window gets as many tokens as that has."""
    folder = write_decoder(tmp_path / "decoder", layers=2, window=8)
    model = step(folder, past=30)
    made = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole").benchmark
    (mask,) = (one.generator for one in made.inputs if one.shape == (1, 31))
    assert mask is not None
    assert (mask.low, mask.high) == (1, 2)
    pair = [index for index, layer in enumerate(model.layers) if "GroupQuery" in layer.op_type]
    assert with_full_windows(model, pair).constants == model.constants
    assert with_full_windows(model, pair[:1]).constants != model.constants


@pytest.mark.parametrize("place", ["opt", "opt/onnx"])
def test_an_export_is_named_after_its_folder(tmp_path: Path, place: str) -> None:
    """Optimum writes ``model.onnx`` beside a configuration, or in a folder below it; without one files keep names."""
    path = write_export(tmp_path / place / "model.onnx", "flat")
    other = write_export(tmp_path / place / "decoder_model.onnx", "flat")
    assert network_name(path) == "model"
    (tmp_path / "opt" / "config.json").write_text("{}", encoding="utf-8")
    assert (network_name(path), network_name(other)) == ("opt", "decoder_model")
    assert read(path, dims={"past": 3, "sequence": 1}, target="portable").name == "opt"


def test_a_window_without_layers_holds_for_none(tmp_path: Path) -> None:
    """As the builder states for Phi 3.5: longer than its context, and no layer slides."""
    folder = write_decoder(tmp_path / "decoder", layers=2, window=8)
    assert sliding_length(folder / "model.onnx") == 8
    settings = json.loads((folder / "genai_config.json").read_text(encoding="utf-8"))
    settings["model"]["decoder"]["sliding_window"] = {"window_size": 262144, "layers": [], "cache_slack": 0}
    (folder / "genai_config.json").write_text(json.dumps(settings), encoding="utf-8")
    assert sliding_length(folder / "model.onnx") == 0


@pytest.mark.parametrize("int4", [False, True], ids=["fp32", "int4"])
@pytest.mark.parametrize(("model", "has"), [("gemma-2-2b", "Gelu"), ("gpt-oss-20b", "QMoE")])
def test_gemma_and_a_mixture_of_experts_run(tmp_path: Path, model: str, has: str, *, int4: bool) -> None:
    """Norms on both sides and limited scores; a router, packed experts and sinks: whole, and in pieces."""
    folder = write_decoder(tmp_path / "decoder", layers=2, window=8, model=model, int4=int4)
    for past, new in ((0, 20), (30, 1)):
        made = step(folder, past=past, sequence=new)
        assert has in {layer.op_type.rpartition(".")[2] for layer in made.layers}
        assert not [layer.skip for layer in made.layers if layer.skip]
        bound, _ = called(made, tmp_path, shared=True)
        assert np.isfinite(bound.outputs()[0]).all()
    generate([folder], tmp_path / "suite", SplitSettings(target="portable", dims={"past": 30, "sequence": 1}))
    ran = run(tmp_path / "suite", tmp_path / "result.json", RunOptions(smoke=True))
    assert {one["status"] for one in ran["benchmarks"]} == {"ok"}


def test_composing_knows_of_the_one_buffer(folder: Path) -> None:
    """What a step writes to its cache takes no other memory than the cache."""
    model = step(folder, past=9)
    (call,) = (
        call for call, layer in zip(layout(model).calls, model.layers, strict=True) if "GroupQuery" in layer.op_type
    )
    assert [one.overwrites for one in call.outputs] == [False, True, True]


@pytest.mark.parametrize("form", ["flat", "merged"])
def test_exports_are_read_from_the_same_three_numbers(tmp_path: Path, form: str) -> None:
    """Symbolic lengths, and a file merged of a network with past and one without; pieces of both kinds run."""
    path = write_export(tmp_path / "model.onnx", form)
    for past, new in ((0, 6), (0, 1), (9, 1), (9, 4)):
        model = read(path, dims={"past": past, "sequence": new, "batch": 2}, target="portable")
        assert model.spec("logits").shape == (2, new, WORDS)
        assert model.spec("attention_mask").shape == (2, past + new)
        assert model.spec("present.0.key").shape[2] == past + new
        assert not [layer.skip for layer in model.layers if layer.skip]
        assert [layer.op_type for layer in model.layers].count("Concat") == (0 if form == "merged" and new == 6 else 2)
        assert not {layer.op_type for layer in model.layers} & {"If", "Range"}
    generate([path], tmp_path / "suite", SplitSettings(target="portable", dims={"past": 9, "sequence": 1}))
    ran = run(tmp_path / "suite", tmp_path / "result.json", RunOptions(smoke=True))
    assert {one["status"] for one in ran["benchmarks"]} == {"ok"}


TOTAL, PAST, NEW, BATCH = (
    "past_sequence_length + sequence_length", "past_sequence_length", "sequence_length", "batch_size"
)  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [
        {PAST: "past_seq_len", NEW: "seq_len", BATCH: "batch", TOTAL: "s53"},
        {PAST: "kv_len", NEW: "q_len", BATCH: "B", TOTAL: "kv_len + q_len"},
        {PAST: "s69", NEW: "s70", BATCH: "s10", TOTAL: "total_sequence_length"},
        {PAST: "", NEW: "", BATCH: "", TOTAL: ""},
        {TOTAL: "past_sequence_length + 1"},
        {PAST: "past_decoder_sequence_length", NEW: "decoder_sequence_length", TOTAL: "decoder_total"},
    ],
)
def test_a_decoder_is_told_by_its_inputs(tmp_path: Path, names: Mapping[str, str]) -> None:
    """Whatever its exporter calls the lengths, or where it calls them nothing, three numbers bind them all."""
    path = with_names(write_export(tmp_path / "model.onnx", "flat"), names)
    check_given([path], {"past": 9, "sequence": 4, "batch": 2})
    model = read(path, dims={"past": 9, "sequence": 4, "batch": 2}, target="portable")
    assert model.spec("logits").shape == (2, 4, WORDS)
    assert model.spec("attention_mask").shape == (2, 13)
    assert model.spec("present.0.key").shape[2] == 13
    assert not [layer.skip for layer in model.layers if layer.skip]
    with pytest.raises(InputError, match=r"unbound dimensions: .*: give --dim past=N --dim sequence=N --dim batch=N$"):
        read(path, target="portable")


@pytest.mark.parametrize(
    ("form", "cache"),
    [
        ("tokens first", {"key_cache_0": (9, 2, HEADS, HEAD), "value_cache_0": (9, 2, HEADS, HEAD)}),
        ("stacked", {"kv_cache": (1, 2, 2, HEADS, 9, HEAD)}),
        ("short", {"k_0": (2, HEADS, 9, HEAD), "v_0": (2, HEADS, 9, HEAD)}),
    ],
)
def test_caches_of_any_form_are_told(tmp_path: Path, form: str, cache: Mapping[str, tuple[int, ...]]) -> None:
    """Tokens may come first, all layers may be one input, and names may be letters; nothing else is taken for one."""
    path = write_cache_form(tmp_path / "model.onnx", form)
    model = read(path, dims={"past": 9, "sequence": 4, "batch": 2}, target="portable")
    assert {name: model.spec(name).shape for name in model.inputs if name in cache} == cache
    assert not [layer.skip for layer in model.layers if layer.skip]
    assert model.spec("logits").shape == (2, 4, WORDS)
    assert cache_bytes(model) == 2 * 2 * HEADS * 13 * HEAD * 4


def entry(name: str, *shape: int | str) -> onnx.ValueInfoProto:
    """Give an input of a network."""
    dtype = onnx.TensorProto.INT64 if name == "input_ids" else onnx.TensorProto.FLOAT
    return onnx.helper.make_tensor_value_info(name, dtype, shape)


@pytest.mark.parametrize(
    ("tokens", "cache", "batch", "past"),
    [
        ((1, "seq"), ("s3", 1, 2, 16), (), "s3"),
        (("b", "seq"), ("s3", "b", 2, 16), ("b",), "s3"),
        (("b", "seq"), ("past_len", "b2", 2, 16), ("b", "b2"), "past_len"),
        (("b", "seq"), ("past_axes_1", 2, "past_axes_2", 16), ("b", "past_axes_1"), "past_axes_2"),
        (("b", "seq"), (4, 2, "b2", 2, "s3", 16), ("b", "b2"), "s3"),
    ],
)
def test_the_axis_of_the_past_is_told(
    tokens: tuple[int | str, ...], cache: tuple[int | str, ...], batch: tuple[str, ...], past: str
) -> None:
    """The first axis has it where the batch is behind it or fixed, or where its name alone says so."""
    axes = call_axes([entry("input_ids", *tokens), entry("past_key_0", *cache)])
    assert axes is not None
    assert (axes.batch, axes.past) == (batch, (past,))


def written(form: str, path: Path) -> Path:
    """Write a decoder: as the builder does, as exporters do, or with a kind of cache."""
    if form in CACHE_FORMS:
        return write_cache_form(path, form)
    if form == "builder":
        return write_decoder(path.parent, int4=True, layers=2) / "model.onnx"
    return write_fused(path) if form == "fused" else write_export(path, "flat")


@pytest.mark.parametrize("form", ["builder", "flat", "fused", *CACHE_FORMS])
def test_caches_are_told_by_what_happens_to_them_as_by_their_names(form: str, tmp_path: Path) -> None:
    """Whatever they are called, a decoder has the same dimensions, and the same outputs continue them."""
    graph = skim(written(form, tmp_path / "model.onnx")).graph
    continued = continued_inputs(graph.node, graph.input, graph.output)
    if form != "unnamed":
        assert list(continued) == [one.name for one in graph.input if is_cache(one)]
        assert unnamed_caches(graph) == {}
    before = call_axes(graph.input, continued)
    assert before is not None
    names = {name: f"x{place}" for place, name in enumerate(continued)}
    for entry_ in graph.input:
        entry_.name = names.get(entry_.name, entry_.name)
    for one in graph.node:
        one.input[:] = [names.get(name, name) for name in one.input]
    assert unnamed_caches(graph) == {names[name]: output for name, output in continued.items()}
    assert call_axes(graph.input, unnamed_caches(graph)) == before
    assert call_axes(graph.input) is None


@pytest.mark.parametrize("path", sorted(NETWORKS.glob("*.onnx")), ids=lambda path: path.stem)
def test_networks_without_named_caches_have_none(path: Path) -> None:
    """What is joined with others and goes out is the cache of a decoder only."""
    graph = skim(path).graph
    named = [one.name for one in graph.input if is_cache(one)]
    assert list(continued_inputs(graph.node, graph.input, graph.output)) == named


def test_pixels_are_no_cache() -> None:
    """Their name ends in values, and has no number of a layer."""
    assert call_axes([entry("input_ids", "b", "seq"), entry("pixel_values", "b", 3, "height", "width")]) is None


@pytest.mark.parametrize("form", STEP_FORMS)
def test_a_file_for_single_steps_is_a_decoder(tmp_path: Path, form: str) -> None:
    """One that fixes the new tokens takes no more; one that fixes its cache as many as that holds."""
    path = write_step(tmp_path / "model.onnx", form)
    assert dimensions_of(path).fixed_new == 1
    check_given([path], {"past": 9, "sequence": 1})
    model = read(path, dims={"past": 9, "batch": 1}, target="portable")
    assert model.spec("logits").shape == (1, 1, WORDS)
    assert not [layer.skip for layer in model.layers if layer.skip]
    length = {"open": 10, "joined": ROOM - 1, "replaced": ROOM}[form]
    assert cache_bytes(model) == 2 * HEADS * length * HEAD * 4
    with pytest.raises(InputError, match="takes 1 new token per call, not 4: leave --chunk out"):
        read(path, dims={"past": 9, "sequence": 4, "batch": 1}, target="portable")
    beyond = {"past": ROOM, "sequence": 1, "batch": 1}
    if form == "open":
        assert read(path, dims=beyond, target="portable").spec("present.0.key").shape[2] == ROOM + 1
    else:
        with pytest.raises(InputError, match=f"exceed its cache of {ROOM} tokens: reduce"):
            read(path, dims=beyond, target="portable")


@pytest.mark.parametrize(
    ("inputs", "room"),
    [
        ([entry("k_0", 1, 2, 64, 40), entry("v_0", 1, 2, 40, 64)], 64),
        ([entry("k_0", 1, 2, 64, 40), entry("v_0", 1, 2, 40, 64), entry("mask", 1, 1, 1, 41)], 41),
        ([entry("past_conv.0", 1, 96, 3), entry("past_ssm.0", 1, 8, 16, 64)], 0),
    ],
)
def test_the_room_of_caches_is_told(inputs: Sequence[onnx.ValueInfoProto], room: int) -> None:
    """By a mask, else by their largest extent; states have none."""
    axes = call_axes([entry("input_ids", 1, 1), *inputs])
    assert axes is not None
    assert (axes.fixed_new, axes.room) == (1, room)


def test_caches_and_logits_are_told_from_other_results(tmp_path: Path) -> None:
    """Hidden states that stand first are neither; caches of an encoder count, whether they are returned or not."""
    folder = write_decoder(tmp_path / "decoder")
    before = step(folder, past=8, sequence=2)
    made = onnx.load(folder / "model.onnx", load_external_data=False)
    shape = ("batch_size", "sequence_length", 192)
    made.graph.output.insert(0, onnx.helper.make_tensor_value_info("hidden_states", onnx.TensorProto.FLOAT, shape))
    made.graph.node.append(onnx.helper.make_node("Identity", [made.graph.node[-1].input[0]], ["hidden_states"]))
    cross = ("batch_size", 2, 30, 64)
    made.graph.input.append(onnx.helper.make_tensor_value_info("past_key_cross_0", onnx.TensorProto.FLOAT, cross))
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    after = step(folder, past=8, sequence=2)
    assert (after.outputs[0], logits_of(after.outputs)) == ("hidden_states", "logits")
    assert cache_bytes(before) == 2 * 3 * 10 * 64 * 4
    assert cache_bytes(after) == cache_bytes(before) + 2 * 30 * 64 * 4
    lengths = SplitSettings(target="portable", dims={"past": 8, "sequence": 2})
    choices = token_choices(folder / "model.onnx", after, lengths)
    assert {one.model.spec("logits").shape for one in choices.values()} == {(1, 512)}
    headless = dataclasses.replace(after, outputs=("hidden_states",))
    assert token_choices(folder / "model.onnx", headless, lengths) == {}


def test_what_cannot_be_used_is_one_line(folder: Path, tmp_path: Path) -> None:
    """A prompt beyond the context, settings that are none, a folder without its network, an unknown dimension."""
    with pytest.raises(InputError, match="exceed its context of 8192 tokens: reduce"):
        step(folder, past=8000, sequence=500)
    with pytest.raises(InputError, match=r"no dimension 'pst'; open dimensions: .*past, sequence, batch"):
        check_given([folder / "model.onnx"], {"pst": 3})
    (tmp_path / "model.onnx").write_bytes((folder / "model.onnx").read_bytes())
    for text in ("{", "{}", '{"model": {"context_length": "long"}}'):
        (tmp_path / "genai_config.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"genai_config.json cannot be used: .*build the folder again") as refused:
            step(tmp_path, past=3)
        assert "\n" not in str(refused.value)
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(InputError, match="onnxruntime-genai without its network"):
        find_networks([str(tmp_path)])
