"""Int8: products, and what may stand between them, on whole numbers of eight bits.

As onnxruntime runs a network in which its quantisation tool put pairs of QuantizeLinear and DequantizeLinear: products
become integer ones; additions, pools, softmax and the like between them take quantised tensors, too; what has no
quantised kernel stays in float, with conversions at its borders; Relu and Clip behind a product go, as its limits do
the same.

How much quicker what is was measured layer by layer in 18 networks before and after, on one core of an AMD EPYC of
family 25, which has instructions for it (AVX-512 VNNI), with onnxruntime 1.31: convolutions 3.4 times, other products
3.8 times, depthwise convolutions 0.56 to 0.93 times, thus slower; transpositions 2.2 and lookups 1.9 times, additions
1.2 to 1.5 times; softmax takes 5.6 times as long, and so do means over maps of channels that stand last. The sum and
normalisation that stand for a fused one are quicker than it by 5. Not modelled: sums and activations that were fused
into convolutions and no longer are.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from dlbricks.trace.nouns import NONE, Longs
from dlbricks.whatif.edit import NewTask, inserted, lasting, removed
from dlbricks.whatif.graph import with_attributes
from dlbricks.whatif.inference.convolutions import depthwise
from dlbricks.whatif.inference.operators import no_work, plain_name, work
from dlbricks.whatif.inference.rewrite import with_operators
from dlbricks.whatif.inference.shares import Rates, figures, rates, shares
from dlbricks.whatif.nouns import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

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
_BETWEEN_MAPS = 0.18
"""The same of a mean over maps before a convolution: channels stand last then."""
_UNFUSED = {"skiplayernormalization": 5.0}
"""The same of what is no longer fused and stays in float."""
_BYTES_PER_NS = 32.0
"""Read and written by conversions."""
_ALREADY = frozenset({"quantizelinear", "dequantizelinear", "dynamicquantizelinear", "matmulinteger", "convinteger"})
_SMALLER = 4
"""Times as many bytes has a float."""


def products(graph: DependencyGraph) -> Longs:
    """Give the layers that are products."""
    return np.array([row for row in work(graph).tolist() if _name(graph, row) in _PRODUCTS], np.int64)


def _name(graph: DependencyGraph, row: int) -> str:
    return plain_name(graph.operators[graph.operator[row]]) if graph.operator[row] != NONE else ""


def _int8(graph: DependencyGraph, values: Values) -> DependencyGraph:
    quantised, absorbed, borders = _plan(graph)
    parts = shares(graph, work(graph))
    place = {row: index for index, row in enumerate(parts.rows.tolist())}
    is_product, by_channel = set(products(graph).tolist()), depthwise(graph)
    arithmetic, memory, fixed = np.ones(len(parts.rows)), np.ones(len(parts.rows)), parts.fixed
    durations = graph.duration_ns[parts.rows].astype(np.float64)
    for row in quantised:
        at = place[row]
        if row not in is_product:
            durations[at] /= _QUICKER.get(_name(graph, row), float(values["others"]))
        elif by_channel[row]:
            arithmetic[at] = memory[at] = 1 / float(values["depthwise"])
        else:
            of_kind = values["conv"] if _name(graph, row) == "conv" else values["matrix"]
            arithmetic[at], memory[at] = 1 / float(of_kind), 1 / _SMALLER
    for row, factor in _in_float(graph):
        durations[place[row]] /= factor
    durations *= parts.arithmetic * arithmetic + parts.memory * memory + fixed
    made = lasting(graph, parts.rows, np.rint(durations).astype(np.int64))
    made = with_operators(made, {row: f"QLinear{graph.operators[graph.operator[row]]}" for row in quantised})
    made = with_attributes(made, **_smaller(graph, quantised))
    grown, rows = inserted(made, borders)
    places = np.setdiff1d(np.arange(len(grown)), rows)
    return removed(grown, places[np.array(absorbed, np.int64)]) if absorbed else grown


def _in_float(graph: DependencyGraph) -> list[tuple[int, float]]:
    """Give layers that stay in float and take another time nevertheless, with how many times as quick they are."""
    rows = work(graph).tolist()
    names = [_name(graph, row) for row in rows]
    found = [(row, _UNFUSED[name]) for row, name in zip(rows, names, strict=True) if name in _UNFUSED]
    for row, (name, after) in zip(rows, pairwise(names), strict=False):
        if name == "reducemean" and after in ("conv", "reorderinput"):
            found.append((row, _BETWEEN_MAPS))
    return found


def _smaller(graph: DependencyGraph, quantised: list[int]) -> dict[str, Floats]:
    made = {}
    for key in {"read_bytes", "written_bytes", "parameter_bytes"} & graph.attributes.keys():
        made[key] = np.array(graph.attributes[key])
        made[key][quantised] /= _SMALLER
    return made


def _plan(graph: DependencyGraph) -> tuple[list[int], list[int], list[NewTask]]:
    """Walk along each lane and say what is quantised, what goes, and where conversions come in."""
    rows, steps = work(graph), step_numbers(graph)
    is_product = set(products(graph).tolist())
    quantised: list[int] = []
    absorbed: list[int] = []
    borders: list[NewTask] = []
    best = rates(graph, rows)
    for lane in np.unique(graph.lane[rows]):
        whole, before = False, NONE
        for row in rows[graph.lane[rows] == lane].tolist():
            whole = whole and before != NONE and steps[row] == steps[before]
            name = _name(graph, row)
            if row in is_product:
                if not whole:
                    borders.append(_border(graph, best, "QuantizeLinear", row, row - 1))
                whole = True
                quantised.append(row)
            elif whole and name in _ABSORBED:
                absorbed.append(row)
            elif whole and name in _QUANTISED:
                quantised.append(row)
            elif whole:
                borders.append(_border(graph, best, "DequantizeLinear", before, row - 1))
                whole = False
            before = row
    return quantised, absorbed, borders


def _border(graph: DependencyGraph, best: Rates, operator: str, beside: int, after: int) -> NewTask:
    """Give a conversion of what a layer reads (to whole numbers) or of what it has written (back to float)."""
    constants = np.nan_to_num(figures(graph, "parameter_bytes")[beside])
    quantising = operator == "QuantizeLinear"
    nbytes = figures(graph, "read_bytes")[beside] - constants if quantising else figures(graph, "written_bytes")[beside]
    moved = float(np.nan_to_num(nbytes))
    figures_of = {"read_bytes": moved, "written_bytes": moved / _SMALLER}
    if not quantising:
        figures_of = {"read_bytes": moved / _SMALLER, "written_bytes": moved}
    return NewTask(
        kind=TaskKind.CPU,
        name=f"{operator} of {graph.names[graph.task_name[beside]]}",
        lane=graph.lanes[graph.lane[beside]],
        duration_ns=round(best.fixed_ns + sum(figures_of.values()) / _BYTES_PER_NS),
        after=after,
        layer=graph.layers[graph.layer[beside]] if graph.layer[beside] != NONE else None,
        operator=operator,
        attributes=figures_of,
    )


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
    evidence="modelled",
    source="onnxruntime's quantised kernels; factors measured layer by layer in networks before and after",
    apply=_int8,
    parameters=(
        Parameter(
            name="matrix", kind="factor", meaning="how many times as quick the arithmetic of products is", default="3.8"
        ),
        Parameter(name="conv", kind="factor", meaning="the same of convolutions", default="3.4"),
        Parameter(
            name="depthwise", kind="factor", meaning="the same of convolutions by channel, as a whole", default="0.72"
        ),
        Parameter(
            name="others",
            kind="factor",
            meaning="the same of additions, pools and copies",
            default="1.3",
        ),
    ),
    requires=_cannot_quantise,
)
