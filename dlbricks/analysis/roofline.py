"""Arithmetic intensity, rates and bounds (roofline of Williams et al., CACM 52-4, 2009; XSP section III-D3).

Intensity is flops over bytes read and written, of sums where several are taken together. What moves no bytes has no
intensity, and nothing is said of its bound; what computes nothing has intensity 0. Roofs are measured on the machine.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.table import Column, Floats, flag, medians, numbered, real, sums, text, whole
from dlbricks.profile.types import Roofs
from dlbricks.trace.intervals import union_by
from dlbricks.trace.types import Longs

DEFAULT_DTYPE = "float32"
"""Whose roof counts where no element type is known."""

_DTYPE = re.compile(r"[a-z]+\d*(?:e\dm\d\w*)?")
_SAME_ROOF = {"uint8": "int8"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Where each of several layers or kernels lies under the roofs."""

    flops: Floats
    read_bytes: Floats
    written_bytes: Floats
    time_ns: Floats
    intensity: Floats
    """flop/B; NaN where no bytes move, or something is not known."""
    rate: Floats
    """flop/s; NaN where no time passes, or something is not known."""
    ideal: Floats
    """Intensity above which arithmetic is the limit; NaN where its roof was not measured."""
    attainable: Floats
    """Most flop/s at this intensity; NaN where it is not known."""
    least_ns: Floats
    """Time that the roofs allow; NaN where it is not known."""
    unroofed: tuple[str, ...]
    """Element types that are computed with and whose roof was not measured."""

    @property
    def memory_bound(self) -> list[bool | None]:
        """Whether bandwidth is the limit: intensity below the ideal one; None where that is not known."""
        # What computes nothing is memory-bound whatever the roof of its element type is.
        known = ~np.isnan(self.intensity) & (~np.isnan(self.ideal) | (self.intensity == 0))
        bound = np.where(np.isnan(self.ideal), self.intensity == 0, self.intensity < self.ideal)
        return [one if sure else None for one, sure in zip(bound.tolist(), known.tolist(), strict=True)]


_TENSOR_FLOAT = "tf32"


def dtype_of(named: str, shape: str) -> str:
    """Give an element type: as told, else that of a shape such as ``float16[1,64]``; empty if unknown."""
    found = _DTYPE.match(named or shape)
    return found.group() if found else ""


def points(
    flops: Any, read_bytes: Any, written_bytes: Any, time_ns: Any, *, roofs: Roofs | None, dtypes: Sequence[str]
) -> Points:
    """Place layers or kernels under the roofs; all arguments are of equal length, NaN where not known."""
    work, read, written, time = (np.asarray(one, np.float64) for one in (flops, read_bytes, written_bytes, time_ns))
    moved = read + written
    peak, bandwidth = _peaks(roofs, dtypes), roofs.copied_bytes_per_s if roofs else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        intensity = np.where(moved > 0, work / moved, np.nan)
        rate = np.where(time > 0, work / time * 1e9, np.nan)
        ideal = peak / bandwidth
        attainable = np.where(intensity == 0, 0.0, np.fmin(peak, intensity * bandwidth))
        attainable = np.where(np.isnan(peak) & (intensity != 0), np.nan, attainable)
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
    """Make the columns of flops and bytes; ``prefix`` is ``dram_`` for bytes that a device counted."""
    written = "dram_write_bytes" if prefix else "written_bytes"
    return (
        real("flops", at.flops, "flop", "A multiply-add counts as two."),
        real(f"{prefix}read_bytes", at.read_bytes, "B"),
        real(written, at.written_bytes, "B"),
    )


def bound_columns(at: Points) -> tuple[Column, ...]:
    """Make the columns of intensity, rate and verdict."""
    return (
        real("intensity", at.intensity, "flop/B", "Flops over bytes read and written; empty where no bytes move."),
        real("flops_per_s", at.rate, "flop/s", "Flops over latency."),
        flag("memory_bound", at.memory_bound, "Whether intensity is below measured peak rate over bandwidth."),
    )


