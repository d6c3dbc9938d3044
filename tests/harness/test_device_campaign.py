"""Campaigns on a device with scripted workers: whatever dies, fails or was measured before, each time is taken once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.harness.cache_state import cache_distances
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run import progress
from dlbricks.harness.run.campaign import Campaign
from dlbricks.harness.run.progress import Clock
from dlbricks.harness.run.schedule import BenchmarkState
from dlbricks.harness.run.worker_pool import IDLE, Worker, WorkerDiedError, WorkerPool
from tests.harness.small_suite import benchmark, unary

MS = 10**6
CONSTANTS = {"call_ns": 4_000, "launch_lag_ns": 2_000, "synchronise_ns": 1_000, "kernel_gap_ns": 0}
TIMES = {"host_ns": 9, "device_ns": 5, "kernels": 1, "synchronises": False}
NAMES = ["Sin", "Cos", "Tan", "Abs", "Exp"]
DIES, FAILS, IDLE_DIES = "worker was killed", "out of memory", IDLE


class Hand(Worker):
    """A worker that remembers what it has done."""

    def __init__(self) -> None:
        """Start nothing."""
        self.ended, self.loaded, self.used_cupti = False, set[str](), False

    @property
    def alive(self) -> bool:
        return not self.ended

    def end(self) -> None:
        self.ended = True


class Crew(WorkerPool):
    """Workers whose requests end as a script says, by operation and name: each in turn, then well."""

    def __init__(self, faults: Mapping[tuple[str, str], Sequence[str]] | None = None) -> None:
        """Take the script."""
        super().__init__({})
        self.faults = defaultdict(list, {key: list(each) for key, each in (faults or {}).items()})
        self.now_ns, self.asked = 0, list[tuple[str, str]]()

    def start(self) -> Worker:
        return Hand()

    def ask(self, worker: Worker, request: Mapping[str, Any], limit_ns: int) -> dict[str, Any]:  # noqa: ARG002
        assert isinstance(worker, Hand)
        assert worker.alive
        operation = request["op"]
        name = self._name(worker, request)
        self.asked.append((operation, name))
        assert not worker.used_cupti or operation == "kernels", "something is timed behind CUPTI"
        worker.used_cupti |= operation == "kernels"
        self.now_ns += 10 * MS
        if faults := self.faults[operation, name]:
            fault = faults.pop(0)
            if fault == FAILS:
                return {"error": fault}
            worker.end()
            raise WorkerDiedError(fault)
        return self._reply(worker, request)

    @staticmethod
    def _name(worker: Hand, request: Mapping[str, Any]) -> str:
        if request["op"] == "visit":
            assert request["fingerprint"] in worker.loaded
            return str(request["fingerprint"])
        return str(request.get("benchmark", {}).get("fingerprint", ""))

    @staticmethod
    def _reply(worker: Hand, request: Mapping[str, Any]) -> dict[str, Any]:
        if request["op"] == "load":
            worker.loaded.add(request["benchmark"]["fingerprint"])
            queue = {} if request.get("queued") else {"queue": dict(TIMES)}
            return {"load_ns": 1, "warmup_ns": [1], "output_digests": [], "placement": {}, "wall_ns": 1, **queue}
        if request["op"] == "visit":
            taken = {"disturbed": False, "thrown": 0, "empty_ns": None, "before_ns": 0, "spent_ns": 1}
            return {"taken": [{"samples_ns": [9] * step["calls"], **taken} for step in request["steps"]]}
        if request["op"] == "graph":
            return {"queue": {"graph_ns": 7}}
        traced = {"traced": 5} if "benchmark" in request else {"kernel_gap_ns": 700}
        return {"queue": {**request.get("queue", {}), **traced}}

    def count(self, operation: str, name: str) -> int:
        """Return how often something was asked of a benchmark."""
        return self.asked.count((operation, name))


def track(name: str, role: str = "sequence") -> BenchmarkState:
    """Give a benchmark whose fingerprint is its name."""
    return BenchmarkState(benchmark={**benchmark(name, unary("Sin", (4,)), role=role)[0], "fingerprint": name})


def measured(
    pool: Crew, tracks: Sequence[BenchmarkState], queue: dict[str, Any] | None = None, most: int = 999, **options: Any
) -> dict[str, Any]:
    """Run a campaign in batches of some sequences; return the constants of its device."""
    queue = dict(CONSTANTS) if queue is None else queue
    campaign = Campaign(
        pool, RunOptions(**{"smoke": True, **options}), Clock(begin_ns=0), distances=cache_distances([], cold=False),
        tracks=tracks, queue=queue, report=lambda _: None, save=lambda: None, between=int,
    )  # fmt: skip
    rows = [each.benchmark for each in tracks if not each.is_reference]
    campaign.run([rows[first : first + most] for first in range(0, len(rows), most)])
    return queue


def test_what_had_finished_when_a_worker_died_is_traced() -> None:
    """It is measured once, and nothing of it is lost; what was measured when the worker died fails."""
    for victim in NAMES:
        pool, tracks = Crew({("visit", victim): [DIES]}), [track(name) for name in NAMES]
        measured(pool, tracks)
        for each in tracks:
            assert each.status == ("failed" if each.fingerprint == victim else "ok")
            assert each.queue.get("traced") == (None if each.fingerprint == victim else 5)
            assert pool.count("visit", each.fingerprint) == 1


@pytest.mark.parametrize("fault", [DIES, FAILS])
@pytest.mark.parametrize("victim", NAMES)
def test_a_trace_that_fails_is_the_only_one(victim: str, fault: str) -> None:
    """The result says why it has no kernels, and what was measured before stays; others have a new worker."""
    pool, tracks = Crew({("kernels", victim): [fault] * 2}), [track(name) for name in NAMES]
    assert measured(pool, tracks) == {**CONSTANTS, "kernel_gap_ns": 700}
    for each in tracks:
        lost = each.fingerprint == victim
        assert (each.status, each.queue["traced"]) == ("ok", 0 if lost else 5)
        assert each.reason == (f"device times by durations of calls: {fault}" if lost else "")
        assert pool.count("kernels", each.fingerprint) == 1


def test_traces_that_all_fail_are_given_up() -> None:
    """After some of them, with the reason."""
    pool = Crew({("kernels", name): [FAILS] * 9 for name in NAMES})
    tracks = [track(name) for name in NAMES]
    assert measured(pool, tracks)["untraced"] == FAILS
    assert [each.queue.get("traced") for each in tracks] == [0] * 3 + [None] * 2
    assert all(each.status == "ok" for each in tracks)


@pytest.mark.parametrize("fault", ["", DIES, FAILS])
def test_a_graph_is_called_behind_all_visits(fault: str) -> None:
    """In front of all kernels; one that cannot be captured fails no benchmark and no trace."""
    pool, tracks = Crew({("graph", "Net"): [fault] if fault else []}), [track("Net", "whole"), track("Sin")]
    measured(pool, tracks)
    operations = [operation for operation, _ in pool.asked]
    last = max(place for place, operation in enumerate(operations) if operation == "visit")
    assert last < operations.index("graph") < operations.index("kernels")
    whole = tracks[0]
    assert (whole.status, whole.queue["traced"], tracks[1].queue["traced"]) == ("ok", 5, 5)
    assert whole.queue["graph_ns"] == (None if fault else 7)
    assert whole.reason == (f"no CUDA graph: {fault}" if fault else "")


def test_what_was_measured_before_is_traced_only() -> None:
    """Once: what shows no kernels, or failed, is not tried again by a run that is resumed."""
    before = [track(name) for name in NAMES]
    measured(Crew(), before, {**CONSTANTS, "untraced": "no permission"})
    assert not any("traced" in each.queue for each in before)
    before[0].queue["traced"], before[1].queue["traced"] = 0, 5
    resumed = [track(name) for name in NAMES]
    for old, new in zip(before, resumed, strict=True):
        new.restore(old.entry())
    pool = Crew()
    measured(pool, resumed)
    assert {operation for operation, _ in pool.asked} == {"kernels"}
    assert sorted(name for _, name in pool.asked) == sorted(["", *NAMES[2:]])
    assert [each.queue["traced"] for each in resumed] == [0, 5, 5, 5, 5]
    unlike = Crew()
    measured(unlike, [track("Sin")], {"call_ns": 1})
    assert unlike.asked[-2:] == [("kernels", ""), ("kernels", "Sin")]
    idle = Crew()
    measured(idle, resumed, {**CONSTANTS, "untraced": "no permission"})
    assert idle.asked == []


def test_no_time_is_kept_for_what_cannot_be_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of a short budget otherwise."""

    def visits(queue: dict[str, Any]) -> int:
        pool, tracks = Crew(), [track(str(number)) for number in range(500)]
        monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter_ns=lambda: pool.now_ns))
        measured(pool, tracks, queue, budget_ns=12_000 * MS, smoke=False)
        assert pool.now_ns <= 12_000 * MS
        return [operation for operation, _ in pool.asked].count("visit")

    assert visits({**CONSTANTS, "untraced": "no permission"}) - visits(dict(CONSTANTS)) >= 200


