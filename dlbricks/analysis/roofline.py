"""Arithmetic intensity, rates and bounds (roofline of Williams et al., CACM 52-4, 2009; XSP section III-D3). Pure.

Intensity is flops over bytes read and written, of sums where several are taken together. What moves no bytes has no
intensity, and nothing is said of its bound; what computes nothing has intensity 0. Roofs are measured on the machine.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.columns import flag, real
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.statistics import Floats
from dlbricks.profile.nouns import Roofs

DEFAULT_DTYPE = "float32"
"""Whose roof counts where no element type is told."""

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


def dtype_of(told: str, shape: str) -> str:
    """Give an element type: as told, else that of a shape such as ``float16[1,64]``; empty if unknown."""
    found = _DTYPE.match(told or shape)
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
    rates = ", ".join(f"{rate / 1e9:.4g} Gflop/s {name}" for name, rate in sorted(roofs.flops_per_s.items()))
    notes = [f"roofs measured on {roofs.device}: {roofs.copied_bytes_per_s / 1e9:.4g} GB/s copied, {rates}"]
    if at.unroofed:
        notes.append(f"no roof was measured for {', '.join(at.unroofed)}, so nothing is said of what is bound there")
    return notes


def _roof_name(dtype: str) -> str:
    return _SAME_ROOF.get(dtype, dtype) or DEFAULT_DTYPE


def _peaks(roofs: Roofs | None, dtypes: Sequence[str]) -> Floats:
    known = roofs.flops_per_s if roofs else {}
    return np.array([known.get(_roof_name(one)) or np.nan for one in dtypes], np.float64)
