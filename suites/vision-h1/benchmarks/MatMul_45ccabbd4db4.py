"""MatMul alone: `python MatMul_45ccabbd4db4.py [--threads N] [--json]`.

Benchmark 45ccabbd4db41cb6d19203c1650159b760eb5c6945bb93864b9421051e1fff6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('45ccabbd4db41cb6d19203c1650159b760eb5c6945bb93864b9421051e1fff6b', SUITE, sys.argv[1:]))
