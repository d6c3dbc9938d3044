"""What kind of work a layer on the host does, by the type of its operator: the same classes as those of kernels."""

import functools
import re
from collections.abc import Sequence

import numpy as np

from dlbricks.trace.types import NONE, Bytes, Longs
from dlbricks.whatif.kernels import KernelClass, classes
from dlbricks.whatif.nouns import DependencyGraph, TaskKind

_OWNER = re.compile(r".*(::|\.)")
"""Domain or name space of an operator."""
_VARIANT = re.compile(r"^(qlinear|fused|quick|fast|bias)(?=.)|_$")
"""What a runtime puts before the name of an operator that it has fused or quantised; the mark of one in place."""

_PATTERNS: Sequence[tuple[KernelClass, str]] = (
    (KernelClass.ATTENTION, r".*attention"),
    (KernelClass.MATRIX, r"conv.*|.*gemm.*|.*matmul.*|lstm|gru|rnn|einsum|linear|addmm|b?mm|baddbmm"),
    (KernelClass.NORMALISATION, r".*norm(alization)?|lrn"),
    (
        KernelClass.MOVEMENT,
        (
            r"transpose|concat|cat|split.*|slice|pad|gather.*|scatter.*|tile|expand|resize|upsample|reorder(in|out)put"
            r"|depthtospace|spacetodepth|cast|copy|clone|contiguous|permute|(dynamic)?(de)?quantizelinear|identity"
            r"|reshape|flatten|squeeze|unsqueeze|view|shape|constantofshape|range|eyelike|trilu"
        ),
    ),
    (KernelClass.REDUCTION, r"reduce.*|.*softmax|.*pool(2d)?|arg(max|min)|topk|cumsum|nonzero|nonmaxsuppression"),
    (
        KernelClass.ELEMENTWISE,
        (
            r".*relu6?|clip|hard(sigmoid|swish|tanh)|sigmoid|silu|swish|mish|.*elu|tanh|erf|exp|log|sqrt|rsqrt|reciprocal"
            r"|pow|add|sub|mul|div|mod|min|max|sum|mean|neg|abs|floor|ceil|round|sign|where|equal|greater.*|less.*|not"
            r"|and|or|xor|softplus|softsign|dropout|sin|cos|isnan|isinf|rotaryembedding"
        ),
    ),
)
"""In this order; the first that fits the whole name, in lower case and without owner and variant, counts."""
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)


@functools.lru_cache(maxsize=1 << 12)
def plain_name(operator: str) -> str:
    """Give the name of an operator in lower case, without its domain and without what a runtime puts before it.

    ``com.microsoft.QLinearConv`` is ``conv``, ``aten::add_`` is ``add``.
    """
    return _VARIANT.sub("", _OWNER.sub("", operator).lower()).replace("_", "")


@functools.lru_cache(maxsize=1 << 12)
def class_of_operator(operator: str) -> KernelClass:
    """Say what an operator does."""
    plain = plain_name(operator)
    return next((kind for kind, pattern in _COMPILED if pattern.fullmatch(plain)), KernelClass.OTHER)


def work(graph: DependencyGraph) -> Longs:
    """Give the tasks in which a network is computed: kernels, or, where there are none, layers on the host."""
    kernels = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    if len(kernels):
        return kernels
    return np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))


def work_classes(graph: DependencyGraph) -> Bytes:
    """Give the class of every task: of kernels by their names, of layers on the host by their operators."""
    made = classes(graph)
    by_operator = np.array([int(class_of_operator(name)) for name in graph.operators] or [0], np.int8)
    layers = np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))
    made[layers] = by_operator[graph.operator[layers]]
    return made


def no_work(graph: DependencyGraph) -> str:
    """Say why nothing is known of what a graph computes; empty where it is."""
    if len(work(graph)):
        return ""
    return "it has neither kernels nor layers whose operators are known"
