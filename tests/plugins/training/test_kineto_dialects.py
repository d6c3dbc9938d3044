"""Laws of reading traces of PyTorch's profiler, whatever year it is of."""

import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.trace import kinds
from dlbricks.trace.kinds import is_collective
from dlbricks.trace.types import Level, Role, Span, Trace
from tests.trace.written_kineto import BASE_NS, DIALECTS, Dialect, Written, document, runs, stamp

MEANS = {
    "step": (Level.APPLICATION, kinds.STEP, Role.PLAIN),
    "operator": (Level.LAYER, kinds.OPERATOR, Role.PLAIN),
    "launch": (Level.LIBRARY, kinds.RUNTIME, Role.LAUNCH),
    "call": (Level.LIBRARY, kinds.RUNTIME, Role.PLAIN),
    "kernel": (Level.KERNEL, kinds.KERNEL, Role.EXECUTION),
    "memcpy": (Level.KERNEL, kinds.COPY, Role.EXECUTION),
    "memset": (Level.KERNEL, kinds.MEMSET, Role.EXECUTION),
    "collective": (Level.KERNEL, kinds.COLLECTIVE, Role.EXECUTION),
}
MODERN = DIALECTS[-1]


def read(text: str | bytes, name: str = "trace.json") -> Trace:
    """Read a text as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_kineto(path)


def only(trace: Trace, name: str) -> Span:
    """Give the one span of a name."""
    (found,) = [span for span in trace if span.name == name]
    return found


def written(span: Span, trace: Trace) -> tuple[Any, ...]:
    """Give what was written of a span, as the reader sees it."""
    parent = None if span.parent is None else trace.span(span.parent).name
    start = span.start_ns + (trace.clock.unix_offset_ns or 0)
    return (span.level, span.kind, span.role), span.name, start, span.duration_ns, span.correlation, parent


def event(category: str | None, name: str, start_us: float, dur_us: float = 1, /, **more: Any) -> dict[str, Any]:
    """Make an event of a host thread; ``tid`` and the like replace its lane, the rest become arguments."""
    top: dict[str, Any] = {key: more.pop(key) for key in ("ph", "pid", "tid", "id") if key in more}
    made = {"ph": "X", "name": name, "pid": 4000, "tid": 4000, "ts": start_us, "dur": dur_us, "args": more, **top}
    return made if category is None else {**made, "cat": category}


def traced(*events: dict[str, Any], **header: Any) -> Trace:
    """Read some events as a file of PyTorch's profiler."""
    return read(json.dumps({"schemaVersion": 1, **header, "traceEvents": list(events)}))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.year))
def test_every_dialect_gives_the_same_spans(dialect: Dialect) -> None:
    """Level, kind, role, name, times, correlation and parent of every span are those of the run, in every dialect."""

    @settings(max_examples=25, deadline=None)
    @given(runs(dialect.unit_ns))
    def law(run: tuple[Written, ...]) -> None:
        trace = read(document(run, dialect))
        assert trace.clock.name == "kineto"
        expected = [
            (MEANS[one.kind], one.name, one.start_ns, one.end_ns - one.start_ns, one.correlation, one.parent)
            for one in run
        ]
        assert [written(span, trace) for span in trace] == expected

    law()


@settings(max_examples=25, deadline=None)
@given(runs())
def test_attributes_are_those_of_the_run(run: tuple[Written, ...]) -> None:
    """What arguments say is found under the names of the vocabulary, in the words of 2021 and of today."""
    for dialect in (DIALECTS[0], MODERN):
        trace = read(document(run, dialect))
        assert {lane.process for lane in trace.lanes} == {"4000"}
        for one, span in zip(run, trace, strict=True):
            found = span.attributes
            assert found.get("external_id") == one.external
            assert (found.get("sequence"), found.get("forward_thread")) == (one.sequence or (None, None))
            if one.kind in {"kernel", "collective"}:
                assert (found["grid"], found["block"], found["registers"]) == ("80,2,1", "256,1,1", 32)
                assert (found["shared_bytes"], found["theoretical_occupancy"], found["stream"]) == (1024, 0.75, 7)
                assert (span.lane.name, span.lane.device) == ("stream 7", "gpu 0")
            if one.kind == "collective":
                assert (found["collective"], found["elements"], found["group_size"]) == ("allreduce", 1000, 2)
                assert (found["dtype"], found["bytes"], found["collective_sequence"]) == ("float16", 2000, 3)
            if one.kind == "memcpy":
                assert (found["copy"], found["bytes"]) == ("host to device", 4096)
            if one.kind == "operator":
                assert found["type"] == one.name


