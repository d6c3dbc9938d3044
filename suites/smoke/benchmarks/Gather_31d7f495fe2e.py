"""Gather alone: `python benchmarks/Gather_31d7f495fe2e.py`, see `--help`.

A layer sequence of a neural network: Gather, Gather.
  input   x0: int64 128x26
  output  y0: float32 128x64
One call does 0 floating-point operations on 5,120,008 bytes of weights
and 59,392 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Gather",
    "fingerprint": "31d7f495fe2e0312e7fdb2ed380e46127653cb1106207b14da2f458a9ac13cab",
    "role": "sequence",
    "network": "networks/31d7f495fe2e0312e7fdb2ed380e46127653cb1106207b14da2f458a9ac13cab.onnx",
    "digest": "50419119ab22bd1933d1df8b1c7c3e56a79ea30ec540706d6c92b612a40f5205",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Gather", "Gather"],
    "layers": 2,
    "weight_bytes": 5120008,
    "activation_bytes": 59392,
    "importance": 0.0009765625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "int64", "shape": [128, 26], "generator": {"kind": "integers", "low": 0, "high": 20000}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 64]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
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
