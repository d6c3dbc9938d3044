"""Runs one level of a leveled experiment: opens a session, makes calls, and returns a run.

At level ``M`` only the harness times calls. Level ``ML`` adds the profiler of the runtime, level ``MLK`` CUPTI's
recording of the device. Sessions of all levels are open at the same time.

For the processor, the session runs a lowered network (``model.lowering``), so every executed layer and its shapes are
available. For other providers the runtime optimises while it opens the session.
"""

import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.errors import BenchmarkError, DlbricksError
from dlbricks.harness.cache_state import HOT_LOOP, Step
from dlbricks.harness.call_timer import RETRIES, CallTimer
from dlbricks.harness.dtypes import BY_NAME, Numbers
from dlbricks.harness.network import Bound
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.session import Session, SessionSettings, backend, open_session
from dlbricks.harness.trace.cupti import ActivityTracer
from dlbricks.harness.trace.layer_profile import LayerProfile, load_profile
from dlbricks.limits import OPENING_SECONDS
from dlbricks.model.bounds import allow_run, allow_weights
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import graph_of_session, lower
from dlbricks.model.lowering.targets import target_of
from dlbricks.model.read.network import batch_of, read_batched
from dlbricks.model.types import Model, TensorSpec
from dlbricks.operators.costs import FIGURES, layer_costs, least_flops
from dlbricks.operators.table import kernel
from dlbricks.profile.counters import CallCounts, with_counts
from dlbricks.trace.build import TraceBuilder, with_columns, with_values
from dlbricks.trace.cupti import Recording, gathered, merged_with_layers, trace_of
from dlbricks.trace.kinds import CALL
from dlbricks.trace.onnxruntime import trace_of_profile
from dlbricks.trace.types import NONE, Lane, Level, LevelRun, Longs, Trace, TraceClock

# Number of untimed calls that all levels make together; the time limit of the first phase allows for them.
_FIRST_CALLS = 10
_TENSOR = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d,]*)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A network with one batch size, ready to run at any level."""

    source: Model
    """The network as read from its file."""
    executed: Model | None
    """The graph that the runtime executes; None if unknown before the session is opened."""
    batch: int
    """Inputs per call."""
    settings: SessionSettings
    network: bytes
    weights: Path
    """Folder of the network's weight files."""
    contract: Mapping[str, Any]
    """Names, types and shapes of inputs and outputs, for ``harness.network.Bound``."""
    inputs: Mapping[str, Numbers]
    constants: Sequence[tuple[str, Any]]
    """Constants by name, which all sessions share."""


def on_processor(settings: SessionSettings) -> bool:
    """Return whether a session runs on onnxruntime's own CPU provider."""
    return bool(backend(settings).facts(settings)["provider"] == "cpu")


def subject_of(
    path: Path, settings: SessionSettings, weights: Path, *, batch: int | None, **sizes: Mapping[str, Any]
) -> Subject:
    """Prepare a network: read it, lower it for the CPU, generate inputs, and write weights.

    Without ``batch`` the batch size is that of the file. ``sizes`` may have ``dims`` (extents of symbolic dimensions)
    and ``values`` (of inputs).

    Raises:
        InputError: the file is not a valid network, or a weight file cannot be written.
        UnsupportedModelError: the network cannot be run, or not with this batch size.
    """
    source = read_batched(path, batch=batch, **sizes)
    lowered = settings.optimization == "all" and settings.runtime == ONNXRUNTIME and on_processor(settings)
    executed = lower(source, threads=settings.threads) if lowered else None
    model = executed or source
    network, blobs = end_to_end_network(model)
    allow_weights(source.name, sum(blob.nbytes for blob in blobs), weights, layers=len(model.layers))
    write_weights(weights, blobs)
    arithmetic = least_flops(model, model.layers)
    allow_run(_FIRST_CALLS * arithmetic, OPENING_SECONDS * settings.threads)
    data = network_bytes(network)
    chosen = replace(settings, optimization="none") if executed else settings
    return Subject(
        source=source,
        executed=executed,
        batch=batch_of(source),
        settings=chosen,
        network=data,
        weights=weights,
        contract=end_to_end_contract(model),
        inputs=dict(end_to_end_inputs(model)),
        constants=backend(chosen).constants_in_place(data, weights, chosen) if executed else (),
    )


def executed_in(subject: Subject, profile: LayerProfile) -> tuple[Model | None, str]:
    """Return the graph that the runtime executed and an empty text; or None and the reason why it is unknown.

    If ``subject`` does not have the graph, it is derived from the output shapes in the runtime's profile.
    """
    if subject.executed is not None:
        return subject.executed, ""
    outputs = {node.name: specs for call in profile.calls for node in call.layers if (specs := _specs(node.outputs))}
    try:
        providers = backend(subject.settings).facts(subject.settings)["providers"]
        return graph_of_session(subject.source, outputs, providers=providers, threads=subject.settings.threads), ""
    except DlbricksError as error:
        return None, f"operations and bytes of layers are unknown: {error}"


