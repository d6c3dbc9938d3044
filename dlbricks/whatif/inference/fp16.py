"""Half precision for a whole network: half the bytes everywhere, tensor cores for products."""

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import lasting, scaled
from dlbricks.whatif.inference.shares import shares
from dlbricks.whatif.kernels import KernelClass, Precision, classes, precisions
from dlbricks.whatif.nouns import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.transform import Parameter, Transform, Values

_TENSOR_FLOAT_FACTOR = 2.0
"""Of products in TF32: tensor cores multiply halves twice as quickly."""
_MOST_HALF = 0.5
"""So much of the time of products in half precision means that the network is so already."""
_STAYS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)
"""Read whole numbers, or nobody knows what they do."""


def _kernels(graph: DependencyGraph) -> Longs:
    return np.flatnonzero(graph.kind == TaskKind.KERNEL)


def _fp16(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide the arithmetic of products by ``matrix`` and all memory by 2; what is fixed stays, and so does the host.

    Copies between host and device halve where ``copies`` says so. Kernels that compute in halves already, lookups and
    unknown kernels keep their times.
    """
    rows = _kernels(graph)
    parts = shares(graph, rows)
    precision, kind = precisions(graph)[rows], classes(graph)[rows]
    matrix = np.full(len(rows), 1 / float(values["matrix"]))
    tensor_float = precision == Precision.TENSOR_FLOAT
    matrix[tensor_float] = np.maximum(matrix[tensor_float], 1 / _TENSOR_FLOAT_FACTOR)
    memory = np.full(len(rows), 1 / float(values["bytes"]))
    stays = np.isin(kind, _STAYS) | (precision == Precision.HALF)
    matrix[stays] = memory[stays] = 1.0
    made = lasting(graph, rows, parts.times_ns(graph, matrix, memory))
    if str(values["copies"]) == "half":
        made = scaled(made, np.flatnonzero(graph.kind == TaskKind.COPY), 0.5)
    return made


def _cannot_halve(graph: DependencyGraph, values: Values) -> str:
    rows = _kernels(graph)
    if not len(rows):
        return "it has no kernels: processors convert halves to single precision, which gains nothing"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass, so it is training: ask amp"
    if str(values["copies"]) not in ("half", "same"):
        return f"'{values['copies']}' says nothing of copies: write half or same"
    products = rows[np.isin(classes(graph)[rows], (KernelClass.MATRIX, KernelClass.ATTENTION))]
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[some].sum()) for some in (products, half))
    if of_half > _MOST_HALF * time:
        name = graph.names[graph.task_name[half[0]]]
        return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {name}"
    return ""


FP16 = Transform(
    name="fp16",
    title="The whole network in half precision.",
    evidence="modelled",
    source="Daydream's 3 and 2 (USENIX ATC 2020, section 5.1) for the parts of kernels that are arithmetic and memory",
    apply=_fp16,
    parameters=(
        Parameter(
            name="matrix",
            kind="factor",
            meaning="how many times as quick the arithmetic of products is, TF32 ones at most 2",
            default="3x",
        ),
        Parameter(name="bytes", kind="factor", meaning="how many times as quick memory is", default="2x"),
        Parameter(
            name="copies", kind="text", meaning="half or same: what copies from and to the host take", default="same"
        ),
    ),
    requires=_cannot_halve,
    ensures=lambda before, after, _: (
        "" if (after.duration_ns <= before.duration_ns).all() else "a task takes longer than before"
    ),
)
