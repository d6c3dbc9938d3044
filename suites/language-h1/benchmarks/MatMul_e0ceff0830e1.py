"""MatMul alone: `python MatMul_e0ceff0830e1.py [--threads N] [--json]`.

Benchmark e0ceff0830e177c9d5c687c19b7e9f4f6e1e1bef7199fc3f67d16c15e57d7e4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e0ceff0830e177c9d5c687c19b7e9f4f6e1e1bef7199fc3f67d16c15e57d7e4c', SUITE, sys.argv[1:]))
