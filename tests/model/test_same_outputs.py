"""The network as read, and as lowered, computes what the file computes."""

from pathlib import Path

import numpy as np
import pytest

from dlbricks.model.emit import end_to_end_inputs
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from tests.model.whole_runs import filled_file, kept_values, run_file, run_model, run_with

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
DIMS = {"batch": 1, "seq": 32}
SMALL = (
    "int8_tv_resnet18",
    "leg_hf_distilbert",
    "misc_lstm_lm",
    "misc_unet",
    "timm_levit_128",
    "tv_mobilenet_v3_small",
    "tv_shufflenet_v2_x1_0",
    "tv_squeezenet1_1",
    "tv_swin_t",
)
TOLERANCES = {"int8_tv_resnet18": 0.1}
"""Greatest difference over greatest value; the runtime rounds quantised layers in another order when it fuses them."""


def differences(name: str, expected: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None:
    """Compare outputs that must be finite, by the greatest difference relative to the greatest value."""
    for output, values in expected.items():
        assert np.isfinite(values).all()
        assert found[output].shape == values.shape
        largest = float(np.abs(values).max())
        assert largest > 0
        assert float(np.abs(found[output] - values).max()) <= TOLERANCES.get(name, 1e-4) * largest


@pytest.mark.parametrize("name", SMALL)
def test_reading_and_emitting_changes_no_output(name: str) -> None:
    """Folding, dead layers, defaults and another opset: bit by bit the outputs of the file with the same weights."""
    path = NETWORKS / f"{name}.onnx"
    dims = DIMS if name.startswith("leg_") else {}
    model = read_model(path, dims=dims)
    feeds = dict(end_to_end_inputs(model))
    expected, constants = run_file(filled_file(path, model, dims), model, feeds)
    found = run_with(model, constants, feeds)
    for output, values in expected.items():
        np.testing.assert_array_equal(found[output], values)
        assert np.isfinite(values).all()


@pytest.mark.parametrize("name", SMALL)
def test_lowering_changes_no_output(name: str, tmp_path: Path) -> None:
    """The lowered network, with what the runtime made of the same weights, gives the same within rounding."""
    model = read_model(NETWORKS / f"{name}.onnx", dims=DIMS if name.startswith("leg_") else {})
    expected = run_model(model, tmp_path / "weights")
    lowered = lower(model, keep_weights=tmp_path / "kept")
    values = {key: kept_values(constant) for key, constant in lowered.constants.items()}
    differences(name, expected, run_with(lowered, values, dict(end_to_end_inputs(model))))
