import numpy as np
import pytest

from dlbricks.analysis.calls import stages
from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.executions import layers_of
from dlbricks.analysis.table import Table
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Level, Profile, TraceClock
from tests.analysis.made_up import HOST, K, L, add_call, cells, made_up, trace_of


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
    assert found.string_column("provider") == ("",)


def test_the_same_trace_has_the_same_layers() -> None:
    """Asked twice, the answer is the same object, so that analyses share it."""
    made = trace_of([L(name="a", kernels=(K(),))])
    assert layers_of(made) is layers_of(made)
    assert layers_of(made) is not layers_of(trace_of([L(name="a", kernels=(K(),))]))


LAYERS = (
    L(name="c1", type="Conv", ns=60, attributes={"output_bytes": 40, "shape": "float32[1,10]"}),
    L(name="r1", type="Relu", ns=10, attributes={"output_bytes": 40, "shape": "float32[1,10]"}),
    L(name="c2", type="Conv", ns=30, attributes={"output_bytes": 20, "shape": "float32[1,5]"}),
)


def table(profile: Profile, name: str) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def test_layer_information_has_a_row_for_every_layer() -> None:
    """Index, name, type, shape, latency and bytes of each, in order of execution, the layer with index 0 first."""
    shown = table(made_up(LAYERS), "A2")
    assert cells(shown, "index") == (0, 1, 2)
    assert cells(shown, "layer") == ("c1", "r1", "c2")
    assert cells(shown, "type") == ("Conv", "Relu", "Conv")
    assert cells(shown, "shape") == ("float32[1,10]", "float32[1,10]", "float32[1,5]")
    assert cells(shown, "latency_ns") == (60, 10, 30)
    assert cells(shown, "output_bytes") == (40, 40, 20)
    assert cells(shown, "allocated_bytes") == (None, None, None)
    assert cells(shown, "calls") == (3, 3, 3)


def test_layer_latency_is_in_order_of_execution() -> None:
    """Offsets grow, shares are of the sum, and thirds are by index."""
    shown = table(made_up(LAYERS), "A3")
    assert cells(shown, "offset_ns") == (10, 80, 100)
    assert cells(shown, "share_percent") == (60, 10, 30)
    assert cells(shown, "stage") == ("begin", "middle", "end")


@pytest.mark.parametrize(("count", "expected"), [(0, ""), (1, "b"), (2, "bm"), (4, "bbme"), (7, "bbbmmee")])
def test_stages_are_thirds(count: int, expected: str) -> None:
    """However many layers there are, stages come in order and differ by one layer at most."""
    assert "".join(one[0] for one in stages(count)) == expected


def test_memory_is_what_was_allocated_else_the_outputs() -> None:
    """Allocations count where they are told and any is; the notes say which it is."""
    outputs = table(made_up(LAYERS), "A4")
    assert cells(outputs, "memory_bytes") == (40, 40, 20)
    assert cells(outputs, "share_percent") == (40, 40, 20)
    assert "output bytes" in outputs.notes[0]
    allocating = [L(name=one.name, attributes={**one.attributes, "allocated_bytes": 8}) for one in LAYERS]
    assert cells(table(made_up(allocating), "A4"), "memory_bytes") == (8, 8, 8)
    nothing = [L(name=one.name, attributes={**one.attributes, "allocated_bytes": 0}) for one in LAYERS]
    assert cells(table(made_up(nothing), "A4"), "memory_bytes") == (40, 40, 20)
    unknown = table(made_up([L(name="a")]), "A4")
    assert "lacks allocations and output bytes" in unknown.unavailable


def test_shares_of_memory_are_of_what_is_allocated() -> None:
    """A layer that frees more than it allocates has no share, and makes none above the whole."""
    each = (30, -50, 10)
    made = [
        L(name=one.name, attributes={**one.attributes, "allocated_bytes": nbytes})
        for one, nbytes in zip(LAYERS, each, strict=True)
    ]
    assert cells(table(made_up(made), "A4"), "memory_bytes") == each
    assert cells(table(made_up(made), "A4"), "share_percent") == (75, None, 25)
    assert max(share or 0 for share in cells(table(made_up(made), "A7"), "share_percent")) <= 100


def test_types_are_counted_timed_and_weighed() -> None:
    """A5 to A7: the largest first, shares are of all layers."""
    made = made_up(LAYERS)
    counts, times, memory = (table(made, name) for name in ("A5", "A6", "A7"))
    assert (cells(counts, "type"), cells(counts, "count")) == (("Conv", "Relu"), (2, 1))
    assert cells(counts, "share_percent") == (pytest.approx(200 / 3), pytest.approx(100 / 3))
    assert (cells(times, "latency_ns"), cells(times, "share_percent")) == ((90, 10), (90, 10))
    assert (cells(memory, "memory_bytes"), cells(memory, "share_percent")) == ((60, 40), (60, 40))


def test_layers_are_timed_where_kernels_do_not_disturb_them() -> None:
    """Latencies are of run ML, not of MLK, whose layers take longer."""
    made, slow = made_up([L(name="a", ns=100)]), made_up([L(name="a", ns=900)])
    both = Profile(network="net", system={}, runtime=made.runtime, runs=(*made.runs[:2], slow.runs[2]))
    assert cells(table(both, "A2"), "latency_ns") == (100,)
    alone = Profile(network="net", system={}, runtime=made.runtime, runs=slow.runs[2:])
    shown = table(alone, "A2")
    assert cells(shown, "latency_ns") == (900,)
    assert "include the overhead" in shown.notes[0]


def test_without_layers_every_analysis_of_layers_says_what_it_needs() -> None:
    """A run of calls alone has no layers; the reason names the levels that do."""
    made = made_up(LAYERS, levels="M")
    for name in ("A2", "A3", "A4", "A5", "A6", "A7", "A13", "A14"):
        assert "levels ML" in table(made, name).unavailable
