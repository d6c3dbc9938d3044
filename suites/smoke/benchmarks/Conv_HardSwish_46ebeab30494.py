"""Conv_HardSwish alone: `python benchmarks/Conv_HardSwish_46ebeab30494.py`, see `--help`.

A layer sequence of a neural network: Conv, HardSwish, Conv, HardSwish.
  input   x0: float32 1x40x14x14
  output  y0: float32 1x120x14x14
One call does 3,057,600 floating-point operations on 31,200 bytes of weights
and 125,440 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_HardSwish",
    "fingerprint": "46ebeab3049499e5f89ce98402d788a81f4fa101c371882ce9c8a9d8575aaea9",
    "role": "sequence",
    "network": "networks/46ebeab3049499e5f89ce98402d788a81f4fa101c371882ce9c8a9d8575aaea9.onnx",
    "digest": "3914e4089b0d7957ad678ccde96ca20050c8420753d15a98828457744b498a8c",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "HardSwish", "Conv", "HardSwish"],
    "layers": 2,
    "weight_bytes": 31200,
    "activation_bytes": 125440,
    "importance": 0.015625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 40, 14, 14], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 120, 14, 14]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-6.bin", "dtype": "float32", "nbytes": 12000, "generator": {"kind": "uniform", "low": -0.3535533905932738, "high": 0.3535533905932738}},
        {"file": "weights.float32.u-7.bin", "dtype": "float32", "nbytes": 19200, "generator": {"kind": "uniform", "low": -0.29730177875068026, "high": 0.29730177875068026}},
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
