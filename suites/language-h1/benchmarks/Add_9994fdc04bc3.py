"""Add alone: `python Add_9994fdc04bc3.py [--threads N] [--json]`.

Benchmark 9994fdc04bc309975f502c117ca1a71672cb2730e09c12aff7d528720fc666a1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9994fdc04bc309975f502c117ca1a71672cb2730e09c12aff7d528720fc666a1', SUITE, sys.argv[1:]))
