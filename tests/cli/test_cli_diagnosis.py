import copy
import dataclasses
import importlib.util
import sys
import types
from typing import Any

import pytest

from dlbricks.api.diagnosis import Diagnosis, diagnose
from dlbricks.harness.trace import cupti as tracer
from tests.cli.invoking import Run

HERE = diagnose()


def changed(**facts: Any) -> Diagnosis:
    """Give this machine with some facts replaced; ``a__b`` is the entry ``b`` of ``a``."""
    made = copy.deepcopy(HERE.facts)
    for path, value in facts.items():
        *groups, key = path.split("__")
        place = made
        for group in groups:
            place = place[group]
        place[key] = value
    return dataclasses.replace(HERE, facts=made)


def level(machine: Diagnosis, subject: str) -> str:
    """Give the level of the finding on a subject."""
    return next(finding.level for finding in machine.conditions if finding.subject == subject)


@pytest.mark.parametrize(
    ("facts", "subject", "expected"),
    [
        ({"cpu__governor": "powersave"}, "governor", "warning"),
        ({"cpu__governor": "performance"}, "governor", "good"),
        ({"cpu__governor": None}, "governor", "note"),
        ({"cpu__turbo": True}, "turbo", "note"),
        ({"cpu__turbo": False}, "turbo", "good"),
        ({"cpu__smt": True}, "SMT", "note"),
        ({"cpu__usable": 8, "load__average": [6.0, 1.0, 1.0]}, "load", "warning"),
        ({"cpu__usable": 8, "load__average": [0.1, 1.0, 1.0]}, "load", "good"),
        ({"cpu__hypervisor": True}, "virtual", "note"),
        ({"container": "docker"}, "container", "note"),
        ({"cpu__usable": 8, "cpu_limit": 1.5}, "cpu limit", "warning"),
        ({"timer_ns": 100_000}, "timer", "warning"),
        ({"timer_ns": 40}, "timer", "good"),
        ({"memory__available_bytes": 2**29}, "memory", "warning"),
        ({"memory__swap_used_bytes": 2**29}, "swap", "note"),
        ({"gpus": []}, "GPU", "note"),
        ({"gpus": [{"name": "H200", "driver": "1"}]}, "CUDA provider", "warning"),
    ],
)
def test_what_disturbs_is_seen(facts: dict[str, Any], subject: str, expected: str) -> None:
    """Each fact that disturbs measuring becomes a finding of the right level."""
    machine = dataclasses.replace(
        changed(**facts),
        providers=("CPUExecutionProvider",),
    )
    assert level(machine, subject) == expected


def test_little_disk_and_checks_of_plug_ins() -> None:
    """Space is looked at, too, and what plug-ins found is among the findings."""
    machine = dataclasses.replace(HERE, free_disk_bytes=2**20)
    assert level(machine, "disk") == "warning"
    assert level(machine, "OpenVINO") == ("good" if importlib.util.find_spec("openvino") else "note")


def test_every_warning_has_advice() -> None:
    """A warning without advice would only worry."""
    machine = dataclasses.replace(
        changed(cpu__governor="ondemand", cpu__usable=2, cpu_limit=1.0, load__average=[9.0, 9.0, 9.0], timer_ns=10**6),
        free_disk_bytes=0,
    )
    warnings = [finding for finding in machine.conditions if finding.level == "warning"]
    assert len(warnings) >= 5
    assert all(finding.advice for finding in warnings)


@pytest.mark.parametrize("subject", ["kernel tracing", "GPU counters", "CPU counters"])
def test_what_tracing_can_use_is_told(subject: str) -> None:
    """What is permitted is good; what is not is a note that says why and how to permit it."""
    permitted = dataclasses.replace(HERE, missing=dict.fromkeys(HERE.missing))
    refused = dataclasses.replace(HERE, missing=dict.fromkeys(HERE.missing, "not readable: only root may: run as root"))
    assert level(permitted, subject) == "good"
    found = next(finding for finding in refused.conditions if finding.subject == subject)
    assert (found.level, found.state, found.advice) == ("note", "not readable: only root may", "run as root")


def test_this_machine_says_what_it_permits() -> None:
    """Every reason of this machine comes with advice."""
    assert all(reason is None or ": " in reason for reason in HERE.missing.values())


def test_roofs_need_their_provider(dlbricks: Run) -> None:
    """What cannot be measured is refused with the providers that there are; nothing else is measured in its place."""
    result = dlbricks("doctor", "--roofs", "--provider", "nobody", code=3)
    assert "nobody" in result.stderr
    assert "cpu" in result.stderr


BOTH = {"onnxruntime": "1.32.0", "onnxruntime-gpu": "1.31.1"}


def test_packages_that_are_one_module_are_told() -> None:
    """Two builds of onnxruntime overwrite each other: both are named, and what to remove; one build is no finding."""
    mixed = dataclasses.replace(HERE, packages=BOTH).conditions
    found = next(finding for finding in mixed if finding.subject == "packages")
    assert found.level == "warning"
    assert "onnxruntime 1.32.0 and onnxruntime-gpu 1.31.1 install the same module" in found.state
    assert "pip uninstall onnxruntime onnxruntime-gpu" in found.advice
    assert not [finding for finding in HERE.conditions if finding.subject == "packages"]


def test_a_runtime_that_is_half_there_is_a_finding(monkeypatch: pytest.MonkeyPatch, dlbricks: Run) -> None:
    """What is left of onnxruntime after one of two packages was removed is told in a line; the rest is looked at."""
    monkeypatch.setattr("dlbricks.harness.runtimes.onnxruntime.onnxruntime", types.ModuleType("onnxruntime"))
    machine = diagnose()
    found = next(finding for finding in machine.conditions if finding.subject == "runtime")
    assert (found.level, machine.providers) == ("warning", ())
    assert "onnxruntime is incomplete" in found.state
    assert "then install one of them" in found.advice
    assert "incomplete" in dlbricks("doctor").stdout.replace("\n", " ")


class Broken(types.ModuleType):
    """A module of which nothing works."""

    def __getattr__(self, name: str) -> Any:
        """Fail."""
        raise RuntimeError(f"{name} was\nbuilt for another release")


def test_half_a_cupti_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a broken cupti-python or driver raises is a reason in one line."""
    monkeypatch.setattr(tracer, "driver_version", lambda: 13000)
    monkeypatch.delitem(sys.modules, "cupti.cupti", raising=False)  # another test may have loaded it
    for broken in (Broken("cupti"), types.ModuleType("cupti"), None):
        monkeypatch.setitem(sys.modules, "cupti", broken)
        for subject in ("kernel tracing", "GPU counters"):
            reason = diagnose().missing[subject]
            assert reason is not None
            assert "cupti" in reason
            assert "\n" not in reason
            assert level(dataclasses.replace(HERE, missing={subject: reason}), subject) == "note"


def test_what_raises_while_it_is_asked_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that answers as none does ends no diagnosis."""

    def failing() -> int:
        raise OSError("no such\ndevice")

    monkeypatch.setattr(tracer, "driver_version", failing)
    for subject in ("kernel tracing", "GPU counters"):
        reason = diagnose().missing[subject]
        assert reason is not None
        assert "OSError: no such device" in reason
