"""Counting on a GPU: available metrics, few passes, sums per call; and the reasons why it may not be possible."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cpu import HardwareCounts, why_not_hardware
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.profile.annotate import CallCounts, counts_of, of_device, of_processor, with_counts
from dlbricks.profile.gpu_counters import (
    ACTIVE,
    OCCUPANCY,
    QUANTITIES,
    WARPS,
    GpuCounts,
    SampledPass,
    SamplingPlan,
    count,
    counts_per_call,
    plan_passes,
    why_not_counters,
)
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock
from tests.profile.nvperf import Chip, library
from tests.trace.attributes import ATTRIBUTES

MISSING_ON = {
    "TU102": {"flops_tensor_bfloat16", "flops_tensor_tf32", "flops_tensor_float8"},
    "GA100": {"flops_tensor_float8"},
    "GA102": {"flops_tensor_float8"},
    "AD102": set(),
    "GH100": set(),
    "GB100": {"flops_tensor_float8"},
    "GB202": set(),
}
"""What chips from Turing to Blackwell cannot give: they lack the type, or count it together with others."""


@pytest.mark.parametrize("name", sorted(MISSING_ON))
def test_every_chip_gives_what_it_has(name: str) -> None:
    """By NVIDIA's own tables: metrics exist, each pass is one pass, only types that a chip lacks are missing."""
    if library() is None:
        pytest.skip("nvidia-cuda-cupti is not installed")
    try:
        chip = Chip(name)
    except LookupError:
        pytest.skip(f"this release of nvperf does not know {name}")
    plan = plan_passes(chip.knows, chip.passes)
    assert set(plan.missing) == MISSING_ON[name]
    assert all(chip.passes(metrics) == 1 for metrics in plan.passes)
    sampled = [metric for metrics in plan.passes for metric in metrics]
    assert len(sampled) == len(set(sampled))
    assert set(sampled) == {metric for alternative in plan.alternatives.values() for metric, _ in alternative}
    assert len(plan.passes) <= 8


def one_by_one(metrics: Sequence[str]) -> int:
    """Let no two metrics fit together, except those of occupancy."""
    return 1 if len(metrics) == 1 or set(metrics) == {WARPS, ACTIVE} else 2


def test_the_two_of_occupancy_stay_together() -> None:
    """An average and its weight are of the same samples, or there is no occupancy."""
    plan = plan_passes(lambda _: True, one_by_one)
    assert (WARPS, ACTIVE) in plan.passes
    apart = plan_passes(lambda _: True, len)
    assert apart.missing == (OCCUPANCY,)


def test_what_a_chip_does_not_know_is_missing() -> None:
    """No metric, no quantity; nothing is sampled."""
    plan = plan_passes(lambda _: False, one_by_one)
    assert plan == SamplingPlan(alternatives={}, passes=(), missing=tuple(QUANTITIES))


def plan_of(**alternatives: tuple[tuple[str, float], ...]) -> SamplingPlan:
    """Give a plan with some alternatives."""
    return SamplingPlan(alternatives=alternatives, passes=(), missing=("flops_tensor_float8",))


@given(
    st.lists(st.tuples(*[st.integers(0, 10**9)] * 3), min_size=1, max_size=20),
    st.integers(1, 50),
)
def test_sums_are_weighted_and_per_call(rows: list[tuple[int, int, int]], calls: int) -> None:
    """An addition is one operation, a fused multiply-add two; sums of samples are divided by calls."""
    metrics = ("add", "mul", "fma")
    taken = SampledPass(metrics=metrics, rows=tuple(tuple(map(float, row)) for row in rows), calls=calls)
    plan = plan_of(flops_float32=(("add", 1.0), ("mul", 1.0), ("fma", 2.0)))
    found = counts_per_call(plan, [taken])
    expected = sum(add + mul + 2 * fma for add, mul, fma in rows) / calls
    assert found.per_call["flops_float32"] == pytest.approx(expected)
    assert (found.calls, found.samples, found.passes) == (calls, len(rows), 1)
    assert set(found.missing) == {"flops_tensor_float8"}


def test_metrics_of_one_quantity_may_be_of_several_passes() -> None:
    """Each is divided by the calls of its own pass."""
    taken = [
        SampledPass(metrics=("a",), rows=((10.0,), (20.0,)), calls=3),
        SampledPass(metrics=("b",), rows=((8.0,),), calls=2),
    ]
    assert counts_per_call(plan_of(ops_tensor_int8=(("a", 1.0), ("b", 1.0))), taken).per_call == {
        "ops_tensor_int8": 14.0
    }


