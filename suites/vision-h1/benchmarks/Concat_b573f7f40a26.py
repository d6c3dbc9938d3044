"""Concat alone: `python Concat_b573f7f40a26.py [--threads N] [--json]`.

Benchmark b573f7f40a26a3151095d66ba9e8a93ee2f8da70b4b596dd8c53548fa3363616,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b573f7f40a26a3151095d66ba9e8a93ee2f8da70b4b596dd8c53548fa3363616', SUITE, sys.argv[1:]))
