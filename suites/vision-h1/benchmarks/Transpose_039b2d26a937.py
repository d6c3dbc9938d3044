"""Transpose alone: `python Transpose_039b2d26a937.py [--threads N] [--json]`.

Benchmark 039b2d26a937dfc8847b03a1bf79d1febfb76ee01497c6a98842537d0887ac5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('039b2d26a937dfc8847b03a1bf79d1febfb76ee01497c6a98842537d0887ac5a', SUITE, sys.argv[1:]))
