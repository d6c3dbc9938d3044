"""Concat_MaxPool alone: `python benchmarks/Concat_MaxPool_ff2ad3ae0952.py`, see `--help`.

A layer sequence of a neural network: Concat, MaxPool.
  input   x0: float32 1x128x27x27
  input   x1: float32 1x128x27x27
  output  y0: float32 1x256x13x13
One call does 0 floating-point operations on 0 bytes of weights
and 919,552 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Concat_MaxPool",
    "fingerprint": "ff2ad3ae0952812295493286ad2222860e907fb5fbab4e21f1162cf175f6a7f9",
    "role": "sequence",
    "network": "networks/ff2ad3ae0952812295493286ad2222860e907fb5fbab4e21f1162cf175f6a7f9.onnx",
    "digest": "54d858d575ef71df651391fe570009f0772d11a5b6be0273627ea6198065557e",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Concat", "MaxPool"],
    "layers": 2,
    "weight_bytes": 0,
    "activation_bytes": 919552,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 128, 27, 27], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 128, 27, 27], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 256, 13, 13]},
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
