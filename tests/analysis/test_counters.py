from dataclasses import replace

import pytest

from dlbricks.analysis.calls import COUNTERS, call_counters
from dlbricks.analysis.catalogue import chosen, networks_table
from dlbricks.analysis.table import Table
from dlbricks.profile.counters import METRICS, CallCounts, with_counts
from dlbricks.trace.types import Profile, Value
from tests.analysis.made_up import K, L, cells, costs, counted, made_up

DEVICE: dict[str, Value] = {"flops": 900, "dram_read_bytes": 20, "dram_write_bytes": 10, "occupancy": 0.25}


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def with_call_counts(profile: Profile, attributes: dict[str, Value]) -> Profile:
    """Return calls at level M what was counted, as an experiment does."""
    counts = CallCounts(attributes=attributes)
    runs = [replace(run, trace=with_counts(run.trace, counts)) if run.levels == "M" else run for run in profile.runs]
    return replace(profile, runs=tuple(runs))


def test_counters_of_calls_are_shown() -> None:
    """What an experiment counted stands in the table, with instructions per cycle."""
    shown = table("counters", with_call_counts(made_up([L(name="a")]), {"cycles": 1000, "instructions": 2000}))
    assert cells(shown, "cycles") == (1000,)
    assert cells(shown, "instructions_per_cycle") == (2,)
    assert cells(shown, "cache_misses") == (None,)
    assert cells(shown, "batch") == (1,)


def test_costs_and_counters_of_layers_are_none_of_calls() -> None:
    """Only attributes of calls count, not those of the same name of layers."""
    assert call_counters(made_up([L(name="a", attributes=costs(9, 9, 9))]), 1) == {}


def test_without_counters_the_reason_is_given() -> None:
    """The note of the experiment says why; without one ``doctor`` does."""
    assert "doctor" in table("counters", made_up([L(name="a")])).unavailable
    refused = made_up([L(name="a")], notes=("CPU counters are forbidden here",))
    assert "forbidden" in table("counters", refused).unavailable


def test_every_quantity_that_is_counted_is_shown() -> None:
    """Whatever a GPU counts in a call has its column."""
    assert set(METRICS) <= set(COUNTERS)


def test_a_call_is_placed_by_its_counters() -> None:
    """Where kernels were not counted one by one, the counters of the call make A15 and the row of the network."""
    layers = [L(name="a", kernels=(K(ns=50),), attributes=costs(500, 80, 20))]
    made = with_call_counts(made_up(layers), DEVICE)
    shown = table("A15", made)
    assert (cells(shown, "figures"), cells(shown, "flops")) == (("counted",), (900,))
    assert cells(shown, "read_bytes") == (20,)
    assert cells(shown, "occupancy_percent") == (25,)
    assert cells(shown, "memory_bound") == (False,)
    assert not any("nothing was counted" in note for note in shown.notes)
    assert cells(networks_table([made]), "intensity") == (pytest.approx(30),)


def test_sums_that_leave_out_layers_say_so() -> None:
    """Where costs of some layers are not known, A15 and networks say of how many; else they say nothing."""
    known, unknown = L(name="a", kernels=(K(),), attributes=costs(500, 80, 20)), L(name="b")
    for layers, said in (([known, unknown], True), ([known], False)):
        made = made_up(layers)
        for shown in (table("A15", made), networks_table([made])):
            assert any(f"leave out 1 of {len(layers)} layers" in note for note in shown.notes) is said


def test_counters_of_kernels_come_first() -> None:
    """Kernels that were counted one by one say more than the call as a whole."""
    made = with_call_counts(made_up([L(name="a", kernels=(K(attributes=counted(600, 30, 10)),))]), DEVICE)
    assert cells(table("A15", made), "flops") == (600,)
    assert cells(table("A15", made), "occupancy_percent") == (50,)
