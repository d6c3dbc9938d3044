"""Files become graphs: the deepest run that there is, ranks on one clock whose collectives go on together."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import ranks_table
from dlbricks.errors import InputError
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.profile.file import write_profile
from dlbricks.profile.open import read_any
from dlbricks.trace.build import TraceBuilder, joined_traces
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Trace, TraceClock
from dlbricks.whatif.edit import GraphBuilder, with_durations
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import RENDEZVOUS, graph_of_files, with_rendezvous
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.whatif.kineto_files import rank_file
from tests.whatif.made_up import Machine

RECORDED = Path(__file__).parents[2] / "data" / "kineto_cpu_training.json.gz"
MAIN = Lane(process="1", name="thread 1")


def layers(*durations: int) -> Trace:
    """One call with layers, one after the other."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, "call", "call", MAIN, 0, sum(durations))
    at = 0
    for number, duration in enumerate(durations):
        builder.add(Level.LAYER, "operator", f"layer{number}", MAIN, at, at + duration, parent=call)
        at += duration
    return builder.built()


def stored(path: Path, *runs: LevelRun) -> Path:
    """Write a profile."""
    write_profile(path, Profile(network="net", system={"name": "mine"}, runtime={}, runs=runs))
    return path


def level(levels: str, *durations: int, batch: int = 1) -> LevelRun:
    """A run of one call."""
    return LevelRun(batch=batch, levels=levels, samples_ns=(sum(durations),), trace=layers(*durations))


def test_a_recorded_trace_is_replayed_as_it_was() -> None:
    """The project's own recording of a training on the processor."""
    graph = graph_of_files([RECORDED])
    assert graph.name == "kineto_cpu_training"
    assert replay(graph).end_ns.tolist() == graph.attributes["measured_end_ns"].tolist()


def test_of_a_profile_the_deepest_run_is_taken(tmp_path: Path) -> None:
    """And what recording cost is said."""
    runs = level("M", 100), level("ML", 60, 50), level("MLK", 60, 60, 60)
    assert len(graph_of_files([stored(tmp_path / "p.json", *runs)])) == 3
    graph = graph_of_files([stored(tmp_path / "p.json", *runs[:2])])
    assert [graph.layers[number] for number in graph.layer] == ["layer0", "layer1"]
    assert "recording changed the time of calls by +10.0%" in graph.notes[-1]


def test_the_runtime_of_a_profile_is_known(tmp_path: Path) -> None:
    """What was validated with one runtime says nothing of another."""
    made = Profile(network="net", system={}, runtime={"name": "openvino"}, runs=(level("ML", 60, 50),))
    write_profile(tmp_path / "p.json", made)
    assert graph_of_files([tmp_path / "p.json"]).runtime == "openvino"
    assert graph_of_files([RECORDED]).runtime == ""


def test_a_trace_of_calls_alone_is_not_compared_with_itself(tmp_path: Path) -> None:
    """It was recorded once: nothing says what recording cost."""
    call = {"ph": "X", "cat": "cuda_runtime", "name": "cudaGetDeviceCount", "pid": 1, "tid": 1, "ts": 0, "dur": 5}
    path = tmp_path / "calls.pt.trace.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": [call]}))
    assert not any("recording changed" in note for note in graph_of_files([path]).notes)


def test_of_several_batches_the_smallest_is_taken(tmp_path: Path) -> None:
    """Unless another one is named."""
    path = stored(tmp_path / "p.json", level("ML", 10, batch=1), level("ML", 40, 40, batch=8))
    assert [len(graph_of_files([path], batch=batch)) for batch in (None, 1, 8)] == [1, 1, 2]
    with pytest.raises(InputError, match="has no run with batch size 3: its batch sizes are 1, 8"):
        graph_of_files([path], batch=3)


def test_what_holds_no_tasks_is_refused(tmp_path: Path) -> None:
    """With what could be recorded instead."""
    with pytest.raises(InputError, match="has no run with layers or kernels"):
        graph_of_files([stored(tmp_path / "p.json", level("M", 100))])


def test_traces_without_common_collectives_may_be_of_different_runs() -> None:
    """They are joined nevertheless, since ranks may communicate otherwise; those of one run get no such note."""
    folder = RECORDED.parent / "faults"
    notes = [
        graph_of_files([folder / "f9_rank0.json", folder / other]).notes
        for other in ("t01_host_ahead.json", "f9_rank1.json")
    ]
    said = ["the traces share no collectives: they may be of different runs" in each for each in notes]
    assert said == [True, False]


def test_ranks_wait_for_each_other(tmp_path: Path) -> None:
    """A collective transfers from the last arrival on, on both; alone, a rank keeps what it measured."""
    paths = [
        rank_file(tmp_path / f"rank{rank}.json", rank, arrives_us=arrives) for rank, arrives in ((0, 100), (1, 700))
    ]
    graph = graph_of_files(paths)
    assert graph.name == "2 ranks of rank0"
    assert [name for name in graph.names if name == RENDEZVOUS] == [RENDEZVOUS]
    replayed = replay(graph)
    members = np.flatnonzero(graph.kind == 3)
    assert replayed.end_ns[members].tolist() == graph.attributes["measured_end_ns"][members].tolist()
    assert graph.duration_ns[members].tolist() == [100_000, 100_000]


