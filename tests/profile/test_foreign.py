"""Profiles of traces that other programs recorded."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import XSP
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.profile.open import levels_of, period_of, profile_of, with_steps
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock

RECORDED = Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz"


def lane(process: str, device: str = "") -> Lane:
    """Make a lane of a process."""
    return Lane(process=process, name="stream 7" if device else "thread 1", device=device)


def updates(*ends: tuple[str, str, int]) -> Trace:
    """Make a trace of weight updates (process, optimizer, end), starting with an operator at 5 in each process."""
    builder = TraceBuilder(TraceClock(name="kineto"))
    for process in dict.fromkeys(process for process, _, _ in ends):
        builder.add(Level.KERNEL, kinds.KERNEL, "early", lane(process, "gpu 0"), 1, 2, role=Role.EXECUTION)
        builder.add(Level.LAYER, kinds.OPERATOR, "aten::conv2d", lane(process), 5, 7)
    for process, name, end in ends:
        builder.add(Level.APPLICATION, kinds.RANGE, f"Optimizer.step#{name}.step", lane(process), end - 3, end)
        builder.add(
            Level.APPLICATION, kinds.RANGE, f"Optimizer.step#{name}.step", lane(process, "gpu 0"), end, end + 9,
            role=Role.EXECUTION,
        )  # fmt: skip
    return builder.built()


def steps(trace: Trace) -> list[tuple[str, int, int]]:
    """Give process, start and end of every step."""
    found = [trace.span(row) for row in trace.rows(Level.APPLICATION, kinds.STEP).tolist()]
    return [(span.lane.process, span.start_ns, span.end_ns) for span in found]


@given(st.lists(st.integers(10, 1000), min_size=1, unique=True))
def test_updates_divide_the_time_of_their_process(ends: list[int]) -> None:
    """Steps follow each other without a gap, from the first span of the host to the last update."""
    made, note = with_steps(updates(*(("1", "SGD", end) for end in ends)))
    edges = [5, *sorted(ends)]
    assert steps(made) == [("1", *edge) for edge in itertools.pairwise(edges)]
    assert f"{len(ends)} were found" in note


def test_ranks_have_steps_of_their_own() -> None:
    """Updates of one process end no step of another one."""
    made, _ = with_steps(updates(("0", "SGD", 20), ("1", "SGD", 30), ("0", "SGD", 40)))
    assert steps(made) == [("0", 5, 20), ("0", 20, 40), ("1", 5, 30)]


def test_the_last_of_several_optimizers_ends_a_step() -> None:
    """A step that updates two networks is one step."""
    made, _ = with_steps(
        updates(*(("1", name, at) for at, name in ((20, "Adam"), (25, "SGD"), (50, "Adam"), (55, "SGD"))))
    )
    assert steps(made) == [("1", 5, 25), ("1", 25, 55)]


def test_what_was_there_stays() -> None:
    """Marking steps changes no span, no parent and no attribute."""
    trace = read_kineto(RECORDED)
    bare = updates(("1", "SGD", 20))
    made, _ = with_steps(bare)
    assert list(made)[: len(bare)] == list(bare)
    assert profile_of(trace, "x").runs[0].trace is trace


def test_steps_are_the_samples() -> None:
    """Samples of a PyTorch trace are the steps it marks; a note says that machine and batch are unknown."""
    trace = read_kineto(RECORDED)
    profile = profile_of(trace, "training")
    (run,) = profile.runs
    assert (profile.network, dict(profile.system), dict(profile.runtime)) == ("training", {}, {})
    assert (run.batch, run.levels) == (0, "ML")
    assert run.samples_ns == tuple(trace.duration_ns[trace.rows(Level.APPLICATION, kinds.STEP)].tolist())
    assert "batch" in profile.notes[0]
    assert set(trace.notes) <= set(profile.notes)


def test_calls_come_before_steps() -> None:
    """Where calls of a network are marked, they are the samples."""
    builder = TraceBuilder(TraceClock(name="x"))
    builder.add(Level.APPLICATION, kinds.STEP, "s", lane("1"), 0, 100)
    builder.add(Level.MODEL, kinds.CALL, "c", lane("1"), 10, 30)
    profile = profile_of(builder.built(), "x")
    assert (profile.runs[0].samples_ns, profile.runs[0].levels) == ((20,), "M")


def test_without_any_mark_the_trace_is_one_call() -> None:
    """A trace without calls, steps and updates is one sample, as long as all of it; without spans there is none."""
    builder = TraceBuilder(TraceClock(name="x"))
    assert profile_of(builder.built(), "empty").runs[0].samples_ns == ()
    builder.add(Level.KERNEL, kinds.KERNEL, "k", lane("1", "gpu 0"), 40, 90, role=Role.EXECUTION)
    builder.add(Level.APPLICATION, kinds.RANGE, "r", lane("1"), 10, 30)
    profile = profile_of(builder.built(), "x")
    assert (profile.runs[0].samples_ns, levels_of(profile.runs[0].trace)) == ((80,), "MLK")
    assert "whole trace" in profile.notes[1]


@pytest.mark.parametrize("number", ["A1", "A2", "A3", "A4", "A5", "A6", "A7"])
def test_analyses_of_layers_can_be_had_of_a_recorded_trace(number: str) -> None:
    """A trace of PyTorch on a processor has the analyses of calls, layers and their memory."""
    (found,) = (one for one in XSP if one.id == number)
    made = found.compute(profile_of(read_kineto(RECORDED), "training"))
    assert made.unavailable == ""
    assert len(made)


def test_latencies_of_layers_lie_within_their_steps() -> None:
    """No layer of a recorded step takes longer than the step."""
    profile = profile_of(read_kineto(RECORDED), "training")
    (found,) = (one for one in XSP if one.id == "A2")
    cells = found.compute(profile).column("latency_ns").cells
    assert np.array(cells, np.float64).max() < max(profile.runs[0].samples_ns)


def marked(kind: str, *spans: tuple[str, int, int]) -> Trace:
    """Make a trace of ranges, with an operator around all of them."""
    builder = TraceBuilder(TraceClock(name="kineto"))
    builder.add(Level.LAYER, kinds.OPERATOR, "aten::mm", lane("1"), 0, 5)
    for name, start, end in spans:
        builder.add(Level.APPLICATION, kind, name, lane("1"), start, end)
    return builder.built()


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ((("execute_8_1", 10, 20), ("step 1", 12, 14), ("execute_8_0", 30, 40)), [(10, 20), (30, 40)]),
        ((("Iteration 1", 10, 20), ("iteration 2", 20, 35)), [(10, 20), (20, 35)]),
        (tuple(("enumerate(DataLoader)#_Iter.__next__", at, at + 2) for at in (10, 40, 65)), [(10, 40), (40, 65)]),
        ((("forward", 10, 20), ("forward", 20, 30)), []),
    ],
    ids=["servers", "users", "loads", "nothing"],
)  # fmt: skip
def test_steps_are_found_by_what_marks_them(
    named: tuple[tuple[str, int, int], ...], found: list[tuple[int, int]]
) -> None:
    """Ranges named as steps, the outer ones; loads of batches; no note where nothing is found."""
    made, note = with_steps(marked("range", *named))
    assert [(start, end) for _, start, end in steps(made)] == found
    assert (f"{len(found)} were found" in note) if found else ("one call of" in note)


@given(st.lists(st.integers(0, 9), min_size=5, max_size=40), st.integers(6, 12))
def test_a_period_is_that_of_what_repeats(names: list[int], times: int) -> None:
    """The lag is at most the length of the repeated row, and nearly all launches are equal one lag later."""
    row = np.array(names * times)
    found = period_of(row)
    if len(set(names)) == 1:
        assert found == 0
    else:
        assert 0 < found <= len(names)
        assert np.mean(row[found:] == row[:-found]) >= 0.95


def test_what_does_not_repeat_has_no_period() -> None:
    """Names in no order."""
    assert period_of(np.random.default_rng(1).integers(0, 50, 2000)) == 0


@given(
    st.lists(st.integers(0, 9), min_size=5, max_size=12),
    st.lists(st.integers(10, 19), min_size=1, max_size=8),
    st.lists(st.integers(20, 29), min_size=1, max_size=8),
    st.integers(30, 40),
    st.integers(4, 6),
)
@example([0] * 6, [10, 10, 10, 11, 10], [20] * 6, 35, 4)
@example([0] * 5, [10, 10, 10, 11, 10], [20] * 6, 37, 4)
@example([0, 0, 0, 0, 1], [10] * 8, [20] * 7, 37, 4)
@example([0] * 7, [10] * 7, [20] * 7, 31, 4)
def test_layers_of_a_call_are_no_steps(
    layer: list[int], before: list[int], after: list[int], layers: int, calls: int
) -> None:
    """One call of equal layers has no period, some calls have that of a whole call."""
    call = [*before, *layer * layers, *after]
    assert period_of(np.array(call)) == 0
    assert period_of(np.array(call * calls)) == len(call)


def repeated(steps: int) -> Trace:
    """Make a trace of a processor: operators of one thread, five in a step, one of them inside of another."""
    builder = TraceBuilder(TraceClock(name="kineto"))
    for step in range(steps):
        for number in range(5):
            at = 100 * step + 10 * number
            builder.add(Level.LAYER, kinds.OPERATOR, f"aten::op{number}", lane("1"), at, at + 9)
            if number == 2:
                builder.add(Level.LAYER, kinds.OPERATOR, "aten::inner", lane("1"), at + 1, at + 5)
    return builder.built()


def test_operators_that_repeat_are_steps() -> None:
    """On a processor the outermost operators of a thread tell the steps; the last one ends with its last operator."""
    made, note = with_steps(correlated(repeated(6)))
    assert steps(made) == [("1", 100 * at, 100 * at + 100 if at < 5 else 549) for at in range(6)]
    assert "6 were found, which repeat every 5 operators" in note
