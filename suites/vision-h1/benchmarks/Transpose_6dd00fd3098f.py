"""Transpose alone: `python Transpose_6dd00fd3098f.py [--threads N] [--json]`.

Benchmark 6dd00fd3098fd916e4d77a984849a8c903b992e2074f31a7f06b83a3807925a0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6dd00fd3098fd916e4d77a984849a8c903b992e2074f31a7f06b83a3807925a0', SUITE, sys.argv[1:]))
