"""Layout of tensors: convolutions on blocks of channels (NCHWc), or on rows of channels as the network has them.

On a processor onnxruntime's layout pass lets convolutions and what may stand between them work on blocks of channels,
which is what its kernels are quick with, and converts at the borders. How much quicker depends on the convolution. In
15 networks on one core of an AMD EPYC of family 25 (onnxruntime 1.31), 446 that mix channels went 1.21 times as fast
in all, half of them 1.14 to 1.43 times; 85 with a filter for each channel 9 times, from 4 times with filters of 3x3 on
maps of 112x112 to 19 times with filters of 7x7 on maps of 7x7; those whose channels are no multiple of 4 stayed as they
were, and so do those in groups of channels that fill no block of 16 (onnxruntime, nchwc_transformer.cc); the largest
of a window went 2.3 times as fast, the mean of one 11 times (DenseNet's). A product with its own hard sigmoid is taken
in, too. On a GPU the same question is whether libraries convert: then the kernels that do go.
"""

import re
from collections import defaultdict

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewTask, inserted, lasting, removed
from dlbricks.whatif.inference.chains import chains, read_pattern
from dlbricks.whatif.inference.convolutions import Convolutions, convolutions
from dlbricks.whatif.inference.fuse import fused
from dlbricks.whatif.inference.operators import no_work, plain_name, work
from dlbricks.whatif.inference.shares import figures, passing_ns, rates
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Floats, TaskKind
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

BLOCKED, PLAIN = "blocked", "plain"
_CONVERSION = re.compile(r"nchwtonhwc|nhwctonchw|nchw_?to_?nhwc|nhwc_?to_?nchw", re.IGNORECASE)
"""Kernels of cuDNN and others."""
_POOLS = {"maxpool": "pools", "averagepool": "means"}
"""Operators and the parameters that say how many times as quick they are."""
_FUSED = ("Conv+Add+Relu", "Conv+Add", "Conv+Relu", "BatchNormalization+Relu")
"""What the layout pass makes one layer of, where it was not before."""
_USUAL_MAP = 28 * 28
_BY_FILTER, _BY_MAP = 0.28, 0.2
"""Exponents: the larger the filter and the smaller the map, the more a depthwise convolution gains."""
_ALIGNED = 4
"""Channels of a result come in multiples of this, or a convolution stays as it is."""
_BLOCK = 16
"""Channels of each group come in multiples of this, or a convolution in groups stays as it is (AVX-512)."""
_SWISH = ("hardsigmoid", "mul")
"""What a convolution takes in, too, where it alone feeds both."""
_REORDER = re.compile(r"reorder(in|out)put")
_BETWEEN = re.compile(
    r".*pool|add|sum|mul|relu6?|leakyrelu|clip|tanh|sigmoid|hardsigmoid|batchnormalization|concat|resize|upsample|gelu"
)
"""May work on blocks if what they read is in blocks (onnxruntime, nchwc_transformer.cc)."""


def _conversions(graph: DependencyGraph) -> Longs:
    """Give the tasks that do nothing but convert."""
    named = [number for number, name in enumerate(graph.names) if _CONVERSION.search(name)]
    typed = [number for number, name in enumerate(graph.operators) if _REORDER.fullmatch(plain_name(name))]
    kernels = np.isin(graph.task_name, named) & (graph.kind == TaskKind.KERNEL)
    return np.flatnonzero(kernels | (np.isin(graph.operator, typed) & (graph.kind == TaskKind.CPU)))


def _factors(found: Convolutions, values: Values) -> Floats:
    """Give how many times as quick each convolution is on blocks."""
    maps = np.where(np.isnan(found.maps), _USUAL_MAP, found.maps)
    taps = np.maximum(found.products, 9) / 9
    by_channel = float(values["depthwise"]) * taps**_BY_FILTER * (maps / _USUAL_MAP) ** -_BY_MAP
    made: Floats = np.where(found.depthwise, np.maximum(by_channel, 1), float(values["dense"]))
    made[_stays_plain(found)] = 1
    return made


