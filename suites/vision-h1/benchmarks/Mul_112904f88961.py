"""Mul alone: `python Mul_112904f88961.py [--threads N] [--json]`.

Benchmark 112904f889613fdc40efe21f4bae625d629e5b72443ef4f5edad7cd7a1bd23d7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('112904f889613fdc40efe21f4bae625d629e5b72443ef4f5edad7cd7a1bd23d7', SUITE, sys.argv[1:]))
