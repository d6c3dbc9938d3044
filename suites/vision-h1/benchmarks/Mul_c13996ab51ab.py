"""Mul alone: `python Mul_c13996ab51ab.py [--threads N] [--json]`.

Benchmark c13996ab51abd63b5de6a10b68c73185ae5bc261ee9ab52a4090a3188d4ac340,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c13996ab51abd63b5de6a10b68c73185ae5bc261ee9ab52a4090a3188d4ac340', SUITE, sys.argv[1:]))
