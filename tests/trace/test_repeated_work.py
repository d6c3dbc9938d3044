"""Work of kernels that repeat others: taken over where all candidates agree, left unknown everywhere else."""

import time
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.build import TraceBuilder, from_columns, with_values
from dlbricks.trace.repeated_work import repeated_kernels
from dlbricks.trace.types import NONE, Lane, Level, Role, Trace, TraceClock

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
US = 1_000
Row = tuple[str, int, str]
"""Name, duration in us, and grid; empty if it was not recorded."""


def kernels(rows: Sequence[Row]) -> Trace:
    """Return a trace of kernels on one stream."""
    builder, at = TraceBuilder(clock=TraceClock(name="test")), 0
    for number, (name, duration, _) in enumerate(rows):
        builder.add(
            Level.KERNEL, "kernel", name, STREAM, at, at + duration * US, role=Role.EXECUTION, correlation=number
        )
        at += duration * US
    grids = {number: grid for number, (_, _, grid) in enumerate(rows) if grid}
    return with_values(with_values(builder.built(), "grid", grids), "block", dict.fromkeys(grids, "[128,1,1]"))


def repeated(rows: Sequence[Row], known: dict[int, float]) -> dict[int, int]:
    """Return what kernels repeat which, with operations given for some."""
    trace = kernels(rows)
    return repeated_kernels(trace, np.arange(len(trace)), {row: (flops, 1.0, 1.0) for row, flops in known.items()})


def test_a_kernel_that_takes_as_long_does_the_same() -> None:
    """Of two with other times the one with this one; none of another name, or of another grid."""
    rows = [("gemm", 100, "[8,1,1]"), ("gemm", 300, "[8,1,1]"), ("gemm", 305, "[8,1,1]"), ("add", 300, "[8,1,1]"),
            ("gemm", 300, "[9,1,1]")]  # fmt: skip
    assert repeated(rows, {0: 1e6, 1: 3e6}) == {2: 1}


def test_without_a_recorded_grid_name_and_time_have_to_do() -> None:
    """As for kernels of AMD that were launched before the trace."""
    rows = [("gemm", 100, "[8,1,1]"), ("gemm", 300, "[9,1,1]"), ("gemm", 104, "")]
    assert repeated(rows, {0: 1e6, 1: 3e6}) == {2: 0}


def test_candidates_that_differ_leave_the_work_unknown() -> None:
    """As do kernels of a few microseconds, whose time is hardly that of their work."""
    assert repeated([("gemm", 100, ""), ("gemm", 101, ""), ("gemm", 100, "")], {0: 1e6, 1: 2e6}) == {}
    assert repeated([("gemm", 5, ""), ("gemm", 5, "")], {0: 1e6}) == {}
    assert repeated([("gemm", 100, ""), ("gemm", 100, "")], {}) == {}


def test_the_end_of_a_step_before_the_trace_is_that_of_later_steps() -> None:
    """Name by name, also where times do not tell: 25 kernels of 2 us each; not if the sequence takes much longer."""
    step = [f"k{number % 7}" for number in range(30)]
    for duration, expected in ((2, True), (4, False)):
        builder, at = TraceBuilder(clock=TraceClock(name="test")), 0
        for number, name in enumerate([*step[5:], *step, *step]):
            call = NONE
            length = (2 if number >= 25 else duration) * US
            if number >= 25:
                call = builder.add(Level.LIBRARY, "runtime", "cudaLaunchKernel", HOST, at, at + 1, role=Role.LAUNCH)
            builder.add(Level.KERNEL, "kernel", name, STREAM, at, at + length, role=Role.EXECUTION, parent=call)
            at += length
        trace = builder.built()
        rows = trace.rows(Level.KERNEL, "kernel", role=Role.EXECUTION)
        figures = {row: (float(row), 1.0, 1.0) for row in rows[25:].tolist()}
        made = repeated_kernels(trace, rows, figures)
        assert made == (dict(zip(rows[:25].tolist(), rows[30:55].tolist(), strict=True)) if expected else {})


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 400), st.sampled_from(("", "[1,1,1]"))), max_size=30),
       st.lists(st.booleans(), min_size=30, max_size=30))  # fmt: skip
def test_work_comes_from_known_kernels_of_the_name_only(rows: list[Row], is_known: list[bool]) -> None:
    """Each that repeats has no work of its own, lasts 10 us or more, and as long as the one it repeats to a tenth."""
    known = {row: float(duration) for row, (_, duration, _) in enumerate(rows) if is_known[row]}
    for row, other in repeated(rows, known).items():
        assert row not in known
        assert other in known
        assert rows[row][0] == rows[other][0]
        assert rows[row][1] >= 10
        assert abs(rows[other][1] - rows[row][1]) <= 0.1 * rows[row][1]


def test_kernels_that_are_all_alike_take_bounded_time() -> None:
    """As many before the trace as within it, none of which takes as long: 40 s of a processor without a bound."""
    before, each = 100_000, 30
    start = np.concatenate([np.arange(before) * each, (before + np.arange(2 * before)) * each])
    length = np.where(np.arange(3 * before) < before, 5, 25)
    count = len(start)
    zeros, level = np.zeros(count, np.int64), np.full(count, Level.KERNEL)
    columns = {
        "level": level, "kind": zeros, "name": zeros, "lane": zeros, "start_ns": start, "end_ns": start + length,
        "role": np.full(count, Role.EXECUTION), "parent": np.where(np.arange(count) < before, NONE, 0),
    }  # fmt: skip
    trace = from_columns(TraceClock(name="test"), names=("k",), kinds=("kernel",), lanes=(STREAM,), columns=columns)
    began = time.process_time()
    assert repeated_kernels(trace, np.arange(count), {before: (1.0, 1.0, 1.0)}) == {}
    assert time.process_time() - began < 20
