"""Transpose alone: `python Transpose_446ed2faf0df.py [--threads N] [--json]`.

Benchmark 446ed2faf0dff23ac94931278d5d79524dcf45b5a4856bf1deebbc861ddd5b81,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('446ed2faf0dff23ac94931278d5d79524dcf45b5a4856bf1deebbc861ddd5b81', SUITE, sys.argv[1:]))
