"""Softmax alone: `python Softmax_bfa833655d4d.py [--threads N] [--json]`.

Benchmark bfa833655d4d5d128b0760572537a3c67d62c0bce3198cbc7c1f74de7d54fe16,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bfa833655d4d5d128b0760572537a3c67d62c0bce3198cbc7c1f74de7d54fe16', SUITE, sys.argv[1:]))
