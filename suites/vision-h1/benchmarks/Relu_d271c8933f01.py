"""Relu alone: `python Relu_d271c8933f01.py [--threads N] [--json]`.

Benchmark d271c8933f018b361f2d81e7754d1d45f4164f356d1ee5102b2e4ba3fa8c8270,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d271c8933f018b361f2d81e7754d1d45f4164f356d1ee5102b2e4ba3fa8c8270', SUITE, sys.argv[1:]))
