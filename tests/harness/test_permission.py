"""Why kernels cannot be traced: every case is named, with what to do and what is still possible."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dlbricks.harness.trace.permission import REMAINS, Circumstances, explained, reason
from dlbricks.profile.gpu_counters import permission_line


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (Circumstances(cupti=None, driver=None), "there is no CUDA driver"),
        (Circumstances(cupti="13.4.0", driver=None), "there is no CUDA driver"),
        (Circumstances(cupti=None, driver=13000), "cupti-python is not installed"),
        (Circumstances(cupti=None, driver=12040), "'cupti-python==12.*'"),
        (Circumstances(cupti="13.4.0", driver=12080), "too old: it knows CUDA 12.8"),
        (Circumstances(cupti="13.4.0", driver=13000, start=100), "finds no GPU"),
        (Circumstances(cupti="13.4.0", driver=13000, start=803), "restart the machine"),
        (Circumstances(cupti="13.4.0", driver=13000, start=12345), "error 12345"),
        (
            Circumstances(cupti="13.4.0", driver=13000, subscription="ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"),
            "another profiler",
        ),
        (Circumstances(cupti="13.4.0", driver=13000, subscription="ERROR_NOT_INITIALIZED"), "update the NVIDIA driver"),
        (Circumstances(cupti="13.4.0", driver=13000, subscription="ERROR_INSUFFICIENT_PRIVILEGES"), "SYS_ADMIN"),
        (Circumstances(cupti="13.4.0", driver=13000, subscription="ERROR_SOMETHING_NEW"), "ERROR_SOMETHING_NEW"),
    ],
)
def test_every_case_is_named(here: Circumstances, said: str) -> None:
    """One line: what, what to do, and what remains possible."""
    found = reason(here)
    assert found is not None
    assert said in found
    assert found.endswith(REMAINS)
    assert "\n" not in found


def test_nothing_is_said_where_all_is_well() -> None:
    """A newer driver serves an older CUPTI."""
    assert reason(Circumstances(cupti="13.4.0", driver=13000)) is None
    assert reason(Circumstances(cupti="12.8.0", driver=13020)) is None


def test_every_known_error_is_one_of_cupti() -> None:
    """The names that are explained are names that CUPTI has; an error is explained by its status."""
    cupti = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")
    from dlbricks.harness.trace import permission

    assert set(permission._STATUSES) <= {member.name for member in cupti.Result}
    assert "another profiler" in explained(cupti.cuptiError(cupti.Result.ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED))
    assert explained(RuntimeError("odd")) == "CUPTI answers RuntimeError: odd"


def test_permission_of_counters() -> None:
    """The module's own parameter decides who is to be asked."""
    assert "NVreg_RestrictProfilingToAdminUsers=0" in permission_line("RmProfilingAdminOnly: 1\n")
    assert "NVreg_RestrictProfilingToAdminUsers=0" in permission_line(None)
    assert "ask its owner" in permission_line("Foo: 1\nRmProfilingAdminOnly: 0\n")


DRIVER = """
int cuInit(unsigned flags) { return %d; }
int cuDriverGetVersion(int *version) { *version = %d; return 0; }
"""


@pytest.mark.parametrize(
    ("start", "version", "said"),
    [(0, 12020, "too old: it knows CUDA 12.2"), (100, 13000, "finds no GPU"), (0, 13000, "the CUDA driver fails")],
)
def test_drivers_that_do_not_serve(tmp_path: Path, start: int, version: int, said: str) -> None:
    """A driver is asked as it lies in the system: its age, whether it starts, whether CUPTI gets on with it."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to build a driver that refuses")
    pytest.importorskip("cupti", reason="cupti-python is not installed")
    source = tmp_path / "driver.c"
    source.write_text(DRIVER % (start, version))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source], check=True)
    code = "from dlbricks.harness.trace.permission import why_not; print(why_not())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in done.stdout
    assert done.stdout.count("\n") == 1
