"""Composition rules: from step times and dependencies to the time of the network. Pure.

A rule returns the critical chain of steps, whose times add up to the total, so that its interval follows from theirs.
``pairs`` adds to ``sequential`` the difference between the time of two adjacent steps measured as one sequence and the
sum of the two (``pair_correction``): changes of layout and fusions at the boundary count once, as in the network.
``simulate`` equals ``sequential`` on a provider that computes on the host. On an asynchronous provider both run the
device queue (``construct.asynchronous``), ``simulate`` with the launches of traces.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError

# For each step, the earlier steps that it depends on.
Dependencies = Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How steps overlap in time."""

    kind: str
    """``sequential``, ``pairs``, ``parallel``, ``lanes`` or ``simulate``."""
    lanes: int = 1
    """For ``lanes``: the number of steps that run at once, at least 1."""

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Parse ``sequential``, ``pairs``, ``parallel``, ``lanes:k`` or ``simulate``.

        Raises:
            InputError: anything else.
        """
        if text in ("sequential", "pairs", "parallel", "simulate"):
            return cls(kind=text)
        kind, _, number = text.partition(":")
        if kind == "lanes" and number.isascii() and number.isdigit() and int(number) >= 1:
            return cls(kind="lanes", lanes=int(number))
        raise InputError(
            f"invalid rule '{text}': expected sequential, pairs, parallel, simulate, or lanes:k with k from 1 up"
        )

    def __str__(self) -> str:
        """Return the text that ``parse`` reads."""
        return f"lanes:{self.lanes}" if self.kind == "lanes" else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalPath:
    """The steps that decide the total time; without overlap, all of them."""

    makespan_ns: int
    """From the start of the first to the end of the last step."""
    chain: tuple[int, ...]
    """Steps one after another whose times add up to ``makespan_ns``, ascending by start."""


def schedule(rule: Rule, durations_ns: Sequence[int], depends_on: Dependencies) -> CriticalPath:
    """Apply a rule to steps in dependency order.

    Args:
        rule: how steps overlap.
        durations_ns: time of each step, >= 0.
        depends_on: for each step the earlier steps that it depends on.
    """
    if rule.kind in ("sequential", "pairs", "simulate"):
        return CriticalPath(makespan_ns=sum(durations_ns), chain=tuple(range(len(durations_ns))))
    if rule.kind == "parallel":
        return _critical_path(durations_ns, depends_on)
    return _list_schedule(durations_ns, depends_on, rule.lanes)


def pair_correction(first_ns: int, second_ns: int, union_ns: int) -> int:
    """Return the time of two adjacent steps as one sequence minus the sum of both, ns.

    Its magnitude is bounded by the shorter step: two layers that become one kernel save at most one of them, and a
    larger excess is noise of the longer one.

    Args:
        first_ns: time of the first step, >= 0.
        second_ns: time of the second step, >= 0.
        union_ns: time of both as one sequence, >= 0.
    """
    bound = min(first_ns, second_ns)
    return max(-bound, min(bound, union_ns - first_ns - second_ns))


def _critical_path(durations_ns: Sequence[int], depends_on: Dependencies) -> CriticalPath:
    ends: list[int] = []
    blockers: list[int | None] = []
    for duration, waits in zip(durations_ns, depends_on, strict=True):
        blocker = max(waits, key=lambda step: (ends[step], -step), default=None)
        blockers.append(blocker)
        ends.append(duration + (0 if blocker is None else ends[blocker]))
    return _traced(ends, blockers)


def _list_schedule(durations_ns: Sequence[int], depends_on: Dependencies, lanes: int) -> CriticalPath:
    """List scheduling (Graham 1966): a free lane takes the first step in dependency order that is ready.

    Ties go to the earlier step. A step that had to wait records its blocker: the dependency, or the step on its lane,
    that ended when it started.
    """
    followers: list[list[int]] = [[] for _ in durations_ns]
    waiting_for = [len(waits) for waits in depends_on]
    for step, waits in enumerate(depends_on):
        for earlier in waits:
            followers[earlier].append(step)
    ready = [step for step, count in enumerate(waiting_for) if count == 0]
    running: list[tuple[int, int]] = []
    ends = [0] * len(durations_ns)
    blockers: list[int | None] = [None] * len(durations_ns)
    now = 0
    freed_by: int | None = None
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
    return _traced(ends, blockers)


def _traced(ends: Sequence[int], blockers: Sequence[int | None]) -> CriticalPath:
    """Walk back from the last step to end along blockers."""
    if not ends:
        return CriticalPath(makespan_ns=0, chain=())
    step: int | None = max(range(len(ends)), key=lambda index: (ends[index], -index))
    makespan = ends[step] if step is not None else 0
    chain = []
    while step is not None:
        chain.append(step)
        step = blockers[step]
    return CriticalPath(makespan_ns=makespan, chain=tuple(reversed(chain)))
