"""A whole network as something that runs: emitted with all its layers, weights made up, inputs made up."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.values import ensure_weights, fill
from dlbricks.model.emit import build_network
from dlbricks.model.nouns import Model, WeightBlob
from dlbricks.model.synthesis import input_generator, place_constants


def whole_network(model: Model) -> tuple[onnx.ModelProto, tuple[WeightBlob, ...]]:
    """Emit a whole network under its own names, with the weight files that it needs.

    Raises:
        UnsupportedModelError: an input or output is no tensor or of unknown shape, or a constant is of strings.
    """
    layers = range(len(model.layers))
    for layer in model.layers:
        if layer.skip and any(name in model.outputs and not model.spec(name).dtype for name in layer.outputs):
            message = f"{model.name} cannot be run as a whole: {layer.skip}"
            raise UnsupportedModelError(message)
    names = dict.fromkeys(name for layer in model.layers for name in layer.reads if name in model.constants)
    names.update(dict.fromkeys(name for name in model.outputs if name in model.constants))
    places, blobs = place_constants(model, layers, names, real_values=True)
    network = build_network(model, layers, model.inputs, model.outputs, rename={}, constants=places)
    for node, layer in zip(network.graph.node, model.layers, strict=True):
        node.name = layer.name
    return network, blobs


def write_weights(folder: Path, blobs: tuple[WeightBlob, ...], seed: int = 0) -> None:
    """Write the weight files of a network into a folder.

    Raises:
        InputError: the folder cannot be written or the disk is full.
    """
    try:
        ensure_weights(folder, [asdict(blob) for blob in blobs], seed)
    except HarnessError as error:
        raise InputError(str(error)) from error


def whole_inputs(model: Model, seed: int = 0) -> Iterator[tuple[str, np.ndarray[Any, np.dtype[Any]]]]:
    """Make the inputs of a whole network, in the storage types of ``harness.dtypes``.

    Raises:
        UnsupportedModelError: an input is no tensor of numbers.
    """
    layers = range(len(model.layers))
    for name in model.inputs:
        spec = model.spec(name)
        if spec.dtype in {"", "string"}:
            message = f"input '{name}' of {model.name} is no tensor of numbers: no values can be made for it"
            raise UnsupportedModelError(message)
        generator = asdict(input_generator(model, layers, name))
        yield name, fill(spec.dtype, spec.shape, generator, seed, name)


def whole_contract(model: Model) -> dict[str, Any]:
    """Describe inputs and outputs of a whole network as ``harness.measure.Bound`` binds them.

    Raises:
        UnsupportedModelError: an input or output is no tensor of numbers.
    """
    layers = range(len(model.layers))
    for name in model.outputs:
        if model.spec(name).dtype in {"", "string"}:
            message = f"output '{name}' of {model.name} is no tensor of numbers: it cannot be bound"
            raise UnsupportedModelError(message)
    return {
        "inputs": [
            {**_bound(model, name), "generator": asdict(input_generator(model, layers, name))} for name in model.inputs
        ],
        "outputs": [_bound(model, name) for name in model.outputs],
        "overwrites": "",
    }


def _bound(model: Model, name: str) -> dict[str, Any]:
    spec = model.spec(name)
    return {"name": name, "dtype": spec.dtype, "shape": list(spec.shape)}
