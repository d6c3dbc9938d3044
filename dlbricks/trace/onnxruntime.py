"""Reads profiles of onnxruntime, and the traces in results, which are shortened.

Calls are spans of level MODEL, and their nodes are spans of level LAYER. Nodes in the body of an If, Loop or Scan are
children of that node. Only layers outside of bodies have an ``index`` (0, 1, 2 ... in every call).

A shortened trace has one call, with medians over the traced calls, so neighbouring spans may overlap slightly. A layer
in a body that ran ``count`` times is one span, which lasts as long as all its executions.
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
from dlbricks.trace.cupti import readable_names
from dlbricks.trace.kinds import CALL, COPY, GRAPH, KERNEL, MEMSET, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock, Value
from dlbricks.typed_json import is_crowded

# Name of the clock whose times count from the start of a session's profile.
CLOCK = "onnxruntime"
_HOST = "cpu"


def read_onnxruntime(path: Path, data: bytes | None = None) -> Trace:
    """Read a profile of onnxruntime; ``data`` is the uncompressed content of the file, or None to read the file.

    Raises ``InputError`` if the file cannot be read, is not a profile of onnxruntime, or exceeds a limit of ``limits``.
    """
    if data is None:
        data = read_bytes(path, what="profile", most=limits.PROFILE_BYTES)
    if is_crowded(data, limits.PROFILED_VALUES):
        raise InputError(f"{path} has more than {limits.PROFILED_VALUES:,} values (the limit): profile fewer calls")
    try:
        trace = trace_of_profile(profile_of(data.decode("utf-8", errors="replace"), path))
    except HarnessError as error:
        raise InputError(str(error)) from error
    if (count := len(trace.lanes)) > limits.TRACE_LANES:
        most = f"the limit is {limits.TRACE_LANES:,}: profile fewer threads"
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
    """Convert a profile of onnxruntime to a trace.

    Args:
        source: the original network, to which the attribute ``source_layers`` refers.
        executed: the lowered network, if available; it improves ``source_layers`` and has the sizes of constants.
        unix_start_ns: start of the profile, ns since 1970 (``InferenceSession.get_profiling_start_time_ns``).
    """
    clock = TraceClock(name=CLOCK, unix_offset_ns=unix_start_ns, resolution_ns=RESOLUTION_NS)
    builder = TraceBuilder(clock=clock, notes=list(profile.notes))
    about = {} if executed is None else _about(executed)
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
        _add_layers(builder, profile, call, parent, (sources, about))
    if not profile.calls:
        builder.notes.append("the profile has no complete call: profile more calls")
    providers = {node.provider for call in profile.calls for node in call.nodes if node.provider}
    if devices := sorted(providers - {_HOST}):
        where = f"the times of layers on {', '.join(devices)}"
        builder.notes.append(f"{where} cover enqueueing by the host, not execution on the device")
    return replace(builder.built(), diagnostics=profile.diagnostics)


def _lane(profile: LayerProfile, thread: int) -> Lane:
    return Lane(process=str(profile.process), name=f"thread {thread}")


def _about(executed: Model) -> dict[str, dict[str, Value]]:
    # Return, by name of the layer, the bytes of its constants and the names of the layers that it reads from.
    writers = {tensor: layer.name for layer in executed.layers for tensor in layer.outputs}
    about: dict[str, dict[str, Value]] = {}
    for layer in executed.layers:
        own = {tensor for tensor in layer.reads if tensor in executed.constants}
        about[layer.name] = {"parameter_bytes": sum(executed.constants[tensor].spec.nbytes for tensor in own)}
        if inputs := dict.fromkeys(writers[tensor] for tensor in layer.reads if tensor in writers):
            about[layer.name]["inputs"] = " ".join(inputs)
    return about


def _add_layers(
    builder: TraceBuilder,
    profile: LayerProfile,
    call: ProfiledCall,
    parent: int,
    about: tuple[Mapping[str, tuple[str, ...]], Mapping[str, Mapping[str, Value]]],
) -> None:
    # Add the layers of a call. ``about`` holds, by name of the layer, its source layers and its other attributes.
    sources, others = about
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
            attributes |= others.get(node.name, {})
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


# Name of the clock whose times count from the start of the call.
CALL_CLOCK = "call"
_PROCESS = "benchmark"
_KINDS = {"kernel": KERNEL, "memcpy": COPY, "memset": MEMSET, "graph": GRAPH}


def short_traces(document: Mapping[str, Any], fingerprints: Container[str] | None = None) -> dict[str, Trace]:
    """Return the traces in a checked result, by fingerprint of the benchmark.

    Raises ``InputError`` if a trace refers to names or rows that do not exist.
    """
    names = {benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]}
    texts, traces = readable_names(document.get("names", ())), {}
    for entry in document["benchmarks"]:
        fingerprint = entry["fingerprint"]
        if "layers" in entry.get("trace", {}) and (fingerprints is None or fingerprint in fingerprints):
            try:
                trace = with_names(entry, texts)["trace"]
                traces[fingerprint] = short_trace(trace, names.get(fingerprint, fingerprint))
            except (IndexError, ValueError) as error:
                damaged = f"the trace of benchmark {fingerprint[:12]} is damaged"
                raise InputError(f"{damaged}: run 'dlbricks check', which names the place") from error
    return traces


def first_traces(documents: Iterable[bytes], fingerprints: Iterable[str]) -> dict[str, Trace]:
    """Return a trace for each fingerprint, from the first checked result (JSON) with a trace of this benchmark.

    Raises ``InputError`` if a trace refers to names or rows that do not exist.
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
    """Convert the trace of a benchmark from ``with_names``, whose columns have names instead of indices.

    Raises ``IndexError`` if a row refers to a missing row, and ``ValueError`` if columns differ in length.
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
    # Add a launch and an execution for each kernel; launches have length 0, since the short form lacks their durations.
    # ``rows`` are the rows of the layers, followed by the row of the call, to which a kernel's layer -1 refers.
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
    # Return the lane for a name such as ``host``, ``host 1`` or ``gpu 0 stream 7``.
    device, stream, number = name.partition(" stream ")
    return Lane(process=_PROCESS, name=f"stream {number}" if stream else name, device=device if stream else "")
