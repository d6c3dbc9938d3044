"""Conv_HardSwish_ReduceMean alone: `python benchmarks/Conv_HardSwish_ReduceMean_1ba06c30d52c.py`, see `--help`.

A layer sequence of a neural network: Conv, HardSwish, ReduceMean.
  input   x0: float32 1x96x7x7
  output  y0: float32 1x576x1x1
One call does 5,419,008 floating-point operations on 221,200 bytes of weights
and 21,120 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_HardSwish_ReduceMean",
    "fingerprint": "1ba06c30d52c0d1ea694eec4e62ee8bf20a874f7b03e8d601ffd36614a27b0db",
    "role": "sequence",
    "network": "networks/1ba06c30d52c0d1ea694eec4e62ee8bf20a874f7b03e8d601ffd36614a27b0db.onnx",
    "digest": "74fc98ece9d86d5387edf7fe8dd55d47e51a4111ba5d5285f7b01f3e88158e6c",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "HardSwish", "ReduceMean"],
    "layers": 2,
    "weight_bytes": 221200,
    "activation_bytes": 21120,
    "importance": 0.03125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 96, 7, 7], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 576, 1, 1]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-10.bin", "dtype": "float32", "nbytes": 221184, "generator": {"kind": "uniform", "low": -0.1767766952966369, "high": 0.1767766952966369}},
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
