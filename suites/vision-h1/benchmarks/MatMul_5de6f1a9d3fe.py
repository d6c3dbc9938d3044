"""MatMul alone: `python MatMul_5de6f1a9d3fe.py [--threads N] [--json]`.

Benchmark 5de6f1a9d3feec05d9077c52c2ffc3182ac8b5c0d1a6b2683dfdc2a52309fa6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5de6f1a9d3feec05d9077c52c2ffc3182ac8b5c0d1a6b2683dfdc2a52309fa6b', SUITE, sys.argv[1:]))
