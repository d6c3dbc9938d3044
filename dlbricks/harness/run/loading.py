"""Splits benchmarks into batches that fit into the available memory, and loads a batch into a worker."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..cache_state import CodeWarmUp, ReuseDistances
from ..options import RunOptions
from ..output_digest import compare_all
from .schedule import BenchmarkState
from .worker_pool import Worker, WorkerDiedError, WorkerPool

# Share of the available memory that a batch may use.
MEMORY_SHARE = 0.6
# Share of a batch's time after which loading ends, so that there is time for visits.
LOADING_SHARE = 0.6
# Estimated memory of a session without weights, of a worker without sessions, and of a context on a device.
_SESSION_BYTES = 1 << 19
_WORKER_BYTES = 96 << 20
_CONTEXT_BYTES = 600 << 20
# Most threads in the sessions of a batch; without a shared pool, each session has threads of its own.
_POOL_THREADS = 4000

Benchmark = Mapping[str, Any]


def estimated_bytes(benchmark: Benchmark) -> int:
    """Estimate the memory of a loaded benchmark, bytes."""
    between = 0 if benchmark["layers"] == 1 else benchmark["activation_bytes"]
    return int(_SESSION_BYTES + 1.5 * benchmark["weight_bytes"] + benchmark["activation_bytes"] + between)


def batches(
    benchmarks: Sequence[Benchmark],
    available_bytes: int | None,
    *,
    threads: int = 1,
    device: bool = False,
    shared_pool: bool = False,
) -> list[list[Benchmark]]:
    """Split benchmarks into batches that fit into memory; a worker holds one batch at a time.

    Unknown memory sets no limit. Without a shared pool, the number of threads limits a batch, too.
    """
    own_bytes = _CONTEXT_BYTES if device else _WORKER_BYTES
    limit = None if available_bytes is None else int(available_bytes * MEMORY_SHARE) - own_bytes
    most = max(1, _POOL_THREADS // (threads - 1)) if threads > 1 and not shared_pool else len(benchmarks)
    planned: list[list[Benchmark]] = []
    used = 0
    for benchmark in benchmarks:
        size = estimated_bytes(benchmark)
        if not planned or len(planned[-1]) >= most or (limit is not None and used + size > limit):
            planned.append([])
            used = 0
        planned[-1].append(benchmark)
        used += size
    return planned


class Loader:
    """Loads benchmarks into workers, and measures how long that takes."""

    def __init__(self, pool: WorkerPool, options: RunOptions, reuse: ReuseDistances, now: Callable[[], int]) -> None:
        """Store the arguments; ``now`` returns the time since the start of the run, ns."""
        self._pool, self._options, self._reuse, self._now = pool, options, reuse, now
        self.worker: Worker | None = None
        # Covers the benchmarks that the worker has loaded.
        self.code = CodeWarmUp()
        self._cost_ns, self._loads = 0.0, 0

    @property
    def usual_ns(self) -> float:
        """Mean time to load a benchmark so far, ns."""
        return self._cost_ns / max(1, self._loads)

    def load(self, tracks: Sequence[BenchmarkState], deadline_ns: float, report: Callable[[], None]) -> None:
        """Load unfinished benchmarks into a new worker, and stop early enough to measure them by ``deadline_ns``."""
        end_ns = self._now() + LOADING_SHARE * (deadline_ns - self._now())
        worker, waiting = None, deque[BenchmarkState]()
        while worker is None or waiting:
            if worker is None:
                worker, waiting = self._begin(tracks), deque(track for track in tracks if not track.done)
                continue
            track = waiting.popleft()
            if not track.is_reference and self._now() + self.usual_ns >= end_ns:
                continue
            benchmark = {key: value for key, value in track.benchmark.items() if key != "reference"}
            try:
                request = {"op": "load", "benchmark": benchmark, "queued": bool(track.queue)}
                reply = self._pool.ask(worker, request, self._options.timeout_ns)
            except WorkerDiedError as died:
                track.fail(f"{died} while loading")
                worker = None
                continue
            self._loaded(track, reply)
            report()

    def end(self) -> None:
        """End the worker process."""
        if self.worker is not None:
            self.worker.end()

    def _begin(self, tracks: Sequence[BenchmarkState]) -> Worker:
        self.end()
        for track in tracks:
            track.loaded = False
        self.worker, self.code = self._pool.start(), CodeWarmUp()
        return self.worker

    def _loaded(self, track: BenchmarkState, reply: Mapping[str, Any]) -> None:
        if "error" in reply:
            track.fail(reply["error"])
            return
        if not track.queue or track.status == "not run":
            track.reason = reply.get("queue_failed", "")
        track.queue = track.queue or reply.get("queue", {})
        track.load_ns, track.warmup_ns = reply["load_ns"], reply["warmup_ns"]
        track.output_digests, track.placement = reply["output_digests"], reply["placement"]
        track.wall_ns += reply["wall_ns"]
        track.loaded = True
        self.code.add(track.benchmark, track.warmup_ns[-1])
        self._reuse.touch(track.fingerprint, track.touched_bytes)
        self._cost_ns += reply["wall_ns"]
        self._loads += 1
        wrong = compare_all(track.output_digests, track.benchmark["reference"], track.benchmark["operators"])
        if wrong is not None:
            track.fail(f"wrong answer: {wrong}")
