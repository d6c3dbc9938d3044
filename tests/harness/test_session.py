"""Sessions: what was asked for is what runs, or there is one line why not."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import onnxruntime
import pytest
from onnx import helper

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.run.worker import first_request, settings_of
from dlbricks.harness.runtimes import onnxruntime as ort
from dlbricks.harness.runtimes.onnxruntime import CONFIG_KEYS
from dlbricks.harness.session import (
    SessionSettings,
    backend,
    check_settings,
    open_session,
    runtime_errors,
    uses_graphs,
    with_graphs,
    with_shared_pool,
)
from tests.harness.small_suite import matmul, network, unary


def test_unknown_options_are_refused() -> None:
    """onnxruntime takes any key without a word; here a misspelt one is an error."""
    with pytest.raises(HarnessError, match=r"unknown session option .session\.set_denormal."):
        check_settings(SessionSettings(config=(("session.set_denormal", "1"),)))
    check_settings(SessionSettings(config=tuple((key, "1") for key in CONFIG_KEYS)))


@pytest.mark.parametrize("provider", ["cuda", "CUDAExecutionProvider", "nonsense"])
def test_a_provider_that_is_not_there_is_never_replaced(provider: str) -> None:
    """Exit code 3 and the list of those that are there."""
    with pytest.raises(HarnessError, match=r"not in this build of onnxruntime .* cpu") as caught:
        check_settings(SessionSettings(provider=provider))
    assert caught.value.exit_code == MISSING


@pytest.mark.parametrize("settings", [SessionSettings(threads=0), SessionSettings(optimization="some")])
def test_settings_out_of_range_are_refused(settings: SessionSettings) -> None:
    """Threads below one; levels that a suite cannot ask for."""
    with pytest.raises(HarnessError):
        check_settings(settings)


def test_what_is_set_is_what_is_recorded(tmp_path: Path) -> None:
    """Every recorded option is read back from the session itself."""
    # not set_denormal_as_zero: the first session of a process sets it for the thread, and tests of floats follow
    settings = SessionSettings(threads=2, config=(("session.disable_prepacking", "1"),), optimization="none")
    record = backend(settings).facts(settings)
    options = open_session(unary("Sin", (2,)), tmp_path, settings).inference.get_session_options()
    assert options.intra_op_num_threads == record["threads"] == 2
    for key, value in record["session_options"].items():
        if "." in key:
            assert options.get_session_config_entry(key) == value
        elif key != "execution_mode":
            assert getattr(options, key) == value
    assert record["session_options"]["session.disable_prepacking"] == "1"
    assert record["providers"] == ["CPUExecutionProvider"]
    assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize(
    ("settings", "shared"),
    [
        (SessionSettings(), False),
        (SessionSettings(threads=2), True),
        (SessionSettings(threads=2, config=(("session.set_denormal_as_zero", "1"),)), True),
        (SessionSettings(threads=2, config=(("session.intra_op.allow_spinning", "0"),)), False),
    ],
)
def test_threads_are_shared_where_there_are_some(settings: SessionSettings, shared: bool) -> None:
    """And where the user has not said how they spin, which only pools of single sessions heed."""
    made = with_shared_pool(settings)
    assert made.shared_pool == shared
    record = backend(made).facts(made)["session_options"]
    assert ("session.intra_op.spin_duration_us" in record) != shared
    assert record.get("use_per_session_threads", True) != shared


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted by /proc")
@pytest.mark.parametrize("shared", [False, True])
def test_shared_threads_are_of_the_process(tmp_path: Path, shared: bool) -> None:
    """Three sessions of three threads bring two threads to the process, or two each; all of them answer."""
    network_path = tmp_path / "n.onnx"
    network_path.write_bytes(unary("Sin", (200_000,)))
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from dlbricks.harness.session import SessionSettings, backend, open_session\n"
        f"settings = SessionSettings(threads=3, shared_pool={shared})\n"
        "backend(settings).prepare(settings)\n"
        "before = len(os.listdir('/proc/self/task')) - 2 * settings.shared_pool\n"
        "opened = [open_session(Path(sys.argv[1]), Path(), settings) for _ in range(3)]\n"
        "x = np.ones(200_000, np.float32)\n"
        "assert all(np.allclose(one.inference.run(None, {'x0': x})[0], np.sin(x)) for one in opened)\n"
        "print(len(os.listdir('/proc/self/task')) - before)\n"
    )
    result = subprocess.run([sys.executable, "-c", code, str(network_path)], capture_output=True, text=True, check=True)
    assert int(result.stdout) == (2 if shared else 6)
    assert not result.stderr


def test_settings_survive_the_way_to_another_process() -> None:
    """Writing and reading gives the same settings."""
    settings = SessionSettings(threads=3, provider_options=(("a", "b"),), config=(("c", "d"),))
    request = json.loads(json.dumps(first_request(settings, Path("suite"), Path("weights"), 0)))
    assert settings_of(request["settings"]) == settings


def test_missing_weights_are_an_error(suite: Path, tmp_path: Path) -> None:
    """A network finds its weights in the folder that is named, and nowhere else."""
    open_session(matmul(64), suite / "weights", SessionSettings())
    with pytest.raises(runtime_errors(SessionSettings()), match="weights"):
        open_session(matmul(64), tmp_path, SessionSettings())


def test_a_network_that_is_none_is_an_error(tmp_path: Path) -> None:
    """The errors of onnxruntime have no common root; all of them are known."""
    with pytest.raises(runtime_errors(SessionSettings())):
        open_session(b"not a network", tmp_path, SessionSettings())


def test_where_nodes_run_is_asked_of_the_runtime(tmp_path: Path) -> None:
    """The record of placement names the provider of every node; it is what shows a fallback on an accelerator."""
    options = ort._session_options(SessionSettings(optimization="none"), tmp_path, record_placement=True)
    inference = onnxruntime.InferenceSession(two_nodes(), options, providers=["CPUExecutionProvider"])
    assert ort._placement(inference) == {"CPUExecutionProvider": 2}


def two_nodes() -> bytes:
    """Give a network of two operators."""
    nodes = [helper.make_node("Sin", ["x0"], ["t0"]), helper.make_node("Cos", ["t0"], ["y0"])]
    return network(nodes, {"x0": (2,)}, {"y0": (2,)})


def test_cuda_graphs_are_refused_on_the_processor() -> None:
    """In a line; switched off they are what is usual."""
    off, on = (SessionSettings(provider_options=(("enable_cuda_graph", value),)) for value in "01")
    check_settings(off)
    with pytest.raises(HarnessError, match="enable_cuda_graph launches kernels of the provider cuda, not of cpu") as no:
        check_settings(on)
    assert "\n" not in str(no.value)


def test_a_cuda_graph_is_replayed_by_plain_calls() -> None:
    """Without the option that switches the graph off in a call; the settings of a session are those of its calls."""
    options: list[tuple[object, ...]] = []
    binding = SimpleNamespace(synchronize_outputs=lambda: None)
    inference = SimpleNamespace(run_with_iobinding=lambda *arguments: options.append(arguments[1:]))
    for captured in (True, False):
        enqueue, _ = ort._queued(inference, binding, captured=captured)
        enqueue()
    assert options[0] == ()
    assert options[1][0].get_run_config_entry("gpu_graph_id") == "-1"  # type: ignore[attr-defined]
    plain = SessionSettings(provider_options=(("use_tf32", "0"),))
    assert not uses_graphs(plain)
    assert uses_graphs(with_graphs(plain, on=True))
    assert with_graphs(with_graphs(plain, on=True), on=False) == plain
