"""Mul_Add alone: `python benchmarks/Mul_Add_e16d9d52829c.py`, see `--help`.

A layer sequence of a neural network: Mul, Add.
  input   x0: float32 1x12x128x128
  output  y0: float32 1x12x128x128
One call does 0 floating-point operations on 65,540 bytes of weights
and 1,572,864 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Mul_Add",
    "fingerprint": "e16d9d52829cef5c3ab9c5e9136e424f08bf5205cc64ab801c10fc9acdd792ed",
    "role": "sequence",
    "network": "networks/e16d9d52829cef5c3ab9c5e9136e424f08bf5205cc64ab801c10fc9acdd792ed.onnx",
    "digest": "17bb6ca23e5230f87315cda4c4c9067bf1cddc13dab58c79f04a3d3f24a8f5f5",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Mul", "Add"],
    "layers": 2,
    "weight_bytes": 65540,
    "activation_bytes": 1572864,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 12, 128, 128], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 12, 128, 128]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-17.bin", "dtype": "float32", "nbytes": 4096000, "generator": {"kind": "uniform", "low": -0.052556025953357156, "high": 0.052556025953357156}},
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
