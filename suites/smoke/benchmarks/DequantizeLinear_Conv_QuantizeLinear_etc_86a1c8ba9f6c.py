"""DequantizeLinear_Conv_QuantizeLinear_etc alone: `python benchmarks/DequantizeLinear_Conv_QuantizeLinear_etc_86a1c8ba9f6c.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, DequantizeLinear, Conv, QuantizeLinear, DequantizeLinear, MaxPool, QuantizeLinear.
  input   x0: uint8 1x3x224x224
  output  y0: uint8 1x64x56x56
One call does 236,027,904 floating-point operations on 9,423 bytes of weights
and 351,232 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_Conv_QuantizeLinear_etc",
    "fingerprint": "86a1c8ba9f6ce029d51f59a2ff70ea33a1aef4d52c2cc91b9e12446035b3a0e0",
    "role": "sequence",
    "network": "networks/86a1c8ba9f6ce029d51f59a2ff70ea33a1aef4d52c2cc91b9e12446035b3a0e0.onnx",
    "digest": "477c7d340a87b6c3ad75359f258e6b6b7330a3195c64a875b6e42cc0b31430d0",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "DequantizeLinear", "Conv", "QuantizeLinear", "DequantizeLinear", "MaxPool", "QuantizeLinear"],
    "layers": 2,
    "weight_bytes": 9423,
    "activation_bytes": 351232,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 3, 224, 224], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "uint8", "shape": [1, 64, 56, 56]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.int8.i-64_64.bin", "dtype": "int8", "nbytes": 512000, "generator": {"kind": "integers", "low": -64, "high": 64}},
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
