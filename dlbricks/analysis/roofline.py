"""Roofline model: arithmetic intensity, rates and bounds (Williams et al., CACM 52-4, 2009; XSP section III-D3).

The intensity is FLOPs divided by bytes read and written; for a group, the ratio of sums. If bytes are 0 or unknown,
intensity and bound are unknown; if FLOPs are 0, the intensity is 0. Peak FLOP/s and memory bandwidth are called roofs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.table import Column, Flags, Floats, flag, grouped, medians, numbered, real, sums, text
from dlbricks.trace.intervals import union_by
from dlbricks.trace.types import Longs, Roofs
from dlbricks.trace.work_classes import Precision, precision_of

# Element type that is assumed if it is unknown.
DEFAULT_DTYPE = "float32"

_DTYPE = re.compile(r"[a-z]+\d*(?:e\dm\d\w*)?")
_SAME_ROOF = {"uint8": "int8"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Positions of layers or kernels in the roofline model; each array has an entry per layer or kernel."""

    flops: Floats
    read_bytes: Floats
    written_bytes: Floats
    time_ns: Floats
    intensity: Floats
    """FLOPs per byte; NaN if unknown, or if there are no bytes."""
    rate: Floats
    """FLOPs per second; NaN if unknown, or if the time is 0."""
    ideal: Floats
    """FLOPs per byte above which arithmetic is the limit; NaN if unknown."""
    attainable: Floats
    """Highest FLOP/s at this intensity; NaN if unknown."""
    least_ns: Floats
    """Shortest time at peak rates, ns; NaN if unknown."""
    unroofed: tuple[str, ...]
    """Element types without a measured peak."""

    @property
    def memory_bound(self) -> list[bool | None]:
        """Whether memory limits each point; None if unknown."""
        # Without FLOPs memory is the limit, even if the peak FLOP/s of the element type is unknown.
        sure = ~np.isnan(self.intensity) & (~np.isnan(self.ideal) | (self.attainable == 0))
        bound = np.where(np.isnan(self.ideal), self.attainable == 0, self.intensity < self.ideal)
        return [below if certain else None for below, certain in zip(bound.tolist(), sure.tolist(), strict=True)]


_TENSOR_FLOAT = "tf32"
_WHY_ABOVE = (
    "their data come from caches, Winograd's algorithm saves up to three quarters of the multiplications, or other "
    "programs ran while the roof was measured"
)


def dtype_of(named: str, shape: str) -> str:
    """Return the element type ``named``; if it is empty, the element type of a shape such as ``float16[1,64]``."""
    match = _DTYPE.match(named or shape)
    return match.group() if match else ""


def points(
    flops: Any, read_bytes: Any, written_bytes: Any, time_ns: Any, *, roofs: Roofs | None, dtypes: Sequence[str]
) -> Points:
    """Return the points of layers or kernels in the roofline model; NaN in an array stands for unknown."""
    work, read, written, time = (
        np.asarray(values, np.float64) for values in (flops, read_bytes, written_bytes, time_ns)
    )
    moved = read + written
    peak, bandwidth = _peaks(roofs, dtypes), roofs.copied_bytes_per_s if roofs else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        intensity = np.where(moved > 0, work / moved, np.nan)
        rate = np.where(time > 0, work / time * 1e9, np.nan)
        ideal = peak / bandwidth
        attainable = np.where(intensity == 0, 0 * bandwidth, np.fmin(peak, intensity * bandwidth))
        attainable = np.where(np.isnan(peak) & (intensity != 0), np.nan, attainable)
        # Without FLOPs memory is the limit, even if the peak of the element type is unknown.
        arithmetic_ns = np.where(work == 0, 0.0, work / peak * 1e9)
        least = np.maximum(arithmetic_ns, moved / bandwidth * 1e9)
    lacking = np.flatnonzero((work > 0) & np.isnan(peak))
    return Points(
        flops=work,
        read_bytes=read,
        written_bytes=written,
        time_ns=time,
        intensity=intensity,
        rate=rate,
        ideal=np.broadcast_to(ideal, work.shape),
        attainable=attainable,
        least_ns=least,
        unroofed=tuple(sorted({_roof_name(dtypes[row]) for row in lacking.tolist()})),
    )


def work_columns(at: Points, prefix: str = "") -> tuple[Column, ...]:
    """Return columns of FLOPs and bytes; ``prefix`` is ``dram_`` for bytes that the device counted."""
    written = "dram_write_bytes" if prefix else "written_bytes"
    return (
        real("flops", at.flops, "flop", "A multiply-add counts as two operations."),
        real(f"{prefix}read_bytes", at.read_bytes, "B"),
        real(written, at.written_bytes, "B"),
    )


def bound_columns(at: Points) -> tuple[Column, ...]:
    """Return columns of FLOPs per byte, FLOP/s, and the limit (memory or arithmetic)."""
    return (
        real("intensity", at.intensity, "flop/B", "FLOPs over bytes read and written; empty without bytes."),
        real("flops_per_s", at.rate, "flop/s", "FLOPs over latency."),
        flag("memory_bound", at.memory_bound, "Whether intensity is below peak over bandwidth."),
    )


