"""Mul alone: `python Mul_599b592d810e.py [--threads N] [--json]`.

Benchmark 599b592d810e99459c9c08fd286d7a103953452f611ea855110720da1370643a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('599b592d810e99459c9c08fd286d7a103953452f611ea855110720da1370643a', SUITE, sys.argv[1:]))
