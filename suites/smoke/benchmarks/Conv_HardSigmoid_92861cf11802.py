"""Conv_HardSigmoid alone: `python benchmarks/Conv_HardSigmoid_92861cf11802.py`, see `--help`.

A layer sequence of a neural network: Conv, HardSigmoid.
  input   x0: float32 1x8x1x1
  output  y0: float32 1x16x1x1
One call does 256 floating-point operations on 512 bytes of weights
and 96 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_HardSigmoid",
    "fingerprint": "92861cf11802d2b03e18581aff763e1d96b8455c6e309fee46f1d5f36560f265",
    "role": "sequence",
    "network": "networks/92861cf11802d2b03e18581aff763e1d96b8455c6e309fee46f1d5f36560f265.onnx",
    "digest": "9fbaca31e70f1ac28138821d7d72b33e3a846336f5adc702f901d7e97d40c302",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "HardSigmoid"],
    "layers": 1,
    "weight_bytes": 512,
    "activation_bytes": 96,
    "importance": 0.00048828125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 8, 1, 1], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 16, 1, 1]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-3.bin", "dtype": "float32", "nbytes": 3168, "generator": {"kind": "uniform", "low": -0.5946035575013605, "high": 0.5946035575013605}},
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
