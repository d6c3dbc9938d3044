from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from dlbricks.analysis.catalogue import _ERRING, _differences, _discovered, compare, networks_table
from dlbricks.analysis.table import Floats, Table
from dlbricks.trace.types import Profile
from tests.analysis.made_up import K, L, cells, costs, foreign, made_up, trace_of

SLOW, FAST = (1000, 1010, 1020, 1010, 1000), (500, 510, 505, 500, 510)


def tables(a: Profile, b: Profile) -> dict[str, Table]:
    """Compare, by id."""
    return {one.id.removeprefix("compare-"): one for one in compare(a, b)}


def test_calls_are_compared_with_their_intervals() -> None:
    """A difference far outside the intervals is certain, one within is not."""
    shown = tables(made_up([L(name="a")], samples=SLOW), made_up([L(name="a")], samples=FAST))["model"]
    assert cells(shown, "a_ns") == (1010,)
    assert cells(shown, "b_ns") == (505,)
    assert cells(shown, "difference_ns") == (-505,)
    assert cells(shown, "ratio") == (0.5,)
    assert cells(shown, "certain") == (True,)
    close = tables(made_up([L(name="a")], samples=SLOW), made_up([L(name="a")], samples=(1005, 1015, 1025, 1000, 1020)))
    assert cells(close["model"], "certain") == (False,)


def test_layers_are_matched_by_name_and_occurrence() -> None:
    """The second 'add' meets the second 'add'; what one side lacks has an empty cell and its own row."""
    a = made_up([L(name="add", ns=10), L(name="add", ns=20), L(name="gone", ns=5)])
    b = made_up([L(name="add", ns=10), L(name="new", ns=7), L(name="add", ns=40)])
    shown = tables(a, b)["layers"]
    assert cells(shown, "layer") == ("add", "add", "gone", "new")
    assert cells(shown, "a_ns") == (10, 20, 5, None)
    assert cells(shown, "b_ns") == (10, 40, None, 7)
    assert cells(shown, "index") == (0, 1, 2, None)
    assert cells(shown, "ratio") == (1, 2, None, None)
    assert "2 of 4 layers are in both" in shown.notes[-1]


def test_types_and_kernels_are_summed_up() -> None:
    """Groups stand in order of the time of both; a group that one side lacks counts 0 there."""
    a = made_up([L(name="x", ns=100, kernels=(K(ns=30), K(ns=20, at=60)))])
    b = made_up([L(name="x", ns=90, kernels=(K(name="other", ns=10),)), L(name="y", type="Relu", ns=10)])
    shown = tables(a, b)
    assert cells(shown["types"], "type") == ("Conv", "Relu")
    assert cells(shown["types"], "a_count") == (1, 0)
    assert cells(shown["kernels"], "kernel") == ("gemm", "other")
    assert cells(shown["kernels"], "a_count") == (2, 0)
    assert cells(shown["kernels"], "a_ns") == (50, None)


def test_networks_without_common_layers_are_said_to_have_none() -> None:
    """The note names what differs rather than showing differences of nothing."""
    shown = tables(made_up([L(name="a")]), made_up([L(name="b")], network="other"))
    assert any("no match" in note for note in shown["layers"].notes)
    assert "net and other" in shown["layers"].title


def test_what_one_side_lacks_is_named() -> None:
    """Which of the two has no kernels, and which batches there are."""
    shown = tables(made_up([L(name="a", kernels=(K(),))]), made_up([L(name="a")], levels="ML"))
    assert shown["kernels"].unavailable.startswith("the second needs")
    apart = tables(made_up([L(name="a")]), made_up([L(name="a")], batch=4))
    said = {one.unavailable for one in apart.values()}
    assert said == {"no batch size was measured in both profiles: the first has 1, the second 4"}


def test_layers_of_one_batch_are_compared() -> None:
    """Where the smallest batches differ, those of the smallest common one are set beside each other, and it is said."""
    small, large = made_up([L(name="a", ns=10)]), made_up([L(name="a", ns=40)], batch=4)
    both = replace(small, runs=(*small.runs, *large.runs))
    shown = tables(both, large)["layers"]
    assert cells(shown, "a_ns") == cells(shown, "b_ns") == (40,)
    assert "of batch 4" in shown.notes[-2]
    assert cells(tables(foreign(trace_of([L(name="a", ns=7)])), large)["layers"], "a_ns") == (7,)


