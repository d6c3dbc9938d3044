"""The tracer of GPU activities: what it makes of records, and what it says where it cannot trace."""

import importlib.util
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.trace.activities import Kind
from dlbricks.harness.trace.cupti import ActivityTracer, activities_of, read_clock, why_not
from tests.suite.suite_samples import ROOT


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(0, 50), st.integers(1, 9)), max_size=30))
def test_activities_come_in_order_and_none_is_lost(drawn: list[tuple[int, int, int]]) -> None:
    """Starts ascend; of equal starts the longer comes first, as a parent before its child."""
    rows = [
        (Kind.RUNTIME, {"start": start, "end": start + length, "correlation_id": correlation})
        for start, length, correlation in drawn
    ]
    found, notes = activities_of(rows)
    assert (len(found), notes) == (len(rows), ())
    assert [(one.start_ns, -one.end_ns) for one in found] == sorted((s, -s - length) for s, length, _ in drawn)


def test_what_cannot_be_used_is_told() -> None:
    """Records without times, ended or not, and of an unknown layout are counted in notes, not guessed."""
    rows: list[tuple[int, dict[str, Any]]] = [
        (Kind.CONCURRENT_KERNEL, {"start": 10, "end": 0, "name": "still running"}),
        (Kind.CONCURRENT_KERNEL, {"start": 0, "end": 0, "name": "no times"}),
        (Kind.MEMSET, {"end": 5}),
        (Kind.MEMSET, {"start": 10, "end": 20, "bytes": 4}),
    ]
    found, notes = activities_of(rows)
    assert [one.kind for one in found] == ["memset"]
    assert len(notes) == 2
    assert any(note.startswith("records of kind MEMSET without field start (1) were left out") for note in notes)
    assert any(note.startswith("activities of kind kernel (2) have no times") for note in notes)


def test_clocks_are_compared() -> None:
    """A clock that is another by a constant is read back to within what is said to be uncertain."""
    clock = read_clock(lambda: time.perf_counter_ns() - 10**12)
    assert abs(clock.perf_counter_offset_ns - 10**12) <= clock.uncertainty_ns
    before, now, after = time.time_ns(), time.perf_counter_ns() - 10**12, time.time_ns()
    assert before - 10**9 < now + clock.unix_offset_ns < after + 10**9


def test_where_it_cannot_trace_it_says_why() -> None:
    """Starting is refused with the reason and the code of something missing; stopping what was not started, too."""
    reason = why_not()
    if reason is None:
        pytest.skip("kernels can be traced here")
    tracer = ActivityTracer()
    with pytest.raises(HarnessError) as refused:
        tracer.start()
    assert (str(refused.value), refused.value.exit_code) == (reason, MISSING)
    assert "\n" not in reason
    assert "layers can be traced" in reason


def test_stopping_needs_a_start() -> None:
    """A tracer that was not started has nothing to give."""
    pytest.importorskip("cupti", reason="cupti-python is not installed")
    with pytest.raises(HarnessError, match="not started"):
        ActivityTracer().stop()


cupti = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")


def differences(*folders: Path) -> list[str]:
    """Give the release that Python finds first and what differs in it."""
    path = os.pathsep.join([*map(str, folders), str(ROOT)])
    command = [sys.executable, "-m", "tests.harness.cupti_contract"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_the_newest_release() -> None:
    """Names, numbers, fields of records and arguments are those of the installed release."""
    assert len(differences()) == 1


def test_what_is_missing_is_found(tmp_path: Path) -> None:
    """A release that renames a function, a number and a field is told from one that does not."""
    changed = (
        "del cupti.activity_flush_all; cupti.ActivitySynchronizationType = (); cupti.activity_api_dtype = dtype('i4')"
    )
    changed += "; cupti.MetricType = (); del cupti.device_get_chip_name"
    text = f"from cupti import cupti; from numpy import dtype; {changed}"
    (tmp_path / "sitecustomize.py").write_text(text, encoding="utf-8")
    found = differences(tmp_path)[1:]
    assert "cupti.cupti.activity_flush_all is missing" in found
    assert "ActivitySynchronizationType(1) is None" in found
    assert "RUNTIME has no field cbid" in found
    if importlib.util.find_spec("cupti.pm_sampling") is not None:
        assert "cupti.MetricType has no COUNTER" in found
        assert "cupti.cupti.device_get_chip_name is missing" in found


EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
OLDEST = next(one.removeprefix("cupti-python>=") for one in EXTRAS["cuda"] if one.startswith("cupti-python"))


@pytest.mark.parametrize("release", [OLDEST, "13.3"])
def test_older_releases(release: str, tmp_path: Path) -> None:
    """So they are in the oldest release that ``pyproject.toml`` allows, but for sampling, and in the first with it."""
    wanted = f"cupti-python=={release}.*"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--target", str(tmp_path), wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("pip took more than two minutes")
    if done.returncode:
        pytest.skip(f"pip cannot install {wanted} here: {done.stderr.strip().splitlines()[-1:]}")
    release, *found = differences(tmp_path)
    assert release.startswith(wanted.removeprefix("cupti-python==").removesuffix("*"))
    assert found == []
