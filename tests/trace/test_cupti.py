"""Activities of a GPU as traces, alone and with the layers that launched them."""

import dataclasses
import resource

import numpy as np
import pytest

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.cupti import merged_with_layers, readable_names, trace_of, with_kernel_work
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Lane, Level, Role, Trace, TraceClock
from tests.analysis.made_up import K, L
from tests.analysis.made_up import trace_of as call_of
from tests.trace.attributes import ATTRIBUTES

PROCESS, THREAD = 99, 4711
EPOCH = 1_700_000_000_000_000_000
CLOCK = ActivityClock(perf_counter_offset_ns=-5, unix_offset_ns=EPOCH, uncertainty_ns=40)
HOST = Lane(process="99", name="thread 4711")


def launch(start: int, correlation: int, length: int = 5_000) -> Activity:
    """Give a launch on the host."""
    return Activity(
        kind="runtime",
        name="cudaLaunchKernel",
        start_ns=start,
        end_ns=start + length,
        correlation=correlation,
        thread=THREAD,
    )


def kernel(start: int, end: int, correlation: int, name: str = "gemm") -> Activity:
    """Give a kernel on stream 7."""
    return Activity(
        kind="kernel",
        name=name,
        start_ns=start,
        end_ns=end,
        correlation=correlation,
        stream=7,
        device=0,
        attributes={"grid": "80,1,1", "block": "256,1,1", "registers": 64, "shared_bytes": 0},
    )


def layers_of(*times: tuple[int, int]) -> Trace:
    """Give a call and its layers by onnxruntime's clock: it began 1 ms before CUPTI's and counts microseconds."""
    builder = TraceBuilder(clock=TraceClock(name="onnxruntime", unix_offset_ns=EPOCH - 1_000_000, resolution_ns=1000))
    call = builder.add(Level.MODEL, kinds.CALL, "run", HOST, 1_000_000, 1_000_000 + 10**9, index=0)
    for index, (start, end) in enumerate(times):
        builder.add(
            Level.LAYER,
            kinds.OPERATOR,
            f"layer{index}",
            HOST,
            1_000_000 + start,
            1_000_000 + end,
            parent=call,
            index=index,
        )
    return builder.built()


def made(*activities: Activity, clock: ActivityClock | None = CLOCK) -> Trace:
    """Give the trace of activities."""
    return trace_of(activities, clock, process=PROCESS, capability=(9, 0))


def test_roles_and_lanes() -> None:
    """What started something is a launch, on its thread; what was started is an execution, on its stream."""
    query = dataclasses.replace(launch(50_000, 3), name="cudaEventQuery")
    trace = made(launch(10_000, 2), kernel(20_000, 30_000, 2), query)
    started, executed, asked = trace.span(0), trace.span(1), trace.span(2)
    assert (started.level, started.kind, started.role, started.lane) == (
        *(Level.LIBRARY, kinds.RUNTIME, Role.LAUNCH),
        HOST,
    )
    assert (executed.level, executed.kind, executed.role) == (Level.KERNEL, kinds.KERNEL, Role.EXECUTION)
    assert executed.lane == Lane(process="99", name="stream 7", device="gpu 0")
    assert executed.attributes["theoretical_occupancy"] == 0.5
    assert executed.attributes["stream"] == 7
    assert asked.role is Role.PLAIN
    assert trace.clock == TraceClock(name="cupti", unix_offset_ns=EPOCH)
    assert set(trace.attributes) <= ATTRIBUTES


def test_every_kind_has_its_place() -> None:
    """Copies, memsets, graphs and collectives run on the device, waits on their thread."""
    wait = Activity(kind="synchronisation", name="Stream Synchronize", start_ns=2, end_ns=9, correlation=8, stream=7)
    trace = made(
        dataclasses.replace(launch(1, 8), name="cudaStreamSynchronize"),
        wait,
        dataclasses.replace(wait, correlation=77),
        dataclasses.replace(kernel(10, 20, 5), kind="memcpy"),
        dataclasses.replace(kernel(10, 20, 5), kind="memset"),
        dataclasses.replace(kernel(10, 20, 5), kind="graph"),
        kernel(10, 20, 5, name="ncclDevKernel_AllReduce_Sum_f32_RING_LL"),
    )
    by_kind = [trace.kinds[kind] for kind in trace.kind]
    assert by_kind == [
        *(kinds.RUNTIME, kinds.SYNCHRONISATION, kinds.SYNCHRONISATION, kinds.COPY, kinds.MEMSET, kinds.GRAPH),
        kinds.COLLECTIVE,
    ]
    assert trace.span(1).lane == HOST
    assert trace.span(2).lane == Lane(process="99", name="synchronisation")


@pytest.mark.parametrize("name", ["ncclDevKernel_AllReduce", "rccl_main_kernel", "msccl_kernel"])
def test_kernels_of_communication_libraries_are_collectives(name: str) -> None:
    """Told as in traces of others; what copies or fills memory is none, whatever it is called."""
    trace = made(kernel(10, 20, 5, name=name), dataclasses.replace(kernel(30, 40, 6, name=name), kind="memcpy"))
    assert [trace.kinds[kind] for kind in trace.kind] == [kinds.COLLECTIVE, kinds.COPY]


def test_kernels_belong_to_the_layer_that_launched_them() -> None:
    """The launch gives the parent, however late its kernel runs; times of both clocks are put on one."""
    layers = layers_of((10_000, 30_000), (30_000, 60_000))
    merged = merged_with_layers(
        layers, made(launch(12_000, 1), launch(40_000, 2), kernel(70_000, 80_000, 1), kernel(80_000, 90_000, 2, "relu"))
    )
    rows = merged.rows(Level.KERNEL)
    layer = ancestors(merged, Level.LAYER)[rows]
    assert [merged.span(int(row)).name for row in layer] == ["layer0", "layer1"]
    assert merged.clock.name == "onnxruntime"
    assert merged.start_ns[rows].tolist() == [1_070_000, 1_080_000]
    assert merged.notes == ()


