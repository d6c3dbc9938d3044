"""Analyses of whole calls: A1 and A15 of XSP (IPDPS 2020, Table I), and hardware counters of calls and layers.

Counters are read in separate calls (``profile.annotate``) and are attributes of the calls of their run. Counters of
single layers come from suites with one layer per benchmark (``profile.suite_run``).
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dlbricks.analysis.executions import LayerTable
from dlbricks.analysis.roofline import (
    COMPUTED,
    COUNTED,
    DeviceWork,
    Points,
    bound_columns,
    costs_note,
    counters_note,
    dtype_of_all,
    occupancy_column,
    points,
    roof_notes,
    source_column,
    work_by_call,
    work_columns,
)
from dlbricks.analysis.sources import (
    ModelTimes,
    all_model_times,
    identity,
    kernels_in,
    layers_if_any,
    layers_in,
    model_times,
)
from dlbricks.analysis.table import (
    Column,
    Floats,
    TableContent,
    UnavailableError,
    concatenated,
    flag,
    percent,
    quotient,
    real,
    select_rows,
    trimmed_mean,
    whole,
)
from dlbricks.harness.machine.cpu_counters import EVENTS
from dlbricks.profile.types import LEVELS, Profile
from dlbricks.trace import kinds
from dlbricks.trace.types import Level
from dlbricks.units import counted, format_ns

GAIN = 0.05
"""Least gain in throughput for which doubling the batch is worthwhile (XSP section III-D1)."""
# so that a gain of exactly GAIN is not above it after rounding
_ROUNDING = 1e-9
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
"""Counters of a call with their units, in display order."""


def model_information(profile: Profile) -> TableContent:
    """A1: latency and throughput of each batch, and the optimal batch."""
    timed = all_model_times(profile)
    if not timed:
        raise UnavailableError("no call was recorded")
    batches, rates = [times.batch for times in timed], throughputs(timed)
    gains = doubling_gains(batches, rates)
    best, why = optimal_batch(batches, rates)
    columns = (
        whole("batch", [batch or math.nan for batch in batches], "", "Inputs per call."),
        whole("latency_ns", [times.median_ns for times in timed], "ns", f"Median of one {timed[0].unit}."),
        whole("low_ns", [times.summary.low[0] for times in timed], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [times.summary.high[0] for times in timed], "ns", "Upper end of its 95 % interval."),
        whole(
            "trimmed_mean_ns",
            [trimmed_mean(times.samples_ns.tolist()) for times in timed],
            "ns",
            "Mean without the lowest and highest fifth, as in XSP.",
        ),
        real("throughput_per_s", rates, "1/s", "Inputs per second, at the median latency."),
        real("doubling_gain_percent", 100 * gains, "%", "Gain in throughput per doubling, up to the next batch."),
        flag(
            "optimal",
            [batch == best if len(timed) > 1 else None for batch in batches],
            "Smallest batch from which doubling gains 5 % or less.",
        ),
        whole("samples", [len(times.samples_ns) for times in timed], "", "Timed calls."),
    )
    return columns, [*(note for times in timed for note in times.notes), *why, *_doubt(timed, gains, best)]


def _doubt(timed: Sequence[ModelTimes], gains: Floats, best: int | None) -> list[str]:
    """Return a note if the latency intervals leave the optimal batch open."""
    at = next((place for place, times in enumerate(timed) if times.batch == best), None)
    if at is None or at + 1 >= len(timed):
        return []
    spread = math.hypot(
        *((times.summary.high[0] - times.summary.low[0]) / 2 / times.median_ns for times in timed[at : at + 2])
    )
    if not gains[at] + spread > GAIN:
        return []
    return [f"the optimal batch is uncertain: the gain from batch {best} has an error of {spread:.0%}"]


def throughputs(timed: Sequence[ModelTimes]) -> Floats:
    """Return inputs per second of each batch; NaN if the batch size is unknown."""
    return np.array(
        [times.batch / times.median_ns * 1e9 if times.batch and times.median_ns else math.nan for times in timed]
    )


def doubling_gains(batches: Sequence[int], rates: Floats) -> Floats:
    """Return the gain in throughput per doubling from each batch to the next, as a share; NaN for the last.

    If the next batch is not twice as large, the gain is spread evenly (geometrically) over the doublings in between.
    """
    gains = np.full(len(batches), np.nan)
    for at in range(len(batches) - 1):
        if batches[at] and rates[at] > 0:
            doublings = math.log2(batches[at + 1] / batches[at])
            gains[at] = (rates[at + 1] / rates[at]) ** (1 / doublings) - 1
    return gains


def optimal_batch(batches: Sequence[int], rates: Floats) -> tuple[int | None, list[str]]:
    """Return the smallest batch from which doubling gains at most ``GAIN`` (XSP's rule), with notes.

    Args:
        batches: ascending.
        rates: throughput of each batch.

    Returns:
        None if every measured doubling gains more, or with fewer than two batches.
    """
    if len(batches) < 2:
        return None, ["the optimal batch needs runs of several batches"]
    for batch, gain in zip(batches, doubling_gains(batches, rates).tolist(), strict=True):
        if gain <= GAIN + _ROUNDING:
            return batch, []
    return None, [f"no optimal batch: doubling still gains more than {GAIN:.0%} up to the largest batch, {batches[-1]}"]


def kernels_by_model(profile: Profile) -> TableContent:
    """A15: kernels of a whole call, by batch."""
    rows: list[tuple[Column, ...]] = []
    notes: list[str] = []
    reasons = []
    for batch in profile.batches:
        try:
            row, more = _kernels_of_batch(profile, batch)
        except UnavailableError as error:
            reasons.append(str(error))
        else:
            rows.append(row)
            notes += more
    if not rows:
        raise UnavailableError(reasons[0] if reasons else "no call was recorded")
    return concatenated(rows), notes


def _kernels_of_batch(profile: Profile, batch: int) -> tuple[tuple[Column, ...], list[str]]:
    """Return the row of A15 for one batch, with notes."""
    kernels, more = kernels_in(profile, batch)
    work, times = work_by_call(kernels), model_times(profile, batch)
    own, counts = layers_if_any(profile, batch), call_counters(profile, batch)
    at, source = call_points(profile, own, work, work.busy_ns, counts)
    latency = np.array([math.nan if times is None else times.median_ns])
    occupancy = counts.get(OCCUPANCY, math.nan) if np.isnan(work.occupancy[0]) else work.occupancy[0]
    columns = (
        whole("batch", [batch or math.nan], "", "Inputs per call."),
        whole("latency_ns", latency, "ns", "Latency of the call, without kernel tracing."),
        whole("kernels", work.kernels, "", "Kernels in one call, without copies and memsets."),
        whole("kernel_ns", work.kernel_ns, "ns", "Sum of kernel times; overlap counts twice."),
        whole("copy_ns", work.copy_ns, "ns", "Sum of the times of copies and memsets."),
        whole("busy_ns", work.busy_ns, "ns", "Union of the intervals in which a device was busy."),
        real("busy_percent", percent(work.busy_ns, np.fmax(latency, work.busy_ns)), "%",
             "Share of the latency; 100 if device work outlasts the call."),
        *work_columns(at),
        occupancy_column(np.array([occupancy])),
        *bound_columns(at),
        source_column([source]),
    )  # fmt: skip
    notes = [*more, *(times.notes if times else ())]
    if work.busy_ns[0] > latency[0]:
        longer = format_ns(float(work.busy_ns[0] - latency[0]))
        notes.append(f"devices are busy with a call for {longer} longer than its host latency: calls overlap there")
    notes += [] if source == COUNTED else counters_note(work)
    notes += costs_note(own) if source == COMPUTED and own is not None else []
    return columns, [*notes, *roof_notes(profile.roofs, at)]


def call_points(
    profile: Profile, layers: LayerTable | None, work: DeviceWork | None, time_ns: Floats, counters: Mapping[str, float]
) -> tuple[Points, str]:
    """Place the whole call in the roofline model; return the source of its FLOPs and bytes, empty if unknown.

    Args:
        profile: profile with measured roofs.
        layers: layers of the call, or None.
        work: work of its kernels, or None.
        time_ns: time of the call.
        counters: counters of the whole call (``call_counters``), used if kernels have none.
    """
    names, source = ("flops", "dram_read_bytes", "dram_write_bytes"), COUNTED
    if work is not None and work.counted:
        sides, source = [work.flops, work.read_bytes, work.written_bytes], work.source
    elif all(name in counters for name in names):
        sides = [np.array([counters[name]]) for name in names]
    else:
        sides = [_added(layers, name) for name in ("flops", "read_bytes", "written_bytes")]
        source = "" if np.isnan(sides[1]).any() else COMPUTED
    dtypes = ["" if layers is None else dtype_of_all(layers)]
    flops, read, written = sides
    return points(flops, read, written, time_ns, roofs=profile.roofs, dtypes=dtypes), source


def _added(layers: LayerTable | None, name: str) -> Floats:
    """Return the sum of a figure over the layers that have it (see ``costs_note``); NaN if none has."""
    figures = np.full(1, math.nan) if layers is None else layers.figures(name)
    return np.array([math.nan if np.isnan(figures).all() else np.nansum(figures)])


def call_counters(profile: Profile, batch: int) -> dict[str, float]:
    """Return the counters of a call, median over calls, by the names of ``UNITS``; empty if none.

    Each counter comes from the least disturbed run that has it.
    """
    counters: dict[str, float] = {}
    for run in (profile.run(levels, batch) for levels in LEVELS):
        if run is None:
            continue
        calls = run.trace.rows(Level.MODEL, kinds.CALL)
        for name in UNITS:
            values = run.trace.column(name, calls)
            finite = values[np.isfinite(values)]
            if len(finite):
                counters.setdefault(name, float(np.median(finite)))
    return counters


def counters_of_layers(profile: Profile) -> TableContent:
    """Return the processor's counters by layer, with instructions and operations per cycle."""
    layers, notes = layers_in(profile)
    cycles, instructions, misses = (layers.figures(name) for name in EVENTS)
    shown = np.flatnonzero(~np.isnan(cycles))
    if not len(shown):
        reasons = "; ".join(note for note in profile.notes if "CPU counters" in note)
        raise UnavailableError(
            "counters can only be read around calls: 'generate -H 1 --target onnxruntime-cpu' makes a suite of single "
            "layers, and 'run --trace ML' counts each" + (f"; {reasons}" if reasons else "")
        )
    flops = layers.figures("flops")
    columns = (
        *identity(layers),
        whole("latency_ns", layers.latencies().median, "ns", "Median over calls."),
        whole("cycles", cycles, "", "Of the calling thread, minus those of an empty call."),
        whole("instructions", instructions, "", "Retired, minus those of an empty call."),
        whole("cache_misses", misses, "", "Last-level cache misses, minus those of an empty call."),
        real("instructions_per_cycle", quotient(instructions, cycles)),
        real("misses_per_thousand", quotient(1000 * misses, instructions), "", "Misses per 1000 instructions."),
        real("flops_per_cycle", quotient(flops, cycles), "", "FLOPs computed from shapes, per cycle."),
    )
    missing = [f"not counted: {counted(len(layers) - len(shown), 'layer')}"] if len(shown) < len(layers) else []
    return select_rows(columns, shown), [*notes, *missing, "counted in separate calls, which are not timed"]


def counters_of_calls(profile: Profile) -> TableContent:
    """Return every counter of a call by batch, and instructions per cycle."""
    counters = {batch: counts for batch in profile.batches if (counts := call_counters(profile, batch))}
    if not counters:
        why = "; ".join(note for note in profile.notes if "counter" in note.lower())
        raise UnavailableError(
            f"no counters of calls: {why or 'dlbricks doctor says what is permitted and how to permit it'}"
        )
    values = {name: np.array([counts.get(name, math.nan) for counts in counters.values()]) for name in UNITS}
    meanings = {name: f"{kinds.ATTRIBUTES[name]}.".capitalize() for name in UNITS}
    columns = (
        whole("batch", [batch or math.nan for batch in counters], "", "Inputs per call."),
        *(whole(name, values[name], UNITS[name], meanings[name]) for name in UNITS if name != OCCUPANCY),
        occupancy_column(values[OCCUPANCY]),
        real("instructions_per_cycle", quotient(values["instructions"], values["cycles"])),
    )
    return columns, ["counted in separate calls, which are not timed"]
