"""The tracer of GPU activities: what it makes of records, and what it says where it cannot trace."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.trace.activities import Kind
from dlbricks.harness.trace.cupti import ActivityTracer, activities_of, read_clock
from dlbricks.harness.trace.permission import why_not


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(0, 50), st.integers(1, 9)), max_size=30))
def test_activities_come_in_order_and_none_is_lost(drawn: list[tuple[int, int, int]]) -> None:
    """Starts ascend; of equal starts the longer comes first, as a parent before its child."""
    rows = [
        (Kind.RUNTIME, {"start": start, "end": start + length, "correlation_id": correlation})
        for start, length, correlation in drawn
    ]
    found, notes = activities_of(rows)
    assert (len(found), notes) == (len(rows), ())
    assert [(one.start_ns, -one.end_ns) for one in found] == sorted((s, -s - length) for s, length, _ in drawn)


def test_what_cannot_be_used_is_told() -> None:
    """Records without times, ended or not, and of an unknown layout are counted in notes, not guessed."""
    rows: list[tuple[int, dict[str, Any]]] = [
        (Kind.CONCURRENT_KERNEL, {"start": 10, "end": 0, "name": "still running"}),
        (Kind.CONCURRENT_KERNEL, {"start": 0, "end": 0, "name": "no times"}),
        (Kind.MEMSET, {"end": 5}),
        (Kind.MEMSET, {"start": 10, "end": 20, "bytes": 4}),
    ]
    found, notes = activities_of(rows)
    assert [one.kind for one in found] == ["memset"]
    assert len(notes) == 2
    assert any(note.startswith("1 records of kind MEMSET without field start") for note in notes)
    assert any(note.startswith("2 activities of kind kernel have no times") for note in notes)


def test_clocks_are_compared() -> None:
    """A clock that is another by a constant is read back to within what is said to be uncertain."""
    clock = read_clock(lambda: time.perf_counter_ns() - 10**12)
    assert abs(clock.perf_counter_offset_ns - 10**12) <= clock.uncertainty_ns
    before, now, after = time.time_ns(), time.perf_counter_ns() - 10**12, time.time_ns()
    assert before - 10**9 < now + clock.unix_offset_ns < after + 10**9
    with pytest.raises(ValueError, match="once"):
        read_clock(time.perf_counter_ns, tries=0)


def test_where_it_cannot_trace_it_says_why() -> None:
    """Starting is refused with the reason and the code of something missing; stopping what was not started, too."""
    reason = why_not()
    if reason is None:
        pytest.skip("kernels can be traced here")
    tracer = ActivityTracer()
    with pytest.raises(HarnessError) as refused:
        tracer.start()
    assert (str(refused.value), refused.value.exit_code) == (reason, MISSING)
    assert "\n" not in reason
    assert "layers can be traced" in reason


def test_stopping_needs_a_start() -> None:
    """A tracer that was not started has nothing to give."""
    pytest.importorskip("cupti", reason="cupti-python is not installed")
    with pytest.raises(HarnessError, match="not started"):
        ActivityTracer().stop()
