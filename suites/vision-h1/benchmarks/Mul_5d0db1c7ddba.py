"""Mul alone: `python Mul_5d0db1c7ddba.py [--threads N] [--json]`.

Benchmark 5d0db1c7ddba341461f3f6029dbfc4fde67a6be69f5c77967cb896db8b3330fc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d0db1c7ddba341461f3f6029dbfc4fde67a6be69f5c77967cb896db8b3330fc', SUITE, sys.argv[1:]))
