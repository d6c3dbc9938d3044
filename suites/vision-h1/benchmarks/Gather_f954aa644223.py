"""Gather alone: `python Gather_f954aa644223.py [--threads N] [--json]`.

Benchmark f954aa644223bedd61b83b2ced3c3bcc1ce2578769c80274edb5f43f23ca58c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f954aa644223bedd61b83b2ced3c3bcc1ce2578769c80274edb5f43f23ca58c0', SUITE, sys.argv[1:]))
