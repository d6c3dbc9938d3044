"""MatMul alone: `python MatMul_1bb1fa94b70e.py [--threads N] [--json]`.

Benchmark 1bb1fa94b70e7623b26bad4b2ba2d68c06b4df70cdfa0ba98f2710e7fc5adafa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1bb1fa94b70e7623b26bad4b2ba2d68c06b4df70cdfa0ba98f2710e7fc5adafa', SUITE, sys.argv[1:]))
