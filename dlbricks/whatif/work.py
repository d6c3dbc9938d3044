"""Classifies the work of each task, and divides its time into arithmetic, memory and a fixed part.

Kernels are told apart by their names, in one table for all vendors, libraries and their renamings; layers on the host
by the type of their operator. What an optimisation does depends on it: half precision quickens a matrix product by far
more than an optimiser's update. What no pattern fits is of class ``OTHER``; ``unknown_names`` counts and names it.

Times are split by the roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785)
with sums in the place of maxima: what a task computes and what it fetches overlaps in part only. Rates are those that
the graph itself shows, and the measured time of a task is split as its model is: so the model decides only what an edit
does to a time, never the time itself.
"""

import enum
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.profile.steps import DECODE
from dlbricks.trace.types import NONE, Bytes, Longs
from dlbricks.whatif.graph import DependencyGraph, Floats, TaskKind
from dlbricks.whatif.served import arithmetic_shares, in_phases, tokens_of


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
    EIGHT = 3
    """Floats of eight bits."""


_KERNELS: Sequence[tuple[KernelClass, str]] = (
    (
        KernelClass.COLLECTIVE,
        (
            r"nccl|rccl|msccl|oneccl|allreduce|all_reduce|alltoall|allgather|reducescatter|cross_device_reduce|nvshmem"
            r"|\bep::(inter|intra)node|deep_ep"
        ),
    ),
    (
        KernelClass.ATTENTION,
        r"flash(?!infer_kv)|fmha|mha_|attention|sdpa|attn_fwd|attn_bwd|sage_fwd|_mla_|batchdecode|batchprefill",
    ),
    (
        KernelClass.MOVEMENT,
        r"kv_?cache|store_kv|kv_indices|dispatch_layout|expand_to_fused|fused_mapping|moe_(align|permute)",
    ),
    (KernelClass.MATRIX, r"\bbmm_|fused_moe_kernel|grouped_gemm|deep_gemm|mxfp[48]|gemm_a[48]w[48]"),
    (
        KernelClass.MOVEMENT,
        r"^(?!.*(gemm|matmul|bmm_)).*quant|expand_to|positions?_kernel|token_ids|trampoline_kernel.*transform|memset|im2d2col",
    ),
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
        (
            r"reduce|softmax|pool|sort|scan|topk|cub::|norm|histogram|cumsum|loss|nll|triton_(red|per)|welford|moments"
            r"|routing|bitmatrix|count_expert|unique|rowwise|aux_"
        ),
    ),
    (
        KernelClass.ELEMENTWISE,
        (
            r"elementwise|triton_(poi|_)|pointwise|activation|relu|gelu|dropout|fill|scalepackedtensor|globalkernel|where"
            r"|add|mul|distribution|swiglu|silu|rotary|rope|scalar1d|trampoline_kernel"
        ),
    ),
)
"""In this order; the first that is found anywhere in a name, case aside, counts."""
FOUR_BITS = re.compile(r"marlin|awq|gptq|w4a16|w4a8|int4|[mnx]+fp4|f4gemm|_fp4", re.IGNORECASE)
"""In names of products whose weights have four bits, whatever they compute with."""
_PRECISIONS: Sequence[tuple[Precision, str]] = (
    (Precision.EIGHT, r"(?<!to_)fp8|e4m3|e5m2|float8|f8f8|a8w8"),
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
_OWNER = re.compile(r".*(::|\.)")
"""Domain or name space of an operator."""
_VARIANT = re.compile(r"^(qlinear|fused|quick|fast|bias)(?=.)|_$")
"""What a runtime puts before the name of an operator that it has fused or quantised; the mark of one in place."""

_OPERATORS: Sequence[tuple[KernelClass, str]] = (
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
_LONG = 4
"""Tasks of fewer times the quickest one say nothing of rates."""
_ARITHMETIC_PERCENTILE = 99
_MEMORY_PERCENTILE = 90
_WEIGHT_BYTES = {Precision.SINGLE: 2, Precision.TENSOR_FLOAT: 4, Precision.HALF: 2, Precision.EIGHT: 1}
"""Servers compute in halves; names of kernels seldom say so."""
_PASSING = (KernelClass.ELEMENTWISE, KernelClass.MOVEMENT)
"""Classes that read and write each value once."""
PRODUCTS = (KernelClass.MATRIX, KernelClass.ATTENTION)
"""Classes that are limited by arithmetic where flops and bytes are not known; all others by memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How fast the tasks of a graph are at best."""

    flops_per_ns: float
    """Infinite where no task shows it; so with bytes."""
    bytes_per_ns: float
    fixed_ns: float
    """What the quickest task takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Parts of the times of some tasks, one entry for each; the three add up to 1."""

    rows: Longs
    """The tasks."""
    own_ns: Longs
    """What they take."""
    arithmetic: Floats
    memory: Floats
    fixed: Floats

    def times_ns(self, arithmetic: Floats, memory: Floats) -> Floats:
        """Give new times: arithmetic and memory multiplied by a factor for each task, the fixed part as it was."""
        made: Floats = self.own_ns * (self.arithmetic * arithmetic + self.memory * memory + self.fixed)
        return made


@functools.lru_cache(maxsize=1 << 16)
def class_of(name: str) -> KernelClass:
    """Say what a kernel does."""
    found = (kind for kind, pattern in _KERNELS if re.search(pattern, name, re.IGNORECASE))
    return next(found, KernelClass.OTHER)


def classes(graph: DependencyGraph) -> Bytes:
    """Give the class of every task; ``OTHER`` for what is no kernel, ``COLLECTIVE`` for all collectives."""
    by_name = np.array([int(class_of(name)) for name in graph.names] or [0], np.int8)
    made = by_name[graph.task_name]
    made[graph.kind != TaskKind.KERNEL] = KernelClass.OTHER
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
    begin = name.partition("(")[0]
    return next((size for size, pattern in _ELEMENTS if re.search(pattern, begin, re.IGNORECASE)), 4)


def unknown_names(graph: DependencyGraph) -> tuple[tuple[str, int, int], ...]:
    """Give the names of kernels that no pattern fits, how often each runs and how long in all, ns; longest first."""
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.OTHER))
    found = []
    for number in np.unique(graph.task_name[rows]):
        same = rows[graph.task_name[rows] == number]
        found.append((graph.names[number], len(same), int(graph.duration_ns[same].sum())))
    return tuple(sorted(found, key=lambda entry: (-entry[2], entry[0])))


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
    return next((kind for kind, pattern in _OPERATORS if re.fullmatch(pattern, plain)), KernelClass.OTHER)


