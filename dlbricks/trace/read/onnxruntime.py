"""Traces of what runs of onnxruntime recorded: the profile that it writes, and the short form that results keep.

A profile: calls at level MODEL, the nodes they executed at level LAYER. Only layers outside of bodies have an
``index``, so that theirs are 0, 1, 2 ... in every call; what ran in a body of If, Loop or Scan is a child of that layer
and counted with it. What execution providers write of their devices (category ``Kernel``; plugin providers by
``OrtEpApi::CreateProfilingEvent``) is at level KERNEL, below the node that it names, or that was running all the while.

The short form: one representative call of each benchmark that was traced. Its times are medians over the traced calls,
each begun and ended on its own, so neighbours may overlap by what medians lose. A layer that ran several times in a
body is one span with a ``count``: as long as all its executions together.
"""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.errors import InputError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine.cpu_counters import EVENTS
from dlbricks.harness.run.result_file import spelled
from dlbricks.harness.trace.layer_profile import (
    NODE_SUFFIX,
    RESOLUTION_NS,
    ExecutedNode,
    LayerProfile,
    ProfiledCall,
    load_profile,
)
from dlbricks.harness.trace.short_form import HOST
from dlbricks.model.lowering.origins import origins, origins_by_name
from dlbricks.model.types import Model
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.kinds import CALL, COPY, GRAPH, KERNEL, MEMSET, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock, Value

CLOCK = "onnxruntime"
"""Name of the clock: times since the profile of one session began."""
_HOST = "cpu"
_LATEST_NS = 2**62
"""No session lasts that long, and it fits a column."""


