"""The transform ``int8``: 8-bit quantisation of products and of the layers between them.

It models onnxruntime on a network with QuantizeLinear and DequantizeLinear, as its quantisation tool inserts them.
Products become integer products, and absorb a following Relu or Clip. Additions, pooling, softmax and the like between
them read quantised tensors. Layers without a quantised kernel stay in float, with conversions around them.
"""

from collections.abc import Mapping
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import plain_name
from dlbricks.whatif.edit import NewTask, inserted, removed, task_like, with_durations
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, TaskKind, with_attributes, with_texts
from dlbricks.whatif.select import by_lane, of_operator, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import compute_tasks, no_compute_tasks, not_onnxruntime, rates, shares

# Speed-ups were measured layer by layer in 18 networks, before and after quantisation, on one core of an AMD EPYC of
# family 25 with AVX-512 VNNI and onnxruntime 1.31. Convolutions: 3.4. Other products: 3.8, but 1.1 to 1.5 without a
# constant operand that can be packed. Depthwise convolutions: 0.56 to 0.93. Transposes: 2.2. Gathers: 1.9. Additions:
# 1.2 to 1.5. Softmax, and means over channels-last maps: 0.18. A sum and a normalisation replace a fused
# SkipLayerNormalization and are 5 times as fast. Grouped convolutions, measured in synthetic networks of two or three
# sizes each: 0.14 to 0.4 with 4 channels per group, 0.6 to 0.9 with 8, 0.7 to 0.9 with 16, 1.9 with 32, 2.5 with 48.
#
# Quantised tensors are channels-last, so layout conversions are removed, except around layers that depend on the order
# of axes. Some fused operations become layers of their own, such as the addition of a convolution (one layer) or its
# hard swish (up to four). This is not modelled, since 27 networks are predicted no worse without it.

_PRODUCTS = frozenset({"conv", "gemm", "matmul"})
_ABSORBED = frozenset({"relu", "relu6", "clip"})
# Operators besides products that accept quantised tensors (onnxruntime, selectors of QDQ groups).
_QUANTISED = frozenset(
    {
        "add", "mul", "concat", "sigmoid", "leakyrelu", "softmax", "where", "maxpool", "averagepool",
        "globalaveragepool", "reshape", "flatten", "squeeze", "unsqueeze", "transpose", "gather", "slice", "split",
        "resize", "pad", "reorderinput", "reorderoutput",
    }
)  # fmt: skip
# Speed-up of depthwise convolutions, and speed-up of products without a constant operand.
_DEPTHWISE, _ACTIVATIONS = 0.72, 1.5
# Speed-ups of some quantised operators; all others use parameter ``others``.
_QUICKER: Mapping[str, float] = {"softmax": 0.18, "transpose": 2.2, "gather": 1.9, "concat": 1.0}
# Grouped convolutions with fewer channels per group than a limit gain proportionally less. ``_FULL_BLOCKS`` limits
# multiples of ``_BLOCK`` channels, ``_FULL_GROUP`` other numbers, which gain more since their float kernels are slow.
_FULL_BLOCKS, _FULL_GROUP, _BLOCK = 64, 40, 16
# Speed-up of a mean over maps before a convolution (channels-last).
_BETWEEN_MAPS = 0.18
# Speed-up of layers that are no longer fused and stay in float.
_UNFUSED = {"skiplayernormalization": 5.0}
_REORDERS = ("reorderinput", "reorderoutput")
# Operators that depend on the order of axes.
_ORDERED = frozenset({"transpose", "matmul", "gemm", "split", "slice"})
# Bytes per ns that a conversion reads and writes together.
_BYTES_PER_NS = 32.0
# The same for a transpose that replaces a layout conversion.
_TURNED_BYTES_PER_NS = 6.0
# Least duration of both, unless the shortest layer of the graph is shorter.
_LEAST_NS = 4000.0
_ALREADY = frozenset({"quantizelinear", "dequantizelinear", "dynamicquantizelinear", "matmulinteger", "convinteger"})
# Operator whose weights already have few bits.
_PACKED = "matmulnbits"
# Size ratio of float32 to int8.
_SMALLER = 4

_CONVOLUTIONS = frozenset({"conv", "convinteger"})
# Multiplications per output of a depthwise convolution with a filter of 3x3, 5x5 ... 11x11.
_SQUARES = (9, 25, 49, 81, 121)
_FLOAT_BYTES = 4
# Numbers of further operations per output, for a bias and a fused activation: the largest, and the usual ones.
_MORE, _FEW_MORE = 3, (0, 1)
# Filter sizes of grouped convolutions.
_FILTERS = (3, 5)
# With stride 2, a convolution reads four values for each value that it writes.
_STRIDES = (1, 2)
# FLOPs and bytes do not distinguish a layer of two or three groups from a layer of one group with another filter.
_FEWEST_GROUPS = 4
# A larger fractional part of the multiplications per output means that a bias is counted, too.
_BIAS = 0.25


