"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_02963301c37b.py [--threads N] [--json]`.

Benchmark 02963301c37b158b49604284ebbc8736f9ac376cd0a21186c4205c3de5435d82,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('02963301c37b158b49604284ebbc8736f9ac376cd0a21186c4205c3de5435d82', SUITE, sys.argv[1:]))
