"""Traces: rows in, the same rows out, whichever way they were put together; several as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.build import RESTARTED, TraceBuilder, joined_traces, with_attribute
from dlbricks.trace.correlate import correlated
from dlbricks.trace.kinds import KERNEL, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import assert_same, selected, traces

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def made_up() -> TraceBuilder:
    """Give a call, its layer, a launch and its kernel."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    call = builder.add(Level.MODEL, "call", "run", HOST, 0, 100, index=0)
    layer = builder.add(Level.LAYER, "operator", "conv1", HOST, 10, 40, parent=call, type="Conv", flops=7)
    builder.add(Level.LIBRARY, "runtime", "launch", HOST, 20, 22, role=Role.LAUNCH, parent=layer, correlation=5)
    builder.add(Level.KERNEL, "kernel", "gemm", STREAM, 30, 60, role=Role.EXECUTION, correlation=5, flops=9)
    return builder


def test_what_was_added_is_there() -> None:
    """Every field of a span comes back as it was given."""
    trace = made_up().built()
    kernel = trace.span(3)
    assert (kernel.name, kernel.kind, kernel.lane, kernel.duration_ns) == ("gemm", "kernel", STREAM, 30)
    assert (kernel.level, kernel.role, kernel.parent, kernel.correlation) == (Level.KERNEL, Role.EXECUTION, None, 5)
    assert [dict(span.attributes) for span in trace] == [{"index": 0}, {"type": "Conv", "flops": 7}, {}, {"flops": 9}]
    assert trace.rows(Level.KERNEL, "kernel").tolist() == [3]
    assert trace.rows(Level.KERNEL, "memcpy").tolist() == []
    assert trace.column("flops", np.array([0, 1, 3]), 0).tolist() == [0, 7, 9]
    assert trace.string_column("type", np.array([1, 2])) == ["Conv", ""]


def test_columns_cannot_be_written() -> None:
    """A trace is a value: nobody changes it under the feet of another."""
    with pytest.raises(ValueError, match="read-only"):
        made_up().built().start_ns[0] = 1


@given(st.sets(st.integers(0, 3), min_size=1))
def test_a_selection_keeps_spans_and_the_parents_that_stay(rows: set[int]) -> None:
    """Chosen spans differ from the originals in row and parent only; a parent is kept if it was chosen, too."""
    trace = made_up().built()
    chosen = sorted(rows)
    part = selected(trace, np.array(chosen))
    for row, span in zip(chosen, part, strict=True):
        old = trace.span(row)
        assert (span.name, span.start_ns, span.attributes) == (old.name, old.start_ns, old.attributes)
        assert span.parent == (chosen.index(old.parent) if old.parent in rows else None)


def test_an_attribute_takes_the_place_of_the_old_one() -> None:
    """Rows may be given in any order."""
    trace = with_attribute(made_up().built(), "flops", [3, 0], [1, 2])
    assert [span.attributes.get("flops") for span in trace] == [2, None, None, 1]


def rank(process: str, clock: TraceClock, start: int = 0) -> Trace:
    """Give a launch and its kernel, which every rank numbers alike."""
    builder = TraceBuilder(clock=clock)
    host, stream = Lane(process=process, name="thread 1"), Lane(process=process, name="stream 7", device="gpu 0")
    builder.add(Level.LIBRARY, RUNTIME, "launch", host, start, start + 5, role=Role.LAUNCH, correlation=1)
    builder.add(Level.KERNEL, KERNEL, "gemm", stream, start + 9, start + 20, role=Role.EXECUTION, correlation=1, flow=2)
    return builder.built()


@given(traces())
def test_one_trace_stays_as_it_is(trace: Trace) -> None:
    """Joining a single trace gives it back."""
    assert_same(trace, joined_traces(trace))


@given(traces(resolution=1))
def test_parts_put_together_are_the_whole(trace: Trace) -> None:
    """A correlated trace cut in two by rows and joined again has the spans it had."""
    trace = correlated(trace)
    rows = trace.rows(Level.LAYER)
    rest = [row for row in range(len(trace)) if row not in rows.tolist()]
    if not len(rows) or not rest:
        return
    parts = [selected(trace, rows), selected(trace, np.array(rest))]
    both = joined_traces(*parts)
    assert_same(parts[0], selected(both, np.arange(len(rows))))
    assert (both.start_ns.tolist(), both.lane.tolist()) == (
        trace.start_ns[[*rows.tolist(), *rest]].tolist(),
        trace.lane[[*rows.tolist(), *rest]].tolist(),
    )


def test_numbers_of_ranks_do_not_meet() -> None:
    """Each kernel goes to the launch of its own rank, though all ranks count from 1."""
    clock = TraceClock(name="kineto")
    trace = correlated(joined_traces(rank("1", clock), rank("2", clock), rank("3", clock)))
    assert trace.parent.tolist() == [-1, 0, -1, 2, -1, 4]
    assert len({span.attributes["flow"] for span in trace if "flow" in span.attributes}) == 3


def test_parts_of_one_process_share_their_numbers() -> None:
    """What two recorders of one process saw is joined by the numbers that they share."""
    whole = rank("1", TraceClock(name="kineto"))
    host, device = (selected(whole, whole.rows(level)) for level in (Level.LIBRARY, Level.KERNEL))
    assert correlated(joined_traces(host, device)).parent.tolist() == [-1, 0]


def test_clocks_are_brought_to_the_first() -> None:
    """Two clocks that know how far they are from 1970 are put on one line, to the nanosecond."""
    trace = joined_traces(
        rank("1", TraceClock(name="kineto", unix_offset_ns=10**18)),
        rank("2", TraceClock(name="cupti", unix_offset_ns=10**18 + 3, resolution_ns=32)),
    )
    assert trace.start_ns.tolist() == [0, 9, 3, 12]
    assert trace.clock == TraceClock(name="kineto", unix_offset_ns=10**18, resolution_ns=32)


@pytest.mark.parametrize(
    "other",
    [TraceClock(name="cupti"), TraceClock(name="kineto", unix_offset_ns=4), TraceClock(name="cupti", unix_offset_ns=4)],
)
def test_mixed_clocks_are_refused(other: TraceClock) -> None:
    """Times that nobody can compare are not compared; the message names both clocks and what helps."""
    with pytest.raises(InputError, match=rf"'{other.name}' and 'kineto'.*offset"):
        joined_traces(rank("1", TraceClock(name="kineto")), rank("2", other))


@pytest.mark.parametrize("name", sorted(RESTARTED))
def test_clocks_that_begin_with_each_recording_are_two(name: str) -> None:
    """Profiles of two sessions both begin at 0; only their offsets from 1970 could put them on one line."""
    with pytest.raises(InputError, match="offset"):
        joined_traces(rank("1", TraceClock(name=name)), rank("2", TraceClock(name=name)))
    apart = joined_traces(
        rank("1", TraceClock(name=name, unix_offset_ns=0)), rank("2", TraceClock(name=name, unix_offset_ns=7))
    )
    assert apart.start_ns.tolist() == [0, 9, 7, 16]


def test_nothing_to_join_is_told() -> None:
    """No trace at all is a mistake."""
    with pytest.raises(InputError, match="at least one"):
        joined_traces()


def test_times_beyond_64_bits_are_refused() -> None:
    """A sum of times of a result may be; one line says so."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    builder.add(Level.LAYER, "operator", "far", HOST, 0, 1 << 63)
    with pytest.raises(InputError, match="exceeds 64 bits"):
        builder.built()
