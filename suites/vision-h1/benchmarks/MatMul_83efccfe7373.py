"""MatMul alone: `python MatMul_83efccfe7373.py [--threads N] [--json]`.

Benchmark 83efccfe73733532eed11a15a12abc0e409b0e1699a74c8b37ce79045a1d881f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83efccfe73733532eed11a15a12abc0e409b0e1699a74c8b37ce79045a1d881f', SUITE, sys.argv[1:]))
