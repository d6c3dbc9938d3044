"""Transpose alone: `python Transpose_695317944181.py [--threads N] [--json]`.

Benchmark 6953179441814176fc42ca5a188dc84e4a1ebbf8fb4c72844623e29f06ae848e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6953179441814176fc42ca5a188dc84e4a1ebbf8fb4c72844623e29f06ae848e', SUITE, sys.argv[1:]))
