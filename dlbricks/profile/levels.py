"""One level of an experiment: a session of its own, its calls, and the run that comes of them.

``M`` is timed by the harness and by nothing else. ``ML`` lets the runtime write its profile. ``MLK`` does so, too,
while CUPTI records the device. Sessions of all levels are open at the same time, so that their calls can alternate.

A subject is what is run: a network with a batch, as the runtime executes it, ready to be opened. On the processor the
runtime optimises the network beforehand and what it would execute is run as it stands (``model.lowering``), so that
every executed layer is known with all its shapes. On other providers the runtime optimises when the session is opened,
as it does for everybody.
"""

import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dlbricks.errors import BenchmarkError, DlbricksError
from dlbricks.harness.backend import ONNXRUNTIME, backend
from dlbricks.harness.cache_state import REPEATED, Step
from dlbricks.harness.call_timer import RETRIES, CallTimer
from dlbricks.harness.dtypes import BY_NAME, Numbers
from dlbricks.harness.network import Bound, own_constants
from dlbricks.harness.session import Session, SessionSettings, open_session, provider_name, provider_names
from dlbricks.harness.trace.cupti import ActivityTracer
from dlbricks.harness.trace.layer_profile import LayerProfile, load_profile
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import graph_of_session, lower
from dlbricks.model.lowering.openvino import layers_of_nodes
from dlbricks.model.read.network import batch_of, read_batched
from dlbricks.model.types import Model, TensorSpec
from dlbricks.profile.annotate import CallCounts, annotated, with_counts
from dlbricks.profile.types import LevelRun
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.kinds import CALL
from dlbricks.trace.read.cupti import Recording, with_kernels
from dlbricks.trace.read.onnxruntime import trace_of_profile
from dlbricks.trace.types import Lane, Level, Trace, TraceClock

