"""Operations and bytes of kernels from the shapes of PyTorch's operators that Kineto records.

The work of an operator (``operator_work``) is distributed over its kernels in proportion to their times. Of a matrix
product only the multiplying kernels count; kernels that rearrange data for them read and write the first operand.
Kernels below operators without recorded shapes have no work.
"""

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.trace.build import with_values
from dlbricks.trace.intervals import ancestors, nearest
from dlbricks.trace.operator_work import (
    Operands,
    Shape,
    Work,
    elementwise_work,
    rule_of,
    shapes_of,
    size_of,
    widths_of,
    work_of,
)
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace

Figures: TypeAlias = tuple[float, float, float]
"""Operations, bytes read, bytes written."""

_CONVOLVES = re.compile(r"conv[123]d|\w*convolution(_overrideable|_relu|_add_relu)?")
_WORD = re.compile(r"\w+")
_OF_WEIGHTS = frozenset({"cudnn_convolution_backward_weight", "miopen_convolution_backward_weight"})
_NAME_SPACE = re.compile(r"\A.*::")
# Kernels of a product that rearrange data instead of multiplying.
_HELPS = re.compile(
    r"n(chw|hwc)_?(to|2)|to\w*n(chw|hwc)|nchw_helper|transpose|im2d?2?col|im2col|col2im|offsets|copy|cat|cast|scalepacked|subtensor|splitkreduce|elementwise"
    r"|winograd(forward|wgrad)(data|filter|delta|output)|winogradtiles"
    r"|reduce_kernel|memset|fill|pad|convert|triton_(poi|red|per)",
    re.IGNORECASE,
)
# Of these, kernels that touch no operand.
_SMALL = re.compile(r"offsets", re.IGNORECASE)
# Kernels that read their operands once, whatever operator launches them and nothing else.
_PASSING_KERNEL = re.compile(r"triton_(poi|red|per)|elementwise|norm|softmax|act_and_mul|rotary", re.IGNORECASE)
# Bytes of elements by names of kernels, where an operator's types are not recorded; 0: as the name's group says.
_NAMED_WIDTHS: Sequence[tuple[re.Pattern[str], int]] = (
    (re.compile(r"OpaqueType<(\d)u?>"), 0),
    (re.compile(r"c10::Half|c10::BFloat16|\b__half\b|\bbfloat16\b"), 2),
    (re.compile(r"\bfloat\b"), 4),
    (re.compile(r"\bdouble\b|\blong\b"), 8),
)
# Beyond the bandwidth of any device: a kernel with more computed bytes reads only a part of its operands.
_MOST_BYTES_PER_NS = 20_000
# ``linear`` calls ``matmul``, which calls ``mm``.
# Number of nested operators, from the inside, that are searched for a weight.
_CALLERS = 3
# What reads the result comes soon, and searching all later operators for each convolution would take quadratic time.
# Number of operators after a convolution that are searched for its result's shape.
_LOOK_AHEAD = 60


def with_work(trace: Trace) -> Trace:
    """Add operations and bytes to the kernels of a trace with recorded shapes, and to the layers of these kernels.

    In a trace without kernels the layers get their own work. A trace with ``flops`` stays as it is.
    """
    recorded = trace.attributes.get("input_shapes")
    if recorded is None or "flops" in trace.attributes:
        return trace
    source_work = _Recorded(trace, dict(zip(recorded.rows.tolist(), recorded.values, strict=True)))
    has = np.zeros(len(trace), bool)
    has[recorded.rows] = True
    operators = (trace.level == Level.LAYER) & has
    ruled = np.zeros(len(trace.names), bool)
    for name in np.unique(trace.name[operators]).tolist():
        ruled[name] = rule_of(trace.names[name]) is not None
    nearest_ruled = nearest(trace.parent, operators & ruled[trace.name])
    kernels = trace.rows(Level.KERNEL, "kernel", role=Role.EXECUTION)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    if not len(kernels):
        own = np.flatnonzero(operators & ruled[trace.name] & (outer == np.arange(len(trace))))
        return _with_figures(trace, {row: work[:3] for row, work in source_work.works(own).items()})
    sources = nearest_ruled[kernels]
    groups = _groups(sources, kernels)
    launched = {row: source_work.named(mine[0]) for row, mine in groups}
    works = source_work.works(np.unique(sources[sources != NONE]), launched)
    figures_of: dict[int, Figures] = {}
    weights: dict[int, float] = {}
    for source, mine in groups:
        if source in works:
            figures = source_work.shared(source, works[source], mine)
            figures_of.update(figures)
            if held := source_work.weight_bytes(source):
                weights[max(figures, key=figures.__getitem__)] = held
    owner = nearest(trace.parent, operators)
    figures_of.update(source_work.passed(owner, [row for row in kernels.tolist() if row not in figures_of]))
    lengths = source_work.lengths
    figures_of = {
        row: work for row, work in figures_of.items() if work[1] + work[2] <= _MOST_BYTES_PER_NS * lengths[row]
    }
    pairs = zip(kernels.tolist(), sources.tolist(), strict=True)
    types = {row: kind for row, source in pairs if row in figures_of and (kind := source_work.kind(source))}
    trace = with_values(with_values(trace, "dtype", types), "parameter_bytes", weights)
    return _with_figures(trace, figures_of | _of_layers(outer, figures_of))


