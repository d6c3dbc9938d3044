import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Profile, TraceClock
from tests.analysis.made_up import OTHER_STREAM, K, L, add_call, add_kernel, cells, costs, counted, foreign, made_up

LAYERS = (
    L(
        name="c1",
        kernels=(
            K(ns=40, attributes=counted(8000, 300, 100, 0.2)),
            K(ns=20, at=65, attributes=counted(10, 100, 0, 0.8)),
        ),
    ),
    L(name="r1", type="Relu"),
    L(
        name="c2",
        kernels=(K(name="relu", ns=30, attributes=counted(100, 0, 0)), K(name="copy", kind=kinds.COPY, ns=7, at=60)),
    ),
)


def table(name: str, profile: Profile | None = None) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile or made_up(LAYERS))


def test_every_kernel_has_its_layer_and_counters() -> None:
    """A8: one row for each, in order of execution; what moves no bytes has no intensity and no verdict."""
    shown = table("A8")
    assert cells(shown, "kernel") == ("gemm", "gemm", "relu", "copy")
    assert cells(shown, "layer_index") == (0, 0, 2, 2)
    assert cells(shown, "latency_ns") == (40, 20, 30, 7)
    assert cells(shown, "flops") == (8000, 10, 100, None)
    assert cells(shown, "intensity") == (20, 0.1, None, None)
    assert cells(shown, "memory_bound") == (False, True, None, None)
    assert cells(shown, "occupancy_percent") == (20, 80, 50, None)


def test_a_kernel_without_a_layer_has_an_empty_one() -> None:
    """Its row is kept, its layer is empty."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    add_call(made, [L(name="a", kernels=(K(),))], 0)
    add_kernel(made, K(name="stray"), None, 90, 90)
    shown = table("A8", foreign(made.built()))
    assert cells(shown, "kernel") == ("gemm", "stray")
    assert cells(shown, "layer_index") == (0, None)
    assert "kernels outside all layers, whose layer is empty: 1 of 2" in shown.notes


def test_the_kernel_roofline_shows_what_was_counted() -> None:
    """A9 has a point for every kernel with intensity and rate, and says how many have none."""
    shown = table("A9")
    assert cells(shown, "index") == (0, 1)
    assert cells(shown, "flops_per_s") == (pytest.approx(2e11), pytest.approx(5e8))
    assert cells(shown, "attainable_flops_per_s") == (1e12, 1e10)
    assert any(note.startswith("2 kernels not shown") for note in shown.notes)
    assert "record_shapes" in table("A9", made_up([L(name="a", kernels=(K(),))])).unavailable


def test_kernels_of_one_name_are_counted_and_summed() -> None:
    """A10: the count of a name is that of its executions in a call, the share is of the undisturbed call."""
    shown = table("A10")
    assert cells(shown, "kernel") == ("gemm", "relu", "copy")
    assert cells(shown, "count") == (2, 1, 1)
    assert cells(shown, "latency_ns") == (60, 30, 7)
    assert cells(shown, "share_percent") == (6, 3, pytest.approx(0.7))
    assert cells(shown, "flops") == (8010, 100, None)
    assert cells(shown, "occupancy_percent") == (40, 50, None)


def test_every_layer_has_its_kernels() -> None:
    """A11: number, sum and union of the kernels of each layer; layers without any are kept with empty cells."""
    shown = table("A11")
    assert cells(shown, "index") == (0, 1, 2)
    assert cells(shown, "kernels") == (2, None, 1)
    assert cells(shown, "kernel_ns") == (60, None, 30)
    assert cells(shown, "busy_ns") == (60, None, 37)
    assert cells(shown, "latency_ns") == (100, 100, 100)
    assert cells(shown, "figures")[0] == "counted"


def test_device_metrics_of_layers_add_up_to_those_of_the_call() -> None:
    """A12 and A15 agree where every kernel lies in a layer and is counted."""
    layers = [
        L(name="a", kernels=(K(attributes=counted(5, 7, 9)),)),
        L(name="b", kernels=(K(attributes=counted(1, 2, 3)),)),
    ]
    made = made_up(layers)
    by_layer, whole = table("A12", made), table("A15", made)
    for name in ("flops", "read_bytes", "written_bytes", "kernel_ns"):
        assert sum(cell for cell in cells(by_layer, name) if isinstance(cell, int | float)) == cells(whole, name)[0]


def test_without_counters_layers_have_computed_costs() -> None:
    """What was not counted is taken from shapes where these are known, and said to be."""
    layers = [L(name="a", kernels=(K(ns=50),), attributes=costs(1000, 60, 40)), L(name="b", kernels=(K(),))]
    shown = table("A11", made_up(layers))
    assert cells(shown, "figures") == ("computed", None)
    assert cells(shown, "flops") == (1000, None)
    assert cells(shown, "flops_per_s") == (pytest.approx(2e10), None)
    assert any("FLOPs and bytes of kernels are unknown" in note for note in shown.notes)


def test_kernels_side_by_side_are_summed_and_united() -> None:
    """The sum counts overlap twice, the union once."""
    shown = table("A11", made_up([L(name="a", kernels=(K(ns=40), K(ns=40, lane=OTHER_STREAM, at=30)))]))
    assert (cells(shown, "kernel_ns"), cells(shown, "busy_ns")) == ((80,), (50,))


def test_without_kernels_the_analyses_of_kernels_say_what_they_need() -> None:
    """None of them gives an empty table instead."""
    for name in ("A8", "A9", "A10", "A11", "A12", "A15", "launch-bound"):
        assert "levels MLK" in table(name, made_up(LAYERS, levels="ML")).unavailable
    nothing = made_up([L(name="a")])
    assert "no kernel was recorded" in table("A8", nothing).unavailable
