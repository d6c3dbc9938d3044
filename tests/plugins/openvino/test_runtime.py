"""OpenVINO as a runtime: the answers are onnxruntime's, options are what runs, what it lacks is refused in a line."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

from dlbricks import SplitSettings, generate
from dlbricks.harness.call_timer import Rewriter
from dlbricks.harness.cpu import usable_processors
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.options import RUNTIMES
from dlbricks.harness.session import (
    Backend,
    SessionSettings,
    backend,
    check_settings,
    check_target,
    open_session,
    runtime_errors,
    with_shared_pool,
)
from dlbricks.harness.trace.layer_profile import load_profile
from dlbricks.harness.values import ensure_weights
from dlbricks.plugins.openvino.runtime import HINTS, SHARED, executed_layers, facts
from tests.harness.small_suite import BLOB, UNIFORM, benchmark, matmul
from tests.harness.test_network import HANDED_THROUGH, identity
from tests.suite.suite_samples import ROOT

pytest.importorskip("openvino", reason="openvino is not installed")

SETTINGS = SessionSettings(runtime="openvino")


@pytest.mark.parametrize("shape", [(3, 5), (), (0, 4)])
@pytest.mark.parametrize("dtype", sorted({*HANDED_THROUGH} - {"float8e4m3fnuz", "float8e5m2fnuz"}))
def test_what_goes_in_comes_out(dtype: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    """Tensors of every type that it has are bound where they lie, scalars and empty ones, too."""
    data, entry = identity(dtype, shape)
    inputs = make_inputs(entry, 1)
    bound = Bound(open_session(data, tmp_path, SETTINGS), entry, inputs)
    bound.visit(1)
    assert bound.outputs()[0].tobytes() == inputs["x0"].tobytes()


def test_weights_beside_a_network_are_its_own(tmp_path: Path) -> None:
    """A product with a constant in a weight file, at an offset, gives onnxruntime's answer, and does so again."""
    ensure_weights(tmp_path, [{"file": BLOB, "dtype": "float32", "nbytes": 1 << 16, "generator": UNIFORM}], 1)
    entry, data = benchmark("MatMul", matmul(32, 4096))
    entry["inputs"][0]["shape"] = entry["outputs"][0]["shape"] = [8, 32]
    inputs = make_inputs(entry, 1)
    answers = []
    for settings in (SessionSettings(), SETTINGS):
        bound = Bound(open_session(data, tmp_path, settings), entry, inputs)
        bound.visit(2)
        answers.append(bound.outputs()[0].copy())
    assert np.allclose(answers[0], answers[1], rtol=1e-5)
    assert np.abs(answers[0]).max() > 0


def half() -> bytes:
    """Give a product in float16."""
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT16, (4, 4)) for name in ("x0", "y0")]
    graph = helper.make_graph([helper.make_node("MatMul", ["x0", "x0"], ["y0"])], "g", infos[:1], infos[1:])
    made: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9
    ).SerializeToString()
    return made


def test_another_precision_is_refused(tmp_path: Path) -> None:
    """A network in float16 that would be computed in float32 is named, with what to ask for."""
    said = "computes in f32, but the network states f16: permit that with --session-option INFERENCE_PRECISION_HINT=f32"
    with pytest.raises(HarnessError, match=said):
        open_session(half(), tmp_path, SETTINGS)
    option = ("INFERENCE_PRECISION_HINT", "f32")
    assert open_session(half(), tmp_path, replace(SETTINGS, config=(option,))).inference.compiled


@pytest.mark.parametrize(("asked", "word"), [("f16", "FP16"), ("bf16", "BF16")])
def test_a_precision_that_the_processor_lacks_is_refused(asked: str, word: str, tmp_path: Path) -> None:
    """OpenVINO takes another one silently, which a result would not say; with AVX-512 it has bfloat16 unannounced."""
    import openvino

    settings = replace(SETTINGS, config=(("INFERENCE_PRECISION_HINT", asked),))
    try:
        compiled = open_session(half(), tmp_path, settings).inference.compiled
    except HarnessError as error:
        assert f"not in the requested {asked}" in str(error)
        assert word not in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    else:
        products = [node for node in executed_layers(compiled) if node["layerType"] == "MatMul"]
        assert [node["runtimePrecision"] for node in products] == [asked]


