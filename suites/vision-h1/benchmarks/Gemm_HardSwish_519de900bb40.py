"""Gemm_HardSwish alone: `python Gemm_HardSwish_519de900bb40.py [--threads N] [--json]`.

Benchmark 519de900bb40252c0f116e7b711bf1bb54b18485bcdf0c0f3f73d97815b5e975,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('519de900bb40252c0f116e7b711bf1bb54b18485bcdf0c0f3f73d97815b5e975', SUITE, sys.argv[1:]))
