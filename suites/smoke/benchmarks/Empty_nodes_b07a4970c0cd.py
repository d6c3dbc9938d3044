"""Empty_nodes alone: `python benchmarks/Empty_nodes_b07a4970c0cd.py`, see `--help`.

A chain of empty layers, which tells what a layer costs: Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity, Identity.
  input   x0: float32 1
  output  y0: float32 1
One call does 0 floating-point operations on 0 bytes of weights
and 8 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Empty_nodes",
    "fingerprint": "b07a4970c0cd1c186f251d0f6538a474eb4780fb37d1dcb49c90279443397232",
    "role": "nodes",
    "network": "networks/b07a4970c0cd1c186f251d0f6538a474eb4780fb37d1dcb49c90279443397232.onnx",
    "digest": "b172fd77c491465ba3c28e14bc6fbad60e10fb3be6dfbe73dc11c7a13cd8abc7",  # sha256 of the network
    "optimization": "none",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity", "Identity"],
    "layers": 65,
    "weight_bytes": 0,
    "activation_bytes": 8,
    "importance": 1.0,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1]},
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
