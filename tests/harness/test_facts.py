"""Facts: plain JSON, nothing that names a machine's owner, and no crash where there is no /proc."""

import getpass
import json
import platform
import socket
from pathlib import Path
from typing import Any

import pytest

from dlbricks.harness.machine import cpu, facts
from dlbricks.harness.machine.cpu import instruction_set
from dlbricks.harness.machine.facts import available_bytes, system_facts, system_name


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
    ("model", "cores", "gpus", "name"),
    [
        ("AMD EPYC", 2, [], "amd-epyc-2c"),
        ("AMD EPYC 7763 64-Core Processor", 64, [], "amd-epyc-7763-64c"),
        ("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", 32, [], "intel-xeon-platinum-8370c-32c"),
        ("Apple M2", 8, [], "apple-m2-8c"),
        ("Intel(R) Core(TM) i7", None, [{"name": "NVIDIA H200"}], "intel-core-i7-16c-nvidia-h200"),
    ],
)
def test_names_are_short_and_plain(model: str, cores: int | None, gpus: list[dict[str, Any]], name: str) -> None:
    """Maker, model, cores, GPU; no marks, no clock."""
    assert system_name({"cpu": {"model": model, "cores": cores, "threads": 16}, "gpus": gpus}) == name
