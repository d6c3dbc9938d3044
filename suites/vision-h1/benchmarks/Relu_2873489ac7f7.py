"""Relu alone: `python Relu_2873489ac7f7.py [--threads N] [--json]`.

Benchmark 2873489ac7f7c78e189f9fea3143e2498cb1d52a2c2b679e77e3baebb90a600a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2873489ac7f7c78e189f9fea3143e2498cb1d52a2c2b679e77e3baebb90a600a', SUITE, sys.argv[1:]))
