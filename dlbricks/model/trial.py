"""One real run of a network in onnxruntime, all optimisations off, to look at its tensors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from dlbricks.harness.dtypes import BY_NAME, BY_ONNX
from dlbricks.model.nouns import TensorSpec

PROVIDERS = ["CPUExecutionProvider"]


def quiet_options(threads: int) -> Any:
    """Give session options for runs whose time does not matter: no messages, no prepacking, no spinning threads."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def run_values(
    network: bytes, weights: Path, names: Sequence[str], feeds: Mapping[str, Any], *, threads: int = 1
) -> list[Any]:
    """Run a network as it is written and give some of its outputs, as the runtime's own values.

    Args:
        network: The serialised network.
        weights: Folder of its weight files.
        names: Outputs that are wanted.
        feeds: The runtime's value of every input; others are left out.
        threads: Intra-op threads.
    """
    options = quiet_options(threads)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(weights))
    session = ort.InferenceSession(network, options, providers=PROVIDERS, enable_fallback=0)
    wanted = {entry.name for entry in session.get_inputs()}
    given = {name: value for name, value in feeds.items() if name in wanted}
    values: list[Any] = session.run_with_ort_values(list(names), given)
    return values


def runtime_value(spec: TensorSpec, array: NDArray[Any]) -> Any:
    """Hand an array in the storage type of ``harness.dtypes`` to the runtime.

    The runtime takes the shape of a value from its array; so packed elements get an array of the full shape, of which
    they fill the beginning.
    """
    element = BY_NAME[spec.dtype]
    if element.name == element.storage:
        return ort.OrtValue.ortvalue_from_numpy(array)
    if element.bits < 8:
        packed, array = array, np.zeros(spec.shape, array.dtype)
        array.reshape(-1)[: packed.size] = packed.reshape(-1)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, element.onnx)


def observed_spec(name: str, value: Any) -> TensorSpec:
    """Give the specification of a value of the runtime; dtype ``""`` if it is no tensor."""
    if not value.is_tensor():
        return TensorSpec(name=name, dtype="", shape=())
    return TensorSpec(name=name, dtype=BY_ONNX[value.element_type()].name, shape=tuple(value.shape()))


def is_finite(value: Any) -> bool:
    """Whether all elements of a value are finite; true of types that numpy does not have and of what is no tensor."""
    dtype = observed_spec("", value).dtype
    return dtype not in {"float16", "float32", "float64"} or bool(np.isfinite(value.numpy()).all())
