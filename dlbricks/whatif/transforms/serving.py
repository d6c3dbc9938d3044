"""4-bit weights of language model servers (``int4``)."""

import re

import numpy as np

from dlbricks.trace.work_classes import FOUR_BITS, KernelClass, Precision
from dlbricks.units import shortened
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import of_name, server_steps
from dlbricks.whatif.transform import Parameter, Transform, Values, counting
from dlbricks.whatif.work import kernels_of, precisions, shares, weight_shares

_WEIGHT_BITS = {Precision.HALF: 16, Precision.EIGHT: 8, Precision.TENSOR_FLOAT: 32, Precision.SINGLE: 32}
# The scale that a group of weights shares is in half precision.
_SCALE_BITS = 16
_SINGLE_IN_SERVERS = re.compile(r"sgemm|_f32|float,|fp32", re.IGNORECASE)
# Characters of a kernel name in a message.
_LETTERS = 60


def _in_four_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Scale the weight traffic of products to the new bits per weight; arithmetic is kept, times ``unpack``."""
    rows = kernels_of(graph, KernelClass.MATRIX)
    kinds = precisions(graph)[rows]
    single = of_name(graph, _SINGLE_IN_SERVERS.search)[rows]
    bits = np.array([_WEIGHT_BITS[Precision(kind)] for kind in kinds.tolist()] or [16], np.float64)[: len(rows)]
    if any(server_steps(graph)):  # servers compute in half precision, which many kernel names do not tell
        bits[(kinds == Precision.SINGLE) & ~single] = _WEIGHT_BITS[Precision.HALF]
    weights = np.nan_to_num(weight_shares(graph)[rows], nan=1.0)
    now = 1 - weights * (1 - (values["bits"] + _SCALE_BITS / values["group"]) / bits)
    return with_durations(graph, rows, shares(graph, rows).times_ns(np.full(len(rows), values["unpack"]), now))


def _cannot_shrink(graph: DependencyGraph, values: Values) -> str:
    products = kernels_of(graph, KernelClass.MATRIX)
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels of a device: of a decoder on a processor ask 'llm estimate --weights int4'"
    if not len(products):
        return "it has no kernel that multiplies matrices"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: 4-bit weights are for inference"
    done = products[of_name(graph, FOUR_BITS.search)[products]]
    if 2 * int(graph.duration_ns[done].sum()) > int(graph.duration_ns[products].sum()):
        return f"its weights are 4-bit already, as in {shortened(graph.named(int(done[0])), _LETTERS)}"
    if not 2 <= values["bits"] <= 8:
        return "weights have 2 to 8 bits: give bits=4"
    return "" if values["unpack"] >= 1 else "the unpack factor is below 1"


INT4 = Transform(
    name="int4",
    title="4-bit weights of matrix products, unpacked in the kernel; activations are unchanged.",
    source="AWQ (MLSys 2024), MARLIN (PPoPP 2025): 4-bit weights in memory, half precision arithmetic",
    apply=_in_four_bits,
    parameters=(
        Parameter("bits", "count", "bits per weight", "4"),
        Parameter("group", "count", "weights per 16-bit scale", "128"),
        Parameter("unpack", "factor", "slowdown of arithmetic by unpacking", "1x"),
    ),
    requires=_cannot_shrink,
    ensures=counting(0, "tasks came or went"),
)
"""The memory part of a product shrinks with the bits per weight. In steps of vLLM and SGLang that part follows from the
tokens of the step and the peaks of the device: nearly all when a few requests decode, little in a prefill. Otherwise
all bytes of a product count as weights. Not modelled: other kernels, and larger batches that fit into memory."""
