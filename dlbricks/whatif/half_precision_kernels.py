"""How kernels change in half precision: products by size, convolutions by layout, batch normalisation by library."""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import KernelClass, Precision
from dlbricks.whatif.edit import Merge, merged, removed_beside
from dlbricks.whatif.efficiency_by_gpu import fused_attention_ns, half_gain, half_gains, least_products_ns
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind
from dlbricks.whatif.select import before_on_lane, of_layer, of_name
from dlbricks.whatif.work import classes, kernels_of, moved_bytes, precisions

# Products with an odd dimension of features, such as the last one of GPT-2 (50,257 words), cannot be loaded 16 bytes at
# a time, and reach little of the peak. Convolutions of few operations per byte, depthwise ones above all, use no tensor
# cores and save bytes only. In the channels-last layout convolutions need no conversions for tensor cores.
#
# PyTorch has its own batch normalisation for bfloat16, and for half precision weights, instead of cuDNN's
# (aten/src/ATen/native/Normalization.cpp). In the plain layout it is limited by the few blocks that it runs, one for
# each channel, not by bytes: its times relative to cuDNN's in single precision were measured on a training step and a
# call of ResNet-50 on an H200. In the channels-last layout it takes half the time of cuDNN's, which moves twice the
# bytes.
#
# Where cuBLAS splits small products of single precision, it scales results and adds biases in kernels of their own; in
# half precision products do both themselves.
#
# ``scaled_dot_product_attention`` of PyTorch takes one kernel if a backend knows the case. In single precision only the
# memory-efficient one remains, which shares no keys between heads (grouped queries), so that such networks run
# products, softmax and masks as kernels of their own. FlashAttention and cuDNN's know it, and need half precision:
# their kernels become one.

_CONVOLVES = re.compile(r"cudnn|conv|winograd|[dw]grad|fprop|implicit_?gemm|miopen|fft", re.IGNORECASE)
# Factor used by Daydream.
_UNKNOWN_DEVICE = 3.0
# Speed-up of TF32 kernels: twice the rate of tensor cores, half the bytes.
_TENSOR_FLOAT_FACTOR = 2.0
# FLOPs per byte of single precision below which convolutions use no tensor cores: depthwise ones of 3 by 3 have 2.
_LOW_INTENSITY = 10.0
# Bytes of an element in single precision.
_WIDTH = 4
# Scaling of results and epilogues of cuBLAS's single precision products.
_BESIDE_PRODUCTS = re.compile(
    r"\bscal_kernel<float.*cublasTransposeParams|cublasLt::epilogue::impl::\w+<(?![^>]*(half|bfloat))[^>]*\bfloat\b"
)
_FROM_PLAIN = re.compile(r"nchw_?to\w*nhwc", re.IGNORECASE)
_TO_PLAIN = re.compile(r"nhwc_?to\w*nchw", re.IGNORECASE)
_NORM = re.compile(r"batch_?norm|\bbn_(fw|bw)", re.IGNORECASE)
_LIBRARY_NORM = re.compile(r"cudnn::(bn_(fw|bw)|batchnorm_)", re.IGNORECASE)
_CHANNELS_LAST_NORM = re.compile(r"nhwc|channels_last", re.IGNORECASE)
# Time of PyTorch's batch normalisation in half precision relative to cuDNN's in single, in the plain layout.
_OWN_NORM_FORWARD, _OWN_NORM_BACKWARD, _OWN_NORM_INFERENCE = 1.66, 1.21, 1.0


def product_gains(graph: DependencyGraph) -> Floats:
    """Return the speed-up of each product from half precision, by device, kind and size; at most 2 from TF32."""
    gains = _product_gains(graph)
    tensor_float = precisions(graph) == Precision.TENSOR_FLOAT
    gains[tensor_float] = np.minimum(gains[tensor_float], _TENSOR_FLOAT_FACTOR)
    return gains


def _product_gains(graph: DependencyGraph) -> Floats:
    if half_gain(graph.device) is None:
        return np.full(len(graph), _UNKNOWN_DEVICE)
    flops = graph.figures("flops")
    converted = convolutions(graph) & (not channels_last(graph))
    gains = half_gains(
        graph.device, flops, moved_bytes(graph), graph.duration_ns, converted, uneven=uneven_products(graph)
    )
    single = (classes(graph) == KernelClass.ATTENTION) & (precisions(graph) != Precision.HALF)
    fused = fused_attention_ns(graph.device, np.where(single, flops, np.nan), moved_bytes(graph) / 2)
    fuses = ~np.isnan(fused) & (fused > 0)
    gains[fuses] = np.maximum(1.0, graph.duration_ns[fuses] / fused[fuses])
    plain = (classes(graph) == KernelClass.MATRIX) & ~convolutions(graph) & ~uneven_products(graph) & (flops > 0)
    sized = least_products_ns(graph.device, np.where(plain, flops, np.nan), moved_bytes(graph) / 2)
    floored = ~np.isnan(sized)
    gains[floored] = np.clip(graph.duration_ns[floored] / sized[floored], 1.0, gains[floored])
    return gains