class Convolutions(NamedTuple):
    """Properties of a graph's convolutions; each array has one entry per convolution."""

    rows: Longs
    """Task numbers."""
    depthwise: Mask
    """True for a depthwise convolution: it has few multiplications and reads at least as many bytes as it writes."""
    group_channels: Floats
    """Channels per group; NaN for fewer than four groups or a single channel per group."""


def convolutions(graph: DependencyGraph) -> Convolutions:
    """Return properties of the convolutions that run on the host, derived from their FLOPs and bytes."""
    convolves = of_operator(graph, lambda name: plain_name(name) in _CONVOLUTIONS)
    rows = np.flatnonzero(convolves & (graph.kind == TaskKind.CPU))
    keys = ("flops", "read_bytes", "written_bytes", "parameter_bytes")
    flops, read, written, held = (graph.figures(key)[rows] for key in keys)
    inputs_bytes = read - np.nan_to_num(held)
    results = written / _FLOAT_BYTES
    with np.errstate(divide="ignore", invalid="ignore"):
        per_result = flops / (2 * results)
        multiplied = np.floor(per_result)
        channels = np.full(len(rows), np.nan)
        # a channel has a filter and perhaps a bias: the first of some sizes that divides constants and outputs counts
        for more in (0, 1, -1, -2, -3):
            of_channel = multiplied + np.where(per_result - multiplied > _BIAS, 1 - abs(more), more)
            count = held / _FLOAT_BYTES / of_channel
            whole = (count > 0) & (count == np.floor(count)) & (results % count == 0)
            channels = np.where(np.isnan(channels) & whole, count, channels)
        inputs = inputs_bytes / _FLOAT_BYTES / (results / channels)
        group_channels = _channels_per_group(multiplied, channels, inputs)
    few = np.isin(multiplied[:, None] - np.arange(_MORE + 1), _SQUARES).any(axis=1)
    return Convolutions(rows, few & (inputs_bytes >= written), np.where(few, np.nan, group_channels))


def _channels_per_group(multiplied: Floats, channels: Floats, inputs: Floats) -> Floats:
    # Return the channels per group of each convolution; NaN for a single group. ``multiplied`` are multiplications per
    # output value, ``inputs`` values read per output position: with stride 2 four times the number of channels. A
    # grouped convolution reads as many channels as it writes. A convolution with as many groups as filter positions has
    # the same figures as a 1x1 convolution with one group; it counts as the latter.
    group_channels = np.full(len(multiplied), np.nan)
    as_many = np.isin(inputs[:, None] / channels[:, None], [stride**2 for stride in _STRIDES]).any(axis=1)
    for side, more in product(_FILTERS, _FEW_MORE):
        of_group = (multiplied - more) / side**2
        groups = channels / of_group
        whole = (of_group == np.floor(of_group)) & (groups == np.floor(groups)) & (of_group > 1)
        fits = whole & as_many & (groups >= _FEWEST_GROUPS) & (groups != side**2)
        group_channels = np.where(np.isnan(group_channels) & fits, of_group, group_channels)
    return group_channels


def _names(graph: DependencyGraph) -> list[str]:
    # Return the plain operator name of each task; empty if unknown.
    plain = [plain_name(name) for name in graph.operators]
    return [plain[number] if number != NONE else "" for number in graph.operator.tolist()]


def _quantised(measured: DependencyGraph, values: Values) -> DependencyGraph:
    graph = removed(measured, _needless_conversions(measured))
    quantised, absorbed, borders = _plan(graph)
    quicker = with_durations(graph, compute_tasks(graph), _times_ns(graph, quantised, values))
    operators = {row: f"QLinear{graph.operators[graph.operator[row]]}" for row in quantised}
    smaller = {}
    for key in {"read_bytes", "written_bytes", "parameter_bytes"} & graph.attributes.keys():
        smaller[key] = np.array(graph.attributes[key])
        smaller[key][quantised] /= _SMALLER
    quicker = with_attributes(with_texts(quicker, "operators", "operator", operators), **smaller)
    grown = inserted(quicker, borders)
    return removed(grown.graph, grown.places[absorbed])


def _times_ns(graph: DependencyGraph, quantised: list[int], values: Values) -> Floats:
    # Return the new time of each layer, ns.
    parts, names, convolved = shares(graph, compute_tasks(graph)), _names(graph), convolutions(graph)
    place = {row: index for index, row in enumerate(parts.rows.tolist())}
    by_channel, in_groups = np.zeros(len(graph), bool), np.zeros(len(graph))
    by_channel[convolved.rows], in_groups[convolved.rows] = convolved.depthwise, np.nan_to_num(convolved.group_channels)
    full = np.where(in_groups % _BLOCK == 0, _FULL_BLOCKS, _FULL_GROUP)
    constants, read = graph.figures("parameter_bytes"), graph.figures("read_bytes")
    conv, least = values["conv"], _least_ns(graph)
    arithmetic, memory = np.ones(len(parts.rows)), np.ones(len(parts.rows))
    durations = parts.own_ns.astype(np.float64)
    for row in quantised:
        at, name = place[row], names[row]
        if name in _REORDERS and read[row] > 0:
            durations[at] = least + 2 * read[row] / _SMALLER / _TURNED_BYTES_PER_NS
        elif name not in _PRODUCTS:
            durations[at] /= _QUICKER.get(name, values["others"])
        elif by_channel[row]:
            durations[at] /= _DEPTHWISE
        elif 0 < in_groups[row] < full[row]:
            durations[at] /= conv * in_groups[row] / full[row]
        elif constants[row] == 0:
            durations[at] /= _ACTIVATIONS
        else:
            arithmetic[at], memory[at] = 1 / (conv if name == "conv" else values["matrix"]), 1 / _SMALLER
    of_rows = [names[row] for row in parts.rows]
    for at, (name, after) in enumerate(zip(of_rows, (*of_rows[1:], ""), strict=True)):
        # some layers stay in float, but their times change
        between_maps = name == "reducemean" and after in ("conv", "reorderinput")
        durations[at] /= _BETWEEN_MAPS if between_maps else _UNFUSED.get(name, 1.0)
    return durations * (parts.arithmetic * arithmetic + parts.memory * memory + parts.fixed)


