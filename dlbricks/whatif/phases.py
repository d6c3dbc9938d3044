"""Steps of a server by what they do: prefill, decode or both gain differently from one change."""

from dataclasses import dataclass

import numpy as np

from dlbricks.profile.serving import serving_step
from dlbricks.trace.types import Longs
from dlbricks.whatif.explain import busy_times, step_times
from dlbricks.whatif.graph import DependencyGraph, Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseTime:
    """What steps of one phase take, before and after."""

    phase: str
    """``prefill``, ``decode``, ``mixed``, or a mode of the server's own."""
    steps: int
    tokens: int | None
    """That a step works on, median; None where the trace does not tell."""
    before_ns: int
    """Median of the steps, each as long as its host or its busiest device."""
    after_ns: int
    gain: float
    """Share of the time that is saved."""


def phase_times(
    before: tuple[DependencyGraph, Schedule], after: tuple[DependencyGraph, Schedule]
) -> tuple[PhaseTime, ...]:
    """Give the times of the phases of a server, longest in all first.

    Nothing where steps are not named as vLLM's or SGLang's are, or are of several ranks.
    """
    serving_steps = [serving_step(name) for name in before[0].step_names]
    first, second = _lasting(*before), _lasting(*after)
    if not serving_steps or not len(serving_steps) == len(first) == len(second):
        return ()
    made = []
    for phase in dict.fromkeys(one.phase for one in serving_steps if one is not None):
        mine = [place for place, one in enumerate(serving_steps) if one is not None and one.phase == phase]
        tokens = [
            one.tokens for one in serving_steps if one is not None and one.phase == phase and one.tokens is not None
        ]
        one, other = (round(float(np.median(times[mine]))) for times in (first, second))
        found = PhaseTime(
            phase=phase,
            steps=len(mine),
            tokens=round(float(np.median(tokens))) if tokens else None,
            before_ns=one,
            after_ns=other,
            gain=1 - other / one if one else 0.0,
        )
        made.append((int(first[mine].sum()), found))
    return tuple(found for _, found in sorted(made, key=lambda item: (-item[0], item[1].phase)))


def _lasting(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Give how long each step takes: its host, or its busiest device where that is longer; none for several ranks."""
    if not graph.steps or "measured_start_ns" not in graph.attributes:
        return np.zeros(0, np.int64)
    steps, busy = step_times(graph, schedule), busy_times(graph, schedule)
    return np.maximum(steps, busy) if len(steps) == len(busy) else np.zeros(0, np.int64)
