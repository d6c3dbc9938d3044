"""Traces from the short form that results keep: one representative call of each benchmark that was traced. Pure.

Its times are medians over the traced calls, each begun and ended on its own, so neighbours may overlap by what medians
lose. A layer that ran several times in a body is one span with a ``count``: as long as all its executions together.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from dlbricks.errors import InputError
from dlbricks.harness.machine.cpu_counters import EVENTS
from dlbricks.harness.run.result_file import spelled
from dlbricks.harness.trace.layer_profile import RESOLUTION_NS
from dlbricks.harness.trace.short_form import HOST
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.kinds import CALL, COPY, GRAPH, KERNEL, MEMSET, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock

CLOCK = "call"
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


def short_trace(trace: Mapping[str, Any], name: str) -> Trace:
    """Make the trace of one benchmark.

    Args:
        trace: short form, texts spelled out (``harness.shortform``).
        name: of the call.

    Raises:
        IndexError: a row points to one that is not there.
        ValueError: columns are not of one length.
    """
    builder = TraceBuilder(
        clock=TraceClock(name=CLOCK, resolution_ns=RESOLUTION_NS), notes=list(trace.get("notes", ()))
    )
    call = builder.add(Level.MODEL, CALL, name, _lane(HOST), 0, trace["call_ns"], index=0, **_counts(trace))
    rows = _add_layers(builder, trace["layers"], call)
    _add_kernels(builder, trace.get("kernels", {}), [*rows, call])
    return builder.built()


def _counts(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the processor counted in a call; nothing where it was not to be had."""
    return {name: count for name, count in trace.get("counts", {}).items() if name in EVENTS}


def _add_layers(builder: TraceBuilder, layers: Mapping[str, Sequence[Any]], call: int) -> list[int]:
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
        rows.append(builder.add(Level.LAYER, OPERATOR, name, _lane(lane), offset, end, parent=above, **own))
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
            Level.LIBRARY, RUNTIME, "launch", _lane(HOST), launch, launch,
            role=Role.LAUNCH, parent=rows[layer], correlation=number,
        )  # fmt: skip
        builder.add(
            Level.KERNEL, _KINDS.get(kind, KERNEL), name, _lane(lane), offset, offset + duration,
            role=Role.EXECUTION, parent=started, correlation=number,
        )  # fmt: skip


def _lane(name: str) -> Lane:
    """Give the lane of a name as in ``host``, ``host 1`` or ``gpu 0 stream 7``."""
    device, stream, number = name.partition(" stream ")
    return (
        Lane(process=_PROCESS, name=f"stream {number}", device=device) if stream else Lane(process=_PROCESS, name=name)
    )
