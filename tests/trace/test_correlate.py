"""Launches and executions, names given by frameworks, and work on several threads."""

import pytest
from hypothesis import given

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.intervals import ancestors, cyclic_rows
from dlbricks.trace.kinds import DRIVER, KERNEL, OPERATOR, RUNTIME
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from tests.trace.drawn import traces

MAIN, OTHER, THIRD = (Lane(process="1", name=f"thread {number}") for number in (1, 2, 3))
STRANGER = Lane(process="2", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def builder() -> TraceBuilder:
    """Give an empty trace."""
    return TraceBuilder(clock=TraceClock(name="test"))


def parents(trace: Trace) -> list[int | None]:
    """Give the parent of every row."""
    return [span.parent for span in trace]


@given(traces())
def test_both_steps_together_leave_known_parents_alone(trace: Trace) -> None:
    """Each step fills gaps only, and doing it twice is doing it once."""
    once = correlated(trace)
    assert parents(correlated(once)) == parents(once)


def test_a_launch_gives_the_parent_and_its_execution_the_time() -> None:
    """The kernel belongs to the layer that launched it, even if it runs while another layer does."""
    made = builder()
    conv = made.add(Level.LAYER, OPERATOR, "conv", MAIN, 0, 10)
    made.add(Level.LAYER, OPERATOR, "relu", MAIN, 10, 90)
    launch = made.add(Level.LIBRARY, RUNTIME, "launch", MAIN, 2, 3, role=Role.LAUNCH, correlation=5)
    made.add(Level.KERNEL, KERNEL, "gemm", STREAM, 20, 60, role=Role.EXECUTION, correlation=5)
    trace = correlated(made.built())
    assert parents(trace) == [None, None, conv, launch]
    assert ancestors(trace, Level.LAYER).tolist() == [0, 1, 0, 0]
    assert trace.notes == ()


def test_driver_calls_inside_runtime_calls_are_one_launch() -> None:
    """Where both share a number, the outer one is the launch, and nothing is ambiguous about it."""
    made = builder()
    made.add(Level.LIBRARY, DRIVER, "cuLaunchKernel", MAIN, 3, 4, role=Role.LAUNCH, correlation=5)
    outer = made.add(Level.LIBRARY, RUNTIME, "cudaLaunchKernel", MAIN, 2, 5, role=Role.LAUNCH, correlation=5)
    made.add(Level.KERNEL, KERNEL, "gemm", STREAM, 20, 60, role=Role.EXECUTION, correlation=5)
    trace = correlated(made.built())
    assert parents(trace) == [outer, None, outer]
    assert trace.notes == ()


def test_a_graph_launch_has_many_executions() -> None:
    """All kernels of a graph belong to its launch."""
    made = builder()
    made.add(Level.LIBRARY, RUNTIME, "cudaGraphLaunch", MAIN, 0, 5, role=Role.LAUNCH, correlation=5)
    for start in (10, 20, 30):
        made.add(Level.KERNEL, KERNEL, "gemm", STREAM, start, start + 5, role=Role.EXECUTION, correlation=5)
    assert parents(correlated(made.built())) == [None, 0, 0, 0]


def test_without_a_launch_the_external_id_counts() -> None:
    """The last layer of that id that began before; without either the execution keeps its time and is told."""
    made = builder()
    for start in (0, 100, 200):
        made.add(Level.LAYER, OPERATOR, "conv", MAIN, start, start + 50, external_id=3)
    made.add(Level.KERNEL, KERNEL, "gemm", STREAM, 150, 190, role=Role.EXECUTION, correlation=8, external_id=3)
    made.add(Level.KERNEL, KERNEL, "lost", STREAM, 190, 195, role=Role.EXECUTION, correlation=9)
    trace = correlated(made.built())
    assert parents(trace) == [None, None, None, 1, None]
    assert [note.split(" span ")[1][:15] for note in trace.notes] == ["had no launch i", "ran on a device"]


def test_an_external_id_overrules_intervals() -> None:
    """A launch that says which layer it is for belongs there, though another layer is around it; that is told."""
    made = builder()
    asked = made.add(Level.LAYER, OPERATOR, "conv", OTHER, 0, 50, external_id=3)
    made.add(Level.LAYER, OPERATOR, "relu", MAIN, 0, 50, external_id=4)
    outer = made.add(Level.LIBRARY, RUNTIME, "launch", MAIN, 10, 20, role=Role.LAUNCH, correlation=1, external_id=3)
    made.add(Level.LIBRARY, DRIVER, "launch", MAIN, 11, 19, correlation=1, external_id=3)
    trace = correlated(made.built())
    assert parents(trace) == [None, None, asked, outer]
    assert "external id" in trace.diagnostics[0]


def test_an_external_id_that_agrees_changes_nothing() -> None:
    """What names any span around it stays with the innermost, and there is nothing to tell."""
    made = builder()
    made.add(Level.LAYER, OPERATOR, "outer", MAIN, 0, 50, external_id=3)
    made.add(Level.LAYER, OPERATOR, "inner", MAIN, 5, 40, external_id=4)
    made.add(Level.APPLICATION, "range", "mine", MAIN, 8, 30, external_id=5)
    for named, start in ((4, 10), (5, 12), (3, 14)):
        made.add(Level.LIBRARY, RUNTIME, "launch", MAIN, start, start + 1, role=Role.LAUNCH, external_id=named)
    trace = correlated(made.built())
    assert parents(trace) == [None, 0, 1, 2, 2, 2]
    assert trace.notes == ()


def test_work_on_another_thread_has_the_call_as_parent() -> None:
    """Layers that a call hands to other threads of its process are its children; another process has no part in it."""
    made = builder()
    call = made.add(Level.MODEL, "call", "run", MAIN, 0, 100)
    made.add(Level.LAYER, OPERATOR, "conv", OTHER, 10, 50)
    made.add(Level.LAYER, OPERATOR, "relu", STRANGER, 10, 50)
    trace = correlated(made.built())
    assert parents(trace) == [None, call, None]
    assert trace.diagnostics == ("1 span had no containing span on their own lane: the parent is on another lane",)


@pytest.mark.parametrize(("lanes", "parent", "message"), [((MAIN,), 1, ""), ((MAIN, OTHER), 0, "CUDA_LAUNCH_BLOCKING")])
def test_parallel_layers_are_not_guessed_at(lanes: tuple[Lane, ...], parent: int, message: str) -> None:
    """A launch on a thread without layers belongs to the one layer that ran then; of two it belongs to the call."""
    made = builder()
    made.add(Level.MODEL, "call", "run", MAIN, 0, 100)
    for lane in lanes:
        made.add(Level.LAYER, OPERATOR, "conv", lane, 10, 50)
    row = made.add(Level.LIBRARY, RUNTIME, "launch", THIRD, 20, 30, role=Role.LAUNCH, correlation=1)
    trace = correlated(made.built())
    assert trace.span(row).parent == parent
    assert any(message in note for note in trace.diagnostics)


def test_launches_that_share_a_number_are_told() -> None:
    """Two launches side by side with one number: the first gets the execution, and the reader is told."""
    made = builder()
    for start in (0, 10):
        made.add(Level.LIBRARY, RUNTIME, "launch", MAIN, start, start + 5, role=Role.LAUNCH, correlation=1)
    made.add(Level.KERNEL, KERNEL, "gemm", STREAM, 20, 30, role=Role.EXECUTION, correlation=1)
    trace = correlated(made.built())
    assert parents(trace) == [None, None, 0]
    assert "shared a correlation number" in trace.notes[0]


def test_layers_that_overlap_on_a_lane_are_told() -> None:
    """Events of one thread that cut across each other leave parents in doubt; the note says how it was decided."""
    made = builder()
    made.add(Level.LAYER, OPERATOR, "a", MAIN, 0, 10)
    made.add(Level.LAYER, OPERATOR, "b", MAIN, 5, 15)
    trace = correlated(made.built())
    assert "the span that started last" in trace.diagnostics[0]


@given(traces())
def test_parents_lead_to_a_root(trace: Trace) -> None:
    """Whatever numbers name: what lies inside a call is never put above it."""
    assert not len(cyclic_rows(correlated(trace).parent))
