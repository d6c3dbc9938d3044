"""The visit to a GPU machine: it fits into nine minutes, and runs on a processor where no GPU is needed."""

import importlib.util
import os
import re
import shlex
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import click
import pytest

from dlbricks.cli.app import main

ROOT = Path(__file__).resolve().parents[1]
GPU = ROOT / "benchmarks" / "gpu"
VISIT = GPU / "visit.sh"
STAGES = re.findall(r"^stage (\w+) (\d+) ", VISIT.read_text(encoding="utf-8"), flags=re.MULTILINE)


def visit(out: Path, *options: str, python: Path = Path(sys.executable)) -> list[list[str]]:
    """Run the script; give the name and the exit code of each stage."""
    environment = {**os.environ, "PYTHON": str(python)}
    subprocess.run(["bash", VISIT, out, *options], capture_output=True, check=False, env=environment)
    return [line.split() for line in (out / "outcomes").read_text(encoding="utf-8").splitlines()]


def test_the_stages_fit_into_nine_minutes() -> None:
    """Even if each takes all of its time, and is killed three seconds later."""
    assert sum(int(limit) + 3 for _, limit in STAGES) <= 9 * 60


@pytest.mark.parametrize("options", [("cuda",), ("cpu", "quick")])
def test_commands_of_all_stages_have_options_that_exist(options: tuple[str, ...], tmp_path: Path) -> None:
    """With an interpreter that only writes down what it is called with."""
    python, calls = tmp_path / "python", tmp_path / "calls"
    python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {calls}\n', encoding="utf-8")
    python.chmod(0o755)
    outcomes = visit(tmp_path / "out", *options, python=python)
    assert [name for name, _ in outcomes] == [name for name, _ in STAGES]
    lines = [shlex.split(line) for line in calls.read_text(encoding="utf-8").splitlines()]
    commands = [line[2:] for line in lines if line[:2] == ["-m", "dlbricks"]]
    for command in commands:
        found: click.Command | None = main
        rest, context = command, click.Context(main, **main.context_settings)
        while isinstance(found, click.Group):
            name, found, rest = found.resolve_command(context, rest)
        assert found is not None
        found.make_context(name, rest, parent=context)
    names = {command[0] for command in commands}
    assert names >= {"doctor", "profile", "analyse", "export", "whatif", "run", "validate", "llm"}


def test_a_dry_run_leaves_logs_and_files(tmp_path: Path) -> None:
    """Some stages on the processor, a little of each; what is packed is what lies there."""
    stages = ["session", "analyse", "smoke"]
    outcomes = visit(tmp_path / "out", "cpu", "quick", *stages)
    logs = {name: (tmp_path / "out" / "files" / f"{name}.log").read_text(encoding="utf-8") for name in stages}
    assert outcomes == [["session", "0"], ["analyse", "2"], ["smoke", "0"]], logs
    assert "the provider opens a session" in logs["session"]
    assert "convolutions.json.gz" in logs["analyse"]  # which another stage would have written
    assert "0 errors" in logs["smoke"]
    with tarfile.open(tmp_path / "out" / "visit.tar.gz") as packed:
        assert {"files/analyse.log", "files/smoke.json", "outcomes"} <= set(packed.getnames())


def test_code_of_other_architectures_becomes_zeros() -> None:
    """Of a library with two fat binaries, and the magic number by chance; its length stays."""
    spec = importlib.util.spec_from_file_location("strip_ep", GPU / "strip_ep.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def entry(architecture: int, payload: bytes) -> bytes:
        return struct.pack("<HHIQIIHHI", 2, 257, 32, len(payload), 0, 0, 0, 0, architecture) + payload

    def fat(*entries: bytes) -> bytes:
        return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(b"".join(entries))) + b"".join(entries)

    library = b"ELF" + fat(entry(80, b"a" * 40), entry(90, b"b" * 48)) + struct.pack("<I", 0xBA55ED50) + b"c" * 9
    library += fat(entry(75, b"d" * 8))
    data, kept, zeroed = module.stripped(library, 90)
    assert (kept, zeroed) == (48, 48)
    assert data == library.replace(b"a" * 40, bytes(40)).replace(b"d" * 8, bytes(8))


def test_a_packed_visit_finds_plug_ins(tmp_path: Path) -> None:
    """Unpacked wheels lie beside the benchmarks, and entry points of packages are found as if they were installed."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    library = (
        struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 33) + struct.pack("<HHIQIIHHI", 2, 257, 32, 1, 0, 0, 0, 0, 90) + b"x"
    )
    with zipfile.ZipFile(wheels / "onnxruntime_gpu-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("onnxruntime/capi/libonnxruntime_providers_cuda.so", library)
    with zipfile.ZipFile(wheels / "plugin-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("plugin-1.dist-info/METADATA", "Name: plugin\nVersion: 1\n")
        wheel.writestr("plugin-1.dist-info/entry_points.txt", "[dlbricks.commands]\nmine = plugin:mine\n")
    subprocess.run(["bash", GPU / "pack.sh", wheels, "90", tmp_path / "packed", "1"], check=True, capture_output=True)
    there = "cat piece.* > visit.tar.xz && sha256sum -c visit.sha256 && tar -xJf visit.tar.xz"
    subprocess.run(["sh", "-c", there], cwd=tmp_path / "packed", check=True, capture_output=True)
    code = "from importlib.metadata import entry_points; print(*entry_points(group='dlbricks.commands').names)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "packed" / "site")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "mine" in done.stdout.split()
    assert (tmp_path / "packed" / "dlbricks" / "benchmarks" / "gpu" / "visit.sh").exists()