def _convolves(name: str) -> bool:
    """Return whether an operator is a convolution of the forward pass, by its name without its name space."""
    if "backward" in name:
        return False
    return _CONVOLVES.fullmatch(name) is not None or ("_conv" in name and _WORD.fullmatch(name) is not None)


def _groups(sources: Longs, kernels: Longs) -> list[tuple[int, list[int]]]:
    order = np.argsort(sources, kind="stable")
    values, begins = np.unique(sources[order], return_index=True)
    rows, cuts = kernels[order].tolist(), [*begins.tolist(), len(order)]
    parts = zip(values.tolist(), itertools.pairwise(cuts), strict=True)
    return [(row, rows[begin:end]) for row, (begin, end) in parts if row != NONE]


class _Recorded:
    """The recorded operators of a trace."""

    def __init__(self, trace: Trace, texts: Mapping[int, Any]) -> None:
        self._trace, self._texts = trace, texts
        self._types = _texts_of(trace, "dtype")
        self._input_types = _texts_of(trace, "input_types")
        self._name: list[int] = trace.name.tolist()
        self._parent: list[int] = trace.parent.tolist()
        self.lengths: list[int] = np.maximum(trace.end_ns - trace.start_ns, 1).tolist()
        self._plain = [_NAME_SPACE.sub("", name) for name in trace.names]
        self._convolves = [_convolves(name) for name in self._plain]
        self._works: dict[tuple[object, ...], Work | None] = {}
        """By all that they depend on: operators repeat with every step and layer."""

    def named(self, row: int) -> str:
        """Return the name of a span."""
        return self._trace.names[self._name[row]]

    def shapes(self, row: int) -> tuple[Shape, ...]:
        """Return the shapes of an operator's operands."""
        return shapes_of(str(self._texts.get(row, "[]")))

    def kind(self, row: int) -> str:
        """Return the element type of an operator's first tensor; numbers that are operands have none."""
        recorded = _first_type(str(self._texts.get(row, "[]")), self._input_types.get(row, ""))
        return recorded or self._types.get(row, "")

    def widths(self, row: int, kernel: str = "") -> tuple[int, ...]:
        """Return the bytes of an element of each operand; what is not recorded is as wide as a kernel's name says."""
        kind = BY_NAME.get(self._types.get(row, ""))
        default = _named_width(kernel) or (4 if kind is None else kind.bits // 8)
        return widths_of(str(self._texts.get(row, "[]")), self._input_types.get(row, ""), default)

    def works(self, rows: Longs, kernels: Mapping[int, str] = MappingProxyType({})) -> dict[int, Work]:
        """Return the work of operators by row, if it is known.

        Args:
            rows: of the operators.
            kernels: name of a kernel of each.
        """
        listed: list[int] = rows.tolist()
        results = self._results(np.array([row for row in listed if self._convolves[self._name[row]]], np.int64))
        for row in listed:
            if self._plain[self._name[row]] in _OF_WEIGHTS:
                operands = self.shapes(self._parent[row])
                results[row] = operands[2] if len(operands) > 2 else ()
        works = {row: self._work(row, results.get(row, ()), kernels.get(row, "")) for row in listed}
        return {row: work for row, work in works.items() if work is not None}

    def _work(self, row: int, result: Shape, kernel: str) -> Work | None:
        key = self._name[row], self._texts.get(row), self._input_types.get(row), self._types.get(row), result, kernel
        if key not in self._works:
            self._works[key] = work_of(self.named(row), self.shapes(row), result, self.widths(row, kernel))
        return self._works[key]

    def _results(self, rows: Longs) -> dict[int, Shape]:
        """Return the shapes of convolutions' results: the first operand of a later operator that fits the filters."""
        trace = self._trace
        results: dict[int, Shape] = {}
        for lane in np.unique(trace.lane[rows]).tolist():
            layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.lane == lane))
            layers = layers[np.argsort(trace.start_ns[layers], kind="stable")]
            starts = trace.start_ns[layers]
            for row in rows[trace.lane[rows] == lane].tolist():
                operands = self.shapes(row)
                if len(operands) < 2 or len(operands[0]) != len(operands[1]) or len(operands[0]) < 3:
                    continue
                at = int(np.searchsorted(starts, trace.end_ns[row]))
                wanted = (operands[0][0], operands[1][0])
                firsts = ((self.shapes(other) or ((),))[0] for other in layers[at : at + _LOOK_AHEAD].tolist())
                fitting = (shape for shape in firsts if len(shape) == len(operands[0]) and shape[:2] == wanted)
                results[row] = next(fitting, ())
        return results

    def weight_bytes(self, source: int) -> float:
        """Return the bytes of the weight of an operator of the forward pass; 0 without one.

        ``linear`` without a bias calls ``matmul``, which calls the operator.
        """
        row = source
        for _ in range(_CALLERS):
            shapes = self.shapes(row) if row in self._texts else ()
            if not shapes:
                break
            number = self._name[row]
            if len(shapes) > 1 and (self._plain[number] == "linear" or self._convolves[number]):
                return float(size_of(shapes[1]) * self.widths(row)[1])
            if len(shapes) > 2 and self._plain[number] == "addmm" and len(shapes[0]) == 1:
                return float(size_of(shapes[2]) * self.widths(row)[2])
            row = self._parent[row]
        return 0.0

    def shared(self, source: int, work: Work, kernels: list[int]) -> dict[int, Figures]:
        """Distribute the work of an operator over its kernels in proportion to their times."""
        flops, read, written = work[:3]
        helping = [row for row in kernels if work.product and _helps(self.named(row))]
        doing = [row for row in kernels if row not in helping] or kernels
        times = [self.lengths[row] for row in doing]
        total = sum(times)
        figures = {
            row: (flops * time / total, read * time / total, written * time / total)
            for row, time in zip(doing, times, strict=True)
        }
        moved = float(size_of(self.shapes(source)[0]) * self.widths(source)[0]) if helping else 0.0
        for row in helping:
            rearranged = 0.0 if _SMALL.search(self.named(row)) else moved
            figures.setdefault(row, (0.0, rearranged, rearranged))
        return figures

    def passed(self, owner: Longs, kernels: Sequence[int]) -> dict[int, Figures]:
        """Return the work of kernels that read the operands of an operator without a rule."""
        figures: dict[int, Figures] = {}
        launched = Counter(owner[kernels].tolist())
        for row, source in zip(kernels, owner[kernels].tolist(), strict=True):
            name = self.named(row)
            if source != NONE and launched[source] == 1 and _passes(name):
                work = elementwise_work(Operands(self.shapes(source), (), self.widths(source, name)))
                if work is not None:
                    figures[row] = work[:3]
        return figures


