"""Conv_HardSwish_Relu alone: `python benchmarks/Conv_HardSwish_Relu_721d8870def1.py`, see `--help`.

A layer sequence of a neural network: Conv, HardSwish, Conv, Relu.
  input   x0: float32 1x3x224x224
  output  y0: float32 1x16x56x56
One call does 11,741,184 floating-point operations on 2,304 bytes of weights
and 802,816 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_HardSwish_Relu",
    "fingerprint": "721d8870def18a739f2466a427afeadf480700dec63379c0a01ded09c5d7521a",
    "role": "sequence",
    "network": "networks/721d8870def18a739f2466a427afeadf480700dec63379c0a01ded09c5d7521a.onnx",
    "digest": "b895db4623f040223e753aa949fcadfaa4493597e9a9c0959f0fe12aec643c1b",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "HardSwish", "Conv", "Relu"],
    "layers": 2,
    "weight_bytes": 2304,
    "activation_bytes": 802816,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 3, 224, 224], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 16, 56, 56]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-3.bin", "dtype": "float32", "nbytes": 3168, "generator": {"kind": "uniform", "low": -0.5946035575013605, "high": 0.5946035575013605}},
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
