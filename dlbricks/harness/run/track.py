"""What is known of one benchmark during a run."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..cache_state import CONSTANTS, CURVE_WAITS_NS, Step, main_state
from ..stats import Summary, counted, latency_of
from .suite_file import is_reference


@dataclass(slots=True, kw_only=True)
class Track:
    """One benchmark during a run; changes as it is measured."""

    benchmark: Mapping[str, Any]
    cold: bool = False
    """Whether it is measured one call at a time, near and with constants in memory (``cache_state.is_cold``)."""
    status: str = "not run"
    reason: str = ""
    load_ns: int = 0
    warmup_ns: list[int] = field(default_factory=list)
    visits: list[dict[str, Any]] = field(default_factory=list)
    output_digests: list[dict[str, Any]] = field(default_factory=list)
    placement: dict[str, int] = field(default_factory=dict)
    trace: dict[str, Any] = field(default_factory=dict)
    """Short form of its trace (``harness.trace.short_form``), or why there is none; empty before it is taken."""
    queue: dict[str, Any] = field(default_factory=dict)
    """Times of host and device (``harness.trace.queue_times``); empty on the processor."""
    wall_ns: int = 0
    timed_ns: int = 0
    spent_ns: int = 0
    """Wall time of all its visits, preparation included."""
    disturbed: int = 0
    """Samples thrown away since the processor was taken away or its core shared meanwhile; visits that were kept and
    are marked as disturbed are not among them."""
    disturbed_in_row: int = 0
    """Visits in a row of which something was disturbed."""
    last_visit_ns: float = 0.0
    """Wall time of its last visit, preparation included; 0.0 before the first."""
    medians: dict[str, list[float]] = field(default_factory=dict)
    """Of its undisturbed visits, by state."""
    disturbed_medians: dict[str, list[float]] = field(default_factory=dict)
    """Of those disturbed ones that will not be made again."""
    loaded: bool = False
    """Whether a worker holds it now."""
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
        """Memory that a call touches: constants, inputs, outputs."""
        return int(self.benchmark["weight_bytes"] + self.benchmark["activation_bytes"])

    @property
    def is_reference(self) -> bool:
        """Whether it serves the others: an anchor, the empty graph or the curve."""
        return is_reference(self.benchmark)

    @property
    def call_ns(self) -> float:
        """What a call takes, as far as is known."""
        known = self.main_medians or next(iter([*self.medians.values(), *self.disturbed_medians.values()]), [])
        if known:
            return max(1.0, known[-1])
        return float(max(1, self.warmup_ns[-1])) if self.warmup_ns else 1e6

    @property
    def main_medians(self) -> list[float]:
        """Medians of the visits that its latency is of: disturbed ones only where there are no others."""
        state = main_state(self.role, self.states)
        return self.medians.get(state) or self.disturbed_medians.get(state, [])

    @property
    def states(self) -> tuple[str, ...]:
        """In which it was measured, and need not be again for being disturbed."""
        return tuple({**self.medians, **self.disturbed_medians})

    @property
    def rounds(self) -> int:
        """How often it was visited: once for each cold call or, where there is none, for each visit."""
        if self.cold and self.role == "curve":
            return sum(visit.get("wait_ns") == CURVE_WAITS_NS[-1] for visit in self.visits)
        every = [*self.medians.items(), *self.disturbed_medians.items()]
        return sum(len(made) for state, made in every if not self.cold or state == CONSTANTS)

    def summary(self) -> Summary:
        """Summarise the state that its latency is of."""
        return latency_of({"role": self.role, "visits": self.visits})

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
        """Keep the samples of one step of a visit.

        Args:
            start_ns: of the first call.
            step: what was to be done.
            samples_ns: durations of the calls.
            disturbed: whether something else was on the core.
            again: whether it is to be made again for that reason.
            clock_mhz: of the device, the middle of what it told after each call; None on the processor.
        """
        self._keep(
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

    def _keep(self, visit: dict[str, Any], *, again: bool) -> None:
        self.visits.append(visit)
        if not again:
            medians = self.disturbed_medians if visit.get("disturbed") else self.medians
            medians.setdefault(visit["state"], []).append(statistics.median(counted(visit["samples_ns"])))
        self.timed_ns += sum(visit["samples_ns"])

    def entry(self) -> dict[str, Any]:
        """Give the entry of a result document, its verdict left out."""
        made = {
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
        return {**made, **{key: value for key in ("placement", "trace", "queue") if (value := getattr(self, key))}}

    def restore(self, entry: Mapping[str, Any]) -> None:
        """Take over what an interrupted run has measured."""
        for visit in entry["visits"]:
            self._keep(dict(visit), again=False)
        self.status, self.reason = entry["status"], entry["reason"]
        self.load_ns, self.warmup_ns = entry["load_ns"], entry["warmup_ns"]
        self.output_digests, self.wall_ns = entry["sketches"], entry["wall_ns"]
        self.spent_ns = max(self.timed_ns, self.wall_ns - self.load_ns - sum(self.warmup_ns))
        self.disturbed, self.placement = entry["disturbed"], entry.get("placement", {})
        self.trace, self.queue = entry.get("trace", {}), entry.get("queue", {})