def roof_notes(roofs: Roofs | None, at: Points) -> list[str]:
    """Say what the verdicts rest on, or why there are none."""
    if roofs is None:
        return ["no roofs were measured, so nothing is said of what is memory-bound"]
    how = "measured on" if roofs.measured else "as stated of"
    rates = ", ".join(f"{rate / 1e9:.4g} Gflop/s {name}" for name, rate in sorted(roofs.flops_per_s.items()))
    notes = [f"roofs {how} {roofs.device}: {roofs.copied_bytes_per_s / 1e9:.4g} GB/s copied, {rates}"]
    if at.unroofed:
        notes.append(f"no roof was measured for {', '.join(at.unroofed)}, so nothing is said of what is bound there")
    return notes


def _roof_name(dtype: str) -> str:
    return _SAME_ROOF.get(dtype, dtype) or DEFAULT_DTYPE


def _peaks(roofs: Roofs | None, dtypes: Sequence[str]) -> Floats:
    known = roofs.flops_per_s if roofs else {}
    peaks = (known.get(_roof_name(one)) or (one == _TENSOR_FLOAT and known.get(DEFAULT_DTYPE)) for one in dtypes)
    return np.array([peak or np.nan for peak in peaks], np.float64)


COUNTED, COMPUTED = "counted", "computed"
FROM_SHAPES = "flops and bytes are computed from shapes of operands: each is read once, each result written once"
OCCUPANCY = ("occupancy", "theoretical_occupancy")
"""Attributes of kernels, the better one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceWork:
    """What the kernels of each group (a layer, a name, the call) do in one call: medians over calls."""

    kernels: Floats
    """Number that compute."""
    kernel_ns: Floats
    """Sum of those that compute; counts twice what overlaps."""
    copy_ns: Floats
    """Sum of copies and memsets."""
    busy_ns: Floats
    """Union of all: the time during which a device was busy for the group."""
    flops: Floats
    """Counted; NaN where one of the kernels was not."""
    read_bytes: Floats
    written_bytes: Floats
    occupancy: Floats
    """Mean weighted with time, 0 to 1; NaN where one of the kernels was not counted."""
    source: str
    """Where flops and bytes are from: ``COUNTED``, or, of traces with shapes, ``COMPUTED``."""

    @property
    def counted(self) -> bool:
        """Whether there are counters for all kernels of one group at least."""
        return bool((~np.isnan(self.flops) & ~np.isnan(self.read_bytes) & ~np.isnan(self.written_bytes)).any())


def device_work(kernels: KernelTable, group: Longs, groups: int) -> DeviceWork:
    """Sum up the kernels of each group, call by call, and take medians over the calls in which the group has any.

    Args:
        kernels: of a run.
        group: of each execution, 0 to ``groups`` - 1.
        groups: how many there are.
    """
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
    """Sum up the kernels of each layer of their run; those without a layer stand behind the last layer."""
    return device_work(kernels, kernels.layer_or_last, len(kernels.layers) + 1)


def work_by_call(kernels: KernelTable) -> DeviceWork:
    """Sum up all kernels of a call, as one group."""
    return device_work(kernels, np.zeros(len(kernels.rows), np.int64), 1)


def layer_dtypes(layers: LayerTable) -> list[str]:
    """Give the element type of each layer; float32 where the trace does not tell."""
    pairs = zip(layers.texts("dtype"), layers.shapes, strict=True)
    return [dtype_of(named, shape) or DEFAULT_DTYPE for named, shape in pairs]


def dtype_of_all(layers: LayerTable) -> str:
    """Give the element type that most of the arithmetic is in; float32 where nothing is known of it."""
    flops = np.nan_to_num(layers.figures("flops"))
    found: dict[str, float] = {}
    for name, work in zip(layer_dtypes(layers), flops.tolist(), strict=True):
        found[name] = found.get(name, 0.0) + work
    return max(found, key=lambda name: found[name]) if any(found.values()) else DEFAULT_DTYPE


def kernel_dtypes(kernels: KernelTable) -> list[str]:
    """Give the element type of each kernel: its own, else that of its layer, else float32; TF32 by its name."""
    of_layers = [*layer_dtypes(kernels.layers), DEFAULT_DTYPE]
    pairs = zip(kernels.texts("dtype"), kernels.layer.tolist(), strict=True)
    made = [dtype_of(named, "") or of_layers[layer] for named, layer in pairs]
    rounded = _in_tensor_float(kernels).tolist()
    return [_TENSOR_FLOAT if one == DEFAULT_DTYPE and is_ else one for one, is_ in zip(made, rounded, strict=True)]


def _in_tensor_float(kernels: KernelTable) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which kernels multiply float32 rounded to 10 bits, on tensor cores, by their names."""
    from dlbricks.whatif.work import Precision, precision_of

    return np.array([precision_of(name) == Precision.TENSOR_FLOAT for name in kernels.names], bool)