@pytest.mark.parametrize("side", [0, 1])
def test_a_comparison_with_itself_shows_no_difference(side: int) -> None:
    """Whichever side: all differences are 0, all ratios 1, none is certain."""
    one = made_up([L(name="a"), L(name="b", type="Relu")], samples=(SLOW, FAST)[side])
    for table in tables(one, one).values():
        if not table.unavailable:
            assert set(cells(table, "difference_ns")) == {0}
            assert set(cells(table, "ratio")) == {1}
            assert not any(cells(table, "certain"))


def test_every_network_is_a_row() -> None:
    """Latency, layers, operations and bound of each."""
    conv = [
        L(name="c", ns=150, attributes=costs(30_000, 100, 100)),
        L(name="r", type="Relu", ns=50, attributes=costs(0, 1, 1)),
    ]
    product = [L(name="m", type="MatMul", ns=80, attributes=costs(50, 500, 500)), L(name="s", type="Softmax", ns=20)]
    made = [made_up(conv, levels="ML", network="cnn"), made_up(product, levels="ML", network="mlp", samples=(5, 6, 7))]
    shown = networks_table(made)
    assert cells(shown, "network") == ("cnn", "mlp")
    assert cells(shown, "latency_ns") == (1000, 6)
    assert cells(shown, "layers") == (2, 2)
    assert cells(shown, "memory_bound") == (False, True)
    assert cells(shown, "flops") == (30_000, 50)


def test_a_device_is_busy_for_a_share_of_the_latency() -> None:
    """The union of its work; empty without recorded kernels."""
    on_host = made_up([L(name="a", ns=90, gap=30)], levels="ML")
    on_device = made_up([L(name="a", ns=90, kernels=(K(ns=40), K(ns=40, at=40)))], samples=(100,) * 3)
    assert cells(networks_table([on_host, on_device]), "busy_percent") == (None, pytest.approx(60))


def test_batches_give_optimum_and_throughput() -> None:
    """Throughput is the largest, latency that of the smallest batch."""
    runs = [
        made_up([L(name="a")], batch=batch, samples=(time,) * 3).runs for batch, time in ((1, 100), (2, 150), (4, 290))
    ]
    made = replace(made_up([L(name="a")]), runs=tuple(run for part in runs for run in part))
    shown = networks_table([made])
    assert cells(shown, "latency_ns") == (100,)
    assert cells(shown, "optimal_batch") == (2,)
    assert cells(shown, "throughput_per_s") == (pytest.approx(4e9 / 290),)


def test_a_trace_of_somebody_else_has_a_row() -> None:
    """What is not known of it is empty."""
    shown = networks_table([foreign(trace_of([L(name="a")]), "ML")])
    assert cells(shown, "network") == ("theirs",)
    assert cells(shown, "batch") == cells(shown, "memory_bound") == cells(shown, "throughput_per_s") == (None,)
    assert any("no roofs" in note for note in shown.notes)


@given(st.integers(0, 1000))
def test_recordings_of_one_program_seem_alike(seed: int) -> None:
    """Of 200 layers whose calls scatter by 3 %, on machines 8 % apart, none is certain; a tenfold one is."""
    rng = np.random.default_rng(seed)

    def recorded(level: float) -> Floats:
        calls = np.sort(level * 1000 * np.exp(rng.normal(0, 0.03, (200, 5))), axis=1)
        return np.stack((calls[:, 2], calls[:, 0], calls[:, 4]))

    a, b = recorded(1.0), recorded(1.08)
    by_name = {column.name: column.cells for column in _differences(a, b)}
    assert not any(by_name["certain"])
    b[:, 7] *= 10
    by_name = {column.name: column.cells for column in _differences(a, b)}
    assert [at for at, certain in enumerate(by_name["certain"]) if certain] == [7]


def test_recordings_are_not_programs() -> None:
    """A tenth between two recordings is not certain however often each was called; the table asks for three of each."""
    a, b = (made_up([L(name="a")], samples=tuple(range(start, start + 40))) for start in (100_000, 110_000))
    shown = tables(a, b)
    assert cells(shown["model"], "certain") == (False,)
    for table in (shown["model"], shown["layers"]):
        assert "record each side three times" in table.notes[0]


@given(st.lists(st.floats(0, 1) | st.floats(0, 0.05), max_size=30))
def test_certain_differences_are_those_of_scipy(chances: list[float]) -> None:
    """The rule of Benjamini and Hochberg, but for chances at its limit."""
    drawn = np.array(chances)
    adjusted = false_discovery_control(drawn) if chances else drawn
    clear = abs(adjusted - _ERRING) > 1e-9
    assert (_discovered(drawn) == (adjusted <= _ERRING))[clear].all()
