"""Empty alone: `python benchmarks/Empty_72ee45eadb9a.py`, see `--help`.

An empty network, which tells what a call costs: Identity.
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
    "name": "Empty",
    "fingerprint": "72ee45eadb9ac29ceab015e09444e9fd461b8e3f93045a9c5e866d6aedcffda4",
    "role": "overhead",
    "network": "networks/72ee45eadb9ac29ceab015e09444e9fd461b8e3f93045a9c5e866d6aedcffda4.onnx",
    "digest": "fb2129e76a0b0e067cb26d9b5e39ef376b5934eb4aa5758c2dc8dae208d0d856",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Identity"],
    "layers": 1,
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
