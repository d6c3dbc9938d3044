"""Model of collectives: latency and bytes over the links (alpha-beta), with the steps of a ring.

Thakur, Rabenseifner and Gropp, Int. J. High Performance Computing Applications 19 (2005); NCCL's rings do the same.
Between n members a ring sends ``2 (n - 1) / n`` of what is to be summed over each link, in ``2 (n - 1)`` rounds.
"""

import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind
from dlbricks.whatif.select import of_name, of_operator
from dlbricks.whatif.transform import Parameter, Values
from dlbricks.whatif.work import element_bytes

BANDWIDTH = Parameter("bandwidth", "rate", "of the slowest link, each way")
LATENCY = Parameter("latency", "time", "of one round", "5us")
EFFICIENCY = Parameter(
    "efficiency",
    "share",
    "of the bandwidth that collectives reach; 34 % slower than theory on average in Daydream's measurements (USENIX "
    "ATC 2020, section 6.5)",
    "75%",
)
_HALVES = re.compile(r"reduce_?scatter|all_?gather|all_?to_?all", re.IGNORECASE)
_ONCE = re.compile(r"broadcast|send_?recv|(?<!all)(?<!all[_-])reduce(?!_?scatter)", re.IGNORECASE)
_SUMS = re.compile(r"all_?-?reduce", re.IGNORECASE)
NOT_ALL_RANKS = "were recorded on one rank, where most of their time may be waiting for the others"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Between the members of a collective."""

    bytes_per_s: float
    """That collectives reach."""
    latency_ns: float
    """Of one round."""

    def all_reduce_ns(self, size_bytes: float, members: float) -> int:
        """Give the time to sum a tensor over all members of a ring."""
        return 2 * self.half_ns(size_bytes, members)

    def half_ns(self, size_bytes: float, members: float) -> int:
        """Give the time of a reduce-scatter, or of an all-gather: either is half of an all-reduce."""
        return round((members - 1) * (self.latency_ns + 1e9 * size_bytes / members / self.bytes_per_s))

    def collective_ns(self, operation: str, size_bytes: float, members: float) -> int:
        """Give the time of a collective by what it is called; an all-reduce where that says nothing."""
        if _HALVES.search(operation):
            return self.half_ns(size_bytes, members)
        return self.transfer_ns(size_bytes) if _ONCE.search(operation) else self.all_reduce_ns(size_bytes, members)

    def transfer_ns(self, size_bytes: float) -> int:
        """Give the time to send something to one receiver."""
        return round(self.latency_ns + 1e9 * size_bytes / self.bytes_per_s)


def link_of(values: Values) -> Link:
    """Make a link of the parameters above; one without an efficiency reaches all of its bandwidth."""
    rate = values["bandwidth"] * values.get("efficiency", 1.0)
    return Link(bytes_per_s=rate, latency_ns=values["latency"])


def poor_link(values: Values) -> str:
    """Say why parameters make no link; empty where they do."""
    return "" if values.get("efficiency", 1.0) else "links that reach 0 % of their bandwidth transfer nothing"


def collective_rows(graph: DependencyGraph) -> Longs:
    """Give all collectives, in the order of the table."""
    return np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)


def sums(graph: DependencyGraph) -> Longs:
    """Give all all-reduces."""
    called = of_name(graph, _SUMS.search) | of_operator(graph, _SUMS.search)
    return np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & called)


def operation(graph: DependencyGraph, row: int) -> str:
    """Say what a collective does: the operation that was recorded with it, or the name of its kernel."""
    number = int(graph.operator[row])
    return graph.named(row) if number == NONE else graph.operators[number]


def ring_halves(operation: str) -> int:
    """Give how often a collective goes round a ring, by what it is called: 2 for an all-reduce, 0 for none."""
    if _HALVES.search(operation):
        return 1
    return 0 if _ONCE.search(operation) else 2


def payload_bytes(graph: DependencyGraph, rows: Longs) -> Floats:
    """Give the bytes that collectives sum or exchange, NaN where neither bytes nor elements are known."""
    stated = graph.figures("bytes")[rows]
    sizes = np.array([element_bytes(name) for name in graph.names] or [4], np.float64)[graph.task_name[rows]]
    made: Floats = np.where(np.isnan(stated), graph.figures("elements")[rows] * sizes, stated)
    return made


def member_counts(graph: DependencyGraph, rows: Longs) -> Floats:
    """Give how many ranks take part in each collective, NaN where it is not known."""
    return graph.figures("group_size")[rows]


def is_transfer(graph: DependencyGraph, rows: Longs) -> Mask:
    """Tell which collectives last as long as their transfer: modelled ones, and those with all ranks at hand.

    What one rank alone recorded is mostly waiting for the others.
    """
    meets = np.isnan(graph.figures("measured_start_ns"))
    meets[graph.edge_to[graph.edge_kind == EdgeKind.RENDEZVOUS]] = True
    return meets[rows]


def unknown_sums(graph: DependencyGraph) -> str:
    """Say why all-reduces cannot be computed anew; empty where they can."""
    rows = sums(graph)
    if not len(rows):
        return "it has no all-reduces: ask data-parallel first"
    if not is_transfer(graph, rows).all():
        return f"its all-reduces {NOT_ALL_RANKS}"
    if np.isnan(member_counts(graph, rows) + payload_bytes(graph, rows)).any():
        return "it does not tell the sizes and the groups of all its all-reduces"
    return ""


def channel(graph: DependencyGraph, row: int, name: str) -> Lane:
    """Give a lane for communication beside that of a device task."""
    lane = graph.lanes[graph.lane[row]]
    return Lane(process=lane.process, name=name, device=lane.device)
