"""Transpose_MatMul alone: `python benchmarks/Transpose_MatMul_38416fff16ec.py`, see `--help`.

A layer sequence of a neural network: Transpose, MatMul.
  input   x0: float32 128x27x64
  output  y0: float32 128x27x27
One call does 11,943,936 floating-point operations on 0 bytes of weights
and 1,257,984 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Transpose_MatMul",
    "fingerprint": "38416fff16ece624ac5633b8037a5919a585e3c84110fcbcab9c5b5532bb9a16",
    "role": "sequence",
    "network": "networks/38416fff16ece624ac5633b8037a5919a585e3c84110fcbcab9c5b5532bb9a16.onnx",
    "digest": "ebf76a256263b4e190c6c4377698942356ae67c64e54a58636613271f7903db3",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Transpose", "MatMul"],
    "layers": 2,
    "weight_bytes": 0,
    "activation_bytes": 1257984,
    "importance": 0.03125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 27, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 27, 27]},
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
