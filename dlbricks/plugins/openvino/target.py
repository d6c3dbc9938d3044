"""The target ``openvino`` (entry point of ``dlbricks.targets``); OpenVINO itself is imported when it is used."""

from pathlib import Path

from dlbricks.model.lowering.targets import SplitTarget
from dlbricks.model.types import Model
from dlbricks.plugins.openvino.lowering import layers_of_nodes, lower
from dlbricks.plugins.openvino.merging import TARGET


def _lower(model: Model, threads: int, scratch: Path | None) -> Model:
    del scratch  # OpenVINO reads the weights while it compiles, in a folder of its own
    return lower(model, threads=threads)


OPENVINO = SplitTarget(name=TARGET, runtime=TARGET, provider="cpu", lower=_lower, layers_of_nodes=layers_of_nodes)
