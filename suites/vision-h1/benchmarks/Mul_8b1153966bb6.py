"""Mul alone: `python Mul_8b1153966bb6.py [--threads N] [--json]`.

Benchmark 8b1153966bb63260bab217443f147fc0cb0a66d2f99fad683ccd9308ea1ef0a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8b1153966bb63260bab217443f147fc0cb0a66d2f99fad683ccd9308ea1ef0a2', SUITE, sys.argv[1:]))
