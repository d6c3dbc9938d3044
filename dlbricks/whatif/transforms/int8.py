"""Int8: products, and what may stand between them, on whole numbers of eight bits.

As onnxruntime runs a network in which its quantisation tool put pairs of QuantizeLinear and DequantizeLinear: products
become integer ones; additions, pools, softmax and the like between them take quantised tensors, too; what has no
quantised kernel stays in float, with conversions at its borders; Relu and Clip behind a product go, as its limits do
the same.

How much quicker what is was measured layer by layer in 18 networks before and after, on one core of an AMD EPYC of
family 25, which has instructions for it (AVX-512 VNNI), with onnxruntime 1.31: convolutions 3.4 times, other products
3.8 times, but 1.1 to 1.5 times where no side is constant and could be packed beforehand; depthwise convolutions 0.56 to
0.93 times, thus slower; transpositions 2.2 and lookups 1.9 times, additions 1.2 to 1.5 times; softmax takes 5.6 times
as long, and so do means over maps of channels that stand last. The sum and normalisation that stand for a fused one are
quicker than it by 5. Convolutions in groups were measured in networks made up for it, of two or three sizes each: with
4 channels in a group 0.14 to 0.4 times, with 8 0.6 to 0.9, with 16 0.7 to 0.9, with 32 1.9, with 48 2.5 times.

Sums that convolutions had taken in become layers again. All that is quantised has channels last, so conversions between
layouts go, but for those beside layers that look at the order of axes. Not modelled: activations that convolutions had
taken in (of a hard swish nothing is to be seen in figures) and that become up to four layers again.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewTask, inserted, layer_beside, removed, with_durations
from dlbricks.whatif.graph import DependencyGraph, Floats, TaskKind, with_attributes, with_texts
from dlbricks.whatif.select import by_lane, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.layout import Convolutions, convolutions
from dlbricks.whatif.work import no_work, plain_name, rates, shares, work

_PRODUCTS = frozenset({"conv", "gemm", "matmul"})
_ABSORBED = frozenset({"relu", "relu6", "clip"})
_QUANTISED = frozenset(
    {
        "add", "mul", "concat", "sigmoid", "leakyrelu", "softmax", "where", "maxpool", "averagepool",
        "globalaveragepool", "reshape", "flatten", "squeeze", "unsqueeze", "transpose", "gather", "slice", "split",
        "resize", "pad", "reorderinput", "reorderoutput", "quickgelu",
    }
)  # fmt: skip
"""Operators that take what a quantised one gives (onnxruntime, selectors of QDQ groups), besides products."""
_QUICKER: Mapping[str, float] = {"softmax": 0.18, "transpose": 2.2, "gather": 1.9, "concat": 1.0, "quickgelu": 0.55}
"""How many times as quick some quantised operators are; all others as the parameter says."""
_SWISH = "quickgelu"
"""A product with its own sigmoid; it becomes two quantised layers."""
_FULL_BLOCKS, _FULL_GROUP, _BLOCK = 64, 40, 16
"""Convolutions in groups of fewer channels gain less in proportion: groups of whole blocks, and others, which gain
more, as float kernels for them are slow."""
_BETWEEN_MAPS = 0.18
"""The same of a mean over maps before a convolution: channels stand last then."""
_UNFUSED = {"skiplayernormalization": 5.0}
"""The same of what is no longer fused and stays in float."""
_REORDERS = ("reorderinput", "reorderoutput")
_ORDERED = frozenset({"transpose", "matmul", "gemm", "split", "slice"})
"""Operators that look at the order of axes."""
_BYTES_PER_NS = 32.0
"""Read and written by conversions."""
_SUMMED_BYTES_PER_NS, _TURNED_BYTES_PER_NS = 10.0, 6.0
"""The same of sums, and of transpositions that stand for conversions between layouts."""
_LEAST_NS = 4000.0
"""What any of these takes however little it does, or less where the network has a quicker layer."""
_ALREADY = frozenset({"quantizelinear", "dequantizelinear", "dynamicquantizelinear", "matmulinteger", "convinteger"})
_SMALLER = 4
"""Times as many bytes has a float."""


def products(graph: DependencyGraph) -> Longs:
    """Give the layers that are products."""
    names = _names(graph)
    return np.array([row for row in work(graph).tolist() if names[row] in _PRODUCTS], np.int64)


def _names(graph: DependencyGraph) -> list[str]:
    """Give the plain name of the operator of each task; empty where it has none."""
    plain = [_SWISH if name.lower().endswith(_SWISH) else plain_name(name) for name in graph.operators]
    return [plain[number] if number != NONE else "" for number in graph.operator.tolist()]


def _quantised(measured: DependencyGraph, values: Values) -> DependencyGraph:
    graph = removed(measured, _needless_conversions(measured))
    quantised, absorbed, borders = _plan(graph)
    found = convolutions(graph)
    made = with_durations(graph, work(graph), _times_ns(graph, quantised, found, values))
    operators = {row: f"QLinear{graph.operators[graph.operator[row]]}" for row in quantised}
    made = with_attributes(with_texts(made, "operators", "operator", operators), **_smaller(graph, quantised))
    sums = _sums(graph, found.rows[found.summed & np.isin(found.rows, quantised)])
    grown = inserted(made, [*sums, *borders])
    return removed(grown.graph, grown.places[absorbed]) if absorbed else grown.graph


def _times_ns(graph: DependencyGraph, quantised: list[int], found: Convolutions, values: Values) -> Floats:
    """Give what each layer of the network takes afterwards."""
    parts, names = shares(graph, work(graph)), _names(graph)
    place = {row: index for index, row in enumerate(parts.rows.tolist())}
    by_channel, in_groups = np.zeros(len(graph), bool), np.zeros(len(graph))
    by_channel[found.rows], in_groups[found.rows] = found.depthwise, np.nan_to_num(found.group_channels)
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
            durations[at] /= values["depthwise"]
        elif 0 < in_groups[row] < full[row]:
            durations[at] /= conv * in_groups[row] / full[row]
        elif constants[row] == 0:
            durations[at] /= values["activations"]
        else:
            arithmetic[at], memory[at] = 1 / (conv if name == "conv" else values["matrix"]), 1 / _SMALLER
    of_rows = [names[row] for row in parts.rows]
    for at, (name, after) in enumerate(zip(of_rows, (*of_rows[1:], ""), strict=True)):
        # what stays in float and takes another time nevertheless
        between_maps = name == "reducemean" and after in ("conv", "reorderinput")
        durations[at] /= _BETWEEN_MAPS if between_maps else _UNFUSED.get(name, 1.0)
    made: Floats = durations * (parts.arithmetic * arithmetic + parts.memory * memory + parts.fixed)
    return made


def _least_ns(graph: DependencyGraph) -> float:
    return min(rates(graph, work(graph)).fixed_ns, _LEAST_NS)


def _needless_conversions(graph: DependencyGraph) -> Longs:
    """Give conversions of layout that go: all that is quantised has channels last, and most layers take either layout.

    What is turned back before a layer that looks at the order of axes has come stays as it is.
    """
    names, needless, open_since = _names(graph), list[int](), NONE
    for row in work(graph).tolist():
        if names[row] == _REORDERS[1]:
            open_since = row
        elif names[row] == _REORDERS[0] and open_since != NONE:
            needless += [open_since, row]
            open_since = NONE
        elif names[row] in _ORDERED:
            open_since = NONE
    return np.array(sorted(needless), np.int64)


def _sums(graph: DependencyGraph, rows: Longs) -> list[NewTask]:
    """Give the sums that convolutions had taken in and that become layers of their own."""
    least, written = _least_ns(graph), graph.figures("written_bytes") / _SMALLER
    made = []
    for row, size in zip(rows.tolist(), written[rows].tolist(), strict=True):
        time = round(least + 3 * size / _SUMMED_BYTES_PER_NS)
        name = f"Add of {graph.named(row)}"
        made.append(layer_beside(graph, row, "QLinearAdd", time, (2 * size, size), name=name))
    return made


def _smaller(graph: DependencyGraph, quantised: list[int]) -> dict[str, Floats]:
    made = {}
    for key in {"read_bytes", "written_bytes", "parameter_bytes"} & graph.attributes.keys():
        made[key] = np.array(graph.attributes[key])
        made[key][quantised] /= _SMALLER
    return made


def _plan(graph: DependencyGraph) -> tuple[list[int], list[int], list[NewTask]]:
    """Walk along each lane and say what is quantised, what goes, and where conversions come in."""
    steps, names, least = step_numbers(graph), _names(graph), _least_ns(graph)
    quantised: list[int] = []
    absorbed: list[int] = []
    borders: list[NewTask] = []
    for lane in by_lane(graph, work(graph)):
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


def _border(graph: DependencyGraph, least_ns: float, operator: str, beside: int, after: int) -> NewTask:
    """Give a conversion of what a layer reads (to whole numbers) or of what it has written (back to float)."""
    quantising = operator == "QuantizeLinear"
    read, written, held = (graph.figures(f"{key}_bytes")[beside] for key in ("read", "written", "parameter"))
    moved = float(np.nan_to_num(read - np.nan_to_num(held) if quantising else written))
    moves = (moved, moved / _SMALLER) if quantising else (moved / _SMALLER, moved)
    time = round(least_ns + sum(moves) / _BYTES_PER_NS)
    return layer_beside(graph, beside, operator, time, moves, after=after)


def _cannot_quantise(graph: DependencyGraph, _: Values) -> str:
    reason = no_work(graph)
    if reason:
        return reason
    if (graph.kind == TaskKind.KERNEL).any():
        return "its work runs on a device, where int8 means other kernels: scale them by name with kernel-swap"
    found = next((name for name in graph.operators if _is_quantised(name)), None)
    if found is not None:
        return f"it is quantised already, as {found} shows"
    return "" if len(products(graph)) else "it has no products"


def _is_quantised(operator: str) -> bool:
    return plain_name(operator) in _ALREADY or operator.rpartition(".")[2].startswith(("QLinear", "QGemm"))


INT8 = Transform(
    name="int8",
    title="Products, and what stands between them, on whole numbers of eight bits.",
    source="onnxruntime's quantised kernels; factors measured layer by layer in networks before and after",
    apply=_quantised,
    parameters=(
        Parameter("matrix", "factor", "how many times as quick the arithmetic of products is", "3.8"),
        Parameter("activations", "factor", "the same of products of which no side is constant", "1.5"),
        Parameter("conv", "factor", "the same of convolutions", "3.4"),
        Parameter("depthwise", "factor", "the same of convolutions by channel, as a whole", "0.72"),
        Parameter("others", "factor", "the same of additions, pools and copies", "1.3"),
    ),
    requires=_cannot_quantise,
)
