"""Predicts what autocast to bfloat16 makes of the passes of a decoder (``amp``), and its compilation (``fuse``).

``python benchmarks/whatif.py mixed``: docs/data/whatif-mixed.csv has what four people measured of the decoder of
Stanford's course CS336 in single precision and under autocast, ms, in several sizes and lengths, and one of them
compiled (``writeup/tables/compiled.tex``, beside the same eager):

- dfrumkin/cs336-assignment2@66a1aa8, ``writeup/tables/mixed_precision.tex`` (MIT licence; an H100)
- GAOYUEtianc/Stanford-CS336-assignments@f06a68c, ``assignment2-systems/answers.md`` (no licence stated; an A100, TF32)
- alpacaking/SummerQuest-2026@f986742, a submission of A2-P (no licence stated; an RTX 4090, TF32)
- ShibukiZero/assignment2-systems@224e59a, ``artifacts/experiments/ch1/1_1_5c/summary.md`` (MIT licence; an H100); the
  code that ran is not there, and nothing was chosen on these

The decoder's code tells which kernels PyTorch launches: no fused attention, softmax or normalisation. What each of them
takes was not measured: passes over data take ``PASSES`` times what memory allows (``attained``), and products the rest
of what the whole took, but no less than their FLOPs at the rate that products attain on the device; then passes take
the rest. The host launches as many kernels whatever the length, so where several lengths were measured, a pass is
taken for the device's if both precisions take longer with longer sequences (``GROWTH``); other rows say nothing of
kernels.
"""

import csv
import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from archives import ROOT

from backtest.cases import KERNELS, BackTest
from backtest.operators import COMPILED, Row, graph_of_rows
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.whatif.evidence import kind_of
from dlbricks.whatif.graph import DependencyGraph, Mask, Phase, with_attributes
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms
from dlbricks.whatif.work import attained_on

TABLE = ROOT / "docs" / "data" / "whatif-mixed.csv"
ASKED = "amp:dtype=bfloat16"
VOCABULARY = 10_000
LEAST_NS = 2_000.0
GROWTH = 1.5
"""Times that the device takes at least as long for sequences of twice the length."""
PASSES_BACK = 2.4
"""Times that autograd's passes over data move what those ahead do, counted for softmax, norm and SwiGLU."""
INFERENCE, FORWARD, BACKWARD = "inference", "forward", "backward"
"""Passes; ``both``, the last two together, is a fourth."""
PASSES = 1.73
"""Times that passes over data take as long as memory allows: a fifth of xl with 512 tokens, as dfrumkin's profile says
of single precision. The code of all is the same."""
PRODUCTS = {"FP32": "ampere_sgemm", "TF32": "cutlass_80_tensorop_s1688gemm"}


class Size(NamedTuple):
    """Of a decoder."""

    width: int
    inner: int
    layers: int
    heads: int


SIZES = {
    "small": Size(768, 3072, 12, 12),
    "medium": Size(1024, 4096, 24, 16),
    "large": Size(1280, 5120, 36, 20),
    "xl": Size(1600, 6400, 48, 25),
    "2.7B": Size(2560, 10240, 32, 32),
}


class Measured(NamedTuple):
    """A row of the table."""

    source: str
    gpu: str
    multiplies: str
    size: str
    part: str
    batch: int
    tokens: int
    single_ms: float
    half_ms: float
    eager_ms: float | None
    compiled_ms: float | None


def table() -> list[Measured]:
    """Read what was measured."""
    with TABLE.open(encoding="utf-8") as file:
        return [
            Measured(one["source"], one["gpu"], one["multiplies"], one["size"], one["pass"], int(one["batch"]),
                     int(one["tokens"]), float(one["single_ms"]), float(one["half_ms"]),
                     *(float(one[key]) if one[key] else None for key in ("eager_ms", "compiled_ms")))
            for one in csv.DictReader(file)
        ]  # fmt: skip


