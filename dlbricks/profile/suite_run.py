"""Makes profiles of traced suite runs: all benchmarks one after the other, as one call.

Processor counters of single layers come from benchmarks that execute one layer, minus an empty call: the runtime does
not signal the start and end of a layer, so counters can only be read around whole calls.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.machine.cpu import EVENTS, why_not_hardware
from dlbricks.harness.machine.facts import PERMITTED
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.trace.build import TraceBuilder, with_attribute
from dlbricks.trace.kinds import CALL
from dlbricks.trace.read.onnxruntime import CALL_CLOCK, short_traces
from dlbricks.trace.types import Lane, Level, Trace, TraceClock
from dlbricks.units import counted

OVERHEAD = "overhead"
"""Role of the empty graph, which measures the call overhead."""
_RUN = Lane(process="suite", name="run")


def profile_of_run(document: Mapping[str, Any], place: str) -> Profile:
    """Make a profile of the result of a suite that was run with ``--trace``.

    Each benchmark is the median of its traced calls; benchmarks follow each other in the order of the suite, and layers
    are named after their benchmarks.

    Args:
        document: the result.
        place: its origin, for messages.

    Raises:
        InputError: the result has no traces, or is damaged.
    """
    try:
        names = {
            benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]
        }
        roles = {benchmark["fingerprint"]: benchmark["role"] for benchmark in document["benchmarks"]}
        traces = short_traces(document)
        runtime, system, suite = document["runtime"], document["system"], document["suite"]["name"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{place} is a damaged result: 'dlbricks check' says what is wrong with it") from error
    if not traces:
        raise InputError(f"{place} is the result of a suite without traces: run it with --trace ML, or --trace MLK")
    levels = "MLK" if any(len(trace.rows(Level.KERNEL)) for trace in traces.values()) else "ML"
    empty = next((trace for key, trace in traces.items() if roles[key] == OVERHEAD), None)
    traces, counts = with_layer_counts(traces, empty, document)
    trace = _in_a_row({f"{names[key]} {key[:12]}": trace for key, trace in traces.items()}, suite)
    run = LevelRun(batch=0, levels=levels, samples_ns=(int(trace.end_ns[0]),), trace=trace)
    traceable = sum(benchmark["role"] in TRACED_ROLES for benchmark in document["benchmarks"])
    count = f"{len(traces)} of {traceable} benchmarks were traced"
    return Profile(
        network=suite,
        system={"name": system["name"], **system["facts_before"]},
        runtime=runtime,
        runs=(run,),
        notes=(f"benchmarks of a suite one after the other, each the median of its traced calls; {count}", *counts),
    )


def _in_a_row(traces: Mapping[str, Trace], name: str) -> Trace:
    """Concatenate traces of one call each as the layers of one call."""
    clock = next(iter(traces.values())).clock
    builder = TraceBuilder(clock=TraceClock(name=CALL_CLOCK, resolution_ns=clock.resolution_ns))
    lengths = [int(trace.end_ns.max()) for trace in traces.values()]
    call = builder.add(Level.MODEL, CALL, name, _RUN, 0, sum(lengths), index=0)
    since = layers = launches = 0
    for (benchmark, trace), length in zip(traces.items(), lengths, strict=True):
        rows: dict[int, int] = {}
        for span in trace:
            if span.level == Level.MODEL:
                rows[span.row] = call
                continue
            own = dict(span.attributes)
            if "index" in own:
                own["index"] = int(own["index"]) + layers
            rows[span.row] = builder.add(
                span.level,
                span.kind,
                f"{benchmark}: {span.name}" if span.level == Level.LAYER else span.name,
                Lane(process=_RUN.process, name=span.lane.name, device=span.lane.device),
                span.start_ns + since,
                span.end_ns + since,
                role=span.role,
                parent=None if span.parent is None else rows[span.parent],
                correlation=None if span.correlation is None else span.correlation + launches,
                **own,
            )
        since += length
        layers += sum("index" in span.attributes and span.level == Level.LAYER for span in trace)
        launches += 1 + int(trace.correlation.max())
    return builder.built()


def with_layer_counts(
    traces: Mapping[str, Trace], empty: Trace | None, document: Mapping[str, Any]
) -> tuple[dict[str, Trace], tuple[str, ...]]:
    """Assign the counters of benchmarks to their layers.

    Args:
        traces: of the benchmarks of a result, by fingerprint; their calls have counters.
        empty: the trace of the empty graph.
        document: the result.

    Returns:
        The traces, and notes on the counters, or why there are none.
    """
    nothing = {} if empty is None else _of_call(empty)
    counted_traces, several = {}, 0
    for fingerprint, trace in traces.items():
        counts = _of_call(trace)
        layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.parent == 0))
        several += bool(counts) and len(layers) > 1
        counted_traces[fingerprint] = trace
        if len(layers) == 1 and trace is not empty:
            for name, count in counts.items():
                own = max(0, round(count - nothing.get(name, 0.0)))
                counted_traces[fingerprint] = with_attribute(counted_traces[fingerprint], name, layers, [own])
    if not any(_of_call(trace) for trace in traces.values()):
        reason = _absent(document)
        return counted_traces, (reason,) if reason else ()
    notes = [] if nothing else ["CPU counters of layers include the call overhead: the empty graph was not counted"]
    if several:
        notes.append(
            f"{counted(several, 'benchmark')} execute several layers; their counters, which cover all of these, are "
            "left out; a suite of 'generate -H 1 --target onnxruntime-cpu' has one layer in each"
        )
    return counted_traces, tuple(notes)


def _of_call(trace: Trace) -> dict[str, float]:
    calls = trace.rows(Level.MODEL)
    counts = {name: float(np.nanmedian(trace.column(name, calls))) for name in EVENTS if name in trace.attributes}
    return {name: count for name, count in counts.items() if np.isfinite(count)}


def _absent(document: Mapping[str, Any]) -> str | None:
    """Return why nothing was counted; None if that is expected: not on a processor."""
    runtime, facts = document["runtime"], document["system"]["facts_before"]
    if not str(runtime["provider"]).lower().startswith("cpu"):
        return None
    if runtime["threads"] != 1:
        return why_not_hardware(runtime["threads"])
    status = facts.get("cpu_counters")
    if status is None:
        return "the harness of this result does not read CPU counters: generate the suite again and trace it"
    return None if status == PERMITTED else str(status)
