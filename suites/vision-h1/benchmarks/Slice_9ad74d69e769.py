"""Slice alone: `python Slice_9ad74d69e769.py [--threads N] [--json]`.

Benchmark 9ad74d69e7691974a40a69ed984b5c4b493dafb598c8287a093d65e29f18cb3f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ad74d69e7691974a40a69ed984b5c4b493dafb598c8287a093d65e29f18cb3f', SUITE, sys.argv[1:]))
