"""MatMul_Add alone: `python MatMul_Add_b0b13552aa95.py [--threads N] [--json]`.

Benchmark b0b13552aa958e0b4c0518cb9ab5744893b4fd68f6acec24c7fdd2941131596a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b0b13552aa958e0b4c0518cb9ab5744893b4fd68f6acec24c7fdd2941131596a', SUITE, sys.argv[1:]))