def test_unknown_properties_and_providers_are_refused() -> None:
    """Nothing that is asked for is ignored."""
    for settings, words in (
        (SessionSettings(runtime="openvino", config=(("NUM_STREAM", "1"),)), "unknown property 'NUM_STREAM'"),
        (SessionSettings(runtime="openvino", provider="cuda"), "runs on the CPU only"),
        (SessionSettings(runtime="nonsense"), "unknown runtime 'nonsense'"),
        (SessionSettings(runtime="openvino", threads=4096), "usable processors, but OpenVINO uses no more threads"),
    ):
        with pytest.raises(HarnessError, match=words):
            check_settings(settings)


@pytest.mark.parametrize("threads", [1, 2])
def test_hints_are_what_runs(threads: int, tmp_path: Path) -> None:
    """Every recorded property is read back from the compiled network; one that is asked for is among them."""
    settings = SessionSettings(runtime="openvino", threads=threads, config=(("EXECUTION_MODE_HINT", "ACCURACY"),))
    if threads > usable_processors():
        with pytest.raises(HarnessError, match="usable processors, but OpenVINO uses no more threads"):
            check_settings(settings)
        return
    check_settings(settings)
    recorded = backend(settings).facts(settings)["session_options"]
    compiled = open_session(identity("float32", (3,))[0], tmp_path, settings).inference.compiled
    shared = {SHARED} if 1 < threads == usable_processors() else set()
    assert recorded.keys() == {*HINTS, *shared, "INFERENCE_NUM_THREADS", "EXECUTION_MODE_HINT"}
    words = {"f32": "<Type: 'float32'>"}
    for key, value in recorded.items():
        found = compiled.get_property(key) if key != "CACHE_DIR" else ""
        found = found == "YES" if key == SHARED else found
        assert str(found).removeprefix("ExecutionMode.").removeprefix("PerformanceMode.") == words.get(
            value, str(value)
        )