@pytest.mark.parametrize("base", [0, BASE_NS])
def test_times_stay_exact_beyond_double_precision(base: int) -> None:
    """A time with 19 digits keeps its last ns, which a double would lose; the clock knows when 1970 was."""
    time = 1_712_195_495_520_854_837
    odd = json.dumps({"traceEvents": [event("cpu_op", "x", 0)], "baseTimeNanoseconds": base})
    text = odd.replace('"ts": 0', f'"ts": {stamp(time - base).strip("~")}').replace('"dur": 1', '"dur": 0.001')
    trace = read(text)
    assert int(trace.start_ns[0]) + (trace.clock.unix_offset_ns or 0) == time
    assert (int(trace.duration_ns[0]), trace.clock.resolution_ns) == (1, 1)


def test_times_from_a_start_have_no_calendar() -> None:
    """Small times without a base do not pretend to be of 1970; whole microseconds are known to be no finer."""
    clock = traced(event("cpu_op", "x", 5), event("cpu_op", "y", 6)).clock
    assert (clock.unix_offset_ns, clock.resolution_ns) == (None, 1000)


@pytest.mark.parametrize(
    "packed",
    [
        lambda text: text,
        gzip.compress,
        lambda text: gzip.compress(text[:100]) + gzip.compress(text[100:]),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: json.dumps(json.loads(text)["traceEvents"]).encode(),
    ],
    ids=["plain", "gzip", "gzip in parts", "byte order mark", "list of events"],
)
def test_how_a_file_is_packed_makes_no_difference(packed: Callable[[bytes], bytes]) -> None:
    """Compressed or not, with a mark or without, a document or a list of events: the spans are the same."""
    text = json.dumps({"schemaVersion": 1, "traceEvents": [event("cpu_op", "x", 1), event("cpu_op", "y", 3)]}).encode()
    for name in ("trace.json", "trace.json.gz", "trace"):
        assert [span.name for span in read(packed(text), name)] == ["x", "y"]


def test_a_graph_launch_has_many_executions() -> None:
    """All kernels with the number of one graph launch have it for their parent; their nodes are told apart."""
    trace = traced(
        event("cuda_runtime", "cudaGraphLaunch", 1, 5, correlation=9),
        *(
            event("kernel", f"k{node}", 10 + node, pid=0, tid=7, correlation=9, **{"graph node id": node})
            for node in (1, 2, 3)
        ),
    )
    assert trace.parent.tolist() == [-1, 0, 0, 0]
    assert [span.attributes.get("graph_node") for span in trace] == [None, 1, 2, 3]


def test_an_execution_without_a_launch_keeps_its_time() -> None:
    """A kernel launched before the recording began stays, without a parent, and the notes say so."""
    trace = traced(event("kernel", "k", 10, pid=0, tid=7, correlation=9), event("cpu_op", "x", 1, 90))
    assert only(trace, "k").parent is None
    assert any(note.startswith("1 ") and "launch" in note for note in trace.notes)


def test_nested_calls_count_once() -> None:
    """Where runtime and driver both record a launch, the kernel belongs to the outer one."""
    trace = traced(
        event("cuda_driver", "cuLaunchKernel", 2, 2, correlation=9),
        event("cuda_runtime", "cudaLaunchKernel", 1, 5, correlation=9),
        event("kernel", "k", 10, pid=0, tid=7, correlation=9),
    )
    kernel, driver = only(trace, "k"), only(trace, "cuLaunchKernel")
    assert kernel.parent == driver.parent == only(trace, "cudaLaunchKernel").row
    assert driver.kind == kinds.DRIVER


