"""The published smoke suite with the oldest packages that the project allows; all other tests run with the newest."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.suite.suite_samples import ROOT, SMOKE, runnable_smoke
from tests.suite.test_recipes import RECIPES, data_of

OLD = ("onnxruntime", "onnx", "numpy", "msgspec")
"""Packages that make or decide what is in a suite; the others are those of the tests' environment."""


def oldest() -> dict[str, str]:
    """Give the lower bounds of ``pyproject.toml``; where they have no wheels for this Python, of the runtime alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = (*project["dependencies"], *project["optional-dependencies"]["cpu"])
    bounds = dict(one.split(">=") for one in asked)
    names = OLD if sys.version_info < (3, 13) else OLD[:1]
    return {name: bounds[name] for name in names}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which Python finds the oldest packages first."""
    folder = tmp_path_factory.mktemp("oldest")
    wanted = [f"{name}=={version}.*" for name, version in oldest().items()]
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--target", str(folder)]
    command = [sys.executable, "-m", "pip", "install", *options, *wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("pip took more than three minutes")
    if done.returncode:
        pytest.skip(f"pip cannot install {' '.join(wanted)} here: {done.stderr.strip().splitlines()[-1:]}")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def run(environment: dict[str, str], *arguments: str) -> str:
    """Run Python with the oldest packages; give what it writes."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_smoke_suite_runs(environment: dict[str, str], tmp_path: Path) -> None:
    """Every benchmark runs with the answer of the suite, in the oldest runtime."""
    run(
        environment,
        str(runnable_smoke(tmp_path / "smoke") / "run.py"),
        "-o",
        str(tmp_path / "result.json"),
        "--smoke",
        "--quiet",
    )
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert result["runtime"]["version"].startswith(f"{oldest()['onnxruntime']}.")
    assert {entry["status"] for entry in result["benchmarks"]} == {"ok"}
    assert not [entry for entry in result["benchmarks"] if "wrong" in json.dumps(entry["verdict"])]


def test_the_smoke_suite_is_rebuilt(environment: dict[str, str], tmp_path: Path) -> None:
    """Its recipe gives the same bytes."""
    (tmp_path / "recipes").mkdir()
    text = (RECIPES / "smoke.toml").read_text(encoding="utf-8")
    (tmp_path / "recipes" / "smoke.toml").write_text(re.sub(r'"\.\./', f'"{ROOT}/suites/', text), encoding="utf-8")
    shutil.copytree(SMOKE, tmp_path / "smoke", ignore=shutil.ignore_patterns("weights", "__pycache__"))
    run(environment, str(RECIPES / "build.py"), "--jobs", "1", str(tmp_path / "recipes" / "smoke.toml"))
    assert data_of(tmp_path / "smoke") == data_of(SMOKE)
