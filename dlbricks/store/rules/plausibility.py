"""DB8xx: can the figures be true of any machine."""

import math
from collections.abc import Iterator

from dlbricks.harness.dtypes import byte_size
from dlbricks.store.rules.rule import Context, Measured, Occurrence, Rule
from dlbricks.units import format_bytes, format_ns

_OVERHEAD_SHARE = 0.5
"""A call that does something cannot take less than this share of the fastest call that does nothing."""

_CPU_BYTES_PER_NS = 20_000
"""20 TB/s: above what all caches of any CPU give together."""

_ANY_BYTES_PER_NS = 100_000
"""100 TB/s: the same for accelerators."""

_READS_WEIGHTS = frozenset(
    {"Conv", "ConvTranspose", "FusedConv", "Gemm", "FusedGemm", "MatMul", "FusedMatMul", "MatMulNBits"}
    | {"QLinearConv", "ConvInteger", "QLinearMatMul", "MatMulInteger", "DynamicQuantizeMatMul"}
)
"""Operators that cannot answer without reading all their weights (a Gather can)."""

_COPIED = 6
"""So many samples in a row are never the same in two benchmarks by chance."""


def _below_overhead(context: Context) -> Iterator[Occurrence]:
    for empty in context.of_role("overhead"):
        call_ns = min(empty.samples)
        for entry in context.of_role("sequence", "whole", "anchor"):
            latency_ns = min(summary.latency_ns for summary in entry.states.values())
            if latency_ns < _OVERHEAD_SHARE * call_ns:
                said = f"{entry.name} takes {format_ns(latency_ns)}"
                yield entry.where, f"{said}, the fastest call of an empty graph {format_ns(call_ns)}"


def _too_fast(context: Context) -> Iterator[Occurrence]:
    on_cpu = context.document["runtime"]["provider"] == "cpu"
    limit = _CPU_BYTES_PER_NS if on_cpu else _ANY_BYTES_PER_NS
    for entry in context.measured:
        moved = _bytes_moved(entry)
        if moved > limit * max(entry.summary.latency_ns, 1):
            said = f"{entry.name} moves {format_bytes(moved)} in {format_ns(entry.summary.latency_ns)}"
            yield entry.where, f"{said}, more than {limit / 1000:g} TB/s"


def _bytes_moved(entry: Measured) -> int:
    """Count the bytes that no implementation can leave untouched: outputs, and weights where all must be read."""
    if entry.listed is None:
        return 0
    written = sum(byte_size(output["dtype"], math.prod(output["shape"])) for output in entry.listed["outputs"])
    reads = _READS_WEIGHTS.issuperset(entry.listed["operators"])
    return written + (int(entry.listed["weight_bytes"]) if reads else 0)


def _copies(context: Context) -> Iterator[Occurrence]:
    first: dict[tuple[int, ...], Measured] = {}
    for entry in context.measured:
        if len(entry.samples) >= _COPIED and first.setdefault(entry.samples, entry) is not entry:
            yield entry.where, f"{entry.name} has sample for sample what {first[entry.samples].name} has"


RULES = (
    Rule(
        id="DB801",
        severity="error",
        title="not below the call overhead",
        explanation="Every call costs what a call of an empty graph costs; noise only adds to that, so half of the "
        "fastest is beyond it.",
        fix="Run again on a quiet machine, and send the result as the harness wrote it.",
        find=_below_overhead,
    ),
    Rule(
        id="DB802",
        severity="error",
        title="bandwidth possible",
        explanation="Outputs have to be written and the weights of a product have to be read; 20 TB/s on a CPU and "
        "100 TB/s elsewhere are above what any memory or cache gives.",
        fix="Look whether the runtime really ran the network, and send the result as the harness wrote it.",
        find=_too_fast,
    ),
    Rule(
        id="DB803",
        severity="error",
        title="no copied samples",
        explanation="Two benchmarks never give the same row of times to the nanosecond.",
        fix="Send the result as the harness wrote it.",
        find=_copies,
    ),
)
"""Rules of this group."""
