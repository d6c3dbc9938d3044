"""Conv_Relu_MaxPool alone: `python benchmarks/Conv_Relu_MaxPool_320aec97f461.py`, see `--help`.

A layer sequence of a neural network: Conv, Relu, MaxPool.
  input   x0: float32 1x3x224x224
  output  y0: float32 1x64x55x55
One call does 42,581,376 floating-point operations on 6,912 bytes of weights
and 1,376,512 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu_MaxPool",
    "fingerprint": "320aec97f46176199f35646618f34997672054264caaee2f00256a9a39adb91c",
    "role": "sequence",
    "network": "networks/320aec97f46176199f35646618f34997672054264caaee2f00256a9a39adb91c.onnx",
    "digest": "db7494ed44dd3c3852f62745d816ec25bd3304c6972bc5e18235b121527e6f8d",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "Relu", "MaxPool"],
    "layers": 2,
    "weight_bytes": 6912,
    "activation_bytes": 1376512,
    "importance": 0.03125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 3, 224, 224], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 64, 55, 55]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-6.bin", "dtype": "float32", "nbytes": 12000, "generator": {"kind": "uniform", "low": -0.3535533905932738, "high": 0.3535533905932738}},
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
