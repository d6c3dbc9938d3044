"""What kind of work a kernel does, by its name: one table for all vendors, libraries and their renamings.

What an optimisation does to a kernel depends on this: half precision quickens a matrix product by far more than an
optimiser's update. Kernels that no pattern fits are of class ``OTHER``; ``unknown_names`` counts and names them.
"""

import enum
import functools
import re
from collections.abc import Sequence

import numpy as np

from dlbricks.trace.types import Bytes
from dlbricks.whatif.nouns import DependencyGraph, TaskKind


class KernelClass(enum.IntEnum):
    """Kinds of work."""

    OTHER = 0
    MATRIX = 1
    """Products of matrices and convolutions: limited by arithmetic when large."""
    ATTENTION = 2
    """Fused attention."""
    OPTIMISER = 3
    """Updates of parameters, and norms and scales over all of them."""
    NORMALISATION = 4
    ELEMENTWISE = 5
    """One value in, one value out, however many operands; fused ones, too."""
    REDUCTION = 6
    """Sums, softmax, sorting, scanning, pooling: fewer values out than in, or in another order."""
    MOVEMENT = 7
    """Copies, transpositions, concatenations, gathers, conversions of layout."""
    EMBEDDING = 8
    """Lookups in tables, and their gradients."""
    COLLECTIVE = 9


class Precision(enum.IntEnum):
    """What numbers a kernel computes with, as far as its name says."""

    SINGLE = 0
    """Or wider, or not said."""
    TENSOR_FLOAT = 1
    """32 bits in memory, 19 in the multipliers: TF32."""
    HALF = 2
    """float16 or bfloat16."""


_PATTERNS: Sequence[tuple[KernelClass, str]] = (
    (KernelClass.COLLECTIVE, r"nccl|rccl|msccl|oneccl|allreduce|all_reduce|alltoall|allgather|reducescatter"),
    (KernelClass.ATTENTION, r"flash|fmha|mha_|attention|sdpa"),
    (KernelClass.OPTIMISER, r"multi_?tensor|adam|sgd_|lamb_|amp_(foreach|update)|_foreach"),
    (KernelClass.EMBEDDING, r"embedding|embs|fbgemm|linearize_index|indexselect|index_select|bounds_check_indices"),
    (KernelClass.MATRIX, r"implicit_?gemm|cutlass"),
    (
        KernelClass.MOVEMENT,
        (
            r"nchwtonhwc|nhwctonchw|transpose|permute|catarray|copy|recat|gather|scatter|index(ing)?_|im2col|col2im"
            r"|compute\w*offsets|pad_kernel|convert|cast|roll_|upsample|kernelhelper"
        ),
    ),
    (KernelClass.NORMALISATION, r"batch_?norm|bn_(fw|bw)|layer_?norm|group_?norm|instance_?norm|rms_?norm|gammabeta"),
    (
        KernelClass.MATRIX,
        (
            r"gemm|gemv|scudnn|hcudnn|cutlass|xmma|conv|winograd|fft|dgrad|wgrad|fprop|implicit|matmul|_mm_|triton_(tem_|mm)"
            r"|cijk_|dot_kernel|splitkreduce|nvjet|miopen|lstm|gru|rnn|elman"
        ),
    ),
    (
        KernelClass.REDUCTION,
        r"reduce|softmax|pool|sort|scan|topk|cub::|norm|histogram|cumsum|loss|nll|triton_(red|per)|welford",
    ),
    (
        KernelClass.ELEMENTWISE,
        (
            r"elementwise|triton_(poi|_)|pointwise|activation|relu|gelu|dropout|fill|scalepackedtensor|globalkernel|where"
            r"|add|mul|distribution"
        ),
    ),
)
"""In this order; the first that is found anywhere in a name, case aside, counts."""
_PRECISIONS: Sequence[tuple[Precision, str]] = (
    (Precision.TENSOR_FLOAT, r"tf32|cutlass_80_tensorop_s1688"),
    (
        Precision.HALF,
        (
            r"fp16|f16|bf16|bfloat16|half_t|__half|\bhalf[24]?\b|[hs]884|[hs]1688|[hs]16816|hcudnn|hgemm|hmma"
            r"|cijk_.*_[hb][hb]s?_"
        ),
    ),
)
"""In this order, as the classes."""
_ELEMENTS: Sequence[tuple[int, str]] = (
    (2, r"f16|half|bf16|bfloat"),
    (1, r"u?int8|[iu]8(?!\d)|byte|char|fp8|f8e"),
    (8, r"double|f64|int64|[iu]64(?!\d)"),
)
"""Bytes of an element by the names of types in names of collectives and lists of types; 4 where none is found."""
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)


@functools.lru_cache(maxsize=1 << 16)
def class_of(name: str) -> KernelClass:
    """Say what a kernel does."""
    return next((kind for kind, pattern in _COMPILED if pattern.search(name)), KernelClass.OTHER)


def classes(graph: DependencyGraph) -> Bytes:
    """Give the class of every task; ``OTHER`` for what is no kernel, ``COLLECTIVE`` for all collectives."""
    by_name = np.array([int(class_of(name)) for name in graph.names] or [0], np.int8)
    made = by_name[graph.task_name]
    made[(graph.kind != TaskKind.KERNEL)] = KernelClass.OTHER
    made[graph.kind == TaskKind.COLLECTIVE] = KernelClass.COLLECTIVE
    return made


def precision_of(name: str) -> Precision:
    """Say with what numbers a kernel computes."""
    found = (precision for precision, pattern in _PRECISIONS if re.search(pattern, name, re.IGNORECASE))
    return next(found, Precision.SINGLE)


def precisions(graph: DependencyGraph) -> Bytes:
    """Give the precision of every task; ``SINGLE`` for what is no kernel."""
    by_name = np.array([int(precision_of(name)) for name in graph.names] or [0], np.int8)
    made: Bytes = np.where(graph.kind == TaskKind.KERNEL, by_name[graph.task_name], np.int8(Precision.SINGLE))
    return made


def element_bytes(name: str) -> int:
    """Give the size of an element by the name of a collective or of a type, as in ``Sum_float`` and ``c10::Half``."""
    told = name.partition("(")[0]
    found = (size for size, pattern in _ELEMENTS if re.search(pattern, told, re.IGNORECASE))
    return next(found, 4)


def unknown_names(graph: DependencyGraph) -> tuple[tuple[str, int, int], ...]:
    """Give the names of kernels that no pattern fits, how often each runs and how long in all, ns; longest first."""
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.OTHER))
    found = []
    for number in np.unique(graph.task_name[rows]):
        same = rows[graph.task_name[rows] == number]
        found.append((graph.names[number], len(same), int(graph.duration_ns[same].sum())))
    return tuple(sorted(found, key=lambda entry: (-entry[2], entry[0])))