def test_fewer_threads_than_processors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks share the threads of all processors: less of them is a matter of what the process may use."""
    monkeypatch.setattr("dlbricks.plugins.openvino.runtime.usable_processors", lambda: 4)
    with pytest.raises(HarnessError, match=r"all 4 usable processors, but --threads is 2"):
        with_shared_pool(SessionSettings(runtime="openvino", threads=2))
    assert with_shared_pool(SessionSettings(runtime="openvino", threads=4)).shared_pool
    assert not with_shared_pool(SETTINGS).shared_pool


def test_a_network_that_cannot_be_compiled_raises_what_the_harness_knows(tmp_path: Path) -> None:
    """An operator that OpenVINO lacks is an error of the benchmark, not of the run."""
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (3,)) for name in ("x0", "y0")]
    node = helper.make_node("NoSuchThing", ["x0"], ["y0"], domain="nobody")
    graph = helper.make_graph([node], "g", infos[:1], infos[1:])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("nobody", 1)]
    with pytest.raises(
        runtime_errors(SETTINGS), match=r"^No conversion rule found for operations: nobody\.NoSuchThing\S*$"
    ):
        open_session(
            helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString(), tmp_path, SETTINGS
        )


def test_another_shape_than_the_network_states_is_refused(tmp_path: Path) -> None:
    """OpenVINO keeps the last extent of a Fourier transform of which half is wanted: one line names both shapes."""
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> g (float[1,8,1] x0) => (float[1,5,2] y0)'
        " <int64 axis = {1}> { y0 = DFT <onesided = 1> (x0, , axis) }"
    )
    _, entry = identity("float32", (1, 8, 1))
    entry["outputs"][0]["shape"] = [1, 5, 2]
    bound = Bound(open_session(model.SerializeToString(), tmp_path, SETTINGS), entry, make_inputs(entry, 1))
    with pytest.raises(
        HarnessError, match=r"'y0' has shape \[1, 5, 1, 2\] in OpenVINO, but \[1, 5, 2\] in the network"
    ):
        bound.visit(1)


def test_a_network_whose_outputs_depend_on_values_is_compiled_and_profiled(tmp_path: Path) -> None:
    """Its inputs have fixed shapes: its nodes are known, and the profile has those, with operands that are fixed."""
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[8] x0) => (float[n] y0)'
        " { s = Sigmoid(x0) i = NonZero(s) t = Transpose(i) y0 = GatherND(s, t) }"
    )
    session = open_session(model.SerializeToString(), tmp_path, SETTINGS, profile=tmp_path / "profile")
    assert "NonZero" in {layer["layerType"] for layer in executed_layers(session.inference.compiled)}
    _, entry = identity("float32", (8,))
    Bound(session, entry, make_inputs(entry, 1)).visit(2)
    call = load_profile(Path(session.inference.end_profiling())).calls[1]
    found = {layer.operator: layer.outputs for layer in call.layers}
    assert "NonZero" in found
    assert ("float32[8]",) in found.values()


def test_a_part_of_a_quantised_network_computes_in_integers(tmp_path: Path) -> None:
    """Also one that quantises nothing, as the network would; where constants alone are quantised, floats compute."""
    for given_input, given, kernel in (
        ("uint8[1,8,16,16] x", "d = DequantizeLinear(x, s, z)", "u8"),
        ("float[1,8,16,16] x", "d = Relu(x)", "f32"),
    ):
        text = f"""<ir_version: 8, opset_import: ["" : 17]> g ({given_input}) => (float[1,8,16,16] y)
          <float s = {{0.1}}, uint8 z = {{0}}, float t = {{0.01}}, int8 v = {{0}}>
          {{ f = DequantizeLinear(w, t, v) {given} c = Conv(d, f) y = Relu(c) }}"""
        model = onnx.parser.parse_model(text)
        weights = np.arange(64, dtype=np.int8).reshape(8, 8, 1, 1)
        model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
        data = model.SerializeToString()
        session = open_session(data, tmp_path, SETTINGS)
        nodes = executed_layers(session.inference.compiled)
        assert [one["runtimePrecision"] for one in nodes if one["layerType"] == "Convolution"] == [kernel]
        _, entry = identity("uint8" if kernel == "u8" else "float32", (1, 8, 16, 16))
        entry["inputs"][0]["name"], entry["outputs"][0]["name"] = "x", "y"
        entry["outputs"][0]["dtype"] = "float32"
        inputs = make_inputs(entry, 1)
        answers = []
        for opened in (session, open_session(data, tmp_path, SessionSettings())):
            bound = Bound(opened, entry, inputs)
            bound.visit(1)
            answers.append(bound.outputs()[0].copy())
        assert np.allclose(answers[0], answers[1], rtol=1e-3, atol=1e-3)
        assert np.abs(answers[0]).max() > 0


RECURRENT = """<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
g (uint8[4,1,8] x) => (float[4,1,1,8] y) <
  float s = {0.1}, uint8 z = {128}, float[1] ws = {0.01}, int8[1] wz = {0}
