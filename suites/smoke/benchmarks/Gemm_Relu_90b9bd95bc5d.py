"""Gemm_Relu alone: `python benchmarks/Gemm_Relu_90b9bd95bc5d.py`, see `--help`.

A layer sequence of a neural network: Gemm, Relu.
  input   x0: float32 128x256
  output  y0: float32 128x64
One call does 4,194,304 floating-point operations on 65,792 bytes of weights
and 163,840 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Gemm_Relu",
    "fingerprint": "90b9bd95bc5d758e12101645bd72bea015f0ca5978c581db6a48855e4fd584ac",
    "role": "sequence",
    "network": "networks/90b9bd95bc5d758e12101645bd72bea015f0ca5978c581db6a48855e4fd584ac.onnx",
    "digest": "3b35cff5a3c34bff3de71ea6c80744990fc8f8084675d51929a84d509175b6bc",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Gemm", "Relu"],
    "layers": 1,
    "weight_bytes": 65792,
    "activation_bytes": 163840,
    "importance": 0.0078125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 256], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 64]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-13.bin", "dtype": "float32", "nbytes": 65536, "generator": {"kind": "uniform", "low": -0.10511205190671431, "high": 0.10511205190671431}},
        {"file": "weights.float32.u-17.bin", "dtype": "float32", "nbytes": 4096000, "generator": {"kind": "uniform", "low": -0.052556025953357156, "high": 0.052556025953357156}},
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
