"""Transpose alone: `python Transpose_33734c79eb6e.py [--threads N] [--json]`.

Benchmark 33734c79eb6ec9921d8a7c31e2628513dc444785575fd6a3f5e6e85c237f1537,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('33734c79eb6ec9921d8a7c31e2628513dc444785575fd6a3f5e6e85c237f1537', SUITE, sys.argv[1:]))
