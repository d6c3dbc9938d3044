"""Classifies kernels by their names, and operators by their types."""

import enum
import functools
import re
from collections.abc import Sequence
from typing import TypeAlias

from dlbricks.trace.kinds import is_collective


class KernelClass(enum.IntEnum):
    """Kind of work that a kernel or an operator does."""

    OTHER = 0
    MATRIX = 1
    """Matrix products and convolutions; compute-bound when large."""
    ATTENTION = 2
    """Fused attention."""
    OPTIMISER = 3
    """Updates of parameters, and norms or scalings over all parameters."""
    NORMALISATION = 4
    ELEMENTWISE = 5
    """Elementwise operations, single or fused."""
    REDUCTION = 6
    """Sums, softmax, sorting, scans, pooling."""
    MOVEMENT = 7
    """Copies, transposes, concatenations, gathers, layout conversions."""
    EMBEDDING = 8
    """Embedding lookups and their gradients."""
    COLLECTIVE = 9


class Precision(enum.IntEnum):
    """Number format of a kernel's arithmetic, inferred from its name."""

    SINGLE = 0
    """float32, wider, or unknown."""
    TENSOR_FLOAT = 1
    """TF32: values have 32 bits in memory and 19 bits in the multipliers."""
    HALF = 2
    """float16 or bfloat16."""
    EIGHT = 3
    """8-bit floating point."""


# A kernel has the class of the first pattern that its name contains; case is ignored. ``is_collective`` decides before
# this table. The collectives in it exchange tokens between experts, and traces record them as kernels.
_KERNELS: Sequence[tuple[KernelClass, str]] = (
    (
        KernelClass.COLLECTIVE,
        r"nvshmem|\bep::(inter|intra)node|deep_ep(?!.*layout)|ep(dispatch|combine)(inter|intra)node|moea2a(dispatch|combine)",
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
            r"nchwtonhwc|nhwctonchw|transpose|permute|catarray|copy|recat|gather|scatter|index(ing)?_|im2col|col2im|tensortransform|nhwcslice|addpadding"
            r"|compute\w*offsets|pad_kernel|convert|(?<!no)cast|roll_|upsample|kernelhelper|grid_sampl|roi_align|write_indices|transform_0213|flip_filter"
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
            r"|routing|bitmatrix|count_expert|unique|rowwise|aux_|\bcs[rc]m[vm]|coalesce|nms_kernel|cdist"
        ),
    ),
    (
        KernelClass.ELEMENTWISE,
        (
            r"elementwise|triton_(poi|_)|pointwise|activation|relu|gelu|dropout|fill|scalepackedtensor|globalkernel|where"
            r"|add|mul|distribution|swiglu|silu|rotary|rope|scalar1d|trampoline_kernel|tri[ul]_|transform_bias|bernoulli"
        ),
    ),
)
# Names of matrix products that read 4-bit weights, in whichever precision they multiply.
FOUR_BITS = re.compile(r"marlin|awq|gptq|w4a16|w4a8|int4|[mnx]+fp4|f4gemm|_fp4", re.IGNORECASE)
# A kernel has the precision of the first pattern that its name contains.
_PRECISIONS: Sequence[tuple[Precision, str]] = (
    (Precision.EIGHT, r"(?<!to_)fp8|e4m3|e5m2|float8|f8f8|a8w8|nvjet_(sm\d+_)?[oq]{2}"),
    (Precision.TENSOR_FLOAT, r"tf32|cutlass_80_tensorop_s1688"),
    (
        Precision.HALF,
        (
            r"fp16|f16|bf16|bfloat16|half_t|__half|\bhalf[24]?\b|[hs]884|[hs]1688|[hs]16816|hcudnn|hgemm|hmma"
            r"|cijk_.*_[hb][hb]s?_|nvjet_(sm\d+_)?[ht][hst][hst]_"
        ),
    ),
)
# Element size in bytes by the type names that occur in names of collectives and lists of types; 4 without a match.
_ELEMENTS: Sequence[tuple[int, str]] = (
    (2, r"f16|half|bf16|bfloat"),
    (1, r"u?int8|[iu]8(?!\d)|byte|char|fp8|f8e"),
    (8, r"double|f64|int64|[iu]64(?!\d)"),
)
# Domain or namespace of an operator.
_OWNER = re.compile(r"\A.*(::|\.)")
# Prefix of fused or quantised operators of a runtime; suffix of in-place operators.
_VARIANT = re.compile(r"^(qlinear|fused|quick|fast|bias)(?=.)|_$")
# An operator has the class of the first pattern that matches its whole ``plain_name``. The names are those of ONNX,
# PyTorch and OpenVINO.
_OPERATORS: Sequence[tuple[KernelClass, str]] = (
    (KernelClass.ATTENTION, r".*attention"),
    (
        KernelClass.MATRIX,
        (
            r"(group|de)?conv(?!ert).*|.*gemm.*|.*matmul.*|(lstm|gru|rnn)(cell|seq.*)?|einsum|linear|addmm|b?mm|baddbmm"
            r"|fullyconnected"
        ),
    ),
    (KernelClass.COLLECTIVE, r".*all(reduce|gather|toall).*|reducescatter.*|shm(gather|(send|recv)tensorlist)"),
    (KernelClass.NORMALISATION, r".*norm(alization)?|lrn|mvn|rms|normalizel2"),
    (
        KernelClass.MOVEMENT,
        (
            r"transpose|concat|cat|split.*|slice|pad|gather.*|scatter.*|tile|expand|resize|upsample|reorder(in|out)put"
            r"|depthtospace|spacetodepth|cast|copy|clone|contiguous|permute|(dynamic)?(de)?quantizelinear|identity"
            r"|reshape|flatten|squeeze|unsqueeze|view|shape|constantofshape|range|eyelike|trilu"
            r"|concatenation|reorder|convert(like)?|interpolate|broadcast|(strided|scatter)slice|variadicsplit|shapeof"
        ),
    ),
    (KernelClass.REDUCTION, r"reduce.*|.*softmax|.*pool(ing)?(2d)?|arg(max|min)|topk|cumsum|nonzero|nonmaxsuppression"),
    (
        KernelClass.ELEMENTWISE,
        (
            r".*relu6?|clip|hard(sigmoid|swish|tanh)|sigmoid|silu|swish|mish|.*elu|tanh|erf|exp|log|sqrt|rsqrt|reciprocal"
            r"|pow|add|sub|mul|div|mod|min|max|sum|mean|neg|abs|floor|ceil|round|sign|where|equal|greater.*|less.*|not"
            r"|and|or|xor|softplus|softsign|dropout|sin|cos|isnan|isinf|rotaryembedding"
            r"|eltwise|subgraph|multiply|subtract|divide|power|maximum|minimum|select|fakequantize|rope"
        ),
    ),
)
# Prefixes of PyTorch's operators that communicate between processes, and of the spans of their backends.
_EXCHANGES = re.compile(r"_?c10d(_functional)?::|(nccl|gloo|xccl|hccl|mpi|ucc):(?!:)")


