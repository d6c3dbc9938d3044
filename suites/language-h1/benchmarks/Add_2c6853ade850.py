"""Add alone: `python Add_2c6853ade850.py [--threads N] [--json]`.

Benchmark 2c6853ade850ef1ea32d96ac1769ea4414500206fc221aeeb34b605bf1037766,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2c6853ade850ef1ea32d96ac1769ea4414500206fc221aeeb34b605bf1037766', SUITE, sys.argv[1:]))
