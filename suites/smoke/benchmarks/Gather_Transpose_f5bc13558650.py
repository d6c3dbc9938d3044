"""Gather_Transpose alone: `python benchmarks/Gather_Transpose_f5bc13558650.py`, see `--help`.

A layer sequence of a neural network: Gather, Transpose.
  input   x0: int64 1x35
  output  y0: float32 35x1x650
One call does 0 floating-point operations on 26,000,000 bytes of weights
and 91,280 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Gather_Transpose",
    "fingerprint": "f5bc13558650b57cadb913dc25dabf8c38afafac0551f701158510de842dbb4c",
    "role": "sequence",
    "network": "networks/f5bc13558650b57cadb913dc25dabf8c38afafac0551f701158510de842dbb4c.onnx",
    "digest": "2930b134434711ee89f87cd14685cf4764b96dcd0faf92bb9eb8e916580b8bf6",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Gather", "Transpose"],
    "layers": 2,
    "weight_bytes": 26000000,
    "activation_bytes": 91280,
    "importance": 0.00048828125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "int64", "shape": [1, 35], "generator": {"kind": "integers", "low": 0, "high": 10000}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [35, 1, 650]},
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
