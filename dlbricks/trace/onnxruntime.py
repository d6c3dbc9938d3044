"""Makes traces from profiles that onnxruntime wrote, and from the short form of traces in results.

Profile: calls are spans of level MODEL, their nodes of level LAYER. Only layers outside of bodies have an ``index``
(0, 1, 2 ... in every call); nodes in a body of If, Loop or Scan are children of that layer.

Short form: one representative call of each traced benchmark. Starts and durations are medians over the traced calls, so
that neighbouring spans may overlap slightly. A layer that ran several times in a body is one span with a ``count`` and
the duration of all executions together.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.files import read_bytes
from dlbricks.harness.cpu import EVENTS
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.run.files import with_names
from dlbricks.harness.trace.layer_profile import (
    HOST,
    RESOLUTION_NS,
    ExecutedNode,
    LayerProfile,
    ProfiledCall,
    profile_of,
)
from dlbricks.model.lowering.targets import origins, origins_by_name
from dlbricks.model.types import Model
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.kinds import CALL, COPY, GRAPH, KERNEL, MEMSET, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock, Value
from dlbricks.typed_json import is_crowded

# Name of the clock: times since the start of a session's profile.
CLOCK = "onnxruntime"
_HOST = "cpu"


def read_onnxruntime(path: Path, data: bytes | None = None) -> Trace:
    """Read a profile file of onnxruntime; ``data`` is its uncompressed content, if read already.

    Raises:
        InputError: the file cannot be read, is not a profile of onnxruntime, or holds too many values.
    """
    if data is None:
        data = read_bytes(path, what="profile", most=limits.PROFILE_BYTES)
    if is_crowded(data, limits.PROFILED_VALUES):
        raise InputError(f"{path} holds more than {limits.PROFILED_VALUES:,} values, the limit: profile fewer calls")
    try:
        trace = trace_of_profile(profile_of(data.decode("utf-8", errors="replace"), path))
    except HarnessError as error:
        raise InputError(str(error)) from error
    if (count := len(trace.lanes)) > limits.TRACE_LANES:
        most = f"at most {limits.TRACE_LANES:,} are read: profile fewer threads"
        raise InputError(f"{path} has {count:,} threads and streams, {most}")
    return trace


def trace_of_profile(
    profile: LayerProfile,
    source: Model | None = None,
    *,
    executed: Model | None = None,
    batch: int | None = None,
    unix_start_ns: int | None = None,
) -> Trace:
    """Make the trace of a profile.

    Args:
        profile: see ``harness.trace.layer_profile``.
        source: the network as given, to map executed layers to its layers.
        executed: the graph that was profiled, if known (``model.lowering``); it maps fused layers better than names do,
            and has the constants that the runtime packed.
        unix_start_ns: start of the profile, ns since 1970 (``InferenceSession.get_profiling_start_time_ns``).
    """
    clock = TraceClock(name=CLOCK, unix_offset_ns=unix_start_ns, resolution_ns=RESOLUTION_NS)
    builder = TraceBuilder(clock=clock, notes=list(profile.notes))
    constants = {} if executed is None else _constants(executed)
    sources: Mapping[str, tuple[str, ...]] = {}
    if source is not None and executed is not None:
        sources = origins(executed, source)
    elif source is not None:
        sources = origins_by_name({node.name for call in profile.calls for node in call.layers}, source)
    called = (source.name if source else "") or "model_run"
    for index, call in enumerate(profile.calls):
        lane = _lane(profile, call.thread)
        own: dict[str, Any] = {"index": index} if batch is None else {"index": index, "batch": batch}
        parent = builder.add(Level.MODEL, CALL, called, lane, call.start_ns, call.end_ns, **own)
        _add_layers(builder, profile, call, parent, (sources, constants))
    if not profile.calls:
        builder.notes.append("the profile holds no complete call: profile more calls")
    if devices := _devices(profile.calls):
        where = f"times of layers on {', '.join(devices)}"
        builder.notes.append(f"{where} are those of enqueueing on the host, not of running on the device")
    return replace(builder.built(), diagnostics=profile.diagnostics)


def _lane(profile: LayerProfile, thread: int) -> Lane:
    return Lane(process=str(profile.process), name=f"thread {thread}")


def _constants(executed: Model) -> dict[str, int]:
    # Return the bytes of the constants of each layer.
    held = {layer.name: {tensor for tensor in layer.reads if tensor in executed.constants} for layer in executed.layers}
    return {name: sum(executed.constants[tensor].spec.nbytes for tensor in tensors) for name, tensors in held.items()}


def _add_layers(
    builder: TraceBuilder,
    profile: LayerProfile,
    call: ProfiledCall,
    parent: int,
    about: tuple[Mapping[str, tuple[str, ...]], Mapping[str, int]],
) -> None:
    # Add the layers of a call. ``about``: source layers, and bytes of constants, by layer.
    sources, constants = about
    rows: list[int] = []
    index = 0
    for node in call.nodes:
        above = parent if node.parent is None else rows[node.parent]
        attributes = _attributes(node)
        if node.parent is None:
            attributes["index"] = index
            index += 1
            if sources.get(node.name):
                attributes["source_layers"] = " ".join(sources[node.name])
            if node.name in constants:
                attributes["parameter_bytes"] = constants[node.name]
        lane = _lane(profile, node.thread)
        rows.append(
            builder.add(Level.LAYER, OPERATOR, node.name, lane, node.start_ns, node.end_ns, parent=above, **attributes)
        )


def _attributes(node: ExecutedNode) -> dict[str, Any]:
    values: dict[str, Value | None] = {
        "type": node.operator or None,
        "shape": ", ".join(node.outputs) or None,
        "dtype": node.outputs[0].partition("[")[0] if node.outputs else None,
        "provider": node.provider or None,
        "parameter_bytes": node.parameter_bytes,
        "activation_bytes": node.activation_bytes,
        "output_bytes": node.output_bytes,
        "memory_bytes": node.in_use_bytes,
        "allocated_bytes": node.allocated_bytes,
        "peak_bytes": node.peak_bytes,
        "threads_wait_ns": node.wait_ns,
    }
    return {key: value for key, value in values.items() if value is not None}


def _devices(calls: Iterable[ProfiledCall]) -> list[str]:
    # Return the providers other than the processor's.
    return sorted({node.provider for call in calls for node in call.nodes if node.provider} - {_HOST})


# Name of the clock: times since the start of the call.
CALL_CLOCK = "call"
_PROCESS = "benchmark"
_KINDS = {"kernel": KERNEL, "memcpy": COPY, "memset": MEMSET, "graph": GRAPH}


def short_traces(document: Mapping[str, Any], fingerprints: Container[str] | None = None) -> dict[str, Trace]:
    """Return the traces of a checked result by fingerprint, of some benchmarks or of all that have one.

    Raises:
        InputError: a trace refers to names or rows that do not exist.
    """
    names = {benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]}
    traces = {}
    for entry in document["benchmarks"]:
        fingerprint = entry["fingerprint"]
        if "layers" in entry.get("trace", {}) and (fingerprints is None or fingerprint in fingerprints):
            try:
                trace = with_names(entry, document.get("names", ()))["trace"]
                traces[fingerprint] = short_trace(trace, names.get(fingerprint, fingerprint))
            except (IndexError, ValueError) as error:
                raise InputError(
                    f"the trace of {fingerprint[:12]} is damaged: dlbricks check names the place"
                ) from error
    return traces


def first_traces(documents: Iterable[bytes], fingerprints: Iterable[str]) -> dict[str, Trace]:
    """Return for each fingerprint the trace of the first checked document (text) that has one.

    Raises:
        InputError: a trace refers to names or rows that do not exist.
    """
    lacking = set(fingerprints)
    traces: dict[str, Trace] = {}
    for document in documents:
        traces |= short_traces(json.loads(document), lacking)
        lacking -= traces.keys()
        if not lacking:
            break
    return traces


def short_trace(trace: Mapping[str, Any], name: str) -> Trace:
    """Make the trace of one benchmark from its short form, with texts in its columns (``harness.trace.tracing``).

    Raises:
        IndexError: a row refers to one that does not exist.
        ValueError: columns have different lengths.
    """
    builder = TraceBuilder(
        clock=TraceClock(name=CALL_CLOCK, resolution_ns=RESOLUTION_NS), notes=list(trace.get("notes", ()))
    )
    counts = {event: count for event, count in trace.get("counts", {}).items() if event in EVENTS}
    call = builder.add(Level.MODEL, CALL, name, _named_lane(HOST), 0, trace["call_ns"], index=0, **counts)
    rows = _add_short_layers(builder, trace["layers"], call)
    _add_kernels(builder, trace.get("kernels", {}), [*rows, call])
    return builder.built()


def _add_short_layers(builder: TraceBuilder, layers: Mapping[str, Sequence[Any]], call: int) -> list[int]:
    rows: list[int] = []
    index = 0
    columns = ("name", "operator", "provider", "lane", "parent", "offset_ns", "duration_ns", "count")
    for name, operator, provider, lane, parent, offset, duration, count in zip(
        *(layers[column] for column in columns), strict=True
    ):
        own: dict[str, Any] = {"index": index} if parent < 0 else {}
        index += parent < 0
        end = offset + duration * count
        above = call if parent < 0 else rows[parent]
        own |= {"type": operator, "provider": provider, "count": count}
        rows.append(builder.add(Level.LAYER, OPERATOR, name, _named_lane(lane), offset, end, parent=above, **own))
    return rows


def _add_kernels(builder: TraceBuilder, kernels: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> None:
    # Add a launch and an execution for each kernel, since the short form has no durations of launches.
    # ``rows`` are those of the layers and, last, of the call, which layer -1 refers to.
    columns = ("name", "kind", "lane", "layer", "launch_ns", "offset_ns", "duration_ns")
    for number, (name, kind, lane, layer, launched, start, duration) in enumerate(
        zip(*(kernels[column] for column in columns), strict=True) if kernels else ()
    ):
        launch = builder.add(
            Level.LIBRARY, RUNTIME, "launch", _named_lane(HOST), launched, launched,
            role=Role.LAUNCH, parent=rows[layer], correlation=number,
        )  # fmt: skip
        builder.add(
            Level.KERNEL, _KINDS.get(kind, KERNEL), name, _named_lane(lane), start, start + duration,
            role=Role.EXECUTION, parent=launch, correlation=number,
        )  # fmt: skip


def _named_lane(name: str) -> Lane:
    # Return the lane with a name as in ``host``, ``host 1`` or ``gpu 0 stream 7``.
    device, stream, number = name.partition(" stream ")
    return Lane(process=_PROCESS, name=f"stream {number}" if stream else name, device=device if stream else "")
