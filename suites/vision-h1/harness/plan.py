"""Which benchmarks are alive together: groups, one per worker process, and batches, as many groups as memory bears."""

from collections.abc import Mapping, Sequence
from typing import Any

GROUP_SIZE = 1024
"""Most benchmarks in one worker: what a crash makes others load again."""
MEMORY_SHARE = 0.6
"""Share of the available memory that is used."""
_SESSION_BYTES = 1 << 19
_WORKER_BYTES = 96 << 20
_CONTEXT_BYTES = 600 << 20
_POOL_THREADS = 4000

Benchmark = Mapping[str, Any]


def estimated_bytes(benchmark: Benchmark) -> int:
    """Estimate the memory of a loaded benchmark: its own copy of the weights, inputs, outputs, what lies between."""
    between = 0 if benchmark["layers"] == 1 else benchmark["activation_bytes"]
    return int(_SESSION_BYTES + 1.5 * benchmark["weight_bytes"] + benchmark["activation_bytes"] + between)


def batches(
    benchmarks: Sequence[Benchmark],
    available_bytes: int | None,
    *,
    threads: int = 1,
    workers: int = 2,
    worker_bytes: int | None = None,
    device: bool = False,
    shared_pool: bool = False,
) -> list[list[list[Benchmark]]]:
    """Split benchmarks into batches of groups.

    Args:
        benchmarks: in the order in which they are to be run.
        available_bytes: memory that may be used; None when unknown: then all are alive at once.
        threads: of each session, which bounds how many can be alive.
        workers: groups that a batch should have at least, so that loading can go on in parallel.
        worker_bytes: memory that one worker may have; None for no limit.
        device: whether they run on an accelerator.
        shared_pool: whether all sessions of a worker share its threads. Groups are not limited then: the threads of a
            worker spin on for a while after a call, and would disturb the next one if that were another worker's.

    Returns:
        Batches in order; each is a list of groups; every benchmark lies in exactly one group. Within a batch, groups
        that are loaded at the same time are dealt out in turn, so that what comes first is loaded first.
    """
    own_bytes = _CONTEXT_BYTES if device else _WORKER_BYTES
    limit = None if available_bytes is None else int(available_bytes * MEMORY_SHARE) - own_bytes * (workers + 1)
    most = max(1, _POOL_THREADS // (threads - 1)) if threads > 1 and not shared_pool else len(benchmarks)
    most_grouped = max(1, len(benchmarks)) if shared_pool else GROUP_SIZE
    made: list[list[Benchmark]] = []
    used = 0
    for benchmark in benchmarks:
        size = estimated_bytes(benchmark) + own_bytes // most_grouped
        if not made or len(made[-1]) >= most or (limit is not None and used + size > limit):
            made.append([])
            used = 0
        made[-1].append(benchmark)
        used += size
    return [_groups(batch, workers, worker_bytes, most_grouped) for batch in made]


def _groups(batch: Sequence[Benchmark], workers: int, worker_bytes: int | None, most: int) -> list[list[Benchmark]]:
    """Deal a batch out: to so many groups that none is too long or too heavy, and that all workers have one."""
    wanted = min(workers, -(-len(batch) // 8))
    size = -(-len(batch) // (wanted * -(-len(batch) // (wanted * most))))
    room = None if worker_bytes is None else max(0, worker_bytes - _WORKER_BYTES) // 2
    made: list[list[Benchmark]] = []
    open_groups: list[list[Benchmark] | None] = [None] * wanted
    used = [0] * wanted
    for index, benchmark in enumerate(batch):
        turn = index % wanted
        group = open_groups[turn]
        heavy = room is not None and used[turn] + estimated_bytes(benchmark) > room
        if group is None or len(group) >= size or heavy:
            group = open_groups[turn] = []
            made.append(group)
            used[turn] = 0
        group.append(benchmark)
        used[turn] += estimated_bytes(benchmark)
    return made
