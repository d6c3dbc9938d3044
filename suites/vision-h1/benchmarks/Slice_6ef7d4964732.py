"""Slice alone: `python Slice_6ef7d4964732.py [--threads N] [--json]`.

Benchmark 6ef7d4964732f2d5f7ff48cc6f9ae265eb8ef412b1d310691706a0384a33a093,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ef7d4964732f2d5f7ff48cc6f9ae265eb8ef412b1d310691706a0384a33a093', SUITE, sys.argv[1:]))
