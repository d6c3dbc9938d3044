"""Conv_Relu_Add alone: `python benchmarks/Conv_Relu_Add_c330b39201d8.py`, see `--help`.

A layer sequence of a neural network: Conv, Relu, Conv, Add.
  input   x0: float32 1x88x28x28
  input   x1: float32 1x24x28x28
  output  y0: float32 1x24x28x28
One call does 4,553,472 floating-point operations on 11,616 bytes of weights
and 426,496 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu_Add",
    "fingerprint": "c330b39201d8d1609c2bf799ed9a1475836834df00296acfb1a7e50b01ab3b0b",
    "role": "sequence",
    "network": "networks/c330b39201d8d1609c2bf799ed9a1475836834df00296acfb1a7e50b01ab3b0b.onnx",
    "digest": "305adba3368c82fe418f3fecc8dd342ef83541a108ca8a921e1e0d226b088146",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "Relu", "Conv", "Add"],
    "layers": 2,
    "weight_bytes": 11616,
    "activation_bytes": 426496,
    "importance": 0.03125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 88, 28, 28], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 24, 28, 28], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 24, 28, 28]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-10.bin", "dtype": "float32", "nbytes": 221184, "generator": {"kind": "uniform", "low": -0.1767766952966369, "high": 0.1767766952966369}},
        {"file": "weights.float32.u-3.bin", "dtype": "float32", "nbytes": 3168, "generator": {"kind": "uniform", "low": -0.5946035575013605, "high": 0.5946035575013605}},
    ],
}
SESSION = {  # options of onnxruntime; `--threads`, `--provider` and `--session-option` change them
    "inter_op_num_threads": 1,
    "execution_mode": "sequential",
    "enable_cpu_mem_arena": True,
    "enable_mem_pattern": True,
    "enable_mem_reuse": True,
    "use_deterministic_compute": False,
    "session.intra_op.allow_spinning": "1",
    "session.intra_op.spin_duration_us": "200",
    "session.inter_op.allow_spinning": "0",
    "session.set_denormal_as_zero": "0",
    "session.disable_prepacking": "0",
}

if __name__ == "__main__":
    sys.exit(measure(BENCHMARK, SESSION, SUITE, sys.argv[1:]))
