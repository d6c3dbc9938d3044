"""Resize alone: `python Resize_8c2f0c812310.py [--threads N] [--json]`.

Benchmark 8c2f0c812310bb8013d22560368c33b6bb42e7e97098122057ddfaa29bef5762,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c2f0c812310bb8013d22560368c33b6bb42e7e97098122057ddfaa29bef5762', SUITE, sys.argv[1:]))
