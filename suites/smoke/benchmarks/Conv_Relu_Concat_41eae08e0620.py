"""Conv_Relu_Concat alone: `python benchmarks/Conv_Relu_Concat_41eae08e0620.py`, see `--help`.

A layer sequence of a neural network: Conv, Relu, Concat.
  input   x0: float32 1x256x13x13
  input   x1: float32 1x64x13x13
  output  y0: float32 1x512x13x13
One call does 49,840,128 floating-point operations on 589,824 bytes of weights
and 562,432 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu_Concat",
    "fingerprint": "41eae08e06205e74693736d2b1014eb7e55c4f54982b876bdb2eb609a8aac17e",
    "role": "sequence",
    "network": "networks/41eae08e06205e74693736d2b1014eb7e55c4f54982b876bdb2eb609a8aac17e.onnx",
    "digest": "5a6c5f64e6240479fa246ad7ebf4f22cc880bcf30d839bd61648a600a8ad43b6",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "Relu", "Concat"],
    "layers": 2,
    "weight_bytes": 589824,
    "activation_bytes": 562432,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 256, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 64, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 512, 13, 13]},
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
