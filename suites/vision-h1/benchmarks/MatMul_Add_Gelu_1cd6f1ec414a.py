"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_1cd6f1ec414a.py [--threads N] [--json]`.

Benchmark 1cd6f1ec414ad05804d5f625eaa799b36ce8e27b1a2feb3ae5a6e8b4a972b447,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cd6f1ec414ad05804d5f625eaa799b36ce8e27b1a2feb3ae5a6e8b4a972b447', SUITE, sys.argv[1:]))
