"""QuantizeLinear alone: `python benchmarks/QuantizeLinear_cfb5c5003d87.py`, see `--help`.

A layer sequence of a neural network: QuantizeLinear.
  input   x0: float32 1x512
  output  y0: uint8 1x512
One call does 0 floating-point operations on 5 bytes of weights
and 2,560 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "QuantizeLinear",
    "fingerprint": "cfb5c5003d8770b9f0f8c5172e4cca4c5f9279a12a9bc59ee4ec7f44f368c48f",
    "role": "sequence",
    "network": "networks/cfb5c5003d8770b9f0f8c5172e4cca4c5f9279a12a9bc59ee4ec7f44f368c48f.onnx",
    "digest": "63aa428d18fa769c5902eade8e4989f05f30bce19fe2ca37b6d2269407844ec9",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["QuantizeLinear"],
    "layers": 1,
    "weight_bytes": 5,
    "activation_bytes": 2560,
    "importance": 1.52587890625e-05,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 512], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "uint8", "shape": [1, 512]},
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