def _specs(tensors: Sequence[str]) -> tuple[TensorSpec, ...]:
    # Parse the types and shapes that a profile reports for a node; empty if one of them is unknown.
    matches = [_TENSOR.fullmatch(text) for text in tensors]
    specs = [
        TensorSpec(name="", dtype=match["dtype"], shape=tuple(map(int, filter(None, match["shape"].split(",")))))
        for match in matches
        if match is not None and match["dtype"] in BY_NAME
    ]
    return tuple(specs) if len(specs) == len(matches) else ()


def _by_source(profile: LayerProfile, subject: Subject, session: Session) -> tuple[LayerProfile, dict[str, str]]:
    # Rename the nodes of a runtime other than onnxruntime after the layers of the network that they execute, if known.
    # Returns the profile, and the element types of layers by name, where the runtime reports them.
    executed = backend(subject.settings).executed_layers(getattr(session.inference, "compiled", None))
    layers_of_nodes = target_of(subject.settings.runtime).layers_of_nodes  # a runtime's own target has its name
    layers = layers_of_nodes(subject.source, executed) if layers_of_nodes else {}
    calls = (
        replace(call, nodes=tuple(replace(node, name=layers.get(node.name, node.name)) for node in call.nodes))
        for call in profile.calls
    )
    dtypes = {layers.get(node["name"], node["name"]): node["dtype"] for node in executed if "dtype" in node}
    return replace(profile, calls=tuple(calls)), dtypes


# Element type of products of 8-bit integers, as measured peaks name it.
_WHOLE = "int8"


def annotated(trace: Trace, executed: Model, dtypes: Mapping[str, str] | None = None) -> Trace:
    """Return the trace with FLOPs and bytes as attributes of its layers, and a note on layers without them.

    A layer that multiplies 8-bit integers but returns floats gets the element type ``int8``. Layers inside bodies do
    not change: the layer around the body has the costs of all iterations.

    Args:
        trace: a trace whose spans of level LAYER have the names of the layers of ``executed``.
        executed: the executed graph (``model.lowering``).
        dtypes: element types of layers by name, as the runtime reports them; None to derive them from operators.
    """
    outer = outer_layers(trace)
    rows = [(row, trace.names[index]) for row, index in zip(outer.tolist(), trace.name[outer].tolist(), strict=True)]
    wanted = {name for _, name in rows}
    layers = [layer for layer in executed.layers if layer.name in wanted]
    by_type = {layer.name: layer.op_type for layer in layers}
    costs = {layer.name: cost for layer in layers if (cost := layer_costs(executed, layer)) is not None}
    arithmetic = [row for row, name in rows if name in costs and costs[name].flops]
    reported = {} if dtypes is None else _operands(trace, arithmetic)
    for figure in FIGURES:
        values = {row: int(getattr(costs[name], figure)) for row, name in rows if name in costs}
        trace = with_values(trace, figure, {**values, **reported.get(figure, {})})
    if dtypes is None:
        dtypes = {layer.name: _WHOLE for layer in layers if kernel(layer.domain, layer.op_type).integer_products}
    trace = with_values(trace, "dtype", {row: dtypes[name] for row, name in rows if name in dtypes})
    lacking = sorted({op_type for name, op_type in by_type.items() if name not in costs})
    if not lacking:
        return trace
    return with_columns(trace, f"operations and bytes are unknown for layers of type {', '.join(lacking)}")


def _operands(trace: Trace, rows: Sequence[int]) -> dict[str, dict[int, int]]:
    # Return the bytes that layers read and write, by the operands that the runtime reports for its nodes.
    # These differ from the network's tensors: a fused one does not pass through memory, a quantised one has fewer bits.
    def column(name: str) -> dict[int, int]:
        values = trace.column(name, np.asarray(rows, np.int64))
        return {row: int(value) for row, value in zip(rows, values.tolist(), strict=True) if np.isfinite(value)}

    read, constants = column("activation_bytes"), column("parameter_bytes")
    return {
        "read_bytes": {row: value + constants.get(row, 0) for row, value in read.items()},
        "written_bytes": column("output_bytes"),
        "parameter_bytes": {row: value for row, value in constants.items() if row in read},
    }


def outer_layers(trace: Trace) -> Longs:
    """Return the rows of layers that are not inside another layer."""
    rows = trace.rows(Level.LAYER)
    parents = trace.parent[rows]
    return rows[(parents == NONE) | (trace.level[parents] != Level.LAYER)]


def capability_of(system: Mapping[str, Any], device: int) -> tuple[int, int] | None:
    """Return the compute capability of a GPU, as in ``(9, 0)``, from facts of a machine; None if unknown."""
    gpus = system.get("gpus") or ()
    text = str(gpus[device].get("compute_capability")) if device < len(gpus) else ""
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