def _stays_plain(found: Convolutions) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which convolutions have a number of channels that fills no block, in all or in each group."""
    in_groups = np.nan_to_num(found.group_channels) % _BLOCK != 0
    made: np.ndarray[tuple[int], np.dtype[np.bool_]] = (np.nan_to_num(found.channels) % _ALIGNED != 0) | in_groups
    return made


def _layout(graph: DependencyGraph, values: Values) -> DependencyGraph:
    if (graph.kind == TaskKind.KERNEL).any():
        return removed(graph, _conversions(graph))
    if values["to"] == PLAIN:
        found = convolutions(graph)
        rows, each = _blocked(graph, found, _factors(found, values), values)
        slower = lasting(graph, rows, np.rint(graph.duration_ns[rows] * each).astype(np.int64))
        return removed(slower, _conversions(graph))
    whole = _absorbed(graph)
    found = convolutions(whole)
    rows, each = _blocked(whole, found, _factors(found, values), values)
    made = lasting(whole, rows, np.rint(whole.duration_ns[rows] / each).astype(np.int64))
    return inserted(made, _borders(whole, found.rows[~_stays_plain(found)]))[0]


def _blocked(graph: DependencyGraph, found: Convolutions, each: Floats, values: Values) -> tuple[Longs, Floats]:
    """Give convolutions and pools with how many times as quick they are on blocks."""
    rows, factors = [found.rows], [each]
    for operator, parameter in _POOLS.items():
        fitting = [number for number, name in enumerate(graph.operators) if plain_name(name) == operator]
        pools = np.flatnonzero(np.isin(graph.operator, fitting) & (graph.kind == TaskKind.CPU))
        rows.append(pools)
        factors.append(np.full(len(pools), float(values[parameter])))
    return np.concatenate(rows), np.concatenate(factors)


def _absorbed(graph: DependencyGraph) -> DependencyGraph:
    """Let convolutions take in what the layout pass fuses besides: a sum, and what limits the result."""
    swishes = _swishes(graph)
    graph = fused(graph, swishes) if swishes else graph
    for pattern in _FUSED:
        groups = chains(graph, read_pattern(pattern))
        graph = fused(graph, groups) if groups else graph
    return graph


def _swishes(graph: DependencyGraph) -> list[tuple[int, int, int]]:
    """Find convolutions whose result is multiplied with its own sigmoid, and that nothing else reads."""
    fed = graph.edge_kind == EdgeKind.DATA
    readers: dict[int, set[int]] = defaultdict(set)
    for first, second in zip(graph.edge_from[fed].tolist(), graph.edge_to[fed].tolist(), strict=True):
        readers[first].add(second)
    names = [plain_name(graph.operators[number]) if number != NONE else "" for number in graph.operator.tolist()]
    made = []
    for row in convolutions(graph).rows.tolist():
        both = sorted(readers[row])
        if tuple(names[one] for one in both) == _SWISH and readers[both[0]] == {both[1]}:
            made.append((row, both[0], both[1]))
    return made


def _borders(graph: DependencyGraph, blocked_rows: Longs) -> list[NewTask]:
    """Give a conversion wherever blocks begin and end, lane by lane and call by call, in order of execution."""
    rows, steps = work(graph), step_numbers(graph)
    best = rates(graph, rows)
    read, written = figures(graph, "read_bytes"), figures(graph, "written_bytes")
    constants = np.nan_to_num(figures(graph, "parameter_bytes"))
    is_convolution = set(blocked_rows.tolist())
    may = [bool(_BETWEEN.fullmatch(plain_name(name))) for name in graph.operators]
    made = []

    def conversion(name: str, beside: int, after: int, nbytes: float) -> NewTask:
        time_ns = passing_ns(graph, rows, best, 2 * nbytes)
        lane = graph.lanes[graph.lane[beside]]
        moves = {"read_bytes": nbytes, "written_bytes": nbytes}
        layer = graph.layers[graph.layer[beside]] if graph.layer[beside] != NONE else None
        return NewTask(
            kind=TaskKind.CPU, name=f"{name} of {graph.names[graph.task_name[beside]]}", lane=lane,
            duration_ns=time_ns, after=after, layer=layer, operator=name, attributes=moves,
        )  # fmt: skip

    for lane in np.unique(graph.lane[rows]):
        blocked, before, size = False, NONE, 0.0
        for row in rows[graph.lane[rows] == lane].tolist():
            if before != NONE and steps[row] != steps[before]:
                blocked = False
            if row in is_convolution:
                if not blocked and before != NONE and steps[row] == steps[before]:
                    made.append(conversion("ReorderInput", row, row - 1, float(read[row] - constants[row])))
                blocked = True
            elif blocked and not may[graph.operator[row]]:
                made.append(conversion("ReorderOutput", before, row - 1, size))
                blocked = False
            before = row
            size = size if np.isnan(written[row]) else float(written[row])
    return made


def _nothing_to_lay_out(graph: DependencyGraph, values: Values) -> str:
    reason = no_work(graph)
    if reason:
        return reason
    if values["to"] not in (BLOCKED, PLAIN):
        return f"'{values['to']}' is no layout: write {BLOCKED} or {PLAIN}"
    if (graph.kind == TaskKind.KERNEL).any():
        return "" if len(_conversions(graph)) else "none of its kernels converts between layouts"
    return _no_other_layout(graph, blocked=values["to"] == BLOCKED)


def _no_other_layout(graph: DependencyGraph, *, blocked: bool) -> str:
    """Say why layers on the host cannot change to blocks of channels, or back."""
    rows, some = convolutions(graph).rows, len(_conversions(graph))
    if not len(rows):
        return "it has no convolutions, which is what layouts are for"
    if blocked and some:
        return "it works on blocks of channels already"
    if not blocked and not some:
        return "nothing in it converts from or to blocks of channels: it works on plain tensors already"
    unknown = np.isnan((figures(graph, "read_bytes") + figures(graph, "written_bytes"))[rows]).sum()
    return f"the bytes of {unknown} of {len(rows)} convolutions are not known" if unknown else ""


LAYOUT = Transform(
    name="layout",
    title="Convolutions work on blocks of channels, or no longer do; on a GPU, conversions of layout go.",
    evidence="modelled",
    source="onnxruntime's layout pass; factors measured layer by layer in networks before and after",
    apply=_layout,
    parameters=(
        Parameter(name="to", kind="text", meaning=f"{BLOCKED} or {PLAIN}", default=BLOCKED),
        Parameter(
            name="dense",
            kind="factor",
            meaning="how many times as quick a convolution is on blocks",
            default="1.21",
        ),
        Parameter(
            name="depthwise",
            kind="factor",
            meaning="the same of one with a filter of 3x3 for each channel, on maps of 28x28",
            default="7",
        ),
        Parameter(name="pools", kind="factor", meaning="the same of pools that take the largest", default="2.3"),
        Parameter(name="means", kind="factor", meaning="the same of pools that take the mean", default="11"),
    ),
    requires=_nothing_to_lay_out,
)
