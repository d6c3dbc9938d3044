"""Opens untimed sessions of the installed onnxruntime, and shortens its error messages."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import (
    EPFail,
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    RuntimeException,
)
from onnxruntime.capi.onnxruntime_pybind11_state import InferenceSession as LoadedNetwork
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

from dlbricks.harness.dtypes import BY_NAME, BY_ONNX
from dlbricks.model.types import TensorSpec, type_text

RUNTIME_FAILURES = (EPFail, Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoKernel, RuntimeException)
"""Exceptions that onnxruntime raises when it loads or runs a network."""

# Parts of messages that do not help a user: codes, phrases, operands, places in the runtime's sources with signatures.
_NOISE = re.compile(
    r"^.*?\[ONNXRuntimeError\] : \d+ : \w+ : "
    r"|Non-zero status code returned while |Status Message: |This is an invalid model\. In Node, .* , (?=Error )"
    r"|\S*/onnxruntime_src/\S+ (?:[^()]*(?:\(\))?\((?:[^()]|\([^()]*\))*\)(?: const)?(?: \[with [^\]]*\])? )?"
)
# characters that are kept of a message: the rest lists operands
_LENGTH = 200


def plain_message(message: str) -> str:
    """Return a message of the runtime in one line of at most 200 characters, without error codes and source lines."""
    return _NOISE.sub("", " ".join(message.split()))[:_LENGTH]


PROVIDERS = ["CPUExecutionProvider"]


def quiet_options(threads: int) -> Any:
    """Return session options for untimed runs: no messages, no prepacked weights, no spinning threads."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def plain_session(
    network: bytes, *, weights: Path | None = None, threads: int = 1, providers: Sequence[str] = PROVIDERS
) -> Any:
    """Open an onnxruntime session without optimisations; ``weights`` is the folder of the network's weight files."""
    options = quiet_options(threads)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    if weights is not None:
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(weights))
    return ort.InferenceSession(network, options, providers=list(providers), enable_fallback=0)


def inferred_results(network: bytes) -> list[TensorSpec]:
    """Return the results of a network, except scalars, whose static shapes onnxruntime infers; none if it is refused.

    Neither kernels nor values of weights are needed, since the network is loaded only.
    """
    try:
        entries = LoadedNetwork(quiet_options(1), network, False, False).outputs_meta
    except RUNTIME_FAILURES:
        return []
    return [
        TensorSpec(name=entry.name, dtype=_TENSOR_TYPES[entry.type], shape=tuple(entry.shape))
        for entry in entries
        # without extents it is a scalar, or its rank is unknown: the runtime does not say which
        if entry.type in _TENSOR_TYPES and entry.shape and all(type(size) is int and size >= 0 for size in entry.shape)
    ]


_TENSOR_TYPES = {type_text(name): name for name in BY_NAME}


def run_values(
    network: bytes,
    weights: Path,
    names: Sequence[str],
    feeds: Mapping[str, Any],
    *,
    threads: int = 1,
    providers: Sequence[str] = PROVIDERS,
) -> list[Any]:
    """Run a network in onnxruntime without optimisations; return the values of the tensors ``names``.

    ``weights`` is the folder of the weight files; ``feeds`` has at least the values of all inputs.
    """
    session = plain_session(network, weights=weights, threads=threads, providers=providers)
    own_feeds = {entry.name: feeds[entry.name] for entry in session.get_inputs()}
    options = ort.RunOptions()
    options.only_execute_path_to_fetches = True
    values: list[Any] = session.run_with_ort_values(list(names), own_feeds, options)
    return values


def runtime_value(spec: TensorSpec, array: NDArray[Any]) -> Any:
    """Convert a numpy array to an onnxruntime value with the element type of ``spec``.

    The array has the shape of ``spec``; packed elements fill its beginning.
    """
    element = BY_NAME[spec.dtype]
    if element.name == element.storage:
        return ort.OrtValue.ortvalue_from_numpy(array)
    if element.bits < 8:
        packed, array = array, np.zeros(spec.shape, array.dtype)
        array.reshape(-1)[: packed.size] = packed.reshape(-1)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, element.onnx)


def observed_spec(name: str, value: Any) -> TensorSpec:
    """Return name, dtype and shape of a value from onnxruntime; dtype ``""`` if the value is not a tensor."""
    if not value.is_tensor():
        return TensorSpec(name=name, dtype="", shape=())
    return TensorSpec(name=name, dtype=BY_ONNX[value.element_type()].name, shape=tuple(value.shape()))


def is_finite(value: Any) -> bool:
    """Return whether all elements of an onnxruntime value are finite; only floats of 16, 32 or 64 bits are checked."""
    dtype = observed_spec("", value).dtype
    return dtype not in {"float16", "float32", "float64"} or bool(np.isfinite(value.numpy()).all())
