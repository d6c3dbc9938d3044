"""Traces from the profile that onnxruntime writes: calls at level MODEL, the nodes they executed at level LAYER. Pure.

Only layers outside of bodies have an ``index``, so that theirs are 0, 1, 2 ... in every call; what ran in a body of If,
Loop or Scan is a child of that layer and counted with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.errors import InputError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.trace.layer_profile import RESOLUTION_NS, ExecutedNode, LayerProfile, ProfiledCall, load_profile
from dlbricks.model.lowering.origins import origins, origins_by_name
from dlbricks.model.types import Model
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.kinds import CALL, OPERATOR
from dlbricks.trace.types import Lane, Level, Trace, TraceClock, Value

CLOCK = "onnxruntime"
"""Name of the clock: times since the profile of one session began."""
_HOST = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownFacts:
    """What is known of the network beside its profile."""

    sources: Mapping[str, tuple[str, ...]]
    parameter_bytes: Mapping[str, int]


def read_onnxruntime(path: Path, source: Model | None = None, *, name: str = "") -> Trace:
    """Read a profile file of onnxruntime.

    Args:
        path: of the file.
        source: the network, to say which of its layers a node is of; None where it is not at hand.
        name: of the network; that of ``source`` by default.

    Raises:
        InputError: the file cannot be read, or is no profile of onnxruntime.
    """
    try:
        profile = load_profile(path)
    except HarnessError as error:
        raise InputError(str(error)) from error
    return trace_of_profile(profile, source, name=name)


def trace_of_profile(
    profile: LayerProfile,
    source: Model | None = None,
    *,
    executed: Model | None = None,
    skip: int = 0,
    name: str = "",
    batch: int | None = None,
    unix_start_ns: int | None = None,
) -> Trace:
    """Make the trace of a profile.

    Args:
        profile: as ``harness.layerprofile`` reads it.
        source: the network as given, to say which of its layers an executed one is of.
        executed: the graph that was profiled, if it is known (``model.lowering``); it knows better than names which
            layers were fused, and the constants that the runtime packed.
        skip: calls at the beginning that are left out.
        name: of the calls; that of ``source`` by default.
        batch: inputs of each call.
        unix_start_ns: when the profile began, ns since 1970 (``InferenceSession.get_profiling_start_time_ns``).
    """
    clock = TraceClock(name=CLOCK, unix_offset_ns=unix_start_ns, resolution_ns=RESOLUTION_NS)
    builder = TraceBuilder(clock=clock, notes=list(profile.notes))
    calls = profile.calls[skip:]
    known = _known(calls, source, executed)
    called = name or (source.name if source else "") or "model_run"
    for index, call in enumerate(calls):
        lane = _lane(profile, call.thread)
        own: dict[str, Any] = {"index": index} if batch is None else {"index": index, "batch": batch}
        parent = builder.add(Level.MODEL, CALL, called, lane, call.start_ns, call.end_ns, **own)
        _add_layers(builder, profile, call, parent, known)
    if not calls:
        builder.notes.append("no call was recorded whole: profile more calls")
    builder.notes += _device_notes(calls)
    return builder.built()


def _lane(profile: LayerProfile, thread: int) -> Lane:
    return Lane(process=str(profile.process), name=f"thread {thread}")


def _known(calls: Iterable[ProfiledCall], source: Model | None, executed: Model | None) -> _KnownFacts:
    constants: dict[str, int] = {}
    for layer in executed.layers if executed else ():
        held = {tensor for tensor in layer.reads if executed and tensor in executed.constants}
        constants[layer.name] = sum(executed.constants[tensor].spec.nbytes for tensor in held) if executed else 0
    if source is None:
        return _KnownFacts(sources={}, parameter_bytes=constants)
    if executed is not None:
        return _KnownFacts(sources=origins(executed, source), parameter_bytes=constants)
    names = {node.name for call in calls for node in call.layers}
    return _KnownFacts(sources=origins_by_name(names, source), parameter_bytes=constants)


def _add_layers(
    builder: TraceBuilder, profile: LayerProfile, call: ProfiledCall, parent: int, known: _KnownFacts
) -> None:
    rows: list[int] = []
    index = 0
    for node in call.nodes:
        above = parent if node.parent is None else rows[node.parent]
        attributes = _attributes(node)
        if node.parent is None:
            attributes["index"] = index
            index += 1
            if known.sources.get(node.name):
                attributes["source_layers"] = " ".join(known.sources[node.name])
            if node.name in known.parameter_bytes:
                attributes["parameter_bytes"] = known.parameter_bytes[node.name]
        lane = _lane(profile, node.thread)
        rows.append(
            builder.add(Level.LAYER, OPERATOR, node.name, lane, node.start_ns, node.end_ns, parent=above, **attributes)
        )


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


def _device_notes(calls: Iterable[ProfiledCall]) -> list[str]:
    devices = sorted({_short(node.provider) for call in calls for node in call.nodes if node.provider} - {_HOST})
    if not devices:
        return []
    return [f"layers on {', '.join(devices)} last as long as the host took to hand them over, not as long as they ran"]
