"""One level of an experiment: its session, its calls, and the resulting run.

``M`` is timed by the harness only. ``ML`` adds the profiler of the runtime. ``MLK`` adds recording of the device by
CUPTI. Sessions of all levels are open at the same time, so that their calls can be interleaved.
"""

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dlbricks.errors import BenchmarkError
from dlbricks.harness.cache_state import REPEATED, Step
from dlbricks.harness.call_timer import RETRIES, CallTimer
from dlbricks.harness.network import Bound
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.session import Session, backend
from dlbricks.harness.trace.cupti import ActivityTracer
from dlbricks.harness.trace.layer_profile import LayerProfile, load_profile
from dlbricks.model.lowering.targets import target_of
from dlbricks.profile.annotate import CallCounts, annotated, with_counts
from dlbricks.profile.subject import Subject, executed_in, opened
from dlbricks.profile.types import LevelRun
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.kinds import CALL
from dlbricks.trace.read.cupti import Recording, with_kernels
from dlbricks.trace.read.onnxruntime import trace_of_profile
from dlbricks.trace.types import Lane, Level, Trace, TraceClock


def _by_source(profile: LayerProfile, subject: Subject, session: Session) -> tuple[LayerProfile, dict[str, str]]:
    """Rename nodes of another runtime after the layers of the network that they execute, where known.

    Returns:
        The profile, and the element types of layers by name, as far as known.
    """
    executed = backend(subject.settings).executed_layers(getattr(session.inference, "compiled", None))
    layers_of_nodes = target_of(subject.settings.runtime).layers_of_nodes  # a runtime's own target has its name
    layers = layers_of_nodes(subject.source, executed) if layers_of_nodes else {}
    calls = (
        replace(call, nodes=tuple(replace(node, name=layers.get(node.name, node.name)) for node in call.nodes))
        for call in profile.calls
    )
    dtypes = {layers.get(node["name"], node["name"]): node["dtype"] for node in executed if "dtype" in node}
    return replace(profile, calls=tuple(calls)), dtypes


def capability_of(system: Mapping[str, Any], device: int) -> tuple[int, int] | None:
    """Return the compute capability of a GPU from the facts of a machine; None if unknown."""
    gpus = system.get("gpus") or ()
    text = str(gpus[device].get("compute_capability")) if device < len(gpus) else ""
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


_STEP = Step(state=REPEATED)
CLOCK = "perf_counter"
"""Of runs at level ``M``."""


