"""Gemm alone: `python Gemm_09a4b10ae615.py [--threads N] [--json]`.

Benchmark 09a4b10ae61507ec42ff0f0447de1e7ad3dab23f0a327f4c303c5242f4d214a7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('09a4b10ae61507ec42ff0f0447de1e7ad3dab23f0a327f4c303c5242f4d214a7', SUITE, sys.argv[1:]))
