"""Conv_Relu alone: `python benchmarks/Conv_Relu_2b58252e71dc.py`, see `--help`.

A layer sequence of a neural network: Conv, Relu.
  input   x0: float32 1x48x13x13
  output  y0: float32 1x192x13x13
One call does 3,115,008 floating-point operations on 36,864 bytes of weights
and 162,240 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu",
    "fingerprint": "2b58252e71dc9614df701b44000bab8203740a4e2e92002b0e958cf9d7ce5a56",
    "role": "sequence",
    "network": "networks/2b58252e71dc9614df701b44000bab8203740a4e2e92002b0e958cf9d7ce5a56.onnx",
    "digest": "5ec73da4fadf60e81ff3152f5f7864baae5db12dcf0642098f6e40a82eedf1ec",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "Relu"],
    "layers": 1,
    "weight_bytes": 36864,
    "activation_bytes": 162240,
    "importance": 0.00390625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 48, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 192, 13, 13]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-8.bin", "dtype": "float32", "nbytes": 36864, "generator": {"kind": "uniform", "low": -0.25, "high": 0.25}},
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
