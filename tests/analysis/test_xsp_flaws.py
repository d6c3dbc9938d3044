"""Flaws seen in XSP's analyses, each with a test that it is not here; those of its traces are in tests/trace."""

import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import LevelRun, Profile, TraceClock
from tests.analysis.made_up import OTHER_STREAM, K, L, add_call, cells, costs, counted, made_up


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def of_traces(layers: list[L], deep: TraceBuilder) -> Profile:
    """Make a profile whose run with kernels is a trace of its own."""
    shallow = made_up(layers, levels="ML")
    run = LevelRun(batch=1, levels="MLK", samples_ns=(1000,), trace=deep.built())
    return Profile(network="net", system={}, runtime=shallow.runtime, runs=(*shallow.runs, run), roofs=shallow.roofs)


def test_counts_are_right() -> None:
    """XSP counts the executions of a kernel from 0 and is one short: 49 Relu layers, count 48."""
    layers = [L(name=f"r{number}", kernels=(K(name="max"),)) for number in range(49)]
    assert cells(table("A10", made_up(layers)), "count") == (49,)


def test_two_launches_of_one_kernel_in_a_layer_are_not_pooled() -> None:
    """XSP matches kernels across runs by name within a layer, so that the two get one time."""
    shown = table("A8", made_up([L(name="a", kernels=(K(ns=10), K(ns=70, at=60)))]))
    assert cells(shown, "latency_ns") == (10, 70)


def test_a_kernel_that_the_first_call_lacks_is_kept() -> None:
    """XSP takes the kernels of the first run and loses what appears later."""
    deep = TraceBuilder(clock=TraceClock(name="made up"))
    for call in range(3):
        add_call(deep, [L(name="a", kernels=(K(), K(name="late", at=80))[: 1 + (call > 0)])], 1000 * call)
    shown = table("A8", of_traces([L(name="a")], deep))
    assert dict(zip(cells(shown, "kernel"), cells(shown, "calls"), strict=True)) == {"gemm": 3, "late": 2}


def test_overlapping_kernels_leave_no_negative_time() -> None:
    """XSP subtracts the sum of kernel times from the layer: 100 - 160 here."""
    layers = [L(name="a", ns=100, kernels=(K(at=10, ns=80), K(at=10, ns=80, lane=OTHER_STREAM)))]
    shown = table("A13", made_up(layers))
    assert (cells(shown, "busy_ns"), cells(shown, "other_ns")) == ((80,), (20,))


def test_a_layer_that_only_launches_is_not_its_kernels() -> None:
    """Of an asynchronous layer the host's time is the launch; what runs after it is told apart, not subtracted."""
    shown = table("A13", made_up([L(name="a", ns=20, kernels=(K(at=15, ns=500),))]))
    assert cells(shown, "other_ns") == (15,)
    assert cells(shown, "after_ns") == (495,)


def test_layers_are_not_timed_with_the_kernel_profiler_on() -> None:
    """A11 sets kernels beside the latency of the layer from the run without them."""
    deep = TraceBuilder(clock=TraceClock(name="made up"))
    add_call(deep, [L(name="a", ns=900, kernels=(K(),))], 0)
    shown = table("A11", of_traces([L(name="a", ns=100)], deep))
    assert cells(shown, "latency_ns") == (100,)


def test_nanoseconds_are_kept() -> None:
    """XSP rounds to microseconds, so that a short kernel prints as nothing."""
    assert cells(table("A10", made_up([L(name="a", kernels=(K(ns=3),))])), "latency_ns") == (3,)


def test_the_layer_with_index_0_and_odd_names_are_in_every_total() -> None:
    """XSP drops index 0, layers without shape, and names that begin with an underscore."""
    layers = [
        L(name="first", kernels=(K(ns=10),)),
        L(name="_hidden", kernels=(K(ns=20),)),
        L(name="last", kernels=(K(ns=30),)),
    ]
    made = made_up(layers)
    assert cells(table("A11", made), "kernel_ns") == (10, 20, 30)
    assert cells(table("A15", made), "kernel_ns") == (60,)
    assert cells(table("A2", made), "layer") == ("first", "_hidden", "last")


def test_what_moves_no_bytes_is_not_called_memory_bound() -> None:
    """XSP gives such a kernel intensity 0, which is below every roof."""
    shown = table("A8", made_up([L(name="a", kernels=(K(attributes=counted(1000, 0, 0)),))]))
    assert cells(shown, "intensity") == cells(shown, "memory_bound") == (None,)


@pytest.mark.parametrize(("dtype", "expected"), [("float32", False), ("float16", True)])
def test_every_element_type_is_counted_against_its_own_roof(dtype: str, expected: bool) -> None:
    """XSP counts single precision only, against the roof of single precision."""
    layer = L(name="a", kernels=(K(attributes=counted(4000, 100, 100)),), attributes={"dtype": dtype})
    assert cells(table("A8", made_up([layer])), "memory_bound") == (expected,)


def test_verdicts_rest_on_measured_roofs() -> None:
    """XSP takes the data sheet's; here there is no verdict without a measurement, however much is stated."""
    layer = L(name="a", attributes=costs(4000, 100, 100))
    assert cells(table("A14", made_up([layer], levels="ML")), "memory_bound") == (False,)
    for copied in (layer, L(name="copy", attributes=costs(0, 100, 100))):
        shown = table("A14", made_up([copied], levels="ML", roofs=None))
        assert cells(shown, "memory_bound") == cells(shown, "attainable_flops_per_s") == (None,)


def test_figures_come_with_intervals() -> None:
    """XSP stops at a trimmed mean; here every latency over calls has a 95 % interval."""
    deep = TraceBuilder(clock=TraceClock(name="made up"))
    for call, time in enumerate((100, 120, 90, 110, 105)):
        add_call(deep, [L(name="a", ns=time, kernels=(K(ns=time - 50),))], 1000 * call)
    made = of_traces([L(name="a")], deep)
    for name in ("A1", "A2", "A3", "A6", "A8"):
        shown = table(name, made)
        low, middle, high = (cells(shown, part)[0] for part in ("low_ns", "latency_ns", "high_ns"))
        assert low <= middle <= high
    low, high = (cells(table("A8", made), part)[0] for part in ("low_ns", "high_ns"))
    assert low < 55 < high


def test_kernels_on_two_streams_are_seen_side_by_side() -> None:
    """XSP records kernels one after the other; a union shows that they ran at the same time."""
    layers = [L(name="a", kernels=(K(ns=50), K(ns=50, lane=OTHER_STREAM)))]
    shown = table("A15", made_up(layers))
    assert (cells(shown, "kernel_ns"), cells(shown, "busy_ns")) == ((100,), (50,))
