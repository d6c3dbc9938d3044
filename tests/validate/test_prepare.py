"""What the runtime may crash or hang in, apart from the process that keeps what was measured."""

import faulthandler
import os
import signal
from pathlib import Path

import pytest

from dlbricks.construct.rules import Rule
from dlbricks.harness.options import RunOptions
from dlbricks.sequences.types import Granularity
from dlbricks.validate import measure
from dlbricks.validate.prepare import PreparedNetwork, ValidationPlan, prepare
from dlbricks.validate.types import Validation
from tests.robustness import made

PLAN = ValidationPlan(
    dims={},
    granularity=Granularity.parse("1"),
    splitter="block",
    target="portable",
    rule=Rule.parse("sequential"),
    options=RunOptions(smoke=True),
)


def crashing(path: Path, plan: ValidationPlan) -> PreparedNetwork:
    """Read a network with a runtime that crashes on one of them."""
    if path.stem == "crash":
        faulthandler.disable()  # it would print a page of this process's own
        os.kill(os.getpid(), signal.SIGSEGV)
    return prepare(path, plan)


def crashed(*_: object) -> None:
    """Be a runtime that crashes while it profiles."""
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)


def validated(folder: Path) -> Validation:
    """Validate two networks, the first of which is called ``crash``."""
    paths = [folder / "crash.onnx", folder / "fine.onnx"]
    for path in paths:
        path.write_bytes(made.networks()[0].SerializeToString())
    return measure.validate(paths, PLAN, progress=lambda *_: None, record=lambda _: None)


def test_a_network_that_crashes_the_runtime_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with a reason; the next one is measured."""
    monkeypatch.setattr(measure, "prepare", crashing)
    found = validated(tmp_path)
    assert [one.network for one in found.networks] == ["fine"]
    assert [one.reason for one in found.failed] == [
        f"{tmp_path / 'crash.onnx'} crashed the process that it was in (SIGSEGV)"
    ]


def test_a_crash_in_the_profile_costs_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was measured before is kept."""
    monkeypatch.setattr(measure, "profile_network", crashed)
    found = validated(tmp_path)
    assert [(one.network, one.types) for one in found.networks] == [("crash", ()), ("fine", ())]
