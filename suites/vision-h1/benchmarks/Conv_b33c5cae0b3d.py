"""Conv alone: `python Conv_b33c5cae0b3d.py [--threads N] [--json]`.

Benchmark b33c5cae0b3d4b89918284a5cca240efe16464558940c46fed67afbf45462d5b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b33c5cae0b3d4b89918284a5cca240efe16464558940c46fed67afbf45462d5b', SUITE, sys.argv[1:]))
