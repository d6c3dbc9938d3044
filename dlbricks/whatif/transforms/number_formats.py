"""Transforms to other number formats: half precision (``fp16``, ``bf16``) and 8-bit floating point (``fp8``).

A format changes two parts of a kernel's time. The arithmetic time of products follows the rate that the device attains
in the format (``whatif.work``); memory time follows the bytes of a value. In half precision, the gain depends on the
size of products, on the layout of convolutions, and on the library of batch normalisations.
"""

import re
from dataclasses import replace

import numpy as np

from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import FOUR_BITS, KernelClass, Precision
from dlbricks.units import shortened
from dlbricks.whatif.edit import Merge, NewKernel, least_kernel_ns, merged, removed_beside, with_durations, with_kernels
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind
from dlbricks.whatif.select import before_on_lane, of_layer, of_name, one_of_each_layer
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import (
    PRODUCTS,
    attained_on,
    classes,
    fused_attention_ns,
    half_gain,
    half_gains,
    kernels_of,
    least_products_ns,
    memory_rate,
    moved_bytes,
    precisions,
    shares,
)

# Products with an odd dimension of features, such as the last one of GPT-2 (50,257 words), cannot be loaded 16 bytes at
# a time, and reach little of the peak. Convolutions of few operations per byte, depthwise ones above all, use no tensor
# cores and save bytes only. In the channels-last layout convolutions need no conversions for tensor cores.
#
# For bfloat16, and for half precision weights, PyTorch uses its own batch normalisation instead of cuDNN's
# (aten/src/ATen/native/Normalization.cpp). In the plain layout, bytes do not limit it but the number of its blocks, one
# per channel. Its times relative to cuDNN's in single precision were measured in a training step and a call of
# ResNet-50 on an H200. In the channels-last layout it takes half the time of cuDNN's, which moves twice the bytes.
#
# Where cuBLAS splits small products of single precision, it scales results and adds biases in kernels of their own; in
# half precision products do both themselves.
#
# ``scaled_dot_product_attention`` of PyTorch takes one kernel if a backend supports the case. In single precision only
# the memory-efficient backend remains. It does not support heads that share keys (grouped queries), so such networks
# run products, softmax and masks as separate kernels. The backends FlashAttention and cuDNN support them but need half
# precision: there, one kernel replaces these kernels.

_CONVOLVES = re.compile(r"cudnn|conv|winograd|[dw]grad|fprop|implicit_?gemm|miopen|fft", re.IGNORECASE)
# Speed-up of products on devices without known peaks, as in Daydream (USENIX ATC 2020, section 5.1).
_UNKNOWN_DEVICE = 3.0
# Largest speed-up of TF32 kernels: tensor cores have twice the rate in half precision, and values half the bytes.
_TENSOR_FLOAT_FACTOR = 2.0
# Convolutions with fewer FLOPs per byte (in single precision) use no tensor cores; depthwise ones of 3 by 3 have 2.
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
    """Return for each matrix product or convolution its speed-up by half precision; at most 2 if TF32 was used."""
    flops, halved = graph.figures("flops"), moved_bytes(graph) / 2
    convolves, uneven, kinds = convolutions(graph), uneven_products(graph), classes(graph)
    converted = convolves & (not channels_last(graph))
    gains = half_gains(graph.device, flops, 2 * halved, graph.duration_ns, converted, uneven)
    single = (kinds == KernelClass.ATTENTION) & (precisions(graph) != Precision.HALF)
    fused = fused_attention_ns(graph.device, np.where(single, flops, np.nan), halved)
    fuses = ~np.isnan(fused) & (fused > 0)
    gains[fuses] = np.maximum(1.0, graph.duration_ns[fuses] / fused[fuses])
    plain = (kinds == KernelClass.MATRIX) & ~convolves & ~uneven & (flops > 0)
    sized = least_products_ns(graph.device, np.where(plain, flops, np.nan), halved)
    floored = ~np.isnan(sized)
    gains[floored] = np.clip(graph.duration_ns[floored] / sized[floored], 1.0, gains[floored])
    if half_gain(graph.device) is None:
        gains[:] = _UNKNOWN_DEVICE
    tensor_float = precisions(graph) == Precision.TENSOR_FLOAT
    gains[tensor_float] = np.minimum(gains[tensor_float], _TENSOR_FLOAT_FACTOR)
    return gains


def convolutions(graph: DependencyGraph) -> Mask:
    """Return a boolean array over all tasks: whether the name is that of a convolution kernel."""
    return (classes(graph) == KernelClass.MATRIX) & of_name(graph, _CONVOLVES.search)