def test_two_files_of_one_process_are_refused() -> None:
    """They are no two ranks."""
    with pytest.raises(InputError, match="belong to one process"):
        graph_of_files([RECORDED, RECORDED])


def test_nothing_named_is_refused() -> None:
    """In a sentence."""
    with pytest.raises(InputError, match="a file is missing"):
        graph_of_files([])


def rank(number: int, computing: int, ends: int) -> Trace:
    """A rank that computes from 10 on, then takes part in a collective that ends on all ranks together."""
    host = Lane(process=f"rank {number}", name="thread 1")
    stream = Lane(process=f"rank {number}", name="stream 7", device=f"gpu {number}")
    machine, arrives = Machine(unix_offset_ns=0), 10 + computing
    machine.launch(host, 0, stream, 10, arrives, call_ns=1)
    machine.launch(host, 2, stream, arrives, ends, "ncclDevKernel_AllReduce", call_ns=1, kind="collective")
    return machine.trace()


def test_a_quicker_last_rank_lets_all_go_on_earlier() -> None:
    """The transfer takes 20 behind the last arrival; a rank that was early anyway changes nothing."""
    graph = with_rendezvous(graph_of_trace(joined_traces(rank(0, 100, 330), rank(1, 300, 330)), "two ranks"))
    assert replay(graph).end_ns.max() == 330
    kernels = select(graph, name="sgemm")
    assert [int(graph.duration_ns[row]) for row in kernels] == [100, 300]
    assert replay(with_durations(graph, kernels, np.array([50, 300]))).end_ns.max() == 330
    assert replay(with_durations(graph, kernels, np.array([100, 150]))).end_ns.max() == 180


def test_one_rank_alone_stays_as_it_was_measured() -> None:
    """What part of its collective is waiting cannot be known."""
    graph = graph_of_trace(rank(0, 100, 330), "one rank")
    assert with_rendezvous(graph) is graph


def test_members_that_cannot_be_of_one_collective_are_not_tied() -> None:
    """One ended before the other began: they are no partners, which is said."""
    graph = graph_of_trace(joined_traces(rank(0, 100, 150), rank(1, 300, 330)), "apart")
    linked = with_rendezvous(graph)
    assert len(linked) == len(graph)
    assert linked.notes == (
        "2 collectives without a match on another rank: recorded times stay",
        "the traces share no collectives: they may be of different runs",
    )


def test_a_rank_that_began_later_is_matched_by_time() -> None:
    """Without numbers: rank 1 lacks the first of four all-reduces, the other three are the same on both."""
    nan = float("nan")
    rows = [(0, "ring", "allreduce", nan, nan, 100 * turn, 100 * turn + 50) for turn in range(4)]
    rows += [(1, "ring", "allreduce", nan, nan, 100 * turn + 20, 100 * turn + 50) for turn in range(1, 4)]
    graph = collectives(*rows)
    assert [{end for _, _, end in group} for group in tied(graph)] == [{150.0}, {250.0}, {350.0}]
    assert with_rendezvous(graph).notes == ("1 collective without a match on another rank: recorded times stay",)


def test_one_recording_is_not_two_ranks() -> None:
    """Its collectives would have no match on another rank: one line says what to name."""
    twice = [read_any(RECORDED.parent / "faults" / "f9_rank0.json")] * 2
    assert ranks_table(twice).unavailable == "the same recording was given twice: name the recording of each rank once"


def test_analyses_show_the_collectives_of_all_ranks() -> None:
    """Four, that begin 2 us apart and take 12 us from the last arrival."""
    table = ranks_table([read_any(RECORDED.parent / "faults" / f"f9_rank{number}.json") for number in (0, 1)])
    figures = [table.column(name).cells for name in ("ranks", "apart_ns", "transfer_ns")]
    assert figures == [(2,) * 4, (2_000,) * 4, (12_000,) * 4]


def test_ranks_are_cut_by_the_same_time() -> None:
    """Both devices were busy before the record, and launches are 62 us apart: four collectives, within 2 us."""
    graph = graph_of_files([RECORDED.parent / "faults" / f"f9_rank{number}.json" for number in (0, 1)])
    assert graph.notes == ("work launched before the trace kept a device busy for 2.425 ms: this time is left out",)
    assert graph.names.count(RENDEZVOUS) == 1
    members = np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)
    starts = graph.attributes["measured_start_ns"][members]
    launched = graph.attributes["measured_start_ns"][graph.kind == TaskKind.CPU]
    by_rank = [
        starts[[graph.lanes[graph.lane[row]].process == f"rank {number}" for row in members]] for number in (0, 1)
    ]
    assert (by_rank[1] - by_rank[0]).tolist() == [2_000] * 4
    assert 62_000 in launched
    assert np.count_nonzero([graph.named(row) == RENDEZVOUS for row in range(len(graph))]) == 4