def read_onnxruntime(path: Path) -> Trace:
    """Read a profile file of onnxruntime.

    Raises:
        InputError: the file cannot be read, or is no profile of onnxruntime.
    """
    try:
        return trace_of_profile(load_profile(path))
    except HarnessError as error:
        raise InputError(str(error)) from error


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
        profile: as ``harness.trace.layer_profile`` reads it.
        source: the network as given, to say which of its layers an executed one is of.
        executed: the graph that was profiled, if it is known (``model.lowering``); it knows better than names which
            layers were fused, and the constants that the runtime packed.
        batch: inputs of each call.
        unix_start_ns: when the profile began, ns since 1970 (``InferenceSession.get_profiling_start_time_ns``).

    Raises:
        HarnessError: what a provider wrote of its device is damaged.
    """
    clock = TraceClock(name=CLOCK, unix_offset_ns=unix_start_ns, resolution_ns=RESOLUTION_NS)
    builder = TraceBuilder(clock=clock, notes=list(profile.notes))
    sources, constants = _sources(profile.calls, source, executed), {} if executed is None else _constants(executed)
    called = (source.name if source else "") or "model_run"
    for index, call in enumerate(profile.calls):
        lane = _lane(profile, call.thread)
        own: dict[str, Any] = {"index": index} if batch is None else {"index": index, "batch": batch}
        parent = builder.add(Level.MODEL, CALL, called, lane, call.start_ns, call.end_ns, **own)
        rows = _add_layers(builder, profile, call, parent, (sources, constants))
        _add_provider_kernels(builder, profile, call, [*rows, parent])
    if not profile.calls:
        builder.notes.append("no call was recorded whole: profile more calls")
    builder.notes += _device_notes(profile.calls)
    return builder.built()


def _lane(profile: LayerProfile, thread: int) -> Lane:
    return Lane(process=str(profile.process), name=f"thread {thread}")


def _constants(executed: Model) -> dict[str, int]:
    """Give the bytes of the constants that each layer reads."""
    held = {layer.name: {tensor for tensor in layer.reads if tensor in executed.constants} for layer in executed.layers}
    return {name: sum(executed.constants[tensor].spec.nbytes for tensor in tensors) for name, tensors in held.items()}


def _sources(
    calls: Iterable[ProfiledCall], source: Model | None, executed: Model | None
) -> Mapping[str, tuple[str, ...]]:
    """Give the layers of the network as given that each executed layer is of."""
    if source is None:
        return {}
    if executed is not None:
        return origins(executed, source)
    return origins_by_name({node.name for call in calls for node in call.layers}, source)


def _add_layers(
    builder: TraceBuilder,
    profile: LayerProfile,
    call: ProfiledCall,
    parent: int,
    known: tuple[Mapping[str, tuple[str, ...]], Mapping[str, int]],
) -> list[int]:
    """Add the layers of a call, give their rows; ``known`` are layers of the network as given, bytes of constants."""
    sources, constants = known
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
    return rows


def _attributes(node: ExecutedNode) -> dict[str, Any]:
    given: dict[str, Value | None] = {
        "type": node.operator or None,
        "shape": ", ".join(node.outputs) or None,
        "dtype": node.outputs[0].partition("[")[0] if node.outputs else None,
        "provider": _short(node.provider) or None,
        "parameter_bytes": node.parameter_bytes,
        "activation_bytes": node.activation_bytes,
        "output_bytes": node.output_bytes,
        "memory_bytes": node.in_use_bytes,
        "allocated_bytes": node.allocated_bytes,
        "peak_bytes": node.peak_bytes,
        "threads_wait_ns": node.wait_ns,
    }
    return {key: value for key, value in given.items() if value is not None}


def _short(provider: str) -> str:
    return provider.removesuffix("ExecutionProvider").lower()


@dataclass(frozen=True, slots=True)
class _ProviderKernel:
    """What an execution provider wrote of its device."""

    name: str
    start_ns: int
    end_ns: int
    node: str
    """For which it ran, by the name of its event; empty where that is not told."""
    stream: str


def _provider_kernel(event: Mapping[str, Any]) -> _ProviderKernel:
    given = event.get("args") or {}
    try:
        start, duration = (RESOLUTION_NS * int(event[key]) for key in ("ts", "dur"))
        node = str(given.get("parent_name", "")).removesuffix(NODE_SUFFIX)
        kernel = _ProviderKernel(str(event["name"]), start, start + duration, node, str(given.get("stream", "")))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise HarnessError(f"an event of a provider is damaged ({error}): profile again") from error
    if not kernel.start_ns <= kernel.end_ns <= _LATEST_NS:
        raise HarnessError(f"an event of a provider is damaged ({duration} ns from {start} ns on): profile again")
    return kernel


def _add_provider_kernels(
    builder: TraceBuilder,
    profile: LayerProfile,
    call: ProfiledCall,
    rows: Sequence[int],
) -> None:
    """Add what providers wrote in a call, each with the launch that they do not write: where its node began.

    Args:
        builder: takes them.
        profile: whose process it is.
        call: in which it began.
        rows: of the nodes of the call and, last, of the call.

    Raises:
        HarnessError: a name or a time of one is missing, or the time is none.
    """
    others = sorted({_short(node.provider) for node in call.nodes if node.provider} - {_HOST})
    finder = _NodeFinder(call)
    for one in sorted(map(_provider_kernel, call.kernels), key=lambda one: one.start_ns):
        at = finder.place(one)
        node = None if at is None else call.nodes[at]
        began = one.start_ns if node is None else min(one.start_ns, node.start_ns)
        device = _short(node.provider) if node is not None and node.provider else " ".join(others)
        lane = Lane(process=str(profile.process), name=f"stream {one.stream or 0}", device=device or "provider")
        number, parent = len(builder), rows[-1 if at is None else at]
        started = builder.add(
            Level.LIBRARY, RUNTIME, "launch", _lane(profile, call.thread), began, began,
            role=Role.LAUNCH, parent=parent, correlation=number,
        )  # fmt: skip
        builder.add(
            Level.KERNEL, KERNEL, one.name, lane, one.start_ns, one.end_ns,
            role=Role.EXECUTION, parent=started, correlation=number,
        )  # fmt: skip


class _NodeFinder:
    """Finds the node of a call that something on a device ran for."""

    def __init__(self, call: ProfiledCall) -> None:
        self._nodes = call.nodes
        self._begins = [node.start_ns for node in call.nodes]
        self._named: dict[str, list[int]] = defaultdict(list)
        for place, node in enumerate(call.nodes):
            self._named[node.name].append(place)

    def place(self, kernel: _ProviderKernel) -> int | None:
        """Give the place of the node that is named, the last one begun by then; else of one that ran all the while."""
        if kernel.node:
            named = self._named.get(kernel.node, [])
            at = bisect_right(named, bisect_right(self._begins, kernel.start_ns + RESOLUTION_NS) - 1)
            return named[max(0, at - 1)] if named else None
        place: int | None = bisect_right(self._begins, kernel.start_ns) - 1
        if place == -1:
            return None
        while place is not None and self._nodes[place].end_ns < kernel.end_ns:
            place = self._nodes[place].parent
        return place


def _device_notes(calls: Iterable[ProfiledCall]) -> list[str]:
    devices = sorted({_short(node.provider) for call in calls for node in call.nodes if node.provider} - {_HOST})
    if not devices:
        return []
    return [f"layers on {', '.join(devices)} last as long as the host took to hand them over, not as long as they ran"]


CALL_CLOCK = "call"
"""Name of the clock: times since the call began."""
_PROCESS = "benchmark"
_KINDS = {"kernel": KERNEL, "memcpy": COPY, "memset": MEMSET, "graph": GRAPH}


def short_traces(document: Mapping[str, Any], fingerprints: Container[str] | None = None) -> dict[str, Trace]:
    """Give the traces of a result document by fingerprint; of what was not traced, or failed to be, there is none.

    Args:
        document: that has been read and checked.
        fingerprints: of the benchmarks that are asked for; None for all.

    Raises:
        InputError: a trace points to names or rows that are not there.
    """
    names = {benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]}
    made = {}
    for entry in document["benchmarks"]:
        fingerprint = entry["fingerprint"]
        if "layers" in entry.get("trace", {}) and (fingerprints is None or fingerprint in fingerprints):
            try:
                trace = spelled(entry, document.get("names", ()))["trace"]
                made[fingerprint] = short_trace(trace, names.get(fingerprint, fingerprint))
            except (IndexError, ValueError) as error:
                raise InputError(
                    f"the trace of {fingerprint[:12]} is damaged: dlbricks check names the place"
                ) from error
    return made


def first_traces(documents: Iterable[bytes], fingerprints: Iterable[str]) -> dict[str, Trace]:
    """Give for each fingerprint the trace of the first result document that has one; documents are read until all have.

    Args:
        documents: that have been checked, as text.
        fingerprints: of the benchmarks that are asked for.

    Raises:
        InputError: a trace points to names or rows that are not there.
    """
    lacking = set(fingerprints)
    found: dict[str, Trace] = {}
    for document in documents:
        found |= short_traces(json.loads(document), lacking)
        lacking -= found.keys()
        if not lacking:
            break
    return found


def short_trace(trace: Mapping[str, Any], name: str) -> Trace:
    """Make the trace of one benchmark.

    Args:
        trace: short form, texts spelled out (``harness.trace.short_form``).
        name: of the call.

    Raises:
        IndexError: a row points to one that is not there.
        ValueError: columns are not of one length.
    """
    builder = TraceBuilder(
        clock=TraceClock(name=CALL_CLOCK, resolution_ns=RESOLUTION_NS), notes=list(trace.get("notes", ()))
    )
    call = builder.add(Level.MODEL, CALL, name, _named_lane(HOST), 0, trace["call_ns"], index=0, **_counts(trace))
    rows = _add_short_layers(builder, trace["layers"], call)
    _add_kernels(builder, trace.get("kernels", {}), [*rows, call])
    return builder.built()


def _counts(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the processor counted in a call; nothing where it was not to be had."""
    return {name: count for name, count in trace.get("counts", {}).items() if name in EVENTS}


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
    """Add a launch and an execution for each kernel; the short form does not say how long launches took.

    Args:
        builder: takes them.
        kernels: columns; empty where none were recorded.
        rows: spans of the layers and, last, of the call, so that a layer of -1 finds it.
    """
    columns = ("name", "kind", "lane", "layer", "launch_ns", "offset_ns", "duration_ns")
    for number, (name, kind, lane, layer, launch, offset, duration) in enumerate(
        zip(*(kernels[column] for column in columns), strict=True) if kernels else ()
    ):
        started = builder.add(
            Level.LIBRARY, RUNTIME, "launch", _named_lane(HOST), launch, launch,
            role=Role.LAUNCH, parent=rows[layer], correlation=number,
        )  # fmt: skip
        builder.add(
            Level.KERNEL, _KINDS.get(kind, KERNEL), name, _named_lane(lane), offset, offset + duration,
            role=Role.EXECUTION, parent=started, correlation=number,
        )  # fmt: skip


def _named_lane(name: str) -> Lane:
    """Give the lane of a name as in ``host``, ``host 1`` or ``gpu 0 stream 7``."""
    device, stream, number = name.partition(" stream ")
    return (
        Lane(process=_PROCESS, name=f"stream {number}", device=device) if stream else Lane(process=_PROCESS, name=name)
    )
