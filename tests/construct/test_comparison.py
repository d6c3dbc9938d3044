"""Comparison of two systems: no false alarms, differences are found and explained, the faster system is named."""

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_runs import read_runs

from dlbricks.construct.comparison import ANOTHER_HOUR, Comparison, another_hour, compare, compared, faster
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Estimate, Rule
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document
from dlbricks.store.records import HOUR_NS, run_differences
from dlbricks.store.summary import measurements
from dlbricks.store.types import MeasurementOrigin, SystemResults
from dlbricks.validate.types import ArchivedRun
from tests.construct.made_up import composition, results
from tests.store.stored import configuration, fingerprint, submission

_KEPT = Path(__file__).parents[2] / "suites" / "results"
_RULE = Rule.SEQUENTIAL
_RUNS = {
    "amd-epyc-2c/onnxruntime-cpu-1t": ("tv_alexnet", "tv_resnet18", "tv_squeezenet1_1", "hf_albert", "tv_vgg11"),
    "amd-epyc-2c/onnxruntime-cpu-2t": ("tv_resnet18", "tv_squeezenet1_1"),
    "intel-xeon-2c/onnxruntime-cpu-1t": ("hf_albert", "tv_resnet50", "tv_squeezenet1_1"),
}


def _of(document: Document, run: str, started: int) -> SystemResults:
    results = measurements(document)
    origin = MeasurementOrigin(submission=run, started_unix_ns=started, smoke=False)
    return dataclasses.replace(
        results,
        measurements={name: msgspec.structs.replace(one, origin=origin) for name, one in results.measurements.items()},
    )


def _half(document: Document, which: int) -> Document:
    """Keep every other visit of each state of a sequence, as a shorter run within the same hour."""
    entries = []
    for entry in document["benchmarks"]:
        seen: dict[str, int] = {}
        kept = []
        for visit in entry["visits"] if entry["role"] == "sequence" else ():
            place = seen[visit["state"]] = seen.get(visit["state"], -1) + 1
            if place % 2 == which or sum(one["state"] == visit["state"] for one in entry["visits"]) == 1:
                kept.append(visit)
        entries.append({**entry, "visits": kept} if kept else entry)
    return {**document, "benchmarks": entries}


def _slower(results: SystemResults, factor: float, *, only: str = "") -> SystemResults:
    names = ("llc_warm_ns", "weights_cold_ns", "latency_ns", "low_ns", "high_ns")
    made = {
        key: msgspec.structs.replace(one, **{name: round(factor * getattr(one, name)) for name in names})
        if key.startswith(only)
        else one
        for key, one in results.measurements.items()
    }
    return dataclasses.replace(results, measurements=made)


def _versus(run: ArchivedRun, first: SystemResults, second: SystemResults) -> Comparison:
    composition = run.facts.composition
    made = (estimate(composition, first, _RULE), estimate(composition, second, _RULE))
    return compare(first, second, {}, estimates=made)


@pytest.fixture(scope="module")
def pairs() -> list[tuple[ArchivedRun, SystemResults, SystemResults]]:
    """Return both halves of kept runs."""
    pytest.importorskip("pyarrow")

    def halves() -> Iterator[tuple[ArchivedRun, SystemResults, SystemResults]]:
        for file, names in _RUNS.items():
            for run in read_runs(_KEPT / f"{file}.parquet", names).values():
                started = run.document["started_unix_ns"]
                first, second = (_of(_half(run.document, which), str(which), started) for which in (0, 1))
                yield run, first, second

    return list(halves())


def test_the_same_machine_in_the_same_hour_raises_no_alarm(
    pairs: list[tuple[ArchivedRun, SystemResults, SystemResults]],
) -> None:
    """None of 20 comparisons of halves of one run, by networks and by sequences, reports a difference."""
    made = [one for run, *both in pairs for one in (_versus(run, *both), compare(both[0], both[1], {}))]
    assert len(made) == 20
    assert all(one.parts.hours == 0 for one in made)
    assert [(one.network, one.low, one.high) for one in made if not one.low <= 1 <= one.high] == []


