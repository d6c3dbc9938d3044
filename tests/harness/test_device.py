"""Runs on a device: where tensors lie, what is called how often, what memory bears, and what is recorded.

The processor stands in for a device, as one that does its work at once.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dlbricks.harness import call_timer, session
from dlbricks.harness.call_timer import ClockKeeper
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.network import Bound
from dlbricks.harness.runtimes import onnxruntime as runtime
from dlbricks.harness.runtimes.onnxruntime import explicit_provider_options, usual_provider_options
from dlbricks.harness.session import Session, SessionSettings, backend, check_target
from dlbricks.store.document import read_document
from dlbricks.store.summary import configuration
from tests.harness.small_suite import benchmark, tiny_parts, unary, write
from tests.store.made_up_run import document
from tests.suite.suite_samples import ROOT

CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"
PROCESSOR, DEVICE = SimpleNamespace(name="Cpu"), SimpleNamespace(name="Cuda")


class Inference:
    """A session with two inputs and an output, of which the second input is read on the processor."""

    def __init__(self) -> None:
        """Begin with nothing bound."""
        self.bound: dict[str, str] = {}
        self.runs = 0

    def get_inputs(self) -> list[Any]:
        """Give the inputs."""
        return [SimpleNamespace(name="x"), SimpleNamespace(name="shape")]

    def get_outputs(self) -> list[Any]:
        """Give the output."""
        return [SimpleNamespace(name="y")]

    def get_input_memory_infos(self) -> list[Any]:
        """Say where inputs are read."""
        return [DEVICE, PROCESSOR]

    def get_output_memory_infos(self) -> list[Any]:
        """Say where the output is made."""
        return [DEVICE]

    def io_binding(self) -> "Inference":
        """Give itself."""
        return self

    def bind_input(self, name: str, device: str, *_: Any) -> None:
        """Keep where a tensor lies."""
        self.bound[name] = device

    bind_output = bind_input

    def run_with_iobinding(self, _: Any) -> None:
        """Count."""
        self.runs += 1

    def synchronize_outputs(self) -> None:
        """Fail: the runtime has waited already."""
        raise AssertionError("a call waits twice")


class OnDevice:
    """A tensor on a device."""

    @staticmethod
    def ortvalue_from_numpy(values: Any, device: str, device_id: int) -> "OnDevice":
        """Copy it there."""
        assert (device, device_id) == ("cuda", 3)
        assert values is not None
        return OnDevice()

    def data_ptr(self) -> int:
        """Give its address."""
        return 4096

    def tensor_size_in_bytes(self) -> int:
        """Give its size."""
        return 16


BENCHMARK = {
    "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}, {"name": "shape", "dtype": "int64", "shape": [2]}],
    "outputs": [{"name": "y", "dtype": "float32", "shape": [4]}],
    "overwrites": "",
}
VALUES: dict[str, Any] = {"x": np.zeros(4, np.float32), "shape": np.zeros(2, np.int64)}


def opened(**placement: int) -> Session:
    """Give an open session on the third device."""
    made = Session(inference=Inference(), device="cuda", device_id=3, placement=tuple(placement.items()))
    return replace(made, place=runtime.placing(made))


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ({CUDA: 1}, {"x": "cuda", "shape": "cpu", "y": "cuda"}),
        ({CUDA: 2, CPU: 1}, {"x": "cuda", "shape": "cpu", "y": "cuda"}),
        ({CPU: 1}, {"x": "cuda", "shape": "cuda", "y": "cuda"}),
    ],
)
def test_tensors_lie_where_nodes_read_them(
    placement: dict[str, int], expected: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the device, but what its nodes read on the processor; nodes without a kernel for it are timed with copies."""
    monkeypatch.setattr("onnxruntime.OrtValue", OnDevice)
    made = opened(**placement)
    bound = Bound(made, BENCHMARK, VALUES)
    assert made.inference.bound == expected
    assert {device for device, *_ in bound.places()} == set(expected.values())
    assert len(bound.input_words) == sum(device == "cpu" for device, *_ in bound.places())


