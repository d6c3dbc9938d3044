"""The state of one benchmark during a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..cache_state import CONSTANTS, CURVE_WAITS_NS, Step, main_state
from ..stats import visit_median
from .suite_file import is_reference


@dataclass(slots=True, kw_only=True)
class BenchmarkState:
    """One benchmark during a run; updated as it is measured."""

    benchmark: Mapping[str, Any]
    """Entry of ``suite.json``."""
    cold: bool = False
    """Whether it is measured one call at a time, in states ``near`` and ``constants`` (``cache_state.is_cold``)."""
    status: str = "not run"
    reason: str = ""
    load_ns: int = 0
    warmup_ns: list[int] = field(default_factory=list)
    visits: list[dict[str, Any]] = field(default_factory=list)
    output_digests: list[dict[str, Any]] = field(default_factory=list)
    placement: dict[str, int] = field(default_factory=dict)
    trace: dict[str, Any] = field(default_factory=dict)
    """Short form of the trace (``harness.trace.short_form``), or why there is none; empty before it is taken."""
    queue: dict[str, Any] = field(default_factory=dict)
    """Times of host and device (``harness.trace.queue_times``); empty on the CPU."""
    wall_ns: int = 0
    timed_ns: int = 0
    spent_ns: int = 0
    """Wall time of all visits, preparation included."""
    disturbed: int = 0
    """Samples discarded since the thread was preempted or its core shared; disturbed visits that were kept and marked
    do not count."""
    disturbed_in_row: int = 0
    """Disturbed visits in a row."""
    last_visit_ns: float = 0.0
    """Wall time of the last visit, preparation included; 0.0 before the first."""
    medians: dict[str, list[float]] = field(default_factory=dict)
    """Medians of undisturbed visits, by cache state."""
    disturbed_medians: dict[str, list[float]] = field(default_factory=dict)
    """Medians of disturbed visits that will not be repeated, by cache state."""
    loaded: bool = False
    """Whether a worker has it loaded."""
    done: bool = False
    """Whether it needs no further visit (``schedule.is_done``)."""

    @property
    def fingerprint(self) -> str:
        """Of the benchmark."""
        return str(self.benchmark["fingerprint"])

    @property
    def role(self) -> str:
        """Of the benchmark."""
        return str(self.benchmark["role"])

    @property
    def importance(self) -> float:
        """Of the benchmark, above 0 and not above 1."""
        return float(self.benchmark["importance"])

    @property
    def touched_bytes(self) -> int:
        """Bytes that a call touches: constants, inputs, outputs."""
        return int(self.benchmark["weight_bytes"] + self.benchmark["activation_bytes"])

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference for others (``suite_file.is_reference``)."""
        return is_reference(self.benchmark)

    @property
    def call_ns(self) -> float:
        """Best estimate of a call's duration so far, ns."""
        medians = self.main_medians or next(iter([*self.medians.values(), *self.disturbed_medians.values()]), [])
        if medians:
            return max(1.0, medians[-1])
        return float(max(1, self.warmup_ns[-1])) if self.warmup_ns else 1e6

    @property
    def main_medians(self) -> list[float]:
        """Medians of the visits that give the latency; disturbed ones only if there are no others."""
        state = main_state(self.role, self.states)
        return self.medians.get(state) or self.disturbed_medians.get(state, [])

    @property
    def states(self) -> tuple[str, ...]:
        """Cache states with visits that will not be repeated."""
        return tuple({**self.medians, **self.disturbed_medians})

    @property
    def rounds(self) -> int:
        """Number of visits that count: those in state ``constants`` if it is cold, else all."""
        if self.cold and self.role == "curve":
            return sum(visit.get("wait_ns") == CURVE_WAITS_NS[-1] for visit in self.visits)
        every = [*self.medians.items(), *self.disturbed_medians.items()]
        return sum(len(medians) for state, medians in every if not self.cold or state == CONSTANTS)

    def fail(self, reason: str) -> None:
        """Mark the benchmark as failed; its measurements are kept."""
        self.status, self.reason, self.done = "failed", reason, True

    def add_visit(
        self,
        start_ns: int,
        step: Step,
        samples_ns: list[int],
        *,
        disturbed: bool = False,
        again: bool = False,
        clock_mhz: int | None = None,
    ) -> None:
        """Add the samples of one step of a visit.

        Args:
            start_ns: start of the first call.
            step: the step.
            samples_ns: durations of the calls.
            disturbed: whether the core was shared or the thread preempted.
            again: whether the visit will be repeated for that reason.
            clock_mhz: median clock of the device after the calls; None on the CPU.
        """
        self._add(
            {
                "start_ns": start_ns,
                "state": step.state,
                "distance_bytes": step.distance_bytes,
                **({"wait_ns": step.wait_ns} if step.wait_ns else {}),
                **({"disturbed": True} if disturbed else {}),
                **({"clock_mhz": clock_mhz} if clock_mhz else {}),
                "samples_ns": samples_ns,
            },
            again=again,
        )
        self.status = "ok"

    def _add(self, visit: dict[str, Any], *, again: bool) -> None:
        self.visits.append(visit)
        if not again:
            medians = self.disturbed_medians if visit.get("disturbed") else self.medians
            medians.setdefault(visit["state"], []).append(visit_median(visit))
        self.timed_ns += sum(visit["samples_ns"])

    def entry(self) -> dict[str, Any]:
        """Return the entry of a result document, without a verdict."""
        entry = {
            "fingerprint": self.fingerprint,
            "role": self.role,
            "importance": self.importance,
            "status": self.status,
            "reason": self.reason,
            "load_ns": self.load_ns,
            "warmup_ns": self.warmup_ns,
            "visits": self.visits,
            "disturbed": self.disturbed,
            "sketches": self.output_digests,
            "wall_ns": self.wall_ns,
        }
        return {**entry, **{key: value for key in ("placement", "trace", "queue") if (value := getattr(self, key))}}

    def restore(self, entry: Mapping[str, Any]) -> None:
        """Take over the measurements of an interrupted run."""
        for visit in entry["visits"]:
            self._add(dict(visit), again=False)
        self.status, self.reason = entry["status"], entry["reason"]
        self.load_ns, self.warmup_ns = entry["load_ns"], entry["warmup_ns"]
        self.output_digests, self.wall_ns = entry["sketches"], entry["wall_ns"]
        self.spent_ns = max(self.timed_ns, self.wall_ns - self.load_ns - sum(self.warmup_ns))
        self.disturbed, self.placement = entry["disturbed"], entry.get("placement", {})
        self.trace, self.queue = entry.get("trace", {}), entry.get("queue", {})
