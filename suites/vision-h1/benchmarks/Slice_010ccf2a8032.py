"""Slice alone: `python Slice_010ccf2a8032.py [--threads N] [--json]`.

Benchmark 010ccf2a803269b2b7be6754af248054fc4ee0af5184e0ae2411e4bb3a52db56,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('010ccf2a803269b2b7be6754af248054fc4ee0af5184e0ae2411e4bb3a52db56', SUITE, sys.argv[1:]))
