"""Facts of a machine: plain JSON, nothing that names an owner; small blocks of memory held; clocks between calls."""

import getpass
import json
import mmap
import os
import platform
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness import cpu
from dlbricks.harness import machine as facts
from dlbricks.harness.cpu import instruction_set
from dlbricks.harness.machine import (
    MOST_BYTES,
    WHOLE_BLOCK_BYTES,
    available_bytes,
    scattered_bytes,
    small_blocks_held,
    system_facts,
    system_name,
)


def test_facts_are_plain_json_and_name_this_machine() -> None:
    """Finite numbers, texts, lists; what decides speed is known on Linux."""
    found = system_facts()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["timer_ns"] >= 1
    assert found["cpu"]["instruction_set"] == instruction_set()
    if platform.system() == "Linux":
        assert found["cpu"]["model"]
        assert found["memory"]["total_bytes"] > 1 << 20
        assert found["load"]["steal_s"] >= 0
        assert found["cpu"]["usable"] >= 1


def test_facts_tell_no_names() -> None:
    """Neither host nor user nor home."""
    text = json.dumps(system_facts())
    for secret in (socket.gethostname(), str(Path.home())):
        assert f'"{secret}"' not in text
    assert f'"{getpass.getuser()}"' not in text


def zone(root: Path, number: str, name: str, energy_uj: int | None, limit_uj: int = 999_999) -> None:
    """Write the files of a counter of RAPL, as Linux lists them."""
    folder = root / f"intel-rapl:{number}"
    folder.mkdir(exist_ok=True)
    (folder / "name").write_text(f"{name}\n", encoding="utf-8")
    (folder / "max_energy_range_uj").write_text(f"{limit_uj}\n", encoding="utf-8")
    (folder / "energy_uj").unlink(missing_ok=True)
    if energy_uj is not None:
        (folder / "energy_uj").write_text(f"{energy_uj}\n", encoding="utf-8")


def test_power_is_that_of_all_packages(tmp_path: Path) -> None:
    """Also where a counter starts again; cores and the platform, which packages are parts of, do not count twice."""
    zone(tmp_path, "0", "package-0", 200_000)
    zone(tmp_path, "0:0", "core", 5)
    zone(tmp_path, "1", "package-1", 900_000)
    zone(tmp_path, "2", "psys", 5)
    counter = facts.EnergyCounter(root=tmp_path)
    assert counter.source == "RAPL package, with all else that runs on it"
    before = counter.now()
    before[0] -= 10**9
    zone(tmp_path, "0", "package-0", 500_000)
    zone(tmp_path, "1", "package-1", 100_000)
    power_mw = counter.power_mw(before)
    most_ns = time.perf_counter_ns() - before[0]
    assert power_mw is not None
    assert 500_000e6 / most_ns - 1 <= power_mw <= 500
    before = counter.now()
    before[0] += 10**9
    assert counter.power_mw(before) is None, "fewer than ten updates ago"
    before[0] -= 2 * 10**9
    zone(tmp_path, "0", "package-0", None)
    assert counter.power_mw(before) is None


def test_without_a_counter_the_reason_is_told(tmp_path: Path) -> None:
    """There is none, or only root may read it."""
    counter = facts.EnergyCounter(root=tmp_path / "none")
    assert counter.source == f"absent: {tmp_path / 'none'} has no RAPL package"
    assert counter.power_mw(counter.now()) is None
    zone(tmp_path, "0", "package-0", None)
    assert facts.EnergyCounter(root=tmp_path).source == f"absent: only root may read RAPL in {tmp_path}"