@pytest.mark.parametrize(
    "name",
    [
        "cudaLaunchKernelExC", "cuLaunchKernelEx", "cuLaunchKernel", "cudaLaunchCooperativeKernel", "cudaGraphLaunch",
        "hipLaunchKernel", "hipModuleLaunchKernel", "hipExtModuleLaunchKernel", "hipMemcpyWithStream",
        "cuMemsetD8Async", "cudaMemcpy",
    ],
)  # fmt: skip
def test_launches_are_known_by_name(name: str) -> None:
    """A call that hands over work is a launch even if what it launched was not recorded, of any maker and year."""
    assert traced(event("cuda_runtime", name, 1, correlation=3)).span(0).role is Role.LAUNCH


@pytest.mark.parametrize("name", ["cudaEventQuery", "cudaLaunchHostFunc", "INVALID", "cudaStreamWaitEvent"])
def test_other_calls_launch_only_what_they_are_seen_to_launch(name: str) -> None:
    """Any other call is a launch if and only if something on a device has its number."""
    call = event("cuda_runtime", name, 1, correlation=3)
    assert traced(call).span(0).role is Role.PLAIN
    assert traced(call, event("kernel", "k", 5, pid=0, tid=7, correlation=3)).span(0).role is Role.LAUNCH


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", {}, kinds.COLLECTIVE),
        ("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", {}, kinds.COLLECTIVE),
        ("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*)", {}, kinds.COLLECTIVE),
        ("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16>()", {}, kinds.COLLECTIVE),
        ("one_shot_all_reduce_kernel", {"Collective name": "allreduce"}, kinds.COLLECTIVE),
        ("void reduce_kernel<512>", {}, kinds.KERNEL),
    ],
)
def test_collectives_are_known_by_field_or_name(name: str, arguments: dict[str, Any], kind: str) -> None:
    """A collective is one whatever its library calls its kernels this year."""
    assert traced(event("kernel", name, 1, pid=0, tid=7, **arguments)).span(0).kind == kind


def test_waits_are_records_of_their_calls() -> None:
    """A record of synchronisation belongs to the call with its number, and names stream, event and who recorded it."""
    trace = traced(
        event("cuda_runtime", "cudaEventRecord", 1, correlation=5),
        event("cuda_runtime", "cudaStreamWaitEvent", 3, correlation=6),
        event("cuda_runtime", "cudaDeviceSynchronize", 5, 9, correlation=7),
        event(
            "cuda_sync", "Stream Wait Event", 3, pid=0, tid=20, correlation=6, stream=20, device=0, wait_on_stream=7,
            wait_on_cuda_event_id=8, wait_on_cuda_event_record_corr_id=5,
        ),
        event("cuda_sync", "Context Sync", 6, 8, pid=0, tid=-1, correlation=7, stream=-1, device=0),
        event("cuda_event", "cudaEventRecord", 2, 0, pid=0, tid=7, correlation=5, stream=7, event_id=8),
    )  # fmt: skip
    _, wait, everything, waited, context = trace
    assert (wait.kind, everything.kind) == (kinds.RUNTIME, kinds.SYNCHRONISATION)
    assert (waited.parent, context.parent) == (wait.row, everything.row)
    named = ("stream", "event", "wait_stream", "wait_correlation")
    assert [waited.attributes.get(key) for key in named] == [20, 8, 7, 5]
    assert [context.attributes.get(key) for key in named] == [None] * 4
    assert (waited.lane.name, context.lane.name) == ("stream 20 waits", "device waits")


def test_ranges_on_a_device_are_no_steps_and_contain_no_kernels() -> None:
    """A step is marked once, on the host; its shadow on a stream is a range of its own lane."""
    trace = traced(
        event("user_annotation", "ProfilerStep#1", 1, 50, **{"External id": 4}),
        event("gpu_user_annotation", "ProfilerStep#1", 5, 60, pid=0, tid=7, **{"External id": 4}),
        event("kernel", "k", 10, pid=0, tid=7, correlation=3, device=0, stream=7),
    )
    step, shadow, kernel = trace
    assert (step.kind, shadow.kind, shadow.parent) == (kinds.STEP, kinds.RANGE, step.row)
    assert (shadow.lane.name, kernel.parent) == ("stream 7 ranges", None)