def test_what_is_slower_is_found_and_explained(
    pairs: list[tuple[ArchivedRun, SystemResults, SystemResults]],
) -> None:
    """Runs that differ by 20 % are told apart; a single slower sequence explains the ratio."""
    for run, *_ in pairs:
        own = _of(run.document, "own", run.document["started_unix_ns"])
        made = _versus(run, own, _slower(own, 1.2))
        assert made.ratio == pytest.approx(1.2, rel=0.015)  # others evict more in more time
        assert made.low > 1, (run.model, made.parts)
        alike = _versus(run, own, own)
        heaviest = max(alike.rows, key=lambda row: row.first_ns).fingerprint
        made = _versus(run, own, _slower(own, 1.5, only=heaviest))
        assert made.rows[0].fingerprint == heaviest
        whole = sum(row.explains for row in made.rows)
        assert made.ratio == pytest.approx(1 + whole, rel=1e-6)


def test_another_hour_or_machine_widens_the_interval() -> None:
    """Runs an hour apart, on another kind of machine, or with unknown dates include the variation between hours."""
    one = submission(range(9)).results

    def at(started: int, results: SystemResults = one) -> SystemResults:
        origin = MeasurementOrigin(submission="a", started_unix_ns=started, smoke=False, trust="consistent")
        held = {name: msgspec.structs.replace(each, origin=origin) for name, each in results.measurements.items()}
        return dataclasses.replace(results, measurements=held)

    other = dataclasses.replace(one, configuration=dataclasses.replace(one.configuration, instruction_set=("avx9",)))
    assert compare(at(1), at(HOUR_NS), {}).parts.hours == 0
    for first, second in ((at(1), at(HOUR_NS + 2)), (at(1), at(1, other)), (one, one)):
        made = compare(first, second, {})
        assert made.parts.hours == pytest.approx(ANOTHER_HOUR)
        assert made.high / made.low == pytest.approx(math.exp(2 * made.parts.together))
    assert compare(at(1), at(1), {}).second.trust == "consistent"
    assert compare(one, one, {}).second.trust == "self-reported"


