"""DequantizeLinear_ReduceMean alone: `python benchmarks/DequantizeLinear_ReduceMean_50bf2db87cc4.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, ReduceMean.
  input   x0: uint8 1x512x7x7
  output  y0: float32 1x512x1x1
One call does 0 floating-point operations on 21 bytes of weights
and 27,136 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_ReduceMean",
    "fingerprint": "50bf2db87cc467e3b09d9c434ec15c31082f0180a2cb8f3abcd919c710413554",
    "role": "sequence",
    "network": "networks/50bf2db87cc467e3b09d9c434ec15c31082f0180a2cb8f3abcd919c710413554.onnx",
    "digest": "2ea79841c1c24d7c3f3d92dba4b0f5c6a4c6d3579ab516f986e18eeb2d2f8fc0",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "ReduceMean"],
    "layers": 2,
    "weight_bytes": 21,
    "activation_bytes": 27136,
    "importance": 3.0517578125e-05,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 512, 7, 7], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 512, 1, 1]},
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
