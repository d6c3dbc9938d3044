"""Relu alone: `python Relu_8183be861557.py [--threads N] [--json]`.

Benchmark 8183be86155701b91d2c9111eca0651105da1fcace78f9e5ea62e4d5d9cec7e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8183be86155701b91d2c9111eca0651105da1fcace78f9e5ea62e4d5d9cec7e0', SUITE, sys.argv[1:]))
