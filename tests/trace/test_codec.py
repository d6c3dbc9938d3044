"""Traces go into files and come back whole; what is damaged is named."""

import json
from typing import Any

import pytest
from hypothesis import given

from dlbricks.errors import InputError
from dlbricks.profile.file import from_plain, to_plain
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Trace, TraceClock
from tests.trace.drawn import traces
from tests.trace.same import assert_same

LANE = Lane(process="1", name="thread 1")


@given(traces())
def test_nothing_is_lost(trace: Trace) -> None:
    """Through the strictest JSON and back, a trace is the same: times, parents, types of values, notes."""
    trace = correlated(trace)
    assert_same(trace, from_plain(json.loads(json.dumps(to_plain(trace), allow_nan=False))))


def calls(count: int) -> Trace:
    """Give calls of one network, each with a layer of its own shape."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for index in range(count):
        start = 10**18 + index * 1000
        call = builder.add(Level.MODEL, "call", "run", LANE, start, start + 900, index=index)
        builder.add(Level.LAYER, "operator", "conv", LANE, start + 10, start + 700, parent=call, type="Conv")
    return builder.built()


def test_it_stays_small() -> None:
    """A span of a regular trace costs a few bytes, whatever its times and texts are."""
    assert len(json.dumps(to_plain(calls(1000)))) / 2000 < 50


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"names": []}, "'name' points to what is not there"),
        ({"parent": [-7] * 4}, "'parent' points to what is not there"),
        ({"level": 6}, "'level' points to what is not there"),
        ({"start_ns": [1, 2]}, "'start_ns' has 2 entries, there are 4 spans"),
        ({"lanes": 3}, "not iterable"),
        ({"attributes": {"flops": {"type": "int", "rows": [9], "values": [1]}}}, "'rows of flops' points"),
        ({"duration_ns": [2**70] * 4}, "too large"),
    ],
)
def test_what_is_damaged_is_named(change: dict[str, Any], told: str) -> None:
    """A part that contradicts another is an error of one line that says which."""
    with pytest.raises(InputError, match=told) as caught:
        from_plain({**to_plain(calls(2)), **change})
    assert "\n" not in str(caught.value)


def test_what_is_missing_is_named() -> None:
    """So is a part that is not there."""
    plain = to_plain(calls(2))
    del plain["kinds"]
    with pytest.raises(InputError, match="'kinds' is missing"):
        from_plain(plain)


def test_a_changed_trace_keeps_its_reader_apart() -> None:
    """What comes back is read-only as every trace is, and can be changed by ``with_columns`` as every trace can."""
    trace = from_plain(to_plain(calls(1)))
    assert not trace.start_ns.flags.writeable
    assert with_columns(trace, start_ns=trace.start_ns + 1).start_ns.tolist() == (trace.start_ns + 1).tolist()
