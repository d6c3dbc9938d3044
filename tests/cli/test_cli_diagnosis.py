import copy
import dataclasses
from typing import Any

import pytest

from dlbricks.cli.diagnosis import Machine, diagnose, gather
from tests.cli.invoking import Run

HERE = gather()


def changed(**facts: Any) -> Machine:
    """Give this machine with some facts replaced; ``a__b`` is the entry ``b`` of ``a``."""
    made = copy.deepcopy(HERE.facts)
    for path, value in facts.items():
        *groups, key = path.split("__")
        place = made
        for group in groups:
            place = place[group]
        place[key] = value
    return dataclasses.replace(HERE, facts=made)


def level(machine: Machine, subject: str) -> str:
    """Give the level of the finding on a subject."""
    return next(finding.level for finding in diagnose(machine) if finding.subject == subject)


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
        ({"gpus": [{"name": "H200", "driver": "1"}]}, "CUPTI", "note"),
    ],
)
def test_what_disturbs_is_seen(facts: dict[str, Any], subject: str, expected: str) -> None:
    """Each fact that disturbs measuring becomes a finding of the right level."""
    machine = dataclasses.replace(
        changed(**facts), providers=("CPUExecutionProvider",), extras={"matplotlib": True, "cupti": False}
    )
    assert level(machine, subject) == expected


def test_little_disk_and_missing_extras() -> None:
    """Space and optional packages are looked at, too."""
    machine = dataclasses.replace(HERE, free_disk_bytes=2**20, extras={"matplotlib": False, "cupti": False})
    assert level(machine, "disk") == "warning"
    assert level(machine, "pictures") == "note"


def test_every_warning_has_advice() -> None:
    """A warning without advice would only worry."""
    machine = dataclasses.replace(
        changed(cpu__governor="ondemand", cpu__usable=2, cpu_limit=1.0, load__average=[9.0, 9.0, 9.0], timer_ns=10**6),
        free_disk_bytes=0,
    )
    warnings = [finding for finding in diagnose(machine) if finding.level == "warning"]
    assert len(warnings) >= 5
    assert all(finding.advice for finding in warnings)


@pytest.mark.parametrize("subject", ["kernel tracing", "GPU counters", "CPU counters"])
def test_what_tracing_can_use_is_told(subject: str) -> None:
    """What is permitted is good; what is not is a note that says why and how to permit it."""
    permitted = dataclasses.replace(HERE, missing=dict.fromkeys(HERE.missing))
    refused = dataclasses.replace(HERE, missing=dict.fromkeys(HERE.missing, "not readable: only root may: run as root"))
    assert level(permitted, subject) == "good"
    found = next(finding for finding in diagnose(refused) if finding.subject == subject)
    assert (found.level, found.found, found.advice) == ("note", "not readable: only root may", "run as root")


def test_this_machine_says_what_it_permits() -> None:
    """Every reason of this machine comes with advice."""
    assert all(reason is None or ": " in reason for reason in HERE.missing.values())


def test_roofs_need_their_provider(dlbricks: Run) -> None:
    """What cannot be measured is refused with the providers that there are; nothing else is measured in its place."""
    result = dlbricks("doctor", "--roofs", "--provider", "nobody", code=3)
    assert "nobody" in result.stderr
    assert "cpu" in result.stderr
