"""Tensor layout: convolutions on blocks of channels (NCHWc) or on plain NCHW tensors.

On a processor, onnxruntime's layout pass runs convolutions and compatible layers between them on blocks of channels,
and inserts conversions at the borders. Speed-ups were measured in 15 networks on one core of an AMD EPYC of family 25
(onnxruntime 1.31): 446 dense convolutions 1.21 times in total, quartiles 1.14 and 1.43; 85 depthwise ones 9 times, from
4 (3x3 filters on 112x112 maps) to 19 (7x7 filters on 7x7 maps); max pooling 2.3 times, average pooling 11 times
(DenseNet). Convolutions whose channels are not a multiple of 4, or whose channels per group do not fill blocks of 16
(onnxruntime, nchwc_transformer.cc), are unchanged. Hard swish is fused into the convolution, too. On a GPU the
transform removes the layout conversion kernels of libraries, and normalisation and convolutions are as in the
channels-last layout (``channels_last``).
"""

import itertools
import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import plain_name
from dlbricks.whatif.channels_last import changed_kernels, new_conversions, notes
from dlbricks.whatif.edit import NewTask, inserted, layer_like, removed, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind, with_columns
from dlbricks.whatif.launching import removed_beside, with_kernels
from dlbricks.whatif.select import by_lane, of_name, of_operator, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.fuse import chains, fused, read_pattern
from dlbricks.whatif.work import compute_tasks, memory_bound_ns, moved_bytes, no_compute_tasks, not_onnxruntime

_CONVOLUTIONS = frozenset({"conv", "convinteger"})
_SQUARES = (9, 25, 49, 81, 121)
"""Multiplications per output of a depthwise convolution with a filter of 3x3, 5x5 ... 11x11."""
_FLOAT_BYTES = 4
_MORE = 3
"""Most further operations per output, for a bias and a fused activation."""
_FEW_MORE = (0, 1)
"""Usual further operations per output."""
_FILTERS = (3, 5)
"""Filter sizes of grouped convolutions."""
_STRIDES = (1, 2)
_FEWEST_GROUPS = 4
_SUMMED_FILTERS = (1, 3)
"""Filter sizes of convolutions with a fused addition."""
_BIAS = 0.25
"""A larger fractional part of the multiplications per output means that a bias is counted, too."""
BLOCKED, PLAIN = "blocked", "plain"
_CONVERSION = re.compile(r"nchwtonhwc|nhwctonchw|nchw_?to_?nhwc|nhwc_?to_?nchw", re.IGNORECASE)
"""Kernels of cuDNN and other libraries."""
_POOLS = {"maxpool": "pools", "averagepool": "means"}
"""Pooling operators and the parameters with their speed-up."""
_FUSED = ("Conv+Add+Relu", "Conv+Add", "Conv+Relu", "BatchNormalization+Relu")
"""Fusions of the layout pass."""
_USUAL_MAP = 28 * 28
_BY_FILTER, _BY_MAP = 0.28, 0.2
"""Exponents: depthwise convolutions gain more with larger filters and smaller maps."""
_ALIGNED = 4
"""Convolutions whose output channels are not a multiple of this keep their layout."""
_BLOCK = 16
"""Grouped convolutions whose channels per group are not a multiple of this keep their layout (AVX-512)."""
_SWISH = ("hardsigmoid", "mul")
"""Operators fused into a convolution that alone feeds both."""
_REORDERS = frozenset({"reorderinput", "reorderoutput"})
_BETWEEN = re.compile(
    r".*pool|add|sum|mul|relu6?|leakyrelu|clip|tanh|sigmoid|hardsigmoid|batchnormalization|concat|resize|upsample|gelu"
)
"""Operators that accept blocked inputs (onnxruntime, nchwc_transformer.cc)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Convolutions:
    """Properties of convolutions, in columns; NaN where they cannot be inferred."""

    rows: Longs
    """Task numbers."""
    products: Floats
    """Multiplications per output value."""
    channels: Floats
    """Output channels."""
    maps: Floats
    """Output values per channel, over the whole batch."""
    depthwise: Mask
    """Whether the convolution is depthwise: few multiplications, and at least as many bytes read as written."""
    group_channels: Floats
    """Channels per group, for at least four groups of more than one channel; NaN otherwise."""
    summed: Mask
    """Whether a second tensor of the output's size is read: a fused addition."""


def _on_host(graph: DependencyGraph, *operators: str) -> Longs:
    """Return the host layers with these operators."""
    return np.flatnonzero(of_operator(graph, lambda name: plain_name(name) in operators) & (graph.kind == TaskKind.CPU))


