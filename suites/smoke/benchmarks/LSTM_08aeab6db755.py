"""LSTM alone: `python benchmarks/LSTM_08aeab6db755.py`, see `--help`.

A layer sequence of a neural network: LSTM, Squeeze, LSTM.
  input   x0: float32 35x1x650
  output  y0: float32 35x1x1x650
One call does 473,200,000 floating-point operations on 27,092,008 bytes of weights
and 182,000 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "LSTM",
    "fingerprint": "08aeab6db755b5f73bf5f81a1b72bbdc90d400f9486e227c97a9ccd4bc702e7f",
    "role": "sequence",
    "network": "networks/08aeab6db755b5f73bf5f81a1b72bbdc90d400f9486e227c97a9ccd4bc702e7f.onnx",
    "digest": "bcee33c0fefc3a525a50b439baf56caf6f258c2f31568ce4d8e3ca34b5097e58",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["LSTM", "Squeeze", "LSTM"],
    "layers": 2,
    "weight_bytes": 27092008,
    "activation_bytes": 182000,
    "importance": 0.5,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [35, 1, 650], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [35, 1, 1, 650]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-16.bin", "dtype": "float32", "nbytes": 27047488, "generator": {"kind": "uniform", "low": -0.0625, "high": 0.0625}},
        {"file": "weights.float32.u-17.bin", "dtype": "float32", "nbytes": 4096000, "generator": {"kind": "uniform", "low": -0.052556025953357156, "high": 0.052556025953357156}},
        {"file": "weights.float32.u0.bin", "dtype": "float32", "nbytes": 26000000, "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
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
