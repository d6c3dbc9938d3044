"""MatMul alone: `python MatMul_196e280909c2.py [--threads N] [--json]`.

Benchmark 196e280909c22bab59b99e457b67a1d46f2b976d1c7dc2353d540200ea6fa4c6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('196e280909c22bab59b99e457b67a1d46f2b976d1c7dc2353d540200ea6fa4c6', SUITE, sys.argv[1:]))