def by_device(one: Measured, rows: list[Measured]) -> bool:
    """Tell whether a pass takes as much longer in both precisions as its sequences are, as far as can be told."""
    same = {other.tokens: other for other in rows if other[:5] == one[:5]}
    steps = [(same[few], same[2 * few]) for few in (one.tokens // 2, one.tokens) if few in same and 2 * few in same]
    growth = [
        long / short
        for first, second in steps
        for short, long in ((first.single_ms, second.single_ms), (first.half_ms, second.half_ms))
    ]
    return len(same) == 1 or (one.tokens // 2 in same and min(growth) >= GROWTH)


def forward(one: Measured) -> list[Row]:
    """Give the kernels of a forward pass in order; products take no time yet."""
    size, stated = SIZES[one.size], gpu_peaks(one.gpu)
    rate = (stated.bytes_per_s or 1.0) * attained_on(one.gpu).memory / PASSES
    rows, width, inner = one.batch * one.tokens, size.width, size.inner
    whole, wide, scores = float(rows * width), float(rows * inner), float(rows * size.heads * one.tokens)

    def product(values: float, flops: float, weights: float = 0.0) -> Row:
        return PRODUCTS[one.multiplies], flops, 4 * (values + weights), flops, 4 * weights

    def linear(before: int, behind: int) -> Row:
        return product(rows * (before + behind), 2.0 * rows * before * behind, float(before * behind))

    def passed(what: str, values: float) -> Row:
        return f"elementwise_kernel<{what}>", 0.0, 4 * values, max(LEAST_NS, 4e9 * values / rate), 0.0

    def reduced(what: str, values: float) -> Row:
        return (f"reduce_kernel<{what}>", *passed(what, values)[1:])

    norm = [
        passed("pow_tensor_scalar_kernel_impl", 2 * whole), reduced("MeanOps", whole),
        passed("rsqrt_kernel_cuda", 2.0 * rows), passed("MulFunctor", 2 * whole), passed("MulFunctor", 2 * whole),
    ]  # fmt: skip
    copied, added = passed("direct_copy_kernel_cuda", 2 * whole), passed("CUDAFunctor_add", 3 * whole)
    turned = [*[passed("MulFunctor", whole)] * 4, *[passed("CUDAFunctor_add", 1.5 * whole)] * 2, copied, copied]
    attends = product(scores + 2 * whole, 2.0 * rows * one.tokens * width)
    softmax = [
        passed("MulFunctor", 2 * scores), passed("where_kernel_impl", 2 * scores), reduced("MaxOps", scores),
        passed("CUDAFunctor_add", 2 * scores), passed("exp_kernel_cuda", 2 * scores), reduced("sum_functor", scores),
        passed("DivFunctor", 2 * scores),
    ]  # fmt: skip
    gated = [passed("sigmoid_kernel_cuda", 2 * wide), *[passed("MulFunctor", 3 * wide)] * 2]
    layer = [
        *norm, *[linear(width, width)] * 3, *turned, *turned, attends, *softmax, copied, attends, copied,
        linear(width, width), added,
        *norm, *[linear(width, inner)] * 2, *gated, linear(inner, width), added,
    ]  # fmt: skip
    return layer * size.layers + [*norm, linear(width, VOCABULARY)]


def backward(name: str, flops: float, moved: float, spent: float, weights: float) -> list[Row]:
    """Give what goes back through a kernel: a product for each factor; else some passes."""
    same = (name, flops, moved, spent, weights)
    return [same, same] if flops else [(name, flops, PASSES_BACK * moved, PASSES_BACK * spent, weights)]


def graph_of(one: Measured) -> DependencyGraph:
    """Make the graph of a pass in single precision, and, where it goes back, of what it goes back through."""
    ahead = forward(one)
    goes_back = one.part not in (INFERENCE, FORWARD)
    back = [each for row in reversed(ahead) for each in backward(*row)] if goes_back else []
    phase = Phase.NONE if one.part == INFERENCE else Phase.FORWARD
    phases = np.repeat([int(phase), int(Phase.BACKWARD)], [len(ahead), len(back)])
    rows = [*ahead, *back]
    took, multiplies = np.array([row[3] for row in rows]), np.array([row[1] > 0 for row in rows])
    asked = of_part(phases, one)
    flops = sum(row[1] for row, mine in zip(rows, asked, strict=True) if mine)
    left_ns = max(1e6 * one.single_ms - took[asked & ~multiplies].sum(), flops / product_rate(one) * 1e9)
    took[~multiplies] *= (1e6 * one.single_ms - left_ns) / took[asked & ~multiplies].sum()
    took[multiplies] *= left_ns / took[asked & multiplies].sum()
    times = np.rint(took).astype(np.int64)
    return dataclasses.replace(graph_of_rows(rows), device=one.gpu, duration_ns=times, phase=phases)


def product_rate(one: Measured) -> float:
    """Give the FLOPs per second that products attain on the device."""
    stated, attained = gpu_peaks(one.gpu).flops_per_s, attained_on(one.gpu)
    if one.multiplies == "FP32":
        return stated["float32"] * attained.single
    return stated["tf32"] * attained.tensor


def of_part(phases: np.ndarray, one: Measured) -> Mask:
    """Tell which kernels are of the pass that was measured."""
    made: Mask = (phases == Phase.BACKWARD) | (one.part != BACKWARD)
    return made


def predicted() -> Iterator[BackTest]:
    """Predict each pass that the device limits."""
    rows = [one for one in table() if by_device(one, table())]
    for one in rows:
        yield back_test(one, ASKED, one.half_ms)
    for one in rows:
        if one.eager_ms is not None and one.compiled_ms is not None:
            yield back_test(one._replace(single_ms=one.eager_ms), COMPILED, one.compiled_ms)


def back_test(one: Measured, asked: str, truth_ms: float) -> BackTest:
    """Predict one pass; of what does not multiply, half is taken to be read, and half to be written."""
    graph, name = graph_of(one), asked.partition(":")[0]
    moved = graph.attributes["read_bytes"]
    written = np.where(graph.attributes["flops"] > 0, 0.0, moved / 2)
    graph = with_attributes(graph, read_bytes=moved - written, written_bytes=written)
    after = apply_all(graph, [read_step(asked, all_transforms())]).graph
    before_ns, after_ns = (each.duration_ns[of_part(each.phase, one)].sum() for each in (graph, after))
    return BackTest(
        transform=asked.replace(name, name + KERNELS, 1),
        case=f"{one.gpu} ({one.multiplies})/{one.source}, {one.size}, {one.batch} x {one.tokens}, {one.part}",
        before_ns=float(before_ns),
        predicted_ns=float(after_ns),
        truth_ns=1e6 * truth_ms,
        knew="the time of the pass and its kernels, not what each of them takes",
        kind=kind_of(graph),
    )
