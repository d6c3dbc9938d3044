"""MatMul alone: `python MatMul_1fb23d88bd9f.py [--threads N] [--json]`.

Benchmark 1fb23d88bd9f3b11945bae09328480c6e2c85532fbcb7d2254c0225a0a819a9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1fb23d88bd9f3b11945bae09328480c6e2c85532fbcb7d2254c0225a0a819a9c', SUITE, sys.argv[1:]))
