"""Conv alone: `python Conv_6dada2f64b69.py [--threads N] [--json]`.

Benchmark 6dada2f64b69f702dffba8cbfe45dbef21fc7d0f98e7f6882eea6b1f73adc3b4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6dada2f64b69f702dffba8cbfe45dbef21fc7d0f98e7f6882eea6b1f73adc3b4', SUITE, sys.argv[1:]))
