"""Gemm_HardSwish alone: `python benchmarks/Gemm_HardSwish_b366fd3ba390.py`, see `--help`.

A layer sequence of a neural network: Gemm, HardSwish, Gemm.
  input   x0: float32 1x576
  output  y0: float32 1x1000
One call does 3,227,648 floating-point operations on 6,455,296 bytes of weights
and 6,304 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Gemm_HardSwish",
    "fingerprint": "b366fd3ba390dc296cafe60f00638450f106004aba7dcb15fb051f6aa8bcff8c",
    "role": "sequence",
    "network": "networks/b366fd3ba390dc296cafe60f00638450f106004aba7dcb15fb051f6aa8bcff8c.onnx",
    "digest": "56a285c6af4249eef89155d69f7b9474e0b092b58a8ca59f8922e4522fd0f820",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Gemm", "HardSwish", "Gemm"],
    "layers": 2,
    "weight_bytes": 6455296,
    "activation_bytes": 6304,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 576], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 1000]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-15.bin", "dtype": "float32", "nbytes": 2359296, "generator": {"kind": "uniform", "low": -0.07432544468767006, "high": 0.07432544468767006}},
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
