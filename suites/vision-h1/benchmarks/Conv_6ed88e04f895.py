"""Conv alone: `python Conv_6ed88e04f895.py [--threads N] [--json]`.

Benchmark 6ed88e04f895b2579b3b788e74853ed93c3a52fa19b817b101899bcab1d99833,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ed88e04f895b2579b3b788e74853ed93c3a52fa19b817b101899bcab1d99833', SUITE, sys.argv[1:]))