def work(graph: DependencyGraph) -> Longs:
    """Give the tasks in which a network is computed: kernels, or, where there are none, layers on the host."""
    kernels = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    return kernels if len(kernels) else np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))


def no_work(graph: DependencyGraph) -> str:
    """Say why nothing is known of what a graph computes; empty where it is."""
    return "" if len(work(graph)) else "it has neither kernels nor layers whose operators are known"


def work_classes(graph: DependencyGraph) -> Bytes:
    """Give the class of every task: of kernels by their names, of layers on the host by their operators."""
    made = classes(graph)
    by_operator = np.array([int(class_of_operator(name)) for name in graph.operators] or [0], np.int8)
    layers = np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))
    made[layers] = by_operator[graph.operator[layers]]
    return made


def moved_bytes(graph: DependencyGraph) -> Floats:
    """Give the bytes that every task reads and writes, NaN where they are not known."""
    made: Floats = graph.figures("read_bytes") + graph.figures("written_bytes")
    return made


def rates(graph: DependencyGraph, rows: Longs) -> Rates:
    """Find the best rates that some tasks show: all kernels, or all layers on the host."""
    times = graph.duration_ns[rows].astype(np.float64)
    some = times[times > 0]
    fixed = float(some.min()) if len(some) else 0.0
    long = times > _LONG * fixed

    def best(amounts: Floats, percentile: float) -> float:
        shown = long & (np.nan_to_num(amounts) > 0)
        return float(np.percentile(amounts[shown] / times[shown], percentile)) if shown.any() else float("inf")

    return Rates(
        flops_per_ns=best(graph.figures("flops")[rows], _ARITHMETIC_PERCENTILE),
        bytes_per_ns=best(moved_bytes(graph)[rows], _MEMORY_PERCENTILE),
        fixed_ns=fixed,
    )


