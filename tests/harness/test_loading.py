"""Loading: every benchmark once, no more at a time than memory and threads bear, the most important first."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import ReuseDistances
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.loading import (
    GROUP_SIZE,
    LOADING_SHARE,
    MEMORY_SHARE,
    Group,
    Loader,
    _places,
    batches,
    estimated_bytes,
)
from dlbricks.harness.run.schedule import BenchmarkState
from dlbricks.harness.run.worker_pool import Worker, WorkerPool
from tests.harness.small_suite import benchmark, unary

MS = 10**6


class _Worker(Worker):
    """No process: what it is asked for is kept."""

    def __init__(self) -> None:
        self.alive = True
        self.asked: Mapping[str, Any] = {}

    def send(self, request: Mapping[str, Any], limit_ns: int) -> None:  # noqa: ARG002
        self.asked = request


class _Crew(WorkerPool):
    """One worker, each of whose loads takes as long as it is told to."""

    def __init__(self, costs_ns: list[int]) -> None:
        super().__init__({})
        self.now_ns, self.begun_ns = 0, list[int]()
        self._costs, self._worker = iter(costs_ns), _Worker()

    def start(self) -> Worker:
        return self._worker

    def next_reply(self) -> tuple[Worker, dict[str, Any]]:
        if self._worker.asked.get("op") != "load":
            return self._worker, {}
        self.begun_ns.append(self.now_ns)
        cost = next(self._costs)
        self.now_ns += cost
        return self._worker, {"load_ns": cost, "warmup_ns": [1], "output_digests": [], "placement": {}, "wall_ns": cost}


def loaded(costs_ns: list[int], deadline_ns: int) -> tuple[_Crew, int]:
    """Load benchmarks that take so long each; gives the pool, and how many were loaded."""
    pool = _Crew(costs_ns)
    entries = (benchmark(f"Sin{index}", unary("Sin", (4 + index,)))[0] for index in range(len(costs_ns)))
    tracks = [BenchmarkState(benchmark=entry, cold=True) for entry in entries]
    loader = Loader(pool, RunOptions(), ReuseDistances(1), lambda: pool.now_ns)
    loader.load([Group(tracks=tracks)], 1, deadline_ns, lambda: None)
    return pool, sum(track.loaded for track in tracks)


@given(st.lists(st.integers(1, 4000 * MS), min_size=1, max_size=12), st.integers(100 * MS, 15_000 * MS))
def test_slow_loading_leaves_time_for_visits(costs_ns: list[int], deadline_ns: int) -> None:
    """However long loading takes, a share of the time is left when the last of it begins; the first is always begun."""
    pool, count = loaded(costs_ns, deadline_ns)
    assert count == len(pool.begun_ns) > 0
    assert max(pool.begun_ns) < LOADING_SHARE * deadline_ns


@given(st.lists(st.integers(1, 4000 * MS), min_size=1, max_size=12))
def test_what_there_is_time_for_is_loaded(costs_ns: list[int]) -> None:
    """All of it, where loading and visits need less than there is."""
    assert loaded(costs_ns, 4 * sum(costs_ns) + 1000 * MS)[1] == len(costs_ns)


def suite(sizes: list[int]) -> list[dict[str, Any]]:
    """Give benchmarks with weights of so many MiB."""
    return [
        {
            "fingerprint": str(index),
            "operators": ["MatMul"],
            "weight_bytes": size << 20,
            "activation_bytes": 1000,
            "layers": 1 + index % 2,
        }
        for index, size in enumerate(sizes)
    ]


@given(
    st.lists(st.integers(0, 500), max_size=300),
    st.one_of(st.none(), st.integers(1, 64)),
    st.integers(1, 16),
    st.integers(1, 4),
)
def test_every_benchmark_is_planned_once(sizes: list[int], gib: int | None, threads: int, workers: int) -> None:
    """In groups that are not too long; batches respect order, and memory unless one benchmark alone exceeds it."""
    benchmarks = suite(sizes)
    made = batches(benchmarks, gib and gib << 30, threads=threads, workers=workers)
    numbers = [sorted(int(one["fingerprint"]) for group in batch for one in group) for batch in made]
    assert [number for batch in numbers for number in batch] == list(range(len(sizes)))
    for batch in made:
        assert all(0 < len(group) <= GROUP_SIZE for group in batch)
        total = sum(estimated_bytes(one) for group in batch for one in group)
        assert gib is None or total <= MEMORY_SHARE * (gib << 30) or sum(map(len, batch)) == 1
        assert threads == 1 or (threads - 1) * sum(map(len, batch)) <= 4000


def test_a_large_suite_is_one_batch_when_it_fits() -> None:
    """So that all benchmarks are interleaved with all others."""
    made = batches(suite([1] * 3000), 64 << 30, workers=2)
    assert len(made) == 1
    assert [len(group) for group in made[0]] == [750] * 4


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_worker_whose_sessions_share_threads_has_them_all(workers: int) -> None:
    """Its threads are awake for a while after a call: another worker's next call would meet them."""
    made = batches(suite([1] * 3000), 64 << 30, threads=2, workers=workers, shared_pool=True)
    assert [[len(group) for group in batch] for batch in made] == [[3000]]


def test_what_comes_first_is_loaded_first() -> None:
    """Groups that are loaded at the same time are dealt out in turn, each in the order given."""
    made = batches(suite([1] * 2000), None, workers=2)[0]
    assert [int(one["fingerprint"]) for one in made[0][:3]] == [0, 2, 4]
    assert [int(one["fingerprint"]) for one in made[1][:3]] == [1, 3, 5]
    assert all(int(one["fingerprint"]) < 2 * GROUP_SIZE for group in made[:2] for one in group)


@given(st.lists(st.sampled_from("abcdef"), max_size=60))
def test_few_of_the_same_operators_share_a_worker(kinds: list[str]) -> None:
    """As long as groups have room, so that each finds another one that keeps its code warm; many are shared out."""
    benchmarks = [{**one, "operators": [kind]} for one, kind in zip(suite([0] * len(kinds)), kinds, strict=True)]
    places = _places(benchmarks, 2)
    for kind in set(kinds):
        own = [place for place, other in zip(places, kinds, strict=True) if other == kind]
        assert len(set(own)) == (1 if len(own) < 8 else 2)
        assert len(own) < 8 or min(own.count(0), own.count(1)) >= 4
    assert abs(places.count(0) - places.count(1)) <= 8