_TENSOR = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d,]*)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One network with one batch, ready to be run at any level."""

    source: Model
    """As given."""
    executed: Model | None
    """As the runtime executes it; None where that is not known beforehand."""
    batch: int
    """Inputs per call."""
    settings: SessionSettings
    network: bytes
    weights: Path
    """Folder of its weight files."""
    contract: Mapping[str, Any]
    """Inputs and outputs, as ``Bound`` binds them."""
    inputs: Mapping[str, Numbers]
    constants: Sequence[tuple[str, Any]]
    """Read by all its sessions where they lie."""


def subject_of(
    path: Path, settings: SessionSettings, weights: Path, *, dims: Mapping[str, int], batch: int | None
) -> Subject:
    """Read a network, lower it where that is possible, and make up its weights and inputs.

    Args:
        path: the network.
        settings: of its sessions; the graph optimisations are decided here.
        weights: folder into which weight files are written.
        dims: values of dimensions that the file leaves open.
        batch: inputs per call; None for what the file and ``dims`` say.

    Raises:
        InputError: the network cannot be used, or a weight file cannot be written.
        UnsupportedModelError: it cannot be run, or not with this batch.
    """
    source = read_batched(path, dims=dims, batch=batch)
    on_processor = provider_name(settings.provider) == provider_name("cpu") and settings.optimization == "all"
    lowered = on_processor and settings.runtime == ONNXRUNTIME
    executed = lower(source, threads=settings.threads) if lowered else None
    model = executed or source
    network, blobs = end_to_end_network(model)
    write_weights(weights, blobs)
    data = network_bytes(network)
    return Subject(
        source=source,
        executed=executed,
        batch=batch_of(source),
        settings=settings.with_optimization("none") if executed else settings,
        network=data,
        weights=weights,
        contract=end_to_end_contract(model),
        inputs=dict(end_to_end_inputs(model)),
        constants=own_constants(data, weights) if executed else (),
    )


def opened(subject: Subject, *, profile: Path | None = None) -> tuple[Session, Bound]:
    """Open a session of a subject and bind its inputs and outputs.

    Args:
        subject: what is to be run.
        profile: see ``open_session``.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: whatever onnxruntime raises for a network that it cannot load.
    """
    session = open_session(
        subject.network, subject.weights, subject.settings, profile=profile, constants=subject.constants
    )
    return session, Bound(session, subject.contract, subject.inputs)


def executed_in(subject: Subject, profile: LayerProfile) -> tuple[Model | None, str]:
    """Give the graph that was executed, found out afterwards where it was not known beforehand.

    Args:
        subject: what was run.
        profile: of a session of it; says what shapes its nodes gave.

    Returns:
        The graph; or None, and why it cannot be known.
    """
    if subject.executed is not None:
        return subject.executed, ""
    outputs = {node.name: found for call in profile.calls for node in call.layers if (found := _specs(node.outputs))}
    try:
        providers = provider_names(subject.settings)
        return graph_of_session(subject.source, outputs, providers=providers, threads=subject.settings.threads), ""
    except DlbricksError as error:
        return None, f"operations and bytes of layers are not known: {error}"


def _by_source(profile: LayerProfile, subject: Subject, session: Session) -> LayerProfile:
    """Name what another runtime executed after the layers of the network that it stands for, where that is known."""
    other = backend(subject.settings)
    layers = {} if other is None else layers_of_nodes(subject.source, other.executed_layers(session.inference.compiled))
    calls = (
        replace(call, nodes=tuple(replace(node, name=layers.get(node.name, node.name)) for node in call.nodes))
        for call in profile.calls
    )
    return replace(profile, calls=tuple(calls))


def _specs(tensors: Sequence[str]) -> tuple[TensorSpec, ...]:
    """Read types and shapes as a profile spells them; empty if one is not known."""
    found = [_TENSOR.fullmatch(text) for text in tensors]
    made = [
        TensorSpec(name="", dtype=match["dtype"], shape=tuple(map(int, filter(None, match["shape"].split(",")))))
        for match in found
        if match is not None and match["dtype"] in BY_NAME
    ]
    return tuple(made) if len(made) == len(found) else ()


def capability_of(system: Mapping[str, Any], device: int) -> tuple[int, int] | None:
    """Give the compute capability of a GPU as the facts of a machine tell it; None where they do not."""
    gpus = system.get("gpus") or ()
    text = str(gpus[device].get("compute_capability")) if device < len(gpus) else ""
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


_STEP = Step(state=REPEATED)
CLOCK = "perf_counter"
"""Of runs at level ``M``."""


@dataclass(slots=True, kw_only=True)
class LevelSession:
    """An open session at one level; each ``take`` makes a warm-up call and one that is timed."""

    subject: Subject
    levels: str
    session: Session
    bound: Bound
    tracer: ActivityTracer | None = None
    """Of level ``MLK``."""
    capability: tuple[int, int] | None = None
    """Compute capability of the device, where there is one and it is known."""
    calls: int = 0
    """Made so far, untimed ones included."""
    timed: list[int] = field(default_factory=list)
    """Which of them were timed."""
    samples_ns: list[int] = field(default_factory=list)
    ends_ns: list[int] = field(default_factory=list)
    """When timed calls ended, by ``time.perf_counter_ns``."""
    disturbed: int = 0
    """Timed calls before which as many were made in vain as are allowed: the processor was always taken away."""
    counts: CallCounts | None = None
    """Of a call, counted apart from timed ones; None where they were not."""
    recordings: list[Recording] = field(default_factory=list)
    """Of the device in timed calls, with a tracer."""

    def warm_up(self) -> int:
        """Make the calls that allocate and warm up; give the duration of the last one, ns."""
        made = self.bound.warm_up()
        self.calls += len(made)
        return made[-1]

    def take(self, timer: CallTimer) -> None:
        """Make one call that brings caches and clocks where calls of this level leave them, and time another one.

        Args:
            timer: makes a call again from which the processor was taken away.
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
        if clock is not None:  # always there after stop
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
        """Close the session; give the run of all timed calls.

        Raises:
            HarnessError: the runtime's profile cannot be read.
            BenchmarkError: it lacks calls.
        """
        trace = self._calls() if self.levels == "M" else self._layers()
        return LevelRun(batch=self.subject.batch, levels=self.levels, samples_ns=tuple(self.samples_ns), trace=trace)

    def _calls(self) -> Trace:
        """Give the trace of the calls alone."""
        offset = time.time_ns() - time.perf_counter_ns()
        builder = TraceBuilder(clock=TraceClock(name=CLOCK, unix_offset_ns=offset))
        lane = Lane(process=str(os.getpid()), name=f"thread {threading.get_native_id()}")
        for index, (sample, end) in enumerate(zip(self.samples_ns, self.ends_ns, strict=True)):
            name, batch = self.subject.source.name, self.subject.batch
            builder.add(Level.MODEL, CALL, name, lane, end - sample, end, index=index, batch=batch)
        return builder.built() if self.counts is None else with_counts(builder.built(), self.counts)

    def _layers(self) -> Trace:
        """Give the trace of the timed calls with their layers."""
        began = self.session.inference.get_profiling_start_time_ns()
        profile = load_profile(Path(self.session.inference.end_profiling()))
        if len(profile.calls) < self.calls:
            reasons = " ".join(profile.notes) or "the runtime does not say why"
            message = (
                f"the runtime's profile of {self.subject.source.name} has {len(profile.calls)} of {self.calls} calls: "
                f"{reasons}; give fewer --calls"
            )
            raise BenchmarkError(message)
        timed = replace(profile, calls=tuple(profile.calls[index] for index in self.timed))
        if self.subject.settings.runtime == ONNXRUNTIME:
            executed, reason = executed_in(self.subject, timed)
        else:
            timed, executed, reason = _by_source(timed, self.subject, self.session), self.subject.source, ""
        trace = trace_of_profile(
            timed, self.subject.source, executed=executed, batch=self.subject.batch, unix_start_ns=began
        )
        trace = with_columns(trace, reason) if executed is None else annotated(trace, executed)
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
        subject: what is run.
        levels: one of ``LEVELS``.
        scratch: folder for the runtime's profile.
        system: facts of the machine, for what kernels may occupy.
        environment: record clocks, power and temperature of the device with its kernels.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another one.
        Exception: whatever onnxruntime raises for a network that it cannot load.
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
