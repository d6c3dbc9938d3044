"""What hardware counted: operations and bytes of a device, cycles and instructions of a processor. Pure.

Counters are read in calls of their own (``profile.counting``) and are attributes of the calls at the level that has
them, so they belong to the network; of single layers there are those of suites with one layer in each benchmark
(``profile.layercounts``).
"""

import math
from collections.abc import Mapping

import numpy as np

from dlbricks.analysis.columns import real, whole
from dlbricks.analysis.kernel_level import taken
from dlbricks.analysis.layer_level import identity
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.sources import Answer, layers_in
from dlbricks.analysis.statistics import Floats
from dlbricks.analysis.work import occupancy_column
from dlbricks.harness.machine.cpu_counters import EVENTS
from dlbricks.profile.nouns import LEVELS, Profile
from dlbricks.trace import kinds
from dlbricks.trace.kinds import ATTRIBUTES
from dlbricks.trace.nouns import Level
from dlbricks.units import counted

OCCUPANCY = "occupancy"
UNITS: Mapping[str, str] = {
    "cycles": "",
    "instructions": "",
    "cache_misses": "",
    "flops": "flop",
    "flops_float32": "flop",
    "flops_float16": "flop",
    "flops_tensor_float16": "flop",
    "flops_tensor_bfloat16": "flop",
    "flops_tensor_tf32": "flop",
    "flops_tensor_float8": "flop",
    "ops_tensor_int8": "",
    "dram_read_bytes": "B",
    "dram_write_bytes": "B",
    OCCUPANCY: "",
}
"""Every counter of a call with its unit, in the order in which they are shown."""


def call_counters(profile: Profile, batch: int) -> dict[str, float]:
    """Give what was counted in a call of a batch, by the names of ``UNITS``: the median over calls; empty for nothing.

    Of several runs the least disturbed one that has a counter tells it.
    """
    found: dict[str, float] = {}
    for run in (profile.run(levels, batch) for levels in LEVELS):
        if run is None:
            continue
        calls = run.trace.rows(Level.MODEL, kinds.CALL)
        for name in UNITS:
            values = run.trace.column(name, calls) if name in run.trace.attributes else np.zeros(0)
            known = values[np.isfinite(values)]
            if len(known):
                found.setdefault(name, float(np.median(known)))
    return found


def counters_of_layers(profile: Profile) -> Answer:
    """Give what the processor counted of each layer, and what follows: instructions and operations per cycle."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    counts = {name: layers.figures(name) for name in EVENTS}
    shown = np.flatnonzero(~np.isnan(counts["cycles"]))
    if not len(shown):
        reasons = "; ".join(note for note in profile.notes if "CPU counters" in note)
        return (
            "counters can be read around calls only: 'generate -H 1 --target onnxruntime-cpu' makes a suite of single "
            "layers, and 'run --trace ML' counts each" + (f"; {reasons}" if reasons else "")
        )

    def per(part: Floats, of: Floats) -> Floats:
        made: Floats = np.divide(part, of, out=np.full(len(of), math.nan), where=of > 0)
        return made

    cycles, instructions, misses = (counts[name] for name in ("cycles", "instructions", "cache_misses"))
    columns = (
        *identity(layers),
        whole("latency_ns", layers.latencies().median, "ns", "Median over calls."),
        whole("cycles", cycles, "", "Of the calling thread, less those of an empty call."),
        whole("instructions", instructions, "", "Completed, less those of an empty call."),
        whole("cache_misses", misses, "", "Of the last level, less those of an empty call."),
        real("instructions_per_cycle", per(instructions, cycles)),
        real("misses_per_thousand", per(1000 * misses, instructions), "", "Misses per 1000 instructions."),
        real("flops_per_cycle", per(layers.figures("flops"), cycles), "", "Operations from shapes, over cycles."),
    )
    said = [f"not counted: {counted(len(layers) - len(shown), 'layer')}"] if len(shown) < len(layers) else []
    return taken(columns, shown), [*notes, *said, "counted in calls of their own, which are not timed"]


def counters_of_calls(profile: Profile) -> Answer:
    """Give every counter of a call for each batch, and instructions per cycle."""
    found = {batch: call_counters(profile, batch) for batch in profile.batches}
    rows = [batch for batch, counted in found.items() if counted]
    if not rows:
        why = "; ".join(note for note in profile.notes if "counter" in note.lower())
        return f"nothing was counted in calls: {why or 'dlbricks doctor says what is permitted and how to permit it'}"

    def column(name: str) -> Column:
        values = np.array([found[batch].get(name, math.nan) for batch in rows])
        if name == OCCUPANCY:
            return occupancy_column(values)
        return whole(name, values, UNITS[name], f"{ATTRIBUTES[name]}.".capitalize())

    cycles, instructions = (
        np.array([found[batch].get(name, math.nan) for batch in rows]) for name in ("cycles", "instructions")
    )
    rate = np.divide(instructions, cycles, out=np.full(len(rows), math.nan), where=cycles > 0)
    columns = (
        whole("batch", [batch or math.nan for batch in rows], "", "Inputs per call."),
        *map(column, UNITS),
        real("instructions_per_cycle", rate),
    )
    return columns, ["counted in calls of their own, which are not timed"]
