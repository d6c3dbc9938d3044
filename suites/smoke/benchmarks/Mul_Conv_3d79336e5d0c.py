"""Mul_Conv alone: `python benchmarks/Mul_Conv_3d79336e5d0c.py`, see `--help`.

A layer sequence of a neural network: Mul, Conv.
  input   x0: float32 1x96x1x1
  input   x1: float32 1x96x14x14
  output  y0: float32 1x40x14x14
One call does 1,505,280 floating-point operations on 15,360 bytes of weights
and 107,008 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Mul_Conv",
    "fingerprint": "3d79336e5d0ce5b159fe7801b79c817309431a77c609fe198a5cfd08f745b5fa",
    "role": "sequence",
    "network": "networks/3d79336e5d0ce5b159fe7801b79c817309431a77c609fe198a5cfd08f745b5fa.onnx",
    "digest": "df9fffabd959d86506d74be835403fa5c4898d1af39214a3da7fad7df9cb4541",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Mul", "Conv"],
    "layers": 2,
    "weight_bytes": 15360,
    "activation_bytes": 107008,
    "importance": 0.0078125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 96, 1, 1], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 96, 14, 14], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 40, 14, 14]},
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