def convolutions(graph: DependencyGraph) -> Convolutions:
    """Infer the properties of host convolutions from their FLOPs and bytes."""
    rows = _on_host(graph, *_CONVOLUTIONS)
    keys = ("flops", "read_bytes", "written_bytes", "parameter_bytes")
    flops, read, written, held = (graph.figures(key)[rows] for key in keys)
    inputs_bytes = read - np.nan_to_num(held)
    results = written / _FLOAT_BYTES
    with np.errstate(divide="ignore", invalid="ignore"):
        each = flops / (2 * results)
        products = np.floor(each)
        channels = np.full(len(rows), np.nan)
        # a filter and perhaps a bias per channel: the first count that divides constants and outputs
        for more in (0, 1, -1, -2, -3):
            count = held / _FLOAT_BYTES / (products + np.where(each - products > _BIAS, 1 - abs(more), more))
            whole = (count > 0) & (count == np.floor(count)) & (results % count == 0)
            channels = np.where(np.isnan(channels) & whole, count, channels)
        maps = results / channels
        inputs = inputs_bytes / _FLOAT_BYTES / maps
        group_channels, summed = _groups_and_sums(products, channels, inputs)
    few = np.isin(products[:, None] - np.arange(_MORE + 1), _SQUARES).any(axis=1)
    return Convolutions(
        rows=rows,
        products=products,
        channels=channels,
        maps=maps,
        depthwise=few & (inputs_bytes >= written),
        group_channels=np.where(few, np.nan, group_channels),
        summed=summed,
    )


def _groups_and_sums(products: Floats, channels: Floats, inputs: Floats) -> tuple[Floats, Mask]:
    """Infer the channels per group (NaN for one group) and whether an addition is fused.

    A grouped convolution reads as many channels as it writes. A group count equal to the filter area is excluded, since
    a 1x1 filter looks the same. A fused addition reads as many further values as are written (stride 1, one group).

    Args:
        products: multiplications per output value.
        channels: output channels.
        inputs: values read per output position; with stride 2 four times the channels.
    """
    made, summed = np.full(len(products), np.nan), np.zeros(len(products), bool)
    as_many = np.isin(inputs[:, None] / channels[:, None], [stride**2 for stride in _STRIDES]).any(axis=1)
    for side, more in itertools.product(_FILTERS, _FEW_MORE):
        of_group = (products - more) / side**2
        groups = channels / of_group
        whole = (of_group == np.floor(of_group)) & (groups == np.floor(groups)) & (of_group > 1)
        fits = whole & as_many & (groups >= _FEWEST_GROUPS) & (groups != side**2)
        made = np.where(np.isnan(made) & fits, of_group, made)
    for side, more in itertools.product(_SUMMED_FILTERS, _FEW_MORE):
        summed |= inputs == (products - more) / side**2 + channels
    return made, summed


def _conversions(graph: DependencyGraph) -> Longs:
    """Return the layout conversions."""
    kernels = of_name(graph, _CONVERSION.search) & (graph.kind == TaskKind.KERNEL)
    return np.union1d(np.flatnonzero(kernels), _on_host(graph, *_REORDERS))


def _factors(found: Convolutions, values: Values) -> Floats:
    """Return the speed-up of each convolution on blocks."""
    maps = np.where(np.isnan(found.maps), _USUAL_MAP, found.maps)
    taps = np.maximum(found.products, 9) / 9
    by_channel = values["depthwise"] * taps**_BY_FILTER * (maps / _USUAL_MAP) ** -_BY_MAP
    made: Floats = np.where(found.depthwise, np.maximum(by_channel, 1), values["dense"])
    made[_stays_plain(found)] = 1
    return made


def _stays_plain(found: Convolutions) -> Mask:
    """Return a mask of the convolutions whose channels do not fill blocks, in total or per group."""
    in_groups = np.nan_to_num(found.group_channels) % _BLOCK != 0
    made: Mask = (np.nan_to_num(found.channels) % _ALIGNED != 0) | in_groups
    return made


def _laid_out(graph: DependencyGraph, values: Values) -> DependencyGraph:
    conversions = _conversions(graph)
    if (graph.kind == TaskKind.KERNEL).any():
        return removed_beside(graph, conversions) if values["to"] == PLAIN else _channels_last(graph, conversions)
    whole = graph if values["to"] == PLAIN else _absorbed(graph)
    found = convolutions(whole)
    rows, factors = [found.rows], [_factors(found, values)]
    for operator, parameter in _POOLS.items():
        rows.append(_on_host(whole, operator))
        factors.append(np.full(len(rows[-1]), values[parameter]))
    changed, times = np.concatenate(rows), np.concatenate(factors)
    durations = whole.duration_ns[changed]
    if values["to"] == PLAIN:
        return removed(with_durations(whole, changed, durations * times), conversions)
    made = with_durations(whole, changed, durations / times)
    return inserted(made, _borders(whole, found.rows[~_stays_plain(found)])).graph


