"""Which hardware metrics of a GPU give the quantities that are wanted: pure choice, no driver.

Samples of performance monitors are taken in one pass over the work, and only so many metrics fit into one. Metrics have
other names from chip to chip, so each quantity has alternatives in order of preference; weights turn instructions into
operations: a fused multiply-add is two, an instruction on a pair of halves twice as many (as Nsight Compute's rooflines
count them). Metrics of tensor cores count operations. Names and passes were checked against nvperf of CUDA 13.5 for
chips from Turing to Rubin.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Term = tuple[str, float]
"""A metric and the weight of its sum."""
Alternative = tuple[Term, ...]
"""Metrics whose weighted sums add up to a quantity."""

OCCUPANCY = "occupancy"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
"""Warps in flight, per cent of the most that a multiprocessor holds, of the cycles in which it has any."""
ACTIVE = "sm__cycles_active.sum"
"""Cycles in which a multiprocessor has a warp in flight: the weight of ``WARPS``."""


def _each(*metrics: str) -> Alternative:
    return tuple((f"{metric}.sum", 1.0) for metric in metrics)


def _instructions(letter: str, width: float) -> Alternative:
    name = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
    return tuple(
        (name.format(letter + operation), width * operations)
        for operation, operations in (("add", 1.0), ("mul", 1.0), ("fma", 2.0))
    )


def _pairs() -> Alternative:
    """Give the instructions on pairs of float32 that data centre chips have from Blackwell on."""
    name = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
    return tuple(
        (name.format(f"f{operation}2"), 2.0 * many) for operation, many in (("add", 1), ("mul", 1), ("fma", 2))
    )


_TENSOR = "sm__ops_path_tensor_src_"
_HOPPER = "sm__ops_path_tensor_op_"

QUANTITIES: Mapping[str, tuple[Alternative, ...]] = {
    "dram_read_bytes": (_each("dram__bytes_read"), _each("dram__bytes_op_read")),
    "dram_write_bytes": (_each("dram__bytes_write"), _each("dram__bytes_op_write")),
    OCCUPANCY: (((WARPS, 1.0), (ACTIVE, 0.0)),),
    "flops_float32": ((*_instructions("f", 1.0), *_pairs()), _instructions("f", 1.0)),
    "flops_float16": (_instructions("h", 2.0),),
    "flops_tensor_float16": (
        _each(f"{_HOPPER}hgmma_src_fp16", f"{_HOPPER}hmma_src_fp16_dst_fp16", f"{_HOPPER}hmma_src_fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16", f"{_TENSOR}fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16_realtime", f"{_TENSOR}fp16_dst_fp32_realtime"),
        _each(f"{_TENSOR}fp16_dst_fp16_realtime", f"{_TENSOR}fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16", f"{_TENSOR}fp16_bf16_tf32_dst_fp32"),
    ),
    "flops_tensor_bfloat16": (_each(f"{_TENSOR}bf16_dst_fp32"),),
    "flops_tensor_tf32": (_each(f"{_TENSOR}tf32_dst_fp32"), _each(f"{_TENSOR}tf32_dst_fp32_realtime")),
    "flops_tensor_float8": (
        _each(f"{_TENSOR}fp8"),
        _each(f"{_TENSOR}fp8_dst_fp16", f"{_TENSOR}fp8_dst_fp32"),
        _each(f"{_TENSOR}fp8_dst_fp16_realtime", f"{_TENSOR}fp8_dst_fp32_realtime"),
    ),
    "ops_tensor_int8": (
        _each(f"{_TENSOR}int8"),
        _each(f"{_TENSOR}int8_realtime"),
        _each(f"{_TENSOR}int8_sparsity_off", f"{_TENSOR}int8_sparsity_on"),
        _each(
            f"{_HOPPER}igmma_src_int8",
            f"{_HOPPER}imma_src_int8_sparsity_off",
            f"{_HOPPER}imma_src_int8_sparsity_on",
        ),
    ),
}
"""By name, what is counted on each call; occupancy is a share from 0 to 1, all else adds up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to sample."""

    alternatives: Mapping[str, Alternative]
    """The one that was chosen for each quantity."""
    passes: tuple[tuple[str, ...], ...]
    """Metrics that are sampled together; the work is repeated for each."""
    missing: tuple[str, ...]
    """Quantities that this chip cannot give this way."""


def planned(
    known: Callable[[str], bool], passes_of: Callable[[Sequence[str]], int], wanted: Iterable[str] = tuple(QUANTITIES)
) -> Plan:
    """Choose metrics for quantities, and put them into as few passes as go by filling one after another.

    Args:
        known: whether a chip has a metric.
        passes_of: how many passes metrics that it has need together.
        wanted: names of quantities.
    """
    alternatives: dict[str, Alternative] = {}
    bundles: list[tuple[str, ...]] = []
    for quantity in wanted:
        found = next((one for one in QUANTITIES[quantity] if _possible(quantity, one, known, passes_of)), None)
        if found is not None:
            alternatives[quantity] = found
            bundles += _bundles(quantity, found)
    return Plan(
        alternatives=alternatives,
        passes=_filled(list(dict.fromkeys(bundles)), passes_of),
        missing=tuple(quantity for quantity in wanted if quantity not in alternatives),
    )


def _bundles(quantity: str, alternative: Alternative) -> list[tuple[str, ...]]:
    """Give what has to be in one pass: the two metrics of occupancy; of sums each metric for itself."""
    metrics = [metric for metric, _ in alternative]
    return [tuple(metrics)] if quantity == OCCUPANCY else [(metric,) for metric in metrics]


def _possible(
    quantity: str, alternative: Alternative, known: Callable[[str], bool], passes_of: Callable[[Sequence[str]], int]
) -> bool:
    if not all(known(metric) for metric, _ in alternative):
        return False
    return all(passes_of(bundle) == 1 for bundle in _bundles(quantity, alternative))


def _filled(
    bundles: Iterable[tuple[str, ...]], passes_of: Callable[[Sequence[str]], int]
) -> tuple[tuple[str, ...], ...]:
    filled: list[tuple[str, ...]] = []
    for bundle in bundles:
        for index, group in enumerate(filled):
            if passes_of((*group, *bundle)) == 1:
                filled[index] = (*group, *bundle)
                break
        else:
            filled.append(bundle)
    return tuple(filled)
