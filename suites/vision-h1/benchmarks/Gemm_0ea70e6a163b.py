"""Gemm alone: `python Gemm_0ea70e6a163b.py [--threads N] [--json]`.

Benchmark 0ea70e6a163babee75365f8c4183de9cfdedca4d6582f351e63ae52dde06f116,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ea70e6a163babee75365f8c4183de9cfdedca4d6582f351e63ae52dde06f116', SUITE, sys.argv[1:]))
