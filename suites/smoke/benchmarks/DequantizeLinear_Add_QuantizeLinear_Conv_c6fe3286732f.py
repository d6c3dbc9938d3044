"""DequantizeLinear_Add_QuantizeLinear_Conv alone: `python benchmarks/DequantizeLinear_Add_QuantizeLinear_Conv_c6fe3286732f.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, DequantizeLinear, Add, QuantizeLinear, DequantizeLinear, DequantizeLinear, Conv, QuantizeLinear.
  input   x0: uint8 1x64x56x56
  input   x1: uint8 1x64x56x56
  output  y0: uint8 1x64x56x56
  output  y1: uint8 1x64x56x56
One call does 231,211,008 floating-point operations on 36,889 bytes of weights
and 802,816 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_Add_QuantizeLinear_Conv",
    "fingerprint": "c6fe3286732f84f47b55fbdee29c422703d0371ac9b195dcd1d37bb5cf31ac0a",
    "role": "sequence",
    "network": "networks/c6fe3286732f84f47b55fbdee29c422703d0371ac9b195dcd1d37bb5cf31ac0a.onnx",
    "digest": "41a399370e2f329ec90d92d1f38cef7098eb586b2d114ebd8504ba27249510f3",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "DequantizeLinear", "Add", "QuantizeLinear", "DequantizeLinear", "DequantizeLinear", "Conv", "QuantizeLinear"],
    "layers": 2,
    "weight_bytes": 36889,
    "activation_bytes": 802816,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 64, 56, 56], "generator": {"kind": "integers", "low": 0, "high": 256}},
        {"name": "x1", "dtype": "uint8", "shape": [1, 64, 56, 56], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "uint8", "shape": [1, 64, 56, 56]},
        {"name": "y1", "dtype": "uint8", "shape": [1, 64, 56, 56]},
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
