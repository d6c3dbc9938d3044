"""Traces that others recorded: counts and totals as their index states them, analyses as computed from the JSON itself.

They are read from the folder that the variable DLBRICKS_TRACES names; without it these tests are skipped.
"""

import os
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from dlbricks.analysis.catalogue import XSP
from dlbricks.analysis.table import Table
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.profile.open import profile_of
from dlbricks.trace import kinds
from dlbricks.trace.build import joined_traces
from dlbricks.trace.intervals import union_ns as union_of
from dlbricks.trace.types import NONE, Level, Profile, Role, Trace
from dlbricks.whatif.answer import timing
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.trace.by_hand import DEVICE, ByHand, Execution, by_step, executions, median, ns, union_ns

FOLDER = Path(os.environ.get("DLBRICKS_TRACES", "none"))
pytestmark = [
    pytest.mark.traces,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="DLBRICKS_TRACES names no folder of traces"),
]


class Stated(NamedTuple):
    """What the index of the traces states of a file."""

    events: int
    on_device: int
    collectives: int
    steps: int


FILES = {
    "01_resnet50_v100_dataloader/nw0_a.pt.trace.json.gz": Stated(75718, 9096, 0, 6),
    "01_resnet50_v100_dataloader/nw0_b.pt.trace.json.gz": Stated(75718, 9096, 0, 6),
    "01_resnet50_v100_dataloader/nw4_a.pt.trace.json.gz": Stated(71424, 9258, 0, 6),
    "01_resnet50_v100_dataloader/nw4_b.pt.trace.json.gz": Stated(71424, 9258, 0, 6),
    "04_dlrm_v100x8_allranks/rank0.pt.trace.json.gz": Stated(3290, 261, 8, 1),
    "04_dlrm_v100x8_allranks/rank1.pt.trace.json.gz": Stated(3424, 326, 8, 1),
    "04_dlrm_v100x8_allranks/rank2.pt.trace.json.gz": Stated(3268, 262, 8, 1),
    "04_dlrm_v100x8_allranks/rank3.pt.trace.json.gz": Stated(3474, 337, 8, 1),
    "04_dlrm_v100x8_allranks/rank4.pt.trace.json.gz": Stated(3310, 273, 8, 1),
    "04_dlrm_v100x8_allranks/rank5.pt.trace.json.gz": Stated(3250, 261, 8, 1),
    "04_dlrm_v100x8_allranks/rank6.pt.trace.json.gz": Stated(3272, 262, 8, 1),
    "04_dlrm_v100x8_allranks/rank7.pt.trace.json.gz": Stated(3250, 262, 8, 1),
    "05_resnet50_ddp/a100x2_rank0.json.gz": Stated(40573, 3774, 21, 3),
    "05_resnet50_ddp/v100x1_rank0.json.gz": Stated(68692, 6095, 0, 5),
    "06_compiled_perparam_allreduce_v100x2/rank1.json.gz": Stated(216092, 22290, 2020, 5),
    "07_dlrm_hw_pair/a100x8_rank3.json.gz": Stated(109123, 9450, 60, 6),
    "07_dlrm_hw_pair/v100x2_rank1.json.gz": Stated(105167, 15632, 64, 6),
    "08_dlrm_a100x16_cudagraph/rank0.json.gz": Stated(108936, 7747, 80, 5),
    "extra/param_rtx2080ti_linear_sgd.json.gz": Stated(86859, 10356, 0, 0),
    "extra/param_rtx2080ti_resnet.json.gz": Stated(111631, 10113, 0, 0),
    "extra/hta_a100_alexnet_cudasync.json.gz": Stated(1408, 98, 0, 0),
    "extra/hta_cuda_event_sync.json.gz": Stated(92, 5, 0, 1),
    "extra/hta_cuda_event_sync_multi_stream.json.gz": Stated(149, 6, 0, 0),
}


@dataclass(frozen=True, kw_only=True)
class Read:
    """A file, read by the reader and without it."""

    name: str
    stated: Stated
    trace: Trace
    profile: Profile
    data: ByHand
    executions: list[Execution]
    steps_of: dict[tuple[str, int], list[int]]
    """Steps in which each layer is."""

    @cached_property
    def steps(self) -> dict[int, list[Execution]]:
        """What ran on devices in each step."""
        return by_step(self.executions)

    def table(self, number: str) -> Table:
        """Compute one of XSP's analyses."""
        (found,) = (one for one in XSP if one.id == number)
        return found.compute(self.profile)