def attainable_column(at: Points) -> Column:
    """Return the column of the highest attainable FLOP/s."""
    meaning = "Highest rate that the roofs allow at this intensity."
    return real("attainable_flops_per_s", at.attainable, "flop/s", meaning)


def roof_notes(roofs: Roofs | None, at: Points, rows: Any = slice(None)) -> list[str]:
    """Return notes on roofs, on points (``rows`` of them) above roofs, and on missing roofs."""
    if roofs is None:
        return ["no roofs (peak FLOP/s and memory bandwidth) were measured, so bounds are unknown"]
    how = "measured on" if roofs.measured else "theoretical for"
    rates = ", ".join(f"{rate / 1e9:.4g} Gflop/s {name}" for name, rate in sorted(roofs.flops_per_s.items()))
    notes = [f"roofs {how} {roofs.device}: {roofs.copied_bytes_per_s / 1e9:.4g} GB/s copied, {rates}"]
    quicker = (at.time_ns < at.least_ns)[rows]
    if quicker.any():
        notes.append(f"{quicker.sum()} of {len(quicker)} rows are above a roof: {_WHY_ABOVE}")
    if at.unroofed:
        notes.append(f"no peak FLOP/s was measured for {', '.join(at.unroofed)}: bounds of these rows are unknown")
    return notes


def _roof_name(dtype: str) -> str:
    return _SAME_ROOF.get(dtype, dtype) or DEFAULT_DTYPE


def _peaks(roofs: Roofs | None, dtypes: Sequence[str]) -> Floats:
    rates = roofs.flops_per_s if roofs else {}
    peaks = (rates.get(_roof_name(dtype)) or (dtype == _TENSOR_FLOAT and rates.get(DEFAULT_DTYPE)) for dtype in dtypes)
    return np.array([peak or np.nan for peak in peaks], np.float64)


COUNTED, COMPUTED = "counted", "computed"
FROM_SHAPES = "FLOPs and bytes are computed from operand shapes: each operand is read once, each result written once"
# Kernel attributes with an occupancy; the first is preferred.
OCCUPANCY = ("occupancy", "theoretical_occupancy")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceWork:
    """Times, FLOPs and bytes of groups of kernels in one call, as medians over calls."""

    kernels: Floats
    """Number of kernels, without copies and memsets."""
    kernel_ns: Floats
    """Sum of the times of kernels, ns; time in which kernels overlap counts twice."""
    copy_ns: Floats
    """Sum of the times of copies and memsets, ns."""
    busy_ns: Floats
    """Union of the intervals of kernels and copies, ns."""
    flops: Floats
    """FLOPs of each group. FLOPs and bytes are NaN if they are unknown for any kernel of the group."""
    read_bytes: Floats
    written_bytes: Floats
    occupancy: Floats
    """Mean occupancy, weighted by time, 0 to 1; NaN if unknown for a kernel."""
    source: str
    """Source of FLOPs and bytes: ``COUNTED`` by hardware, or ``COMPUTED`` from shapes in the trace."""

    @property
    def counted(self) -> bool:
        """Whether any group has FLOPs and bytes."""
        return bool((~np.isnan(self.flops) & ~np.isnan(self.read_bytes) & ~np.isnan(self.written_bytes)).any())


def device_work(kernels: KernelTable, group: Longs, groups: int) -> DeviceWork:
    """Return times, FLOPs and bytes of groups of kernels; ``group`` has the group's number for each execution."""
    cell, first = numbered(group, kernels.call)
    of, cells = group[first], len(first)
    computing, time = kernels.computing, kernels.durations_ns.astype(np.float64)
    counts = np.bincount(cell, weights=computing, minlength=cells)
    timed = np.bincount(cell, weights=time * computing, minlength=cells)
    copied = np.bincount(cell, weights=time * ~computing, minlength=cells)
    busy = union_by(cell, kernels.starts_ns, kernels.ends_ns, cells)

    def over_calls(values: Any) -> Floats:
        return medians(of, np.asarray(values, np.float64), groups)

    def counted(attribute: str, weights: Floats | None = None) -> Floats:
        values = kernels.counted(attribute)[computing]
        added = sums(cell[computing], values if weights is None else values * weights, cells)
        return added if weights is None else np.divide(added, timed, out=np.full(cells, np.nan), where=timed > 0)

    return DeviceWork(
        kernels=over_calls(counts),
        kernel_ns=over_calls(timed),
        copy_ns=over_calls(copied),
        busy_ns=over_calls(busy),
        flops=over_calls(counted("flops")),
        read_bytes=over_calls(counted(kernels.attribute("dram_read_bytes", "read_bytes"))),
        written_bytes=over_calls(counted(kernels.attribute("dram_write_bytes", "written_bytes"))),
        occupancy=over_calls(counted(kernels.attribute(*OCCUPANCY), time[computing])),
        source=COUNTED if kernels.attribute("dram_read_bytes", "") else COMPUTED,
    )


def work_by_layer(kernels: KernelTable) -> DeviceWork:
    """Return times, FLOPs and bytes of the kernels of each layer; the last entry is for kernels outside layers."""
    return device_work(kernels, kernels.layer_or_last, len(kernels.layers) + 1)


