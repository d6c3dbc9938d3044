"""MatMul alone: `python MatMul_f6b966ea50ca.py [--threads N] [--json]`.

Benchmark f6b966ea50ca064ea837b22a6e5af2af50bff3c4de3ec726c2ae29fdbc348138,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6b966ea50ca064ea837b22a6e5af2af50bff3c4de3ec726c2ae29fdbc348138', SUITE, sys.argv[1:]))
