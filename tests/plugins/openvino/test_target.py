"""The core does without the plug-in what does not split a network; what does says which plug-in it needs."""

from pathlib import Path

import pytest

from dlbricks.errors import MissingDependencyError, UnsupportedModelError
from dlbricks.model.lowering.targets import for_target, provider_of
from dlbricks.model.read.network import read_model

NETWORK = Path(__file__).parents[2] / "data" / "tutorial.onnx"


def test_without_the_plug_in_only_splitting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another target that nobody offers is unknown, with the plug-in and without."""
    assert provider_of("openvino") == "cpu"
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: ())  # noqa: ARG005
    model = read_model(NETWORK)
    for_target(model, "portable")
    with pytest.raises(MissingDependencyError, match="target openvino needs the plug-in openvino"):
        for_target(model, "openvino")
    with pytest.raises(UnsupportedModelError, match="unknown target 'abacus': choose from portable"):
        for_target(model, "abacus")
