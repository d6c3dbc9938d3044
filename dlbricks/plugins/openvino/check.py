"""The line of ``doctor`` on OpenVINO (entry point of ``dlbricks.checks``)."""

import importlib.util
from collections.abc import Iterator
from importlib.metadata import version

from dlbricks.cli.diagnosis import GOOD, NOTE, DoctorCheck, MachineCondition
from dlbricks.errors import install_hint


def _find() -> Iterator[MachineCondition]:
    if importlib.util.find_spec("openvino") is not None:
        yield MachineCondition(subject="OpenVINO", level=GOOD, found=f"{version('openvino')}: --runtime openvino works")
    else:
        missing = "not installed: --runtime openvino does not work"
        yield MachineCondition(subject="OpenVINO", level=NOTE, found=missing, advice=install_hint("openvino"))


CHECK = DoctorCheck(find=_find)
