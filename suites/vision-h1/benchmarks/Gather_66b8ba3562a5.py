"""Gather alone: `python Gather_66b8ba3562a5.py [--threads N] [--json]`.

Benchmark 66b8ba3562a5cc2d42a556c722c7f968426740a0520657d37cd8a4926dcd651c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('66b8ba3562a5cc2d42a556c722c7f968426740a0520657d37cd8a4926dcd651c', SUITE, sys.argv[1:]))
