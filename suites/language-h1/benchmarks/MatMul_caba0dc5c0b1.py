"""MatMul alone: `python MatMul_caba0dc5c0b1.py [--threads N] [--json]`.

Benchmark caba0dc5c0b1b8740a145ce3b7544747b4225d0686f88e9c1d369978d30d698e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('caba0dc5c0b1b8740a145ce3b7544747b4225d0686f88e9c1d369978d30d698e', SUITE, sys.argv[1:]))
