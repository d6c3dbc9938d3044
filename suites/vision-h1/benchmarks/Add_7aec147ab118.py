"""Add alone: `python Add_7aec147ab118.py [--threads N] [--json]`.

Benchmark 7aec147ab118456c64c68f5bc110889f04c845c4fd6c2db774c5af08c627bb74,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7aec147ab118456c64c68f5bc110889f04c845c4fd6c2db774c5af08c627bb74', SUITE, sys.argv[1:]))
