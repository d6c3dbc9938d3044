"""Analyses of calls and their layers: A1 to A7 of XSP (IPDPS 2020, Table I), the overhead of levels, and counters.

The overhead of a level of tracing is the latency of the run that records it, minus the latency of the run without it
(leveled experiments, XSP, section III-C). Calls of all levels alternate in rounds, and differences are taken per round,
so that drift of the machine cancels. Counters are read in separate calls (``profile.counters``).
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.executions import (
    LayerTable,
    ModelTimes,
    all_model_times,
    calls_of,
    first_run,
    identity,
    layers_in,
)
from dlbricks.analysis.roofline import occupancy_column
from dlbricks.analysis.table import (
    Column,
    Floats,
    TableContent,
    UnavailableError,
    analysis,
    flag,
    grouped,
    latency,
    over_calls,
    percent,
    quotient,
    ranked,
    real,
    select_rows,
    text,
    whole,
)
from dlbricks.harness.stats import median_interval
from dlbricks.statistics import trimmed_mean
from dlbricks.trace import kinds
from dlbricks.trace.intervals import nearest
from dlbricks.trace.types import LEVELS, NONE, Level, LevelRun, Profile

# Least gain in throughput for which doubling the batch is worthwhile (XSP section III-D1).
GAIN = 0.05
# Tolerance, so that a gain of exactly ``GAIN`` is not above it because of rounding.
_ROUNDING = 1e-9
OCCUPANCY = "occupancy"
_FLOPS = "Floating-point operations of a call, counted."
# Counters of a call with their units and meanings, in display order.
COUNTERS: Mapping[str, tuple[str, str]] = {
    "cycles": ("", "Cycles of a call, counted."),
    "instructions": ("", "Instructions of a call, counted."),
    "cache_misses": ("", "Misses of the last-level cache in a call, counted."),
    "flops": ("flop", _FLOPS),
    "dram_read_bytes": ("B", "Bytes that a call reads from device memory, counted."),
    "dram_write_bytes": ("B", "Bytes that a call writes to device memory, counted."),
    OCCUPANCY: ("", ""),
}
_TRIMMED = "Mean without the lowest and the highest fifth of the samples, as in XSP."


@analysis("A1", "Model information")
def model_information(profile: Profile) -> TableContent:
    """Return table A1 of XSP: latency and throughput of each batch size, and the optimal batch size."""
    timed = all_model_times(profile)
    if not timed:
        raise UnavailableError("no call was recorded")
    batches, rates = [times.batch for times in timed], throughputs(timed)
    gains = doubling_gains(batches, rates)
    best, why = optimal_batch(batches, rates)
    trimmed = [trimmed_mean(times.samples_ns.tolist()) for times in timed]
    optimal = [batch == best if len(timed) > 1 else None for batch in batches]
    columns = (
        whole("batch", [batch or math.nan for batch in batches], "", "Inputs per call."),
        whole("latency_ns", [times.median_ns for times in timed], "ns", f"Median of one {timed[0].unit}."),
        whole("low_ns", [times.summary.low[0] for times in timed], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [times.summary.high[0] for times in timed], "ns", "Upper end of its 95 % interval."),
        whole("trimmed_mean_ns", trimmed, "ns", _TRIMMED),
        real("throughput_per_s", rates, "1/s", "Inputs per second, at the median latency."),
        real("doubling_gain_percent", 100 * gains, "%", "Gain in throughput per doubling, up to the next batch size."),
        flag("optimal", optimal, "Whether it is the smallest batch size whose doubling gains 5 % or less."),
        whole("samples", [len(times.samples_ns) for times in timed], "", "Timed calls."),
    )
    return columns, [*(note for times in timed for note in times.notes), *why, *_doubt(timed, gains, best)]


def _doubt(timed: Sequence[ModelTimes], gains: Floats, best: int | None) -> list[str]:
    # Return a note if the latency intervals leave the optimal batch open.
    at = next((place for place, times in enumerate(timed) if times.batch == best), len(timed))
    pair = [times.summary for times in timed[at : at + 2]]
    if len(pair) < 2:
        return []
    spread = math.hypot(*((times.high[0] - times.low[0]) / 2 / times.median[0] for times in pair))
    if not gains[at] + spread > GAIN:
        return []
    return [f"the optimal batch is uncertain: the gain from batch {best} has an error of {spread:.0%}"]


def throughputs(timed: Sequence[ModelTimes]) -> Floats:
    """Return the throughput at each batch size, in inputs per second; NaN if the batch size is unknown."""
    return np.array(
        [times.batch / times.median_ns * 1e9 if times.batch and times.median_ns else math.nan for times in timed]
    )


def doubling_gains(batches: Sequence[int], rates: Floats) -> Floats:
    """Return the relative gain in throughput by doubling each batch size; NaN for the largest batch size.

    If the next batch size is not twice as large, the gain is the geometric mean over the doublings up to it.
    """
    gains = np.full(len(batches), np.nan)
    for at in range(len(batches) - 1):
        if batches[at] and rates[at] > 0:
            doublings = math.log2(batches[at + 1] / batches[at])
            gains[at] = (rates[at + 1] / rates[at]) ** (1 / doublings) - 1
    return gains


def optimal_batch(batches: Sequence[int], rates: Floats) -> tuple[int | None, list[str]]:
    """Return the smallest batch size whose doubling raises throughput by at most ``GAIN`` (XSP's rule), and notes.

    Returns:
        None for the batch size if every measured doubling gains more, or if there are fewer than two batch sizes.
    """
    if len(batches) < 2:
        return None, ["the optimal batch size needs runs of several batch sizes"]
    for batch, gain in zip(batches, doubling_gains(batches, rates).tolist(), strict=True):
        if gain <= GAIN + _ROUNDING:
            return batch, []
    return None, [f"no optimal batch: doubling still gains more than {GAIN:.0%} up to the largest batch, {batches[-1]}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFigure:
    """Median of measured times with its interval, and their trimmed mean, ns."""

    median_ns: float
    low_ns: float
    """Lower end of the 95 % interval of the median; ``high_ns`` is the upper end."""
    high_ns: float
    trimmed_mean_ns: float
    """Mean without the lowest and the highest fifth of the times, as in XSP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOverhead:
    """The latency of a call at one level of tracing, and the overhead that this level adds."""

    batch: int
    levels: str
    calls: int
    latency: TimeFigure
    """Latency of a call."""
    over: str
    """Tracing levels of the run that is subtracted to compute the overhead; empty for the first level."""
    added: TimeFigure | None
    """Overhead per call; None for the first level."""
    relative: float | None
    """Median overhead, divided by the median latency of the subtracted run; None for the first level."""
    relative_low: float | None
    relative_high: float | None


def overheads(profile: Profile) -> tuple[LevelOverhead, ...]:
    """Return the overhead that each level of tracing adds to a call, sorted by batch size and level."""
    level_overheads = []
    for batch in profile.batches:
        runs = [run for levels in LEVELS if (run := profile.run(levels, batch)) is not None and run.samples_ns]
        level_overheads += [_overhead(run, before) for run, before in zip(runs, [None, *runs], strict=False)]
    return tuple(level_overheads)


def _overhead(run: LevelRun, before: LevelRun | None) -> LevelOverhead:
    added = None if before is None else _difference(run.samples_ns, before.samples_ns)
    base = 0.0 if before is None else statistics.median(before.samples_ns)
    shares = (added.median_ns / base, added.low_ns / base, added.high_ns / base) if added and base else (None,) * 3
    return LevelOverhead(
        batch=run.batch,
        levels=run.levels,
        calls=len(run.samples_ns),
        latency=_figure(run.samples_ns),
        over="" if before is None else before.levels,
        added=added,
        relative=shares[0],
        relative_low=shares[1],
        relative_high=shares[2],
    )


def _difference(longer: Sequence[int], shorter: Sequence[int]) -> TimeFigure:
    # Return the difference between two runs: per round, if both have a sample in every round.
    # Otherwise the interval is that of a difference between medians of independent samples (Price and Bonett,
    # "Distribution-free confidence intervals for difference and ratio of medians", J. Statist. Comput. Simul. 72
    # (2002)).
    if len(longer) == len(shorter):
        return _figure([long - short for long, short in zip(longer, shorter, strict=True)])
    long, short = _figure(longer), _figure(shorter)
    half = math.hypot(long.high_ns - long.low_ns, short.high_ns - short.low_ns) / 2
    median, trimmed = long.median_ns - short.median_ns, long.trimmed_mean_ns - short.trimmed_mean_ns
    return TimeFigure(median_ns=median, low_ns=median - half, high_ns=median + half, trimmed_mean_ns=trimmed)


def _figure(values: Sequence[float]) -> TimeFigure:
    median, low, high = median_interval(values)
    return TimeFigure(median_ns=median, low_ns=low, high_ns=high, trimmed_mean_ns=trimmed_mean(values))


@analysis("overhead", "Overhead of each tracing level")
def level_overhead(profile: Profile) -> TableContent:
    """Return a table of the overhead per call that each level of tracing adds (XSP section III-C)."""
    levels = overheads(profile) if profile.runtime else ()
    if not levels:
        raise UnavailableError("needs calls timed by dlbricks: this trace is from another tool; run 'dlbricks profile'")
    if len({level.levels for level in levels}) == 1:
        raise UnavailableError(
            f"needs several levels of tracing, but the profile has only {levels[0].levels}: make another profile"
        )
    unknown = TimeFigure(median_ns=math.nan, low_ns=math.nan, high_ns=math.nan, trimmed_mean_ns=math.nan)
    times, added = [level.latency for level in levels], [level.added or unknown for level in levels]
    columns = (
        whole("batch", [level.batch for level in levels], "", "Inputs per call."),
        text("levels", [level.levels for level in levels], "Levels that the run records."),
        whole("calls", [level.calls for level in levels], "", "Number of timed calls."),
        whole("latency_ns", [figure.median_ns for figure in times], "ns", "Median latency of a call."),
        whole("low_ns", [figure.low_ns for figure in times], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [figure.high_ns for figure in times], "ns", "Upper end of its 95 % interval."),
        whole("trimmed_mean_ns", [figure.trimmed_mean_ns for figure in times], "ns", _TRIMMED),
        text("over", [level.over for level in levels], "Levels of the run that is subtracted."),
        whole("added_ns", [figure.median_ns for figure in added], "ns", "Median over rounds of what the level adds."),
        whole("added_low_ns", [figure.low_ns for figure in added], "ns", "Lower end of that overhead's 95 % interval."),
        whole("added_high_ns", [figure.high_ns for figure in added], "ns", "Upper end of its 95 % interval."),
        real("added_percent", [math.nan if level.relative is None else 100 * level.relative for level in levels], "%"),
    )
    return columns, ["levels alternate; added: median difference over rounds; latencies of networks are from level M"]


def call_counters(profile: Profile, batch: int) -> dict[str, float]:
    """Return hardware counters of a call by name (``COUNTERS``), as medians over calls; empty if none was read.

    Each counter comes from the least disturbed run that has it.
    """
    counters: dict[str, float] = {}
    for run in (profile.run(levels, batch) for levels in LEVELS):
        if run is None:
            continue
        calls = run.trace.rows(Level.MODEL, kinds.CALL)
        for name in COUNTERS:
            values = run.trace.column(name, calls)
            finite = values[np.isfinite(values)]
            if len(finite):
                counters.setdefault(name, float(np.median(finite)))
    return counters


@analysis("counters", "Counters of a call")
def counters_of_calls(profile: Profile) -> TableContent:
    """Return a table of hardware counters by batch size: medians over calls, and instructions per cycle."""
    counters = {batch: counts for batch in profile.batches if (counts := call_counters(profile, batch))}
    if not counters:
        why = "; ".join(note for note in profile.notes if "counter" in note.lower())
        raise UnavailableError(f"no counters of calls were read: {why or 'dlbricks doctor says how to permit them'}")
    values = {name: np.array([counts.get(name, math.nan) for counts in counters.values()]) for name in COUNTERS}
    columns = (
        whole("batch", [batch or math.nan for batch in counters], "", "Inputs per call."),
        *(whole(name, values[name], *COUNTERS[name]) for name in COUNTERS if name != OCCUPANCY),
        occupancy_column(values[OCCUPANCY]),
        real("instructions_per_cycle", quotient(values["instructions"], values["cycles"])),
    )
    on_gpu = not np.isnan(values["dram_read_bytes"]).all() and np.isnan(values["flops"]).all()
    lacking = "; a GPU's operations cannot be sampled: A15 computes them from shapes" if on_gpu else ""
    return columns, [f"events were counted in separate calls, which are not timed{lacking}"]


@analysis("python", "Python functions")
def python_functions(profile: Profile) -> TableContent:
    """Return a table of Python functions by their time without the functions that they call, from recorded stacks."""
    run = first_run(profile, LEVELS[::-1])
    rows = np.zeros(0, np.int64) if run is None else run.trace.rows(Level.LIBRARY, kinds.PYTHON)
    if run is None or not len(rows):
        raise UnavailableError("needs frames of Python: record the trace with torch.profiler and with_stack=True")
    trace, calls = run.trace, calls_of(run.trace)
    is_frame = np.isin(np.arange(len(trace)), rows)
    callers = np.append(nearest(trace.parent, is_frame), NONE)[trace.parent]
    within = np.bincount(callers[rows] + 1, weights=trace.duration_ns[rows], minlength=len(trace) + 1)[1:]
    rows = rows[calls.of[rows] != NONE]
    own = trace.duration_ns[rows] - within[rows]
    names, group = grouped([trace.names[name] for name in trace.name[rows].tolist()])
    times = over_calls(group, calls.of[rows], own, len(names)).median
    count = over_calls(group, calls.of[rows], np.ones(len(rows)), len(names)).median
    longest = {int(group[at]): int(rows[at]) for at in np.argsort(own, kind="stable").tolist()}
    stacks = []
    for place in range(len(names)):
        row, stack = int(callers[longest[place]]), list[str]()
        while row != NONE:
            stack.append(trace.names[trace.name[row]])
            row = int(callers[row])
        stacks.append(" < ".join(stack))
    columns = (
        text("function", names),
        whole("count", count, "", "Calls of the function per step or call of the network."),
        whole("latency_ns", times, "ns", "Time in the function and its operators, without the functions it calls."),
        real("share_percent", percent(times, np.nansum(times)), "%", "Share of the sum over functions."),
        text("stack", stacks, "Functions that called it, the nearest first, where it took longest."),
    )
    return select_rows(columns, ranked(times, names)), []


# Thirds of the layers, by index.
STAGES = ("begin", "middle", "end")

NO_MEMORY = (
    "the profile lacks allocations and output bytes of layers: profile the network's ONNX file, whose shapes give the "
    "output bytes"
)


@analysis("A2", "Layer information")
def layer_information(profile: Profile) -> TableContent:
    """Return table A2 of XSP: type, shape, latency and memory of every layer."""
    layers, notes = layers_in(profile)
    times = layers.latencies()
    columns = (
        *identity(layers),
        text("shape", layers.shapes, "Types and shapes of the outputs."),
        *latency(times, "the layer"),
        whole("allocated_bytes", layers.figures("allocated_bytes"), "B", "Memory allocated minus freed by the layer."),
        whole("peak_bytes", layers.figures("peak_bytes"), "B", "Most memory in use since the session was created."),
        whole("in_use_bytes", layers.figures("memory_bytes"), "B", "Memory in use after the layer."),
        whole("parameter_bytes", layers.figures("parameter_bytes"), "B", "Bytes of the constants."),
        whole("activation_bytes", layers.figures("activation_bytes"), "B", "Bytes of the inputs except constants."),
        whole("output_bytes", layers.figures("output_bytes"), "B", "Bytes of the outputs."),
        text("provider", layers.string_column("provider"), "Execution provider."),
        text("inputs", layers.string_column("inputs"), "Layers that it reads from."),
        text(
            "source_layers",
            layers.string_column("source_layers"),
            "Layers of the original network that this layer computes.",
        ),
        whole("calls", times.count, "", "Number of calls in which the layer was recorded."),
    )
    return columns, notes


@analysis("A3", "Layer latency")
def layer_latency(profile: Profile) -> TableContent:
    """Return table A3 of XSP: the latency of every layer, in order of execution."""
    layers, notes = layers_in(profile)
    times, offsets = layers.latencies(), layers.trace.start_ns[layers.rows] - layers.calls.starts[layers.call]
    meaning = "Start of the layer, from the start of its call; median over calls."
    columns = (
        *identity(layers),
        whole("offset_ns", layers.median(offsets), "ns", meaning),
        *latency(times, "the layer"),
        real("share_percent", percent(times.median, times.median.sum()), "%", "Share of the sum over layers."),
        text("stage", stages(len(layers)), "Third of the layers, by index."),
    )
    return columns, notes


@analysis("A4", "Layer memory")
def layer_memory(profile: Profile) -> TableContent:
    """Return table A4 of XSP: the memory that every layer allocates, in order of execution."""
    layers, notes = layers_in(profile)
    used, which = _memory_of(layers)
    columns = (
        *identity(layers),
        whole("memory_bytes", used, "B", "Bytes that the layer allocates, or its output bytes: the notes say which."),
        real("share_percent", _of_allocated(used), "%", "Share of all allocations; empty if the layer frees more."),
    )
    return columns, (*notes, which)


def _by_type(types: list[str], group: Any, size: Any, *columns: Column) -> tuple[Column, ...]:
    # Return columns by layer type, sorted by descending size: type, number of layers, and further columns.
    number = whole("count", np.bincount(group), "", "Number of layers.")
    return select_rows((text("type", types, "Operator."), number, *columns), ranked(size, types))


@analysis("A5", "Layer types")
def layer_types(profile: Profile) -> TableContent:
    """Return table A5 of XSP: the number of layers of each type, largest first."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    count = np.bincount(group)
    share = real("share_percent", percent(count, count.sum()), "%", "Share of all layers.")
    return _by_type(types, group, count, share), notes


@analysis("A6", "Latency by layer type")
def latency_by_type(profile: Profile) -> TableContent:
    """Return table A6 of XSP: the time of all layers of each type in a call, largest first."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    times = over_calls(group[layers.which], layers.call, layers.durations_ns, len(types))
    share = percent(times.median, np.nansum(times.median))
    columns = (
        *latency(times, "the sum over its layers"),
        real("share_percent", share, "%", "Share of the sum over types."),
    )
    return _by_type(types, group, times.median, *columns), notes


@analysis("A7", "Memory by layer type")
def memory_by_type(profile: Profile) -> TableContent:
    """Return table A7 of XSP: the memory that layers of each type allocate, largest first."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    used, which = _memory_of(layers)
    added = np.bincount(group, weights=np.nan_to_num(used))
    columns = (
        whole("memory_bytes", added, "B", "Sum of bytes allocated, or of output bytes: the notes say which."),
        real("share_percent", _of_allocated(added), "%", "Share of all types; empty if the type frees more."),
    )
    return _by_type(types, group, added, *columns), (*notes, which)


def _of_allocated(used: Any) -> Floats:
    # Return shares of memory; NaN for negative amounts, so that no share exceeds 100 %.
    allocated = np.where(used >= 0, used, np.nan)
    return percent(allocated, np.nansum(allocated))


def stages(count: int) -> list[str]:
    """Return the third of the network (one of ``STAGES``) in which each of ``count`` layers lies."""
    return [STAGES[3 * at // count] for at in range(count)]


def _memory_of(layers: LayerTable) -> tuple[Floats, str]:
    # Return the bytes of each layer, and a note on what they are.
    # Raises:
    #     UnavailableError: neither allocations nor output bytes were recorded.
    allocated, outputs = layers.figures("allocated_bytes"), layers.figures("output_bytes")
    # Runtimes report 0 for every layer where an arena holds the memory: then outputs say more.
    if np.nansum(np.abs(allocated)) > 0:
        return allocated, "memory is the bytes that the layer allocates, minus those that it frees"
    if np.isnan(outputs).all():
        raise UnavailableError(NO_MEMORY)
    why = "no allocation was recorded" if np.isnan(allocated).all() else "layers allocated nothing in these calls"
    return outputs, f"{why}, so memory is output bytes"
