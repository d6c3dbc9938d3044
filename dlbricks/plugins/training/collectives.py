"""Collectives of a trace, and a model of their times on a ring of links."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.executions import kernels_in
from dlbricks.analysis.table import (
    TableContent,
    UnavailableError,
    analysis,
    grouped,
    quotient,
    real,
    sums,
    text,
    whole,
)
from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.types import NONE, Lane, Longs, Profile
from dlbricks.trace.work_classes import element_bytes
from dlbricks.whatif.edit import NewKernel
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind
from dlbricks.whatif.select import of_name, of_operator
from dlbricks.whatif.transform import Parameter, Values

# The cost model is latency and bandwidth (alpha-beta): Thakur, Rabenseifner and Gropp, Int. J. High Performance
# Computing Applications 19 (2005); NCCL uses the same rings. An all-reduce of n ranks sends ``2 (n - 1) / n`` of its
# bytes over each link, in ``2 (n - 1)`` rounds.

BANDWIDTH = Parameter("bandwidth", "rate", "bandwidth of the slowest link, each way")
LATENCY = Parameter("latency", "time", "latency of one round", "5us")
EFFICIENCY = Parameter(
    "efficiency",
    "share",
    "share of the bandwidth that collectives attain; 75 % as measured by Daydream (USENIX ATC 2020, section 6.5)",
    "75%",
)
_HALVES = re.compile(r"reduce_?scatter|all_?gather|all_?to_?all", re.IGNORECASE)
_ONCE = re.compile(r"broadcast|send_?recv|(?<!all)(?<!all[_-])reduce(?!_?scatter)", re.IGNORECASE)
NOT_ALL_RANKS = "were recorded on one rank, so most of their time may be waiting for the others"
_SUMS = re.compile(r"all_?-?reduce", re.IGNORECASE)


def collective_rows(graph: DependencyGraph) -> Longs:
    """Return the collectives of a graph."""
    return np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)


def all_reduces(graph: DependencyGraph) -> Longs:
    """Return the all-reduces of a graph."""
    called = of_name(graph, _SUMS.search) | of_operator(graph, _SUMS.search)
    return np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & called)


def operation(graph: DependencyGraph, row: int) -> str:
    """Return the operation of a collective, or the name of the kernel if the operation is unknown."""
    number = int(graph.operator[row])
    return graph.named(row) if number == NONE else graph.operators[number]


def payload_bytes(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the bytes of each collective; NaN if unknown."""
    stated = graph.figures("bytes")[rows]
    sizes = np.array([element_bytes(name) for name in graph.names] or [4], np.float64)[graph.task_name[rows]]
    return np.where(np.isnan(stated), graph.figures("elements")[rows] * sizes, stated)


