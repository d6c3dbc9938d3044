"""Loading: every benchmark once, no more at a time than memory and threads bear, the most important first."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import ReuseDistances
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.loading import LOADING_SHARE, MEMORY_SHARE, Loader, batches, estimated_bytes
from dlbricks.harness.run.schedule import BenchmarkState
from dlbricks.harness.run.worker_pool import Worker, WorkerDiedError, WorkerPool
from tests.harness.small_suite import benchmark, unary

MS = 10**6


class _Ended(Worker):
    """A worker without a process."""

    alive = False

    def __init__(self) -> None:
        """Start nothing."""

    def end(self) -> None:
        """End nothing."""


class _Crew(WorkerPool):
    """One worker after another, each of whose loads takes as long as it is told to; a load of 0 ends its worker."""

    def __init__(self, costs_ns: list[int]) -> None:
        super().__init__({})
        self.now_ns, self.begun_ns, self.started = 0, list[int](), 0
        self._costs = iter(costs_ns)

    def start(self) -> Worker:
        self.started += 1
        return _Ended()

    def ask(self, worker: Worker, request: Mapping[str, Any], limit_ns: int) -> dict[str, Any]:  # noqa: ARG002
        self.begun_ns.append(self.now_ns)
        cost = next(self._costs)
        if not cost:
            raise WorkerDiedError("worker ended")
        self.now_ns += cost
        return {"load_ns": cost, "warmup_ns": [1], "output_digests": [], "placement": {}, "wall_ns": cost}


def loaded(costs_ns: list[int], deadline_ns: float) -> tuple[_Crew, list[BenchmarkState]]:
    """Load benchmarks that take so long each; gives the pool, and the benchmarks."""
    pool = _Crew([*costs_ns, *(cost for cost in costs_ns if cost)] * 20)
    entries = (benchmark(f"Sin{index}", unary("Sin", (4 + index,)))[0] for index in range(len(costs_ns)))
    tracks = [BenchmarkState(benchmark=entry, cold=True) for entry in entries]
    Loader(pool, RunOptions(), ReuseDistances(1), lambda: pool.now_ns).load(tracks, deadline_ns, lambda: None)
    return pool, tracks


@given(st.lists(st.integers(1, 4000 * MS), min_size=1, max_size=12), st.integers(100 * MS, 15_000 * MS))
def test_slow_loading_leaves_time_for_visits(costs_ns: list[int], deadline_ns: int) -> None:
    """However long loading takes, a share of the time is left when the last of it begins; the first is always begun."""
    pool, tracks = loaded(costs_ns, deadline_ns)
    assert sum(track.loaded for track in tracks) == len(pool.begun_ns) > 0
    assert max(pool.begun_ns) < LOADING_SHARE * deadline_ns


@given(st.lists(st.integers(1, 4000 * MS), min_size=1, max_size=12))
def test_what_there_is_time_for_is_loaded(costs_ns: list[int]) -> None:
    """All of it, where loading and visits need less than there is."""
    _, tracks = loaded(costs_ns, 4 * sum(costs_ns) + 1000 * MS)
    assert all(track.loaded for track in tracks)


@given(st.lists(st.sampled_from([0, MS]), min_size=1, max_size=12))
def test_what_ends_its_worker_fails_and_the_others_are_loaded_again(costs_ns: list[int]) -> None:
    """In a new worker, each that is not to blame."""
    pool, tracks = loaded(costs_ns[:1] + [MS] * (len(costs_ns) - 1), float("inf"))
    failed = [track for track in tracks if track.status == "failed"]
    assert len(failed) == pool.started - 1 == (costs_ns[0] == 0)
    assert all(track.reason == "worker ended while loading" for track in failed)
    assert all(track.loaded for track in tracks if track not in failed)


def suite(sizes: list[int]) -> list[dict[str, Any]]:
    """Give benchmarks with weights of so many MiB."""
    return [
        {"fingerprint": str(index), "weight_bytes": size << 20, "activation_bytes": 1000, "layers": 1 + index % 2}
        for index, size in enumerate(sizes)
    ]


@given(st.lists(st.integers(0, 500), max_size=300), st.one_of(st.none(), st.integers(1, 64)), st.integers(1, 16))
def test_every_benchmark_is_planned_once(sizes: list[int], gib: int | None, threads: int) -> None:
    """In their order, within the memory unless one benchmark alone exceeds it, and with a bounded number of threads."""
    made = batches(suite(sizes), gib and gib << 30, threads=threads)
    assert [int(one["fingerprint"]) for batch in made for one in batch] == list(range(len(sizes)))
    for batch in made:
        total = sum(map(estimated_bytes, batch))
        assert gib is None or total <= MEMORY_SHARE * (gib << 30) or len(batch) == 1
        assert threads == 1 or (threads - 1) * len(batch) <= 4000


def test_a_large_suite_is_one_batch_when_it_fits() -> None:
    """So that all benchmarks are interleaved with all others; also if their sessions share threads."""
    assert [len(batch) for batch in batches(suite([1] * 3000), 64 << 30)] == [3000]
    assert [len(batch) for batch in batches(suite([1] * 3000), 64 << 30, threads=9, shared_pool=True)] == [3000]