@pytest.fixture(scope="module", params=FILES)
def read(request: pytest.FixtureRequest) -> Read:
    """Read a file in both ways."""
    trace, data = read_kineto(FOLDER / request.param), ByHand.read(FOLDER / request.param)
    found, steps_of = executions(data, trace.clock.resolution_ns)
    return Read(
        name=request.param,
        stated=FILES[request.param],
        trace=trace,
        profile=profile_of(trace, request.param),
        data=data,
        executions=found,
        steps_of=steps_of,
    )


def traced(name: str) -> Trace:
    """Read a file with the reader."""
    return read_kineto(FOLDER / name)


def cells(made: Table, *columns: str) -> list[tuple[Any, ...]]:
    """Give some columns of a table, row by row."""
    return list(zip(*(made.column(one).cells for one in columns), strict=True))


def test_counts_and_busy_time(read: Read) -> None:
    """Events, executions, collectives and steps are as many as stated, and devices as busy as counted by hand."""
    stated, data, trace = read.stated, read.data, read.trace
    device = trace.rows(Level.KERNEL, *kinds.DEVICE_KINDS)
    assert data.total == stated.events
    assert len(device) == len(data.of(DEVICE)) == stated.on_device
    assert len(trace.rows(Level.KERNEL, kinds.COLLECTIVE)) == stated.collectives
    assert len(trace.rows(Level.APPLICATION, kinds.STEP)) == stated.steps
    by_hand = [(ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])) for event in data.of(DEVICE)]
    assert union_of(trace.start_ns[device], trace.end_ns[device]) == union_ns(by_hand)
    assert int(trace.duration_ns[device].sum()) == sum(end - begin for begin, end in by_hand)


def test_every_launch_is_found(read: Read) -> None:
    """Each execution has the outermost call of its number for its parent, or none if the file has no such call."""
    launches, device = read.data.launches(), read.trace.rows(Level.KERNEL)
    for event, row in zip(read.data.of(DEVICE), device.tolist(), strict=True):
        launch, parent = launches.get(event["args"]["correlation"]), int(read.trace.parent[row])
        if launch is None:
            assert parent == NONE
        else:
            found = read.trace.span(parent)
            assert (found.name, found.start_ns, found.role) == (launch["name"], ns(launch["ts"]), Role.LAUNCH)


def test_kernels_by_model(read: Read) -> None:
    """A15: the step's latency, number of kernels, sums and union of device time are those counted by hand."""
    steps = read.steps.values()
    ((latency, *row),) = cells(read.table("A15"), "latency_ns", "kernels", "kernel_ns", "copy_ns", "busy_ns")
    # of the host, or of a device that takes longer, as in what-if
    assert latency >= median(end - begin for begin, end in read.data.steps())
    trace = read.profile.runs[0].trace
    graph = graph_of_trace(trace)
    # a trace without steps is replayed from its first call on
    begun = 0 if len(trace.rows(Level.APPLICATION, kinds.STEP)) else trace.start_ns[trace.rows(Level.LIBRARY)].min()
    unseen = max(0, begun - trace.start_ns.min())
    assert latency - unseen == pytest.approx(timing(graph, replay(graph)).time_ns, rel=0.005)
    by_hand = [
        median(sum(not one.copies for one in mine) for mine in steps),
        median(sum(one.end - one.begin for one in mine if not one.copies) for mine in steps),
        median(sum(one.end - one.begin for one in mine if one.copies) for mine in steps),
        median(union_ns((one.begin, one.end) for one in mine) for mine in steps),
    ]
    assert row == pytest.approx(by_hand, abs=1)


def test_kernels_by_name(read: Read) -> None:
    """A10: number and time of every name of a kernel are those counted by hand; A8 has each execution once."""
    times: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for step, mine in read.steps.items():
        for one in mine:
            times[one.name][step].append(one.end - one.begin)
    by_name = {name: row for name, *row in cells(read.table("A10"), "kernel", "count", "latency_ns")}
    assert by_name.keys() == times.keys()
    for name, found in times.items():
        by_hand = [median(map(len, found.values())), median(map(sum, found.values()))]
        assert by_name[name] == pytest.approx(by_hand, abs=1)
    every = cells(read.table("A8"), "kernel", "latency_ns", "calls")
    assert sum(calls for _, _, calls in every) == sum(map(len, read.steps.values()))
    rows = Counter(name for name, *_ in every)
    for name, latency, _ in every:
        if rows[name] == 1:
            assert latency == pytest.approx(median(map(sum, times[name].values())), abs=1)


