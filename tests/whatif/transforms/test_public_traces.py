"""Transforms on traces that others recorded: what is known holds, and what cannot be known is refused."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from backtest.consistency import QUESTIONS, QUICKER, REFUSED, SAME, SLOWER, judge

from dlbricks.errors import InputError
from dlbricks.plugins.training.collectives import all_reduces, collective_rows
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.whatif.explain import step_times
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.select import step_numbers
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.sources.traces import graph_of_trace
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.made_up import after, asked, ran

TRACES = Path(os.environ.get("DLBRICKS_TRACES", "/nonexistent"))
pytestmark = [
    pytest.mark.traces,
    pytest.mark.skipif(not TRACES.is_dir(), reason="DLBRICKS_TRACES names no folder of traces"),
]
RESNET = "01_resnet50_v100_dataloader/nw{}_{}.pt.trace.json.gz"
GPU_BOUND = "05_resnet50_ddp/v100x1_rank0.json.gz"
ONE_OF_TWO = "05_resnet50_ddp/a100x2_rank0.json.gz"
ONE_BY_ONE = "06_compiled_perparam_allreduce_v100x2/rank1.json.gz"
RANKS = "04_dlrm_v100x8_allranks/rank{}.pt.trace.json.gz"
PARAMETERS = 25_557_032
"""Of ResNet-50."""


@cache
def graph_of(name: str) -> DependencyGraph:
    """Read a trace once."""
    return graph_of_trace(read_kineto(TRACES / name), name)


def step(graph: DependencyGraph) -> float:
    """Return the median time of a step, ns."""
    return float(np.median(step_times(graph, replay(graph))))


@pytest.mark.parametrize("pair", ["a", "b"])
def test_workers_for_data_are_predicted_within_five_per_cent(pair: str) -> None:
    """With the slowdown fitted to the other pair alone."""
    slowdown = {"a": 1.11, "b": 1.19}[pair]
    predicted = step(after(graph_of(RESNET.format(0, pair)), f"data-loader:4,slowdown={slowdown}"))
    assert predicted == pytest.approx(step(graph_of(RESNET.format(4, pair))), rel=0.05)


def test_gradients_of_each_step_are_those_of_the_network() -> None:
    """In single precision."""
    graph = graph_of(RESNET.format(4, "a"))
    sizes, steps = graph.attributes["gradient_bytes"], step_numbers(graph)
    assert [np.nansum(sizes[steps == number]) for number in range(1, 7)] == [4 * PARAMETERS] * 6


def test_buckets_are_those_that_were_seen_on_two_ranks() -> None:
    """The same network, trained by others with DistributedDataParallel."""
    graph = after(graph_of(RESNET.format(4, "a")), "data-parallel:2,bandwidth=100Gbps")
    made = (graph.attributes["bytes"][collective_rows(graph)] / 4).tolist()
    seen = graph_of(ONE_OF_TWO)
    recorded = seen.attributes["elements"][all_reduces(seen)].tolist()
    assert made[:5] == recorded[:5] == [2_049_000, 7_875_584, 6_563_840, 6_637_568, 2_431_040]


def test_a_device_that_is_busy_all_the_time_gains_by_mixed_precision() -> None:
    """Though the host, which waits in its launches, seems to be busy, too; a loop bound by its host gains nothing."""
    busy = graph_of(GPU_BOUND)
    assert step(after(busy, "amp")) < 0.6 * step(busy)
    bound_by_host = graph_of(ONE_OF_TWO)
    assert step(after(bound_by_host, "amp")) >= step(bound_by_host)


@pytest.mark.parametrize("name", ["07_dlrm_hw_pair/v100x2_rank1.json.gz", "08_dlrm_a100x16_cudagraph/rank0.json.gz"])
def test_a_device_far_behind_its_host_may_wait_for_finite_gradients(name: str) -> None:
    """What starts late by chance right behind a kernel of another stream does not wait for it."""
    assert step(after(graph_of(name), "amp:dtype=float16")) > 0


def test_what_one_rank_recorded_is_not_scaled() -> None:
    """But of all ranks it is."""
    with pytest.raises(InputError, match="its collectives were recorded on one rank"):
        after(graph_of(ONE_OF_TWO), "bandwidth:25Gbps")
    ranks = graph_of_files([TRACES / RANKS.format(rank) for rank in range(8)])
    before = replay(ranks).makespan_ns
    slower = replay(after(ranks, "bandwidth:1Gbps,now=100Gbps")).makespan_ns
    assert slower > before
    assert replay(after(ranks, "bandwidth:100Gbps,now=100Gbps")).makespan_ns == pytest.approx(before, rel=1e-4)


def test_all_that_can_be_asked_gives_an_answer() -> None:
    """Each alone and one behind the other."""
    graph = graph_of(RESNET.format(4, "b"))
    parallel = "data-parallel:8,bandwidth=10Gbps"
    for texts in (
        ("reconstruct-bn",),
        ("gist",),
        ("vdnn:500MB",),
        ("fused-optimizer:momentum",),
        ("p3:10Gbps", "amp"),
        (parallel, "blueconnect:4,inside_bandwidth=100GB/s,bandwidth=10Gbps"),
        (parallel, "deep-gradient-compression:0.1%,bandwidth=10Gbps"),
        ("amp", "fused-adam", parallel, "bandwidth:25Gbps"),
    ):
        assert ran(asked(graph, *texts)).makespan_ns > 0


def traces() -> list[str]:
    """Name all traces, but of ranks of one run the first."""
    return sorted(
        str(path.relative_to(TRACES))
        for path in TRACES.rglob("*.gz")
        if path.parent.name != "04_dlrm_v100x8_allranks" or "rank0" in path.name
    )


@pytest.mark.parametrize("name", traces() if TRACES.is_dir() else [])
def test_no_answer_is_impossible(name: str) -> None:
    """None below what a stream works for, no loss that nothing explains, and the replay is the record."""
    graph = graph_of(name)
    for question in QUESTIONS:
        made = judge(graph, question, [read_step(text, all_transforms()) for text in question.split()])
        assert made.outcome in {QUICKER, SAME, SLOWER, REFUSED}, f"{question}: {made.outcome}, {made.said}"
        assert "\n" not in made.said
