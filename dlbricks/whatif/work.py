"""Classifies tasks by the work they do, and splits their times into arithmetic, memory and fixed parts."""

from dataclasses import dataclass

import numpy as np

from dlbricks.profile.open import DECODE
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import NONE, Bytes, Longs
from dlbricks.trace.work_classes import KernelClass, Precision, class_of, class_of_operator, precision_of
from dlbricks.whatif.graph import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.select import in_phases, other_runtime, tokens_of, unrecorded_launches

# Kernels are classified by name, host layers by operator type (``trace.work_classes``); ``unknown_kernels`` lists those
# of no class.
#
# Times are split with the roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi
# 10.1145/1498765.1498785), using the sum of arithmetic and memory time instead of the maximum, because the two overlap
# only in part. Peak rates are taken from the graph itself. Only the ratio of the parts comes from the model; their sum
# is the measured time.

# Tasks shorter than this many times the shortest one do not show a rate.
_LONG = 4
_ARITHMETIC_PERCENTILE = 99
_MEMORY_PERCENTILE = 90
# Bytes per weight. Inference servers compute in half precision, which kernel names seldom tell.
_WEIGHT_BYTES = {Precision.SINGLE: 2, Precision.TENSOR_FLOAT: 4, Precision.HALF: 2, Precision.EIGHT: 1}
# FLOPs (half precision) per byte by data sheet: V100 139, A100 153, T4 203, MI300X 247, H100 295.
_USUAL_BALANCE = 150.0
# Compute-bound classes if FLOPs and bytes are unknown; all others count as memory-bound.
PRODUCTS = (KernelClass.MATRIX, KernelClass.ATTENTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownKernel:
    """Kernels of one name that cannot be classified."""

    name: str
    count: int
    time_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Highest rates that the tasks of a graph show."""

    flops_per_ns: float
    """Infinite if no task shows it; likewise ``bytes_per_ns``."""
    bytes_per_ns: float
    fixed_ns: float
    """Shortest duration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Arithmetic, memory and fixed share of the time of some tasks; the three add up to 1."""

    rows: Longs
    """Task numbers."""
    own_ns: Longs
    """Their durations."""
    arithmetic: Floats
    memory: Floats
    fixed: Floats

    def times_ns(self, arithmetic: Floats, memory: Floats) -> Floats:
        """Scale the arithmetic and memory parts by one factor per task and return the new times, ns."""
        times: Floats = self.own_ns * (self.arithmetic * arithmetic + self.memory * memory + self.fixed)
        return times


def classes(graph: DependencyGraph) -> Bytes:
    """Return the class of every task.

    Collectives are ``COLLECTIVE``, all other tasks that are not kernels ``OTHER``.
    """
    by_name = np.array([int(class_of(name)) for name in graph.names] or [0], np.int8)
    kinds = by_name[graph.task_name]
    kinds[graph.kind != TaskKind.KERNEL] = KernelClass.OTHER
    kinds[graph.kind == TaskKind.COLLECTIVE] = KernelClass.COLLECTIVE
    return kinds


def precisions(graph: DependencyGraph) -> Bytes:
    """Return the precision of every task; ``SINGLE`` for tasks that are not kernels."""
    by_name = np.array([int(precision_of(name)) for name in graph.names] or [0], np.int8)
    of_tasks: Bytes = np.where(graph.kind == TaskKind.KERNEL, by_name[graph.task_name], np.int8(Precision.SINGLE))
    return of_tasks


def unknown_kernels(graph: DependencyGraph) -> tuple[UnknownKernel, ...]:
    """Return the kernels of class ``OTHER`` by name, longest first."""
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.OTHER))
    unknown = [
        UnknownKernel(name=graph.named(same[0]), count=len(same), time_ns=int(graph.duration_ns[same].sum()))
        for same in split_by(graph.task_name[rows], rows)
    ]
    return tuple(sorted(unknown, key=lambda kernel: (-kernel.time_ns, kernel.name)))


def compute_tasks(graph: DependencyGraph) -> Longs:
    """Return the tasks that compute the network: kernels or, without a device, layers on the host."""
    kernels = kernels_of(graph)
    if len(kernels) or len(unrecorded_launches(graph)):
        return kernels
    return np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))


def kernels_of(graph: DependencyGraph, *wanted: KernelClass) -> Longs:
    """Return all kernels, or those of some classes."""
    rows = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    return rows[np.isin(classes(graph)[rows], wanted)] if wanted else rows


def no_compute_tasks(graph: DependencyGraph) -> str:
    """Return the reason if a graph has no compute tasks, else an empty string."""
    if len(compute_tasks(graph)):
        return ""
    if len(unrecorded_launches(graph)):
        return "what its launches do on a device was not recorded"
    return "it has neither kernels nor layers whose operators are known"


def not_onnxruntime(graph: DependencyGraph) -> str:
    """Return the reason if layers ran in another runtime, for a transform that knows only onnxruntime's."""
    other = other_runtime(graph)
    return f"it knows the kernels of onnxruntime, and this ran with {other}" if other else ""


def task_classes(graph: DependencyGraph) -> Bytes:
    """Return the class of every task: kernels by name, host layers by operator."""
    kinds = classes(graph)
    by_operator = np.array([int(class_of_operator(name)) for name in graph.operators] or [0], np.int8)
    layers = np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))
    kinds[layers] = by_operator[graph.operator[layers]]
    return kinds


