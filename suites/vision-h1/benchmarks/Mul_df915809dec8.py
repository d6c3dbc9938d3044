"""Mul alone: `python Mul_df915809dec8.py [--threads N] [--json]`.

Benchmark df915809dec82f204bf6b94ac9128bafde827bd6c82b35abc0999bb58dc8ea55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df915809dec82f204bf6b94ac9128bafde827bd6c82b35abc0999bb58dc8ea55', SUITE, sys.argv[1:]))
