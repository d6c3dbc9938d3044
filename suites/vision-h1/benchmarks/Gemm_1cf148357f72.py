"""Gemm alone: `python Gemm_1cf148357f72.py [--threads N] [--json]`.

Benchmark 1cf148357f725924e89ecbea5e85cabcce96b433f1aa40b19ef1656464e132ba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cf148357f725924e89ecbea5e85cabcce96b433f1aa40b19ef1656464e132ba', SUITE, sys.argv[1:]))
