"""Mul alone: `python Mul_e80d0939223d.py [--threads N] [--json]`.

Benchmark e80d0939223d7da3318e7043b4edbec93a53d631aade0fe6e0c87859621fbaca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e80d0939223d7da3318e7043b4edbec93a53d631aade0fe6e0c87859621fbaca', SUITE, sys.argv[1:]))
