"""Conv_Add alone: `python Conv_Add_11eef1488051.py [--threads N] [--json]`.

Benchmark 11eef1488051f32e1760bcfd629e30756b4f509a9e3b0c7a9c636db1a4269a2b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11eef1488051f32e1760bcfd629e30756b4f509a9e3b0c7a9c636db1a4269a2b', SUITE, sys.argv[1:]))
