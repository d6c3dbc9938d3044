"""Transpose alone: `python Transpose_edcf37339a8e.py [--threads N] [--json]`.

Benchmark edcf37339a8eb375f5ce9c6e727bc046b930370d3fbc5f0a7dd9b7e548c63d8c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('edcf37339a8eb375f5ce9c6e727bc046b930370d3fbc5f0a7dd9b7e548c63d8c', SUITE, sys.argv[1:]))
