"""Gemm_Sigmoid alone: `python benchmarks/Gemm_Sigmoid_e6ba5fa17049.py`, see `--help`.

A layer sequence of a neural network: Gemm, Sigmoid.
  input   x0: float32 128x512
  output  y0: float32 128x1
One call does 131,072 floating-point operations on 2,052 bytes of weights
and 262,656 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Gemm_Sigmoid",
    "fingerprint": "e6ba5fa17049e4f07d5ac12be983d4842f5133bcf4f2165bd6bc814974187332",
    "role": "sequence",
    "network": "networks/e6ba5fa17049e4f07d5ac12be983d4842f5133bcf4f2165bd6bc814974187332.onnx",
    "digest": "03f5c84ab3e473e0c2794a5e4aafab50b65559c5bc1f5bdf2306dd46761997b2",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Gemm", "Sigmoid"],
    "layers": 1,
    "weight_bytes": 2052,
    "activation_bytes": 262656,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 512], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 1]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-15.bin", "dtype": "float32", "nbytes": 2359296, "generator": {"kind": "uniform", "low": -0.07432544468767006, "high": 0.07432544468767006}},
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
