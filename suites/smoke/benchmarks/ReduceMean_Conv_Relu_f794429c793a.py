"""ReduceMean_Conv_Relu alone: `python benchmarks/ReduceMean_Conv_Relu_f794429c793a.py`, see `--help`.

A layer sequence of a neural network: ReduceMean, Conv, Relu.
  input   x0: float32 1x96x14x14
  output  y0: float32 1x24x1x1
One call does 4,608 floating-point operations on 9,232 bytes of weights
and 75,360 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "ReduceMean_Conv_Relu",
    "fingerprint": "f794429c793a29e2a46ebed51e76a7574727d81fbd39d05a3a45691bfe6e2b42",
    "role": "sequence",
    "network": "networks/f794429c793a29e2a46ebed51e76a7574727d81fbd39d05a3a45691bfe6e2b42.onnx",
    "digest": "e90a0826966e5b813268f3ca5e33777191092b420cc0dc4e24136565a268e96e",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["ReduceMean", "Conv", "Relu"],
    "layers": 2,
    "weight_bytes": 9232,
    "activation_bytes": 75360,
    "importance": 0.001953125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 96, 14, 14], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 24, 1, 1]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-10.bin", "dtype": "float32", "nbytes": 221184, "generator": {"kind": "uniform", "low": -0.1767766952966369, "high": 0.1767766952966369}},
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