def test_forward_and_backward_operators_share_a_flow() -> None:
    """An arrow from a forward to its backward operator leaves its number on both."""
    numbers = {"Sequence number": 3, "Fwd thread id": 0}
    trace = traced(
        event("cpu_op", "aten::mul", 1, 5, **numbers),
        event(None, "fwdbwd", 1, ph="s", id=31) | {"cat": "fwdbwd"},
        event("cpu_op", "MulBackward0", 9, 5, tid=4001, **numbers | {"Fwd thread id": 1}),
        event(None, "fwdbwd", 9, ph="f", id=31, tid=4001) | {"cat": "fwdbwd"},
        event("cpu_op", "other", 20),
    )
    assert [span.attributes.get("flow") for span in trace] == [31, 31, None]


def test_layers_hold_what_they_allocate() -> None:
    """Records of the allocator count for the layers of their thread in which they lie; devices before the host."""
    memory = {"Device Type": 1, "Device Id": 0}
    trace = traced(
        event("cpu_op", "outer", 1, 9),
        event("cpu_op", "inner", 2, 3),
        event("cpu_op", "next", 10, 5),
        event(None, "[memory]", 3, ph="i", Bytes=400, **memory, **{"Total Allocated": 5_000_000_000}),
        event(None, "[memory]", 6, ph="i", Bytes=-100, **memory, **{"Total Allocated": 4_999_999_900}),
        event(None, "[memory]", 10, ph="i", Bytes=7, **memory, **{"Total Allocated": 4_999_999_907}),
        event(None, "[memory]", 4, ph="i", Bytes=64, **{"Device Type": 0, "Device Id": -1, "Total Allocated": 64}),
    )
    assert [span.attributes["allocated_bytes"] for span in trace] == [300, 400, 7]
    assert [span.attributes["memory_bytes"] for span in trace] == [4_999_999_900, 5_000_000_000, 4_999_999_907]


def test_ranks_name_their_processes() -> None:
    """The rank of a distributed run names the process, so that the ranks of one run can be put side by side."""
    events = (
        event("cuda_runtime", "cudaLaunchKernel", 1, correlation=3),
        event("kernel", "k", 4, pid=2, tid=7, correlation=3, device=2, stream=7),
        event("overhead", "Buffer Flush", 2, pid=-1, tid=0),
    )
    lanes = traced(*events, distributedInfo={"backend": "nccl", "rank": 2, "world_size": 4}).lanes
    assert {lane.process for lane in lanes} == {"rank 2"}
    assert [lane.name for lane in lanes] == ["thread 4000", "stream 7", "profiler"]
    assert {lane.process for lane in traced(*events, distributedInfo={}).lanes} == {"4000"}


def test_threads_of_one_name_stay_apart() -> None:
    """Two threads that are both called ``worker`` are two lanes, each with its number."""
    names = [event(None, "thread_name", 0, ph="M", tid=tid, name="worker") for tid in (11, 12)]
    trace = traced(*names, *(event("cpu_op", "x", 1, tid=tid) for tid in (11, 12)))
    assert [lane.name for lane in trace.lanes] == ["worker (11)", "worker (12)"]


def test_python_frames_and_the_profilers_own_time_are_told_apart() -> None:
    """Frames of Python are calls of a library, the profiler's overhead is of the hardware, its window is no span."""
    trace = traced(
        event("python_function", "train.py(3): main", 1, 90),
        event("overhead", "Activity Buffer Request", 5),
        event("Trace", "PyTorch Profiler (0)", 0, 100, pid="Spans", tid="PyTorch Profiler"),
        event("cpu_op", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 10),
    )
    assert [(span.level, span.kind) for span in trace] == [
        (Level.LIBRARY, kinds.PYTHON),
        (Level.HARDWARE, kinds.OVERHEAD),
        (Level.APPLICATION, kinds.RANGE),
    ]


