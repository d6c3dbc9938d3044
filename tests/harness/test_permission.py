"""Why kernels cannot be traced: every case is named, with what to do and what is still possible."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dlbricks.harness.errors import MISSING
from dlbricks.harness.trace.cupti import REMAINS, CuptiStatus, explain, reason
from dlbricks.profile.counters import permission_line
from tests.suite.suite_samples import ROOT

IMPATIENT = "from dlbricks.harness.trace import cupti; cupti._STARTS_WITHIN_S = 1"
"""What every process begins with where the driver sleeps."""


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (CuptiStatus(cupti=None, driver=None), "the CUDA driver (libcuda.so.1) is missing"),
        (CuptiStatus(cupti="13.4.0", driver=None), "the CUDA driver (libcuda.so.1) is missing"),
        (CuptiStatus(cupti=None, driver=13000), "cupti-python is not installed"),
        (CuptiStatus(cupti=None, driver=12040), "'cupti-python==12.*'"),
        (CuptiStatus(cupti="13.4.0", driver=12080), "too old: it has CUDA 12.8"),
        (CuptiStatus(cupti="13.4.0", driver=13000, start=100), "finds no GPU"),
        (CuptiStatus(cupti="13.4.0", driver=13000, start=803), "restart the machine"),
        (CuptiStatus(cupti="13.4.0", driver=13000, start=12345), "error 12345"),
        (
            CuptiStatus(cupti="13.4.0", driver=13000, subscription="ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"),
            "another profiler",
        ),
        (CuptiStatus(cupti="13.4.0", driver=13000, subscription="ERROR_NOT_INITIALIZED"), "update the NVIDIA driver"),
        (CuptiStatus(cupti="13.4.0", driver=13000, subscription="ERROR_INSUFFICIENT_PRIVILEGES"), "SYS_ADMIN"),
        (CuptiStatus(cupti="13.4.0", driver=13000, subscription="ERROR_SOMETHING_NEW"), "ERROR_SOMETHING_NEW"),
    ],
)
def test_every_case_is_named(here: CuptiStatus, said: str) -> None:
    """One line: what, what to do, and what remains possible."""
    found = reason(here)
    assert found is not None
    assert said in found
    assert found.endswith(REMAINS)
    assert "\n" not in found


def test_nothing_is_said_where_all_is_well() -> None:
    """A newer driver serves an older CUPTI."""
    assert reason(CuptiStatus(cupti="13.4.0", driver=13000)) is None
    assert reason(CuptiStatus(cupti="12.8.0", driver=13020)) is None


def test_every_known_error_is_one_of_cupti() -> None:
    """The names that are explained are names that CUPTI has; an error is explained by its status."""
    cupti = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")
    from dlbricks.harness.trace import cupti as tracer

    assert set(tracer._STATUSES) <= {member.name for member in cupti.Result}
    assert "another profiler" in explain(cupti.cuptiError(cupti.Result.ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED))
    assert explain(RuntimeError("odd")) == "CUPTI fails with RuntimeError: odd"


def test_permission_of_counters() -> None:
    """The module's own parameter decides who is to be asked."""
    assert "NVreg_RestrictProfilingToAdminUsers=0" in permission_line("RmProfilingAdminOnly: 1\n")
    assert "NVreg_RestrictProfilingToAdminUsers=0" in permission_line(None)
    assert "ask its owner" in permission_line("Foo: 1\nRmProfilingAdminOnly: 0\n")


NO_VERSION = "int cuInit(unsigned flags) { return 0; }"
DRIVER = """
#include <unistd.h>
int cuDriverGetVersion(int *version) { *version = %d; return %d; }
int cuInit(unsigned flags) { %s; }
"""
DRIVERS = [
    (DRIVER % (12020, 0, "return 0"), "too old: it has CUDA 12.2"),
    (DRIVER % (13000, 0, "return 100"), "finds no GPU"),
    (DRIVER % (13000, 0, "return 0"), "the CUDA driver fails"),
    (DRIVER % (13000, 999, "return 999"), "does not report its version"),
    (NO_VERSION, "does not report its version"),
    (DRIVER % (13000, 0, "return *(volatile int *)0"), "crashes the process that starts it (SIGSEGV)"),
    (DRIVER % (13000, 0, "_exit(3); return 0"), "does not start"),
    (DRIVER % (13000, 0, "sleep(600); return 0"), "did not start within 1 s"),
    (
        NO_VERSION.replace("cuInit", "cuDriverGetVersion(int *version) { *version = 13000; return 0; } int f"),
        "no cuInit",
    ),
]


@pytest.mark.parametrize(("source", "said"), DRIVERS)
def test_drivers_that_do_not_serve(source: str, said: str, tmp_path: Path) -> None:
    """A driver is asked as it lies in the system: doctor says in a line what is wrong, and all else; a run refuses."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to build a driver that refuses")
    pytest.importorskip("cupti", reason="cupti-python is not installed")
    (tmp_path / "driver.c").write_text(source)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", tmp_path / "driver.c"], check=True)
    (tmp_path / "sitecustomize.py").write_text(IMPATIENT if "sleep" in source else "")
    path = {"LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}

    def dlbricks(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dlbricks", *arguments]
        return subprocess.run(command, env=os.environ | path, capture_output=True, text=True, check=False)

    done = dlbricks("doctor", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    findings = {one["subject"]: f"{one['found']}: {one['advice']}" for one in json.loads(done.stdout)["findings"]}
    assert said in findings["kernel tracing"]
    assert said in findings["GPU counters"]
    assert "onnxruntime" in findings["runtime"]
    if "SIGSEGV" not in said:
        return
    refused = dlbricks("run", str(ROOT / "suites" / "smoke"), "--trace", "MLK", "-o", str(tmp_path / "result.json"))
    assert refused.returncode == MISSING
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not (tmp_path / "result.json").exists()
