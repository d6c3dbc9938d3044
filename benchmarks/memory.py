"""Compare the memory that onnxruntime takes for networks with ``construct.memory_plan.peak_memory``.

``python benchmarks/memory.py NETWORK.onnx...`` loads each network with synthetic weights in separate files, calls it
three times in a process of its own, and prints the peak of the resident memory less that of an empty graph: the median
of three processes, and by how much the least and the most that were predicted differ from it.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
import onnx
from onnx import helper

from dlbricks.construct.memory_plan import peak_memory
from dlbricks.errors import DlbricksError
from dlbricks.model.emit import (
    end_to_end_contract,
    end_to_end_inputs,
    end_to_end_network,
    network_bytes,
    write_weights,
)
from dlbricks.model.lowering.targets import for_target
from dlbricks.model.read.network import read_model

# Error that is close enough, and quotient of the ends of a narrow range.
CLOSE, SPREAD = 0.05, 1.1

CALLS = """
import json, pathlib, resource, sys
import numpy as np, onnxruntime
folder = pathlib.Path(sys.argv[1])
feeds = {name: np.load(folder / f"{place}.npy") for place, name in enumerate(json.loads(sys.argv[2]))}
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(str(folder / "network.onnx"), options, providers=["CPUExecutionProvider"])
for _ in range(3):
    session.run(None, feeds)
print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_bytes(folder: Path, inputs: dict[str, np.ndarray]) -> int:
    """Return the peak of the resident memory of a process that calls the network in a folder."""
    for place, values in enumerate(inputs.values()):
        np.save(folder / f"{place}.npy", values)
    command = [sys.executable, "-c", CALLS, str(folder), json.dumps([*inputs])]
    # a small process in between: the peak of a parent counts as that of its child
    through = [sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:], check=True)", *command]
    return int(subprocess.run(through, check=True, capture_output=True, text=True).stdout)


def empty() -> bytes:
    """Return a network of one node on one number."""
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "empty", ends[:1], ends[1:])
    network = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return bytes(network.SerializeToString())


def compared(path: Path, base: int) -> tuple[tuple[int, int], int]:
    """Return the memory that a network was predicted to take, and that it takes beside an empty graph."""
    model = read_model(path)
    predicted = peak_memory(for_target(model, "onnxruntime-cpu"))
    assert predicted is not None
    with tempfile.TemporaryDirectory() as folder:
        network, blobs = end_to_end_network(model)
        write_weights(Path(folder), blobs)
        (Path(folder) / "network.onnx").write_bytes(network_bytes(network))
        shapes = {each["name"]: each["shape"] for each in end_to_end_contract(model)["inputs"]}
        inputs = {name: values.reshape(shapes[name]) for name, values in end_to_end_inputs(model)}
        return predicted, sorted(peak_bytes(Path(folder), inputs) - base for _ in range(3))[1]


def empty_bytes() -> int:
    """Return the peak of the resident memory of a process that calls an empty graph."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "network.onnx").write_bytes(empty())
        return peak_bytes(Path(folder), {"x": np.zeros(1, np.float32)})


def main() -> None:
    """Print a row for each network, and the errors."""
    errors, narrow, inside, base = list[float](), list[float](), 0, empty_bytes()
    for path in map(Path, sys.argv[1:]):
        try:
            (least, most), measured = compared(path, base)
        except DlbricksError as error:
            print(f"{path.name}: {error}")
            continue
        errors.append(abs((least + most) / 2 / measured - 1))
        narrow += errors[-1:] if most <= SPREAD * least else []
        inside += least / (1 + CLOSE) <= measured <= most / (1 - CLOSE)
        ends = f"{least / measured - 1:+.1%} to {most / measured - 1:+.1%}"
        print(f"{path.stem}: measured {measured / 2**20:.1f} MiB, predicted {ends}", flush=True)
    print(f"{inside} of {len(errors)} at most {CLOSE:.0%} outside of the range. Error of its middle:")
    for name, sizes in (("all", errors), (f"those whose ends differ by at most {SPREAD - 1:.0%}", narrow)):
        if sizes:
            close = sum(size <= CLOSE for size in sizes)
            figures = f"median {median(sizes):.1%}, 90th percentile {np.percentile(sizes, 90):.1%}"
            print(f"{name}, {len(sizes)} networks: {figures}, {close} at most {CLOSE:.0%}")


if __name__ == "__main__":
    main()
