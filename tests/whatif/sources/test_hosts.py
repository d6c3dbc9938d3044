"""Host tasks: slow launches, data loading without a device, and devices whose work was not recorded."""

import json
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.profile.open import read_any
from dlbricks.trace.types import Lane, Level, Role
from dlbricks.whatif.answer import ask
from dlbricks.whatif.evidence import GPU, PROCESSOR, device_of
from dlbricks.whatif.explain import explain
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.sources.traces import graph_of_trace
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms
from dlbricks.whatif.work import compute_tasks
from tests.whatif.made_up import Machine

MAIN = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
RECORDED = Path(__file__).parents[2] / "data" / "kineto_cpu_training.json.gz"
MS = 1_000_000


def slow_launch(begin_ns: int, returns_ns: int = 400 * MS) -> DependencyGraph:
    """A call of 400 ms whose kernel of 1 ms begins at a time, and a wait for it."""
    machine = Machine()
    machine.launch(MAIN, 0, STREAM, begin_ns, begin_ns + MS, call_ns=returns_ns)
    machine.call(MAIN, 401 * MS, 402 * MS, "cudaDeviceSynchronize", "synchronisation")
    return graph_of_trace(machine.trace(), "slow")


@pytest.mark.parametrize("begin_ns", [399_990_000, 400_005_000])
def test_a_launch_that_loads_its_kernel_first_is_work_of_the_host(begin_ns: int) -> None:
    """Whether the kernel begins shortly before or behind the return of the call."""
    graph = slow_launch(begin_ns)
    made = replay(graph)
    assert made.end_ns.tolist() == graph.attributes["measured_end_ns"].tolist()
    assert explain(graph, made).shares_ns["host calls"] > 399 * MS
    quick = ask(graph, [read_step("scale:0.01,kind=cpu", all_transforms())]).answer
    assert quick.gain > 0.98
    assert len(select(graph, kinds=(TaskKind.CPU,))) == 2


def test_a_kernel_that_begins_early_in_a_long_launch_does_not_wait_for_it() -> None:
    """The call returns late for other reasons, as where the queue of launches is full."""
    assert len(select(slow_launch(8_000), kinds=(TaskKind.CPU,))) == 1


def loading(*, launches: bool = False, runtime: bool = False) -> DependencyGraph:
    """Load data for 80 of 100 us, with layers in it, then compute; launches have no kernel in the trace."""
    machine = Machine()
    add = machine.builder.add
    add(Level.APPLICATION, "range", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", MAIN, 0, 80_000)
    for start in range(1_000, 79_000, 10_000):
        add(Level.LAYER, "operator", "aten::stack", MAIN, start, start + 1_000)
    add(Level.LAYER, "operator", "aten::linear", MAIN, 80_000, 99_000, type="aten::linear")
    if launches:
        add(Level.LIBRARY, "runtime", "cudaLaunchKernel", MAIN, 81_000, 82_000, role=Role.LAUNCH)
    if runtime:
        machine.call(MAIN, 99_000, 100_000, "cudaGetDeviceCount")
    return graph_of_trace(machine.trace(), "loading")


def test_data_loading_is_seen_without_a_device() -> None:
    """Its operators belong to it: they are no layers of the network."""
    graph = loading()
    shares = ask(graph, []).answer.before.shares_ns
    assert shares["loading"] == 80_000
    assert not any("stack" in word for word in shares)
    assert len(select(graph_of_files([RECORDED]), kinds=(TaskKind.DATA,))) == 2


def test_calls_that_launch_nothing_are_no_device() -> None:
    """They count by their name, beside the layers."""
    graph = loading(runtime=True)
    assert device_of(graph) == f"{PROCESSOR} with PyTorch"
    shares = ask(graph, []).answer.before.shares_ns
    assert shares["cudaGetDeviceCount"] == 1_000
    assert shares["linear"] == 19_000
    assert len(compute_tasks(graph))


def test_launches_without_recorded_work_are_no_processor() -> None:
    """No evidence of processors is used, no layer is taken to compute, and a note says what is missing."""
    graph = loading(launches=True)
    assert device_of(graph) == GPU
    assert not len(compute_tasks(graph))
    assert any("the launched work was not recorded" in note for note in graph.notes)
    assert set(ask(graph, []).answer.before.shares_ns) == {"loading", "host calls", "Python"}


def of_others(path: Path, host: str, device: str, **operator: str) -> Path:
    """Write a trace whose device is a process of its own: five kernels in each of three calls, without categories."""
    labels = [
        {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}
        for pid, name in ((1, host), (2, device))
    ]
    calls = [
        {"ph": "X", "name": "aten::mm", "ts": 100 * step, "dur": 90, "tid": 1, "pid": 1, **operator}
        for step in range(3)
    ]
    kernels = [
        {
            "ph": "X",
            "name": "MatMul",
            "ts": 100 * step + 20 * place + 5,
            "dur": 15,
            "tid": 7,
            "pid": 2,
            "args": {"connection_id": place},
        }
        for step in range(3)
        for place in range(5)
    ]
    path.write_text(json.dumps({"traceEvents": [*labels, *calls, *kernels]}))
    return path


@pytest.mark.parametrize(
    ("host", "device", "operator"),
    [("Python", "Ascend Hardware", {"cat": "cpu_op"}), ("/host:CPU", "/device:GPU:0 (NVIDIA A100)", {}),
     ("Python", "HCCL", {"cat": "cpu_op"}), ("/host:CPU", "/device:TPU:0", {})],
)  # fmt: skip
def test_devices_of_other_profilers_are_no_processors(
    tmp_path: Path, host: str, device: str, operator: dict[str, str]
) -> None:
    """What Ascend's profiler and XLA record of a device is on its lane, and no question is answered without it."""
    path = of_others(tmp_path / "trace.json", host, device, **operator)
    assert [lane.device for lane in read_any(path).runs[0].trace.lanes] == ["", device]
    with pytest.raises(InputError, match="the profiler of JAX or Ascend"):
        graph_of_files([path])


@pytest.mark.parametrize(
    "wait",
    ["zeCommandQueueSynchronize", "zeEventHostSynchronize", "urQueueFinish", "urEventWait", "musaDeviceSynchronize"],
)
def test_hosts_wait_for_devices_of_other_makers(tmp_path: Path, wait: str) -> None:
    """A call that returns behind the last kernel waits for it: kernels that take less are worth it."""
    events = []
    for step in range(4):
        given = {"ph": "X", "pid": 1, "tid": 1}
        events.append(
            {**given, "cat": "user_annotation", "name": f"ProfilerStep#{step}", "ts": 1000 * step, "dur": 900}
        )
        for cat, name, begin, dur in (
            ("xpu_runtime", "urEnqueueKernelLaunch", 20, 20),
            ("kernel", "gemm_kernel", 60, 700),
        ):
            at = {"ts": 1000 * step + begin, "dur": dur, "args": {"correlation": step + 1, "device": 0, "stream": 7}}
            events.append({**given, "cat": cat, "name": name, **at, "pid": 0 if cat == "kernel" else 1})
        events.append({**given, "cat": "xpu_runtime", "name": wait, "ts": 1000 * step + 50, "dur": 720, "args": {}})
    path = tmp_path / "step.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    answer = ask(graph_of_files([path]), [read_step("scale:0.1,kind=kernel", all_transforms())]).answer
    assert answer.gain > 0.6
