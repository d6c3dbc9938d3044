"""Concat_Conv_Relu alone: `python benchmarks/Concat_Conv_Relu_eec292d89e17.py`, see `--help`.

A layer sequence of a neural network: Concat, Conv, Relu.
  input   x0: float32 1x192x13x13
  input   x1: float32 1x192x13x13
  output  y0: float32 1x48x13x13
One call does 6,230,016 floating-point operations on 73,728 bytes of weights
and 292,032 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Concat_Conv_Relu",
    "fingerprint": "eec292d89e1754fc08761e0fd190b9a0a53fc81707213ebdaa7229b9e8b47746",
    "role": "sequence",
    "network": "networks/eec292d89e1754fc08761e0fd190b9a0a53fc81707213ebdaa7229b9e8b47746.onnx",
    "digest": "3ee87971a90d585ba8b675a08c49a7ac90f812f72c16d8b4791565a252fdef14",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Concat", "Conv", "Relu"],
    "layers": 2,
    "weight_bytes": 73728,
    "activation_bytes": 292032,
    "importance": 0.0078125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 192, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [1, 192, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 48, 13, 13]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-14.bin", "dtype": "float32", "nbytes": 73728, "generator": {"kind": "uniform", "low": -0.08838834764831845, "high": 0.08838834764831845}},
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