@functools.lru_cache(maxsize=1 << 16)
def class_of(name: str) -> KernelClass:
    """Return the class of a kernel, by its name."""
    if is_collective(name):
        return KernelClass.COLLECTIVE
    return next((kind for kind, pattern in _KERNELS if re.search(pattern, name, re.IGNORECASE)), KernelClass.OTHER)


def precision_of(name: str) -> Precision:
    """Return the number format of a kernel's arithmetic, by its name."""
    matches = (precision for precision, pattern in _PRECISIONS if re.search(pattern, name, re.IGNORECASE))
    return next(matches, Precision.SINGLE)


@functools.lru_cache(maxsize=1 << 12)
def element_bytes(name: str) -> int:
    """Return the bytes of an element, from a name such as ``Sum_float`` or ``c10::Half``; 4 if unknown."""
    begin = name.partition("(")[0]
    return next((size for size, pattern in _ELEMENTS if re.search(pattern, begin, re.IGNORECASE)), 4)


@functools.lru_cache(maxsize=1 << 12)
def plain_name(operator: str) -> str:
    """Return an operator's name without domain, prefix and underscores: ``conv`` for ``microsoft.QLinearConv``."""
    return _VARIANT.sub("", _OWNER.sub("", operator).lower()).replace("_", "")


@functools.lru_cache(maxsize=1 << 12)
def class_of_operator(operator: str) -> KernelClass:
    """Return the class of an operator, by its type."""
    if _EXCHANGES.match(operator):
        return KernelClass.COLLECTIVE
    plain = plain_name(operator)
    return next((kind for kind, pattern in _OPERATORS if re.fullmatch(pattern, plain)), KernelClass.OTHER)


# Operations, bytes read, bytes written.
Figures: TypeAlias = tuple[float, float, float]
# Kernels of a product that rearrange data instead of multiplying.
_HELPS = re.compile(
    r"n(chw|hwc)_?(to|2)|to\w*n(chw|hwc)|nchw_helper|transpose|im2d?2?col|im2col|col2im|offsets|copy|cat|cast|scalepacked|subtensor|splitkreduce|elementwise"
    r"|winograd(forward|wgrad)(data|filter|delta|output)|winogradtiles"
    r"|reduce_kernel|memset|fill|pad|convert|triton_(poi|red|per)",
    re.IGNORECASE,
)
# Of these, kernels that touch no operand.
_SMALL = re.compile(r"offsets", re.IGNORECASE)


# Names of kernels are long and come thousands of times.
@functools.lru_cache(maxsize=1 << 14)
def _helps(kernel: str) -> bool:
    return _HELPS.search(kernel) is not None


def shared_work(work: Figures, kernels: Sequence[tuple[str, int]], moved: float | None) -> list[Figures]:
    """Share the work of an operator among its kernels, in proportion to their times.

    ``kernels`` has the name and time, ns, of each. The work of a matrix product goes to the kernels that multiply;
    those that rearrange data read and write its first operand of ``moved`` bytes, which is None for other operators.
    """
    helping = [moved is not None and _helps(name) for name, _ in kernels]
    if all(helping):
        moved, helping = None, [False] * len(kernels)
    flops, read, written = work
    total = sum(time for (_, time), helps in zip(kernels, helping, strict=True) if not helps)
    shares: list[Figures] = []
    for (name, time), helps in zip(kernels, helping, strict=True):
        rearranged = 0.0 if moved is None or _SMALL.search(name) else moved
        share = (flops * time / total, read * time / total, written * time / total)
        shares.append((0.0, rearranged, rearranged) if helps else share)
    return shares