@dataclass(slots=True, kw_only=True)
class LevelSession:
    """An open session at one level; each ``take`` makes a warm-up call and a timed one."""

    subject: Subject
    levels: str
    session: Session
    bound: Bound
    tracer: ActivityTracer | None = None
    """For level ``MLK``."""
    capability: tuple[int, int] | None = None
    """Compute capability of the device, if known."""
    calls: int = 0
    """Calls made, untimed ones included."""
    timed: list[int] = field(default_factory=list)
    """Indices of the timed ones."""
    samples_ns: list[int] = field(default_factory=list)
    ends_ns: list[int] = field(default_factory=list)
    """End of each timed call, by ``time.perf_counter_ns``."""
    disturbed: int = 0
    """Timed calls that were preempted in every repetition."""
    counts: CallCounts | None = None
    """Hardware events of a call, counted apart from timed calls; None if not counted."""
    recordings: list[Recording] = field(default_factory=list)
    """Of the device in timed calls, with a tracer."""

    def warm_up(self) -> int:
        """Make the calls that allocate and warm up; return the duration of the last one, ns."""
        durations = self.bound.warm_up()
        self.calls += len(durations)
        return durations[-1]

    def take(self, timer: CallTimer) -> None:
        """Make an untimed call, which restores caches and clocks, and a timed one.

        Args:
            timer: repeats a call that was preempted.
        """
        if self.tracer is None:
            self._timed(timer)
            return
        self.tracer.start()
        try:
            self._timed(timer)
        finally:
            activities = self.tracer.stop()
        end, clock = self.ends_ns[-1], self.tracer.clock
        if clock is not None:  # set by stop
            begin = end - self.samples_ns[-1]
            notes = self.tracer.notes
            self.recordings.append(
                Recording(activities=activities, clock=clock, begin_ns=begin, end_ns=end, notes=notes)
            )

    def _timed(self, timer: CallTimer) -> None:
        self.bound.visit(1)
        taken = timer.take(self.bound, _STEP)
        self.ends_ns.append(time.perf_counter_ns())
        self.calls += 1 + len(taken.samples_ns) + taken.thrown
        self.timed.append(self.calls - 1)
        self.samples_ns += taken.samples_ns
        self.disturbed += taken.thrown >= RETRIES

    def finish(self) -> LevelRun:
        """Close the session and return the run of all timed calls.

        Raises:
            HarnessError: the runtime's profile cannot be read.
            BenchmarkError: the runtime's profile lacks calls.
        """
        trace = self._calls() if self.levels == "M" else self._layers()
        return LevelRun(batch=self.subject.batch, levels=self.levels, samples_ns=tuple(self.samples_ns), trace=trace)

    def _calls(self) -> Trace:
        """Return the trace of level ``M``."""
        offset = time.time_ns() - time.perf_counter_ns()
        builder = TraceBuilder(clock=TraceClock(name=CLOCK, unix_offset_ns=offset))
        lane = Lane(process=str(os.getpid()), name=f"thread {threading.get_native_id()}")
        for index, (sample, end) in enumerate(zip(self.samples_ns, self.ends_ns, strict=True)):
            name, batch = self.subject.source.name, self.subject.batch
            builder.add(Level.MODEL, CALL, name, lane, end - sample, end, index=index, batch=batch)
        return builder.built() if self.counts is None else with_counts(builder.built(), self.counts)

    def _layers(self) -> Trace:
        """Return the trace of the timed calls with their layers."""
        began = self.session.inference.get_profiling_start_time_ns()
        profile = load_profile(Path(self.session.inference.end_profiling()))
        if len(profile.calls) < self.calls:
            reasons = " ".join(profile.notes) or "the runtime gives no reason"
            message = (
                f"the runtime's profile of {self.subject.source.name} has {len(profile.calls)} of {self.calls} calls: "
                f"{reasons}; give fewer --calls"
            )
            raise BenchmarkError(message)
        timed = replace(profile, calls=tuple(profile.calls[index] for index in self.timed))
        dtypes: Mapping[str, str] | None = None
        if self.subject.settings.runtime == ONNXRUNTIME:
            executed, reason = executed_in(self.subject, timed)
        else:
            timed, dtypes = _by_source(timed, self.subject, self.session)
            executed, reason = self.subject.source, ""
        own = executed if dtypes is None else None  # other runtimes report the constants of their nodes
        trace = trace_of_profile(
            timed, self.subject.source, executed=own, batch=self.subject.batch, unix_start_ns=began
        )
        trace = with_columns(trace, reason) if executed is None else annotated(trace, executed, dtypes)
        if not self.recordings:
            return trace
        return with_kernels(
            trace,
            self.recordings,
            process=os.getpid(),
            capability=self.capability,
            environment=self.tracer is not None and self.tracer.environment,
        )


def level_session(
    subject: Subject,
    levels: str,
    scratch: Path,
    system: Mapping[str, Any] | None = None,
    *,
    environment: bool = False,
) -> LevelSession:
    """Open a session at a level.

    Args:
        subject: the network.
        levels: one of ``LEVELS``.
        scratch: folder for the runtime's profile.
        system: facts of the machine, for the occupancy of kernels.
        environment: whether to record clocks, power and temperature of the device with its kernels.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: errors of onnxruntime while loading the network.
    """
    session, bound = opened(subject, profile=None if levels == "M" else scratch / levels)
    kernels = levels == "MLK"
    return LevelSession(
        subject=subject,
        levels=levels,
        session=session,
        bound=bound,
        tracer=ActivityTracer(environment=environment) if kernels else None,
        capability=capability_of(system or {}, session.device_id) if kernels else None,
    )