def _channels_last(graph: DependencyGraph, conversions: Longs) -> DependencyGraph:
    changed, times = changed_kernels(graph)
    made = with_durations(graph, np.flatnonzero(changed), times[changed])
    grown = with_kernels(made, new_conversions(graph))
    return with_columns(removed_beside(grown.graph, grown.places[conversions]), *notes(graph))


def _absorbed(graph: DependencyGraph) -> DependencyGraph:
    """Apply the fusions of the layout pass: additions and activations into convolutions."""
    swishes = _swishes(graph)
    graph = fused(graph, swishes) if swishes else graph
    for pattern in _FUSED:
        groups = chains(graph, read_pattern(pattern))
        graph = fused(graph, groups) if groups else graph
    return graph


def _swishes(graph: DependencyGraph) -> list[tuple[int, int, int]]:
    """Return convolutions whose output is only read by a hard sigmoid and its product."""
    fed = graph.edge_kind == EdgeKind.DATA
    readers: dict[int, set[int]] = defaultdict(set)
    for first, second in zip(graph.edge_from[fed].tolist(), graph.edge_to[fed].tolist(), strict=True):
        readers[first].add(second)
    names = [*(plain_name(operator) for operator in graph.operators), ""]
    made = []
    for row in _on_host(graph, *_CONVOLUTIONS).tolist():
        both = sorted(readers[row])
        if tuple(names[graph.operator[one]] for one in both) == _SWISH and readers[both[0]] == {both[1]}:
            made.append((row, both[0], both[1]))
    return made


def _borders(graph: DependencyGraph, blocked_rows: Longs) -> list[NewTask]:
    """Return the conversions where blocks begin and end, per lane and call."""
    rows, steps = compute_tasks(graph), step_numbers(graph)
    takes_ns = memory_bound_ns(graph, rows)
    read, written = graph.figures("read_bytes"), graph.figures("written_bytes")
    constants = np.nan_to_num(graph.figures("parameter_bytes"))
    is_convolution = set(blocked_rows.tolist())
    may = [bool(_BETWEEN.fullmatch(plain_name(name))) for name in graph.operators]
    made = []

    def conversion(operator: str, next_to: int, after: int, nbytes: float) -> None:
        made.append(layer_like(graph, next_to, operator, takes_ns(2 * nbytes), (nbytes, nbytes), after=after))

    for lane in by_lane(graph, rows):
        blocked, before, size = False, NONE, 0.0
        for row in lane.tolist():
            same = before != NONE and steps[row] == steps[before]
            blocked = blocked and same
            if row in is_convolution:
                if not blocked and same:
                    conversion("ReorderInput", row, row - 1, float(read[row] - constants[row]))
                blocked = True
            elif blocked and not may[graph.operator[row]]:
                conversion("ReorderOutput", before, row - 1, size)
                blocked = False
            before = row
            size = size if np.isnan(written[row]) else float(written[row])
    return made


def _nothing_to_lay_out(graph: DependencyGraph, values: Values) -> str:
    conversions, rows, blocked = len(_conversions(graph)), _on_host(graph, *_CONVOLUTIONS), values["to"] == BLOCKED
    unknown = int(np.isnan(moved_bytes(graph)[rows]).sum())
    on_device = bool((graph.kind == TaskKind.KERNEL).any())
    reasons = (
        (not blocked and values["to"] != PLAIN, f"'{values['to']}' is not a layout: write {BLOCKED} or {PLAIN}"),
        (on_device and not conversions, "none of its kernels converts between layouts"),
        (not on_device and not len(rows), not_onnxruntime(graph) or "it has no convolutions"),
        (not on_device and blocked and conversions, "it works on blocks of channels already"),
        (
            not on_device and not blocked and not conversions,
            "it has no conversions from or to blocks of channels: it works on plain tensors already",
        ),
        (not on_device and unknown, f"the bytes of {unknown} of {len(rows)} convolutions are unknown"),
    )
    return no_compute_tasks(graph) or next((reason for holds, reason in reasons if holds), "")


LAYOUT = Transform(
    name="layout",
    title="Blocked (NCHWc) or plain layout of convolutions; on a GPU, channels-last (modelled).",
    source="onnxruntime's layout pass; factors measured layer by layer in networks before and after",
    apply=_laid_out,
    parameters=(
        Parameter("to", "text", f"{BLOCKED} or {PLAIN}", BLOCKED),
        Parameter("dense", "factor", "speed-up of convolutions on blocks", "1.21"),
        Parameter("depthwise", "factor", "speed-up of depthwise convolutions with 3x3 filters on 28x28 maps", "7"),
        Parameter("pools", "factor", "speed-up of max pooling", "2.3"),
        Parameter("means", "factor", "speed-up of average pooling", "11"),
    ),
    requires=_nothing_to_lay_out,
)
