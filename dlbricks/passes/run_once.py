"""Runs a network once in a separate process: ``python -m dlbricks.passes.run_once FOLDER``.

A kernel that crashes then ends only this process. The process reads ``probe.json``, ``network.onnx`` and input files in
the folder, and writes ``result.json``.
"""

import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dlbricks.harness.dtypes import as_bytes
from dlbricks.model.lowering.runtime import observed_spec, plain_session, runtime_value
from dlbricks.model.types import TensorSpec

# Values of larger tensors are not reported.
LARGEST_VALUE_BYTES = 4096


def run(folder: Path) -> list[dict[str, Any]]:
    """Run ``network.onnx`` in a folder once, without optimisations.

    Returns:
        For each tensor in ``probe.json``, the fields of a TensorSpec, and small values in hexadecimal if requested.
    """
    plan = json.loads((folder / "probe.json").read_text(encoding="utf-8"))
    # a damaged network may loop or allocate without end
    resource.setrlimit(resource.RLIMIT_CPU, (plan["seconds"], resource.getrlimit(resource.RLIMIT_CPU)[1]))
    allowed, most = resource.getrlimit(resource.RLIMIT_DATA)
    memory = plan["memory"] if allowed == resource.RLIM_INFINITY else min(plan["memory"], allowed)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, most))
    session = plain_session((folder / "network.onnx").read_bytes(), weights=folder)
    feeds = {}
    for entry in plan["inputs"]:
        array = np.load(folder / entry["file"])
        feeds[entry["name"]] = runtime_value(msgspec.convert(entry["spec"], TensorSpec), array)
    values = session.run_with_ort_values(plan["outputs"], feeds)
    shaping = set(plan["values"])
    return [
        _described(name, value, with_values=name in shaping)
        for name, value in zip(plan["outputs"], values, strict=True)
    ]


def _described(name: str, value: Any, *, with_values: bool) -> dict[str, Any]:
    described = asdict(observed_spec(name, value))
    if with_values and value.is_tensor() and value.tensor_size_in_bytes() <= LARGEST_VALUE_BYTES:
        described["values"] = as_bytes(value.numpy()).hex()
    return described


def main() -> None:
    """Run the network in the folder that the command line names, and write ``result.json`` there."""
    folder = Path(sys.argv[1])
    (folder / "result.json").write_text(json.dumps(run(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
