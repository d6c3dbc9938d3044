import dataclasses

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS, coverage, plan_of, suite_cost_ns
from dlbricks.errors import InputError
from dlbricks.report.console import parts
from dlbricks.report.estimates import coverage_report, plan_report
from dlbricks.store.types import MeasurementOrigin, QueueConstants, QueueTimes
from tests.construct.made_up import composition, on_device, results


def test_shared_sequences_are_missing_once() -> None:
    """A sequence missing in two models is one entry with both names and all uses."""
    first = composition(["a", "b", "b"], model="one")
    second = composition(["b", "c"], model="two")
    made = coverage([first, second], results({"c": 5}))
    assert [(one.fingerprint, one.networks, one.uses) for one in made.missing] == [
        ("b", ("one", "two"), 3),
        ("a", ("one",), 1),
    ]
    assert [(one.network, one.covered_layers, one.covered_sequences) for one in made.networks] == [
        ("one", 0, 0),
        ("two", 1, 1),
    ]
    console = Console(width=200)
    tables = [part for item in coverage_report(made)[1:] for part in parts(item, console)]  # type: ignore[arg-type]
    assert "no benchmark because" not in [str(column.header) for each in tables for column in each.columns]


names = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(st.lists(names, max_size=4), st.sets(st.sampled_from("abcdef")))
def test_measuring_what_is_missing_closes_the_gap(models: list[list[str]], known: set[str]) -> None:
    """Known and missing sequences are disjoint; with the missing ones measured, every model is covered."""
    compositions = [composition(steps, model=f"m{index}") for index, steps in enumerate(models)]
    missing = {one.fingerprint for one in coverage(compositions, results(dict.fromkeys(known, 5))).missing}
    assert missing.isdisjoint(known)
    after = coverage(compositions, results(dict.fromkeys(known | missing, 5)))
    assert after.missing == ()
    assert all(one.coverage == 1.0 for one in after.networks)


def test_cost_follows_what_was_measured() -> None:
    """The median cost of stored results times their number; a documented constant without results."""
    assert suite_cost_ns(7, results({"a": 5, "b": 6})) == 7 * 10**9
    assert suite_cost_ns(3, results({})) == 3 * DEFAULT_BENCHMARK_NS


def test_one_visit_of_a_smoke_test_is_not_the_cost_of_a_benchmark() -> None:
    measured = results({"a": 5})
    origin = MeasurementOrigin(submission="s", started_unix_ns=1, smoke=True)
    smoke = {
        name: msgspec.structs.replace(row, origin=origin, wall_ns=10**7) for name, row in measured.measurements.items()
    }
    assert suite_cost_ns(3, dataclasses.replace(measured, measurements=smoke)) == 3 * DEFAULT_BENCHMARK_NS


def test_what_a_budget_cut_is_no_full_measurement() -> None:
    """A call or two, whose interval says nothing, count as those of a smoke test; coverage and plan say how many."""
    measured = results({"a": 5, "b": 5, "c": 5})
    for name, verdict in (("a", "noisy"), ("b", "stable")):
        row = msgspec.structs.replace(measured.measurements[name], low_ns=0, high_ns=10, verdict=verdict)
        measured.measurements[name] = row
    made = coverage([composition(["a", "b", "c"], model="m")], measured)
    assert made.networks[0].smoke_sequences == 1
    (line,) = (item for item in plan_report(plan_of(made, measured), None, []) if "covered" in str(item))
    assert str(line).endswith("missing: 0 sequences, 1 measured too briefly (smoke test or short --budget)")
    assert "no sequence that can be measured is missing" in str(plan_report(plan_of(made, measured), None, [])[-1])


def test_what_has_no_times_of_host_and_device_is_measured_again() -> None:
    """On an asynchronous provider, single calls and results without queue constants count as missing."""
    one = QueueTimes(
        **dict.fromkeys(("host_ns", "host_low_ns", "host_high_ns", "device_ns", "device_low_ns", "device_high_ns"), 9),
        kernels=1,
        synchronises=False,
    )
    machine = QueueConstants(call_ns=1, launch_lag_ns=1, synchronise_ns=1, kernel_gap_ns=0)
    known = on_device({"a": one, "b": one}, machine)
    known.measurements["b"] = msgspec.structs.replace(known.measurements["b"], queue=None)
    network = composition(["a", "b", "c"])
    made = coverage([network], known)
    assert {each.fingerprint for each in made.missing} == {"b", "c"}
    assert (made.networks[0].covered_sequences, made.networks[0].calls_only_sequences) == (1, 1)
    plan = plan_of(made, known)
    assert plan.fingerprints == ("b", "c")
    assert "1 of them measured, but without times" in str(plan_report(plan, "suite", [])[1])
    (shown,) = parts(coverage_report(made)[1], Console(width=200))  # type: ignore[arg-type]
    assert len(shown.columns) == 7
    none = dataclasses.replace(known, queue=None)
    assert len(coverage([network], none).missing) == 3
    with pytest.raises(InputError, match=r"--pairs does not apply to the asynchronous provider cuda: omit"):
        plan_of(made, known, ["ab"])