_STEP = Step(state=HOT_LOOP)
# Clock of runs at level ``M``.
CLOCK = "perf_counter"


@dataclass(slots=True, kw_only=True)
class LevelSession:
    """An open session at one level of tracing."""

    subject: Subject
    levels: str
    session: Session
    bound: Bound
    tracer: ActivityTracer | None = None
    """Recorder of GPU kernels and copies at level ``MLK``; None at other levels."""
    capability: tuple[int, int] | None = None
    """Compute capability of the device; None if unknown."""
    calls: int = 0
    """Number of calls, timed and untimed."""
    timed: list[int] = field(default_factory=list)
    """Positions of the timed calls among all calls."""
    samples_ns: list[int] = field(default_factory=list)
    ends_ns: list[int] = field(default_factory=list)
    """End of each timed call, by ``time.perf_counter_ns``."""
    disturbed: int = 0
    """Number of timed calls that the system preempted in every repetition."""
    counts: CallCounts | None = None
    """Hardware events of a call; None if they were not counted."""
    recordings: list[Recording] = field(default_factory=list)
    """Device activities of each timed call; empty without a tracer."""

    def warm_up(self) -> int:
        """Call the network until it is warm; return the duration of the last call, ns."""
        durations = self.bound.warm_up()
        self.calls += len(durations)
        return durations[-1]

    def take(self, timer: CallTimer) -> None:
        """Make an untimed call, which restores caches and clocks, then a timed call, which is repeated if preempted."""
        if self.tracer is None:
            self._timed(timer)
            return
        activities = self.tracer.record(partial(self._timed, timer))
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
        # The runtime's profile has all calls: the untimed call and the discarded repetitions count, too.
        self.calls += 1 + len(taken.samples_ns) + taken.thrown
        self.timed.append(self.calls - 1)
        self.samples_ns += taken.samples_ns
        self.disturbed += taken.thrown >= RETRIES

    def finish(self) -> LevelRun:
        """Close the session and return the run of all timed calls.

        Raises:
            HarnessError: the profile that the runtime wrote cannot be read.
            BenchmarkError: the profile that the runtime wrote lacks calls.
        """
        trace = self._calls() if self.levels == "M" else self._layers()
        return LevelRun(batch=self.subject.batch, levels=self.levels, samples_ns=tuple(self.samples_ns), trace=trace)

    def _calls(self) -> Trace:
        offset = time.time_ns() - time.perf_counter_ns()
        builder = TraceBuilder(clock=TraceClock(name=CLOCK, unix_offset_ns=offset))
        lane = Lane(process=str(os.getpid()), name=f"thread {threading.get_native_id()}")
        for index, (sample, end) in enumerate(zip(self.samples_ns, self.ends_ns, strict=True)):
            name, batch = self.subject.source.name, self.subject.batch
            builder.add(Level.MODEL, CALL, name, lane, end - sample, end, index=index, batch=batch)
        return builder.built() if self.counts is None else with_counts(builder.built(), self.counts)

    def _layers(self) -> Trace:
        began = self.session.inference.get_profiling_start_time_ns()
        profile = load_profile(Path(self.session.inference.end_profiling()))
        if len(profile.calls) < self.calls:
            reasons = " ".join(profile.notes) or "the runtime gives no reason"
            raise BenchmarkError(
                f"the runtime's profile of {self.subject.source.name} has {len(profile.calls)} of {self.calls} calls: "
                f"{reasons}; lower --calls"
            )
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
        if not self.recordings or self.tracer is None:
            return trace
        notes = [note for recording in self.recordings for note in recording.notes]
        activities, clock = gathered(self.recordings)
        kernels = trace_of(activities, clock, process=os.getpid(), capability=self.capability, notes=notes)
        return merged_with_layers(trace, kernels)


def level_session(
    subject: Subject, levels: str, scratch: Path, system: Mapping[str, Any] | None = None
) -> LevelSession:
    """Open a session at a level of tracing, one of ``LEVELS``.

    Args:
        scratch: folder for the profile that the runtime writes.
        system: facts of the machine, from which the theoretical occupancy of kernels follows.

    Raises:
        HarnessError: the provider is missing, or the runtime fell back to another provider.
        Exception: the runtime fails to load the network.
    """
    profile, kernels = None if levels == "M" else scratch / levels, levels == "MLK"
    session = open_session(
        subject.network, subject.weights, subject.settings, profile=profile, constants=subject.constants
    )
    return LevelSession(
        subject=subject,
        levels=levels,
        session=session,
        bound=Bound(session, subject.contract, subject.inputs),
        tracer=ActivityTracer() if kernels else None,
        capability=capability_of(system or {}, session.device_id) if kernels else None,
    )
