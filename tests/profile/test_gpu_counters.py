"""Counting on a GPU: available metrics, few passes, sums per call; and the reasons why it may not be possible."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cpu import HardwareCounts, why_not_hardware
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.profile.counters import (
    ACTIVE,
    METRICS,
    OCCUPANCY,
    WARPS,
    CallCounts,
    SampledPass,
    count,
    counts_of,
    counts_per_call,
    of_processor,
    plan_passes,
    why_not_counters,
    with_counts,
)
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock
from tests.profile.nvperf import Chip, library
from tests.trace.attributes import ATTRIBUTES

CHIPS = ("TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202")


@pytest.mark.parametrize("name", CHIPS)
def test_every_chip_has_all_quantities(name: str) -> None:
    """By NVIDIA's own tables, from Turing to Blackwell: metrics exist, and each pass is one pass."""
    if library() is None:
        pytest.skip("nvidia-cuda-cupti is not installed")
    try:
        chip = Chip(name)
    except LookupError:
        pytest.skip(f"this release of nvperf does not know {name}")
    chosen, passes = plan_passes(chip.knows, chip.passes)
    assert set(chosen) == set(METRICS)
    assert all(chip.passes(metrics) == 1 for metrics in passes)
    sampled = [metric for metrics in passes for metric in metrics]
    assert sorted(sampled) == sorted(metric for metrics in chosen.values() for metric in metrics)


def one_by_one(metrics: Sequence[str]) -> int:
    """Let no two metrics fit together, except those of occupancy."""
    return 1 if len(metrics) == 1 or set(metrics) == {WARPS, ACTIVE} else 2


def test_the_two_of_occupancy_stay_together() -> None:
    """An average and its weight are of the same samples, or there is no occupancy."""
    _, passes = plan_passes(lambda _: True, one_by_one)
    assert passes == (("dram__bytes_read.sum",), ("dram__bytes_write.sum",), (WARPS, ACTIVE))
    chosen, _ = plan_passes(lambda _: True, len)
    assert OCCUPANCY not in chosen
    assert plan_passes(lambda _: True, lambda _: 1)[1] == (tuple(metric for metrics in passes for metric in metrics),)


def test_what_a_chip_does_not_know_is_missing() -> None:
    """No metric, no quantity; nothing is sampled."""
    assert plan_passes(lambda _: False, one_by_one) == ({}, ())
    (note,) = counts_per_call({}, []).notes
    assert note == f"{', '.join(METRICS)} not counted: this GPU cannot sample it in one pass"


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=20), st.integers(1, 50))
def test_sums_are_per_call(values: list[int], calls: int) -> None:
    """Sums of samples are divided by the calls of their own pass."""
    chosen = {"dram_read_bytes": ("read",), "dram_write_bytes": ("written",)}
    rows = tuple((float(value),) for value in values)
    taken = [
        SampledPass(metrics=("read",), rows=rows, calls=calls),
        SampledPass(metrics=("written",), rows=((8.0,),), calls=2),
    ]
    found = counts_per_call(chosen, taken)
    assert found.attributes == {"dram_read_bytes": round(sum(values) / calls), "dram_write_bytes": 4}
    assert found.notes == ("occupancy not counted: this GPU cannot sample it in one pass",)


def test_occupancy_is_of_active_cycles() -> None:
    """Samples are weighted by active cycles; idle ones, whose share is NaN, do not count."""
    rows = ((50.0, 100.0), (100.0, 300.0), (math.nan, 0.0))
    taken = SampledPass(metrics=(WARPS, ACTIVE), rows=rows, calls=4)
    found = counts_per_call({OCCUPANCY: (WARPS, ACTIVE)}, [taken])
    assert found.attributes[OCCUPANCY] == pytest.approx((50 * 100 + 100 * 300) / 400 / 100)


def test_without_samples_there_is_no_number() -> None:
    """A pass without samples is missing, not zero."""
    empty = [
        SampledPass(metrics=("read",), rows=(), calls=5),
        SampledPass(metrics=(WARPS, ACTIVE), rows=((math.nan, 0.0),), calls=5),
    ]
    found = counts_per_call({"dram_read_bytes": ("read",), OCCUPANCY: (WARPS, ACTIVE)}, empty)
    assert found.attributes == {}
    assert f"dram_read_bytes, {OCCUPANCY} not counted: no sample was taken" in found.notes


def test_where_it_cannot_count_it_says_why() -> None:
    """Counting is refused with the reason, the way to permit it, and what does without."""
    reason = why_not_counters()
    if reason is None:
        pytest.skip("GPU counters can be read here")
    assert reason.startswith("GPU counters cannot be read: ")
    assert "are available without counters" in reason
    with pytest.raises(HarnessError) as refused:
        count(lambda: None)
    assert (str(refused.value), refused.value.exit_code) == (reason, MISSING)


HOST = Lane(process="1", name="thread 1")


def test_every_quantity_has_its_meaning() -> None:
    """What is counted is in the one list of attributes."""
    counts = of_processor(HardwareCounts(calls=1, cycles=5, instructions=9, cache_misses=2))
    assert dict(counts.attributes) == {"cycles": 5, "instructions": 9, "cache_misses": 2}
    assert {*METRICS, *counts.attributes} <= set(ATTRIBUTES)


def test_calls_get_counts_and_layers_do_not() -> None:
    """Counts are of whole calls."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for start in (0, 100):
        call = builder.add(Level.MODEL, kinds.CALL, "run", HOST, start, start + 90)
        builder.add(Level.LAYER, kinds.OPERATOR, "conv", HOST, start, start + 80, parent=call)
    found = with_counts(builder.built(), CallCounts(attributes={"cycles": 7}))
    assert [dict(span.attributes) for span in found] == [{"cycles": 7}, {}, {"cycles": 7}, {}]
    assert with_counts(builder.built(), CallCounts()).attributes == {}


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
    assert found == CallCounts(notes=(str(why_not_hardware(4)),))
