"""Attention of several kernels that half precision turns into one, as PyTorch chooses.

``scaled_dot_product_attention`` takes one kernel if a backend knows the case. In single precision only the
memory-efficient one remains, which shares no keys between heads (grouped queries), so that such networks run products,
softmax and masks as kernels of their own. FlashAttention and cuDNN's know it, and need half precision.
"""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.attained import fused_attention_ns
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.launching import Merge, merged
from dlbricks.whatif.select import before_on_lane, of_layer, of_name
from dlbricks.whatif.work import KernelClass, Precision, classes, precisions

_ATTENDS = re.compile(r"\bscaled_dot_product_attention\Z")
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_NAME = "flash attention in half precision"
_BACK_PRODUCTS = 5 / 4
"""Products of the backward kernel relative to those of separate ones: it computes the attention matrix again."""
_BACK_TENSORS = 2
"""Tensors that it moves (queries, keys, values, results and the gradients of all) relative to the forward kernel."""
_MOST = 40
"""Kernels of one attention."""


def with_flash_attention(graph: DependencyGraph) -> DependencyGraph:
    """Merge the kernels of each attention of several kernels; the graph as it is where sizes are unknown."""
    forward = _forward_groups(graph)
    if not forward:
        return graph
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    matrix = classes(graph) == KernelClass.MATRIX
    merges: list[Merge] = []
    sizes = []
    for rows in forward:
        products = rows[matrix[rows]]
        # queries and keys, and values as large as the result
        sizes.append(float(read[products[0]] + 2 * written[products[-1]]) / 2)
        merges.append(_merge(graph, rows, float(flops[products].sum()), sizes[-1]))
    backward = _backward_groups(graph)
    if len(backward) == len(forward):
        for rows, size in zip(backward, reversed(sizes), strict=True):
            work = _BACK_PRODUCTS * float(flops[rows[matrix[rows]]].sum())
            merges.append(_merge(graph, rows, work, _BACK_TENSORS * size))
    if any(min(one.durations_ns) < 0 for one in merges):
        return graph
    return merged(graph, sorted(merges, key=lambda one: int(one.rows[0])))[0]


def _merge(graph: DependencyGraph, rows: Longs, flops: float, nbytes: float) -> Merge:
    """Return the kernels as one; of a negative time if that is unknown."""
    time = float(fused_attention_ns(graph.device, np.array([flops]), np.array([nbytes]))[0])
    known = np.isfinite(time) and np.isfinite(nbytes) and time > 0
    took = int(graph.duration_ns[rows].sum())
    figures = {"flops": flops, "read_bytes": nbytes * 3 / 4, "written_bytes": nbytes / 4}
    return Merge(rows=rows, name=_NAME, durations_ns=[min(took, round(time)) if known else NONE], attributes=figures)


def _forward_groups(graph: DependencyGraph) -> list[Longs]:
    """Return the kernels of each operator, if it has products and a softmax in single precision."""
    within = (graph.kind == TaskKind.KERNEL) & of_layer(graph, _ATTENDS.search) & (graph.phase != Phase.BACKWARD)
    previous = before_on_lane(graph)
    groups: list[list[int]] = []
    for row in np.flatnonzero(within).tolist():
        if groups and previous[row] == groups[-1][-1]:
            groups[-1].append(row)
        else:
            groups.append([row])
    matrix = (classes(graph) == KernelClass.MATRIX) & (precisions(graph) != Precision.HALF)
    softmax = of_name(graph, _SOFTMAX.search)
    found = [np.array(rows, np.int64) for rows in groups if matrix[rows].sum() == 2 and softmax[rows].any()]
    return found if len(found) == len(groups) else []


def _backward_groups(graph: DependencyGraph) -> list[Longs]:
    """Return, around each softmax of the backward pass, the kernels from the products before it to those behind it."""
    softmax = (graph.kind == TaskKind.KERNEL) & (graph.phase == Phase.BACKWARD) & of_name(graph, _SOFTMAX.search)
    softmax &= ~of_name(graph, re.compile(r"log_?softmax|cunn_SoftMax", re.IGNORECASE).search)
    matrix = classes(graph) == KernelClass.MATRIX
    previous = before_on_lane(graph)
    following = np.full(len(graph), NONE, np.int64)
    following[previous[previous != NONE]] = np.flatnonzero(previous != NONE)

    def reached(row: int, step: Longs) -> list[int]:
        """Return the kernels up to the end of the next products."""
        made: list[int] = []
        at = int(step[row])
        while at != NONE and len(made) < _MOST and (matrix[at] or not any(matrix[made])):
            made.append(at)
            at = int(step[at])
        return made

    return [
        np.array([*reached(row, previous)[::-1], row, *reached(row, following)], np.int64)
        for row in np.flatnonzero(softmax).tolist()
    ]
