"""Operations and bytes of kernels, from the shapes of operators that Kineto records.

The kernels of an operator share its work (``operator_work``) in proportion to their times. The work of a matrix product
goes to the kernels that multiply; kernels that rearrange data read and write the first operand.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.plugins.training.operator_work import (
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
from dlbricks.trace.build import with_values
from dlbricks.trace.intervals import ancestors, nearest, split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.trace.work_classes import Figures, shared_work

_CONVOLVES = re.compile(r"conv[123]d|\w*convolution(_overrideable|_relu|_add_relu)?")
_WORD = re.compile(r"\w+")
_OF_WEIGHTS = frozenset({"cudnn_convolution_backward_weight", "miopen_convolution_backward_weight"})
_NAME_SPACE = re.compile(r"\A.*::")
# Kernels that read their operands once, whatever operator launches them and nothing else.
_PASSING_KERNEL = re.compile(r"triton_(poi|red|per)|elementwise|norm|softmax|act_and_mul|rotary", re.IGNORECASE)
# Bytes of elements by names of kernels, where an operator's types are not recorded; 0: as the name's group says.
_NAMED_WIDTHS = (
    (re.compile(r"OpaqueType<(\d)u?>"), 0),
    (re.compile(r"c10::Half|c10::BFloat16|\b__half\b|\bbfloat16\b"), 2),
    (re.compile(r"\bfloat\b"), 4),
    (re.compile(r"\bdouble\b|\blong\b"), 8),
)
# Beyond the bandwidth of any device: a kernel with more computed bytes reads only a part of its operands.
_MOST_BYTES_PER_NS = 20_000
# Nested operators, from the inside, that are searched for a weight: ``linear`` calls ``matmul``, which calls ``mm``.
_CALLERS = 3
# Operators after a convolution that are searched for its result's shape: what reads the result comes soon, and
# searching all later operators for each convolution would take quadratic time.
_LOOK_AHEAD = 60


def with_work(trace: Trace) -> Trace:
    """Add FLOPs and bytes to the kernels and layers of a trace, if it has shapes of operands.

    A trace that has FLOPs already does not change.
    """
    recorded = trace.attributes.get("input_shapes")
    if recorded is None or "flops" in trace.attributes:
        return trace
    source_work = _Recorded(trace)
    operators = np.zeros(len(trace), bool)
    operators[recorded.rows] = trace.level[recorded.rows] == Level.LAYER
    has_rule = np.zeros(len(trace.names), bool)
    for name in np.unique(trace.name[operators]).tolist():
        has_rule[name] = rule_of(trace.names[name]) is not None
    ruled = operators & has_rule[trace.name]
    kernels = trace.rows(Level.KERNEL, "kernel", role=Role.EXECUTION)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    if not len(kernels):
        own = np.flatnonzero(ruled & (outer == np.arange(len(trace)))).tolist()
        return _with_figures(trace, {row: work[:3] for row, work in source_work.works(dict.fromkeys(own, "")).items()})
    sources = nearest(trace.parent, ruled)[kernels]
    groups = [group.tolist() for group in split_by(sources[sources != NONE], kernels[sources != NONE])]
    source_of = dict(zip(kernels.tolist(), sources.tolist(), strict=True))
    works = source_work.works({source_of[mine[0]]: source_work.named(mine[0]) for mine in groups})
    figures_of: dict[int, Figures] = {}
    weights: dict[int, float] = {}
    for mine in groups:
        source = source_of[mine[0]]
        if source in works:
            figures = source_work.shared(source, works[source], mine)
            figures_of.update(figures)
            if weight := source_work.weight_bytes(source):
                weights[max(figures, key=figures.__getitem__)] = weight
    owner = nearest(trace.parent, operators)
    figures_of.update(source_work.passed(owner, [row for row in kernels.tolist() if row not in figures_of]))
    figures_of = {
        row: work
        for row, work in figures_of.items()
        if work[1] + work[2] <= _MOST_BYTES_PER_NS * source_work.lengths[row]
    }
    types = {row: kind for row, source in source_of.items() if row in figures_of and (kind := source_work.kind(source))}
    trace = with_values(with_values(trace, "dtype", types), "parameter_bytes", weights)
    return _with_figures(trace, figures_of | _of_layers(outer, figures_of))


def _convolves(name: str) -> bool:
    """Return whether an operator is a convolution of the forward pass; ``name`` has no namespace."""
    if "backward" in name:
        return False
    # As a part of the pattern, ``\w*_conv\w*`` would take quadratic time for long names.
    return _CONVOLVES.fullmatch(name) is not None or ("_conv" in name and _WORD.fullmatch(name) is not None)


class _Recorded:
    """Operators of a trace, with shapes and types of operands."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._texts, self._types, self._input_types = map(trace.values, ("input_shapes", "dtype", "input_types"))
        self._name: list[int] = trace.name.tolist()
        self._parent: list[int] = trace.parent.tolist()
        self.lengths: list[int] = np.maximum(trace.end_ns - trace.start_ns, 1).tolist()
        self._plain = [_NAME_SPACE.sub("", name) for name in trace.names]
        self._convolves = [_convolves(name) for name in self._plain]
        self._works: dict[tuple[object, ...], Work | None] = {}
        """Work by everything that determines it."""

    def named(self, row: int) -> str:
        """Return the name of a span."""
        return self._trace.names[self._name[row]]

    def shapes(self, row: int) -> tuple[Shape, ...]:
        """Return the shapes of an operator's operands."""
        return shapes_of(self._texts.get(row, "[]"))

    def kind(self, row: int) -> str:
        """Return the element type of an operator's first tensor."""
        recorded = _first_type(self._texts.get(row, "[]"), self._input_types.get(row, ""))
        return recorded or self._types.get(row, "")

    def widths(self, row: int, kernel: str = "") -> tuple[int, ...]:
        """Return the bytes per element of each operand; if types are unknown, from the name of a kernel."""
        kind = BY_NAME.get(self._types.get(row, ""))
        default = _named_width(kernel) or (4 if kind is None else kind.bits // 8)
        return widths_of(self._texts.get(row, "[]"), self._input_types.get(row, ""), default)

    def works(self, kernels: Mapping[int, str]) -> dict[int, Work]:
        """Return the work of operators with a rule, by row; ``kernels`` has a kernel's name for each operator's row."""
        results = self._results(np.array([row for row in kernels if self._convolves[self._name[row]]], np.int64))
        works: dict[int, Work] = {}
        for row, kernel in kernels.items():
            result = results.get(row, ())
            if self._plain[self._name[row]] in _OF_WEIGHTS:
                operands = self.shapes(self._parent[row])
                result = operands[2] if len(operands) > 2 else ()
            recorded = (texts.get(row) for texts in (self._texts, self._input_types, self._types))
            key = self._name[row], *recorded, result, kernel
            if key not in self._works:
                self._works[key] = work_of(self.named(row), self.shapes(row), result, self.widths(row, kernel))
            if (work := self._works[key]) is not None:
                works[row] = work
        return works

    def _results(self, rows: Longs) -> dict[int, Shape]:
        """Return the shape of each convolution's result, from the first operand of a later operator."""
        trace = self._trace
        results: dict[int, Shape] = {}
        for mine in split_by(trace.lane[rows], rows):
            layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.lane == trace.lane[mine[0]]))
            layers = layers[np.argsort(trace.start_ns[layers], kind="stable")]
            starts = trace.start_ns[layers]
            for row in mine.tolist():
                operands = self.shapes(row)
                if len(operands) < 2 or len(operands[0]) != len(operands[1]) or len(operands[0]) < 3:
                    continue
                at = int(np.searchsorted(starts, trace.end_ns[row]))
                expected = (operands[0][0], operands[1][0])
                firsts = ((self.shapes(other) or ((),))[0] for other in layers[at : at + _LOOK_AHEAD].tolist())
                fitting = (shape for shape in firsts if len(shape) == len(operands[0]) and shape[:2] == expected)
                results[row] = next(fitting, ())
        return results

    def weight_bytes(self, row: int) -> float:
        """Return the bytes of the weight of a forward operator, or of its caller (such as ``linear``); 0 if missing."""
        for _ in range(_CALLERS):
            shapes = self.shapes(row)
            if not shapes:
                break
            number = self._name[row]
            place = 2 if self._plain[number] == "addmm" and len(shapes[0]) == 1 else 0
            if self._plain[number] == "linear" or self._convolves[number]:
                place = 1
            if place and len(shapes) > place:
                return float(size_of(shapes[place]) * self.widths(row)[place])
            row = self._parent[row]
        return 0.0

    def shared(self, source: int, work: Work, kernels: list[int]) -> dict[int, Figures]:
        """Divide the work of an operator among its kernels in proportion to their times."""
        moved = float(size_of(self.shapes(source)[0]) * self.widths(source)[0]) if work.product else None
        named = [(self.named(row), self.lengths[row]) for row in kernels]
        return dict(zip(kernels, shared_work(work[:3], named, moved), strict=True))

    def passed(self, owner: Longs, kernels: list[int]) -> dict[int, Figures]:
        """Return the work of kernels that read each operand once, where the operator has no rule."""
        figures: dict[int, Figures] = {}
        launched = Counter(owner[kernels].tolist())
        for row, source in zip(kernels, owner[kernels].tolist(), strict=True):
            name = self.named(row)
            if source != NONE and launched[source] == 1 and _passes(name):
                work = elementwise_work(Operands(self.shapes(source), (), self.widths(source, name)))
                if work is not None:
                    figures[row] = work[:3]
        return figures


