"""What hardware counts on a call becomes attributes of the call, or a note that says why it could not."""

import pytest

from dlbricks.harness.machine.cpu_counters import HardwareCounts, why_not_hardware
from dlbricks.profile.annotate import CallCounts, counts_of, of_device, of_processor, with_counts
from dlbricks.profile.gpu_counters import QUANTITIES, Counted
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock

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
    counts = Counted(per_call=per_call, calls=50, samples=9, passes=3, missing={"dram_read_bytes": "it has none"})
    found = of_device(counts)
    assert found.attributes["flops"] == 1010
    assert (found.attributes["flops_float32"], found.attributes["occupancy"]) == (10, 0.25)
    assert found.notes == ("dram_read_bytes was not counted: it has none",)
    assert "flops" not in of_device(Counted(per_call={}, calls=1, samples=0, passes=0, missing={})).attributes


def test_every_quantity_has_its_meaning() -> None:
    """What is counted is in the one list of attributes."""
    counts = of_processor(HardwareCounts(calls=1, cycles=5, instructions=9, cache_misses=2))
    assert dict(counts.attributes) == {"cycles": 5, "instructions": 9, "cache_misses": 2}
    assert {*QUANTITIES, *counts.attributes, "flops"} <= set(kinds.ATTRIBUTES)


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
    """Counters of the calling thread do not stand for a session with several."""
    found = counts_of(lambda: None, device="cpu", device_id=0, threads=4, call_ns=1)
    assert found == CallCounts(attributes={}, notes=(str(why_not_hardware(4)),))
