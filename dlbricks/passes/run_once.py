"""Runs a network once in a process of its own: ``python -m dlbricks.passes.run_once FOLDER``.

Some kernels end the process (dividing the smallest integer by -1); this contains it. Reads ``probe.json``,
``network.onnx`` and input files from the folder, writes ``result.json``. Imports little besides the runtime.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from dlbricks.harness.dtypes import as_bytes

# Values of larger tensors are not reported.
LARGEST_VALUE_BYTES = 4096


def run(folder: Path) -> list[dict[str, Any]]:
    """Run the network of a folder without optimisations.

    Returns:
        For each requested tensor: name, ONNX element type (0: no tensor), shape; small requested values in hexadecimal.
    """
    plan = json.loads((folder / "probe.json").read_text(encoding="utf-8"))
    # a damaged network may loop or allocate without end
    resource.setrlimit(resource.RLIMIT_CPU, (plan["seconds"], resource.getrlimit(resource.RLIMIT_CPU)[1]))
    allowed, most = resource.getrlimit(resource.RLIMIT_DATA)
    memory = plan["memory"] if allowed == resource.RLIM_INFINITY else min(plan["memory"], allowed)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, most))
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    network = (folder / "network.onnx").read_bytes()
    session = ort.InferenceSession(network, options, providers=["CPUExecutionProvider"], enable_fallback=0)
    feeds = {entry["name"]: _feed(folder, entry) for entry in plan["inputs"]}
    values = session.run_with_ort_values(plan["outputs"], feeds)
    shaping = set(plan["values"])
    return [
        _described(name, value, with_values=name in shaping)
        for name, value in zip(plan["outputs"], values, strict=True)
    ]


def _feed(folder: Path, entry: dict[str, Any]) -> Any:
    array = np.fromfile(folder / entry["file"], np.dtype(entry["storage"])).reshape(entry["stored_shape"])
    if entry["native"]:
        return ort.OrtValue.ortvalue_from_numpy(array)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, entry["onnx"])


def _described(name: str, value: Any, *, with_values: bool) -> dict[str, Any]:
    if not value.is_tensor():
        return {"name": name, "onnx": 0, "shape": []}
    described = {"name": name, "onnx": value.element_type(), "shape": list(value.shape())}
    if with_values and value.tensor_size_in_bytes() <= LARGEST_VALUE_BYTES:
        described["values"] = as_bytes(value.numpy()).hex()
    return described


def main() -> None:
    """Run the probe of the folder given as the only argument."""
    folder = Path(sys.argv[1])
    (folder / "result.json").write_text(json.dumps(run(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
