"""Distributes benchmarks over workers within the available memory, and loads them.

A batch is loaded at once; a group is the part of a batch in one worker. Several groups load at the same time, but never
while something is timed.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..cache_state import CodeWarmUp, ReuseDistances
from ..errors import HarnessError
from ..options import RunOptions
from ..output_digest import compare_all
from .schedule import BenchmarkState, visit_cost_ns
from .worker_pool import Worker, WorkerDiedError, WorkerPool, raise_error_of

# Most benchmarks in one worker; after a crash they have to be loaded again.
GROUP_SIZE = 1024
# Share of the available memory that is used.
MEMORY_SHARE = 0.6
# Share of a batch's time after which nothing more is loaded.
LOADING_SHARE = 0.6
# Estimates of memory: a session without weights, a worker without sessions, a context on a device.
_SESSION_BYTES = 1 << 19
_WORKER_BYTES = 96 << 20
_CONTEXT_BYTES = 600 << 20
# Most threads of a batch: without a shared pool each session has threads of its own.
_POOL_THREADS = 4000
# Benchmarks of the same operators are distributed over workers only if each gets this many: a single one would find its
# code in memory.
_ALIKE = 4
# Visits to each loaded benchmark for which a budget keeps time before more is loaded.
_OWED_VISITS = 2

Benchmark = Mapping[str, Any]


def estimated_bytes(benchmark: Benchmark) -> int:
    """Estimate the memory of a loaded benchmark: private weights, inputs, outputs, tensors between layers."""
    between = 0 if benchmark["layers"] == 1 else benchmark["activation_bytes"]
    return int(_SESSION_BYTES + 1.5 * benchmark["weight_bytes"] + benchmark["activation_bytes"] + between)


def batches(
    benchmarks: Sequence[Benchmark],
    available_bytes: int | None,
    *,
    threads: int = 1,
    workers: int = 2,
    device: bool = False,
    shared_pool: bool = False,
) -> list[list[list[Benchmark]]]:
    """Split benchmarks, in their order, into batches of groups; a group is the part of a batch in one worker.

    Groups of a batch get benchmarks in turn, so that the first ones are loaded first.

    Args:
        benchmarks: in the order in which they are to be run.
        available_bytes: memory that may be used; None if unknown, then all are loaded at once.
        threads: of each session; they limit the number of open sessions.
        workers: least number of groups of a batch, so that they load in parallel.
        device: whether they run on an accelerator.
        shared_pool: whether all sessions of a worker share its threads.
    """
    own_bytes = _CONTEXT_BYTES if device else _WORKER_BYTES
    limit = None if available_bytes is None else int(available_bytes * MEMORY_SHARE) - own_bytes * (workers + 1)
    most = max(1, _POOL_THREADS // (threads - 1)) if threads > 1 and not shared_pool else len(benchmarks)
    most_grouped = max(1, len(benchmarks)) if shared_pool else GROUP_SIZE
    planned: list[list[Benchmark]] = []
    used = 0
    for benchmark in benchmarks:
        size = estimated_bytes(benchmark) + own_bytes // most_grouped
        if not planned or len(planned[-1]) >= most or (limit is not None and used + size > limit):
            planned.append([])
            used = 0
        planned[-1].append(benchmark)
        used += size
    groups = 1 if shared_pool else workers
    return [_groups(batch, groups, most_grouped) for batch in planned]


def _groups(batch: Sequence[Benchmark], workers: int, most: int) -> list[list[Benchmark]]:
    # Distribute a batch over groups of at most `most`, at least one for each worker
    wanted = min(workers, -(-len(batch) // 8))
    size = -(-len(batch) // (wanted * -(-len(batch) // (wanted * most))))
    groups: list[list[Benchmark]] = []
    open_groups: list[list[Benchmark] | None] = [None] * wanted
    for place, benchmark in zip(_places(batch, wanted), batch, strict=True):
        group = open_groups[place]
        if group is None or len(group) >= size:
            group = open_groups[place] = []
            groups.append(group)
        group.append(benchmark)
    return groups


def _places(batch: Sequence[Benchmark], wanted: int) -> list[int]:
    # Return the number of each benchmark's group, in turn; few benchmarks of the same operators share a group
    # There another benchmark of the same operators can warm their code (``CodeWarmUp``).
    kinds = Counter(tuple(benchmark["operators"]) for benchmark in batch)
    filled, homes, places = [0] * wanted, dict[tuple[str, ...], int](), list[int]()
    for benchmark in batch:
        kind = tuple(benchmark["operators"])
        few = kinds[kind] < _ALIKE * wanted
        place = homes.get(kind, filled.index(min(filled)))
        filled[place] += (kinds[kind] if kind not in homes else 0) if few else 1
        homes[kind] = place if few else (place + 1) % wanted
        places.append(place)
    return places


@dataclass(slots=True, kw_only=True)
class Group:
    """Benchmarks that share a worker."""

    tracks: list[BenchmarkState]
    worker: Worker | None = None
    todo: deque[BenchmarkState] = field(default_factory=deque)
    loading: BenchmarkState | None = None
    idle_deaths: int = 0

    def unload(self) -> None:
        """Record that the worker has nothing loaded; what is not done has to be loaded."""
        for track in self.tracks:
            track.loaded = False
        self.todo = deque(track for track in self.tracks if not track.done)


class Loader:
    """Loads groups and measures how long that takes."""

    def __init__(self, pool: WorkerPool, options: RunOptions, reuse: ReuseDistances, now: Callable[[], int]) -> None:
        """Start without groups; ``now`` returns the time of the run, ns."""
        self._pool, self._options, self._reuse, self._now = pool, options, reuse, now
        self.group_of: dict[str, Group] = {}
        self._codes: dict[int, CodeWarmUp] = {}
        self._cost_ns, self._loads = 0.0, 0
        self._owed_ns = self._owed_usual_ns = 0.0
        self._end_ns = float("inf")

    @property
    def usual_ns(self) -> float:
        """Mean time to load a benchmark, ns."""
        return self._cost_ns / max(1, self._loads)

    def group_number(self, track: BenchmarkState) -> int:
        """Return a number that identifies the group of a benchmark."""
        return id(self.group_of[track.fingerprint])

    def code(self, track: BenchmarkState) -> CodeWarmUp:
        """Return the ``CodeWarmUp`` of the worker that has a benchmark loaded."""
        return self._codes[self.group_number(track)]

    def visited(self, cost_ns: float) -> None:
        """Record that a visit was made, for which time had been kept."""
        self._owed_ns = max(0.0, self._owed_ns - cost_ns)

    def load(self, groups: Sequence[Group], jobs: int, deadline_ns: float, report: Callable[[], None]) -> None:
        """Load the benchmarks of groups, ``jobs`` at a time, as far as they can be visited before the deadline."""
        self._end_ns = self._now() + LOADING_SHARE * (deadline_ns - self._now())
        waiting = deque(groups)
        for group in groups:
            group.worker = None
            group.unload()
            self._codes[id(group)] = CodeWarmUp()
            self.group_of.update({track.fingerprint: group for track in group.tracks})
        active: dict[Worker, Group] = {}
        while True:
            while waiting and len(active) < jobs:
                group = waiting.popleft()
                if group.todo and self._has_time(group.todo[0], deadline_ns):
                    group.worker = self._pool.start()
                    active[group.worker] = group
            if not active:
                return
            worker, reply = self._pool.next_reply()
            group = active.pop(worker)
            if isinstance(reply, WorkerDiedError):
                self._worker_died(group, str(reply))
                waiting.appendleft(group)
            else:
                track, group.loading = group.loading, None
                if self._send(group, deadline_ns):
                    active[worker] = group
                self._loaded(track, reply)
            report()

    def _send(self, group: Group, deadline_ns: float) -> bool:
        # Request the next benchmark of a group; return False if there is none, or no time for it
        if group.worker is None or not group.todo:
            return False
        if not self._has_time(group.todo[0], deadline_ns):
            group.todo.clear()
            return False
        group.loading = group.todo.popleft()
        benchmark = {key: value for key, value in group.loading.benchmark.items() if key != "reference"}
        group.worker.send({"op": "load", "benchmark": benchmark}, self._options.timeout_ns)
        return True

    def _has_time(self, track: BenchmarkState, deadline_ns: float) -> bool:
        # Whether there is time to load and visit another benchmark after the first visits to the loaded ones
        if track.is_reference or deadline_ns == float("inf"):
            return True
        usual_ns = self._owed_usual_ns / max(1, self._loads)
        now = self._now()
        return now < self._end_ns and now + self._owed_ns + usual_ns + self.usual_ns < deadline_ns

    def _loaded(self, track: BenchmarkState | None, reply: Mapping[str, Any]) -> None:
        # Process the reply to a request to load a track, or to a worker's first request (None)
        if track is None:
            raise_error_of(reply)
            return
        if "error" in reply:
            track.fail(reply["error"])
            return
        track.queue, track.reason = reply.get("queue", {}), reply.get("queue_failed", "")
        track.load_ns, track.warmup_ns = reply["load_ns"], reply["warmup_ns"]
        track.output_digests, track.placement = reply["output_digests"], reply["placement"]
        track.wall_ns += reply["wall_ns"]
        track.loaded = True
        self.code(track).add(track.benchmark, track.warmup_ns[-1])
        self._reuse.touch(track.fingerprint, track.touched_bytes)
        self._cost_ns += reply["wall_ns"]
        self._loads += 1
        if not track.is_reference:
            cost_ns = _OWED_VISITS * visit_cost_ns(track, self._options)
            self._owed_usual_ns += cost_ns
            self._owed_ns += 0.0 if track.visits else cost_ns
        wrong = compare_all(track.output_digests, track.benchmark["reference"], track.benchmark["operators"])
        if wrong is not None:
            track.fail(f"wrong answer: {wrong}")

    def _worker_died(self, group: Group, reason: str) -> None:
        # Mark the benchmark whose loading killed the worker as failed; the rest of the group is loaded again
        track, group.loading, group.worker = group.loading, None, None
        if track is None:
            raise HarnessError(f"a worker process could not start: {reason}")
        track.fail(f"{reason} while loading")
        group.unload()