def saving_bytes_only(graph: DependencyGraph) -> Mask:
    """Return a boolean array over all tasks: whether a convolution has too few FLOPs per byte for tensor cores."""
    flops, moved = graph.figures("flops"), moved_bytes(graph)
    return convolutions(graph) & (flops > 0) & (flops < _LOW_INTENSITY * moved)


def uneven_products(graph: DependencyGraph) -> Mask:
    """Return a boolean array over all tasks: whether a product's weight has an odd number of rows or columns.

    The numbers of rows, inputs and outputs follow from the FLOPs, bytes and weights of a product. The two products of
    the backward pass have the same three numbers as the product of the forward pass.
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
    # rows * inputs * outputs, and the sum of the sizes of the three matrices, are equal in both passes
    faces = np.rint((read[rows] + written[rows]) / _WIDTH)
    keys = list(zip(np.rint(multiplied).tolist(), faces.tolist(), strict=True))
    odd = {key for key, is_odd in zip(keys, (uneven & weighted).tolist(), strict=True) if is_odd}
    mask[rows[[key in odd for key in keys]]] = True
    return mask


def channels_last(graph: DependencyGraph) -> bool:
    """Return whether most tensors of a graph's convolutional network are in the channels-last layout.

    Names of batch normalisation kernels tell the layout; without them, each convolution's first layout conversion does.
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
    """Return a boolean array over all tasks: whether the kernel converts between tensor layouts."""
    return (graph.kind == TaskKind.KERNEL) & (of_name(graph, _FROM_PLAIN.search) | of_name(graph, _TO_PLAIN.search))


def with_half_kernels_only(graph: DependencyGraph) -> DependencyGraph:
    """Return the graph without the kernels that half precision does not need.

    These are layout conversions in channels-last networks, and kernels that finish single precision products of cuBLAS.
    If half precision has a fused kernel of attention, it replaces the kernels of each attention.
    """
    gone = (graph.kind == TaskKind.KERNEL) & of_name(graph, _BESIDE_PRODUCTS.search)
    gone |= conversions(graph) & channels_last(graph)
    return _with_flash_attention(removed_beside(graph, np.flatnonzero(gone)))


def own_norm_factors(graph: DependencyGraph) -> Floats:
    """Return the factor on a cuDNN batch normalisation's time if PyTorch's own kernel replaces it; else NaN."""
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
_FLASH_NAME = "flash attention in half precision"


def _with_flash_attention(graph: DependencyGraph) -> DependencyGraph:
    # Merge the forward kernels of each attention of several kernels; if sizes are unknown, the graph stays unchanged.
    # Backward kernels stay: merged, a Llama's training is predicted 3 % too short, unmerged 5 % too long.
    matrix = classes(graph) == KernelClass.MATRIX
    groups = _attention_groups(graph, matrix)
    flops, read, written = (graph.figures(key) for key in ("flops", "read_bytes", "written_bytes"))
    products = [rows[matrix[rows]] for rows in groups]
    work = np.array([flops[rows].sum() for rows in products])
    # queries and keys, and values as large as the result
    moved = np.array([(read[rows[0]] + 2 * written[rows[-1]]) / 2 for rows in products])
    times = fused_attention_ns(graph.device, work, moved)
    if not groups or not (np.isfinite(times + moved) & (times > 0)).all():
        return graph
    return merged(
        graph,
        [
            Merge(
                rows=rows,
                name=_FLASH_NAME,
                duration_ns=min(graph.duration_ns[rows].sum(), time),
                attributes={"flops": done, "read_bytes": nbytes * 3 / 4, "written_bytes": nbytes / 4},
            )
            for rows, done, nbytes, time in zip(groups, work.tolist(), moved.tolist(), times.tolist(), strict=True)
        ],
    )


def _attention_groups(graph: DependencyGraph, matrix: Mask) -> list[Longs]:
    # Return the kernels of each attention operator, if each operator has two single precision products and a softmax.
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


# Characters of a kernel name in a message.
_LETTERS = 60
# Share of matrix time in a format above which the graph counts as converted already.
_MOST = 0.5
# Classes with integer data or unknown work.
_NO_FLOATS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)
NO_PRODUCTS = "it applies to kernels of a GPU that multiply matrices, and there are none"


def half_already(graph: DependencyGraph, products: Longs) -> str:
    """Return why matrix products need no conversion to half precision, or an empty string."""
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half <= _MOST * time:
        return ""
    example = shortened(graph.named(int(half[0])), _LETTERS)
    return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {example}"


def no_bfloat16(graph: DependencyGraph) -> str:
    """Return why the run of a dependency graph cannot use bfloat16, or an empty string."""
    stated = gpu_peaks(graph.device).flops_per_s
    return f"{graph.device} does not support bfloat16: use float16" if stated and "bfloat16" not in stated else ""


