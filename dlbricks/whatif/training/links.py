"""What a collective takes: latency and bytes over the links (alpha-beta), with the steps of a ring.

Thakur, Rabenseifner and Gropp, Int. J. High Performance Computing Applications 19 (2005); NCCL's rings do the same.
Between n members a ring sends ``2 (n - 1) / n`` of what is to be summed over each link, in ``2 (n - 1)`` rounds.
"""

import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.kernels import element_bytes
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Floats, TaskKind
from dlbricks.whatif.transform import Parameter, Values

BANDWIDTH = Parameter(name="bandwidth", kind="rate", meaning="of the slowest link, each way")
LATENCY = Parameter(name="latency", kind="time", meaning="of one round", default="5us")
EFFICIENCY = Parameter(
    name="efficiency", kind="share", meaning="of the bandwidth that collectives reach; 34 % slower than theory on "
    "average in Daydream's measurements (USENIX ATC 2020, section 6.5)", default="75%",
)  # fmt: skip


_HALVES = re.compile(r"reduce_?scatter|all_?gather|all_?to_?all", re.IGNORECASE)
_ONCE = re.compile(r"broadcast|send_?recv|(?<!all)(?<!all[_-])reduce(?!_?scatter)", re.IGNORECASE)


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

    def collective_ns(self, name: str, size_bytes: float, members: float) -> int:
        """Give the time of a collective by what its name says it is; an all-reduce where it says nothing."""
        if _HALVES.search(name):
            return self.half_ns(size_bytes, members)
        return self.transfer_ns(size_bytes) if _ONCE.search(name) else self.all_reduce_ns(size_bytes, members)

    def transfer_ns(self, size_bytes: float) -> int:
        """Give the time to send something to one receiver."""
        return round(self.latency_ns + 1e9 * size_bytes / self.bytes_per_s)


def link_of(values: Values) -> Link:
    """Make a link of the parameters above; one without an efficiency reaches all of its bandwidth."""
    rate = float(values["bandwidth"]) * float(values.get("efficiency", 1.0))
    return Link(bytes_per_s=rate, latency_ns=float(values["latency"]))


def poor_link(values: Values) -> str:
    """Say why parameters make no link; empty where they do."""
    return "" if float(values.get("efficiency", 1.0)) else "links that reach 0 % of their bandwidth transfer nothing"


def collective_rows(graph: DependencyGraph) -> Longs:
    """Give all collectives, in the order of the table."""
    return np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)


def payload_bytes(graph: DependencyGraph, rows: Longs) -> Floats:
    """Give the bytes that collectives sum or exchange, NaN where neither bytes nor elements are known."""
    nothing = np.full(len(graph), np.nan)
    told = graph.attributes.get("bytes", nothing)[rows]
    sizes = np.array([element_bytes(name) for name in graph.names] or [4], np.float64)[graph.task_name[rows]]
    by_elements = graph.attributes.get("elements", nothing)[rows] * sizes
    made: Floats = np.where(np.isnan(told), by_elements, told)
    return made


def member_counts(graph: DependencyGraph, rows: Longs) -> Floats:
    """Give how many ranks take part in each collective, NaN where it is not known."""
    made: Floats = graph.attributes.get("group_size", np.full(len(graph), np.nan))[rows]
    return made


def is_transfer(graph: DependencyGraph, rows: Longs) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which collectives last as long as their transfer: modelled ones, and those with all ranks at hand.

    What one rank alone recorded is mostly waiting for the others.
    """
    meets = np.zeros(len(graph), bool)
    meets[graph.edge_to[graph.edge_kind == EdgeKind.RENDEZVOUS]] = True
    measured = graph.attributes.get("measured_start_ns", np.full(len(graph), np.nan))
    made: np.ndarray[tuple[int], np.dtype[np.bool_]] = (meets | np.isnan(measured))[rows]
    return made