def work_by_call(kernels: KernelTable) -> DeviceWork:
    """Return times, FLOPs and bytes of all kernels of a call."""
    return device_work(kernels, np.zeros_like(kernels.rows), 1)


def layer_dtypes(layers: LayerTable) -> list[str]:
    """Return the element type of each layer; float32 if unknown."""
    pairs = zip(layers.string_column("dtype"), layers.shapes, strict=True)
    return [dtype_of(named, shape) or DEFAULT_DTYPE for named, shape in pairs]


def dtype_of_all(layers: LayerTable) -> str:
    """Return the element type in which layers have most FLOPs; float32 if unknown."""
    dtypes, group = grouped(layer_dtypes(layers))
    totals = np.bincount(group, weights=np.nan_to_num(layers.figures("flops")))
    return dtypes[int(totals.argmax())] if totals.any() else DEFAULT_DTYPE


def kernel_dtypes(kernels: KernelTable) -> list[str]:
    """Return the element type of each kernel, from its attributes or its layer; ``tf32`` if its name shows that."""
    of_layers = [*layer_dtypes(kernels.layers), DEFAULT_DTYPE]
    pairs = zip(kernels.string_column("dtype"), kernels.layer.tolist(), strict=True)
    return _rounded([dtype_of(named, "") or of_layers[layer] for named, layer in pairs], _in_tensor_float(kernels))


def _rounded(dtypes: Sequence[str], in_tensor_float: Any) -> list[str]:
    pairs = zip(dtypes, in_tensor_float, strict=True)
    return [_TENSOR_FLOAT if dtype == DEFAULT_DTYPE and is_ else dtype for dtype, is_ in pairs]


def _in_tensor_float(kernels: KernelTable) -> Flags:
    return np.array([precision_of(name) == Precision.TENSOR_FLOAT for name in kernels.names], bool)


def layer_points(
    layers: LayerTable, kernels: KernelTable | None, latency_ns: Floats, roofs: Roofs | None
) -> tuple[Points, list[str]]:
    """Return the points of layers in the roofline model, and the source of each layer's FLOPs and bytes, or "".

    The time of a layer is the time for which its kernels keep a device busy; without kernels it is ``latency_ns``.
    """
    figures = np.stack([layers.figures(name) for name in ("flops", "read_bytes", "written_bytes")])
    time, dtypes = np.array(latency_ns, np.float64), layer_dtypes(layers)
    source = np.where(np.isnan(figures).any(axis=0), "", COMPUTED)
    if kernels is not None:
        at = same_layers(layers, kernels.layers)
        work = work_by_layer(kernels)
        # layers of a device that launch nothing, such as views, take none of its time
        views = [provider not in {"", "cpu"} for provider in layers.string_column("provider")]
        time = np.where(np.isnan(work.busy_ns[at]), np.where(views, 0.0, time), work.busy_ns[at])
        dtypes = _rounded(dtypes, np.isin(at, kernels.layer[_in_tensor_float(kernels)]))
        counted = np.stack((work.flops, work.read_bytes, work.written_bytes))[:, at]
        has_all = ~np.isnan(counted).any(axis=0)
        figures, source = np.where(has_all, counted, figures), np.where(has_all, work.source, source)
    flops, read, written = figures
    return points(flops, read, written, time, roofs=roofs, dtypes=dtypes), source.tolist()


def costs_note(layers: LayerTable) -> list[str]:
    """Return a note on the number of layers that sums lack, since their FLOPs and bytes are unknown; empty if none."""
    unknown = np.isnan(layers.figures("flops")) | np.isnan(layers.figures("read_bytes"))
    lacking = int(unknown.sum())
    if not 0 < lacking < len(layers):
        return []
    return [f"sums of computed FLOPs and bytes leave out {lacking} of {len(layers)} layers, whose figures are unknown"]


def same_layers(layers: LayerTable, others: LayerTable) -> Longs:
    """Return the number of each layer in ``others``; ``len(others)`` for a layer that ``others`` lacks."""
    if layers is others:
        return np.arange(len(layers))
    places = others.keys()
    return np.array([places.get(key, len(others)) for key in layers.keys()], np.int64)  # noqa: SIM118 - in order of layers


def occupancy_column(values: Floats) -> Column:
    """Return the column of occupancy (share of warps in use)."""
    meaning = "Achieved occupancy, or theoretical occupancy if it was not counted; mean weighted by time."
    return real("occupancy_percent", 100 * values, "%", meaning)


def source_column(sources: Sequence[str]) -> Column:
    """Return the column of sources: counted or computed."""
    return text("figures", sources, f"Whether FLOPs and bytes are {COUNTED} on the device or {COMPUTED} from shapes.")


def counters_note(work: DeviceWork) -> list[str]:
    """Return a note if FLOPs and bytes were computed from shapes, or are missing."""
    if work.counted:
        return [FROM_SHAPES] if work.source == COMPUTED else []
    return ["FLOPs and bytes of kernels are unknown: the trace has no shapes, and counters are of whole calls"]
