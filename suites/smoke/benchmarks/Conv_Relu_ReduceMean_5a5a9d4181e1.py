"""Conv_Relu_ReduceMean alone: `python benchmarks/Conv_Relu_ReduceMean_5a5a9d4181e1.py`, see `--help`.

A layer sequence of a neural network: Conv, Relu, ReduceMean.
  input   x0: float32 1x512x13x13
  output  y0: float32 1x1000x1x1
One call does 173,056,000 floating-point operations on 2,048,016 bytes of weights
and 350,112 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Conv_Relu_ReduceMean",
    "fingerprint": "5a5a9d4181e1f3a6a5789be89c4a305f6e475f21e997b267a64cab8eec0df279",
    "role": "sequence",
    "network": "networks/5a5a9d4181e1f3a6a5789be89c4a305f6e475f21e997b267a64cab8eec0df279.onnx",
    "digest": "8e308c8ee8fd407920d58bfc8a7b1b816d61a87015ee812c85859b3856b8b46d",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Conv", "Relu", "ReduceMean"],
    "layers": 2,
    "weight_bytes": 2048016,
    "activation_bytes": 350112,
    "importance": 0.125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [1, 512, 13, 13], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [1, 1000, 1, 1]},
    ],
    "overwrites": "",  # input in whose buffer the output is made
    "seed": 0,
    "weights": [  # files that the network reads, made up from the seed
        {"file": "weights.float32.u-15.bin", "dtype": "float32", "nbytes": 2359296, "generator": {"kind": "uniform", "low": -0.07432544468767006, "high": 0.07432544468767006}},
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
