"""What the harness uses of cupti-python is there, in the newest release and in the oldest that is allowed."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.suite.suite_samples import ROOT

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
    changed = "del cupti.activity_flush_all; cupti.ActivityEnvironmentKind = (); cupti.activity_api_dtype = dtype('i4')"
    text = f"from cupti import cupti; from numpy import dtype; {changed}"
    (tmp_path / "sitecustomize.py").write_text(text, encoding="utf-8")
    found = differences(tmp_path)[1:]
    assert "cupti.cupti.activity_flush_all is missing" in found
    assert "ActivityEnvironmentKind(1) is None" in found
    assert "RUNTIME has no field cbid" in found


def test_the_oldest_release(tmp_path: Path) -> None:
    """So they are in the oldest release that ``pyproject.toml`` allows, but for sampling."""
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = next(one for one in extra["cuda"] if one.startswith("cupti-python")).replace(">=", "==") + ".*"
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
