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

import itertools
import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewTask, inserted, layer_beside, removed, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind
from dlbricks.whatif.select import by_lane, of_name, of_operator, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.fuse import chains, fused, read_pattern
from dlbricks.whatif.work import moved_bytes, no_work, passing, plain_name, work

_CONVOLUTIONS = frozenset({"conv", "convinteger"})
_SQUARES = (9, 25, 49, 81, 121)
"""Products for each result of a convolution with one filter of 3x3, 5x5 ... 11x11 for each channel."""
_FLOAT_BYTES = 4
_MORE = 3
"""So many products for each result may be those of a bias and of a fused activation."""
_FEW_MORE = (0, 1)
"""The same as a rule."""
_FILTERS = (3, 5)
"""Sides of the filters that convolutions in groups have."""
_STRIDES = (1, 2)
_FEWEST_GROUPS = 4
_SUMMED_FILTERS = (1, 3)
"""Sides of the filters of convolutions that take in a sum."""
_BIAS = 0.25
"""So much of a product beyond a whole number of them: a bias is counted, too."""
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
_REORDERS = frozenset({"reorderinput", "reorderoutput"})
_BETWEEN = re.compile(
    r".*pool|add|sum|mul|relu6?|leakyrelu|clip|tanh|sigmoid|hardsigmoid|batchnormalization|concat|resize|upsample|gelu"
)
"""May work on blocks if what they read is in blocks (onnxruntime, nchwc_transformer.cc)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Convolutions:
    """Some convolutions, one entry for each in every column; what their figures do not say is NaN."""

    rows: Longs
    """The tasks."""
    products: Floats
    """Multiplications for each result."""
    channels: Floats
    """Of the result."""
    maps: Floats
    """Results of each channel, all images together."""
    depthwise: Mask
    """Whether each channel is for itself: few products, as much read as written."""
    group_channels: Floats
    """Of each group, where there are at least four of more than one channel each; NaN elsewhere."""
    summed: Mask
    """Whether a second tensor of the size of the result is read: a sum that was fused into it."""


def _on_host(graph: DependencyGraph, *operators: str) -> Longs:
    """Give the layers of the host of some operators."""
    return np.flatnonzero(of_operator(graph, lambda name: plain_name(name) in operators) & (graph.kind == TaskKind.CPU))


def convolutions(graph: DependencyGraph) -> Convolutions:
    """Describe the layers of the host that are convolutions, by their arithmetic and their bytes."""
    rows = _on_host(graph, *_CONVOLUTIONS)
    keys = ("flops", "read_bytes", "written_bytes", "parameter_bytes")
    flops, read, written, held = (graph.figures(key)[rows] for key in keys)
    inputs_bytes = read - np.nan_to_num(held)
    results = written / _FLOAT_BYTES
    with np.errstate(divide="ignore", invalid="ignore"):
        each = flops / (2 * results)
        products = np.floor(each)
        channels = np.full(len(rows), np.nan)
        # a filter and perhaps a bias for each channel: whichever divides both the constants and the results
        for more in (0, 1, -1, -2, -3):
            said = held / _FLOAT_BYTES / (products + np.where(each - products > _BIAS, 1 - abs(more), more))
            whole = (said > 0) & (said == np.floor(said)) & (results % said == 0)
            channels = np.where(np.isnan(channels) & whole, said, channels)
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
    """Give the channels of a group (NaN for one group), and whether another tensor of the size of the result is read.

    In groups as many channels are read as written. As many groups as a filter has places are left out: so many would a
    filter of 1x1 seem to have. With a sum as many values are read besides the inputs as are written; of stride 1, in
    one group.

    Args:
        products: for each result.
        channels: of the result.
        inputs: values read for each place of the map of the result; of stride 2, four times the channels.
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
    """Give the tasks that do nothing but convert."""
    kernels = of_name(graph, _CONVERSION.search) & (graph.kind == TaskKind.KERNEL)
    return np.union1d(np.flatnonzero(kernels), _on_host(graph, *_REORDERS))


