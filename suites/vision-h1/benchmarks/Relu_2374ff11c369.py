"""Relu alone: `python Relu_2374ff11c369.py [--threads N] [--json]`.

Benchmark 2374ff11c369d1ff4c5d0ff810e9cd9401f586a0427b05acbfc89026afa90c6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2374ff11c369d1ff4c5d0ff810e9cd9401f586a0427b05acbfc89026afa90c6b', SUITE, sys.argv[1:]))
