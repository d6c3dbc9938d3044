"""Softmax_MatMul alone: `python benchmarks/Softmax_MatMul_c09df1926432.py`, see `--help`.

A layer sequence of a neural network: Softmax, MatMul.
  input   x0: float32 1x12x128x128
  input   x1: float32 1x12x128x64
  output  y0: float32 1x12x128x64
One call does 25,165,824 floating-point operations on 0 bytes of weights
and 1,572,864 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Softmax_MatMul",
    "fingerprint": "c09df1926432eaeab25247e22b8a559e61900005b16f223eefee2869171f1837",
    "role": "sequence",
    "network": "networks/c09df1926432eaeab25247e22b8a559e61900005b16f223eefee2869171f1837.onnx",
    "digest": "3d2f7311ab48f393f5225929028025ad99d335c8fe4166dd3e058b279b4a7e9f",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Softmax", "MatMul"],
    "layers": 2,
    "weight_bytes": 0,
    "activation_bytes": 1572864,
    "importance": 0.0078125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 12, 128, 128], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 12, 128, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 12, 128, 64]},
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