@pytest.mark.parametrize(("start", "expected"), [(28_500, "layer0"), (32_100, "layer1"), (44_000, "layer1")])
def test_resolution_does_not_lose_launches(start: int, expected: str) -> None:
    """A launch a little outside of its layer, by the microseconds that the runtime rounds to, goes to the nearest."""
    merged = merged_with_layers(
        layers_of((10_000, 28_000), (34_000, 43_000)), made(launch(start, 1, length=200), kernel(70_000, 80_000, 1))
    )
    (row,) = merged.rows(Level.KERNEL).tolist()
    layer = int(ancestors(merged, Level.LAYER)[row])
    assert merged.span(layer).name == expected
    assert any("outside of every layer" in note for note in merged.notes)


def test_launches_far_from_layers_stay_outside() -> None:
    """What the runtime does between layers belongs to the call and to no layer."""
    merged = merged_with_layers(
        layers_of((10_000, 20_000), (90_000, 99_000)), made(launch(50_000, 1), kernel(70_000, 80_000, 1))
    )
    (row,) = merged.rows(Level.KERNEL).tolist()
    assert int(ancestors(merged, Level.LAYER)[row]) == NONE
    assert int(ancestors(merged, Level.MODEL)[row]) == 0


def test_a_driver_call_within_a_runtime_call_is_no_second_launch_of_the_layer() -> None:
    """Kernels hang below the outermost launch, whose layer is theirs."""
    inner = dataclasses.replace(launch(13_000, 1, length=1_000), kind="driver", name="cuLaunchKernel")
    merged = merged_with_layers(layers_of((10_000, 30_000)), made(launch(12_000, 1), inner, kernel(70_000, 80_000, 1)))
    (row,) = merged.rows(Level.KERNEL).tolist()
    assert merged.span(int(merged.parent[row])).name == "cudaLaunchKernel"
    assert int(ancestors(merged, Level.LAYER)[row]) == 1


def test_many_kernels_of_one_graph_launch_have_one_parent() -> None:
    """Kernels of a replayed graph share the correlation of its launch and differ in their node."""
    nodes = [
        dataclasses.replace(kernel(70_000 + at, 70_500 + at, 1), attributes={"graph_node": at})
        for at in (0, 1000, 2000)
    ]
    merged = merged_with_layers(layers_of((10_000, 30_000)), made(launch(12_000, 1), *nodes))
    rows = merged.rows(Level.KERNEL)
    assert len(np.unique(merged.parent[rows])) == 1
    assert merged.column("graph_node", rows, NONE).tolist() == [0, 1000, 2000]


def test_without_a_common_clock_nothing_is_merged() -> None:
    """Times that cannot be compared are refused, not mixed."""
    with pytest.raises(InputError):
        merged_with_layers(layers_of((10_000, 20_000)), made(launch(12_000, 1), clock=None))


def test_kernels_share_the_work_of_their_layer() -> None:
    """By their times; those that rearrange data for a product read and write its first operand."""
    conversion, product, other = (
        K(name="void cudnn::nchwToNhwcKernel<float>", ns=10), K(name="xmma_fprop_implicit_gemm", ns=60),
        K(name="implicit_gemm", ns=40),
    )  # fmt: skip
    own = {"flops": 1000, "read_bytes": 60, "written_bytes": 40, "parameter_bytes": 28, "activation_bytes": 32}
    layers = [
        L(name="conv", kernels=(conversion, product, other), attributes=own),
        L(name="add", type="Add", kernels=(K(name="copy_kernel", ns=30),), attributes={**own, "flops": 8}),
        L(name="loop", kernels=(K(),)),
    ]
    found = with_kernel_work(call_of(layers, calls=1))
    rows = found.rows(Level.KERNEL)
    assert found.column("flops", rows, -1).tolist() == [0, 600, 400, 8, -1]
    assert found.column("read_bytes", rows, -1).tolist() == [32, 36, 24, 60, -1]
    assert found.column("written_bytes", rows, -1).tolist() == [32, 24, 16, 40, -1]
    assert found.column("parameter_bytes", rows, -1).tolist() == [-1, 28, -1, 28, -1]


def test_kernels_that_were_counted_keep_their_work() -> None:
    """What hardware or another reader says of a kernel is nearer to it than its share."""
    own = {"flops": 1000, "read_bytes": 60, "written_bytes": 40}
    counted = K(attributes={"flops": 7, "read_bytes": 1, "written_bytes": 2})
    trace = call_of([L(name="a", kernels=(counted,), attributes=own)])
    assert with_kernel_work(trace) is trace


def test_names_in_files_are_demangled() -> None:
    """Those of kernels; other names stay, even if they begin alike."""
    names = ["conv1", "_ZN3foo3barIfEEvT_", "_Zebra"]
    assert readable_names(names) == ("conv1", "void foo::bar<float>(float)", "_Zebra")


def test_a_name_that_grows_without_end_takes_no_memory_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of other people's files are not trusted: each parameter of this one is twice as long as the one before.

    What ends it is the limit on processor time, which need not be waited for as long as a reader would.
    """
    monkeypatch.setattr(limits, "READ_SECONDS", 2)
    parts = ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] for number in range(36))
    growing = "_Z1f1aIiiE" + "".join(f"S_IS{part}_S{part}_E" for part in parts)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        assert readable_names([growing]) == (growing,)
    except InputError as error:
        assert "a mangled name is refused" in str(error)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (64 << 10)
