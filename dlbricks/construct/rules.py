"""How the times of steps that overlap compose: list scheduling, of which the critical path is the limit. Pure."""

import heapq
from collections.abc import Sequence


def critical_chain(durations_ns: Sequence[int], depends_on: Sequence[Sequence[int]], lanes: int) -> tuple[int, ...]:
    """Return the steps, in order of time, whose times add up to that of all steps on some lanes (Graham 1966).

    A free lane takes the first step in dependency order that is ready; with as many lanes as steps the chain is the
    critical path. Steps depend on earlier ones.
    """
    followers: list[list[int]] = [[] for _ in durations_ns]
    waiting_for = [len(waits) for waits in depends_on]
    for step, waits in enumerate(depends_on):
        for earlier in waits:
            followers[earlier].append(step)
    ready = [step for step, count in enumerate(waiting_for) if count == 0]
    running: list[tuple[int, int]] = []
    ends = [0] * len(durations_ns)
    # what ended when a step that had to wait started: its dependency, or the step before it on its lane
    blockers: list[int | None] = [None] * len(durations_ns)
    now, freed_by = 0, None
    while ready or running:
        while ready and len(running) < lanes:
            step = heapq.heappop(ready)
            ends[step] = now + durations_ns[step]
            blockers[step] = freed_by
            heapq.heappush(running, (ends[step], step))
        now = running[0][0]
        # all steps that end now free their followers before lanes are filled, so that ties go to the earlier step
        while running and running[0][0] == now:
            freed_by = heapq.heappop(running)[1]
            for step in followers[freed_by]:
                waiting_for[step] -= 1
                if waiting_for[step] == 0:
                    heapq.heappush(ready, step)
    last = max(range(len(ends)), key=lambda index: (ends[index], -index), default=None)
    chain = []
    while last is not None:
        chain.append(last)
        last = blockers[last]
    return tuple(reversed(chain))