def quickened_ns(graph: DependencyGraph, rows: Longs, gains: Floats) -> Floats:
    """Return the times, ns, of the kernels ``rows`` after they got faster by the factors ``gains``.

    No time gets shorter than that of a minimal kernel, or of moving half the kernel's bytes at the graph's best rate.
    """
    own = graph.duration_ns[rows]
    return np.minimum(np.maximum(np.maximum(own / gains, _half_bytes_ns(graph)[rows]), least_kernel_ns(graph)), own)


def _half_bytes_ns(graph: DependencyGraph) -> Floats:
    # Return the time in which each kernel moves half its bytes, ns; 0 if its bytes are unknown.
    moved = moved_bytes(graph)
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    best = float((moved[rows] / graph.duration_ns[rows]).max(initial=0))
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def saved_bytes_ns(graph: DependencyGraph, factors: Floats | float) -> Floats:
    """Return the time of each kernel, ns, with its bytes divided by ``factors``; 0 if bytes or device are unknown.

    The saved bytes save time at the bandwidth that the device attains; any other time of the kernel stays.
    """
    moved_ns = moved_bytes(graph) / memory_rate(graph.device) * 1e9
    saved = (1 - 1 / factors) * np.minimum(moved_ns, graph.duration_ns)
    sized = ~np.isnan(moved_ns) & (gpu_peaks(graph.device).bytes_per_s is not None)
    return np.where(sized, graph.duration_ns - np.nan_to_num(saved), 0.0)


def _halved(graph: DependencyGraph, _: Values) -> DependencyGraph:
    # Shorten products by the rate that the device attains, and halve memory time; fixed parts and the host stay.
    # Kernels in half precision, embeddings, collectives and unclassified kernels keep their times.
    graph = with_half_kernels_only(graph)
    rows = kernels_of(graph)
    kinds, few = classes(graph)[rows], saving_bytes_only(graph)[rows]
    stays = np.isin(kinds, _NO_FLOATS) | (precisions(graph)[rows] == Precision.HALF)
    gains = np.where(stays, 1.0, product_gains(graph)[rows])
    times = shares(graph, rows).times_ns(1 / gains, np.where(stays, 1.0, 0.5))
    sized = ~np.isnan((graph.figures("flops") + moved_bytes(graph))[rows])
    products = (kinds == KernelClass.MATRIX) & sized & ~few & ~stays
    times = np.where(products, quickened_ns(graph, rows, gains), times)
    by_bytes = (~np.isin(kinds, PRODUCTS) | few) & ~stays
    times = np.where(by_bytes, np.maximum(times, saved_bytes_ns(graph, 2.0)[rows]), times)
    norm = own_norm_factors(graph)[rows]
    return with_durations(graph, rows, np.where(np.isnan(norm), times, graph.duration_ns[rows] * norm))


def _cannot_halve(graph: DependencyGraph, _: Values) -> str:
    if not len(kernels_of(graph)):
        return "it has no device kernels, and half precision has no gain on processors, which convert it to single"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    return half_already(graph, kernels_of(graph, *PRODUCTS))


def _longer(before: DependencyGraph, after: DependencyGraph, _: Values) -> str:
    # Return a message if a task takes longer than before.
    shorter = after.duration_ns <= with_half_kernels_only(before).duration_ns
    return "" if shorter.all() else "a task takes longer than before"


FP16 = Transform(
    name="fp16",
    synonyms=("half", "float16"),
    title="The whole network in half precision.",
    source="Daydream (USENIX ATC 2020, section 5.1): products by rates that the device attains, other kernels by bytes",
    apply=_halved,
    requires=_cannot_halve,
    ensures=_longer,
)
BF16 = replace(
    FP16,
    name="bf16",
    synonyms=("bfloat16",),
    title="The whole network in bfloat16.",
    requires=lambda graph, values: no_bfloat16(graph) or _cannot_halve(graph, values),
)

# No product of PyTorch reads half precision and multiplies in eight bits. So a separate kernel before each linear layer
# converts the inputs to eight bits (``torch._scaled_mm`` in plain PyTorch, ``scaled_fp8_quant`` in vLLM).
# torch.compile, TensorRT, and Transformer Engine after a normalisation fuse this conversion into the kernel before it.
_NAME = "quantisation of activations"
_SEPARATE, _FUSED = "separate", "fused"
# Writing one value in eight bits takes as long as this many bytes, since PyTorch converts by integer arithmetic and
# stores single bytes. Measured on an H200: 0.98 ns per 1,000 half precision values, plus a minimal kernel.
_WRITTEN = 2
# Speed-up of the arithmetic of products over half precision.
_EIGHT_BITS_FACTOR = 1.6


