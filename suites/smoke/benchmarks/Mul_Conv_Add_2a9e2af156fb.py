"""Mul_Conv_Add alone: `python benchmarks/Mul_Conv_Add_2a9e2af156fb.py`, see `--help`.

A layer sequence of a neural network: Mul, Conv, Add.
  input   x0: float32 1x144x1x1
  input   x1: float32 1x144x14x14
  input   x2: float32 1x48x14x14
  output  y0: float32 1x48x14x14
One call does 2,709,504 floating-point operations on 27,648 bytes of weights
and 188,736 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Mul_Conv_Add",
    "fingerprint": "2a9e2af156fb8bfd465915bb37d0dedcd63dcb2f29d6c7f946555b2b3eb175ed",
    "role": "sequence",
    "network": "networks/2a9e2af156fb8bfd465915bb37d0dedcd63dcb2f29d6c7f946555b2b3eb175ed.onnx",
    "digest": "99d862b70efaba0bf19eecd5508504440019677db51c870f5edf406f429637d1",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Mul", "Conv", "Add"],
    "layers": 2,
    "weight_bytes": 27648,
    "activation_bytes": 188736,
    "importance": 0.015625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 144, 1, 1], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 144, 14, 14], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x2", "dtype": "float32", "shape": [1, 48, 14, 14], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 48, 14, 14]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-11.bin", "dtype": "float32", "nbytes": 27648, "generator": {"kind": "uniform", "low": -0.14865088937534013, "high": 0.14865088937534013}},
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
