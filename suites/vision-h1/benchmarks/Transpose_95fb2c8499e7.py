"""Transpose alone: `python Transpose_95fb2c8499e7.py [--threads N] [--json]`.

Benchmark 95fb2c8499e7e6488c07a38f306720f336873ebe785cd5ce4fe65448745dc329,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95fb2c8499e7e6488c07a38f306720f336873ebe785cd5ce4fe65448745dc329', SUITE, sys.argv[1:]))
