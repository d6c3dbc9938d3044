"""DequantizeLinear_Gemm_QuantizeLinear alone: `python benchmarks/DequantizeLinear_Gemm_QuantizeLinear_79bebea87711.py`, see `--help`.

A layer sequence of a neural network: DequantizeLinear, DequantizeLinear, DequantizeLinear, Gemm, QuantizeLinear, DequantizeLinear.
  input   x0: uint8 1x512
  output  y0: float32 1x1000
One call does 1,024,000 floating-point operations on 516,023 bytes of weights
and 4,512 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "DequantizeLinear_Gemm_QuantizeLinear",
    "fingerprint": "79bebea877114a18ed4827ed132e681b20dc6c46682c1739eaf2b94bbbc855b9",
    "role": "sequence",
    "network": "networks/79bebea877114a18ed4827ed132e681b20dc6c46682c1739eaf2b94bbbc855b9.onnx",
    "digest": "1a9f4bb7231bef4f94d32cfd7d63bbabd4bdfb39d9fcbea3c9f4b49b3db284fe",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["DequantizeLinear", "DequantizeLinear", "DequantizeLinear", "Gemm", "QuantizeLinear", "DequantizeLinear"],
    "layers": 2,
    "weight_bytes": 516023,
    "activation_bytes": 4512,
    "importance": 0.000244140625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "uint8", "shape": [1, 512], "generator": {"kind": "integers", "low": 0, "high": 256}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 1000]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.int32.i-16_16.bin", "dtype": "int32", "nbytes": 4000, "generator": {"kind": "integers", "low": -16, "high": 16}},
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
