"""The plan for a GPU: every stage runs on a processor, leaves its files, and stops no other one."""

import importlib.util
import json
import os
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from kept_runs import read_runs, write_runs

ROOT = Path(__file__).resolve().parents[1]
PLAN = ROOT / "benchmarks" / "gpu" / "run.py"
POSSIBLE = {"fields", "libraries", "memory", "constants", "smoke", "networks", "cold", "lowered"}
"""Stages that find something on a processor, too."""


def plan(name: str = "run") -> ModuleType:
    """Give a module of the plan."""
    spec = importlib.util.spec_from_file_location(f"gpu_plan_{name}", PLAN.with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def dry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the plan on the processor, a little of everything."""
    out = tmp_path_factory.mktemp("plan")
    command = [sys.executable, str(PLAN), str(out), "--provider", "cpu", "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_stages_fit_into_forty_minutes() -> None:
    """Even if each takes all of its time."""
    assert sum(stage.limit_s for stage in plan().STAGES) <= 40 * 60


@pytest.mark.parametrize("name", [stage.name for stage in plan().STAGES])
def test_every_stage_runs_without_a_gpu(dry: Path, name: str) -> None:
    """Its outcome and its log are there; what is not possible on a processor says so."""
    outcome = json.loads((dry / f"{name}.outcome.json").read_text(encoding="utf-8"))
    log = (dry / f"{name}.log").read_text(encoding="utf-8")
    assert outcome["status"] == "ok", log
    assert "Traceback" not in log
    assert ("not here" in outcome["last"]) == (name not in POSSIBLE)


def test_files_hold_what_was_found(dry: Path) -> None:
    """Constants, results, errors of networks, lowered graphs and cold calls are data."""
    files: dict[str, Any] = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in dry.glob("*.json") if path.stat().st_size
    }
    assert files["constants.json"]["calls"][0]["call_ns"] > 0
    assert "cannot be traced" in files["constants.json"]["traced"]
    assert {entry["status"] for entry in files["smoke.result.json"]["benchmarks"]} >= {"ok"}
    kernel = files["constants.json"]["kernels"][0]["queue"]
    assert kernel["host_low_ns"] <= kernel["host_ns"] <= kernel["host_high_ns"]
    for one in files["cold.json"].values():
        assert min(one["warm_ns"] + one["cold_ns"]) > 0
        assert len(one["warm_ns"]) == len(one["cold_ns"]) > 4
        assert "no times of host and device" in one["parts_ns"]
    assert all(sum(counts.values()) > 10 for counts in files["lowered.json"].values())
    assert [entry["sessions"] for entry in files["memory.json"]] == [1, 8]
    assert files["networks.json"]
    assert len(files["tracer.json"]["before_ns"]) == len(files["tracer.json"]["after_ns"])


def test_parts_compose_warm_and_cold(dry: Path, tmp_path: Path) -> None:
    """Of a run that has times of host and device: cold, each sequence with weights takes what its constants cost."""
    stages = plan("stages")
    run = read_runs(dry / "runs")[stages.QUICK_NETWORK]
    times = dict.fromkeys(("host_ns", "host_low_ns", "host_high_ns"), 1_000)
    times |= dict.fromkeys(("device_ns", "device_low_ns", "device_high_ns"), 100_000)
    queue = {**times, "device_cold_ns": 130_000, "kernels": 1, "synchronises": False}
    benchmarks = [{**one, "queue": queue} if one["role"] == "sequence" else one for one in run.document["benchmarks"]]
    machine = {"call_ns": 1, "launch_lag_ns": 2, "synchronise_ns": 3, "kernel_gap_ns": 0, "cache_bytes": 1 << 40}
    document = {**run.document, "benchmarks": benchmarks, "queue": machine}
    write_runs(tmp_path / "runs.parquet", {stages.QUICK_NETWORK: replace(run, document=document)})
    found = stages.parts_in_states(tmp_path, stages.QUICK_NETWORK)
    steps = [one for one in run.facts.composition.steps if not one.free]
    weighty = sum(one.features is None or one.features.weight_bytes > 0 for one in steps)
    assert found["warm"] == len(steps) * 100_000 + 1_000 + 1 + 2
    assert found["cold"] == found["warm"] + 30_000 * weighty
    assert 0 < weighty <= len(steps)


def test_a_wheel_travels_in_pieces(tmp_path: Path) -> None:
    """By the two commands of the plan's page, with a made file; a piece that is missing is told."""
    lines = (PLAN.parent / "README.md").read_text(encoding="utf-8").splitlines()
    split, join = (next(line.strip() for line in lines if word in line) for word in ("&& split -b", "cat piece."))
    wheel, content = tmp_path / "onnxruntime_gpu-1.2.3-made.whl", bytes(range(256)) * 1000
    wheel.write_bytes(content)

    def shell(command: str) -> int:
        environment = {**os.environ, "PIECE": "100K"}
        return subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, check=False).returncode

    assert shell(split) == 0
    pieces = sorted(tmp_path.glob("piece.*"))
    assert [one.stat().st_size for one in pieces] == [102_400, 102_400, 51_200]
    wheel.unlink()
    assert shell(join) == 0
    assert wheel.read_bytes() == content
    pieces[1].unlink()
    assert shell(join) != 0


def test_a_stage_that_hangs_is_ended_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At its limit; its outcome is there, it is not run again unless that is asked for."""
    module = plan()
    given = Namespace(out=tmp_path, provider="cpu", quick=True, again=False)
    hanging = module.Stage("networks", 0.05, "takes longer")
    assert module.outcome(hanging, given)["status"] == "failed"
    assert json.loads((tmp_path / "networks.outcome.json").read_text(encoding="utf-8"))["status"] == "failed"
    capsys.readouterr()
    assert module.outcome(hanging, given)["status"] == "failed"
    assert capsys.readouterr().out == "networks: failed before\n"
    given.again = True
    quick = module.Stage("fields", 60, "takes a moment")
    assert module.outcome(quick, given)["status"] == "ok"
    assert module.outcome(quick, given)["status"] == "ok"
