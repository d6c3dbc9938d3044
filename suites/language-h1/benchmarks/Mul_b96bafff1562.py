"""Mul alone: `python Mul_b96bafff1562.py [--threads N] [--json]`.

Benchmark b96bafff1562275f57bc45e32a6e42f0f8d52661cbfe6292bf923033bbab4f39,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b96bafff1562275f57bc45e32a6e42f0f8d52661cbfe6292bf923033bbab4f39', SUITE, sys.argv[1:]))