# Names of kernels are long and come thousands of times.
@functools.lru_cache(maxsize=1 << 14)
def _passes(kernel: str) -> bool:
    return _PASSING_KERNEL.search(kernel) is not None


@functools.lru_cache(maxsize=1 << 14)
def _first_type(shapes: str, types: str) -> str:
    return next((kind for shape, kind in zip(shapes_of(shapes), types.split(","), strict=False) if shape and kind), "")


@functools.lru_cache(maxsize=1 << 12)
def _named_width(kernel: str) -> int:
    """Return the bytes per element of the type in a kernel's name; 0 if the name has no type."""
    matches = ((pattern.search(kernel), width) for pattern, width in _NAMED_WIDTHS)
    return next((width or int(match.group(1)) for match, width in matches if match), 0)


def _of_layers(outer: Longs, figures: Mapping[int, Figures]) -> dict[int, Figures]:
    """Return the work of each outermost layer."""
    layers, amounts = outer[list(figures)], np.array(list(figures.values()), np.float64).reshape(-1, 3)
    rows, place = np.unique(layers, return_inverse=True)
    sums = np.zeros((len(rows), 3))
    np.add.at(sums, place, amounts)
    listed: Iterable[tuple[int, list[float]]] = zip(rows.tolist(), sums.tolist(), strict=True)
    return {row: (flops, read, written) for row, (flops, read, written) in listed if row != NONE}


def _with_figures(trace: Trace, figures: Mapping[int, Figures]) -> Trace:
    rows = sorted(figures)
    for place, name in enumerate(("flops", "read_bytes", "written_bytes")):
        values = {row: figures[row][place] for row in rows if figures[row][place] == figures[row][place]}
        trace = with_values(trace, name, values)
    return trace
