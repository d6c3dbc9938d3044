"""What is loaded under a budget, on a clock that only loading moves."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import ReuseDistances
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.loading import LOADING_SHARE, Group, Loader
from dlbricks.harness.run.track import Track
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
    tracks = [Track(benchmark=entry, cold=True) for entry in entries]
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