def test_a_runtime_that_does_not_say_where_reads_all_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Older runtimes have no such function."""
    older = SimpleNamespace(get_inputs=Inference().get_inputs, get_outputs=Inference().get_outputs)
    monkeypatch.setattr("onnxruntime.OrtValue", OnDevice)
    place = runtime.placing(Session(inference=older, device="cuda", device_id=3))
    assert all(isinstance(place(name, VALUES["shape"]), OnDevice) for name in ("x", "shape", "y"))
    assert Session(inference=Inference()).place("x", VALUES["x"]) is VALUES["x"]


def test_a_call_waits_once_and_warming_up_takes_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime waits at the end of a call. However long the first call took, there is a second one."""
    monkeypatch.setattr("onnxruntime.OrtValue", OnDevice)
    made = opened(**{CUDA: 1})
    bound = Bound(made, BENCHMARK, VALUES)
    bound.call()
    assert made.inference.runs == 1
    assert len(bound.warm_up_again(10**9, layers=1)) == 1


def test_the_clock_is_kept_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device computes as long as it had nothing to do, at first half a second, and not at all if it was busy."""
    now = [10**9]

    def call() -> None:
        now[0] += 1_000_000

    monkeypatch.setattr(call_timer, "bound_graph", lambda *_: SimpleNamespace(call=call))
    keeper = ClockKeeper(SessionSettings(), lambda: now[0])
    for idle_ns, busy_ns in ((0, 500_000_000), (1_000_000, 0), (30_000_000, 30_000_000), (10**12, 500_000_000)):
        now[0] += idle_ns
        begin = now[0]
        keeper.keep()
        assert now[0] - begin == busy_ns
        keeper.was_busy()


def test_options_of_the_device_are_part_of_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """What decides on kernels is recorded, asked for or not; a layout that only a whole network has is refused."""
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [CUDA, CPU])
    settings = SessionSettings(provider="cuda", provider_options=(("use_tf32", "0"),))
    found = explicit_provider_options(settings)
    assert found["use_tf32"] == "0"
    assert {"cudnn_conv_algo_search", "prefer_nhwc", "enable_cuda_graph", "device_id"} <= set(found)
    portable = {"name": "portable"}
    check_target(portable, settings, "suite s")
    check_target(portable, SessionSettings(provider="cuda", provider_options=(("prefer_nhwc", "0"),)), "suite s")
    nhwc = SessionSettings(provider="cuda", provider_options=(("prefer_nhwc", "1"),))
    with pytest.raises(HarnessError, match="suite s is portable: prefer_nhwc"):
        check_target(portable, nhwc, "suite s")


def test_a_provider_that_lacks_a_library_is_refused_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is measured, in a line that names the library."""
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr("onnxruntime.preload_dlls", lambda: None, raising=False)
    monkeypatch.setattr("onnxruntime.InferenceSession", lambda *_, **__: SimpleNamespace(get_providers=lambda: [CPU]))
    monkeypatch.setattr(runtime, "_missing_library", lambda _: "libcudnn.so.9: cannot open shared object file")

    def raising(*_: object, **__: object) -> None:
        raise RuntimeError("install\nthe libraries")

    settings = SessionSettings(provider="cuda")
    for _ in range(2):
        with pytest.raises(HarnessError, match="libcudnn") as refused:
            backend(settings).prepare(settings)
        assert refused.value.exit_code == 3
        assert "\n" not in str(refused.value)
        monkeypatch.setattr("onnxruntime.InferenceSession", raising)  # as that of TensorRT without its libraries