def test_kernels_by_layer(read: Read) -> None:
    """A11, A12 and A13: kernel time of every layer, and that within the layer's own time, are those counted by hand."""
    parts: dict[tuple[str, int], dict[int, list[Execution]]] = defaultdict(lambda: defaultdict(list))
    for step, mine in read.steps.items():
        for one in mine:
            if one.layer is not None:
                parts[one.layer][step].append(one)
    summed, inside = [], []
    for layer, found in parts.items():
        sums = [sum(one.end - one.begin for one in mine if not one.copies) for mine in found.values()]
        summed.append((layer[0], median(sums)))
    for layer, steps in read.steps_of.items():
        busy = [union_ns(_clipped(one) for one in parts[layer][step]) if step in parts[layer] else 0 for step in steps]
        inside.append((layer[0], median(busy)))
    for number in ("A11", "A12"):
        pairs = cells(read.table(number), "layer", "kernel_ns")
        _same([pair for pair in pairs if pair[1] is not None], summed)
    _same(cells(read.table("A13"), "layer", "busy_ns"), inside)
    assert "needs FLOPs and bytes" in read.table("A9").unavailable


def _clipped(one: Execution) -> tuple[int, int]:
    begin, end = max(one.begin, one.within[0]), min(one.end, one.within[1])
    return begin, max(begin, end)


def _same(some: list[tuple[Any, ...]], others: list[tuple[str, float]]) -> None:
    """Compare names with times, in any order."""
    some, others = sorted(some), sorted(others)
    assert [name for name, _ in some] == [name for name, _ in others]
    assert np.abs(np.array([time for _, time in some]) - [time for _, time in others]).max(initial=0) <= 1


@pytest.mark.parametrize(
    ("name", "step_ms", "loader_ms", "launch_us"),
    [
        ("nw0_a", 176.2, 71, 9.55),
        ("nw0_b", 152.8, 45, 9.83),
        ("nw4_a", 128.0, 1.4, 11.86),
        ("nw4_b", 123.2, 1.4, 10.83),
    ],
)
def test_the_data_loader_pair(name: str, step_ms: float, loader_ms: float, launch_us: float) -> None:
    """Steps, loader and launches of ResNet-50 take what is stated of them; workers slow launches down."""
    trace = traced(f"01_resnet50_v100_dataloader/{name}.pt.trace.json.gz")
    steps = trace.duration_ns[trace.rows(Level.APPLICATION, kinds.STEP)]
    assert np.median(steps) / 1e6 == pytest.approx(step_ms, rel=0.02)
    ranges = trace.rows(Level.APPLICATION, kinds.RANGE)
    assert np.median(trace.duration_ns[ranges]) / 1e6 == pytest.approx(loader_ms, rel=0.07)
    launches = trace.rows(Level.LIBRARY, kinds.RUNTIME, role=Role.LAUNCH)
    kernels = launches[trace.name[launches] == trace.names.index("cudaLaunchKernel")]
    assert trace.duration_ns[kernels].mean() / 1e3 == pytest.approx(launch_us, rel=0.01)


def test_collectives_of_all_ranks_end_together() -> None:
    """Put on one clock, the ranks of a step end each collective within 7 us, though they begin it 7.6 ms apart."""
    folder = FOLDER / "04_dlrm_v100x8_allranks"
    trace = joined_traces(*(read_kineto(folder / f"rank{rank}.pt.trace.json.gz") for rank in range(8)))
    assert len({lane.process for lane in trace.lanes}) == 8
    rows = trace.rows(Level.KERNEL, kinds.COLLECTIVE)
    process = np.array([int(lane.process.split()[1]) for lane in trace.lanes])[trace.lane[rows]]
    order = [rows[process == rank][np.argsort(trace.start_ns[rows[process == rank]])] for rank in range(8)]
    starts, ends = (np.stack([column[mine] for mine in order]) for column in (trace.start_ns, trace.end_ns))
    assert np.ptp(ends, axis=0).max() <= 7_000
    assert np.ptp(starts, axis=0).max() / 1e6 == pytest.approx(7.6, abs=0.1)
    longest = (ends - starts)[:, (ends - starts).max(axis=0).argmax()]
    assert (longest.min(), longest.max()) == (10_000, 7_635_000)


