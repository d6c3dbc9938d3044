"""Transpose alone: `python Transpose_8a1110c572e7.py [--threads N] [--json]`.

Benchmark 8a1110c572e782917c4806cba1655ef7f56007115037483ae95b7c9ebe456dae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a1110c572e782917c4806cba1655ef7f56007115037483ae95b7c9ebe456dae', SUITE, sys.argv[1:]))