def _factors(found: Convolutions, values: Values) -> Floats:
    """Give how many times as quick each convolution is on blocks."""
    maps = np.where(np.isnan(found.maps), _USUAL_MAP, found.maps)
    taps = np.maximum(found.products, 9) / 9
    by_channel = values["depthwise"] * taps**_BY_FILTER * (maps / _USUAL_MAP) ** -_BY_MAP
    made: Floats = np.where(found.depthwise, np.maximum(by_channel, 1), values["dense"])
    made[_stays_plain(found)] = 1
    return made


def _stays_plain(found: Convolutions) -> Mask:
    """Tell which convolutions have a number of channels that fills no block, in all or in each group."""
    in_groups = np.nan_to_num(found.group_channels) % _BLOCK != 0
    made: Mask = (np.nan_to_num(found.channels) % _ALIGNED != 0) | in_groups
    return made


def _laid_out(graph: DependencyGraph, values: Values) -> DependencyGraph:
    conversions = _conversions(graph)
    if (graph.kind == TaskKind.KERNEL).any():
        return removed(graph, conversions)
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
    names = [*(plain_name(operator) for operator in graph.operators), ""]
    made = []
    for row in _on_host(graph, *_CONVOLUTIONS).tolist():
        both = sorted(readers[row])
        if tuple(names[graph.operator[one]] for one in both) == _SWISH and readers[both[0]] == {both[1]}:
            made.append((row, both[0], both[1]))
    return made


def _borders(graph: DependencyGraph, blocked_rows: Longs) -> list[NewTask]:
    """Give a conversion wherever blocks begin and end, lane by lane and call by call, in order of execution."""
    rows, steps = work(graph), step_numbers(graph)
    takes_ns = passing(graph, rows)
    read, written = graph.figures("read_bytes"), graph.figures("written_bytes")
    constants = np.nan_to_num(graph.figures("parameter_bytes"))
    is_convolution = set(blocked_rows.tolist())
    may = [bool(_BETWEEN.fullmatch(plain_name(name))) for name in graph.operators]
    made = []

    def conversion(operator: str, beside: int, after: int, nbytes: float) -> None:
        made.append(layer_beside(graph, beside, operator, takes_ns(2 * nbytes), (nbytes, nbytes), after=after))

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
        (not blocked and values["to"] != PLAIN, f"'{values['to']}' is no layout: write {BLOCKED} or {PLAIN}"),
        (on_device and not conversions, "none of its kernels converts between layouts"),
        (not on_device and not len(rows), "it has no convolutions, which is what layouts are for"),
        (not on_device and blocked and conversions, "it works on blocks of channels already"),
        (
            not on_device and not blocked and not conversions,
            "nothing in it converts from or to blocks of channels: it works on plain tensors already",
        ),
        (not on_device and unknown, f"the bytes of {unknown} of {len(rows)} convolutions are not known"),
    )
    return no_work(graph) or next((reason for holds, reason in reasons if holds), "")


LAYOUT = Transform(
    name="layout",
    title="Convolutions work on blocks of channels, or no longer do; on a GPU, conversions of layout go (modelled).",
    source="onnxruntime's layout pass; factors measured layer by layer in networks before and after",
    apply=_laid_out,
    parameters=(
        Parameter("to", "text", f"{BLOCKED} or {PLAIN}", BLOCKED),
        Parameter("dense", "factor", "how many times as quick a convolution is on blocks", "1.21"),
        Parameter(
            "depthwise", "factor", "the same of one with a filter of 3x3 for each channel, on maps of 28x28", "7"
        ),
        Parameter("pools", "factor", "the same of pools that take the largest", "2.3"),
        Parameter("means", "factor", "the same of pools that take the mean", "11"),
    ),
    requires=_nothing_to_lay_out,
)
