"""Transpose_Concat alone: `python benchmarks/Transpose_Concat_e68681cd6fb5.py`, see `--help`.

A layer sequence of a neural network: Transpose, Concat.
  input   x0: float32 128x64
  input   x1: float32 351x128
  output  y0: float32 128x415
One call does 0 floating-point operations on 0 bytes of weights
and 424,960 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Transpose_Concat",
    "fingerprint": "e68681cd6fb5987256e41756e9c2da8cc8d17ed21030ca09f8695a5c208b9c39",
    "role": "sequence",
    "network": "networks/e68681cd6fb5987256e41756e9c2da8cc8d17ed21030ca09f8695a5c208b9c39.onnx",
    "digest": "f2cac92992fa8abc88cea88b7a79bcd632c6c2d4c93f5606766583f6f48c98c5",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Transpose", "Concat"],
    "layers": 2,
    "weight_bytes": 0,
    "activation_bytes": 424960,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [351, 128], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 415]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
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