> {
  d = DequantizeLinear(x, s, z)
  y = com.microsoft.DynamicQuantizeLSTM<hidden_size = 8>(d, w, r, , , , , , ws, wz, ws, wz)
}"""


def test_a_recurrent_layer_behind_integers_keeps_its_weights_constant(tmp_path: Path) -> None:
    """What is quantised again so that products compute in integers must not be the weights of an LSTM."""
    model = onnx.parser.parse_model(RECURRENT)
    for name in ("w", "r"):
        weights = np.arange(256).astype(np.int8).reshape(1, 8, 32)
        model.graph.initializer.append(numpy_helper.from_array(weights, name))
    session = open_session(model.SerializeToString(), tmp_path, SETTINGS)
    assert "RNNSeq" in {node["layerType"] for node in executed_layers(session.inference.compiled)}


def test_a_buffer_is_rewritten_in_place() -> None:
    """A network of open shape takes any, again and again, and may write where it reads."""
    rewriter = Rewriter(with_shared_pool(SessionSettings(runtime="openvino", threads=usable_processors())))
    for count in (5, 700, 5):
        words = np.arange(count, dtype=np.int64)
        rewriter.rewrite([words])
        assert (words == np.arange(count)).all()


def test_its_profile_is_read_as_the_other_runtime_s(tmp_path: Path) -> None:
    """Calls and what each executed come in onnxruntime's format: one reader serves both."""
    ensure_weights(tmp_path, [{"file": BLOB, "dtype": "float32", "nbytes": 1 << 16, "generator": UNIFORM}], 1)
    entry, data = benchmark("MatMul", matmul(32))
    entry["inputs"][0]["shape"] = entry["outputs"][0]["shape"] = [8, 32]
    session = open_session(data, tmp_path, SETTINGS, profile=tmp_path / "profile")
    Bound(session, entry, make_inputs(entry, 1)).visit(3)
    profile = load_profile(Path(session.inference.end_profiling()))
    assert len(profile.calls) == 3
    assert [[layer.operator for layer in call.layers] for call in profile.calls] == [["FullyConnected"]] * 3
    assert sum(layer.duration_ns for layer in profile.calls[1].layers) <= profile.calls[1].duration_ns
    (made,) = profile.calls[1].layers
    assert made.outputs == ("float32[8,32]",)
    assert (made.activation_bytes, made.parameter_bytes, made.output_bytes) == (8 * 32 * 4, 32 * 32 * 4, 8 * 32 * 4)
    assert "FullyConnected" in [layer["layerType"] for layer in executed_layers(session.inference.compiled)]


def test_a_suite_lowered_by_one_runtime_is_not_run_by_another() -> None:
    """Both ways, with both names."""
    for made, settings in (("onnxruntime-cpu", SETTINGS), ("openvino", SessionSettings())):
        with pytest.raises(HarnessError, match=f"is made for {made}, not for"):
            check_target({"name": made, "runtime": "1", "instruction_set": []}, settings, "suite")


def test_a_lowered_suite_is_run_with_the_properties_that_it_was_lowered_with() -> None:
    """Where another property is asked for, OpenVINO may cut a network elsewhere."""
    version = facts(SETTINGS)["version"]
    asked = replace(SETTINGS, config=(("ENABLE_CPU_PINNING", "YES"),))
    with pytest.raises(HarnessError, match="leave ENABLE_CPU_PINNING out"):
        check_target({"name": "openvino", "runtime": version, "instruction_set": []}, asked, "suite")


def test_runtimes_have_one_interface() -> None:
    """Each module has every function of it; an unknown name is refused."""
    wanted = {name for name in vars(Backend) if not name.startswith("_")}
    for runtime in RUNTIMES:
        assert wanted <= vars(backend(SessionSettings(runtime=runtime))).keys()
    with pytest.raises(HarnessError, match="unknown runtime 'other': choose from onnxruntime, openvino"):
        backend(SessionSettings(runtime="other"))


def test_a_result_is_of_its_runtime(suite: Path, tmp_path: Path) -> None:
    """A run says runtime, version and hints; every benchmark of the suite gives the reference's answer."""
    from dlbricks.harness.run.cli import main

    out = tmp_path / "result.json"
    assert main(["-o", str(out), "--runtime", "openvino", "--smoke", "--quiet"], suite) == 0
    runtime = json.loads(out.read_text(encoding="utf-8"))["runtime"]
    assert runtime == backend(SETTINGS).facts(SETTINGS)


@pytest.mark.parametrize("target", ["portable", "openvino"])
def test_a_suite_runs_where_onnxruntime_is_missing(target: str, tmp_path: Path) -> None:
    """Its runner and its workers import the chosen runtime only; the other one is missed when it is chosen."""
    generate(
        [str(ROOT / "suites" / "networks" / "misc_lstm_lm.onnx")],
        out=tmp_path / "suite",
        settings=SplitSettings(target=target),
    )
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['onnxruntime'] = None", encoding="utf-8")
    command = [sys.executable, str(tmp_path / "suite" / "run.py"), "--smoke", "--quiet", "-o", str(tmp_path / "r.json")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert (missing := run()).returncode == 3
    assert missing.stderr.endswith("pip install onnxruntime\n")
    done = run("--runtime", "openvino", "--trace", "ML")
    assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["benchmarks"]
    assert {entry["status"] for entry in entries} == {"ok"}
