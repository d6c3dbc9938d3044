"""Relu alone: `python Relu_ebaed07ba1af.py [--threads N] [--json]`.

Benchmark ebaed07ba1af8f0c289f96ce75dc84d2833f16281d8eddf472b1ea7b062278b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ebaed07ba1af8f0c289f96ce75dc84d2833f16281d8eddf472b1ea7b062278b9', SUITE, sys.argv[1:]))
