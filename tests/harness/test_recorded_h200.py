"""What CUPTI recorded on an H200, and other figures of it that ``benchmarks/gpu/README.md`` quotes."""

import ast
import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.device_queue import work_of_calls
from dlbricks.profile.counters import METRICS

FOLDER = Path(__file__).parents[1] / "data" / "h200"
CALLS = 20
"""Calls of an operator in each recording."""


def recorded(stage: str) -> Any:
    """Return what was recorded of a subject."""
    return json.loads((FOLDER / f"{stage}.json").read_text(encoding="utf-8"))


def activities() -> tuple[Activity, ...]:
    """Return the records of the first of 30 recordings."""
    return tuple(Activity(**one) for one in recorded("tracer")["first"])


def test_each_kernel_belongs_to_the_call_that_launched_it() -> None:
    """By its correlation; the call begins first, as clocks of host and device agree."""
    calls = {one.correlation: one for one in activities() if one.name == "cudaLaunchKernel"}
    kernels = [one for one in activities() if one.kind == "kernel"]
    assert len(calls) == len(kernels) == CALLS
    assert all(calls[one.correlation].start_ns < one.start_ns for one in kernels)


def test_kernels_of_calls_are_added_up() -> None:
    """One of a microsecond in each call."""
    begins = sorted(one.start_ns for one in activities() if one.name == "cudaLaunchKernel")
    calls = work_of_calls(activities(), [(begin, begin + 100_000) for begin in begins])
    assert [len(kernels) for kernels in calls] == [1] * CALLS
    assert statistics.median(kernels[0].duration_ns for kernels in calls) == pytest.approx(1_000, rel=0.2)


def test_recordings_are_whole_and_calls_after_them_take_longer() -> None:
    """30 in a row; only the number of buffers that were asked for differs. Later calls take 5 % longer."""
    found = recorded("tracer")
    kinds = [Counter(one["kinds"]) for one in found["rounds"]]
    assert len(kinds) == 30
    for one in kinds:
        assert one.pop("overhead") in {3, 4}
    assert all(one == kinds[0] and one["kernel"] == CALLS for one in kinds)
    assert not any(one["notes"] or one["dropped"] for one in found["rounds"])
    after, before = (statistics.median(found[name]) for name in ("after_ns", "before_ns"))
    assert after / before == pytest.approx(1.05, abs=0.005)


def test_what_sessions_take() -> None:
    """64 of them 9.9 GB of the device and 64 MB of the process more than one."""
    first, *_, last = recorded("memory")
    assert (first["sessions"], last["sessions"]) == (1, 64)
    assert first["free_bytes"] - last["free_bytes"] == pytest.approx(9.9e9, rel=0.005)
    assert last["rss"] - first["rss"] == pytest.approx(64e6, rel=0.01)


def test_benchmarks_that_ran() -> None:
    """43 of 44, of which 31 counted as too short."""
    verdicts = Counter(one["verdict"]["kind"] for one in recorded("smoke")["benchmarks"])
    assert verdicts.total() == 44
    assert (verdicts["failed"], verdicts["too short"]) == (1, 31)


def test_what_is_executed() -> None:
    """Graphs of twelve networks."""
    assert len(recorded("lowered")) == 12


def test_what_was_counted_while_one_host_answered_all_questions() -> None:
    """It added the metrics of earlier ones: a single quantity, of 21 bytes per call, which cannot be."""
    counted = recorded("counters")["product"]
    assert counted["per_call"] == {"dram_read_bytes": pytest.approx(21, abs=0.5)}
    assert set(counted["missing"].values()) == {"this GPU cannot sample it in one pass"}


def test_what_is_counted_with_a_host_for_each_question() -> None:
    """All quantities in one pass: a product of 8192 x 8192 values of two bytes writes its result."""
    stages = recorded("counters_of_fresh_hosts")
    lines = {line.partition(" ")[0]: line.partition(" ")[2] for line in stages["context"]["out"].splitlines()}
    assert lines["plan"].startswith(str(sorted(METRICS)))
    assert lines["plan"].count("sum") == 3
    counts = ast.literal_eval(lines["counts"].partition(" expected")[0])
    nbytes = 2 * 8192**2
    assert counts["dram_write_bytes"] == pytest.approx(nbytes, rel=0.002)
    assert counts["dram_read_bytes"] > 2 * nbytes
    assert counts["occupancy"] == pytest.approx(0.148, abs=0.001)
    assert "Invalid device_index: 0" in stages["none"]["err"]  # which is why a context is held