def _in_eight_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _converted(graph)
    quicker = with_durations(graph, rows, _eight_bits_ns(graph, rows))
    return with_kernels(quicker, _casts(graph, rows)).graph if values["quantise"] == _SEPARATE else quicker


def _is_smaller(graph: DependencyGraph, rows: Longs) -> Mask:
    # Return a mask of the products with operands of eight or four bits.
    return (precisions(graph)[rows] == Precision.EIGHT) | of_name(graph, FOUR_BITS.search)[rows]


def _converted(graph: DependencyGraph) -> Longs:
    # Return the products to convert: those that read weights, or all if no weights are known.
    rows: Longs = kernels_of(graph, KernelClass.MATRIX)
    rows = rows[~_is_smaller(graph, rows)]
    held = graph.figures("parameter_bytes")[rows] > 0
    return rows[held] if held.any() else rows


def _eight_bits_ns(graph: DependencyGraph, rows: Longs) -> Floats:
    # Return the times of products in eight bits, ns.
    # If FLOPs, bytes and the peaks of the device are known, a product saves the difference between the times that the
    # roofline gives for half precision and for eight bits. Otherwise arithmetic and memory time are divided by a factor
    # each.
    half = precisions(graph)[rows] == Precision.HALF
    gains = np.where(half, 1.0, product_gains(graph)[rows])
    every = kernels_of(graph)
    arithmetic, memory = np.ones(len(graph)), np.ones(len(graph))
    arithmetic[rows], memory[rows] = 1 / (_EIGHT_BITS_FACTOR * gains), np.where(half, 0.5, 0.25)
    split = shares(graph, every).times_ns(arithmetic[every], memory[every])[np.searchsorted(every, rows)]
    stated = gpu_peaks(graph.device)
    peak = stated.flops_per_s.get("float16")
    if peak is None or stated.bytes_per_s is None:
        return split
    own = np.where(half, graph.duration_ns[rows], quickened_ns(graph, rows, gains))
    read, written = (graph.figures(key)[rows] * np.where(half, 1.0, 0.5) for key in ("read_bytes", "written_bytes"))
    needed = graph.figures("flops")[rows] / (peak * attained_on(graph.device).tensor) * 1e9
    bytes_per_ns = memory_rate(graph.device) / 1e9
    before = np.maximum(needed, (read + written) / bytes_per_ns)
    needs = np.maximum(needed / _EIGHT_BITS_FACTOR, (read / 2 + written) / bytes_per_ns)
    by_roof = own - np.minimum(before, own) * (1 - needs / before)
    return np.where(np.isnan(by_roof), split, by_roof)


def _casts(graph: DependencyGraph, rows: Longs) -> list[NewKernel]:
    # Return the kernels that convert the inputs of layers; if sizes are unknown, they are minimal.
    width = np.where(precisions(graph) == Precision.HALF, 2, 4)
    nbytes = np.nan_to_num(graph.figures("read_bytes") - graph.figures("parameter_bytes"))
    times = nbytes * (1 + _WRITTEN / width) / (memory_rate(graph.device) / 1e9)
    least = least_kernel_ns(graph)
    return [
        NewKernel(name=_NAME, duration_ns=least + round(times[row]), next_to=row, before=True)
        for row in one_of_each_layer(graph, rows).tolist()
    ]


def _cannot_eight(graph: DependencyGraph, values: Values) -> str:
    if values["quantise"] not in {_SEPARATE, _FUSED}:
        return f"unknown value '{values['quantise']}' of quantise: choose {_SEPARATE} or {_FUSED}"
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return NO_PRODUCTS
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    stated = gpu_peaks(graph.device).flops_per_s
    if stated and "float8" not in stated:
        return f"{graph.device} does not support 8-bit floating point"
    times = graph.duration_ns[products]
    done = int(times[_is_smaller(graph, products)].sum()) > _MOST * int(times.sum())
    return "its products have 8-bit or smaller operands already" if done else ""


def _slower(before: DependencyGraph, after: DependencyGraph, _: Values) -> str:
    # Return a message if a kernel takes longer than before.
    was, now = (
        graph.duration_ns[(graph.kind == TaskKind.KERNEL) & ~of_name(graph, _NAME.__eq__)] for graph in (before, after)
    )
    return "a kernel takes longer than before" if (now > was).any() else ""


FP8 = Transform(
    name="fp8",
    synonyms=("float8",),
    title="8-bit floating point for matrix products that read weights.",
    source="roofline of each product (CACM 52(4), 2009); conversion of inputs as in PyTorch without a compiler",
    apply=_in_eight_bits,
    parameters=(
        Parameter(
            "quantise", "text", "inputs are converted by 'separate' kernels, or 'fused' into earlier kernels", _SEPARATE
        ),
    ),
    requires=_cannot_eight,
    ensures=_slower,
)
