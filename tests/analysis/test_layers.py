import numpy as np

from dlbricks.analysis.executions import layers_of
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Level, TraceClock
from tests.analysis.made_up import HOST, K, L, add_call, trace_of


def test_layers_of_one_name_are_told_apart_by_occurrence() -> None:
    """The second 'add' of a call is the second 'add' of every call, and has a time of its own."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    add_call(made, [L(name="add", ns=10), L(name="mul", ns=5), L(name="add", ns=100)], 0)
    add_call(made, [L(name="add", ns=20), L(name="mul", ns=5), L(name="add", ns=200)], 1000)
    found = layers_of(made.built())
    assert found.names == ("add", "mul", "add")
    assert found.occurrence.tolist() == [0, 0, 1]
    assert found.latencies().median.tolist() == [15, 5, 150]


def test_a_layer_that_some_calls_lack_is_counted_where_it_is() -> None:
    """Its figures are over the calls that have it; the others keep theirs."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    add_call(made, [L(name="a", ns=10), L(name="init", ns=1000), L(name="b", ns=5)], 0)
    for start in (2000, 3000):
        add_call(made, [L(name="a", ns=20), L(name="b", ns=5)], start)
    found = layers_of(made.built())
    counts = dict(zip(found.names, found.latencies().count.tolist(), strict=True))
    assert counts == {"a": 3, "b": 3, "init": 1}
    assert dict(zip(found.names, found.latencies().median.tolist(), strict=True))["init"] == 1000


def test_what_runs_inside_a_layer_is_part_of_it() -> None:
    """The body of an If is no layer of its own, and what it launches is the If's."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    outer = made.add(Level.LAYER, kinds.OPERATOR, "if", HOST, 0, 100, type="If", index=0)
    made.add(Level.LAYER, kinds.OPERATOR, "inner", HOST, 10, 60, type="Conv", parent=outer)
    found = layers_of(made.built())
    assert (found.names, found.nested) == (("if",), 1)
    assert found.execution_of.tolist() == [0, 0]


def test_layers_outside_all_calls_are_counted_and_left_out() -> None:
    """What ran before the first call is in no figure."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    made.add(Level.LAYER, kinds.OPERATOR, "early", HOST, 0, 5)
    add_call(made, [L(name="a")], 100)
    found = layers_of(made.built())
    assert (found.names, found.outside) == (("a",), 1)
    assert found.execution_of.tolist()[0] == NONE


def test_layers_are_in_order_of_execution() -> None:
    """The runtime's numbers count where every layer has one, else the order of starts."""
    numbered = [L(name="b", attributes={"index": 1}), L(name="a", attributes={"index": 0})]
    assert layers_of(trace_of(numbered)).names == ("a", "b")
    made = TraceBuilder(clock=TraceClock(name="made up"))
    for name, start in (("late", 50), ("early", 10)):
        made.add(Level.LAYER, kinds.OPERATOR, name, HOST, start, start + 5)
    found = layers_of(made.built())
    assert (found.names, found.index.tolist()) == (("early", "late"), [0, 1])


def test_figures_are_medians_over_calls() -> None:
    """An attribute that differs from call to call has its median, one that is nowhere is NaN."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    for number, cycles in enumerate((10, 30, 20)):
        add_call(made, [L(name="a", attributes={"cycles": cycles})], 1000 * number)
    found = layers_of(made.built())
    assert found.figures("cycles").tolist() == [20]
    assert np.isnan(found.figures("instructions")).all()
    assert found.texts("provider") == ("",)


def test_the_same_trace_has_the_same_layers() -> None:
    """Asked twice, the answer is the same object, so that analyses share it."""
    made = trace_of([L(name="a", kernels=(K(),))])
    assert layers_of(made) is layers_of(made)
    assert layers_of(made) is not layers_of(trace_of([L(name="a", kernels=(K(),))]))
