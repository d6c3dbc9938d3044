"""Composition rules: from the times of steps and their dependencies to the time of the whole.

Pure; knows steps as numbers only. A rule answers with the chain of steps whose times add up to the whole, so that the
interval of the whole follows from the intervals of the steps on the chain.

``pairs`` is ``sequential`` to the second order: where two adjacent steps were also measured as one sequence, what that
took more or less than the two is added (``pair_correction``). What a boundary costs or saves, a change of layout, a
fusion, is then in the sum once, as in the network. Without a measured pair the two rules are the same.

``simulate`` is ``sequential`` on a provider that computes on the host. Where a device works off a queue, both run that
(``construct.queue``), ``simulate`` with launches as traces show them.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError

Graph = Sequence[tuple[int, ...]]
"""For each step, the steps it waits for: all earlier in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How steps overlap."""

    kind: str
    """``sequential``, ``pairs``, ``parallel``, ``lanes`` or ``simulate``."""
    lanes: int = 1
    """For ``lanes``: how many steps run at once, at least 1."""

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Read ``sequential``, ``pairs``, ``parallel``, ``lanes:k`` or ``simulate``.

        Raises:
            InputError: anything else.
        """
        if text in ("sequential", "pairs", "parallel", "simulate"):
            return cls(kind=text)
        kind, _, number = text.partition(":")
        if kind == "lanes" and number.isascii() and number.isdigit() and int(number) >= 1:
            return cls(kind="lanes", lanes=int(number))
        message = (
            f"'{text}' is no composition rule: write sequential, pairs, parallel, simulate, or lanes:k with k from 1 up"
        )
        raise InputError(message)

    def __str__(self) -> str:
        """Write it as it is parsed."""
        return f"lanes:{self.lanes}" if self.kind == "lanes" else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalPath:
    """What decides the time of all steps by a rule; without overlap that is all of them."""

    makespan_ns: int
    """From the start of the first to the end of the last step."""
    chain: tuple[int, ...]
    """Steps, one after another without a gap, whose times add up to ``makespan_ns``; ascending by start."""


def schedule(rule: Rule, durations_ns: Sequence[int], depends_on: Graph) -> CriticalPath:
    """Apply a rule to steps given in dependency order.

    Args:
        rule: how steps overlap.
        durations_ns: time of each step, >= 0.
        depends_on: for each step the earlier steps it waits for.

    Returns:
        The makespan and the chain of steps that decides it.
    """
    if rule.kind in ("sequential", "pairs", "simulate"):
        return CriticalPath(makespan_ns=sum(durations_ns), chain=tuple(range(len(durations_ns))))
    if rule.kind == "parallel":
        return _critical_path(durations_ns, depends_on)
    return _list_schedule(durations_ns, depends_on, rule.lanes)


def pair_correction(first_ns: int, second_ns: int, union_ns: int) -> int:
    """Give what two adjacent steps take together more than apart, less than 0 if they take less.

    Bounded by the shorter of the two, both ways: two layers that become one kernel save at most the one of them, and a
    boundary that costs more than a whole layer is noise of the longer one. So noise cannot eat up a step.

    Args:
        first_ns: time of the one, >= 0.
        second_ns: time of the other, >= 0.
        union_ns: time of both as one sequence, >= 0.
    """
    bound = min(first_ns, second_ns)
    return max(-bound, min(bound, union_ns - first_ns - second_ns))


def _critical_path(durations_ns: Sequence[int], depends_on: Graph) -> CriticalPath:
    ends: list[int] = []
    blockers: list[int | None] = []
    for duration, waits in zip(durations_ns, depends_on, strict=True):
        blocker = max(waits, key=lambda step: (ends[step], -step), default=None)
        blockers.append(blocker)
        ends.append(duration + (0 if blocker is None else ends[blocker]))
    return _traced(ends, blockers)


def _list_schedule(durations_ns: Sequence[int], depends_on: Graph, lanes: int) -> CriticalPath:
    """Graham's list scheduling (1966): a free lane takes the first step in dependency order that is ready.

    Deterministic: ties go to the earlier step. A step that had to wait names as its blocker whoever ended at the
    moment it started: the last of its dependencies, or the step that freed its lane.
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
        while running and running[0][0] == now:
            freed_by = heapq.heappop(running)[1]
            for step in followers[freed_by]:
                waiting_for[step] -= 1
                if waiting_for[step] == 0:
                    heapq.heappush(ready, step)
    return _traced(ends, blockers)


def _traced(ends: Sequence[int], blockers: Sequence[int | None]) -> CriticalPath:
    """Walk back from the last step to end over whoever each step waited for."""
    if not ends:
        return CriticalPath(makespan_ns=0, chain=())
    step: int | None = max(range(len(ends)), key=lambda index: (ends[index], -index))
    makespan = ends[step] if step is not None else 0
    chain = []
    while step is not None:
        chain.append(step)
        step = blockers[step]
    return CriticalPath(makespan_ns=makespan, chain=tuple(reversed(chain)))