@given(
    st.lists(st.integers(0, 3_000_000), min_size=2, max_size=4),
    st.integers(1_500_000, 9_000_000),
    st.lists(st.integers(1, 50_000), min_size=1, max_size=5),
)
def test_older_work_parts_no_ranks(launches: list[int], busy_until: int, durations: list[int]) -> None:
    """However far apart they launch: what began together on all devices begins together without the older work."""
    traces = []
    for number, first in enumerate(launches):
        host = Lane(process=f"rank {number}", name="thread 1")
        stream = Lane(process=f"rank {number}", name="stream 7", device=f"gpu {number}")
        machine, at = Machine(unix_offset_ns=0), max(busy_until, max(launches) + 10_000)
        for place, duration in enumerate(durations):
            name = "ncclDevKernel_AllReduce"
            machine.launch(host, first + place, stream, at, at + duration, name, call_ns=1, kind="collective")
            at += duration
        traces.append(machine.trace())
    graph = with_rendezvous(graph_of_trace(joined_traces(*traces), "ranks"))
    meetings = [row for row in range(len(graph)) if graph.named(row) == RENDEZVOUS]
    assert len(meetings) == len(durations)
    assert not any("no match" in note for note in graph.notes)


def collectives(*rows: tuple[int, str, str, float, float, int, int]) -> DependencyGraph:
    """Collectives by rank, kernel, operation, group, sequence number (NaN: not recorded), start and end."""
    builder = GraphBuilder(name="collectives")
    for number, kernel, operation, group, sequence, start, end in rows:
        stream = Lane(process=f"rank {number}", name=f"stream {group}", device=f"gpu {number}")
        figures: dict[str, Any] = {"group": group, "collective_sequence": sequence}
        builder.task(
            TaskKind.COLLECTIVE, kernel, stream, end - start, release_ns=start, operator=operation,
            measured_start_ns=start, measured_end_ns=end, **figures,
        )  # fmt: skip
    return builder.built()


def tied(graph: DependencyGraph) -> list[list[tuple[str, str, float]]]:
    """Return for each rendezvous process, kernel and end of those that meet there."""
    made = with_rendezvous(graph)
    groups: dict[int, list[tuple[str, str, float]]] = {}
    for hub, member in zip(made.edge_from.tolist(), made.edge_to.tolist(), strict=True):
        if made.kind[member] == TaskKind.COLLECTIVE:
            process, end = made.lanes[made.lane[member]].process, float(made.figures("measured_end_ns")[member])
            groups.setdefault(hub, []).append((process, made.named(member), end))
    return sorted(groups.values())


def test_collectives_are_told_by_group_and_number_not_by_their_kernels() -> None:
    """Ranks run other kernels for one all-reduce; one rank has recorded an earlier one, too; two groups run at once."""
    generic, ring = "ncclDevKernel_Generic_1", "rcclGenericKernel"
    graph = collectives(
        (0, ring, "allreduce", 0.0, 6.0, 0, 10),
        (0, generic, "allreduce", 0.0, 7.0, 20, 100),
        (1, ring, "allreduce", 0.0, 7.0, 60, 100),
        (0, ring, "_allgather_base", 1.0, 7.0, 30, 90),
        (1, generic, "_allgather_base", 1.0, 7.0, 50, 90),
    )
    gathered = [("rank 0", ring, 90.0), ("rank 1", generic, 90.0)]
    assert tied(graph) == [[("rank 0", generic, 100.0), ("rank 1", ring, 100.0)], gathered]
    assert with_rendezvous(graph).notes == ("1 collective without a match on another rank: recorded times stay",)


def test_without_numbers_the_order_in_a_group_counts() -> None:
    """Groups of one name have other ranks, so other numbers; sends have no partner that is told."""
    nan = float("nan")
    graph = collectives(
        (0, "a", "allreduce", 0.0, nan, 0, 50),
        (1, "b", "allreduce", 0.0, nan, 10, 50),
        (0, "a", "send", 0.0, nan, 60, 90),
        (1, "a", "send", 0.0, nan, 60, 90),
        (2, "a", "allreduce", 2.0, nan, 0, 50),
    )
    assert tied(graph) == [[("rank 0", "a", 50.0), ("rank 1", "b", 50.0)]]


TRACES = Path(os.environ.get("DLBRICKS_TRACES", "/nonexistent"))


@pytest.mark.traces
@pytest.mark.skipif(not TRACES.is_dir(), reason="DLBRICKS_TRACES names no folder of traces")
def test_eight_real_ranks_end_as_they_ended() -> None:
    """All tasks within 10 us, all eight collectives tied."""
    traces = [read_kineto(path) for path in sorted(TRACES.glob("04*/*.gz"))]
    graph = with_rendezvous(graph_of_trace(joined_traces(*traces), "eight ranks"))
    measured = graph.attributes["measured_end_ns"]
    known = ~np.isnan(measured)
    assert np.abs(replay(graph).end_ns[known] - measured[known]).max() < 10_000
    assert len(select(graph, name="^rendezvous$")) == 8
