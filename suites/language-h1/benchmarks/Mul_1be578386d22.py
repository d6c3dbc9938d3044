"""Mul alone: `python Mul_1be578386d22.py [--threads N] [--json]`.

Benchmark 1be578386d22b549cb7fac246300c3a23d4118f8a1635050f02c48469ad12e14,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1be578386d22b549cb7fac246300c3a23d4118f8a1635050f02c48469ad12e14', SUITE, sys.argv[1:]))