def layer_points(
    layers: LayerTable, kernels: KernelTable | None, latency_ns: Floats, roofs: Roofs | None
) -> tuple[Points, list[str]]:
    """Place layers under the roofs, with where the figures of each are from: ``counted``, ``computed`` or empty.

    With kernels the time of a layer is that during which a device was busy for it, else ``latency_ns``.
    """
    flops, read, written = (layers.figures(name) for name in ("flops", "read_bytes", "written_bytes"))
    time, dtypes = np.array(latency_ns, np.float64), layer_dtypes(layers)
    source = np.where(np.isnan(flops) | np.isnan(read) | np.isnan(written), "", COMPUTED)
    if kernels is not None:
        at = same_layers(layers, kernels.layers)
        found = work_by_layer(kernels)
        busy, sides = found.busy_ns[at], (found.flops[at], found.read_bytes[at], found.written_bytes[at])
        time = np.where(np.isnan(busy), time, busy)
        rounded = np.isin(at, kernels.layer[_in_tensor_float(kernels)])
        dtypes = [
            _TENSOR_FLOAT if one == DEFAULT_DTYPE and is_ else one for one, is_ in zip(dtypes, rounded, strict=True)
        ]
        known = ~np.isnan(sides[0]) & ~np.isnan(sides[1]) & ~np.isnan(sides[2])
        flops, read, written = (
            np.where(known, counted, own) for counted, own in zip(sides, (flops, read, written), strict=True)
        )
        source = np.where(known, found.source, source)
    return points(flops, read, written, time, roofs=roofs, dtypes=dtypes), source.tolist()


def costs_note(layers: LayerTable) -> list[str]:
    """Say how many layers sums of computed figures leave out, where some have figures and others have none."""
    unknown = np.isnan(layers.figures("flops")) | np.isnan(layers.figures("read_bytes"))
    lacking = int(unknown.sum())
    if not 0 < lacking < len(layers):
        return []
    return [f"sums of computed flops and bytes leave out {lacking} of {len(layers)} layers: theirs are not known"]


def same_layers(layers: LayerTable, others: LayerTable) -> Longs:
    """Give, for each layer of a run, its number in another run; what is not there gets the number behind the last."""
    if layers is others:
        return np.arange(len(layers))
    known = others.keys()
    return np.array([known.get(key, len(others)) for key in layers.keys()], np.int64)  # noqa: SIM118 - in order of layers


def device_columns(found: DeviceWork, rows: Any) -> tuple[Column, ...]:
    """Make the columns of device time of some groups."""
    return (
        whole("kernels", found.kernels[rows], "", "Kernels in one call; copies and memsets are none."),
        whole("kernel_ns", found.kernel_ns[rows], "ns", "Sum of kernel times; what overlaps counts twice."),
        whole("busy_ns", found.busy_ns[rows], "ns", "Time during which a device was busy, copies included: a union."),
    )


def occupancy_column(values: Floats) -> Column:
    """Make the column of occupancy."""
    meaning = "Achieved, or where that was not counted what a kernel's resources allow; mean weighted with time."
    return real("occupancy_percent", 100 * values, "%", meaning)


def source_column(sources: Sequence[str]) -> Column:
    """Make the column that says where flops and bytes are from."""
    return text("figures", sources, f"Whether flops and bytes are {COUNTED} on the device or {COMPUTED} from shapes.")


def counters_note(found: DeviceWork) -> list[str]:
    """Say that nothing was counted, if so."""
    if found.counted:
        return [FROM_SHAPES] if found.source == COMPUTED else []
    return ["nothing was counted on the device: flops, bytes and occupancy are empty; 'doctor' says how to permit it"]
