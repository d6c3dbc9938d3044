"""Adds to spans the operations and bytes of layers, and hardware counters of calls.

Counters are read in separate calls after the timed ones and averaged, so they do not affect latencies.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.harness.cpu import HardwareCounts, count_events, why_not_hardware
from dlbricks.harness.errors import HarnessError
from dlbricks.model.types import Model
from dlbricks.operators.costs import layer_costs
from dlbricks.operators.table import kernel
from dlbricks.profile.gpu_counters import GpuCounts, count
from dlbricks.trace.build import with_attribute, with_columns, with_values
from dlbricks.trace.types import NONE, Level, Longs, Trace, Value

_FIGURES = ("flops", "read_bytes", "written_bytes", "parameter_bytes")
# Element type of 8-bit integer products, as in roofs.
_WHOLE = "int8"


def annotated(trace: Trace, executed: Model, dtypes: Mapping[str, str] | None = None) -> Trace:
    """Add operations, bytes read and written, bytes of constants to layers; note what lacks costs.

    Layers that multiply 8-bit integers and return floats have the element type of their products, whose roof applies.
    Layers inside bodies are unchanged: the layer around them has the costs of all iterations.

    Args:
        trace: its spans of level LAYER are named as the layers of ``executed``.
        executed: the executed graph (``model.lowering``).
        dtypes: element types in which layers are computed, by name, if the runtime reports them; otherwise they follow
            from operators. For such a runtime the bytes of layers with arithmetic are those of the operands that it
            reports.
    """
    outer = outer_layers(trace)
    rows = [(row, trace.names[index]) for row, index in zip(outer.tolist(), trace.name[outer].tolist(), strict=True)]
    wanted = {name for _, name in rows}
    layers = [layer for layer in executed.layers if layer.name in wanted]
    by_type = {layer.name: layer.op_type for layer in layers}
    costs = {layer.name: cost for layer in layers if (cost := layer_costs(executed, layer)) is not None}
    reported = (
        {} if dtypes is None else _operands(trace, [row for row, name in rows if name in costs and costs[name].flops])
    )
    for figure in _FIGURES:
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
    # Return the bytes that layers read and write, from the operands that the runtime reports for its nodes.
    # Fused tensors do not pass through memory, and quantised ones have fewer bits than those of the network.
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
    """Return the rows of layers that lie in no other layer."""
    rows = trace.rows(Level.LAYER)
    parents = trace.parent[rows]
    outer: Longs = rows[(parents == NONE) | (trace.level[parents] != Level.LAYER)]
    return outer


# Time limit of the calls for processor counters.
MOST_NS = 1_000_000_000
FEWEST_CALLS, MOST_CALLS = 3, 10
_FLOPS = "flops_"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Counters of a call, as attributes of its span."""

    attributes: Mapping[str, Value]
    """By the names of ``trace.kinds``; empty if nothing could be counted."""
    notes: tuple[str, ...] = ()
    """What could not be counted, and why."""


def counts_of(call: Callable[[], object], *, device: str, device_id: int, threads: int, call_ns: int) -> CallCounts:
    """Count hardware events of a call, if the machine permits it.

    Args:
        call: makes one call, warmed up, and waits for the device.
        device: ``cpu`` or ``cuda``.
        device_id: number of the device.
        threads: of the session.
        call_ns: duration of a call.
    """
    try:
        if device == "cpu":
            reason = why_not_hardware(threads)
            if reason is not None:
                return CallCounts(attributes={}, notes=(reason,))
            calls = max(FEWEST_CALLS, min(MOST_CALLS, MOST_NS // max(1, call_ns)))
            return of_processor(count_events(call, calls))
        return of_device(count(call, device_id))
    except HarnessError as error:
        return CallCounts(attributes={}, notes=(str(error),))


def of_processor(counts: HardwareCounts) -> CallCounts:
    """Return the attributes of processor counters."""
    attributes: dict[str, Value] = {"cycles": counts.cycles, "instructions": counts.instructions}
    if counts.cache_misses is None:
        return CallCounts(attributes=attributes, notes=("this processor does not count misses of its last cache",))
    return CallCounts(attributes={**attributes, "cache_misses": counts.cache_misses})


def of_device(counts: GpuCounts) -> CallCounts:
    """Return the attributes of GPU counters: each type of operation, and the sum of floating-point operations.

    The sum ``flops`` covers the counted types; notes list the others.
    """
    attributes: dict[str, Value] = {
        name: value if name == "occupancy" else round(value) for name, value in counts.per_call.items()
    }
    flops = [value for name, value in counts.per_call.items() if name.startswith(_FLOPS)]
    if flops:
        attributes["flops"] = round(sum(flops))
    notes = tuple(f"{name} was not counted: {reason}" for name, reason in counts.missing.items())
    return CallCounts(attributes=attributes, notes=notes)


def with_counts(trace: Trace, counts: CallCounts) -> Trace:
    """Add counters to the calls of a trace."""
    rows = trace.rows(Level.MODEL)
    for name, value in counts.attributes.items():
        trace = with_attribute(trace, name, rows, [value] * len(rows))
    return trace
