"""8-bit floating point for matrix products (``fp8``), and the kernels that convert their inputs.

No product of PyTorch reads half precision and multiplies in eight bits: something has to write the inputs in eight bits
first. Without a compiler that is a kernel of its own before each linear layer (``torch._scaled_mm`` in plain PyTorch,
``scaled_fp8_quant`` in vLLM). torch.compile, TensorRT, and Transformer Engine behind a normalisation fuse it into the
kernel that writes the values. Weights are converted once, before.

Only the time that a product needs at the rates that the device attains gets shorter: what a small one takes to start
and to end stays. Products of activations with activations, as in attention, stay as they are.
"""

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import FOUR_BITS, KernelClass, Precision
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.efficiency_by_gpu import BY_DEVICE, attained_on
from dlbricks.whatif.graph import DependencyGraph, Floats, Phase, TaskKind
from dlbricks.whatif.half_precision_kernels import product_gains
from dlbricks.whatif.launching import NewKernel, least_kernel_ns, with_kernels
from dlbricks.whatif.select import by_step, matching_backward, of_name, one_of_each_layer
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.casts import memory_rate
from dlbricks.whatif.transforms.precision import TENSOR_FLOAT_FACTOR, quickened_ns
from dlbricks.whatif.work import kernels_of, precisions, shares

_NAME = "quantisation of activations"
_SEPARATE, _FUSED = "separate", "fused"
# Bytes that take as long to write as one value in eight bits: PyTorch converts by integer arithmetic, and stores
# single bytes. Measured on an H200: 0.98 ns for 1,000 values of half precision, and a minimal kernel.
_WRITTEN = 2


def _in_eight_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _converted(graph)
    quicker = with_durations(graph, rows, _times_ns(graph, rows, values["matrix"]))
    return with_kernels(quicker, _casts(graph, rows)).graph if values["quantise"] == _SEPARATE else quicker


def _converted(graph: DependencyGraph) -> Longs:
    """Return the products to convert: those by weights, ahead and back, or all where no weights are known."""
    rows: Longs = kernels_of(graph, KernelClass.MATRIX)
    rows = rows[(precisions(graph)[rows] != Precision.EIGHT) & ~of_name(graph, FOUR_BITS.search)[rows]]
    held = graph.figures("parameter_bytes")[rows] > 0
    if not held.any():
        return rows
    flops = graph.figures("flops")[rows]
    back = (graph.phase[rows] == Phase.BACKWARD) & np.isin(flops, flops[held])
    by_weights: Longs = rows[held | back]
    return by_weights


def _times_ns(graph: DependencyGraph, rows: Longs, faster: float) -> Floats:
    """Return the times of products in eight bits, ns; ``faster`` is the gain of arithmetic over half precision.

    If operations, bytes and the peaks of the device are known, a product loses the difference between what it needs in
    half precision and in eight bits. Otherwise its arithmetic gets faster, and its memory time by the size of the type.
    """
    half = precisions(graph)[rows] == Precision.HALF
    gains = np.where(half, 1.0, product_gains(graph, BY_DEVICE)[rows])
    tensor_float = precisions(graph)[rows] == Precision.TENSOR_FLOAT
    gains[tensor_float] = np.minimum(gains[tensor_float], TENSOR_FLOAT_FACTOR)
    every = kernels_of(graph)
    arithmetic, memory = np.ones(len(graph)), np.ones(len(graph))
    arithmetic[rows], memory[rows] = 1 / (faster * gains), np.where(half, 0.5, 0.25)
    split = shares(graph, every).times_ns(arithmetic[every], memory[every])[np.searchsorted(every, rows)]
    stated = gpu_peaks(graph.device)
    peak = stated.flops_per_s.get("float16")
    if peak is None or stated.bytes_per_s is None:
        return split
    width = np.where(half, 1.0, 0.5)
    own = np.where(half, graph.duration_ns[rows], quickened_ns(graph, rows, gains))
    read, written = (graph.figures(key)[rows] * width for key in ("read_bytes", "written_bytes"))
    needed = graph.figures("flops")[rows] / (peak * attained_on(graph.device).tensor) * 1e9
    bandwidth = memory_rate(graph, {"memory": BY_DEVICE}) / 1e9
    before = np.maximum(needed, (read + written) / bandwidth)
    needs = np.maximum(needed / faster, (read / 2 + written) / bandwidth)
    by_roof = own - np.minimum(before, own) * (1 - needs / before)
    times: Floats = np.where(np.isnan(by_roof), split, by_roof)
    return times


def _casts(graph: DependencyGraph, rows: Longs) -> list[NewKernel]:
    """Return the kernels that convert the inputs of layers and the gradients of their outputs.

    Where sizes are unknown they are minimal.
    """
    least, bandwidth = least_kernel_ns(graph), memory_rate(graph, {"memory": BY_DEVICE}) / 1e9
    width = np.where(precisions(graph) == Precision.HALF, 2, 4)
    read, written, held = (graph.figures(key) for key in ("read_bytes", "written_bytes", "parameter_bytes"))

    def cast(nbytes: Floats, row: int, before: int) -> NewKernel:
        time = np.nan_to_num(nbytes[row]) * (1 + _WRITTEN / width[row]) / bandwidth
        return NewKernel(name=_NAME, duration_ns=least + round(time), next_to=before, before=True)

    rows = one_of_each_layer(graph, rows)
    ahead, back = (rows[(graph.phase[rows] == Phase.BACKWARD) == backward] for backward in (False, True))
    casts = [cast(read - held, row, row) for row in ahead.tolist()]
    for step in by_step(graph, rows):
        first, second = (np.intersect1d(step, part) for part in (ahead, back))
        if len(first) and len(second):
            pairs = zip(first.tolist(), matching_backward(first, second).tolist(), strict=True)
            casts += [cast(written, row, other) for row, other in pairs]
    return casts


def _cannot_eight(graph: DependencyGraph, values: Values) -> str:
    if values["quantise"] not in {_SEPARATE, _FUSED}:
        return f"'{values['quantise']}' is unknown: write {_SEPARATE} or {_FUSED} for quantise"
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    stated = gpu_peaks(graph.device).flops_per_s
    if stated and "float8" not in stated:
        return f"{graph.device} does not support 8-bit floating point"
    eight = (precisions(graph) == Precision.EIGHT) | of_name(graph, FOUR_BITS.search)
    done = int(graph.duration_ns[products[eight[products]]].sum())
    return (
        "its products have 8-bit or smaller operands already"
        if 2 * done > int(graph.duration_ns[products].sum())
        else ""
    )


def _slower(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Check that no kernel takes longer than before."""
    was, now = (
        graph.duration_ns[(graph.kind == TaskKind.KERNEL) & ~of_name(graph, _NAME.__eq__)] for graph in (before, after)
    )
    return "a kernel takes longer than before" if (now > was).any() else ""


FP8 = Transform(
    name="fp8",
    title="8-bit floating point for products by weights.",
    source="roofline of each product (CACM 52(4), 2009); conversion of inputs as in PyTorch without a compiler",
    apply=_in_eight_bits,
    parameters=(
        Parameter("matrix", "factor", "speed-up of arithmetic over half precision", "1.6x"),
        Parameter(
            "quantise", "text", "separate: kernels of their own convert inputs; fused: those that write them", _SEPARATE
        ),
    ),
    requires=_cannot_eight,
    ensures=_slower,
)