def without_proc(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """Make the machine look like one that has none of the files."""
    for module in (cpu, facts):
        monkeypatch.setattr(module, "read", lambda _: None)
        monkeypatch.setattr(module, "read_int", lambda _: None)
        monkeypatch.setattr(module, "command", lambda *_: None)
    monkeypatch.setattr(platform, "system", lambda: system)


@pytest.mark.parametrize("system", ["Linux", "Darwin", "Windows", "Plan9"])
def test_what_is_not_known_is_none(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No fact is needed; the name falls back on the machine."""
    without_proc(monkeypatch, system)
    found = system_facts()
    assert json.dumps(found, allow_nan=False)
    assert found["cpu"]["governor"] is None
    assert found["memory"]["total_bytes"] is None
    assert found["gpus"] == []
    assert system_name(found)
    assert available_bytes() is None
    assert len(instruction_set()) == 1 + (system == "Darwin" and platform.machine() == "arm64")


@pytest.mark.parametrize(
    ("model", "numbers", "cores", "gpus", "name"),
    [
        ("AMD EPYC", ("25", "17"), 2, [], "amd-epyc-f25-m17-2c"),
        ("AMD EPYC 7763 64-Core Processor", ("25", "1"), 64, [], "amd-epyc-7763-64c"),
        ("Intel(R) Xeon(R) Processor", ("6", "143"), 2, [], "intel-xeon-f6-m143-2c"),
        ("Intel(R) Xeon(R) CPU @ 2.60GHz", ("6", "207"), 2, [], "intel-xeon-f6-m207-2c"),
        ("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", ("6", "106"), 32, [], "intel-xeon-platinum-8370c-32c"),
        ("Apple M2", (None, None), 8, [], "apple-m2-8c"),
        ("Intel(R) Core(TM) i7", ("6", "94"), None, [{"name": "NVIDIA H200"}], "intel-core-i7-16c-nvidia-h200"),
    ],
)
def test_names_are_short_and_plain(
    model: str, numbers: tuple[str | None, str | None], cores: int | None, gpus: list[dict[str, Any]], name: str
) -> None:
    """Maker, model, cores, GPU; no marks, no clock. A hidden model is its numbers instead."""
    family, number = numbers
    cpu = {"model": model, "family": family, "model_number": number, "cores": cores, "threads": 16}
    assert system_name({"cpu": cpu, "gpus": gpus}) == name


BUDDYINFO = Path("/proc/buddyinfo")
SLACK = 1 << 26


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=11, max_size=11), max_size=4), st.lists(st.integers(0, 10**6)))
def test_what_is_scattered_is_all_free_memory_in_small_blocks(zones: list[list[int]], kept: list[int]) -> None:
    """Zone by zone and size by size, and what each processor keeps; blocks of 64 KiB and more are none of it."""
    text = "".join(f"Node 0, zone {index:>8} {' '.join(map(str, counts))}\n" for index, counts in enumerate(zones))
    small = [(4096 << order) * count for counts in zones for order, count in enumerate(counts) if order < 4]
    assert WHOLE_BLOCK_BYTES == 4096 << 4
    lists = "".join(f"    cpu: {index}\n              count:    {pages}\n" for index, pages in enumerate(kept))
    own = f"  pages free     3840\n  pagesets\n{lists}              high:     7\n"
    assert scattered_bytes(text, own) == sum(small) + 4096 * sum(kept)


@pytest.mark.skipif(not BUDDYINFO.exists(), reason="this system does not tell of its free blocks")
def test_what_is_held_is_taken_and_given_back() -> None:
    """Pages that are only promised would fill no gap: what is held is there, within limits, and then no more."""
    before, processors = _resident_bytes(), os.sched_getaffinity(0)
    with small_blocks_held() as held:
        during = _resident_bytes()
    assert os.sched_getaffinity(0) == processors
    assert held <= MOST_BYTES
    assert during - before >= held - SLACK
    assert _resident_bytes() <= before + SLACK


@pytest.mark.skipif(not BUDDYINFO.exists(), reason="this system does not tell of its free blocks")
def test_nothing_is_held_after_the_time_for_it() -> None:
    """A run with a short budget would else spend all of it on the preparation of memory."""
    with small_blocks_held(within_ns=0) as held:
        assert held == 0
    began = time.perf_counter()
    with small_blocks_held(within_ns=20_000_000) as held:
        took = time.perf_counter() - began
    assert held <= MOST_BYTES
    assert took < 2, "a busy machine may be late, but not by the seconds that gigabytes take"


def _resident_bytes() -> int:
    """Give the memory of this process that is there and not only promised."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE


GRAPH = Path(__file__).parents[2] / "dlbricks" / "harness" / "graphs" / "identity.onnx"
SESSION = f"""
import onnxruntime
onnxruntime.InferenceSession({str(GRAPH)!r}, providers=["CPUExecutionProvider"])
"""


@pytest.mark.parametrize("first", ["import dlbricks", "import dlbricks.harness.session"])
def test_the_runtime_reports_nothing(tmp_path: Path, first: str) -> None:
    """A session of onnxruntime leaves no number of the machine and no report to be sent in the user's folders."""
    environment = {name: text for name, text in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-B", "-c", first + SESSION], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_whoever_wants_reports_is_obeyed() -> None:
    """What the user has set stays."""
    code = "import dlbricks, os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": "0"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "0"
