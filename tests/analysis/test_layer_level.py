import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.layers import stages
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile
from tests.analysis.made_up import L, cells, made_up

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
    assert "bytes of their outputs" in outputs.notes[0]
    told = [L(name=one.name, attributes={**one.attributes, "allocated_bytes": 8}) for one in LAYERS]
    assert cells(table(made_up(told), "A4"), "memory_bytes") == (8, 8, 8)
    nothing = [L(name=one.name, attributes={**one.attributes, "allocated_bytes": 0}) for one in LAYERS]
    assert cells(table(made_up(nothing), "A4"), "memory_bytes") == (40, 40, 20)
    unknown = table(made_up([L(name="a")]), "A4")
    assert "no memory" in unknown.unavailable


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
    assert "makes them longer" in shown.notes[0]


def test_without_layers_every_analysis_of_layers_says_what_it_needs() -> None:
    """A run of calls alone has no layers; the reason names the levels that do."""
    made = made_up(LAYERS, levels="M")
    for name in ("A2", "A3", "A4", "A5", "A6", "A7", "A13", "A14"):
        assert "levels ML" in table(made, name).unavailable
