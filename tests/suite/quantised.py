"""Networks of the repository with made-up weights, made smaller by the runtime's own tools, as users would."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.transformers.float16 import convert_float_to_float16

from dlbricks.model.emit import end_to_end_inputs
from dlbricks.model.read.network import read_model
from tests.model.whole_runs import filled_file

Feeds = dict[str, np.ndarray[Any, np.dtype[Any]]]


class _Once(CalibrationDataReader):  # type: ignore[misc]  # the base class is untyped
    """Calibrate with one set of inputs."""

    def __init__(self, feeds: Feeds) -> None:
        self._left = [feeds]

    def get_next(self) -> Feeds | None:
        """Give the inputs once."""
        return self._left.pop() if self._left else None


def _static(source: Path, made: Path, feeds: Feeds) -> None:
    """Turn to 8 bits by what one inference shows: pairs of quantise and dequantise, weights per channel."""
    quantize_static(
        source,
        made,
        _Once(feeds),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )


def _dynamic(source: Path, made: Path, _feeds: Feeds) -> None:
    """Turn weights to 8 bits, and activations in each inference anew."""
    quantize_dynamic(source, made)


def _half(source: Path, made: Path, _feeds: Feeds) -> None:
    """Turn everything to 16 bits."""
    onnx.save(convert_float_to_float16(onnx.load(source)), made)


TOOLS: Mapping[str, Callable[[Path, Path, Feeds], None]] = {"static": _static, "dynamic": _dynamic, "half": _half}
"""What makes a network smaller, by its name."""


def quantised(network: Path, tool: str, folder: Path) -> Path:
    """Make up the weights of a network and let a tool of the runtime make it smaller.

    Args:
        network: a network without weights.
        tool: one of ``TOOLS``.
        folder: where files may be left.

    Returns:
        The file of the smaller network, weights and all.
    """
    model = read_model(network)
    source, made = folder / network.name, folder / f"{network.stem}_{tool}.onnx"
    onnx.save(filled_file(network, model, {}), source)
    TOOLS[tool](source, made, dict(end_to_end_inputs(model)))
    return made