def convolutions(graph: DependencyGraph) -> Mask:
    """Return a mask of the convolutions, by name."""
    convolves: Mask = (classes(graph) == KernelClass.MATRIX) & of_name(graph, _CONVOLVES.search)
    return convolves


def saving_bytes_only(graph: DependencyGraph) -> Mask:
    """Return a mask of the convolutions with too few operations per byte for tensor cores."""
    flops, moved = graph.figures("flops"), moved_bytes(graph)
    mask: Mask = convolutions(graph) & (flops > 0) & (flops < _LOW_INTENSITY * moved)
    return mask


def uneven_products(graph: DependencyGraph) -> Mask:
    """Return a mask of the products by weights with an odd number of inputs or outputs.

    Rows, inputs and outputs of a product follow from its FLOPs, bytes and weights. Those going back have the same three
    numbers as the one ahead.
    """
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    mask = np.zeros(len(graph), bool)
    rows = kernels_of(graph, KernelClass.MATRIX)
    rows = rows[~convolutions(graph)[rows] & (flops[rows] > 0) & (written[rows] > 0)]
    held = graph.figures("parameter_bytes")[rows] / _WIDTH
    results, multiplied = written[rows] / _WIDTH, flops[rows] / 2
    inner = multiplied / results
    outer = np.where(held > 0, held / inner, np.nan)
    uneven = (np.rint(inner) % 2 == 1) | (np.rint(outer) % 2 == 1)
    weighted = ~np.isnan(outer)
    # rows * inputs * outputs, and the sum of the three faces, are the same ahead and back
    faces = np.rint((read[rows] + written[rows]) / _WIDTH)
    keys = list(zip(np.rint(multiplied).tolist(), faces.tolist(), strict=True))
    odd = {key for key, is_odd in zip(keys, (uneven & weighted).tolist(), strict=True) if is_odd}
    mask[rows[[key in odd for key in keys]]] = True
    return mask


def channels_last(graph: DependencyGraph) -> bool:
    """Return whether most tensors of a network of convolutions are in the channels-last layout.

    Kernels of batch normalisation have it in their names; otherwise the first conversion of each convolution tells it.
    """
    normal = np.flatnonzero((graph.kind == TaskKind.KERNEL) & of_name(graph, _NORM.search))
    if len(normal):
        last = of_name(graph, _CHANNELS_LAST_NORM.search)[normal]
        return bool(2 * graph.duration_ns[normal[last]].sum() > graph.duration_ns[normal].sum())
    converts, convolves, previous = conversions(graph), convolutions(graph), before_on_lane(graph)
    first = converts & ((previous == NONE) | ~(converts | convolves)[previous])
    to_plain = first & of_name(graph, _TO_PLAIN.search)
    return bool(2 * np.count_nonzero(to_plain) > np.count_nonzero(first))


def conversions(graph: DependencyGraph) -> Mask:
    """Return a mask of the kernels that convert between layouts for convolutions."""
    mask: Mask = (graph.kind == TaskKind.KERNEL) & (
        of_name(graph, _FROM_PLAIN.search) | of_name(graph, _TO_PLAIN.search)
    )
    return mask


def with_half_kernels_only(graph: DependencyGraph) -> DependencyGraph:
    """Remove the kernels that half precision does not need.

    Those are conversions of layout in channels-last networks, what single precision products of cuBLAS leave to
    kernels of their own, and attention of several kernels where half precision has one for it.
    """
    gone = (graph.kind == TaskKind.KERNEL) & of_name(graph, _BESIDE_PRODUCTS.search)
    gone |= conversions(graph) & channels_last(graph)
    return _with_flash_attention(removed_beside(graph, np.flatnonzero(gone)))