def _least_ns(graph: DependencyGraph) -> float:
    return min(rates(graph, compute_tasks(graph)).fixed_ns, _LEAST_NS)


def _needless_conversions(graph: DependencyGraph) -> Longs:
    # Return the layout conversions that are unnecessary because quantised tensors are channels-last: pairs of them
    # between which no layer depends on the order of axes.
    names, needless, open_since = _names(graph), list[int](), NONE
    for row in compute_tasks(graph).tolist():
        if names[row] == _REORDERS[1]:
            open_since = row
        elif names[row] == _REORDERS[0] and open_since != NONE:
            needless += [open_since, row]
            open_since = NONE
        elif names[row] in _ORDERED:
            open_since = NONE
    return np.array(sorted(needless), np.int64)


def _plan(graph: DependencyGraph) -> tuple[list[int], list[int], list[NewTask]]:
    # Return the quantised layers, the absorbed layers, and the conversions to insert.
    steps, names, least = step_numbers(graph), _names(graph), _least_ns(graph)
    quantised: list[int] = []
    absorbed: list[int] = []
    borders: list[NewTask] = []
    for lane in by_lane(graph, compute_tasks(graph)):
        whole = False
        for before, row in pairwise((NONE, *lane.tolist())):
            whole = whole and steps[row] == steps[before]
            if names[row] in _PRODUCTS:
                if not whole:
                    borders.append(_border(graph, least, "QuantizeLinear", row, row - 1))
                whole = True
                quantised.append(row)
            elif whole and names[row] in _ABSORBED:
                absorbed.append(row)
            elif whole and names[row] in _QUANTISED:
                quantised.append(row)
            elif whole:
                borders.append(_border(graph, least, "DequantizeLinear", before, row - 1))
                whole = False
    return quantised, absorbed, borders


def _border(graph: DependencyGraph, least_ns: float, operator: str, next_to: int, after: int) -> NewTask:
    # Return the task that converts the input of a layer to int8, or its output back to float.
    quantising = operator == "QuantizeLinear"
    read, written, held = (graph.figures(f"{key}_bytes")[next_to] for key in ("read", "written", "parameter"))
    moved = float(np.nan_to_num(read - np.nan_to_num(held) if quantising else written))
    sizes = (moved, moved / _SMALLER) if quantising else (moved / _SMALLER, moved)
    return task_like(
        graph,
        next_to,
        name=f"{operator} of {graph.named(next_to)}",
        operator=operator,
        duration_ns=round(least_ns + sum(sizes) / _BYTES_PER_NS),
        after=after,
        attributes=dict(zip(("read_bytes", "written_bytes"), sizes, strict=True)),
    )


def _cannot_quantise(graph: DependencyGraph, _: Values) -> str:
    reason = no_compute_tasks(graph)
    if reason:
        return reason
    if (graph.kind == TaskKind.KERNEL).any():
        return "it runs on a device, where int8 uses other kernels: use scale:FACTOR,name=KERNEL instead"
    for name in graph.operators:
        if plain_name(name) in _ALREADY or name.rpartition(".")[2].startswith(("QLinear", "QGemm")):
            return f"it is quantised already: it has the operator {name}"
    if not _PRODUCTS.isdisjoint(_names(graph)):
        return ""
    packed = any(plain_name(name) == _PACKED for name in graph.operators)
    return (
        "the weights of its products have few bits already (MatMulNBits)"
        if packed
        else not_onnxruntime(graph) or "it has no matrix products or convolutions"
    )


INT8 = Transform(
    name="int8",
    synonyms=("quantise", "quantize", "quantisation", "quantization"),
    title="8-bit integer quantisation of products and the layers between them.",
    source="onnxruntime's quantised kernels; speed-ups measured layer by layer, in networks before and after",
    apply=_quantised,
    parameters=(
        Parameter("matrix", "factor", "speed-up of the arithmetic of products", "3.8"),
        Parameter("conv", "factor", "speed-up of the arithmetic of convolutions", "3.4"),
        Parameter("others", "factor", "speed-up of additions, pooling and copies", "1.3"),
    ),
    requires=_cannot_quantise,
)
