"""DequantizeLinear_Conv_QuantizeLinear_Add alone: `python benchmarks/DequantizeLinear_Conv_QuantizeLinear_Add_c8415af4f54b.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, DequantizeLinear, DequantizeLinear, Conv, QuantizeLinear, DequantizeLinear, Add, QuantizeLinear.
  input   x0: uint8 1x512x7x7
  input   x1: uint8 1x256x14x14
  output  y0: uint8 1x512x7x7
One call does 12,845,056 floating-point operations on 131,097 bytes of weights
and 100,352 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_Conv_QuantizeLinear_Add",
    "fingerprint": "c8415af4f54b88e591f9995f186f4ff2c812b308748a012ced07955843404fab",
    "role": "sequence",
    "network": "networks/c8415af4f54b88e591f9995f186f4ff2c812b308748a012ced07955843404fab.onnx",
    "digest": "aba140eab458d9035dd238600e832f06564d7b9414569f62a0ebdf024d7c3d31",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "DequantizeLinear", "DequantizeLinear", "Conv", "QuantizeLinear", "DequantizeLinear", "Add", "QuantizeLinear"],
    "layers": 2,
    "weight_bytes": 131097,
    "activation_bytes": 100352,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 512, 7, 7], "generator": {"kind": "integers", "low": 0, "high": 256}},
        {"name": "x1", "dtype": "uint8", "shape": [1, 256, 14, 14], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "uint8", "shape": [1, 512, 7, 7]},
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
