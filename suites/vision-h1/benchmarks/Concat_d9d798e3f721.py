"""Concat alone: `python Concat_d9d798e3f721.py [--threads N] [--json]`.

Benchmark d9d798e3f72162a3f5930808777da5ef776348f6f0959c37e2bfd8f6044470cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d9d798e3f72162a3f5930808777da5ef776348f6f0959c37e2bfd8f6044470cc', SUITE, sys.argv[1:]))
