"""DequantizeLinear_Conv_QuantizeLinear alone: `python benchmarks/DequantizeLinear_Conv_QuantizeLinear_39de6b0abfc7.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, DequantizeLinear, Conv, QuantizeLinear.
  input   x0: uint8 1x128x28x28
  output  y0: uint8 1x128x28x28
One call does 231,211,008 floating-point operations on 147,471 bytes of weights
and 200,704 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_Conv_QuantizeLinear",
    "fingerprint": "39de6b0abfc78a0935ea89b2c0390ad661750eaff0729c446631631e1b489f4a",
    "role": "sequence",
    "network": "networks/39de6b0abfc78a0935ea89b2c0390ad661750eaff0729c446631631e1b489f4a.onnx",
    "digest": "b4b43760a87ec6dabe4bf64e5270dd6abc266440abf2ece7b395100f7ec78e33",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "DequantizeLinear", "Conv", "QuantizeLinear"],
    "layers": 1,
    "weight_bytes": 147471,
    "activation_bytes": 200704,
    "importance": 0.0625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 128, 28, 28], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "uint8", "shape": [1, 128, 28, 28]},
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
