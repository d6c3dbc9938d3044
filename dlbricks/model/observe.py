"""Shapes that only running tells: those that depend on data, or that no inference knows.

The part of the network that leads to them is emitted with synthetic weights and inputs and run once in onnxruntime, all
optimisations off, the tensors in question made outputs.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import onnx
import onnxruntime as ort

from dlbricks.errors import DlbricksError, UnsupportedModelError
from dlbricks.harness.bits import as_bytes
from dlbricks.harness.dtypes import BY_NAME, BY_ONNX
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.values import ensure_weights, fill
from dlbricks.model.emit import Placement, build_network, network_bytes
from dlbricks.model.fold import RUNTIME_FAILURES
from dlbricks.model.nouns import Layer, Model, TensorSpec, WeightBlob
from dlbricks.model.shapelike import shapes_by_value
from dlbricks.model.synthesis import input_generator, place_constants

_OBSERVED_BYTES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one run showed."""

    types: Mapping[str, TensorSpec]
    """Specifications of the tensors in question."""
    values: Mapping[str, bytes]
    """Values, little-endian, of computed tensors that decide shapes."""
    failure: str = ""
    """Why there was no run, in one line; then there are neither types nor values."""


def observe(model: Model, missing: frozenset[str]) -> Observation:
    """Run the part of a network that leads to some tensors, and look at them.

    Args:
        model: The network; specifications of tensors whose shape is unknown are guesses.
        missing: Tensors whose shapes are wanted.
    """
    layers = _leading_to(model.layers, missing)
    inputs = tuple(name for name in model.inputs if any(name in model.layers[index].reads for index in layers))
    shaping = _shaping(model, layers)
    names = [*sorted(missing), *sorted(shaping - missing - set(model.inputs))]
    try:
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
            network, blobs = _network(model, layers, inputs, names)
            ensure_weights(Path(folder), [asdict(blob) for blob in blobs], 0)
            feeds = {name: _feed(model, layers, name) for name in inputs}
            values = _run(network, Path(folder), names, feeds)
            seen = dict(zip(names, values, strict=True))
            decided = {name: as_bytes(seen[name].numpy()) for name in shaping if name in seen and _is_small(seen[name])}
    except (DlbricksError, HarnessError) as error:
        return Observation(types={}, values={}, failure=str(error))
    except RUNTIME_FAILURES as error:
        return Observation(types={}, values={}, failure=" ".join(str(error).split())[:300])
    return Observation(types={name: _spec(name, seen[name]) for name in missing}, values=decided)


def _leading_to(layers: Sequence[Layer], tensors: Iterable[str]) -> tuple[int, ...]:
    needed = set(tensors)
    chosen: list[int] = []
    for index in range(len(layers) - 1, -1, -1):
        if not needed.isdisjoint(layers[index].outputs):
            needed.update(layers[index].reads)
            chosen.append(index)
    return tuple(reversed(chosen))


def _shaping(model: Model, layers: Iterable[int]) -> set[str]:
    """Give the tensors, constants apart, whose values decide the shapes of others."""
    return {
        name
        for index in layers
        for position, name in enumerate(model.layers[index].inputs)
        if name and name not in model.constants and not model.layers[index].domain
        if shapes_by_value(model.layers[index].op_type, position)
    }


def _network(
    model: Model, layers: Sequence[int], inputs: Sequence[str], names: Sequence[str]
) -> tuple[onnx.ModelProto, tuple[WeightBlob, ...]]:
    """Emit some layers; constants of a kind share one stretch of memory, since only shapes are looked at."""
    used = dict.fromkeys(name for index in layers for name in model.layers[index].reads if name in model.constants)
    places, blobs = place_constants(model, layers, used, real_values=True)
    largest: dict[str, int] = {}
    for name, place in places.items():
        if isinstance(place, Placement):
            places[name] = Placement(file=place.file, offset=0)
            largest[place.file] = max(largest.get(place.file, 0), model.constants[name].spec.nbytes)
    network = build_network(model, layers, inputs, (), rename={}, constants=places)
    for name in names:
        network.graph.output.add(name=name)
    return network, tuple(replace(blob, nbytes=largest[blob.file]) for blob in blobs)


def _run(network: onnx.ModelProto, folder: Path, names: Sequence[str], feeds: Mapping[str, Any]) -> list[Any]:
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    session = ort.InferenceSession(
        network_bytes(network), options, providers=["CPUExecutionProvider"], enable_fallback=0
    )
    values: list[Any] = session.run_with_ort_values(list(names), dict(feeds))
    return values


def _feed(model: Model, layers: Sequence[int], name: str) -> Any:
    """Make the values of an input."""
    spec = model.spec(name)
    if spec.dtype in {"", "string"}:
        message = f"input '{name}' of {model.name} is no tensor of numbers: no values can be made for it"
        raise UnsupportedModelError(message)
    element = BY_NAME[spec.dtype]
    array = fill(spec.dtype, spec.shape, asdict(input_generator(model, layers, name)), 0, name)
    if element.name == element.storage:
        return ort.OrtValue.ortvalue_from_numpy(array)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, element.onnx)


def _spec(name: str, value: Any) -> TensorSpec:
    if not value.is_tensor():
        return TensorSpec(name=name, dtype="", shape=())
    return TensorSpec(name=name, dtype=BY_ONNX[value.element_type()].name, shape=tuple(value.shape()))


def _is_small(value: Any) -> bool:
    spec = _spec("", value)
    return spec.dtype in BY_NAME and BY_NAME[spec.dtype].kind != "string" and spec.nbytes <= _OBSERVED_BYTES
