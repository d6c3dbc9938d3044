"""Consistency of answers: of made training they are, and a loss that nothing explains is told from one explained."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backtest.consistency import PHANTOM, QUESTIONS, QUICKER, REFUSED, SAME, SLOWER, idle_shares, judge
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import GraphBuilder, NewEdge, inserted
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, with_attributes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Transform, read_step
from tests.whatif.made_up import HOST, KNOWN, layers, training

GRAPHS = {
    "bound by loading": training(load_ns=2_000_000),
    "bound by its device": training(),
    "bound by launches": training(launch_ns=300_000),
    "layers of a processor": layers(("Conv", 3000, 1e6, 1e5, 1e5), ("Relu", 1000, 1e3, 1e5, 1e5)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_consistent(name: str) -> None:
    """Whatever is asked; some of it gains, some loses, some is refused in a line."""
    made = [judge(GRAPHS[name], one, [read_step(text, KNOWN) for text in one.split()]) for one in QUESTIONS]
    assert {one.outcome for one in made} <= {QUICKER, SAME, SLOWER, REFUSED}
    assert {QUICKER, SLOWER, REFUSED} <= {one.outcome for one in made}
    assert all("\n" not in one.said for one in made)


CALLS = st.tuples(
    st.sampled_from(("work", "load", "launch", "copy", "reduce", "wait")), st.integers(1, 400), st.integers(0, 100)
)
"""What a host does: how long it, or what it launches, takes, and the gap behind it."""
STREAMS = {"launch": (TaskKind.KERNEL, "stream 7"), "copy": (TaskKind.COPY, "stream 7"),
           "reduce": (TaskKind.COLLECTIVE, "stream 8")}  # fmt: skip


def repeated(calls: list[tuple[str, int, int]], steps: int, slow: int) -> DependencyGraph:
    """Steps of a host; in the last one everything on the device takes ``slow`` times as long. Measured as replayed."""
    builder, firsts = GraphBuilder(name="repeated"), []
    for step in range(steps):
        firsts.append(builder.task(TaskKind.CPU, "step", HOST, 1))
        for what, time, gap in calls:
            if what in STREAMS:
                kind, stream = STREAMS[what]
                call = builder.task(TaskKind.CPU, "launch", HOST, 5, gap_ns=gap)
                lane = Lane(process="1", name=stream, device="gpu 0")
                task = builder.task(kind, what, lane, time * (slow if step == steps - 1 else 1))
                builder.edge(EdgeKind.LAUNCH, call, task, 5)
            elif what == "wait":
                task = builder.task(TaskKind.SYNCHRONISATION, what, HOST, 1, gap_ns=gap)
                for _, stream in STREAMS.values():
                    builder.wait(task, Lane(process="1", name=stream, device="gpu 0"))
            else:
                builder.task(TaskKind.DATA if what == "load" else TaskKind.CPU, what, HOST, time, gap_ns=gap)
    last = builder.task(TaskKind.CPU, "end", HOST, 1)
    made = replay(builder.built())
    begins = made.start_ns[[*firsts, last]].tolist()
    builder.steps = list(pairwise(begins))
    measured: dict[str, Any] = {"measured_start_ns": made.start_ns, "measured_end_ns": made.end_ns}
    return with_attributes(builder.built(), **{key: np.array(times, float) for key, times in measured.items()})


@given(st.lists(CALLS, min_size=1, max_size=8), st.integers(1, 4), st.integers(1, 5))
def test_what_takes_time_gains_when_it_takes_less(calls: list[tuple[str, int, int]], steps: int, slow: int) -> None:
    """A kind with a share of the named path, made a hundredth, gains; or a note names another path."""
    assert not idle_shares(repeated(calls, steps, slow))


@pytest.mark.parametrize("name", GRAPHS)
def test_what_takes_time_in_training_gains_when_it_takes_less(name: str) -> None:
    """The same of made training."""
    assert not idle_shares(GRAPHS[name])


def test_every_trace_at_hand_names_what_gains() -> None:
    """The same of every public trace; those that cannot be read are refused elsewhere."""
    folder = os.environ.get("DLBRICKS_TRACES", "")
    if not folder:
        pytest.skip("DLBRICKS_TRACES names no folder of traces")
    graphs = [graph_of_files([path]) for path in sorted(Path(folder).rglob("*.pt.trace.json*"))]
    assert graphs
    assert [said for graph in graphs for said in idle_shares(graph)] == []


def test_every_transform_is_asked() -> None:
    """Whoever adds one adds its question."""
    asked = {text.partition(":")[0] for one in QUESTIONS for text in one.split()}
    assert asked == set(KNOWN)


def test_a_loss_by_nothing_is_a_phantom() -> None:
    """Neither was a task added, nor does one take longer; kernels twice as long explain what they cost."""
    graph = training(steps=1, layers=1)
    phantom = Transform(name="phantom", title="t", source="s", apply=lambda one, _: _lagging(one))
    assert judge(graph, "phantom", [(phantom, {})]).outcome == PHANTOM
    assert judge(graph, "scale", [read_step("scale:2,kind=kernel", KNOWN)]).outcome == SLOWER


def _lagging(graph: DependencyGraph) -> DependencyGraph:
    first, second = [row for row, kind in enumerate(graph.kind.tolist()) if kind == TaskKind.KERNEL][:2]
    return inserted(graph, (), [NewEdge(kind=EdgeKind.STREAM, first=first, second=second, lag_ns=10_000_000)]).graph
