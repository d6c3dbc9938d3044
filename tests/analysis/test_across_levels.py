from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Profile, TraceClock
from tests.analysis.made_up import HOST, OTHER_STREAM, STREAM, K, L, cells, costs, counted, foreign, made_up

kernels = st.builds(K, at=st.integers(0, 200), ns=st.integers(0, 150), lane=st.sampled_from([STREAM, OTHER_STREAM]))


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def whole(one: object) -> int:
    """Return a cell that is a whole number."""
    assert isinstance(one, int)
    return one


@given(st.lists(kernels, min_size=1, max_size=5).map(tuple))
def test_device_time_of_a_layer_is_never_more_than_the_layer(launched: tuple[K, ...]) -> None:
    """A13: busy is what nanoseconds of the layer have a kernel; what runs on after it is a figure of its own."""
    shown = table("A13", made_up([L(name="a", ns=100, kernels=launched)]))
    ran = {at for one in launched for at in range(one.at, one.at + one.ns)}
    assert cells(shown, "busy_ns") == (len({at for at in ran if at < 100}),)
    assert cells(shown, "other_ns") == (100 - whole(cells(shown, "busy_ns")[0]),)
    assert cells(shown, "after_ns") == (len({at for at in ran if at >= 100}),)


def test_on_the_host_layers_are_the_work() -> None:
    """Without kernels busy is the time of the layer, other what the runtime spends before it."""
    layers = [L(name="a", ns=60, gap=40), L(name="b", ns=90, gap=10)]
    shown = table("A13", made_up(layers, levels="ML"))
    assert cells(shown, "busy_ns") == (60, 90)
    assert cells(shown, "other_ns") == (40, 10)
    assert cells(shown, "busy_percent") == (60, 90)
    assert any("30 ns" in note for note in shown.notes)


def test_layers_side_by_side_leave_no_gap() -> None:
    """A layer that starts while another one runs waits for nobody."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    made.add(Level.MODEL, kinds.CALL, "net", HOST, 0, 100)
    made.add(Level.LAYER, kinds.OPERATOR, "a", HOST, 10, 60)
    made.add(Level.LAYER, kinds.OPERATOR, "b", Lane(process="1", name="thread 2"), 20, 50)
    made.add(Level.LAYER, kinds.OPERATOR, "c", HOST, 70, 90)
    shown = table("A13", foreign(made.built(), "ML"))
    assert cells(shown, "other_ns") == (10, 0, 10)


def test_the_layer_roofline_takes_counters_before_shapes() -> None:
    """A14: counted where all kernels of a layer were, with the device's time; else computed, with the layer's."""
    layers = [
        L(name="a", ns=100, kernels=(K(ns=50, attributes=counted(5000, 60, 40)),), attributes=costs(1, 1, 1)),
        L(name="b", ns=100, attributes=costs(2000, 60, 40)),
        L(name="c", ns=100),
    ]
    shown = table("A14", made_up(layers))
    assert cells(shown, "layer") == ("a", "b")
    assert cells(shown, "figures") == ("counted", "computed")
    assert cells(shown, "latency_ns") == (50, 100)
    assert cells(shown, "intensity") == (50, 20)
    assert any(note.startswith("1 layer not shown") for note in shown.notes)
    assert "needs FLOPs" in table("A14", made_up([L(name="a")])).unavailable
