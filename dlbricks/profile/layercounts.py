"""What the processor counted for single layers: of benchmarks that execute one layer, less an empty call. Pure.

The runtime tells no program when a layer begins or ends, so counters can only be read around whole calls. A benchmark
of one executed layer is that layer and the call of the runtime around it; a call of the empty graph is the latter.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dlbricks.harness.machine.cpu_counters import EVENTS, why_not_hardware
from dlbricks.harness.machine.facts import PERMITTED
from dlbricks.trace.build import with_attribute
from dlbricks.trace.nouns import Level, Trace
from dlbricks.units import counted


def with_layer_counts(
    traces: Mapping[str, Trace], empty: Trace | None, document: Mapping[str, Any]
) -> tuple[dict[str, Trace], tuple[str, ...]]:
    """Give the layers of benchmarks what was counted of them.

    Args:
        traces: of the benchmarks of a result, by fingerprint; their calls have what was counted.
        empty: of them the one of the empty graph.
        document: the result.

    Returns:
        The traces, and what has to be known of the counts, or why there are none.
    """
    nothing = {} if empty is None else _of_call(empty)
    made, several = {}, 0
    for fingerprint, trace in traces.items():
        counts = _of_call(trace)
        layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.parent == 0))
        several += bool(counts) and len(layers) > 1
        made[fingerprint] = trace
        if len(layers) == 1 and trace is not empty:
            for name, count in counts.items():
                own = max(0, round(count - nothing.get(name, 0.0)))
                made[fingerprint] = with_attribute(made[fingerprint], name, layers, [own])
    if not any(_of_call(trace) for trace in traces.values()):
        reason = _absent(document)
        return made, (reason,) if reason else ()
    notes = [] if nothing else ["CPU counters of layers hold the call around them: the empty graph was not counted"]
    if several:
        notes.append(
            f"{counted(several, 'benchmark')} execute several layers: what was counted is of all of them together and "
            "is left out; a suite of 'generate -H 1 --target onnxruntime-cpu' has one layer in each"
        )
    return made, tuple(notes)


def _of_call(trace: Trace) -> dict[str, float]:
    calls = trace.rows(Level.MODEL)
    found = {name: float(np.nanmedian(trace.column(name, calls))) for name in EVENTS if name in trace.attributes}
    return {name: count for name, count in found.items() if np.isfinite(count)}


def _absent(document: Mapping[str, Any]) -> str | None:
    """Say why nothing was counted; None where it is a matter of course: not on a processor."""
    runtime, facts = document["runtime"], document["system"]["facts_before"]
    if not str(runtime["provider"]).lower().startswith("cpu"):
        return None
    if runtime["threads"] != 1:
        return why_not_hardware(runtime["threads"])
    told = facts.get("cpu_counters")
    if told is None:
        return "CPU counters were not read by the harness of this result: generate the suite again and trace it anew"
    return None if told == PERMITTED else str(told)