def passing(graph: DependencyGraph, rows: Longs) -> Callable[[float], int]:
    """Give what a task takes, ns, that reads and writes so many bytes and does little else, as such tasks here do.

    Those that are not much longer than the quickest say little of rates: they count only where there are no others.
    """
    best = rates(graph, rows)
    times, moved = graph.duration_ns[rows].astype(np.float64), moved_bytes(graph)[rows]
    like = np.isin(work_classes(graph)[rows], _PASSING) & (np.nan_to_num(moved) > 0) & (times > 0)
    long = like & (times > _LONG * best.fixed_ns)
    like = long if long.any() else like
    rate = float(moved[like].sum() / times[like].sum()) if like.any() else best.bytes_per_ns
    return lambda nbytes: round(best.fixed_ns + nbytes / rate)


def weight_shares(graph: DependencyGraph) -> Floats:
    """Give which part of what a product of a server's step moves is weights; NaN where its tokens are not known.

    Each weight is multiplied by every token, so there are half as many as operations for each. Where flops and bytes
    are not known, all is taken to be weights.
    """
    weights = graph.figures("flops") / (2 * tokens_of(graph))
    sizes = np.array([_WEIGHT_BYTES[precision_of(name)] for name in graph.names] or [2], np.float64)[graph.task_name]
    part = np.clip(weights * sizes / np.maximum(moved_bytes(graph), 1.0), 0.0, 1.0)
    of_weights = (work_classes(graph) == KernelClass.MATRIX) & ~np.isnan(tokens_of(graph))
    made: Floats = np.where(of_weights, np.nan_to_num(part, nan=1.0), np.nan)
    return made


def _by_class(graph: DependencyGraph) -> Floats:
    """Give which part of what is not fixed is arithmetic, of tasks whose flops and bytes are not known."""
    kinds = work_classes(graph)
    made = np.isin(kinds, PRODUCTS).astype(np.float64)
    products = ~np.isnan(weight_shares(graph))
    made[products] = arithmetic_shares(graph)[products]
    made[in_phases(graph, DECODE) & (kinds == KernelClass.ATTENTION)] = 0.0
    return made


def shares(graph: DependencyGraph, rows: Longs) -> Shares:
    """Split the times of some tasks.

    Tasks whose flops and bytes are known are split as their roofline is, others by their class: what is fixed first,
    and of the rest all is arithmetic in products of matrices, all memory elsewhere. In steps of servers products share
    weights among so many tokens (``served``), and attention reads the cache.
    """
    best = rates(graph, rows)
    times = np.maximum(graph.duration_ns[rows].astype(np.float64), 1.0)
    fixed = np.minimum(1.0, best.fixed_ns / times)
    arithmetic = graph.figures("flops")[rows] / best.flops_per_ns
    memory = moved_bytes(graph)[rows] / best.bytes_per_ns
    known = np.nan_to_num(arithmetic + memory) > 0
    part = np.where(known, arithmetic / np.where(known, arithmetic + memory, 1.0), _by_class(graph)[rows])
    return Shares(
        rows=rows,
        own_ns=graph.duration_ns[rows],
        arithmetic=(1 - fixed) * part,
        memory=(1 - fixed) * (1 - part),
        fixed=fixed,
    )
