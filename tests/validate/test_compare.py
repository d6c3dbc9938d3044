from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.types import Rule
from dlbricks.errors import BenchmarkError
from dlbricks.validate.compare import compare, wall_ns_until
from dlbricks.validate.types import ArchivedRun
from tests.validate.made_up_validation import archived_run

SEQUENTIAL = Rule.parse("sequential")


def test_parts_and_whole_are_set_side_by_side() -> None:
    """Ratio, parts and call overhead follow from the run."""
    run = archived_run()
    made = compare(run, SEQUENTIAL)
    assert made.ratio == pytest.approx(made.estimated_ns / made.measured_ns)
    assert made.estimated_ns == sum(part.total_ns for part in made.parts) + made.call_overhead_ns
    assert made.measured_low_ns <= made.measured_ns <= made.measured_high_ns
    assert [part.count for part in sorted(made.parts, key=lambda part: -part.count)] == [2, 1]


def _with_entry(run: ArchivedRun, fingerprint: str, **changes: object) -> ArchivedRun:
    entries = [
        {**entry, **changes} if entry["fingerprint"] == fingerprint else entry for entry in run.document["benchmarks"]
    ]
    return replace(run, document={**run.document, "benchmarks": entries})


def test_a_part_without_latency_is_named() -> None:
    """What failed, what was not reached, and what is not in the run at all: no estimate is made of the rest."""
    run = archived_run()
    part = run.facts.composition.steps[1].fingerprint
    with pytest.raises(BenchmarkError, match="out of memory"):
        compare(_with_entry(run, part, status="failed", reason="out of memory"), SEQUENTIAL)
    with pytest.raises(BenchmarkError, match="the whole network: not run"):
        compare(_with_entry(run, run.facts.whole, status="not run", reason="", visits=[]), SEQUENTIAL)
    with pytest.raises(BenchmarkError, match="the run did not include it"):
        compare(replace(run, facts=replace(run.facts, whole="0" * 64)), SEQUENTIAL)


def test_overflowed_outputs_are_refused() -> None:
    """A whole whose outputs are not finite may have run faster than it should."""
    run = archived_run()
    (entry,) = [one for one in run.document["benchmarks"] if one["fingerprint"] == run.facts.whole]
    sketches = [{**entry["output_digests"][0], "finite": 0.5}]
    with pytest.raises(BenchmarkError, match=r"50\.0% of the values of output 0"):
        compare(_with_entry(run, run.facts.whole, output_digests=sketches), SEQUENTIAL)


def _entry(visits: list[list[int]]) -> dict[str, Any]:
    timed = sum(map(sum, visits))
    made = [{"start_ns": at, "samples_ns": samples} for at, samples in enumerate(visits)]
    return {"wall_ns": timed + 1_000, "visits": made}


VISITS = st.lists(st.lists(st.integers(1, 10**6), min_size=2, max_size=4), min_size=1, max_size=30)


@given(VISITS, st.floats(0, 1), st.floats(0, 1))
def test_narrower_costs_more(visits: list[list[int]], first: float, second: float) -> None:
    """The wider of two intervals is never the dearer one; nothing costs more than the run, nor less than its load."""
    entry = _entry(visits)
    narrow, wide = sorted((first, second))
    assert 1_000 <= wall_ns_until(entry, wide) <= wall_ns_until(entry, narrow) <= entry["wall_ns"]


def test_visits_after_the_goal_do_not_count() -> None:
    """Visits that all agree: five are believed, the others were for a narrower interval."""
    assert wall_ns_until(_entry([[10, 10]] * 9), 0.01) == 1_000 + 5 * 20


def test_disturbed_visits_cost_and_do_not_count() -> None:
    """Of visits that all agree every second one was disturbed: nine are made until five are believed."""
    entry = _entry([[10, 10]] * 12)
    for visit in entry["visits"][1::2]:
        visit["disturbed"] = True
    assert wall_ns_until(entry, 0.01) == 1_000 + 9 * 20
