"""Transpose alone: `python Transpose_8d8924f0b87c.py [--threads N] [--json]`.

Benchmark 8d8924f0b87c6374a2774ac010769feb067b05e2fc6104b357e65eff27b27447,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d8924f0b87c6374a2774ac010769feb067b05e2fc6104b357e65eff27b27447', SUITE, sys.argv[1:]))
