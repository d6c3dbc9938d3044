"""Transpose alone: `python Transpose_2f9fd4b7cb21.py [--threads N] [--json]`.

Benchmark 2f9fd4b7cb219b0829220df5d7cdd308dfc66ed0df903e4aa0b2574f761d0558,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f9fd4b7cb219b0829220df5d7cdd308dfc66ed0df903e4aa0b2574f761d0558', SUITE, sys.argv[1:]))