def test_other_programs_traces_are_ranges() -> None:
    """A Chrome trace of any program is read as nested ranges: complete spans, and beginnings with ends."""
    events = [
        {"ph": "B", "name": "outer", "pid": 1, "tid": "main", "ts": 10, "cat": "app"},
        {"ph": "B", "name": "inner", "pid": 1, "tid": "main", "ts": 12},
        {"ph": "E", "pid": 1, "tid": "main", "ts": 15.5},
        {"ph": "E", "pid": 1, "tid": "main", "ts": 30},
        {"ph": "B", "name": "open", "pid": 1, "tid": "main", "ts": 31},
        {"ph": "E", "pid": 9, "tid": 9, "ts": 1},
        {"ph": "C", "name": "counter", "pid": 1, "ts": 2, "args": {"x": 1}},
        {"ph": "X", "name": "last", "pid": 1, "tid": "main", "ts": 32, "dur": 8},
    ]
    trace = read(json.dumps(events))
    found = {span.name: (span.start_ns, span.end_ns, span.level, span.parent is None) for span in trace}
    assert found == {
        "outer": (10_000, 30_000, Level.APPLICATION, True),
        "inner": (12_000, 15_500, Level.APPLICATION, False),
        "open": (31_000, 40_000, Level.APPLICATION, True),
        "last": (32_000, 40_000, Level.APPLICATION, False),
    }
    assert trace.clock.name == "chrome"
    assert sum(note.startswith("1 ") for note in trace.notes) == 3


def test_categories_of_tomorrow_are_named() -> None:
    """Spans of a category that nobody knows yet are ranges, and the notes name it."""
    trace = traced(event("cpu_op", "x", 1), event("quantum_op", "y", 3))
    assert only(trace, "y").kind == kinds.RANGE
    assert any("quantum_op" in note for note in trace.notes)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", True),
        ("oneccl_kernel_sum", True),
        ("void vllm::cross_device_reduce_1stage<half, 2>", True),
        ("void quickreduce::allreduce_prototype_twoshot<>", True),
        ("trtllm_allreduce_fusion_kernel_oneshot_lamport", True),
        ("my_reduce_scatter_kernel", True),
        ("oneccl_allreduce_pcie", True),
        ("void at::(anonymous namespace)::oneShotAllReduceKernel<8u, true>", True),
        ("void at::(anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, 8>", True),
        ("void c10d::multimem_one_shot_all_reduce_kernel<c10::BFloat16, 16>", True),
        ("void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<8, __nv_bfloat16>", True),
        ("void mscclpp::executionKernel<__half, mscclpp::LL16Packet, false>", True),
        ("mcclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(mcclWorkElem)", True),
        ("hcom_broadcast__503_0_1", True),
        ("hcom_allReduce__503_0_1", True),
        ("kuserbuffers_pushrecv(int, int, int*, int*, int)", True),
        ("userbuffers_fp16_sum_inplace_gpu_rw_ag<2>", True),
        ("block_all_reduce_sum_f32_f32_kernel", False),
        ("warpAllReduce_softmax", False),
        ("triton_poi_fused_add_all_reduce_wait_tensor_3", False),
        ("triton_tem_fused_all_reduce_mm_1", False),
        ("triton_red_fused_add_mean_multimem_all_reduce_2", False),
        ("void mlx::core::cu::all_reduce<float, float, mlx::core::cu::Sum, 4>", False),
        ("volta_scudnn_128x64_relu_interior_nn_v1", False),
        ("void cub::DeviceReduceKernel<cub::Policy600, float*>", False),
        ("void at::native::_scatter_gather_elementwise_kernel<128, 8>", False),
        ("triton_per_fused_mean_0", False),
        ("void at::native::reduce_kernel<512, 1>", False),
    ],
)
def test_collectives_are_known_by_their_operation(name: str, known: bool) -> None:
    """Whatever library they are of, and not where threads of one device reduce."""
    assert is_collective(name) == known