def moved_bytes(graph: DependencyGraph) -> Floats:
    """Return bytes read plus written by every task, NaN if unknown."""
    moved: Floats = graph.figures("read_bytes") + graph.figures("written_bytes")
    return moved


def rates(graph: DependencyGraph, rows: Longs) -> Rates:
    """Return the highest rates shown by some tasks."""
    times = graph.duration_ns[rows].astype(np.float64)
    some = times[times > 0]
    fixed = float(some.min()) if len(some) else 0.0
    long = times > _LONG * fixed

    def best(amounts: Floats, percentile: float) -> float:
        shown = long & (np.nan_to_num(amounts) > 0)
        return float(np.percentile(amounts[shown] / times[shown], percentile)) if shown.any() else float("inf")

    return Rates(
        flops_per_ns=best(graph.figures("flops")[rows], _ARITHMETIC_PERCENTILE),
        bytes_per_ns=best(moved_bytes(graph)[rows], _MEMORY_PERCENTILE),
        fixed_ns=fixed,
    )


def weight_shares(graph: DependencyGraph) -> Floats:
    """Return the share of weights in the bytes of matrix products of inference servers; NaN for other tasks.

    Each weight is multiplied with every token: two operations per weight and token. If FLOPs and bytes are unknown, the
    share is 1.
    """
    weights = graph.figures("flops") / (2 * tokens_of(graph))
    sizes = np.array([_WEIGHT_BYTES[precision_of(name)] for name in graph.names] or [2], np.float64)[graph.task_name]
    part = np.clip(weights * sizes / np.maximum(moved_bytes(graph), 1.0), 0.0, 1.0)
    of_weights = (task_classes(graph) == KernelClass.MATRIX) & ~np.isnan(tokens_of(graph))
    of_products: Floats = np.where(of_weights, np.nan_to_num(part, nan=1.0), np.nan)
    return of_products


def arithmetic_shares(graph: DependencyGraph) -> Floats:
    """Return the arithmetic share of the time of a server's matrix products by tokens; NaN if unknown.

    Few tokens leave the arithmetic units idle while weights are read (Pope et al., MLSys 2023). A half precision weight
    takes two bytes to read, and two operations per token. Devices without a data sheet count as 150 FLOPs per byte.
    """
    tokens, stated = tokens_of(graph), gpu_peaks(graph.device)
    peak, memory = stated.flops_per_s.get("float16"), stated.bytes_per_s
    balance = peak / memory if peak and memory else _USUAL_BALANCE
    shares_of_time: Floats = tokens / (tokens + balance)
    return shares_of_time


def _by_class(graph: DependencyGraph) -> Floats:
    """Return the arithmetic share of the time that is not fixed, for tasks without FLOPs and bytes."""
    kinds = task_classes(graph)
    by_class = np.isin(kinds, PRODUCTS).astype(np.float64)
    products = ~np.isnan(weight_shares(graph))
    by_class[products] = arithmetic_shares(graph)[products]
    by_class[in_phases(graph, DECODE) & (kinds == KernelClass.ATTENTION)] = 0.0
    return by_class


def shares(graph: DependencyGraph, rows: Longs) -> Shares:
    """Split the times of some tasks into arithmetic, memory and fixed parts.

    The fixed part is the shortest duration. The rest is split by the roofline if FLOPs and bytes are known; otherwise
    matrix products count as arithmetic and all else as memory. In steps of inference servers, the split of products
    follows from the number of tokens that share the weights, and attention in decode steps counts as memory.
    """
    best = rates(graph, rows)
    times = np.maximum(graph.duration_ns[rows].astype(np.float64), 1.0)
    fixed = np.minimum(1.0, best.fixed_ns / times)
    arithmetic = graph.figures("flops")[rows] / best.flops_per_ns
    memory = moved_bytes(graph)[rows] / best.bytes_per_ns
    sized = np.nan_to_num(arithmetic + memory) > 0
    part = np.where(sized, arithmetic / np.where(sized, arithmetic + memory, 1.0), _by_class(graph)[rows])
    return Shares(
        rows=rows,
        own_ns=graph.duration_ns[rows],
        arithmetic=(1 - fixed) * part,
        memory=(1 - fixed) * (1 - part),
        fixed=fixed,
    )
