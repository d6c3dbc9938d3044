import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock
from tests.analysis.made_up import HOST, K, L, cells, foreign, made_up

CALL = 60
stretches = st.lists(st.tuples(st.integers(0, 2), st.integers(0, CALL), st.integers(0, CALL)), max_size=8)


def path(profile: Profile) -> Table:
    """Make the table of the critical path."""
    return chosen(["critical-path"])[0].compute(profile)


def total(table: Table, column: str) -> int:
    """Add up a column of whole numbers."""
    return sum(cell for cell in cells(table, column) if isinstance(cell, int))


def lanes(drawn: list[tuple[int, int, int]]) -> Profile:
    """Make a call with a layer on some thread for every stretch of time."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    made.add(Level.MODEL, kinds.CALL, "net", HOST, 0, CALL)
    for number, (lane, start, end) in enumerate(drawn):
        thread = Lane(process="1", name=f"thread {lane}")
        made.add(Level.LAYER, kinds.OPERATOR, f"l{number}", thread, min(start, end), max(start, end))
    return foreign(made.built(), "ML")


@given(stretches)
def test_a_path_fills_its_call(drawn: list[tuple[int, int, int]]) -> None:
    """Work, idle time and what follows the path add up to the call, however layers overlap; steps do not overlap."""
    table = path(lanes(drawn))
    if not any(start != end for _, start, end in drawn):
        return
    last = max(max(start, end) for _, start, end in drawn if start != end)
    assert total(table, "path_ns") == total(table, "work_ns") + total(table, "idle_ns") == last


def test_one_layer_after_the_other_is_all_path() -> None:
    """On a single lane every layer is on the path, and idle time is what the runtime spends before it."""
    table = path(made_up([L(name="a", ns=60, gap=10), L(name="b", ns=90, gap=20)], levels="ML"))
    assert cells(table, "work_ns") == (60, 90)
    assert cells(table, "idle_ns") == (10, 20)
    assert any("30 ns" in note for note in table.notes)


def test_shares_of_calls_of_unequal_length_add_up() -> None:
    """Path and calls are means over the same calls, so a call that is all path is 100 %."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    for start, length in ((0, 100), (1000, 100), (2000, 400)):
        made.add(Level.MODEL, kinds.CALL, "net", HOST, start, start + length)
        made.add(Level.LAYER, kinds.OPERATOR, "a", HOST, start, start + length)
    assert cells(path(foreign(made.built(), "ML")), "share_percent") == (100,)


def test_what_was_not_waited_for_is_not_on_the_path() -> None:
    """Of two branches the one that ends last counts."""
    table = path(lanes([(0, 0, 10), (1, 10, 50), (2, 10, 30), (0, 50, 60)]))
    assert cells(table, "work_ns") == (10, 40, 0, 10)


def test_with_devices_the_path_goes_through_their_work() -> None:
    """Kernels are the work; what a device waits for is the host's on behalf of the layer that launches next."""
    layers = [L(name="a", ns=100, kernels=(K(at=20, ns=150),)), L(name="b", ns=100, kernels=(K(at=90, ns=30),))]
    table = path(made_up(layers))
    assert cells(table, "work_ns") == (150, 30)
    assert cells(table, "idle_ns") == (30, 30)
    assert cells(table, "share_percent")[0] == pytest.approx(100 * 180 / 250)
