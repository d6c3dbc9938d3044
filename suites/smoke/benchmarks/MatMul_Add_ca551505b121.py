"""MatMul_Add alone: `python benchmarks/MatMul_Add_ca551505b121.py`, see `--help`.

A layer sequence of a neural network: MatMul, Add.
  input   x0: float32 1x128x768
  output  y0: float32 1x128x768
One call does 150,994,944 floating-point operations on 2,362,368 bytes of weights
and 786,432 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "MatMul_Add",
    "fingerprint": "ca551505b121cc6e8e0945deec7c92aa3c53ed3f4d5ffa6316ead4995e8bf1fb",
    "role": "sequence",
    "network": "networks/ca551505b121cc6e8e0945deec7c92aa3c53ed3f4d5ffa6316ead4995e8bf1fb.onnx",
    "digest": "4302273b98d0e0a7573fb94cfb8b9337d4f6c217cf898a93ea2f9643ca84fd18",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["MatMul", "Add"],
    "layers": 1,
    "weight_bytes": 2362368,
    "activation_bytes": 786432,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 128, 768], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 128, 768]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-16.bin", "dtype": "float32", "nbytes": 27047488, "generator": {"kind": "uniform", "low": -0.0625, "high": 0.0625}},
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