@functools.lru_cache(maxsize=1 << 14)
def _helps(kernel: str) -> bool:
    """Return whether a kernel helps a product, by its name, which is long and comes thousands of times."""
    return _HELPS.search(kernel) is not None


@functools.lru_cache(maxsize=1 << 14)
def _passes(kernel: str) -> bool:
    return _PASSING_KERNEL.search(kernel) is not None


@functools.lru_cache(maxsize=1 << 14)
def _first_type(shapes: str, types: str) -> str:
    return next((kind for shape, kind in zip(shapes_of(shapes), types.split(","), strict=False) if shape and kind), "")


def _texts_of(trace: Trace, key: str) -> dict[int, str]:
    """Return the values of an attribute by row."""
    attribute = trace.attributes.get(key)
    return {} if attribute is None else dict(zip(attribute.rows.tolist(), map(str, attribute.values), strict=True))


@functools.lru_cache(maxsize=1 << 12)
def _named_width(kernel: str) -> int:
    """Return the bytes of an element that a kernel's name tells; 0 if it tells none."""
    matches = ((pattern.search(kernel), width) for pattern, width in _NAMED_WIDTHS)
    return next((width or int(match.group(1)) for match, width in matches if match), 0)


def _of_layers(outer: Longs, figures: Mapping[int, Figures]) -> dict[int, Figures]:
    """Sum the work by outermost layer."""
    sums: dict[int, Figures] = {}
    layers = outer[list(figures)].tolist()
    for layer, (flops, read, written) in zip(layers, figures.values(), strict=True):
        if layer != NONE:
            total = sums.get(layer, (0.0, 0.0, 0.0))
            sums[layer] = total[0] + flops, total[1] + read, total[2] + written
    return sums


def _with_figures(trace: Trace, figures: Mapping[int, Figures]) -> Trace:
    figures = dict(sorted(figures.items()))
    for place, name in enumerate(("flops", "read_bytes", "written_bytes")):
        values = {row: amounts[place] for row, amounts in figures.items() if not math.isnan(amounts[place])}
        trace = with_values(trace, name, values)
    return trace
