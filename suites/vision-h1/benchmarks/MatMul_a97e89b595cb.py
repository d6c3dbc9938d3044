"""MatMul alone: `python MatMul_a97e89b595cb.py [--threads N] [--json]`.

Benchmark a97e89b595cb15e84a55330d4a2ac0520f2b50d116717180c3fe12677cf11083,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a97e89b595cb15e84a55330d4a2ac0520f2b50d116717180c3fe12677cf11083', SUITE, sys.argv[1:]))
