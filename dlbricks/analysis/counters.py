"""What hardware counted in whole calls: operations and bytes of a device, cycles and instructions of a processor. Pure.

Counters are read in calls of their own (``profile.counting``) and are attributes of the calls at the level that has
them, so they belong to the network and not to one of its layers.
"""

import math
from collections.abc import Mapping

import numpy as np

from dlbricks.analysis.columns import real, whole
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.sources import Answer
from dlbricks.analysis.work import occupancy_column
from dlbricks.profile.nouns import LEVELS, Profile
from dlbricks.trace import kinds
from dlbricks.trace.kinds import ATTRIBUTES
from dlbricks.trace.nouns import Level

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
