"""Tells of how much kernel time in traces work, kind and occupancy are known.

``python benchmarks/trace_coverage.py FOLDER`` reads PyTorch's traces below a folder, one of those of a folder whose
names differ in numbers only (ranks of one run are alike), and prints a row for each: name, device, time of kernels, and
the shares of it below operators with shapes, with flops or bytes, of an unknown kind, and with an occupancy.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dlbricks.errors import DlbricksError
from dlbricks.profile.open import read_any
from dlbricks.trace.types import Level, Role, Trace
from dlbricks.trace.work_classes import KernelClass, class_of

UNKNOWN_SHOWN = 3


def shares(trace: Trace) -> tuple[float, list[float], dict[str, float]]:
    """Give the time of kernels, ns, the shares of it that are known, and what no pattern fits by its share."""
    rows = trace.rows(Level.KERNEL, "kernel", role=Role.EXECUTION)
    times = (trace.end_ns[rows] - trace.start_ns[rows]).astype(np.float64)
    total = float(times.sum()) or np.nan
    if not len(rows):
        return total, [0.0], {}
    shaped = np.zeros(len(trace), bool)
    if "input_shapes" in trace.attributes:
        shaped[trace.attributes["input_shapes"].rows] = True
    below = np.zeros(len(rows), bool)
    at = rows.copy()
    while (at >= 0).any():
        below |= (at >= 0) & shaped[at]
        at = np.where(at >= 0, trace.parent[at], -1)
    figures = [trace.column(key, rows) for key in ("flops", "read_bytes", "written_bytes") if key in trace.attributes]
    works = ~np.isnan(figures).all(axis=0) if figures else np.zeros(len(rows), bool)
    names = [trace.names[number] for number in trace.name[rows].tolist()]
    unknown = np.array([class_of(name) == KernelClass.OTHER for name in names] or [False], bool)
    occupied = np.zeros(len(rows), bool)
    if "theoretical_occupancy" in trace.attributes:
        occupied = ~np.isnan(trace.column("theoretical_occupancy", rows))
    left: dict[str, float] = {}
    for name, time, other in zip(names, times.tolist(), unknown.tolist(), strict=True):
        if other:
            left[name] = left.get(name, 0.0) + time / total
    return total, [float(times[one].sum()) / total for one in (below, works, unknown, occupied)], left


def traces(folder: Path) -> Iterator[tuple[str, Trace]]:
    """Read the traces below a folder."""
    seen: set[tuple[Path, str]] = set()
    for path in sorted({*folder.rglob("*.json"), *folder.rglob("*.json.gz")}):
        alike = path.parent, re.sub(r"\d+", "#", path.name)
        if alike in seen:
            continue
        seen.add(alike)
        try:
            yield str(path.relative_to(folder)), read_any(path).runs[0].trace
        except DlbricksError as error:
            print(f"{path.relative_to(folder)}: {error}")


def main() -> None:
    """Print the table, and what is unknown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    for name, trace in traces(asked.folder):
        total, known, left = shares(trace)
        if np.isnan(total) or not known[0]:
            print(f"{name}: no kernel below an operator with shapes")
            continue
        cells = [f"{100 * one:.1f} %" for one in known]
        print(name.partition(".")[0], trace.device, f"{total / 1e6:.1f} ms", *cells, sep="  ", flush=True)
        for text, share in sorted(left.items(), key=lambda one: -one[1])[:UNKNOWN_SHOWN]:
            print(f"    {100 * share:.1f} % {text[:150]}")


if __name__ == "__main__":
    main()
