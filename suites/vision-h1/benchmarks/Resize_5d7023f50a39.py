"""Resize alone: `python Resize_5d7023f50a39.py [--threads N] [--json]`.

Benchmark 5d7023f50a39c71e81a6d645d6d453421837c8a63bb2cb1662438f776cccdc37,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d7023f50a39c71e81a6d645d6d453421837c8a63bb2cb1662438f776cccdc37', SUITE, sys.argv[1:]))
