"""Transpose_GatherND alone: `python benchmarks/Transpose_GatherND_4c4d7d7ee81b.py`, see `--help`.

A layer sequence of a neural network: Transpose, GatherND.
  input   x0: float32 128x729
  output  y0: float32 351x128
One call does 0 floating-point operations on 2,808 bytes of weights
and 552,960 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Transpose_GatherND",
    "fingerprint": "4c4d7d7ee81b9537ba365ac490b3b30b55f1c3cbff514f3a0ff858cd25805273",
    "role": "sequence",
    "network": "networks/4c4d7d7ee81b9537ba365ac490b3b30b55f1c3cbff514f3a0ff858cd25805273.onnx",
    "digest": "024ec955696f73caefe32e41a0ece47a7058caa62ed1806741908d4a5a007587",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Transpose", "GatherND"],
    "layers": 2,
    "weight_bytes": 2808,
    "activation_bytes": 552960,
    "importance": 0.00390625,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 729], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [351, 128]},
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
