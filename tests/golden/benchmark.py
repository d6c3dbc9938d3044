"""Conv_Relu alone: `python benchmarks/Conv_Relu_0123456789ab.py`, see `--help`.

A layer sequence of a neural network: Conv.
  input   x0: float32 1x64x28x28
  output  y0: float32 1x64x28x28
One call does 57,802,752 floating-point operations on 147,456 bytes of weights
and 401,408 bytes of inputs and outputs.
Made by dlbricks 1.2.3. Needs Python 3.10 or newer, numpy and onnxruntime 1.23 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu",
    "fingerprint": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "role": "sequence",
    "network": "networks/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.onnx",
    "digest": "083dbfb307f50dd2758cc6b223a0f38a4c31ca7c51118b8b729d13f056dedfd7",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": [], "blocks": []},
    "operators": ["Conv"],
    "layers": 1,
    "weight_bytes": 147456,
    "activation_bytes": 401408,
    "importance": 1.0,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 64, 28, 28], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 64, 28, 28]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 3,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-16.bin", "dtype": "float32", "nbytes": 2097152, "generator": {"kind": "uniform", "low": -0.0625, "high": 0.0625}},
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
