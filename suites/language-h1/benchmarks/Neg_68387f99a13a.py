"""Neg alone: `python Neg_68387f99a13a.py [--threads N] [--json]`.

Benchmark 68387f99a13ad357a147055d5927d85022a0f0e0905551abb0105340ad1086ee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('68387f99a13ad357a147055d5927d85022a0f0e0905551abb0105340ad1086ee', SUITE, sys.argv[1:]))
