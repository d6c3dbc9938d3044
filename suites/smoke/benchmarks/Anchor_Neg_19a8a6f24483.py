"""Anchor_Neg alone: `python benchmarks/Anchor_Neg_19a8a6f24483.py`, see `--help`.

An anchor, which tells how fast the machine is at the moment: Neg.
  input   x0: float32 8x262144
  output  y0: float32 8x262144
One call does 0 floating-point operations on 0 bytes of weights
and 16,777,216 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Anchor_Neg",
    "fingerprint": "19a8a6f2448362225b25bc713bdd139b06b4e9c521dcc4db43c0365ff399875e",
    "role": "anchor",
    "network": "networks/19a8a6f2448362225b25bc713bdd139b06b4e9c521dcc4db43c0365ff399875e.onnx",
    "digest": "6c8fcf2249a3e9eb144270dc765ba8acdb56ba0dc3fb63a6591902bee8cc474b",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Neg"],
    "layers": 1,
    "weight_bytes": 0,
    "activation_bytes": 16777216,
    "importance": 1.0,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [8, 262144], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [8, 262144]},
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