def test_gradients_are_reduced_in_five_buckets() -> None:
    """Collectives of PyTorch's DDP carry elements, type and group; 26.5 MB take 2.16 to 2.64 ms."""
    trace = traced("05_resnet50_ddp/a100x2_rank0.json.gz")
    found = [trace.span(int(row)) for row in trace.rows(Level.KERNEL, kinds.COLLECTIVE)]
    sizes = Counter(span.attributes["elements"] for span in found if span.attributes["collective"] == "allreduce")
    assert sizes == dict.fromkeys((2_049_000, 7_875_584, 6_563_840, 6_637_568, 2_431_040), 3)
    assert {span.attributes["group_size"] for span in found} == {2}
    times = [span.duration_ns for span in found if span.attributes.get("bytes") == 4 * 6_637_568]
    assert (min(times) // 10_000, round(max(times) / 10_000)) == (216, 264)


def test_one_reduction_per_parameter() -> None:
    """A compiled network reduces each of its 404 parameters by itself, most in 11 us."""
    trace = traced("06_compiled_perparam_allreduce_v100x2/rank1.json.gz")
    rows = trace.rows(Level.KERNEL, kinds.COLLECTIVE)
    assert len(rows) == 404 * 5
    assert np.median(trace.duration_ns[rows]) == 11_000


def test_streams_overlap() -> None:
    """Four streams together are busy for 502 ms, of which the clock sees 389: a sum is no busy time."""
    trace = traced("07_dlrm_hw_pair/a100x8_rank3.json.gz")
    rows = trace.rows(Level.KERNEL)
    assert trace.duration_ns[rows].sum() / 1e6 == pytest.approx(502, abs=0.5)
    assert union_of(trace.start_ns[rows], trace.end_ns[rows]) / 1e6 == pytest.approx(389, abs=0.5)
    assert len(np.unique(trace.lane[rows])) == 4


def test_graph_launches() -> None:
    """Of 70 launches of graphs each has its kernels beneath it; 88.7 % of all executions have a launch."""
    trace = traced("08_dlrm_a100x16_cudagraph/rank0.json.gz")
    rows = trace.rows(Level.KERNEL)
    parents = trace.parent[rows]
    assert (parents != NONE).mean() == pytest.approx(0.887, abs=0.0005)
    graphs = np.flatnonzero(trace.name == trace.names.index("cudaGraphLaunch"))
    assert len(graphs) == 70
    beneath = np.bincount(parents[parents != NONE], minlength=len(trace))[graphs]
    assert beneath.sum() == 345
    assert (trace.duration_ns[rows] < 5_000).mean() == pytest.approx(0.68, abs=0.01)
    assert any(note.startswith("872 ") for note in trace.notes)


@pytest.mark.parametrize(("name", "steps"), [("linear_sgd", 40), ("resnet", 30)])
def test_steps_from_updates(name: str, steps: int) -> None:
    """Where no step is marked, the updates of the weights mark them."""
    profile = profile_of(traced(f"extra/param_rtx2080ti_{name}.json.gz"), name)
    assert len(profile.runs[0].samples_ns) == steps
    assert any(str(steps) in note and "no steps are marked" in note for note in profile.notes)


@pytest.mark.parametrize("name", ["a100_alexnet_cudasync", "cuda_event_sync", "cuda_event_sync_multi_stream"])
def test_records_of_waits_belong_to_their_calls(name: str) -> None:
    """Each record of synchronisation lies beneath the host call of its number."""
    trace = traced(f"extra/hta_{name}.json.gz")
    rows = trace.rows(Level.LIBRARY, kinds.SYNCHRONISATION, role=Role.EXECUTION)
    assert len(rows)
    for row in rows.tolist():
        parent = trace.span(int(trace.parent[row]))
        assert (parent.correlation, parent.lane.device) == (trace.span(row).correlation, "")