def own_norm_factors(graph: DependencyGraph) -> Floats:
    """Return the factor on the time of cuDNN's batch normalisation where PyTorch's replaces it; NaN for all others."""
    factors = np.full(len(graph), np.nan)
    if channels_last(graph):
        return factors
    replaced = (graph.kind == TaskKind.KERNEL) & of_name(graph, _LIBRARY_NORM.search)
    trained = bool((graph.phase == Phase.BACKWARD).any())
    factors[replaced] = _OWN_NORM_FORWARD if trained else _OWN_NORM_INFERENCE
    factors[replaced & (graph.phase == Phase.BACKWARD)] = _OWN_NORM_BACKWARD
    return factors


_ATTENDS = re.compile(r"\bscaled_dot_product_attention\Z")
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_LOSS = re.compile(r"log_?softmax|cunn_SoftMax", re.IGNORECASE)
_NAME = "flash attention in half precision"
# Products of the backward kernel relative to those of separate ones: it computes the attention matrix again.
_BACK_PRODUCTS = 5 / 4
# Tensors that it moves (queries, keys, values, results and the gradients of all) relative to the forward kernel.
_BACK_TENSORS = 2
# Kernels of one attention.
_MOST = 40


def _with_flash_attention(graph: DependencyGraph) -> DependencyGraph:
    """Merge the kernels of each attention of several kernels; the graph as it is where sizes are unknown."""
    matrix = classes(graph) == KernelClass.MATRIX
    forward = _forward_groups(graph, matrix)
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    # queries and keys, and values as large as the result
    sizes = [float(read[rows[matrix[rows]][0]] + 2 * written[rows[matrix[rows]][-1]]) / 2 for rows in forward]
    backward = _backward_groups(graph, matrix)
    groups = [(rows, 1.0, size) for rows, size in zip(forward, sizes, strict=True)]
    if len(backward) == len(forward):
        back = zip(backward, reversed(sizes), strict=True)
        groups += [(rows, _BACK_PRODUCTS, _BACK_TENSORS * size) for rows, size in back]
    work = np.array([again * flops[rows[matrix[rows]]].sum() for rows, again, _ in groups])
    moved = np.array([nbytes for _, _, nbytes in groups])
    times = fused_attention_ns(graph.device, work, moved)
    if not groups or not (np.isfinite(times + moved) & (times > 0)).all():
        return graph
    return merged(
        graph,
        [
            Merge(
                rows=rows,
                name=_NAME,
                duration_ns=min(graph.duration_ns[rows].sum(), time),
                attributes={"flops": done, "read_bytes": nbytes * 3 / 4, "written_bytes": nbytes / 4},
            )
            for (rows, _, nbytes), done, time in zip(groups, work.tolist(), times.tolist(), strict=True)
        ],
    )


def _forward_groups(graph: DependencyGraph, matrix: Mask) -> list[Longs]:
    """Return the kernels of each operator, if each has two products and a softmax in single precision."""
    within = (graph.kind == TaskKind.KERNEL) & of_layer(graph, _ATTENDS.search) & (graph.phase != Phase.BACKWARD)
    previous = before_on_lane(graph)
    groups: list[list[int]] = []
    for row in np.flatnonzero(within).tolist():
        if groups and previous[row] == groups[-1][-1]:
            groups[-1].append(row)
        else:
            groups.append([row])
    single = matrix & (precisions(graph) != Precision.HALF)
    softmax = of_name(graph, _SOFTMAX.search)
    attends = all(single[rows].sum() == 2 and softmax[rows].any() for rows in groups)
    return [np.array(rows, np.int64) for rows in groups] if attends else []


def _backward_groups(graph: DependencyGraph, matrix: Mask) -> list[Longs]:
    """Return, around each softmax of the backward pass, the kernels from the products before it to those behind it."""
    softmax = of_name(graph, _SOFTMAX.search) & ~of_name(graph, _LOSS.search)
    softmax &= (graph.kind == TaskKind.KERNEL) & (graph.phase == Phase.BACKWARD)
    previous = before_on_lane(graph)
    following = np.full(len(graph), NONE, np.int64)
    following[previous[previous != NONE]] = np.flatnonzero(previous != NONE)

    def reached(row: int, step: Longs) -> list[int]:
        """Return the kernels up to the end of the next products."""
        rows: list[int] = []
        at = int(step[row])
        while at != NONE and len(rows) < _MOST and (matrix[at] or not any(matrix[rows])):
            rows.append(at)
            at = int(step[at])
        return rows

    return [
        np.array([*reached(row, previous)[::-1], row, *reached(row, following)], np.int64)
        for row in np.flatnonzero(softmax).tolist()
    ]