def is_transfer(graph: DependencyGraph, rows: Longs) -> Mask:
    """Return which collectives do not wait for other ranks: those that are modelled, and those traced on all ranks."""
    meets = np.isnan(graph.figures("measured_start_ns"))
    meets[graph.edge_to[graph.edge_kind == EdgeKind.RENDEZVOUS]] = True
    return meets[rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link between two ranks of a collective."""

    bytes_per_s: float
    """Attained bandwidth, bytes per second."""
    latency_ns: float
    """Latency of one round, ns."""

    def all_reduce_ns(self, size_bytes: float, members: float) -> int:
        """Return the time of a ring all-reduce, ns."""
        return 2 * self.half_ns(size_bytes, members)

    def half_ns(self, size_bytes: float, members: float) -> int:
        """Return the time of a reduce-scatter or an all-gather, ns."""
        return round((members - 1) * (self.latency_ns + 1e9 * size_bytes / members / self.bytes_per_s))

    def collective_ns(self, operation: str, size_bytes: float, members: float) -> int:
        """Return the time of a collective, ns; an unknown ``operation`` is taken as an all-reduce."""
        if _HALVES.search(operation):
            return self.half_ns(size_bytes, members)
        return self.transfer_ns(size_bytes) if _ONCE.search(operation) else self.all_reduce_ns(size_bytes, members)

    def transfer_ns(self, size_bytes: float) -> int:
        """Return the time of a point-to-point transfer, ns."""
        return round(self.latency_ns + 1e9 * size_bytes / self.bytes_per_s)


def link_of(values: Values) -> Link:
    """Create a link from a transform's parameters; raises ``InputError`` for an efficiency of 0 %."""
    efficiency = values.get("efficiency", 1.0)
    if not efficiency:
        raise InputError("the efficiency is 0 %: expected a larger share, such as 75 %")
    return Link(bytes_per_s=values["bandwidth"] * efficiency, latency_ns=values["latency"])


def unknown_all_reduces(graph: DependencyGraph) -> str:
    """Return the reason why times of all-reduces cannot be computed; empty if they can be computed."""
    rows = all_reduces(graph)
    if not len(rows):
        return "it has no all-reduces: apply data-parallel first"
    if not is_transfer(graph, rows).all():
        return f"its all-reduces {NOT_ALL_RANKS}"
    if np.isnan(graph.figures("group_size")[rows] + payload_bytes(graph, rows)).any():
        return "the trace lacks the sizes or process groups of its all-reduces"
    return ""


def communication_lane(graph: DependencyGraph, row: int, name: str) -> Lane:
    """Return a stream for communication on the device of a task."""
    lane = graph.lanes[graph.lane[row]]
    return Lane(process=lane.process, name=name, device=lane.device)


def collective(graph: DependencyGraph, values: Values, name: str, size: float, **where: Any) -> NewKernel:
    """Create a collective on a communication stream; ``where`` has fields of ``NewKernel`` for its place."""
    link, members = link_of(values), values["workers"]
    return NewKernel(
        name=name,
        duration_ns=link.all_reduce_ns(size, members) if name.startswith("all-reduce") else link.half_ns(size, members),
        lane=communication_lane(graph, where["next_to"], "collectives"),
        kind=TaskKind.COLLECTIVE,
        edge_kind=EdgeKind.GRADIENT,
        attributes={"bytes": size, "group_size": members},
        **where,
    )


@analysis("collectives", "Collectives and the bus")
def COLLECTIVES(profile: Profile) -> TableContent:  # noqa: N802 - the decorator makes a constant
    """Return the number, time, bytes and bus bandwidth of each kind of collective."""
    kernels, notes = kernels_in(profile)
    trace = kernels.trace
    rows = kernels.rows[np.array(kernels.kinds)[kernels.which] == kinds.COLLECTIVE]
    if not len(rows):
        raise UnavailableError("no collective was recorded")
    names = trace.string_column("collective", rows)
    names = [name or trace.names[trace.name[row]] for name, row in zip(names, rows.tolist(), strict=True)]
    moved, ranks = trace.column("bytes", rows), trace.column("group_size", rows)
    times = np.maximum(trace.end_ns[rows] - trace.start_ns[rows], 1).astype(np.float64)
    # Bus bytes per byte of the collective (nccl-tests, PERFORMANCE.md); those that are no ring move their bytes once.
    halves = np.array([2 if _SUMS.search(name) else int(_HALVES.search(name) is not None) for name in names])
    bus = quotient(moved * np.where(halves > 0, halves * (ranks - 1) / ranks, 1.0), times) * 1e9
    labels, group = grouped(names)
    total = sums(group, times, len(labels))
    order = np.argsort(-total, kind="stable")

    def each(values: Floats, share: float) -> list[float]:
        figures = [values[(group == label) & ~np.isnan(values)] for label in order]
        return [float(np.quantile(figure, share)) if len(figure) else float("nan") for figure in figures]

    columns = (
        text("collective", [labels[label] for label in order]),
        whole("count", np.bincount(group)[order], "", "Executions, in all calls."),
        whole("sum_ns", total[order], "ns"),
        whole("median_ns", each(times, 0.5), "ns"),
        whole("median_bytes", each(moved, 0.5), "B", "Larger of input and output bytes on this rank."),
        real("bus_bytes_per_s", each(bus, 0.5), "B/s", "Median bus bandwidth, waiting included."),
        real("quick_bytes_per_s", each(bus, 0.9), "B/s",
             "Bus bandwidth of the fastest tenth, which waits least for other ranks."),
    )  # fmt: skip
    return columns, [*notes, "one rank cannot distinguish transfer from waiting: bus bandwidths are lower bounds"]
