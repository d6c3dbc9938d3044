import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.executions import calls_of
from dlbricks.analysis.table import Table
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Lane, Level, Profile, Role, TraceClock
from tests.analysis.made_up import HOST, STREAM, L, cells, costs, foreign, made_up, trace_of


def builder() -> TraceBuilder:
    """Begin a trace."""
    return TraceBuilder(clock=TraceClock(name="made up"))


def test_a_span_is_in_the_call_above_it() -> None:
    """Every layer of a call is its, and so is the call itself."""
    made = trace_of([L(name="a"), L(name="b")], calls=2)
    found = calls_of(made)
    assert (found.unit, len(found)) == ("call", 2)
    assert found.of.tolist() == [0, 0, 0, 1, 1, 1]


def test_work_that_outlasts_its_call_stays_with_it() -> None:
    """An execution belongs to the step in which it was launched, though it runs in the next one."""
    made = builder()
    for number in range(2):
        made.add(Level.APPLICATION, kinds.STEP, f"step {number}", HOST, 100 * number, 100 * number + 90)
    launch = made.add(Level.LIBRARY, kinds.RUNTIME, "cudaLaunchKernel", HOST, 80, 85, role=Role.LAUNCH)
    made.add(Level.KERNEL, kinds.KERNEL, "gemm", STREAM, 130, 150, role=Role.EXECUTION, parent=launch)
    found = calls_of(made.built())
    assert found.unit == "step"
    assert found.of.tolist() == [0, 1, 0, 0]


def test_what_lies_between_steps_is_in_none() -> None:
    """A span before, between or after all steps is outside; one that touches the end of a step is inside."""
    made = builder()
    for number in range(2):
        made.add(Level.APPLICATION, kinds.STEP, f"step {number}", HOST, 100 + 100 * number, 190 + 100 * number)
    for start in (50, 100, 190, 195, 295):
        made.add(Level.LAYER, kinds.OPERATOR, "add", HOST, start, start + 1)
    assert calls_of(made.built()).of.tolist()[2:] == [NONE, 0, 0, NONE, NONE]


def test_every_process_has_steps_of_its_own() -> None:
    """Spans of two ranks that run at the same time are told apart; those of a third process go by time."""
    made = builder()
    lanes = [Lane(process=f"rank {number}", name="thread 1") for number in range(3)]
    for number in range(2):
        made.add(Level.APPLICATION, kinds.STEP, "step", lanes[number], 10 * number, 100 + 10 * number)
    for lane in lanes:
        made.add(Level.LAYER, kinds.OPERATOR, "add", lane, 50, 60)
    assert calls_of(made.built()).of.tolist() == [0, 1, 0, 1, 1]


def test_without_calls_and_steps_the_trace_is_one() -> None:
    """Everything is in the one stretch from the first start to the last end."""
    made = builder()
    made.add(Level.LAYER, kinds.OPERATOR, "add", HOST, 50, 60)
    made.add(Level.LAYER, kinds.OPERATOR, "add", HOST, 70, 65)
    found = calls_of(made.built())
    assert (found.unit, found.starts.tolist(), found.ends.tolist(), found.of.tolist()) == ("trace", [50], [70], [0, 0])
    assert len(calls_of(builder().built())) == 0


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def test_headroom_is_time_above_the_roof() -> None:
    """Equal layers are one row; the row with most time to gain is first; shares are of all layers."""
    heavy, light = costs(40_000, 100, 100), costs(0, 500, 500)
    layers = [L(name="a", attributes=heavy), L(name="b", type="Relu", attributes=light), L(name="c", attributes=heavy)]
    shown = table("headroom", made_up(layers))
    assert cells(shown, "type") == ("Conv", "Relu")
    assert cells(shown, "count") == (2, 1)
    assert cells(shown, "least_ns") == (80, 10)
    assert cells(shown, "headroom_ns") == (120, 90)
    assert cells(shown, "headroom_percent") == (pytest.approx(40), pytest.approx(30))
    assert cells(shown, "memory_bound") == (False, True)
    assert cells(shown, "example") == ("a", "b")


def test_headroom_beyond_a_roof_is_unknown() -> None:
    """Layers that take less time than the roofs allow come last, without figures, and a note says why."""
    layers = [L(name="a", attributes=costs(400_000, 100, 100)), L(name="b", attributes=costs(40_000, 100, 100))]
    shown = table("headroom", made_up(layers))
    assert cells(shown, "example") == ("b", "a")
    for column in ("headroom_ns", "headroom_percent", "reached_percent"):
        assert [cell is None for cell in cells(shown, column)] == [False, True]
    assert [note for note in shown.notes if note.startswith("1 of 2 rows are above a roof: ")]


def test_rows_above_a_roof_are_those_of_the_table() -> None:
    """Not the layers of a group one by one, and not layers that the table leaves out."""
    quick = costs(400_000, 100, 100)
    layers = [L(name="a", attributes=quick), L(name="b", attributes=quick), L(name="c", attributes=costs(40, 100, 100))]
    for name, expected in (("headroom", "1 of 2 rows"), ("A14", "2 of 3 rows")):
        notes = table(name, made_up([*layers, L(name="d")])).notes
        assert [note for note in notes if note.startswith(f"{expected} are above a roof: ")], (name, notes)


def test_headroom_needs_roofs_and_costs() -> None:
    """Without either it says which is missing."""
    assert "peak FLOP/s" in table("headroom", made_up([L(name="a", attributes=costs(1, 1, 1))], roofs=None)).unavailable
    assert "FLOPs" in table("headroom", made_up([L(name="a")])).unavailable


def test_functions_of_python_take_their_own_time() -> None:
    """Time of a function that another one calls is not its caller's; the stack names the callers, nearest first."""
    made = builder()
    for at in (0, 100):
        step = made.add(Level.APPLICATION, kinds.STEP, "step", HOST, at, at + 90)
        outer = made.add(Level.LIBRARY, kinds.PYTHON, "train.py(1): main", HOST, at, at + 80, parent=step)
        layer = made.add(Level.LAYER, kinds.OPERATOR, "aten::mm", HOST, at + 10, at + 60, parent=outer)
        inner = made.add(Level.LIBRARY, kinds.PYTHON, "hook.py(2): f", HOST, at + 20, at + 50, parent=layer)
        made.add(Level.LIBRARY, kinds.PYTHON, "hook.py(9): g", HOST, at + 20, at + 25, parent=inner)
    table = chosen(["python"])[0].compute(foreign(made.built()))
    assert cells(table, "function") == ("train.py(1): main", "hook.py(2): f", "hook.py(9): g")
    assert cells(table, "latency_ns") == (50, 25, 5)
    assert cells(table, "count") == (1, 1, 1)
    assert cells(table, "stack") == (None, "train.py(1): main", "hook.py(2): f < train.py(1): main")
    assert "with_stack" in chosen(["python"])[0].compute(made_up([L(name="a")])).unavailable