def test_batches_begin_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those behind it need no worker; what was measured is traced, the references behind the last visit."""
    pool, tracks = Crew(), [*(track(str(number)) for number in range(400)), track("empty", "overhead")]
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter_ns=lambda: pool.now_ns))
    measured(pool, tracks, most=20, budget_ns=6_000 * MS)
    assert pool.now_ns <= 6_000 * MS
    reasons = [each.reason for each in tracks if each.status != "ok"]
    assert reasons == ["the budget was spent"] * len(reasons)
    assert 100 < len(reasons) < 300
    assert all(each.queue["traced"] == 5 for each in tracks if each.status == "ok")


def test_a_worker_that_is_killed_again_and_again_costs_nothing_that_was_measured() -> None:
    """What is left fails, with the reason."""
    pool, tracks = Crew({("visit", "Exp"): [IDLE_DIES] * 9}), [track(name) for name in NAMES]
    measured(pool, tracks, seed=1)
    assert {each.status for each in tracks[:-1]} == {"ok"}
    assert tracks[-1].reason == "its idle worker was killed 4 times"


def scripts(operations: list[str], *faults: str) -> st.SearchStrategy[dict[tuple[str, str], list[str]]]:
    """Draw how requests of these operations end."""
    keys = st.tuples(st.sampled_from(operations), st.sampled_from(["", "Net", *NAMES]))
    return st.dictionaries(keys, st.lists(st.sampled_from(faults), max_size=3), max_size=8)


@given(
    st.tuples(scripts(["load", "visit"], DIES, FAILS), scripts(["graph", "kernels"], DIES, FAILS, IDLE_DIES)).map(
        lambda both: {**both[0], **both[1]}
    )
)
@settings(deadline=None, max_examples=200)
def test_whatever_fails_all_else_is_measured_once(faults: dict[tuple[str, str], list[str]]) -> None:
    """Nothing is timed behind CUPTI; what is ok has times of the device or the reason why not."""
    pool, tracks = Crew(faults), [track("Net", "whole"), *(track(name) for name in NAMES), track("0", "overhead")]
    queue = measured(pool, tracks)
    for each in tracks:
        blamed = {fault for key in ("load", "visit") for fault in faults.get((key, each.fingerprint), ())}
        assert each.status == "ok" or blamed, each.reason
        if each.status == "ok":
            assert each.queue.get("traced") == 5 or each.reason or "untraced" in queue
            assert each.role != "whole" or each.queue["graph_ns"] == 7 or each.reason
        else:
            assert each.reason