def test_runs_of_other_hours_tell_how_far_a_machine_moves() -> None:
    """The runs of a system determine its variation between hours; with few runs the prior dominates."""
    with ResultStore.open("sqlite://", create=True) as store:
        for name, moves, late in (("quiet", 1.01, 0), ("shared", 1.25, 3 * HOUR_NS // 2)):
            of = configuration(name)
            for number, started in enumerate(range(0, 18 * HOUR_NS, 2 * HOUR_NS)):
                latency = round(100_000 * (moves if number % 2 else 1))
                store.add(submission(range(9), started=started + late, latency_ns=latency, of=of))
        quiet, shared = (store.results(SystemQuery(system=name)) for name in ("quiet", "shared"))
    assert [len(one.hours) for one in (quiet, shared)] == [8, 8]
    assert {round(abs(one), 3) for one in shared.hours} == {round(math.log(1.25), 3)}
    assert another_hour(quiet) < 0.07 < ANOTHER_HOUR < 0.3 < another_hour(shared)
    made = compare(quiet, shared, {})
    assert another_hour(quiet) < made.parts.hours < another_hour(shared)
    few = dataclasses.replace(quiet, hours=quiet.hours[:1])
    assert another_hour(few) == pytest.approx(ANOTHER_HOUR * math.sqrt(3 / 4), rel=0.01)


def test_other_hours_of_a_shared_machine_raise_few_alarms() -> None:
    """Networks on the Xeon in two hours, with its variation from other hours: one of 46 gates of 5 % fails."""
    pytest.importorskip("pyarrow")
    files = [_KEPT / "intel-xeon-2c" / f"onnxruntime-cpu-1t{later}.parquet" for later in ("", "-later")]
    first, second = (read_runs(one) for one in files)
    pairs = {name: (first[name], second[name]) for name in second if name in first}
    made = {
        name: [_of(one.document, name, one.document["started_unix_ns"]) for one in pair] for name, pair in pairs.items()
    }
    apart_by = {
        name: run_differences(
            (one.started_unix_ns, {key: each.latency_ns for key, each in results.measurements.items()})
            for one, results in ((next(iter(each.measurements.values())).origin, each) for each in both)
            if one
        )
        for name, both in made.items()
    }
    assert len(made) == 23
    alarms, inside = [], 0
    for name, both in made.items():
        others = tuple(one for other, found in apart_by.items() if other != name for one in found)
        one, two = (dataclasses.replace(each, hours=others) for each in both)
        for a, b in ((one, two), (two, one)):
            comparison = _versus(pairs[name][0], a, b)
            inside += comparison.low <= 1 <= comparison.high
            if comparison.low > 1.05:
                alarms.append((name, comparison.low))
    assert [name for name, _ in alarms] == ["misc_dlrm"]
    assert inside >= 40


def test_only_what_both_have_measured_is_compared() -> None:
    """A sequence measured on one system is counted and in no figure; without common sequences there is no figure."""
    one, two = submission(range(5)).results, submission(range(3, 9), latency_ns=200_000).results
    made = compare(one, two, {fingerprint(3): "Conv"})
    assert ([row.name for row in made.rows if row.name == "Conv"], len(made.rows), made.only_one) == (["Conv"], 2, 7)
    assert made.ratio == pytest.approx(2)
    assert compare(one, submission(range(7, 9)).results, {}).rows == ()


MADE = estimate(composition(["a"]), results({"a": 100}), Rule.SEQUENTIAL)
TOTALS = st.integers(1_000, 10**9)
WIDTHS = st.floats(0.001, 1.0)


def of(total_ns: int, width: float) -> Estimate:
    """Return an estimate with a symmetric interval of the given width, as a logarithm."""
    low, high = (round(total_ns * math.exp(sign * width)) for sign in (-1, 1))
    return dataclasses.replace(MADE, total_ns=total_ns, low_ns=max(1, low), high_ns=high, missing=())


@given(TOTALS, TOTALS, WIDTHS, WIDTHS)
def test_probabilities_are_complementary(one_ns: int, other_ns: int, mine: float, theirs: float) -> None:
    """Both probabilities add up to 1, speedups are inverse to each other, and the faster system is the likelier one."""
    first, second = faster(of(one_ns, mine), of(other_ns, theirs)), faster(of(other_ns, theirs), of(one_ns, mine))
    assert first.probability is not None
    assert second.probability is not None
    assert first.speedup is not None
    assert second.speedup is not None
    assert math.isclose(first.probability + second.probability, 1, abs_tol=1e-9)
    assert math.isclose(first.speedup * second.speedup, 1, rel_tol=1e-9)
    assert (first.probability >= 0.5) == (one_ns <= other_ns)


def test_the_gap_is_measured_in_intervals() -> None:
    """Touching intervals of 10 % either way leave a probability of 1 %: 90 % intervals, in quadrature."""
    made = faster(of(10**6, 0.1), of(round(10**6 * math.exp(0.2)), 0.1))
    deviations = 0.2 / math.hypot(0.1, 0.1) * NormalDist().inv_cdf(0.95)
    assert made.probability is not None
    assert math.isclose(made.probability, NormalDist().cdf(deviations), abs_tol=1e-3)


def test_what_is_not_known_gives_no_probability() -> None:
    """A bound, or an estimate without an interval, gives no probability."""
    whole = of(10**6, 0.1)
    bound = dataclasses.replace(whole, missing=("f",))
    unsure = dataclasses.replace(whole, low_ns=0)
    assert (faster(whole, bound).speedup, faster(whole, bound).probability) == (None, None)
    assert faster(whole, unsure).speedup == 1
    assert faster(whole, unsure).probability is None


def test_each_further_system_meets_the_first() -> None:
    """Three systems and two networks give four comparisons."""
    systems = [[of(total, 0.1), of(2 * total, 0.1)] for total in (1_000, 2_000, 4_000)]
    assert [round(one.speedup or 0, 6) for one in compared(systems)] == [2, 2, 4, 4]
