"""Analyses of whole calls: A1 and A15 of XSP (IPDPS 2020, Table I). Pure."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dlbricks.analysis.columns import flag, percent, real, whole
from dlbricks.analysis.counters import OCCUPANCY, call_counters
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.roofline import Points, bound_columns, points, roof_notes, work_columns
from dlbricks.analysis.sources import Answer, ModelTimes, kernels_in, layers_in, model_times
from dlbricks.analysis.statistics import Floats
from dlbricks.analysis.work import (
    COMPUTED,
    COUNTED,
    DeviceWork,
    costs_note,
    counters_note,
    dtype_of_all,
    occupancy_column,
    source_column,
    work_by_call,
)
from dlbricks.profile.nouns import Profile
from dlbricks.profile.overhead import trimmed_mean

GAIN = 0.05
"""Doubling the batch has to gain more throughput than this share to be worth it (XSP section III-D1)."""
_ROUNDING = 1e-9
_SIDES = ("flops", "dram_read_bytes", "dram_write_bytes")
"""Counters that place a call under the roofs."""


def model_information(profile: Profile) -> Answer:
    """A1: latency and throughput of each batch, and the optimal batch."""
    found = [one for one in (model_times(profile, batch) for batch in profile.batches) if one is not None]
    if not found:
        return "no call was recorded"
    medians = np.array([one.median_ns for one in found])
    gains = doubling_gains([one.batch for one in found], throughputs(found))
    best, why = optimal_batch([one.batch for one in found], throughputs(found))
    columns = (
        whole("batch", [one.batch or math.nan for one in found], "", "Inputs per call."),
        whole("latency_ns", medians, "ns", f"Median of one {found[0].unit}."),
        whole("low_ns", [one.summary.low[0] for one in found], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [one.summary.high[0] for one in found], "ns", "Upper end of its 95 % interval."),
        whole("trimmed_mean_ns", [trimmed_mean(one.samples_ns.tolist()) for one in found], "ns", "As XSP averages."),
        real("throughput_per_s", throughputs(found), "1/s", "Inputs per second, of the median."),
        real("doubling_gain_percent", 100 * gains, "%", "Throughput gained by doubling, towards the next batch."),
        flag(
            "optimal",
            [one.batch == best if len(found) > 1 else None for one in found],
            "Smallest batch where doubling gains 5 % or less.",
        ),
        whole("samples", [len(one.samples_ns) for one in found], "", "Timed calls."),
    )
    return columns, [*(note for one in found for note in one.notes), *why, *_doubt(found, gains, best)]


def _doubt(found: Sequence[ModelTimes], gains: Floats, best: int | None) -> list[str]:
    """Say so where the intervals of latencies leave open whether doubling gains more."""
    at = next((place for place, one in enumerate(found) if one.batch == best), None)
    if at is None or at + 1 >= len(found):
        return []
    spread = math.hypot(*((one.summary.high[0] - one.summary.low[0]) / 2 / one.median_ns for one in found[at : at + 2]))
    if not gains[at] + spread > GAIN:
        return []
    return [f"the optimal batch is not certain: the gain from batch {best} is known to {spread:.0%} only"]


def throughputs(found: Sequence[ModelTimes]) -> Floats:
    """Give inputs per second of each batch; NaN where the batch is not known."""
    return np.array([one.batch / one.median_ns * 1e9 if one.batch and one.median_ns else math.nan for one in found])


def doubling_gains(batches: Sequence[int], rates: Floats) -> Floats:
    """Give, for each batch, what one doubling gains on the way to the next batch, as a share; NaN for the last.

    Where the next batch is not twice as large, the gain is spread evenly over the doublings in between.
    """
    gains = np.full(len(batches), np.nan)
    for at in range(len(batches) - 1):
        if batches[at] and rates[at] > 0:
            doublings = math.log2(batches[at + 1] / batches[at])
            gains[at] = (rates[at + 1] / rates[at]) ** (1 / doublings) - 1
    return gains


def optimal_batch(batches: Sequence[int], rates: Floats, gain: float = GAIN) -> tuple[int | None, list[str]]:
    """Give the smallest batch from which doubling gains no more than ``gain`` (XSP's rule), with notes.

    Args:
        batches: ascending.
        rates: inputs per second of each.
        gain: as a share.

    Returns:
        None where doubling still pays from every batch whose double was measured.
    """
    if len(batches) < 2:
        return None, ["the optimal batch needs runs of several batches"]
    gains = doubling_gains(batches, rates)
    for batch, one in zip(batches, gains.tolist(), strict=True):
        if one <= gain + _ROUNDING:
            return batch, []
    return None, [f"no optimal batch: doubling still gains more than {gain:.0%} up to the largest batch, {batches[-1]}"]


def kernels_by_model(profile: Profile) -> Answer:
    """A15: kernels of a whole call, for each batch."""
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    reason = ""
    for batch in profile.batches:
        found = kernels_in(profile, batch)
        if isinstance(found, str):
            reason = reason or found
            continue
        kernels, said = found
        work, times = work_by_call(kernels), model_times(profile, batch)
        layers = layers_in(profile, batch)
        own, counted = None if isinstance(layers, str) else layers[0], call_counters(profile, batch)
        at, source = call_points(profile, own, work, work.busy_ns, counted)
        latency = math.nan if times is None else times.median_ns
        occupancy = counted.get(OCCUPANCY, math.nan) if np.isnan(work.occupancy[0]) else work.occupancy[0]
        rows.append(
            {
                "batch": batch or math.nan,
                "latency": latency,
                "work": work,
                "occupancy": occupancy,
                "points": at,
                "source": source,
            }
        )
        notes += [*said, *(times.notes if times else ())]
        notes += [] if source == COUNTED else counters_note(work)
        notes += costs_note(own) if source == COMPUTED and own is not None else []
        notes += roof_notes(profile.roofs, at)
    if not rows:
        return reason or "no call was recorded"
    return _by_model_columns(rows), notes


def _by_model_columns(rows: Sequence[dict[str, Any]]) -> tuple[Column, ...]:
    def figures(name: str) -> Floats:
        return np.array([getattr(row["work"], name)[0] for row in rows])

    latency, busy = np.array([row["latency"] for row in rows]), figures("busy_ns")
    return (
        whole("batch", [row["batch"] for row in rows], "", "Inputs per call."),
        whole("latency_ns", latency, "ns", "Of the call, undisturbed."),
        whole("kernels", figures("kernels"), "", "Kernels in one call; copies and memsets are none."),
        whole("kernel_ns", figures("kernel_ns"), "ns", "Sum of kernel times; what overlaps counts twice."),
        whole("copy_ns", figures("copy_ns"), "ns", "Sum of copies and memsets."),
        whole("busy_ns", busy, "ns", "Time during which a device was busy: a union."),
        real("busy_percent", percent(busy, latency), "%", "Of the latency; above 100 where work outlasts its call."),
        *(_joined([work_columns(row["points"]) for row in rows])),
        occupancy_column(np.array([row["occupancy"] for row in rows])),
        *(_joined([bound_columns(row["points"]) for row in rows])),
        source_column([row["source"] for row in rows]),
    )


def _joined(parts: Sequence[tuple[Column, ...]]) -> list[Column]:
    """Put tables of one row each below each other."""
    return [
        Column(
            name=same[0].name,
            type=same[0].type,
            unit=same[0].unit,
            meaning=same[0].meaning,
            cells=tuple(cell for one in same for cell in one.cells),
        )
        for same in zip(*parts, strict=True)
    ]


def call_points(
    profile: Profile, layers: Layers | None, work: DeviceWork | None, time_ns: Floats, counters: Mapping[str, float]
) -> tuple[Points, str]:
    """Place the whole call under the roofs, and say whether its figures are counted or computed; empty for neither.

    Args:
        profile: whose roofs count.
        layers: of the call; None where they are not known.
        work: of its kernels; None where they are not known.
        time_ns: of the call.
        counters: of the call as a whole (``call_counters``), which count where those of its kernels are not there.
    """
    dtypes = ["" if layers is None else dtype_of_all(layers)]
    if work is not None and work.counted:
        sides = (work.flops, work.read_bytes, work.written_bytes)
        return points(*sides, time_ns, roofs=profile.roofs, dtypes=dtypes), COUNTED
    if all(name in counters for name in _SIDES):
        flops, read, written = (np.array([counters[name]]) for name in _SIDES)
        return points(flops, read, written, time_ns, roofs=profile.roofs, dtypes=dtypes), COUNTED
    flops, read, written = (_added(layers, name) for name in ("flops", "read_bytes", "written_bytes"))
    source = "" if np.isnan(read).any() else COMPUTED
    return points(flops, read, written, time_ns, roofs=profile.roofs, dtypes=dtypes), source


def _added(layers: Layers | None, name: str) -> Floats:
    """Add up a figure of layers, of those that have it (``costs_note``); NaN where none has."""
    figures = np.full(1, math.nan) if layers is None else layers.figures(name)
    return np.array([math.nan if np.isnan(figures).all() else np.nansum(figures)])
