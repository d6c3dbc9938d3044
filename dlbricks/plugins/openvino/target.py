"""The entry points of the plug-in: the target ``openvino`` and a check of ``doctor``."""

import importlib.util
from collections.abc import Iterator
from importlib.metadata import version

from dlbricks.api.diagnosis import MachineCondition, judged, note
from dlbricks.errors import install_hint
from dlbricks.model.lowering.targets import SplitTarget
from dlbricks.plugins.openvino.lowering import layers_of_nodes, lower
from dlbricks.plugins.openvino.merging import TARGET


def _condition() -> Iterator[MachineCondition]:
    if importlib.util.find_spec("openvino") is not None:
        yield judged("OpenVINO", f"{version('openvino')}: --runtime openvino works")
    else:
        yield note("OpenVINO", "not installed: --runtime openvino does not work", install_hint("openvino"))


CHECK = _condition
# no folder for weights: while OpenVINO compiles, it reads them in a folder of its own
OPENVINO = SplitTarget(
    name=TARGET,
    runtime=TARGET,
    provider="cpu",
    lower=lambda model, threads, _scratch: lower(model, threads=threads),
    layers_of_nodes=layers_of_nodes,
)
