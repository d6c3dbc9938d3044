"""Two systems beside each other: no alarm where nothing differs, and what differs is found and explained."""

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import Rule
from dlbricks.construct.versus import ANOTHER_HOUR, HOUR_NS, Comparison, compare
from dlbricks.store.document import Document
from dlbricks.store.summary import measurements
from dlbricks.store.types import MeasurementOrigin, SystemResults
from dlbricks.validate.archive import ArchivedRun, read_runs
from tests.store.stored import fingerprint, submission

_KEPT = Path(__file__).parents[2] / "suites" / "results"
_RULE = Rule(kind="sequential")
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
        measurements={name: dataclasses.replace(one, origin=origin) for name, one in results.measurements.items()},
    )


def _half(document: Document, which: int) -> Document:
    """Leave every second visit of each state of a sequence: as another run of the same hour would be, but shorter."""
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
    names = ("near_ns", "constants_ns", "latency_ns", "low_ns", "high_ns")
    made = {
        key: dataclasses.replace(one, **{name: round(factor * getattr(one, name)) for name in names})
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
    """Give both halves of kept runs."""
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
    """Of 20 comparisons of halves of one run, by networks and by sequences, none says that they differ."""
    made = [one for run, *both in pairs for one in (_versus(run, *both), compare(both[0], both[1], {}))]
    assert len(made) == 20
    assert all(one.parts.hours == 0 for one in made)
    assert [(one.network, one.low, one.high) for one in made if not one.low <= 1 <= one.high] == []


def test_what_is_slower_is_found_and_explained(
    pairs: list[tuple[ArchivedRun, SystemResults, SystemResults]],
) -> None:
    """Whole runs of which one takes 20 % longer are told apart; a single slower sequence is what explains the ratio."""
    for run, *_ in pairs:
        own = _of(run.document, "own", run.document["started_unix_ns"])
        made = _versus(run, own, _slower(own, 1.2))
        assert made.ratio == pytest.approx(1.2, rel=0.01)
        assert made.low > 1, (run.model, made.parts)
        alike = _versus(run, own, own)
        heaviest = max(alike.rows, key=lambda row: row.first_ns).fingerprint
        made = _versus(run, own, _slower(own, 1.5, only=heaviest))
        assert made.rows[0].fingerprint == heaviest
        whole = sum(row.explains for row in made.rows)
        assert made.ratio == pytest.approx(1 + whole, rel=1e-6)
        without = compare(own, _slower(own, 1.5, only=heaviest), {}, without=[heaviest[:16]])
        assert without.ratio == pytest.approx(1)
        assert without.left_out == 1


def test_another_hour_or_machine_widens_the_interval() -> None:
    """An hour apart, on another kind of machine, or of unknown dates, what machines do by themselves counts."""
    one = submission(range(9)).results

    def at(started: int, results: SystemResults = one) -> SystemResults:
        origin = MeasurementOrigin(submission="a", started_unix_ns=started, smoke=False, trust="consistent")
        held = {name: dataclasses.replace(each, origin=origin) for name, each in results.measurements.items()}
        return dataclasses.replace(results, measurements=held)

    other = dataclasses.replace(one, configuration=dataclasses.replace(one.configuration, instruction_set=("avx9",)))
    assert compare(at(1), at(HOUR_NS), {}).parts.hours == 0
    for first, second in ((at(1), at(HOUR_NS + 2)), (at(1), at(1, other)), (one, one)):
        made = compare(first, second, {})
        assert made.parts.hours == ANOTHER_HOUR
        assert made.high / made.low == pytest.approx(math.exp(2 * made.parts.together))
    assert compare(at(1), at(1), {}).second.trust == "consistent"
    assert compare(one, one, {}).second.trust == "self-reported"


def test_only_what_both_have_measured_is_compared() -> None:
    """A sequence of one alone is counted and in no figure; of none in common nothing is said."""
    one, two = submission(range(5)).results, submission(range(3, 9), latency_ns=200_000).results
    made = compare(one, two, {fingerprint(3): "Conv"})
    assert ([row.name for row in made.rows if row.name == "Conv"], len(made.rows), made.only_one) == (["Conv"], 2, 7)
    assert made.ratio == pytest.approx(2)
    assert compare(one, submission(range(7, 9)).results, {}).rows == ()
