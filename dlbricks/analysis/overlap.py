"""Overlap of computation and communication on devices, and bandwidth of collectives.

Exposed communication is not hidden by kernels; a faster network or more overlap could save it.
"""

from collections import defaultdict

import numpy as np

from dlbricks.analysis.executions import KernelTable, devices_of
from dlbricks.analysis.sources import kernels_in
from dlbricks.analysis.table import Column, Floats, TableContent, UnavailableError, percent, quotient, real, text, whole
from dlbricks.profile.types import Profile
from dlbricks.trace import kinds
from dlbricks.trace.intervals import covered_ns, merged_intervals, union_ns
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import bus_share


def overlap(profile: Profile) -> TableContent:
    """Return compute, communication and copy time of each device, and exposed communication."""
    kernels, notes = kernels_in(profile)
    kind_of = np.array(kernels.kinds)[kernels.which]
    devices, device = devices_of(kernels.trace, kernels.rows)
    times_of = [_of_device(kernels, kind_of, device == number) for number in range(len(devices))]
    names = ("compute", "communication", "both", "exposed", "copies", "idle")
    meanings = (
        "At least one kernel runs.", "At least one collective runs.", "Kernels and collectives run.",
        "Collectives without concurrent kernels.", "Copies without kernels and collectives.", "Nothing runs.",
    )  # fmt: skip
    extent = np.array([sum(times[place] for place in (0, 3, 4, 5)) for times in times_of])
    columns: list[Column] = [
        text("process", [process for process, _ in devices]),
        text("device", [name for _, name in devices]),
    ]
    for place, (name, meaning) in enumerate(zip(names, meanings, strict=True)):
        times = np.array([row[place] for row in times_of], np.int64)
        columns.append(whole(f"{name}_ns", times, "ns", meaning))
        columns.append(
            real(
                f"{name}_percent",
                percent(times, extent),
                "%",
                "Share of the time from first to last work of the device.",
            )
        )
    return tuple(columns), [*notes, "times are sums over all calls, on each device from its first work to its last"]


def _of_device(kernels: KernelTable, kind_of: "np.ndarray[tuple[int], np.dtype[np.str_]]", mine: Longs) -> list[int]:
    """Return compute, communication, both, exposed communication, copies alone and idle time, ns."""
    starts, ends = kernels.starts_ns, kernels.ends_ns
    computes = mine & (kind_of != kinds.COLLECTIVE) & (kind_of != kinds.COPY) & (kind_of != kinds.MEMSET)
    talks = mine & (kind_of == kinds.COLLECTIVE)
    compute, talk = (merged_intervals(starts[some], ends[some]) for some in (computes, talks))
    busy, working = union_ns(starts[mine], ends[mine]), union_ns(starts[computes | talks], ends[computes | talks])
    both = int(covered_ns(*talk, *compute).sum())
    lengths = [int((edges[1] - edges[0]).sum()) for edges in (compute, talk)]
    whole_ns = int(ends[mine].max() - starts[mine].min())
    return [lengths[0], lengths[1], both, lengths[1] - both, busy - working, whole_ns - busy]


def collectives(profile: Profile) -> TableContent:
    """Return count, time, bytes and bus bandwidth by kind of collective.

    On one rank the time of a collective is mostly waiting for others; the fastest tenth waited least.
    """
    kernels, notes = kernels_in(profile)
    trace = kernels.trace
    rows = kernels.rows[np.array(kernels.kinds)[kernels.which] == kinds.COLLECTIVE]
    if not len(rows):
        raise UnavailableError("no collective was recorded")
    names = trace.texts("collective", rows)
    names = [name or trace.names[trace.name[row]] for name, row in zip(names, rows.tolist(), strict=True)]
    moved, ranks = trace.column("bytes", rows), trace.column("group_size", rows)
    times = np.maximum(trace.end_ns[rows] - trace.start_ns[rows], 1).astype(np.float64)
    bus = quotient(moved * bus_share(names, ranks), times) * 1e9
    groups: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        groups[name].append(place)
    order = sorted(groups, key=lambda name: -float(times[groups[name]].sum()))

    def each(values: Floats, share: float) -> list[float]:
        figures = [values[groups[name]][~np.isnan(values[groups[name]])] for name in order]
        return [float(np.quantile(figure, share)) if len(figure) else float("nan") for figure in figures]

    columns = (
        text("collective", order),
        whole("count", np.array([len(groups[name]) for name in order]), "", "Executions, in all calls."),
        whole("sum_ns", np.array([times[groups[name]].sum() for name in order]), "ns"),
        whole("median_ns", each(times, 0.5), "ns"),
        whole("median_bytes", each(moved, 0.5), "B", "Larger of input and output bytes on this rank."),
        real("bus_bytes_per_s", each(bus, 0.5), "B/s", "Median bus bandwidth, waiting included."),
        real(
            "quick_bytes_per_s",
            each(bus, 0.9),
            "B/s",
            "Bus bandwidth of the fastest tenth, which waits least for other ranks.",
        ),
    )
    return columns, [
        *notes,
        "one rank cannot distinguish transfer from waiting: bus bandwidths are lower bounds",
    ]