def test_occupancy_is_of_active_cycles() -> None:
    """Samples are weighted by active cycles; idle ones, whose share is NaN, do not count."""
    rows = ((50.0, 100.0), (100.0, 300.0), (math.nan, 0.0))
    taken = SampledPass(metrics=(WARPS, ACTIVE), rows=rows, calls=4)
    found = counts_per_call(plan_of(occupancy=((WARPS, 1.0), (ACTIVE, 0.0))), [taken])
    assert found.per_call["occupancy"] == pytest.approx((50 * 100 + 100 * 300) / 400 / 100)


def test_without_samples_there_is_no_number() -> None:
    """A pass without samples is missing, not zero."""
    plan = plan_of(dram_read_bytes=(("read", 1.0),), occupancy=((WARPS, 1.0), (ACTIVE, 0.0)))
    empty = [
        SampledPass(metrics=("read",), rows=(), calls=5),
        SampledPass(metrics=(WARPS, ACTIVE), rows=((math.nan, 0.0),), calls=5),
    ]
    found = counts_per_call(plan, empty)
    assert found.per_call == {}
    assert {"dram_read_bytes", "occupancy"} <= set(found.missing)


def test_where_it_cannot_count_it_says_why() -> None:
    """Counting is refused with the reason, the way to permit it, and what does without."""
    reason = why_not_counters()
    if reason is None:
        pytest.skip("GPU counters can be read here")
    assert reason.startswith("GPU counters cannot be read: ")
    assert "do not need them" in reason
    with pytest.raises(HarnessError) as refused:
        count(lambda: None)
    assert (str(refused.value), refused.value.exit_code) == (reason, MISSING)


HOST = Lane(process="1", name="thread 1")


def test_operations_of_a_device_add_up() -> None:
    """Operations on floating-point numbers are ``flops`` together; integers are not; shares stay shares."""
    per_call = {
        "flops_float32": 10.4,
        "flops_float16": 0.0,
        "flops_tensor_float16": 1000.0,
        "ops_tensor_int8": 77.0,
        "occupancy": 0.25,
    }
    counts = GpuCounts(per_call=per_call, calls=50, samples=9, passes=3, missing={"dram_read_bytes": "it has none"})
    found = of_device(counts)
    assert found.attributes["flops"] == 1010
    assert (found.attributes["flops_float32"], found.attributes["occupancy"]) == (10, 0.25)
    assert found.notes == ("dram_read_bytes was not counted: it has none",)
    assert "flops" not in of_device(GpuCounts(per_call={}, calls=1, samples=0, passes=0, missing={})).attributes


def test_every_quantity_has_its_meaning() -> None:
    """What is counted is in the one list of attributes."""
    counts = of_processor(HardwareCounts(calls=1, cycles=5, instructions=9, cache_misses=2))
    assert dict(counts.attributes) == {"cycles": 5, "instructions": 9, "cache_misses": 2}
    assert {*QUANTITIES, *counts.attributes, "flops"} <= set(ATTRIBUTES)


def test_calls_get_counts_and_layers_do_not() -> None:
    """Counts are of whole calls."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for start in (0, 100):
        call = builder.add(Level.MODEL, kinds.CALL, "run", HOST, start, start + 90)
        builder.add(Level.LAYER, kinds.OPERATOR, "conv", HOST, start, start + 80, parent=call)
    found = with_counts(builder.built(), CallCounts(attributes={"cycles": 7}))
    assert [dict(span.attributes) for span in found] == [{"cycles": 7}, {}, {"cycles": 7}, {}]
    assert with_counts(builder.built(), CallCounts(attributes={})).attributes == {}


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_what_cannot_be_counted_is_said(device: str) -> None:
    """A profile goes on without counters; the reason is a note."""
    made = []
    found = counts_of(lambda: made.append(1), device=device, device_id=0, threads=1, call_ns=10**6)
    if found.attributes:
        assert made
    else:
        assert made == []
        assert len(found.notes) == 1


def test_several_threads_are_not_counted_by_half() -> None:
    """Counters of the calling thread are not used for sessions with several threads."""
    found = counts_of(lambda: None, device="cpu", device_id=0, threads=4, call_ns=1)
    assert found == CallCounts(attributes={}, notes=(str(why_not_hardware(4)),))