@pytest.mark.parametrize(
    ("provider", "placed", "accepted"),
    [
        ("cuda", {CPU: 2}, True),
        ("cuda", {CPU: 1, CUDA: 2}, True),
        ("xnnpack", {CPU: 2}, False),
        ("xnnpack", {CPU: 1, "XnnpackExecutionProvider": 1}, True),
    ],
)
def test_nodes_without_a_kernel_for_the_device_are_accepted_there(
    provider: str, placed: dict[str, int], accepted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are measured on the processor with their copies, as in the whole; a provider without copies is refused."""
    named = {"cuda": CUDA, "xnnpack": "XnnpackExecutionProvider"}[provider]
    parts = [SimpleNamespace(ep_name=name, get_nodes=lambda n=n: [None] * n) for name, n in placed.items()]
    asked: dict[str, Any] = {}

    def inference(_: object, options: Any, **arguments: Any) -> SimpleNamespace:
        asked.update(arguments, recorded=options.get_session_config_entry("session.record_ep_graph_assignment_info"))
        return SimpleNamespace(
            get_providers=lambda: [named, CPU],
            get_provider_graph_assignment_info=lambda: [*parts, *parts],
            get_inputs=list,
            get_outputs=list,
        )

    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [named, CPU])
    monkeypatch.setattr("onnxruntime.InferenceSession", inference)
    settings = SessionSettings(provider=provider)
    if not accepted:
        with pytest.raises(HarnessError, match="has no kernel for this network, which would run on CPU"):
            session.open_session(b"", tmp_path, settings)
        return
    made = session.open_session(b"", tmp_path, settings)
    assert dict(made.placement) == {name: 2 * number for name, number in placed.items()}
    assert made.device == ("cuda" if provider == "cuda" else "cpu")
    assert asked["recorded"] == "1"
    assert [name for name, *_ in asked["providers"][:1]] == [named]


STAND_IN = """
from dlbricks.harness.runtimes import onnxruntime
onnxruntime._DEVICES["CPUExecutionProvider"] = "cpu"
"""
"""Makes the processor a device in every process."""
SMALL_DEVICE = """
from dlbricks.harness import machine as gpu
gpu.GpuMonitor.free_bytes = lambda self: 3 << 30
gpu.GpuMonitor.clock_mhz = lambda self: 1980
"""
"""A device with 3 GiB of free memory, less than contexts take: one benchmark at a time."""


def ran(folder: Path, suite: Path, site: str, *arguments: str) -> tuple[int, dict[str, Any] | str]:
    """Run a suite in a process where a text runs first; give exit code and result, or what was written of errors."""
    (folder / "sitecustomize.py").write_text(site, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    code = f"import sys, pathlib; from dlbricks.harness.run.cli import main; p = pathlib.Path({str(suite)!r})"
    command = [sys.executable, "-c", f"{code}; sys.exit(main(sys.argv[1:], p))", "--smoke", "--quiet", *arguments]
    command += ["-o", str(folder / "result.json")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if not (folder / "result.json").exists():
        return done.returncode, done.stderr
    return done.returncode, json.loads((folder / "result.json").read_text(encoding="utf-8"))


RECORDING = """
import time
from dataclasses import replace
from dlbricks.harness.network import Bound
from dlbricks.harness.trace import cupti, device_queue
from dlbricks.harness.trace.activities import Activity
kernels, calls_of, call = [], device_queue.calls_of, Bound.call

def beside(act):
    def enqueue(*bound):
        begin = time.perf_counter_ns()
        after = kernels[-1].end_ns + 700 if kernels else begin + 10**10
        took = act(*bound)
        launch = Activity(kind="runtime", name="made", start_ns=begin, end_ns=begin + 400, correlation=len(kernels))
        kernels.extend([launch, replace(launch, kind="kernel", start_ns=after, end_ns=after + 1000)])
        return took
    return enqueue

class Recorder:
    lost, notes = 0, ()
    clock = cupti.ActivityClock(perf_counter_offset_ns=0, unix_offset_ns=0, uncertainty_ns=0)

    def record(self, act):
        kernels.clear()
        Bound.call = beside(call)
        act()
        Bound.call = call
        return tuple(kernels)

def watched(*arguments):
    made = calls_of(*arguments)
    return replace(made, enqueue=beside(made.enqueue))

device_queue.calls_of, cupti.ActivityTracer, cupti.why_not = watched, Recorder, lambda: None
"""
"""A CUPTI that tells of a kernel of 1 us in every call, 700 ns behind the one before it: on a device that is slow."""


def test_kernels_are_recorded_when_all_is_timed(tmp_path: Path) -> None:
    """They give the times of the device, the gap and the verdicts; each worker does nothing else behind them.

    A whole network is called as one graph before.
    """
    suite = write(tmp_path / "suite", [*tiny_parts(), benchmark("Sin", unary("Sin", (32,)), role="whole")])
    watching = """
import os
from dlbricks.harness import call_timer

def told(kind, name):
    act = getattr(kind, name)
    def watched(*arguments, **options):
        with open(f"{__file__}.{os.getpid()}", "a") as log:
            log.write(name + "\\n")
        return act(*arguments, **options)
    setattr(kind, name, watched)

told(call_timer.CallTimer, "take")
told(Bound, "warm_up")
onnxruntime._PROVIDER_DEFAULTS["CPUExecutionProvider"] = {"enable_cuda_graph": "0"}
for name in ("constants", "times", "traced", "traced_constants"):
    told(device_queue.DeviceQueue, name)
"""
    code, result = ran(tmp_path, suite, STAND_IN + RECORDING + watching)
    assert code == 0, result
    assert isinstance(result, dict)
    assert (result["queue"]["kernel_gap_ns"], "untraced" in result["queue"]) == (700, False)
    for entry in result["benchmarks"]:
        if queue := entry.get("queue"):
            assert (queue["traced"], queue["kernels"], queue["device_ns"]) == (5, 1, 1_700)
        assert ("graph_ns" in entry.get("queue", {})) == (entry["role"] == "whole")
        if entry["role"] == "sequence":
            assert entry["verdict"] == {"kind": "stable", "text": "kernels +-0.0% in 5 traced calls"}
    (log,) = tmp_path.glob("sitecustomize.py.*")
    done = log.read_text(encoding="utf-8").split()
    assert done[0] == "constants"
    first = done.index("traced_constants")
    assert set(done[:first]) == {"constants", "times", "take", "warm_up"}
    assert set(done[first + 1 :]) == {"traced"}
    read_document((tmp_path / "result.json").read_bytes())


def test_what_dies_behind_all_visits_fails_nothing(tmp_path: Path) -> None:
    """A capture or a trace that ends its worker: the next one loads what it traces, and the result says what lacks."""
    suite = write(tmp_path / "suite", [*tiny_parts(), benchmark("Sin", unary("Sin", (32,)), role="whole")])
    dying = """
import os
from dlbricks.harness import session
plain, traced = session.with_graphs, device_queue.DeviceQueue.traced

def with_graphs(settings, *, on):
    return os._exit(7) if on else plain(settings, on=on)

def dies(queue, bound, benchmark, *arguments):
    return os._exit(8) if benchmark["role"] == "whole" else traced(queue, bound, benchmark, *arguments)

session.with_graphs, device_queue.DeviceQueue.traced = with_graphs, dies
"""
    code, result = ran(tmp_path, suite, STAND_IN + RECORDING + dying)
    assert code == 0, result
    assert isinstance(result, dict)
    assert (result["queue"]["kernel_gap_ns"], "untraced" in result["queue"]) == (700, False)
    for entry in result["benchmarks"]:
        assert entry["status"] == "ok"
        if entry["role"] == "whole":
            assert (entry["queue"]["graph_ns"], entry["queue"]["traced"]) == (None, 0)
            lost = "device times by durations of calls: worker exited with code 8"
            assert entry["reason"] == f"no CUDA graph: worker exited with code 7; {lost}"
        elif queue := entry.get("queue"):
            assert (queue["traced"], entry["reason"]) == (5, "")
    read_document((tmp_path / "result.json").read_bytes())


def test_a_resumed_run_takes_what_can_be_recorded_now(suite: Path, tmp_path: Path) -> None:
    """Kernels of what was measured before, once; constants and visits of sequences stay as they were."""
    _, before = ran(tmp_path, suite, STAND_IN)
    _, resumed = ran(tmp_path, suite, STAND_IN + RECORDING, "--resume")
    counting = "\ndevice_queue.DeviceQueue.traced = device_queue.DeviceQueue.traced_constants = None\n"
    code, again = ran(tmp_path, suite, STAND_IN + RECORDING + counting, "--resume")
    assert code == 0, again
    assert isinstance(before, dict)
    assert isinstance(resumed, dict)
    assert isinstance(again, dict)
    assert "untraced" in before["queue"]
    assert "untraced" not in resumed["queue"]
    assert (resumed["queue"]["kernel_gap_ns"], resumed["queue"]["call_ns"]) == (700, before["queue"]["call_ns"])
    assert again["queue"] == resumed["queue"]
    for old, new, last in zip(before["benchmarks"], resumed["benchmarks"], again["benchmarks"], strict=True):
        assert (new["status"], new["reason"]) == ("ok", "")
        if old["role"] == "sequence":
            assert new["visits"] == old["visits"]
        if "queue" in old:
            assert (new["queue"]["traced"], new["queue"]["host_ns"]) == (5, old["queue"]["host_ns"])
            assert last["queue"] == new["queue"]


@pytest.mark.parametrize("call", [1, 3])
def test_what_breaks_the_device_fails_alone(call: int, tmp_path: Path) -> None:
    """In its first call or a later one: no call of the process succeeds after it, so that the others get a new one."""
    culprit = benchmark("Cos", unary("Cos", (7,)))
    breaking = f"""
from dlbricks.harness.network import Bound
calls, call = [0], Bound.call

def breaks(bound):
    calls[0] += calls[0] >= {call} or bound._contracts[0]["shape"] == [7]
    if calls[0] >= {call}:
        raise RuntimeError("CUDA failure 700: an illegal memory access")
    return call(bound)

Bound.call = breaks
"""
    parts = tiny_parts()
    code, result = ran(tmp_path, write(tmp_path / "suite", [*parts[:2], culprit, *parts[2:]]), STAND_IN + breaking)
    assert code == 4, result
    assert isinstance(result, dict)
    failed = {entry["fingerprint"]: entry["reason"] for entry in result["benchmarks"] if entry["status"] != "ok"}
    when = "loading" if call == 1 else "running"
    why = f"worker exited with code 1: CUDA failure 700: an illegal memory access while {when}"
    assert failed == {culprit[0]["fingerprint"]: why}


def test_a_run_on_a_device_holds_its_queue(suite: Path, tmp_path: Path) -> None:
    """Constants of the machine and times of every benchmark are in the result, which the store reads."""
    code, result = ran(tmp_path, suite, STAND_IN)
    assert code == 0, result
    assert isinstance(result, dict)
    assert result["queue"]["call_ns"] > 0
    assert result["queue"]["untraced"].startswith("kernels cannot be traced: ")
    for entry in result["benchmarks"]:
        assert entry["status"] == "ok"
        assert entry["reason"] == ""
        assert ("queue" in entry) == (entry["role"] in {"sequence", "overhead", "nodes"})
        if queue := entry.get("queue"):
            assert "traced" not in queue
            assert queue["host_low_ns"] <= queue["host_ns"] <= queue["host_high_ns"]
    read_document((tmp_path / "result.json").read_bytes())


def test_what_a_device_has_no_memory_for_is_loaded_later(suite: Path, tmp_path: Path) -> None:
    """By its free memory; all are measured in the end, with the device's clock."""
    code, result = ran(tmp_path, suite, STAND_IN + SMALL_DEVICE)
    assert code == 0, result
    assert isinstance(result, dict)
    assert {entry["status"] for entry in result["benchmarks"]} == {"ok"}
    assert all(visit["clock_mhz"] == 1980 for entry in result["benchmarks"] for visit in entry["visits"][-1:])


def test_a_device_that_does_not_work_ends_the_run_in_a_line(suite: Path, tmp_path: Path) -> None:
    """Nothing is tried 40 times; the exit code is that of something missing."""
    failing = (
        "from dlbricks.harness.errors import HarnessError",
        "def failing(settings):",
        "    raise HarnessError('no device here: get one', 3)",
        "onnxruntime.prepare = failing",
    )
    broken = STAND_IN + "\n".join(failing)
    code, error = ran(tmp_path, suite, broken)
    assert (code, error) == (3, "error: no device here: get one\n")


def test_results_of_a_device_are_read_where_there_is_none() -> None:
    """Options of its provider that are the usual ones are no part of the configuration, whatever runtime reads them."""
    made = document()
    made["runtime"] |= {"provider": "cuda", "provider_options": usual_provider_options("cuda")}
    assert configuration(made).options == ()
    made["runtime"]["provider_options"] = {**usual_provider_options("cuda"), "use_tf32": "0"}
    assert configuration(made).options == ("use_tf32=0",)
    assert usual_provider_options("nobody") == {}
