"""Concat alone: `python benchmarks/Concat_282a7149d3aa.py`, see `--help`.

A layer sequence of a neural network: Concat.
  input   x0: float32 128x1x64
  input   x1: float32 128x1x64
  input   x2: float32 128x1x64
  input   x3: float32 128x1x64
  input   x4: float32 128x1x64
  input   x5: float32 128x1x64
  input   x6: float32 128x1x64
  input   x7: float32 128x1x64
  input   x8: float32 128x1x64
  input   x9: float32 128x1x64
  input   x10: float32 128x1x64
  input   x11: float32 128x1x64
  input   x12: float32 128x1x64
  input   x13: float32 128x1x64
  input   x14: float32 128x1x64
  input   x15: float32 128x1x64
  input   x16: float32 128x1x64
  input   x17: float32 128x1x64
  input   x18: float32 128x1x64
  input   x19: float32 128x1x64
  input   x20: float32 128x1x64
  input   x21: float32 128x1x64
  input   x22: float32 128x1x64
  input   x23: float32 128x1x64
  input   x24: float32 128x1x64
  input   x25: float32 128x1x64
  input   x26: float32 128x1x64
  output  y0: float32 128x27x64
One call does 0 floating-point operations on 0 bytes of weights
and 1,769,472 bytes of inputs and outputs.
Made by dlbricks 0.1.0. Needs Python 3.10 or newer, numpy and onnxruntime 1.21 or newer.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import measure  # noqa: E402  (the harness lies in the suite's folder)

BENCHMARK = {
    "name": "Concat",
    "fingerprint": "282a7149d3aa74ad2487d9f72c0c2f4a17956aa05492b56d8f0e5b0c3f99459b",
    "role": "sequence",
    "network": "networks/282a7149d3aa74ad2487d9f72c0c2f4a17956aa05492b56d8f0e5b0c3f99459b.onnx",
    "digest": "61c81ea3cde03d80c741fc1190a6c27eebc4852e2316cf52f73e5e7d9e735a8a",  # sha256 of the network
    "optimization": "all",  # graph optimisations of the runtime
    "target": {"name": "portable", "runtime": "", "instruction_set": []},
    "operators": ["Concat"],
    "layers": 1,
    "weight_bytes": 0,
    "activation_bytes": 1769472,
    "importance": 0.0078125,  # greatest share of a network's time
    "inputs": [  # values are made up from the seed
        {"name": "x0", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x1", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x2", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x3", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x4", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x5", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x6", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x7", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x8", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x9", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x10", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x11", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x12", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x13", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x14", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x15", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x16", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x17", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x18", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x19", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x20", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x21", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x22", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x23", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x24", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x25", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
        {"name": "x26", "dtype": "float32", "shape": [128, 1, 64], "generator": {"kind": "uniform", "low": -1.0, "high": 1.0}},
    ],
    "outputs": [
        {"name": "y0", "dtype": "float32", "shape": [128, 27, 64]},
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
