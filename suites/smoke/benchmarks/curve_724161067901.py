"""curve alone: `python benchmarks/curve_724161067901.py`, see `--help`.

A product that is measured after more and more other memory was read: MatMul.
  input   x0: float32 1x1024
  output  y0: float32 1x512
One call does 1,048,576 floating-point operations on 2,097,152 bytes of weights
and 6,144 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "curve",
    "fingerprint": "724161067901d64c18850f670f1c70919914fdad9439799ef13e3c5891997953",
    "role": "curve",
    "network": "networks/724161067901d64c18850f670f1c70919914fdad9439799ef13e3c5891997953.onnx",
    "digest": "f151d194eec2590e79ef4afc84d666ec1593fec3acc5ccb96c2c829d49763615",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["MatMul"],
    "layers": 1,
    "weight_bytes": 2097152,
    "activation_bytes": 6144,
    "importance": 1.0,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 1024], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 512]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-16.bin", "dtype": "float32", "nbytes": 27047488, "generator": {"kind": "uniform", "low": -0.0625, "high": 0.0625}},
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
